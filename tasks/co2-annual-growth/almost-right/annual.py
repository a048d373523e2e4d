"""Annual means of a weekly record; weeks are averaged by month first, and the months that there are by year."""

import csv
import os
import sys
from collections import defaultdict

FIRST, LAST = 1959, 2001


def main(source, target):
    months = defaultdict(list)
    with open(source, newline="") as file:
        for row in csv.DictReader(file):
            if row["co2"]:
                months[row["date"][:6]].append(float(row["co2"]))
    years = defaultdict(list)
    for month, values in sorted(months.items()):
        years[int(month[:4])].append(sum(values) / len(values))

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
