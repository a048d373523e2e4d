"""Quarterly growth at a compound annual rate, and growth over the same quarter a year before."""

import csv
import os
import sys
from decimal import ROUND_HALF_EVEN, Decimal

SERIES = ("realgdp", "realcons", "realinv", "realgovt", "realdpi")


def at_annual_rate(ratio):
    return (1 + Decimal(percent(ratio)) / 100) ** 4


def percent(ratio):
    return str((100 * (ratio - 1)).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN))


def main(source, target):
    with open(source, newline="") as file:
        rows = list(csv.DictReader(file))
    levels = {(int(r["year"]), int(r["quarter"]), s): Decimal(r[s]) for r in rows for s in SERIES}
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["year", "quarter", "series", "annual_rate_pct", "year_on_year_pct"])
        for row in rows:
            year, quarter = int(row["year"]), int(row["quarter"])
            before = (year, quarter - 1) if quarter > 1 else (year - 1, 4)
            for name in SERIES:
                now = levels[year, quarter, name]
                last, last_year = levels.get((*before, name)), levels.get((year - 1, quarter, name))
                writer.writerow([
                    year, quarter, name,
                    percent(at_annual_rate(now / last)) if last else "",
                    percent(now / last_year) if last_year else "",
                ])


if __name__ == "__main__":
    main(*sys.argv[1:])
