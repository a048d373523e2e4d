#!/bin/bash
# Wrong in one point: the third decimal is cut off and not rounded.
set -euo pipefail
python3 "$(dirname "$0")/change.py" /workspace/data/payrolls.csv /workspace/out/twelve-month-change.csv
