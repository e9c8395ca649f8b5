"""Degrees, certifications and doctors from abroad, as the guideline looks at them."""

from __future__ import annotations

import pytest

from evenhand.mining.clinical_research import FEATURES, research_facts, research_features
from evenhand.records.profile import DEGREE_LEVELS
from tests.mining.resumes import Study, resume

BIOLOGY: Study = (
    "Bachelor of Science",
    "bachelor",
    "Biology",
    "Elm University",
    "Bachelor of Science in Biology, Elm University, 2019",
)
BUSINESS: Study = (
    "Master of Business Administration",
    "master",
    None,
    "Elm College of Medicine",
    "Master of Business Administration, Elm College of Medicine, 2021",
)
MBBS: Study = ("MBBS", "bachelor", None, "Arogya Medical College", "MBBS, Arogya Medical College, Pune, 2015")


def doctor(line: str) -> Study:
    return ("Doctor of Medicine", "doctorate", None, "Elm School", f"Doctor of Medicine, Elm School{line}")


@pytest.mark.parametrize(
    ("studies", "level", "scientific"),
    [
        ([BIOLOGY], "bachelor", True),
        ([BIOLOGY, BUSINESS], "master", False),  # the school's name is no field
        ([MBBS], "doctorate", True),
        ([], "other", False),
        ([("B.A.", "bachelor", "English", "Elm College", "B.A. in English, Elm College")], "bachelor", False),
        ([("B.S.", "bachelor", "Biology", "Elm College", "B.S. Biology, Elm College, 2023 - present")], "other", False),
        ([("Dip.", None, "Nursing", "Elm College", "Dip. (Nursing), Elm College")], "diploma", True),
    ],
)
def test_the_highest_completed_degree(studies: list[Study], level: str, scientific: bool) -> None:
    facts = research_facts(*resume(studies=studies))
    assert (DEGREE_LEVELS[facts.degree_level], facts.is_scientific) == (level, scientific)


@pytest.mark.parametrize(
    "text",
    [
        "Certified Clinical Research Coordinator (CCRC), ACRP",
        "CCRP, 2021",
        "ACRP-CP",
        "Certified Clinical Research Professional",
        "SOCRA certification",
    ],
)
def test_certifications_in_clinical_research(text: str) -> None:
    assert research_facts(*resume(other=text)).is_certified


@pytest.mark.parametrize(
    "text",
    [
        "CITI Human Subjects Research, CITI Program",
        "CPR and First Aid",
        "Basic Life Support (BLS)",
        "Clinical Research Coordinator Certificate Program",
        "Good Clinical Practice (GCP) Training",
        "Member, Society of Clinical Research Associates (SOCRA)",
    ],
)
def test_courses_and_memberships_are_no_certification(text: str) -> None:
    assert not research_facts(*resume(other=text)).is_certified


@pytest.mark.parametrize(
    ("study", "other", "country", "expected"),
    [
        (MBBS, "", None, True),
        (MBBS, "", "India", False),
        (doctor(", São Paulo, 2014"), "", "United States", True),
        (doctor(", Chicago, 2014"), "", "United States", False),
        (doctor(", 2014"), "", None, False),
        (doctor(", 2014"), "ECFMG Certification", None, True),
        (BIOLOGY, "ECFMG Certification", None, False),
    ],
)
def test_doctors_from_abroad(study: Study, other: str, country: str | None, expected: bool) -> None:
    facts = research_facts(*resume(studies=[study], other=other, country=country))
    assert facts.is_foreign_doctor is expected


def test_key_terms_are_counted_once_each() -> None:
    text = "IRB submissions, informed consent, IRB renewals, SOPs, questionnaires, specimen management"
    assert research_facts(*resume(other=text)).key_terms == 5


def test_features_are_numbers_under_fixed_names() -> None:
    features = research_features(*resume(studies=[BIOLOGY], other="CCRC"))
    assert tuple(features) == FEATURES
    assert all(isinstance(value, float) for value in features.values())
    assert (features["certified"], features["scientific_degree"], features["degree_level"]) == (1.0, 1.0, 4.0)
    assert features["research_six_months"] == 0.0
