"""Cleans instrument readings (outliers, digits) and writes their one-way analysis of variance."""

import argparse
import csv
import os
import statistics
import sys


def clean(values, cut, decimals):
    centre, spread = statistics.mean(values), statistics.stdev(values)
    return [round(v, decimals) for v in values if abs(v - centre) <= cut * spread]


def sums_of_squares(groups):
    everything = [v for values in groups.values() for v in values]
    grand = statistics.fmean(everything)
    between = sum(len(v) * (statistics.fmean(v) - grand) ** 2 for v in groups.values())
    within = sum((x - statistics.fmean(v)) ** 2 for v in groups.values() for x in v)
    return between, within, len(groups) - 1, len(everything) - len(groups)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--cut", type=float, default=1.5)
    parser.add_argument("--decimals", type=int, default=2)
    options = parser.parse_args()

    groups = {}
    with open(options.source, newline="") as file:
        reader = csv.reader(file)
        next(reader)
        for row in reader:
            groups.setdefault(row[0], []).append(float(row[1]))
    cleaned = {name: clean(values, options.cut, options.decimals) for name, values in groups.items()}
    removed = sum(map(len, groups.values())) - sum(map(len, cleaned.values()))
    print(f"removed {removed} readings", file=sys.stderr)

    between, within, df_between, df_within = sums_of_squares(cleaned)
    ms_between, ms_within = between / df_between, within / df_within
    os.makedirs(os.path.dirname(os.path.abspath(options.target)), exist_ok=True)
    with open(options.target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["source", "df", "sum_of_squares", "mean_square", "f_statistic"])
        writer.writerow(["between", df_between, f"{between:.10g}", f"{ms_between:.10g}", f"{ms_between / ms_within:.10g}"])
        writer.writerow(["within", df_within, f"{within:.10g}", f"{ms_within:.10g}", ""])


if __name__ == "__main__":
    main()
