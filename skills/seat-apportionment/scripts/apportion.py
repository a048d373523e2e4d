"""Seats by a highest-priority rule, and the people that each state would have needed for one seat more."""

import argparse
import csv
import os
import sys
from fractions import Fraction
from math import isqrt

# Squared divisor of the claim on the next seat, by the number of seats held.
RULES = {
    "equal-proportions": lambda held: held * (held + 1),
    "webster": lambda held: Fraction(2 * held + 1, 2) ** 2,
    "jefferson": lambda held: (held + 1) ** 2,
}


def whole(text):
    text = text.replace(",", "").strip()
    return int(text) if text.isdigit() else None


def find_columns(rows, size):
    """Names of the group, name, count and size columns; group and size may be absent."""
    columns = list(rows[0])
    first = columns[0]
    group = first if len({r[first] for r in rows}) < len(rows) else None
    rest = [c for c in columns if c != group]
    numeric = [c for c in rest if all(whole(r[c]) is not None for r in rows)]
    name = next((c for c in rest if c not in numeric), None)
    fixed = next((c for c in numeric if constant_in_groups(rows, group, c)), None) if size is None else None
    counts = [c for c in numeric if c != fixed]
    if name is None or not counts or (size is None and fixed is None):
        sys.exit("expected a column of names, a column of counts, and the number of seats (a column, or --size)")
    return group, name, counts[0], fixed


def constant_in_groups(rows, group, column):
    seen = {}
    return all(seen.setdefault(r[group] if group else "", r[column]) == r[column] for r in rows)


def claim(count, held, rule):
    divisor = RULES[rule](held)
    return None if divisor == 0 else Fraction(count * count) / divisor


def apportion(people, size, rule, minimum):
    seats = dict.fromkeys(people, minimum)
    if sum(seats.values()) > size:
        sys.exit("more guaranteed seats than there are seats")
    claims = {name: claim(count, minimum, rule) for name, count in people.items()}
    for _ in range(size - sum(seats.values())):
        winner = max(claims, key=lambda name: claims[name])
        seats[winner] += 1
        claims[winner] = claim(people[winner], seats[winner], rule)
    return seats


def missing_people(name, people, seats, rule, minimum):
    others = [claim(people[o], seats[o] - 1, rule) for o in people if o != name and seats[o] > minimum]
    if not others:
        return ""
    square = min(others) * RULES[rule](seats[name])
    return isqrt(square.numerator // square.denominator) + 1 - people[name]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--rule", choices=sorted(RULES), default="equal-proportions")
    parser.add_argument("--minimum", type=int, default=1)
    parser.add_argument("--size", type=int)
    options = parser.parse_args()
    if options.rule == "equal-proportions" and options.minimum < 1:
        sys.exit("equal proportions gives everybody one seat at least")

    with open(options.source, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    group, name, count, fixed = find_columns(rows, options.size)
    groups = {}
    for row in rows:
        groups.setdefault(row[group] if group else "", []).append(row)

    results = {}
    for key, members in groups.items():
        people = {r[name]: whole(r[count]) for r in members}
        size = options.size or whole(members[0][fixed])
        seats = apportion(people, size, options.rule, options.minimum)
        for who in people:
            results[key, who] = seats[who], missing_people(who, people, seats, options.rule, options.minimum)

    os.makedirs(os.path.dirname(os.path.abspath(options.target)), exist_ok=True)
    with open(options.target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*([group] if group else []), name, "seats", "people_short"])
        for row in rows:
            key = row[group] if group else ""
            writer.writerow([*([key] if group else []), row[name], *results[key, row[name]]])


if __name__ == "__main__":
    main()
