"""SMPTE timecode to elapsed time from a first frame."""

import argparse
import csv
import os
import re
import sys
from fractions import Fraction

TIMECODE = re.compile(r"(\d\d?):(\d\d):(\d\d)([:;.])(\d\d)")
NTSC = {"23.98": 24, "23.976": 24, "29.97": 30, "59.94": 60, "47.95": 48}


def exact_rate(text):
    """Frames per second that a label stands for, or None."""
    text = text.strip().lower().removesuffix("fps").strip()
    for name, whole in NTSC.items():
        if text.startswith(name):
            return Fraction(whole * 1000, 1001)
    try:
        value = Fraction(text)
    except ValueError:
        return None
    return value if value.denominator == 1 and 10 <= value <= 120 else None


def frame_number(text, rate):
    match = TIMECODE.fullmatch(text.strip())
    if match is None:
        sys.exit(f"not a timecode: {text!r}")
    hours, minutes, seconds, frames = (int(match[i]) for i in (1, 2, 3, 5))
    per_second, minutes = round(rate), minutes + 60 * hours
    number = (minutes * 60 + seconds) * per_second + frames
    if match[4] == ":":
        return number
    if rate.denominator == 1 or per_second % 30:
        sys.exit(f"drop-frame timecode {text} at {float(rate):.3f} frames per second")
    return number - per_second // 15 * (minutes - minutes // 10)


def frames_between(first, last, rate):
    count = frame_number(last, rate) - frame_number(first, rate)
    if count >= 0:
        return count
    day = "24:00:00" + TIMECODE.fullmatch(first.strip())[4] + "00"
    return count + frame_number(day, rate)


def find_columns(rows, options):
    names = list(rows[0])
    codes = [n for n in names if all(TIMECODE.fullmatch(r[n].strip()) for r in rows)]
    zero = options.zero or min(codes, key=lambda n: len({r[n] for r in rows}), default=None)
    ends = [n for n in codes if n != zero]
    if zero is None or len(ends) < 2:
        sys.exit("expected three columns of timecode: name them with --zero, --start and --end")
    rate = None if options.rate else next((n for n in names if all(exact_rate(r[n]) for r in rows)), None)
    if rate is None and not options.rate:
        sys.exit("no column of frame rates: give --rate")
    return zero, options.start or ends[0], options.end or ends[1], rate


def clock(milliseconds):
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{rest:03d}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--zero")
    parser.add_argument("--start")
    parser.add_argument("--end")
    parser.add_argument("--rate")
    options = parser.parse_args()

    with open(options.source, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    zero, start, end, rate_column = find_columns(rows, options)
    os.makedirs(os.path.dirname(os.path.abspath(options.target)), exist_ok=True)
    with open(options.target, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*rows[0], "start", "end", "duration_ms"], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            rate = exact_rate(options.rate or row[rate_column])
            if rate is None:
                sys.exit(f"unknown frame rate: {options.rate}")
            up, off = (round(1000 * frames_between(row[zero], row[n], rate) / rate) for n in (start, end))
            writer.writerow({**row, "start": clock(up), "end": clock(off), "duration_ms": off - up})


if __name__ == "__main__":
    main()
