#!/bin/bash
# Reference solution: growth compounded to an annual rate, in decimal arithmetic.
set -euo pipefail
python3 "$(dirname "$0")/growth.py" /workspace/data/national-accounts.csv /workspace/out/growth.csv
