"""Annual means of a weekly record with gaps.

Method: one regression over the whole record, value = piecewise linear trend with a knot at each New Year + four
harmonics of the year. A missing week takes the regression's value; then every week of a year counts once.
"""

import csv
import math
import os
import sys
from collections import defaultdict
from datetime import datetime

FIRST, LAST, HARMONICS = 1959, 2001, 4


def decimal_year(day):
    start = datetime(day.year, 1, 1)
    return day.year + (day - start).days / (datetime(day.year + 1, 1, 1) - start).days


def terms(t, knots):
    """Values of all regressors at time t: hat functions of the trend, then sines and cosines."""
    row = [max(0.0, 1.0 - abs(t - knot)) for knot in knots]
    for k in range(1, HARMONICS + 1):
        row += [math.cos(2 * math.pi * k * t), math.sin(2 * math.pi * k * t)]
    return row


def solve(matrix, right):
    """Gaussian elimination with partial pivoting."""
    n = len(right)
    rows = [matrix[i][:] + [right[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            if factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    answer = [0.0] * n
    for i in reversed(range(n)):
        answer[i] = (rows[i][n] - sum(rows[i][j] * answer[j] for j in range(i + 1, n))) / rows[i][i]
    return answer


def main(source, target):
    with open(source, newline="") as file:
        weeks = [(decimal_year(datetime.strptime(r["date"], "%Y%m%d")), r["co2"]) for r in csv.DictReader(file)]
    knots = range(1958, 2003)
    seen = [(terms(t, knots), float(value)) for t, value in weeks if value]
    size = len(seen[0][0])
    matrix = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    for row, value in seen:
        present = [i for i in range(size) if row[i]]
        for i in present:
            right[i] += row[i] * value
            for j in present:
                matrix[i][j] += row[i] * row[j]
    fit = solve(matrix, right)

    years = defaultdict(list)
    for t, value in weeks:
        years[int(t)].append(float(value) if value else sum(a * b for a, b in zip(terms(t, knots), fit)))

    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["year", "mean", "change"])
        previous = None
        for year in range(FIRST, LAST + 1):
            mean = sum(years[year]) / len(years[year])
            writer.writerow([year, f"{mean:.3f}", "" if previous is None else f"{mean - previous:.3f}"])
            previous = mean


if __name__ == "__main__":
    main(*sys.argv[1:])
