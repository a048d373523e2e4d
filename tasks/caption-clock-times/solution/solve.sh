#!/bin/bash
# Reference solution: timecode to frame numbers, frame numbers to exact time.
set -euo pipefail
python3 "$(dirname "$0")/retime.py" /workspace/data/captions.csv /workspace/out/captions-online.csv
