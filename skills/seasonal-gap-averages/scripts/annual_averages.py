"""Annual averages of a seasonal record with gaps: trend and season are separated, gaps filled, then averaged."""

import argparse
import csv
import math
import os
import sys
from collections import defaultdict
from datetime import datetime, timedelta

LAYOUTS = ("%Y-%m-%d", "%Y%m%d", "%Y/%m/%d", "%Y-%m", "%d.%m.%Y")
MISSING = {"", "na", "nan", "null", "-", "-99.99", "-999", "-999.99", "-9999"}


def parse_day(text):
    for layout in LAYOUTS:
        try:
            return datetime.strptime(text.strip(), layout)
        except ValueError:
            continue
    return None


def parse_value(text, missing):
    text = text.strip()
    return None if text.lower() in missing else float(text)


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def find_columns(rows, date, value):
    names = list(rows[0])
    if date is None:
        date = next((n for n in names if all(parse_day(r[n]) for r in rows)), None)
    if value is None:
        value = next((n for n in names if n != date and any(is_number(r[n]) for r in rows)), None)
    if date is None or value is None:
        sys.exit("cannot tell the date and value columns apart: name them with --date and --value")
    return date, value


def decimal_year(day):
    start = datetime(day.year, 1, 1)
    return day.year + (day - start) / (datetime(day.year + 1, 1, 1) - start)


def full_grid(observed):
    """All dates of the record's own step (months, or a fixed number of days), with None where nothing was seen."""
    days = sorted(observed)
    steps = sorted((b - a).days for a, b in zip(days, days[1:]))
    step = steps[len(steps) // 2]
    if 28 <= step <= 31:
        first, last = days[0], days[-1]
        months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
        by_month = {(d.year, d.month): v for d, v in observed.items()}
        return [(datetime(m // 12, m % 12 + 1, 15), by_month.get((m // 12, m % 12 + 1))) for m in months]
    grid, day = [], days[0]
    while day <= days[-1]:
        grid.append((day, observed.get(day)))
        day += timedelta(days=step)
    return grid


def season_terms(t, harmonics):
    angle = 2 * math.pi * t
    return [f(k * angle) for k in range(1, harmonics + 1) for f in (math.cos, math.sin)]


def least_squares(design, target):
    n = len(design[0])
    system = [[sum(r[i] * r[j] for r in design) for j in range(n)] + [sum(r[i] * y for r, y in zip(design, target))]
              for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(system[r][i]))
        system[i], system[pivot] = system[pivot], system[i]
        for r in range(n):
            if r != i and system[r][i]:
                factor = system[r][i] / system[i][i]
                system[r] = [a - factor * b for a, b in zip(system[r], system[i])]
    return [system[i][n] / system[i][i] for i in range(n)]


def local_line(t, times, values, window):
    """Weighted straight line around t (tricube weights); the window widens until it has enough points on its ends."""
    while True:
        near = [(x - t, y, (1 - (abs(x - t) / window) ** 3) ** 3) for x, y in zip(times, values) if abs(x - t) < window]
        if len(near) >= 4 and max(x for x, _, _ in near) > min(x for x, _, _ in near):
            break
        window *= 1.5
    w = sum(k for _, _, k in near)
    mx, my = sum(k * x for x, _, k in near) / w, sum(k * y for _, y, k in near) / w
    spread = sum(k * (x - mx) ** 2 for x, _, k in near)
    slope = sum(k * (x - mx) * (y - my) for x, y, k in near) / spread if spread else 0.0
    return my - slope * mx


def fill(grid, harmonics, window, rounds=4):
    """The grid's values with each gap replaced by trend + season."""
    times = [decimal_year(day) for day, _ in grid]
    seen = [i for i, (_, value) in enumerate(grid) if value is not None]
    seen_times, values = [times[i] for i in seen], [grid[i][1] for i in seen]
    design = [season_terms(t, harmonics) for t in seen_times]
    season = [0.0] * len(seen)
    for _ in range(rounds):
        adjusted = [y - s for y, s in zip(values, season)]
        trend = [local_line(t, *near(seen_times, adjusted, t, window), window) for t in seen_times]
        weights = least_squares(design, [y - m for y, m in zip(values, trend)])
        season = [sum(a * b for a, b in zip(row, weights)) for row in design]
    adjusted = [y - s for y, s in zip(values, season)]

    def estimate(t):
        cycle = sum(a * b for a, b in zip(season_terms(t, harmonics), weights))
        return local_line(t, *near(seen_times, adjusted, t, window), window) + cycle

    return [value if value is not None else estimate(t) for t, (_, value) in zip(times, grid)]


def near(times, values, t, window):
    """A slice that surely holds all points the smoother may want; keeps long records quick."""
    low, high = bisect(times, t - 3 * window), bisect(times, t + 3 * window)
    return (times[low:high], values[low:high]) if high - low >= 4 else (times, values)


def bisect(times, t):
    low, high = 0, len(times)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if times[middle] < t else (low, middle)
    return low


def annual_table(grid, filled):
    years = defaultdict(list)
    for (day, value), level in zip(grid, filled):
        years[day.year].append((level, value is not None))
    full = max(len(v) for v in years.values())
    return [(year, sum(level for level, _ in weeks) / len(weeks), sum(seen for _, seen in weeks) / len(weeks))
            for year, weeks in sorted(years.items()) if len(weeks) >= 0.97 * full]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--date")
    parser.add_argument("--value")
    parser.add_argument("--missing", action="append", default=[])
    parser.add_argument("--harmonics", type=int, default=4)
    parser.add_argument("--window", type=float, default=0.8)
    parser.add_argument("--decimals", type=int, default=3)
    options = parser.parse_args()

    with open(options.source, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    date, value = find_columns(rows, options.date, options.value)
    missing = MISSING | {text.lower() for text in options.missing}
    observed = {parse_day(r[date]): parse_value(r[value], missing) for r in rows}
    if sum(v is not None for v in observed.values()) < 4 + 2 * options.harmonics:
        sys.exit("too few observations to tell trend and season apart")
    grid = full_grid(observed)
    table = annual_table(grid, fill(grid, options.harmonics, options.window))

    os.makedirs(os.path.dirname(os.path.abspath(options.target)), exist_ok=True)
    with open(options.target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["year", "mean", "change", "observed_share"])
        previous = None
        for year, mean, share in table:
            change = "" if previous is None else f"{mean - previous:.{options.decimals}f}"
            writer.writerow([year, f"{mean:.{options.decimals}f}", change, f"{share:.2f}"])
            previous = mean


if __name__ == "__main__":
    main()
