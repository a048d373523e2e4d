"""Twelve-month percent change of each sector."""

import csv
import os
import sys


def main(source, target):
    with open(source, newline="") as file:
        rows = list(csv.DictReader(file))
    sectors = [name for name in rows[0] if name != "month"]
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["month", "series", "year_on_year_pct"])
        for i, row in enumerate(rows):
            for name in sectors:
                change = f"{(float(row[name]) / float(rows[i - 12][name]) - 1) * 100:.2f}" if i >= 12 else ""
                writer.writerow([row["month"], name, change])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
