"""Checks /workspace/out/anova.csv against certified values.

Certified: NIST Statistical Reference Datasets, SiRstv, one-way analysis of variance.
"""

import csv
from pathlib import Path

import pytest

ANSWER = Path("/workspace/out/anova.csv")
CERTIFIED = {
    "between": {"df": 4, "sum_of_squares": 5.11462616e-02, "mean_square": 1.27865654e-02},
    "within": {"df": 20, "sum_of_squares": 2.16636560e-01, "mean_square": 1.08318280e-02},
}
CERTIFIED_F = 1.18046237440255
RELATIVE = 1e-8


def answer_rows():
    assert ANSWER.is_file(), f"{ANSWER} is missing"
    with ANSWER.open(newline="") as file:
        return list(csv.DictReader(file))


def answered():
    return {row["source"]: row for row in answer_rows()}


def test_rows_are_between_and_within():
    assert [row["source"] for row in answer_rows()] == ["between", "within"]


def test_degrees_of_freedom_count_every_reading():
    assert {name: int(row["df"]) for name, row in answered().items()} == {"between": 4, "within": 20}


def test_sums_of_squares_are_the_certified_ones():
    by_source = answered()
    for name, certified in CERTIFIED.items():
        assert float(by_source[name]["sum_of_squares"]) == pytest.approx(certified["sum_of_squares"], rel=RELATIVE)


def test_mean_squares_are_the_certified_ones():
    by_source = answered()
    for name, certified in CERTIFIED.items():
        assert float(by_source[name]["mean_square"]) == pytest.approx(certified["mean_square"], rel=RELATIVE)


def test_f_statistic_is_the_certified_one():
    by_source = answered()
    assert float(by_source["between"]["f_statistic"]) == pytest.approx(CERTIFIED_F, rel=RELATIVE)
    assert by_source["within"]["f_statistic"] == ""
