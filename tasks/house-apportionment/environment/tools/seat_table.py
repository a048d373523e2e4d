"""Seats in proportion to votes or people, for the newsroom's tables."""

import csv
import math
import os
import sys


def allocate(people, size):
    """Whole quotas first, at least one seat each; the seats that are left go to the largest remainders."""
    quota = {name: size * count / sum(people.values()) for name, count in people.items()}
    seats = {name: max(1, int(share)) for name, share in quota.items()}
    by_remainder = sorted(quota, key=lambda name: int(quota[name]) - quota[name])
    for name in by_remainder[: size - sum(seats.values())]:
        seats[name] += 1
    return seats


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
            size = int(chosen[0]["house_size"])
            seats = allocate(people, size)
            per_seat = sum(people.values()) / size
            for name in people:
                short = math.ceil((seats[name] + 1) * per_seat - people[name])
                writer.writerow([census, name, seats[name], max(0, short)])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
