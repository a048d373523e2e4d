#!/bin/bash
# Reference solution: the sums of squares in exact rational arithmetic.
set -euo pipefail
python3 "$(dirname "$0")/variance.py" /workspace/data/resistivity.csv /workspace/out/anova.csv
