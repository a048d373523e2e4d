#!/bin/bash
# Wrong in one point: the quarterly change is rounded to two decimals before it is compounded to an annual rate.
set -euo pipefail
python3 "$(dirname "$0")/growth.py" /workspace/data/national-accounts.csv /workspace/out/growth.csv
