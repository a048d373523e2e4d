"""Annual means of the weekly record, as used for last year's briefing."""

import argparse
import csv
import os
from collections import defaultdict


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="first", type=int, required=True)
    parser.add_argument("--to", dest="last", type=int, required=True)
    parser.add_argument("source")
    parser.add_argument("target")
    options = parser.parse_args()

    weeks = defaultdict(list)
    with open(options.source, newline="") as file:
        for row in csv.DictReader(file):
            if row["co2"]:
                weeks[int(row["date"][:4])].append(float(row["co2"]))

    os.makedirs(os.path.dirname(options.target), exist_ok=True)
    with open(options.target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["year", "mean", "change"])
        previous = None
        for year in range(options.first, options.last + 1):
            mean = sum(weeks[year]) / len(weeks[year])
            writer.writerow([year, f"{mean:.3f}", "" if previous is None else f"{mean - previous:.3f}"])
            previous = mean


if __name__ == "__main__":
    main()
