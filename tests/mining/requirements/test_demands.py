"""Skills that sentences of job ads ask for, with months and alternatives; expected values are worked out by hand."""

from __future__ import annotations

import pytest

from evenhand.records.job import Place
from tests.mining.requirements.ads import asked, understood


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("At least seven years of J2EE.", [("j2ee", True, 84, None)]),
        ("4-6 yrs Java or .NET", [("java|.net", True, 48, 72)]),
        ("Requirements\n- Six months of Docker", [("docker", True, 6, None)]),
        ("Requirements:\n• 3+ years of C#/Java", [("c#|java", True, 36, None)]),
        ("Three to five years with Terraform required", [("terraform", True, 36, 60)]),
        ("Kubernetes: at least two (2) years", [("kubernetes", True, 24, None)]),
        ("Must have 2 years of SQL and Tableau", [("sql", True, 24, None), ("tableau", True, 24, None)]),
        ("2 years of Ansible preferred", [("ansible", False, 24, None)]),
        ("Strong Python is a must; Perl would be a plus", [("python", True, None, None), ("perl", False, None, None)]),
        ("Scala required, Haskell a plus", [("scala", True, None, None), ("haskell", False, None, None)]),
        ("Java (required), C++", [("java", True, None, None), ("c++", False, None, None)]),
        (
            "An ETL tool (Informatica preferred) is a must",
            [("etl", True, None, None), ("informatica", False, None, None)],
        ),
        ("Ideally you know Kafka", [("kafka", False, None, None)]),
        ("Knowledge of SAP is not required but helpful", [("sap", False, None, None)]),
        ("Experience with AWS, Azure or Google Cloud required", [("aws|azure|google cloud", True, None, None)]),
        (
            "Mandatory skills: COBOL (5 years), JCL (3-4 yrs), DB2",
            [("cobol", True, 60, None), ("jcl", True, 36, 48), ("db2", True, None, None)],
        ),
        ("Preferred skills:\n- Minimum of 2 years of SharePoint", [("sharepoint", False, 24, None)]),
        ("Nice to have: Redis", [("redis", False, None, None)]),
        ("Duties:\n- Prepare payroll every fortnight", [("payroll", True, None, None)]),  # the ad asks by its duties
        (
            "Qualifications\n* General ledger\n* Accounts payable",
            [("general ledger", True, None, None), ("accounts payable", True, None, None)],
        ),
        # One everyday word for a skill is a wish at most; its own name, or the name of a technique, is meant.
        ("A background investigation is required.", [("criminal investigation", False, None, None)]),
        ("Postgres is required.", [("postgresql", True, None, None)]),
        ("We have sold Java since 1999. Our company was founded by Oracle veterans.", []),
    ],
)
def test_skills_of_a_sentence(sentence: str, expected: list[tuple[str, bool, int | None, int | None]]) -> None:
    assert asked(sentence) == expected


def test_a_skill_of_the_title_is_a_must() -> None:
    assert asked("Position: Payroll Clerk")[0] == ("payroll", True, None, None)


def test_the_strongest_of_two_demands_is_kept_with_both_places() -> None:
    text = "Requirements\n- Git\n- 3 years of Git\nNice to have\n- Git"
    (demand,) = understood(text).demands
    assert (demand.skills, demand.must, demand.months) == (("git",), True, 36)
    assert [text[place.start : place.end] for place in demand.places] == ["Git"] * 3
    assert demand.places[0] == Place(15, 18)


def test_the_rest_of_a_choice_that_is_met_elsewhere_is_only_welcome() -> None:
    text = "Requirements\n- 5 years of Java\n- Java or Kotlin"
    assert asked(text) == [("java", True, 60, None), ("kotlin", False, None, None)]


def test_traits_are_musts_only_where_the_ad_insists() -> None:
    assert asked("Requirements\n- Excellent analytical skills") == [("analytical skills", False, None, None)]
    assert asked("Requirements\n- Excellent communication skills") == [("communication", True, None, None)]
    assert asked("Duties\n- Excellent communication skills") == [("communication", False, None, None)]
    assert asked("Required skills\n- Excellent analytical skills") == [("analytical skills", True, None, None)]
    assert asked("Requirements\n- Leadership is a must") == [("leadership", True, None, None)]


def test_a_field_of_study_is_no_skill() -> None:
    assert asked("Bachelor's degree in Marketing required") == []


def test_what_a_firm_is_called_is_no_skill() -> None:
    assert asked("You will work with Data Mining Partners, Inc. every day.") == []


def test_glued_lines_are_told_apart() -> None:
    text = "Knowledge of accounts receivableRequiredStrong Excel skillsJavaScript a plus"
    assert asked(text) == [
        ("accounts receivable", True, None, None),
        ("excel", True, None, None),
        ("javascript", False, None, None),
    ]
