"""The guideline on careers whose level can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenhand_lab.corpora.career import Career, CareerJob, CareerPeriod, CareerStudy, Certificate, Person, month
from evenhand_lab.corpora.kinds.crc_guideline import (
    GuidelineFacts,
    facts_of,
    full_time_months,
    hours_of,
    is_certification,
    level_of,
    true_level,
)

AS_OF = month(2026, 10)
SCIENTIST = GuidelineFacts("bachelor", True, 0, 0, 0, 0, False)


def job(
    first: tuple[int, int], last: tuple[int, int] | None, *tags: str, hours: int = 40, is_paid: bool = True
) -> CareerJob:
    period = CareerPeriod(month(*first), month(*last) if last else None)
    return CareerJob(
        "Larkfield Clinic", "Research Assistant", "Macon", period, (), (), (), hours, True, is_paid, frozenset(tags)
    )


def study(level: str, *tags: str, end: tuple[int, int] | None = (2020, 5)) -> CareerStudy:
    period = CareerPeriod(month(2016, 9), month(*end) if end else None)
    return CareerStudy("Tidewater State", "Macon", "Some degree", level, None, period, None, frozenset(tags))


def career(jobs: list[CareerJob], studies: list[CareerStudy], *certificates: str) -> Career:
    person = Person("A B", "a@example.com", "555-0100", "Macon", None, "United States")
    held = tuple(Certificate(name, None) for name in certificates)
    return Career(1, "crc", AS_OF, person, "Coordinator", tuple(jobs), tuple(studies), held)


def test_months_accumulate_and_overlaps_count_once() -> None:
    jobs = [job((2024, 1), (2024, 6)), job((2024, 4), (2024, 9)), job((2026, 9), None)]
    assert full_time_months(jobs, AS_OF) == 9 + 2


def test_half_time_is_half_and_two_halves_are_one() -> None:
    half = job((2024, 1), (2024, 10), hours=20)
    assert full_time_months([half], AS_OF) == 5
    assert full_time_months([half, half], AS_OF) == 10
    assert full_time_months([job((2024, 1), (2024, 10), hours=36)], AS_OF) == 10  # a nurse's full time


@pytest.mark.parametrize(("hours", "counts"), [(900, False), (1100, True)])
def test_academic_research_counts_above_1000_hours(hours: int, counts: bool) -> None:
    """At 10 hours a week: 21 months are 912 hours, 26 months are 1,130."""
    assistant = job((2024, 1), (2025, 9) if hours == 900 else (2026, 2), "research", "academic", hours=10)
    assert (hours_of(assistant, AS_OF) > 1000) is counts
    found = facts_of(career([assistant], [study("bachelor", "scientific")]))
    assert found.research_months == (pytest.approx(6.5) if counts else 0)


def test_six_months_let_a_scientific_bachelor_in() -> None:
    bachelor = [study("bachelor", "scientific")]
    assert true_level(career([job((2026, 5), (2026, 9), "clinical")], bachelor)) == "NQ"
    assert true_level(career([job((2026, 5), (2026, 10), "clinical")], bachelor)) == "CRC1"
    assert true_level(career([job((2026, 5), (2026, 10), "clinical")], [study("bachelor")])) == "NQ"


def test_unpaid_research_counts_nothing() -> None:
    volunteer = job((2020, 1), None, "research", is_paid=False)
    assert true_level(career([volunteer], [study("bachelor", "scientific")])) == "NQ"


@pytest.mark.parametrize(
    ("months", "level"), [(5, "NQ"), (6, "CRC1"), (23, "CRC1"), (24, "CRC2"), (41, "CRC2"), (42, "CRC3"), (300, "CRC3")]
)
def test_research_months_of_a_scientific_bachelor(months: int, level: str) -> None:
    assert level_of(replace(SCIENTIST, research_months=months)) == level


def test_the_field_decides_between_levels() -> None:
    two_years = replace(SCIENTIST, research_months=24)
    assert level_of(two_years) == "CRC2"
    assert level_of(replace(two_years, is_scientific=False)) == "CRC1"


def test_clinical_experience_counts_for_crc2_at_low_education_only() -> None:
    nurse = GuidelineFacts("associate", True, 20, 40, 0, 0, False)  # 20 + half of 40, at most half of 36
    assert level_of(nurse) == "CRC2"
    assert level_of(replace(nurse, clinical_months=30)) == "CRC1"
    assert level_of(replace(SCIENTIST, research_months=20, clinical_months=200)) == "CRC1"


def test_bench_work_counts_a_third_and_never_alone() -> None:
    assert level_of(replace(SCIENTIST, laboratory_months=300)) == "CRC1"
    assert level_of(replace(SCIENTIST, laboratory_months=36, research_months=12)) == "CRC2"
    assert level_of(replace(SCIENTIST, laboratory_months=33, research_months=12)) == "CRC1"
    assert level_of(replace(SCIENTIST, laboratory_months=300, research_months=41)) == "CRC2"


def test_doctors_from_abroad_and_phds_without_clinical_research_stay_at_crc1() -> None:
    ward = job((2012, 1), (2022, 12), "clinical", "abroad")
    doctor = career([ward], [study("bachelor", "scientific", "medical", "foreign")])
    assert facts_of(doctor).degree == "doctorate"
    assert true_level(doctor) == "CRC1"
    bench = career([job((2014, 1), None, "laboratory")], [study("doctorate", "scientific")])
    assert true_level(bench) == "CRC1"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("Certified Clinical Research Coordinator (CCRC)", True),
        ("CCRP, SOCRA", True),
        ("CITI Good Clinical Practice", False),
        ("CPR and First Aid", False),
        ("Basic Life Support (BLS)", False),
        ("Clinical Research Coordinator Certificate Program", False),
    ],
)
def test_which_certificates_are_certifications(name: str, counts: bool) -> None:
    assert is_certification(name) is counts


def test_crc4_asks_for_years_staff_and_certification() -> None:
    lead = job((2016, 1), None, "research", "supervising")
    bachelor = [study("bachelor", "scientific", end=(2015, 5))]
    assert true_level(career([lead], bachelor, "Certified Clinical Research Professional (CCRP)")) == "CRC4"
    assert true_level(career([lead], bachelor, "CITI Human Subjects Research")) == "CRC3"
    alone = replace(lead, tags=frozenset({"research"}))
    assert true_level(career([alone], bachelor, "Certified Clinical Research Professional (CCRP)")) == "CRC3"


def test_an_unfinished_degree_does_not_count() -> None:
    worker = job((2022, 1), None, "clinical")
    assert facts_of(career([worker], [study("bachelor", "scientific", end=None)])).degree == "none"
