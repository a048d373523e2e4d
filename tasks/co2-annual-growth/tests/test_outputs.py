"""Checks /workspace/out/annual.csv against the observatory's published annual means."""

import csv
from pathlib import Path

import pytest

ANSWER = Path("/workspace/out/annual.csv")
PUBLISHED = Path(__file__).with_name("published-annual-means.csv")
MEAN_TOLERANCE = 0.2
CHANGE_TOLERANCE = 0.25
YEARS = list(range(1959, 2002))


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def answer_rows():
    assert ANSWER.is_file(), f"{ANSWER} is missing"
    return read(ANSWER)


def answered_means():
    return {int(row["year"]): float(row["mean"]) for row in answer_rows()}


def answered_changes():
    return {int(row["year"]): float(row["change"]) for row in answer_rows() if row["change"].strip()}


def published_means():
    return {int(row["year"]): float(row["adjusted_mean_ppm"]) for row in read(PUBLISHED)}


def test_one_row_for_each_year_in_order():
    assert [int(row["year"]) for row in answer_rows()] == YEARS


def test_first_change_is_empty_and_all_others_are_there():
    assert sorted(answered_changes()) == YEARS[1:]


def test_changes_are_differences_of_the_means():
    means = answered_means()
    for year, change in answered_changes().items():
        assert change == pytest.approx(means[year] - means[year - 1], abs=0.0021), year


def test_means_of_well_observed_years_agree_with_the_published_ones():
    means, published = answered_means(), published_means()
    for year in (1959, 1965, 1970, 1975, 1980, 1990, 1995, 2000):
        assert means[year] == pytest.approx(published[year], abs=MEAN_TOLERANCE), year


def test_means_of_years_with_missing_weeks_agree_with_the_published_ones():
    means, published = answered_means(), published_means()
    for year in YEARS:
        assert means[year] == pytest.approx(published[year], abs=MEAN_TOLERANCE), year


def test_yearly_changes_agree_with_the_published_means():
    published = published_means()
    for year, change in answered_changes().items():
        assert change == pytest.approx(published[year] - published[year - 1], abs=CHANGE_TOLERANCE), year


def test_concentration_never_falls_from_one_year_to_the_next():
    # Emissions outran the sinks in every year of this record; a fall can only come from uneven sampling.
    assert min(answered_changes().values()) > 0
