"""Checks /workspace/out/consumption.csv. Expected figures were worked out by hand from the nine readings."""

import csv
from pathlib import Path

ANSWER = Path("/workspace/out/consumption.csv")


def answer_rows():
    assert ANSWER.is_file(), f"{ANSWER} is missing"
    with ANSWER.open(newline="") as file:
        return list(csv.DictReader(file))


def used(meter, month):
    found = [row["kwh"] for row in answer_rows() if (row["meter"], row["month"]) == (meter, month)]
    assert len(found) == 1, f"{meter} has {len(found)} rows for {month}"
    return int(found[0])


def test_one_row_for_each_meter_and_month_in_order():
    months = [(meter, month) for meter in ("A-1", "B-2", "C-3") for month in ("2024-02", "2024-03")]
    assert [(row["meter"], row["month"]) for row in answer_rows()] == months


def test_plain_months_are_differences_of_readings():
    assert used("A-1", "2024-02") == 437
    assert used("A-1", "2024-03") == 356
    assert used("C-3", "2024-02") == 87


def test_month_in_which_a_register_starts_again():
    # 360 up to the step from 99999 to 00000, that one included, and 85 after it.
    assert used("B-2", "2024-02") == 445


def test_month_after_a_register_stood_at_its_last_number():
    # One for the step to 00000, and 103 after it.
    assert used("C-3", "2024-03") == 104


def test_month_after_a_register_started_again():
    assert used("B-2", "2024-03") == 412
