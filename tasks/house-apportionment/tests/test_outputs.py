"""Checks /workspace/out/seats.csv against the certified apportionments, and by apportioning anew.

Published near misses: US Census Bureau, news conferences of 21 December 2010 and 26 April 2021.
"""

import csv
from pathlib import Path

POPULATIONS = Path("/workspace/data/state-populations.csv")
ANSWER = Path("/workspace/out/seats.csv")
CERTIFIED = Path(__file__).with_name("certified-seats.csv")
CENSUSES = ("2010", "2020")
# Digits of the divisor after the point: enough to tell any two states apart.
SCALE = 10**15


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def answer_rows():
    assert ANSWER.is_file(), f"{ANSWER} is missing"
    return read(ANSWER)


def answered(column):
    return {(row["census"], row["state"]): int(row[column]) for row in answer_rows()}


def people_of(census):
    return {row["state"]: int(row["population"]) for row in read(POPULATIONS) if row["census"] == census}


def certified_seats(census):
    rows = [row for row in read(CERTIFIED) if row["census"] == census]
    return {(row["census"], row["state"]): int(row["seats"]) for row in rows}


def rounded_at_geometric_mean(count, divisor):
    """Seats for a quotient count / divisor: n is rounded up from where the quotient passes sqrt(n (n + 1))."""
    whole = count * SCALE // divisor
    return max(1, whole + ((count * SCALE) ** 2 > whole * (whole + 1) * divisor**2))


def seats_by_divisor(people, size):
    low, high = SCALE, max(people.values()) * SCALE
    while low < high:
        divisor = (low + high) // 2
        seats = {state: rounded_at_geometric_mean(count, divisor) for state, count in people.items()}
        total = sum(seats.values())
        if total == size:
            return seats
        low, high = (divisor + 1, high) if total > size else (low, divisor)
    return None  # Two states tie for the last seat: no divisor gives the one a seat and not the other.


def seats_with(census, more):
    """Seats of each state if it had the people of the answer and so many more; None where it ties for its last one."""
    people, short = people_of(census), answered("people_short")
    houses = {state: {**people, state: people[state] + short[census, state] + more} for state in people}
    apportioned = {state: seats_by_divisor(house, 435) for state, house in houses.items()}
    return {(census, state): seats and seats[state] for state, seats in apportioned.items()}


def test_one_row_for_each_census_and_state_in_order():
    expected = [(row["census"], row["state"]) for row in read(POPULATIONS)]
    assert [(row["census"], row["state"]) for row in answer_rows()] == expected


def test_each_house_has_435_members_and_each_state_one_at_least():
    seats = answered("seats")
    for census in CENSUSES:
        members = [number for (year, _), number in seats.items() if year == census]
        assert sum(members) == 435
        assert min(members) == 1


def test_seats_are_the_certified_ones():
    assert answered("seats") == {**certified_seats("2010"), **certified_seats("2020")}


def test_near_misses_are_those_that_the_census_bureau_named():
    short = answered("people_short")
    assert short["2020", "New York"] == 89
    assert short["2010", "North Carolina"] == 15_754


def test_that_many_people_more_would_have_given_a_seat_more():
    for census in CENSUSES:
        certified = certified_seats(census)
        assert seats_with(census, 0) == {state: seats + 1 for state, seats in certified.items()}


def test_one_person_fewer_would_not_have_been_enough():
    for census in CENSUSES:
        certified = certified_seats(census)
        enough = {state for state, seats in seats_with(census, -1).items() if seats not in (None, certified[state])}
        assert enough == set()
