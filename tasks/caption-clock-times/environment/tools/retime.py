"""Caption lists with timecode to elapsed time, for the festival's tapes."""

import csv
import os
import re
import sys


def milliseconds(timecode, rate):
    hours, minutes, seconds, frames = map(int, re.split("[:;]", timecode))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + frames * 1000 / rate


def clock(value):
    seconds, rest = divmod(round(value), 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{rest:03d}"


def main(source, target):
    with open(source, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*rows[0], "start", "end", "duration_ms"], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            rate = float(row["rate"])
            zero = milliseconds(row["first_frame"], rate)
            start, end = (milliseconds(row[name], rate) - zero for name in ("in", "out"))
            row.update(start=clock(start), end=clock(end), duration_ms=round(end) - round(start))
            writer.writerow(row)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
