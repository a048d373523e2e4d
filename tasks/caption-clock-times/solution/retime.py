"""Captions with SMPTE timecode to elapsed time from the film's first frame."""

import csv
import os
import re
import sys
from fractions import Fraction

# Frames per second as tapes are labelled, and what they run at.
EXACT = {"29.97": Fraction(30000, 1001), "23.976": Fraction(24000, 1001), "25": Fraction(25)}


def frame_number(timecode, rate):
    """Frames since 00:00:00:00. A semicolon marks drop-frame: labels 00 and 01 are left out in nine minutes of ten."""
    hours, minutes, seconds, frames = map(int, re.split("[:;]", timecode))
    minutes += hours * 60
    number = (minutes * 60 + seconds) * round(rate) + frames
    return number - 2 * (minutes - minutes // 10) if ";" in timecode else number


def clock(milliseconds):
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{rest:03d}"


def main(source, target):
    with open(source, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*rows[0], "start", "end", "duration_ms"], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            rate = EXACT[row["rate"]]
            zero = frame_number(row["first_frame"], rate)
            start, end = (round(1000 * (frame_number(row[name], rate) - zero) / rate) for name in ("in", "out"))
            writer.writerow({**row, "start": clock(start), "end": clock(end), "duration_ms": end - start})


if __name__ == "__main__":
    main(*sys.argv[1:])
