"""Percent change of each sector from the same month one year before."""

import csv
import os
import sys
from decimal import ROUND_DOWN, Decimal


def two_decimals(change):
    return str(change.quantize(Decimal("0.01"), rounding=ROUND_DOWN))


def main(source, target):
    with open(source, newline="") as file:
        rows = list(csv.DictReader(file))
    by_month = {row["month"]: row for row in rows}
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["month", "series", "year_on_year_pct"])
        for row in rows:
            before = by_month.get(f"{int(row['month'][:4]) - 1}{row['month'][4:]}")
            for name, level in row.items():
                if name != "month":
                    change = "" if before is None else two_decimals(100 * (Decimal(level) / Decimal(before[name]) - 1))
                    writer.writerow([row["month"], name, change])


if __name__ == "__main__":
    main(*sys.argv[1:])
