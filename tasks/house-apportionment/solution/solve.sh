#!/bin/bash
# Reference solution: priority values, compared exactly as squares of fractions.
set -euo pipefail
python3 "$(dirname "$0")/apportion.py" /workspace/data/state-populations.csv /workspace/out/seats.csv
