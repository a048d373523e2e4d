#!/bin/bash
# Wrong in one point: a register of five digits has 100,000 states and not 99,999, so that a kilowatt-hour is missing
# where it goes past its last digit. The verifier must fail this.
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
            print(meter, row["date"][:7], (now - before[meter]) % 99_999, sep=",", file=target)
        before[meter] = now
PYTHON
