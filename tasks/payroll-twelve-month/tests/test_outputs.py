"""Checks /workspace/out/twelve-month-change.csv against the monthly levels."""

import csv
from pathlib import Path

import pytest

LEVELS = Path("/workspace/data/payrolls.csv")
ANSWER = Path("/workspace/out/twelve-month-change.csv")


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def answer_rows():
    assert ANSWER.is_file(), f"{ANSWER} is missing"
    return read(ANSWER)


def test_one_row_for_each_month_and_sector_in_order():
    levels = read(LEVELS)
    sectors = [name for name in levels[0] if name != "month"]
    expected = [(row["month"], name) for row in levels for name in sectors]
    assert [(row["month"], row["series"]) for row in answer_rows()] == expected


def test_first_year_is_empty_and_no_other_is():
    answer = answer_rows()
    assert {row["year_on_year_pct"] for row in answer if row["month"] < "2007"} == {""}
    assert "" not in {row["year_on_year_pct"] for row in answer if row["month"] >= "2007"}


def test_change_follows_from_the_levels():
    level = {(row["month"], name): float(text) for row in read(LEVELS) for name, text in row.items() if name != "month"}
    for row in answer_rows():
        if row["month"] >= "2007":
            before = level[f"{int(row['month'][:4]) - 1}{row['month'][4:]}", row["series"]]
            expected = 100 * (level[row["month"], row["series"]] - before) / before
            assert float(row["year_on_year_pct"]) == pytest.approx(expected, abs=0.0051), row


def test_total_lies_between_its_parts():
    # Nonfarm is private plus government, so its growth lies between theirs.
    by_month = {}
    for row in answer_rows():
        if row["month"] >= "2007":
            by_month.setdefault(row["month"], {})[row["series"]] = float(row["year_on_year_pct"])
    assert by_month
    for month, growth in by_month.items():
        low, high = sorted((growth["private"], growth["government"]))
        assert low - 0.02 <= growth["nonfarm"] <= high + 0.02, month


def test_construction_had_its_deepest_fall_in_the_great_recession():
    construction = {row["month"]: float(row["year_on_year_pct"]) for row in answer_rows()
                    if row["series"] == "construction" and row["year_on_year_pct"]}
    assert "2009-01-01" <= min(construction, key=construction.get) <= "2010-03-01"
