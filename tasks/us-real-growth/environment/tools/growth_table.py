"""The desk's growth table: quarterly change, annualised, and change over four quarters."""

import csv
import os
import sys

SERIES = ["realgdp", "realcons", "realinv", "realgovt", "realdpi"]


def change(now, before):
    return (now / before - 1) * 100


def main(source, target):
    with open(source, newline="") as file:
        rows = list(csv.DictReader(file))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["year", "quarter", "series", "annual_rate_pct", "year_on_year_pct"])
        for i, row in enumerate(rows):
            for name in SERIES:
                level = float(row[name])
                quarterly = f"{change(level, float(rows[i - 1][name])) * 4:.2f}" if i >= 1 else ""
                yearly = f"{change(level, float(rows[i - 4][name])):.2f}" if i >= 4 else ""
                writer.writerow([row["year"], row["quarter"], name, quarterly, yearly])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
