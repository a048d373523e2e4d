"""Prototype of the slot planning feed: scheduled times in UTC."""

import csv
import os
import sys
from datetime import datetime, timedelta

# Hours from UTC.
OFFSETS = {
    "America/New_York": -5,
    "America/Chicago": -6,
    "America/Denver": -7,
    "America/Phoenix": -7,
    "America/Los_Angeles": -8,
    "America/Anchorage": -9,
    "Pacific/Honolulu": -10,
    "America/Puerto_Rico": -4,
    "America/St_Thomas": -4,
}


def to_utc(date, clock, zone):
    hours, minutes = divmod(int(clock), 100)
    return datetime.strptime(date, "%Y-%m-%d") + timedelta(hours=hours - OFFSETS[zone], minutes=minutes)


def main(source, target):
    with open(source, newline="") as file:
        rows = list(csv.DictReader(file))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="") as file:
        names = [*rows[0], "sched_dep_utc", "sched_arr_utc", "elapsed_minutes"]
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            departure = to_utc(row["date"], row["sched_dep"], row["origin_zone"])
            arrival = to_utc(row["date"], row["sched_arr"], row["dest_zone"])
            if arrival < departure:
                arrival += timedelta(days=1)
            row["sched_dep_utc"] = departure.strftime("%Y-%m-%dT%H:%MZ")
            row["sched_arr_utc"] = arrival.strftime("%Y-%m-%dT%H:%MZ")
            row["elapsed_minutes"] = int((arrival - departure).total_seconds() // 60)
            writer.writerow(row)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
