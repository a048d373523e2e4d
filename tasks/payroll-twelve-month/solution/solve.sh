#!/bin/bash
# Reference solution: each month against the same month of the year before, matched by date.
set -euo pipefail
python3 "$(dirname "$0")/change.py" /workspace/data/payrolls.csv /workspace/out/twelve-month-change.csv
