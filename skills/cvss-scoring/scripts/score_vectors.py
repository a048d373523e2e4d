"""CVSS v3.0 and v3.1: base, temporal and environmental scores of vectors in a table."""

import argparse
import csv
import os
import re
import sys
from decimal import ROUND_CEILING, Decimal

D = Decimal
IMPACT = {"H": D("0.56"), "L": D("0.22"), "N": D(0)}
REQUIREMENT = {"X": D(1), "H": D("1.5"), "M": D(1), "L": D("0.5")}
WEIGHTS = {
    "AV": {"N": D("0.85"), "A": D("0.62"), "L": D("0.55"), "P": D("0.2")},
    "AC": {"L": D("0.77"), "H": D("0.44")},
    "UI": {"N": D("0.85"), "R": D("0.62")},
    "C": IMPACT, "I": IMPACT, "A": IMPACT,
    "CR": REQUIREMENT, "IR": REQUIREMENT, "AR": REQUIREMENT,
    "E": {"X": D(1), "H": D(1), "F": D("0.97"), "P": D("0.94"), "U": D("0.91")},
    "RL": {"X": D(1), "U": D(1), "W": D("0.97"), "T": D("0.96"), "O": D("0.95")},
    "RC": {"X": D(1), "C": D(1), "R": D("0.96"), "U": D("0.92")},
}
PRIVILEGES = {
    "U": {"N": D("0.85"), "L": D("0.62"), "H": D("0.27")},
    "C": {"N": D("0.85"), "L": D("0.68"), "H": D("0.5")},
}
BASE = ("AV", "AC", "PR", "UI", "S", "C", "I", "A")
PAIRS = re.compile(r"(?:CVSS:3\.[01]/)?[A-Z]{1,3}:[A-Z](?:/[A-Z]{1,3}:[A-Z])*")


def read_vector(texts):
    """Version and metrics of a vector that may be spread over several texts."""
    metrics = {}
    for part in "/".join(text.strip() for text in texts if text.strip()).split("/"):
        name, _, value = part.partition(":")
        if metrics.setdefault(name, value) != value:
            sys.exit(f"{name} is given twice: {metrics[name]} and {value}")
    version = metrics.pop("CVSS", None)
    missing = [name for name in BASE if name not in metrics]
    if version not in ("3.0", "3.1") or missing:
        sys.exit(f"not a CVSS v3 vector: {'/'.join(texts)}")
    return version, metrics


def roundup(value):
    return value.quantize(D("0.1"), rounding=ROUND_CEILING)


def combine(loss, high_loss_term, vector):
    """The rounded score of an impact and an exploitability; the term is subtracted where the scope is changed."""
    changed = vector["S"] == "C"
    impact = D("7.52") * (loss - D("0.029")) - D("3.25") * high_loss_term if changed else D("6.42") * loss
    if impact <= 0:
        return D("0.0")
    ease = D("8.22") * PRIVILEGES[vector["S"]][vector["PR"]]
    for name in ("AV", "AC", "UI"):
        ease *= WEIGHTS[name][vector[name]]
    return roundup(min((impact + ease) * (D("1.08") if changed else 1), D(10)))


def remaining(vector, requirements):
    left = D(1)
    for name in "CIA":
        left *= 1 - WEIGHTS[name][vector[name]] * WEIGHTS[name + "R"][requirements.get(name + "R", "X")]
    return left


def scores(version, metrics):
    factor = D(1)
    for name in ("E", "RL", "RC"):
        factor *= WEIGHTS[name][metrics.get(name, "X")]
    loss = 1 - remaining(metrics, {})
    base = combine(loss, (loss - D("0.02")) ** 15, metrics)

    given = {name: metrics.get("M" + name, "X") for name in BASE}
    modified = {name: metrics[name] if value == "X" else value for name, value in given.items()}
    loss = min(1 - remaining(modified, metrics), D("0.915"))
    term = (loss * D("0.9731") - D("0.02")) ** 13 if version == "3.1" else (loss - D("0.02")) ** 15
    return base, roundup(base * factor), roundup(combine(loss, term, modified) * factor)


def severity(score):
    for least, name in ((D(9), "Critical"), (D(7), "High"), (D(4), "Medium"), (D("0.1"), "Low")):
        if score >= least:
            return name
    return "None"


def metric_columns(rows):
    return [n for n in rows[0] if all(not r[n].strip() or PAIRS.fullmatch(r[n].strip()) for r in rows) and any(r[n] for r in rows)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--columns", nargs="+")
    parser.add_argument("--severity-of", choices=["base", "temporal", "environmental"], default="environmental")
    options = parser.parse_args()

    with open(options.source, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    columns = options.columns or metric_columns(rows)
    os.makedirs(os.path.dirname(os.path.abspath(options.target)), exist_ok=True)
    with open(options.target, "w", newline="", encoding="utf-8") as file:
        names = ["base_score", "temporal_score", "environmental_score"]
        writer = csv.DictWriter(file, [*rows[0], *names, "severity"], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            values = dict(zip(names, scores(*read_vector([row[c] for c in columns]))))
            writer.writerow({**row, **values, "severity": severity(values[options.severity_of + "_score"])})


if __name__ == "__main__":
    main()
