#!/bin/bash
# Reference solution: a reading below the one before means that the register has gone past its last digit once.
set -euo pipefail
mkdir -p /workspace/out
python3 - <<'PYTHON'
import csv

with open("/workspace/data/readings.csv", newline="") as source, open("/workspace/out/consumption.csv", "w") as target:
    print("meter,month,kwh", file=target)
    before = {}
    for row in csv.DictReader(source):
        meter, now = row["meter"], int(row["reading"])
        if meter in before:
            print(meter, row["date"][:7], (now - before[meter]) % 100_000, sep=",", file=target)
        before[meter] = now
PYTHON
