"""Scheduled local times to UTC, by the rules of each airport's time zone."""

import csv
import os
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo


def instant(date, clock, zone):
    hours, minutes = divmod(int(clock), 100)
    local = datetime.fromisoformat(date) + timedelta(hours=hours, minutes=minutes)
    return local.replace(tzinfo=ZoneInfo(zone)).astimezone(timezone.utc)


def main(source, target):
    with open(source, newline="") as file:
        rows = list(csv.DictReader(file))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="") as file:
        names = [*rows[0], "sched_dep_utc", "sched_arr_utc", "elapsed_minutes"]
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            departure = instant(row["date"], row["sched_dep"], row["origin_zone"])
            arrival = instant(row["date"], row["sched_arr"], row["dest_zone"])
            if arrival <= departure:
                arrival += timedelta(days=1)
            writer.writerow({
                **row,
                "sched_dep_utc": departure.strftime("%Y-%m-%dT%H:%MZ"),
                "sched_arr_utc": arrival.strftime("%Y-%m-%dT%H:%MZ"),
                "elapsed_minutes": int((arrival - departure).total_seconds()) // 60,
            })


if __name__ == "__main__":
    main(*sys.argv[1:])
