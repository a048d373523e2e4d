"""Checks /workspace/out/growth.csv against the levels and against published figures.

Published: Bureau of Economic Analysis, "Gross Domestic Product: Third Quarter 2009 (Second Estimate)", 24 November 2009,
percent change from preceding quarter at an annual rate; the vintage of the task's data.
"""

import csv
import math
from pathlib import Path

import pytest

LEVELS = Path("/workspace/data/national-accounts.csv")
ANSWER = Path("/workspace/out/growth.csv")
SERIES = ["realgdp", "realcons", "realinv", "realgovt", "realdpi"]
PUBLISHED = {
    ("realgdp", 2008, 3): -2.7,
    ("realgdp", 2008, 4): -5.4,
    ("realgdp", 2009, 1): -6.4,
    ("realgdp", 2009, 2): -0.7,
    ("realgdp", 2009, 3): 2.8,
    ("realcons", 2008, 4): -3.1,
    ("realinv", 2008, 4): -24.2,
    ("realinv", 2009, 1): -50.5,
    ("realinv", 2009, 2): -23.7,
    ("realinv", 2009, 3): 8.4,
}


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def answer_rows():
    assert ANSWER.is_file(), f"{ANSWER} is missing"
    return read(ANSWER)


def given_levels():
    return {(s, int(r["year"]), int(r["quarter"])): float(r[s]) for r in read(LEVELS) for s in SERIES}


def answered():
    return {(r["series"], int(r["year"]), int(r["quarter"])): r for r in answer_rows()}


def preceding(year, quarter):
    return (year, quarter - 1) if quarter > 1 else (year - 1, 4)


def test_one_row_for_each_quarter_and_series_in_order():
    expected = [(int(r["year"]), int(r["quarter"]), s) for r in read(LEVELS) for s in SERIES]
    assert [(int(r["year"]), int(r["quarter"]), r["series"]) for r in answer_rows()] == expected


def test_growth_is_empty_where_there_is_no_earlier_quarter():
    answer = answered()
    for name in SERIES:
        assert answer[name, 1959, 1]["annual_rate_pct"] == ""
        assert answer[name, 1959, 2]["annual_rate_pct"] != ""
        assert [answer[name, 1959, q]["year_on_year_pct"] for q in (1, 2, 3, 4)] == ["", "", "", ""]
        assert answer[name, 1960, 1]["year_on_year_pct"] != ""


def test_change_from_a_year_ago_follows_from_the_levels():
    answer, levels = answered(), given_levels()
    for (name, year, quarter), row in answer.items():
        if row["year_on_year_pct"] != "":
            expected = 100 * (levels[name, year, quarter] / levels[name, year - 1, quarter] - 1)
            assert float(row["year_on_year_pct"]) == pytest.approx(expected, abs=0.0051), (name, year, quarter)


def test_annual_rates_match_the_published_release():
    answer = answered()
    for (name, year, quarter), figure in PUBLISHED.items():
        # A published figure stands for +-0.05, an answer of two decimals for +-0.005.
        assert float(answer[name, year, quarter]["annual_rate_pct"]) == pytest.approx(figure, abs=0.0551)


def test_a_year_of_annual_rates_gives_the_growth_over_that_year():
    answer, levels = answered(), given_levels()
    # Growing for a quarter of a year at each of the four rates leads from one year's level to the next.
    for name in SERIES:
        for year in range(1960, 2009):
            factor = math.prod(
                (1 + float(answer[name, year, q]["annual_rate_pct"]) / 100) ** 0.25 for q in (1, 2, 3, 4)
            )
            ratio = levels[name, year, 4] / levels[name, year - 1, 4]
            assert factor == pytest.approx(ratio, rel=2e-4), (name, year)


def test_every_annual_rate_is_compounded():
    answer, levels = answered(), given_levels()
    for (name, year, quarter), row in answer.items():
        if row["annual_rate_pct"] != "":
            step = math.log(levels[name, year, quarter] / levels[(name, *preceding(year, quarter))])
            expected = 100 * math.expm1(4 * step)
            assert float(row["annual_rate_pct"]) == pytest.approx(expected, abs=0.0051), (name, year, quarter)
