"""Checks /workspace/out/timetable-utc.csv.

Departures are held against the UTC hours that the data's publisher computed. Arrivals are held against the law: US
daylight saving time in 2013 began on 10 March and ended on 3 November, at 02:00 local time; Arizona, Hawaii, Puerto Rico
and the Virgin Islands do not have it.
"""

import csv
from datetime import datetime, timedelta
from pathlib import Path

TIMETABLE = Path("/workspace/data/timetable.csv")
ANSWER = Path("/workspace/out/timetable-utc.csv")
HOURS = Path(__file__).with_name("departure-hours.csv")
FORM = "%Y-%m-%dT%H:%MZ"

STANDARD = {"America/New_York": -5, "America/Chicago": -6, "America/Denver": -7, "America/Los_Angeles": -8,
            "America/Anchorage": -9, "America/Phoenix": -7, "Pacific/Honolulu": -10,
            "America/Puerto_Rico": -4, "America/St_Thomas": -4}
NO_DAYLIGHT_SAVING = {"America/Phoenix", "Pacific/Honolulu", "America/Puerto_Rico", "America/St_Thomas"}


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def answer_rows():
    assert ANSWER.is_file(), f"{ANSWER} is missing"
    return read(ANSWER)


def offset_by_law(local, zone):
    # Nobody departs or arrives in the hour that is skipped or the one that comes twice.
    daylight = datetime(2013, 3, 10, 3) <= local < datetime(2013, 11, 3, 1)
    return timedelta(hours=STANDARD[zone] + (daylight and zone not in NO_DAYLIGHT_SAVING))


def local_time(date, clock):
    return datetime.fromisoformat(date) + timedelta(hours=int(clock) // 100, minutes=int(clock) % 100)


def expected_arrival(row):
    departure = local_time(row["date"], row["sched_dep"])
    departure -= offset_by_law(departure, row["origin_zone"])
    arrival = local_time(row["date"], row["sched_arr"])
    if arrival - offset_by_law(arrival, row["dest_zone"]) <= departure:
        arrival += timedelta(days=1)
    return arrival - offset_by_law(arrival, row["dest_zone"])


def mismatches(rows):
    return [row for row in rows if datetime.strptime(row["sched_arr_utc"], FORM) != expected_arrival(row)]


def test_rows_and_input_columns_are_unchanged():
    timetable, answer = read(TIMETABLE), answer_rows()
    assert len(answer) == len(timetable)
    for given, row in zip(timetable, answer):
        assert {name: row[name] for name in given} == given


def test_departures_are_in_the_hour_that_the_publisher_gives():
    hours = {(row["date"], int(row["local_hour"])): row["utc_hour"] for row in read(HOURS)}
    for row in answer_rows():
        published = hours[row["date"], int(row["sched_dep"]) // 100]
        assert row["sched_dep_utc"] == f"{published[:14]}{int(row['sched_dep']) % 100:02d}Z", row


def test_arrivals_before_the_clocks_go_forward_are_on_standard_time():
    rows = [row for row in answer_rows() if row["date"] == "2013-03-09"]
    assert rows
    assert mismatches(rows) == []


def test_arrivals_on_all_days_follow_the_rules_of_the_day():
    assert mismatches(answer_rows()) == []


def test_places_without_daylight_saving_keep_their_offset():
    rows = [row for row in answer_rows() if row["dest_zone"] in NO_DAYLIGHT_SAVING]
    assert len({row["dest_zone"] for row in rows}) == 4
    for row in rows:
        arrival = datetime.strptime(row["sched_arr_utc"], FORM) + timedelta(hours=STANDARD[row["dest_zone"]])
        assert f"{arrival:%H%M}".lstrip("0") == row["sched_arr"], row


def test_elapsed_minutes_lie_between_the_two_instants():
    for row in answer_rows():
        span = datetime.strptime(row["sched_arr_utc"], FORM) - datetime.strptime(row["sched_dep_utc"], FORM)
        assert int(row["elapsed_minutes"]) == span.total_seconds() / 60, row


def test_scheduled_flights_to_one_place_take_about_the_same_time():
    # Schedules of one route differ by up to an hour with the time of day; more than that is a zone handled wrongly.
    times = {}
    for row in answer_rows():
        times.setdefault((row["origin"], row["dest"]), []).append(int(row["elapsed_minutes"]))
    for route, minutes in times.items():
        assert 20 <= min(minutes) and max(minutes) <= 12 * 60, route
        assert max(minutes) - min(minutes) <= 60, route
