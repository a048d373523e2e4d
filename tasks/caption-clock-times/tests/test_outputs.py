"""Checks /workspace/out/captions-online.csv.

Against the times that the film's makers published, to half a frame; and to the millisecond against a count of the
frames: a timecode generator is run from the first frame of each tape (SMPTE ST 12-1: drop-frame leaves out the labels 00
and 01 at the start of each minute, but not of each tenth).
"""

import csv
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

CAPTIONS = Path("/workspace/data/captions.csv")
ANSWER = Path("/workspace/out/captions-online.csv")
PUBLISHED = Path(__file__).with_name("published-times.csv")
MOST_FRAMES = 20_000


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def answer_rows():
    assert ANSWER.is_file(), f"{ANSWER} is missing"
    return read(ANSWER)


def frame_ms(rate):
    """Rates that are quoted with decimals are those of NTSC, whose counted second lasts a thousandth longer."""
    return Fraction(1000 + ("." in rate), round(float(rate)))


def milliseconds(clock):
    assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3}", clock), f"{clock} is not HH:MM:SS.mmm"
    hours, minutes, seconds = clock.split(":")
    return (int(hours) * 60 + int(minutes)) * 60_000 + int(seconds.replace(".", ""))


def next_label(label, per_second, drop):
    hours, minutes, seconds, frame = label
    if frame + 1 < per_second:
        return hours, minutes, seconds, frame + 1
    if seconds < 59:
        return hours, minutes, seconds + 1, 0
    minutes += 1
    first = 2 if drop and minutes % 10 else 0
    return (hours, minutes, 0, first) if minutes < 60 else (hours + 1, 0, 0, first)


@cache
def counted_frames(first, rate):
    """Timecode of each frame from the first on, and its number."""
    label, drop = tuple(map(int, re.split("[:;]", first))), ";" in first
    table = {}
    for number in range(MOST_FRAMES):
        table["{:02d}:{:02d}:{:02d}{}{:02d}".format(*label[:3], ";" if drop else ":", label[3])] = number
        label = next_label(label, round(float(rate)), drop)
    return table


def wrong_cues(wanted):
    """Cues, of the rows that are wanted, that are more than a millisecond from where their frame is."""
    wrong = []
    for row in filter(wanted, answer_rows()):
        frames = counted_frames(row["first_frame"], row["rate"])
        for name, given in (("start", "in"), ("end", "out")):
            expected = frames[row[given]] * frame_ms(row["rate"])
            if abs(milliseconds(row[name]) - expected) > 1:
                wrong.append((row["language"], row["cue"], name))
    return wrong


def test_rows_and_input_columns_are_unchanged():
    captions, answer = read(CAPTIONS), answer_rows()
    assert len(answer) == len(captions)
    for given, row in zip(captions, answer):
        assert {name: row[name] for name in given} == given


def test_captions_come_up_and_go_off_where_the_makers_had_them():
    published = {(row["language"], row["cue"]): row for row in read(PUBLISHED)}
    for row in answer_rows():
        times = published[row["language"], row["cue"]]
        half = frame_ms(row["rate"]) / 2 + 1
        assert milliseconds(row["start"]) == pytest.approx(int(times["start_ms"]), abs=float(half)), row
        assert milliseconds(row["end"]) == pytest.approx(int(times["end_ms"]), abs=float(half)), row


def test_tapes_with_a_whole_rate_are_exact():
    assert wrong_cues(lambda row: row["rate"] == "25") == []


def test_tapes_that_run_slower_than_their_labels_are_exact():
    assert wrong_cues(lambda row: row["rate"] != "25" and ";" not in row["in"]) == []


def test_drop_frame_tapes_are_exact():
    assert wrong_cues(lambda row: ";" in row["in"]) == []


def test_durations_lie_between_start_and_end():
    for row in answer_rows():
        span = milliseconds(row["end"]) - milliseconds(row["start"])
        assert int(row["duration_ms"]) == pytest.approx(span, abs=1), row
