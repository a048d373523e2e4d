"""Local start and end times with their IANA zones to UTC instants and elapsed minutes."""

import argparse
import csv
import os
import re
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

CLOCK = re.compile(r"^(?:(\d{1,2}):(\d{2})|(\d{1,4}))$")


def parse_clock(text):
    """(hours, minutes), or None if the text is no clock time."""
    match = CLOCK.match(text.strip())
    if not match:
        return None
    hours, minutes = divmod(int(match[3]), 100) if match[3] else (int(match[1]), int(match[2]))
    return (hours, minutes) if minutes < 60 and (hours < 24 or (hours, minutes) == (24, 0)) else None


def is_date(text):
    try:
        date.fromisoformat(text)
        return True
    except ValueError:
        return False


def columns(rows, test):
    return [name for name in rows[0] if all(test(row[name]) for row in rows)]


def need(found, counts, what):
    if len(found) not in counts:
        sys.exit(f"{len(found)} columns look like {what} ({', '.join(found)}): name them with an option")
    return found


def instant(local, zone, note):
    """The UTC instant of a local time; times that do not exist or come twice are noted."""
    aware = local.replace(tzinfo=ZoneInfo(zone))
    utc = aware.astimezone(timezone.utc)
    if utc.astimezone(ZoneInfo(zone)).replace(tzinfo=None) != local:
        note(f"{local:%Y-%m-%d %H:%M} does not exist in {zone}")
    elif aware.replace(fold=1).utcoffset() != aware.utcoffset():
        note(f"{local:%Y-%m-%d %H:%M} comes twice in {zone}, the first one is taken")
    return utc


def convert(row, names, note):
    day = datetime.fromisoformat(row[names["date"]])

    def at(column, zone, days=0):
        hours, minutes = parse_clock(row[names[column]])
        return instant(day + timedelta(days=days, hours=hours, minutes=minutes), row[names[zone]], note)

    start = at("start", "start_zone")
    end = at("end", "end_zone")
    if end <= start:
        end = at("end", "end_zone", days=1)
    return start, end


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--date")
    parser.add_argument("--start")
    parser.add_argument("--end")
    parser.add_argument("--zones", nargs=2)
    options = parser.parse_args()

    with open(options.source, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    zones = available_timezones()
    dates = columns(rows, is_date)
    day = options.date or next(iter(dates), None) or sys.exit("no column of ISO dates found: name it with --date")
    start_zone, *end_zone = options.zones or need(columns(rows, zones.__contains__), (1, 2), "zone names")
    if options.start and options.end:
        start, end = options.start, options.end
    else:
        # A column of small counts reads as clock times too; real ones reach four characters somewhere.
        clocks = [name for name in columns(rows, parse_clock) if max(len(row[name]) for row in rows) >= 4]
        start, end = need(clocks, (2,), "clock times")
    names = {"date": day, "start": start, "end": end, "start_zone": start_zone, "end_zone": (end_zone or [start_zone])[0]}

    os.makedirs(os.path.dirname(os.path.abspath(options.target)), exist_ok=True)
    with open(options.target, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*rows[0], f"{start}_utc", f"{end}_utc", "elapsed_minutes"])
        for number, row in enumerate(rows, start=2):
            begin, finish = convert(row, names, lambda text: print(f"line {number}: {text}", file=sys.stderr))
            minutes = int((finish - begin).total_seconds()) // 60
            writer.writerow([*row.values(), f"{begin:%Y-%m-%dT%H:%MZ}", f"{finish:%Y-%m-%dT%H:%MZ}", minutes])


if __name__ == "__main__":
    main()
