"""One-way analysis of variance in exact rational arithmetic, written with seven significant digits."""

import csv
import os
import sys
from collections import defaultdict
from fractions import Fraction


def main(source, target):
    groups = defaultdict(list)
    with open(source, newline="") as file:
        for row in csv.DictReader(file):
            groups[row["instrument"]].append(Fraction(row["resistivity_ohm_cm"]))
    everything = [value for values in groups.values() for value in values]
    grand = sum(everything) / len(everything)
    between = sum(len(v) * (sum(v) / len(v) - grand) ** 2 for v in groups.values())
    within = sum((x - grand) ** 2 for x in everything) - between
    df = {"between": len(groups) - 1, "within": len(everything) - len(groups)}
    f = (between / df["between"]) / (within / df["within"])

    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["source", "df", "sum_of_squares", "mean_square", "f_statistic"])
        for name, total in (("between", between), ("within", within)):
            mean_square = float(total / df[name])
            writer.writerow([name, df[name], f"{float(total):.6e}", f"{mean_square:.6e}", f"{float(f):.6e}" if name == "between" else ""])


if __name__ == "__main__":
    main(*sys.argv[1:])
