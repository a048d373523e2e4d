"""Usage by month from readings of cumulative registers: identifier, date (ISO) and reading in the first three columns."""

import argparse
import csv
import os

parser = argparse.ArgumentParser()
parser.add_argument("input")
parser.add_argument("output")
parser.add_argument("--columns", default="meter,month,kwh")
options = parser.parse_args()

with open(options.input, newline="") as file:
    readings = sorted(list(csv.reader(file))[1:], key=lambda reading: reading[:2])

os.makedirs(os.path.dirname(options.output), exist_ok=True)
with open(options.output, "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(options.columns.split(","))
    for earlier, later in zip(readings, readings[1:]):
        if earlier[0] != later[0]:
            continue
        states = 10 ** len(later[2])
        writer.writerow([later[0], later[1][:7], (int(later[2]) - int(earlier[2])) % states])
