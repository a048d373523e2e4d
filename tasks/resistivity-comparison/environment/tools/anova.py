"""One-way analysis of variance of instrument readings."""

import csv
import math
import os
import sys


def main(source, target):
    with open(source, newline="") as file:
        readings = [(row["instrument"], float(row["resistivity_ohm_cm"])) for row in csv.DictReader(file)]
    groups = {}
    for instrument, value in readings:
        groups.setdefault(instrument, []).append(value)

    grand = math.fsum(value for _, value in readings) / len(readings)
    means = {name: math.fsum(values) / len(values) for name, values in groups.items()}
    between = math.fsum(len(values) * (means[name] - grand) ** 2 for name, values in groups.items())
    within = math.fsum((value - means[name]) ** 2 for name, value in readings)
    df_between, df_within = len(groups) - 1, len(readings) - len(groups)
    ms_between, ms_within = between / df_between, within / df_within

    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["source", "df", "sum_of_squares", "mean_square", "f_statistic"])
        writer.writerow(["between", df_between, f"{between:.12e}", f"{ms_between:.12e}", f"{ms_between / ms_within:.12e}"])
        writer.writerow(["within", df_within, f"{within:.12e}", f"{ms_within:.12e}", ""])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
