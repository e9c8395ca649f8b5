"""Months of clinical research: accumulated over dates, once where jobs overlap, and only where they count."""

from __future__ import annotations

import pytest

from evenhand.mining.clinical_research import StatedHours, research_facts, sort_of, stated_hours
from tests.mining.resumes import Job, resume

COORDINATOR = "Clinical Research Coordinator"
TRIALS = "Obtained informed consent and screened patients for eligibility."
BENCH = "Ran ELISA and PCR assays and kept the mouse colony."


def months(*jobs: Job) -> int:
    return research_facts(*resume(jobs)).research_months


def test_dates_accumulate_and_overlaps_count_once() -> None:
    first = (COORDINATOR, "Elm Clinic", "2020-01", "2020-06", TRIALS)
    later = ("Study Coordinator", "Oak Hospital", "2021-03", "2021-08", TRIALS)
    beside = ("Research Nurse", "Fir Hospital", "2020-04", "2020-09", TRIALS)
    assert months(first) == 6
    assert months(first, later) == 12
    assert months(first, beside) == 9  # January to September
    assert months((COORDINATOR, "Elm Clinic", "2026-05", "present", TRIALS)) == 6


@pytest.mark.parametrize(("last", "reached"), [("2024-05", False), ("2024-06", True)])
def test_the_lowest_level_asks_for_six_months(last: str, reached: bool) -> None:
    facts = research_facts(*resume([(COORDINATOR, "Elm Clinic", "2024-01", last, TRIALS)]))
    assert facts.has_entry_months is reached


def test_undated_jobs_add_nothing() -> None:
    assert months((COORDINATOR, "Elm Clinic", None, None, TRIALS)) == 0


@pytest.mark.parametrize(("hours", "counted"), [("900", 0), ("1,000", 0), ("1,100", 12)])
def test_a_students_research_counts_above_a_thousand_hours(hours: str, counted: int) -> None:
    job = (
        "Undergraduate Research Assistant",
        "Elm University",
        "2023-09",
        "2024-08",
        f"Completed {hours} hours in total. Recruited participants.",
    )
    facts = research_facts(*resume([job]))
    assert facts.research_months == counted
    assert facts.uncounted_jobs == (0 if counted else 1)


def test_hours_of_a_week_are_multiplied_by_the_weeks() -> None:
    """18 months at 12 hours a week are 938 hours, 20 months are 1,043."""
    body = "Interviewed participants, 12 hours per week during the semester."
    assert months(("Research Assistant", "Elm University", "2022-01", "2023-06", body)) == 0
    assert months(("Research Assistant", "Elm University", "2022-01", "2023-08", body)) == 20


def test_unpaid_research_does_not_count_but_training_volunteers_is_paid_work() -> None:
    dates = ("2023-01", "2023-12")
    assert months(("Volunteer Research Assistant", "Elm Hospital", *dates, TRIALS)) == 0
    assert months(("Research Assistant", "Elm Hospital", *dates, "• Volunteered on weekends.\n" + TRIALS)) == 0
    assert months((COORDINATOR, "Elm Hospital", *dates, "Trained students and\nvolunteers on consent.")) == 12


def test_half_a_week_is_half_a_month_of_full_time() -> None:
    part = (COORDINATOR, "Elm Clinic", "2023-01", "2023-12", "Part-time, 20 hours/week. " + TRIALS)
    beside = ("Research Nurse", "Fir Clinic", "2023-07", "2023-12", "20 hrs/wk. " + TRIALS)
    assert research_facts(*resume([part])).research_full_time_months == 6
    assert research_facts(*resume([part])).research_months == 12
    assert research_facts(*resume([part, beside])).research_full_time_months == 9


def test_bench_ward_and_desk_are_told_apart() -> None:
    assert sort_of("Research Assistant", "Elm University", BENCH) == "laboratory"
    assert sort_of("Research Assistant", "Elm University", TRIALS) == "research"
    assert sort_of("Laboratory Technician", "Elm Hospital", TRIALS) == "laboratory"
    assert sort_of("Registered Nurse", "Elm Hospital", "Gave medication.") == "clinical"
    assert sort_of("Administrative Assistant", "Elm Medical Center", "Kept calendars.") == "clinical"
    assert sort_of("Barista", "Elm Coffee", "Made coffee.") == "other"


def test_laboratory_time_alone_is_told() -> None:
    bench = ("Research Technician", "Elm Laboratories", "2020-01", "2021-12", BENCH)
    facts = research_facts(*resume([bench]))
    assert (facts.laboratory_months, facts.research_months, facts.is_laboratory_only) == (24, 0, True)
    trial = (COORDINATOR, "Elm Clinic", "2022-01", "2022-01", TRIALS)
    assert not research_facts(*resume([bench, trial])).is_laboratory_only


def test_only_research_with_staff_is_supervising() -> None:
    leading = "Supervised a team of 6 coordinators and approved time sheets."
    jobs = [
        ("Clinical Research Manager", "Elm Clinic", "2022-01", "2022-10", leading),
        ("Store Manager", "Elm Market", "2020-01", "2021-12", "Supervised 6 staff."),
    ]
    assert research_facts(*resume(jobs)).supervising_months == 10


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("Research Assistant (24 hrs/wk)", StatedHours(24.0, None)),
        ("worked 15 hours per week", StatedHours(15.0, None)),
        ("about 1,760 hours in total", StatedHours(None, 1760.0)),
        ("Reported events to sponsors within 24 hours", StatedHours(None, None)),
        ("Suggestions that saved 9 hours a week", StatedHours(None, None)),
        ("a part-time job", StatedHours(20.0, None)),
    ],
)
def test_hours_as_people_state_them(entry: str, expected: StatedHours) -> None:
    assert stated_hours(entry) == expected
