#!/bin/bash
# Reference solution: IANA rules of each airport's zone, on the day in question.
set -euo pipefail
python3 "$(dirname "$0")/timetable.py" /workspace/data/timetable.csv /workspace/out/timetable-utc.csv
