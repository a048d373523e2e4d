"""Method of equal proportions, and the people that a state would need for one seat more."""

import csv
import os
import sys
from fractions import Fraction
from math import isqrt


def priority(count, held):
    """Square of the claim of a state that holds so many seats on its next one."""
    return Fraction(count * count, held * (held + 1))


def apportion(people, size):
    seats = dict.fromkeys(people, 1)
    claims = {name: priority(count, 1) for name, count in people.items()}
    for _ in range(size - len(people)):
        winner = max(claims, key=claims.get)
        seats[winner] += 1
        claims[winner] = priority(people[winner], seats[winner])
    return seats


def people_short(state, people, seats):
    """The next seat has to beat the weakest seat that another state holds (its first is not open to anybody)."""
    weakest = min(priority(people[s], seats[s] - 1) for s in people if s != state and seats[s] > 1)
    needed = weakest * seats[state] * (seats[state] + 1)
    return isqrt(needed.numerator // needed.denominator) + 1 - people[state]


def main(source, target):
    with open(source, newline="") as file:
        rows = list(csv.DictReader(file))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["census", "state", "seats", "people_short"])
        for census in dict.fromkeys(row["census"] for row in rows):
            chosen = [row for row in rows if row["census"] == census]
            people = {row["state"]: int(row["population"]) for row in chosen}
            seats = apportion(people, int(chosen[0]["house_size"]))
            for state in people:
                writer.writerow([census, state, seats[state], people_short(state, people, seats)])


if __name__ == "__main__":
    main(*sys.argv[1:])
