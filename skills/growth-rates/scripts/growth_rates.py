"""Growth of level series: at a compound annual rate over one period, and over the same period a year before."""

import argparse
import csv
import os
import sys
from datetime import datetime

LAYOUTS = ("%Y-%m-%d", "%Y-%m", "%Y/%m/%d", "%Y%m%d")


def parse_month(text):
    """Months since year 0, or None if the text is no date."""
    for layout in LAYOUTS:
        try:
            day = datetime.strptime(text.strip(), layout)
            return day.year * 12 + day.month - 1
        except ValueError:
            continue
    return None


def time_axis(rows):
    """Names of the time columns, and a month count for each row."""
    names = list(rows[0])
    lower = {name.lower(): name for name in names}
    if "year" in lower and "quarter" in lower:
        year, quarter = lower["year"], lower["quarter"]
        return [year, quarter], [int(r[year]) * 12 + (int(r[quarter]) - 1) * 3 for r in rows]
    if "year" in lower and "month" in lower:
        year, month = lower["year"], lower["month"]
        return [year, month], [int(r[year]) * 12 + int(r[month]) - 1 for r in rows]
    for name in names:
        months = [parse_month(r[name]) for r in rows]
        if all(m is not None for m in months):
            return [name], months
    sys.exit("no time columns found: expected year and quarter, year and month, or a column of dates")


def level(text):
    try:
        return float(text)
    except ValueError:
        return None


def pick_series(rows, keys, wanted):
    """Columns that can be levels. What has values at or below zero is a rate, a balance or a change."""
    chosen = []
    for name in wanted or [n for n in rows[0] if n not in keys]:
        values = [v for v in (level(r[name]) for r in rows) if v is not None]
        if values and min(values) > 0:
            chosen.append(name)
        else:
            print(f"left out {name}: not a series of positive levels", file=sys.stderr)
    return chosen


def growth(now, before, power, decimals):
    if now is None or before is None:
        return ""
    return f"{100 * ((now / before) ** power - 1):.{decimals}f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--series", action="append", default=[])
    parser.add_argument("--deflate")
    parser.add_argument("--decimals", type=int, default=2)
    options = parser.parse_args()

    with open(options.source, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    keys, months = time_axis(rows)
    step = min(b - a for a, b in zip(months, months[1:]) if b > a)
    series = pick_series(rows, keys + ([options.deflate] if options.deflate else []), options.series)

    levels = {}
    for name in series:
        by_month = {m: level(r[name]) for m, r in zip(months, rows)}
        if options.deflate:
            index = {m: level(r[options.deflate]) for m, r in zip(months, rows)}
            by_month = {m: v / index[m] if v is not None and index[m] else None for m, v in by_month.items()}
        levels[name] = by_month

    os.makedirs(os.path.dirname(os.path.abspath(options.target)), exist_ok=True)
    with open(options.target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*keys, "series", "annual_rate_pct", "year_on_year_pct"])
        for month, row in zip(months, rows):
            for name in series:
                now = levels[name].get(month)
                rate = growth(now, levels[name].get(month - step), 12 / step, options.decimals)
                year = growth(now, levels[name].get(month - 12), 1, options.decimals)
                writer.writerow([*(row[k] for k in keys), name, rate, year])


if __name__ == "__main__":
    main()
