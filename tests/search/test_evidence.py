"""What a job asks for is looked up in the visible text before it is called missing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.mining.lexicon.skills import skills
from evenhand.records import Demand, Evidence, Fact, Job, Period, Position, Profile, Source
from evenhand.search.evidence import complete_for_job, complete_skills
from evenhand.search.feature_extraction import extract_features, with_skills_of
from evenhand.search.matching import licence_flags, match_job

SOURCE = Source("a.txt", "0" * 64, "txt", 1, "parsed", (), None)


def profile(**facts: object) -> Profile:
    return Profile(SOURCE, "2024-01", **facts)  # type: ignore[arg-type]


def found(text: str, skill_name: str, **facts: object) -> list[str]:
    """How the text writes the skill."""
    completed = complete_skills(profile(**facts), text, [skill_name])
    return [text[place.start : place.end] for skill in completed.skills for place in skill.evidence]


@pytest.mark.parametrize(
    ("text", "name", "places"),
    [
        ("- Shortened month end close from 12 to 6 days", "month end close", ["month end close"]),
        ("Posted and reconciled 160 accounts payable invoices", "accounts payable", ["accounts payable"]),
        ("Ran the Month-End Close.", "month end close", ["Month-End Close"]),
        ("ran the month end\nclose", "month end close", ["month end\nclose"]),
        ("the month\n\nend close", "month end close", []),
        ("Account payable clerk", "accounts payable", ["Account payable"]),
        ("took part in advanced cardiac life support", "acls", ["advanced cardiac life support"]),
        ("two quarterly tariff reviews", "quarterly tariff review", ["quarterly tariff reviews"]),  # in no lexicon
        ("accounts payable.managed a team", "accounts payable", ["accounts payable"]),
        ("SQL Server 2008", "sql", ["SQL"]),
        ("Wrote Java Script", "java", []),
        ("JavaScript", "java", []),
        ("Python3 and HTML5", "html", ["HTML5"]),
        ("custom software", "customs", []),
        ("excellent writer", "excel", []),
        ("I excel in teamwork", "excel", []),
        ("proficient in Excel", "excel", ["Excel"]),
        ("the go to market plan", "go", []),
        ("Programming languages: Java, Go, Python", "go", ["Go"]),
        ("spring 2012", "spring", []),
        ("access to the database", "microsoft access", []),
        ("C++ and C#", "c", []),
    ],
)
def test_where_words_stand(text: str, name: str, places: list[str]) -> None:
    assert found(text, name) == places


def test_names_and_addresses_show_no_skill() -> None:
    text = "Ruby Welder\nruby@welding.example.com\n"
    name = Fact("Ruby Welder", "Ruby Welder", Evidence(0, 11, 1, "rule", 1.0))
    mail = Fact("ruby@welding.example.com", "ruby@welding.example.com", Evidence(12, 36, 1, "rule", 1.0))
    assert found(text, "welder", name=name, emails=(mail,)) == []
    assert found(text + "Welder", "welder", name=name, emails=(mail,)) == ["Welder"]


def test_months_are_those_of_the_jobs_that_name_it() -> None:
    text = "Clerk 2015\nmonth end close\nTeller\nmonth end close\nHobbies\nchess"
    first = Position(None, None, None, Period("2015-01", "2016-12", 24, None), (), Evidence(0, 26, 2, "rule", 1.0))
    second = Position(None, None, None, Period(None, None, None, None), (), Evidence(27, 49, 3, "rule", 1.0))
    job = Job("", demands=(Demand(("month end close",), True, 36), Demand(("chess",), True), Demand(("go",), True)))
    completed = complete_for_job(profile(positions=(first, second)), text, job)
    matching = match_job(job, completed)
    assert [(match.skill, match.months, len(match.evidence)) for match in matching.matched] == [
        ("month end close", 24, 2),
        ("chess", None, 1),
    ]
    assert [place.page for place in matching.matched[0].evidence] == [2, 3]
    assert matching.missing == ("go",)
    assert [position.skills for position in completed.positions] == [("month end close",), ("month end close",)]


def test_features_are_those_of_the_completed_profile() -> None:
    text = "Clerk 2015\nmonth end close"
    position = Position(None, None, None, Period("2015-01", "2016-12", 24, None), (), Evidence(0, 26, 1, "rule", 1.0))
    mined = profile(positions=(position,))
    completed = complete_skills(mined, text, ["month end close"])
    whole = extract_features(text, completed)
    assert with_skills_of(extract_features(text, mined), completed).to_bytes() == whole.to_bytes()
    assert whole.skills["months"].tolist() == [24]


def test_what_a_person_took_out_stays_out() -> None:
    kept = profile(removed_skills=("chess",))
    assert complete_skills(kept, "chess", ["chess"]) is kept
    assert Profile.from_json(kept.to_json(), "") == kept


NAMES = st.sampled_from(sorted(name for name in skills().entries if not skills().is_ambiguous(name)))
WORDS = st.lists(NAMES | st.sampled_from(["managed", "the", "and", "in", "2015", "team of 5", "-", "•", "\n", ","]))


@given(WORDS, NAMES, WORDS, st.sampled_from([str, str.title, str.upper]))
def test_no_missing_skill_stands_in_the_text(
    before: list[str], wanted: str, behind: list[str], written: Callable[[str], str]
) -> None:
    text = " ".join(written(word) for word in [*before, ";", wanted, ";", *behind])
    assert written(wanted).lower() in [place.lower() for place in found(text, wanted)]


@pytest.mark.parametrize(
    ("text", "name", "places"),
    [
        ("Dana Lee, RN, BSN", "registered nurse", ["RN"]),
        ("Licensed Registered Nurse, State of Ohio", "registered nurse", ["Registered Nurse"]),
        ("a born leader", "registered nurse", []),
        ("Certified in BLS and ACLS", "basic life support", ["BLS"]),
        ("Passed the Series 7 exam", "series 7", ["Series 7"]),
        ("Clean driver’s license", "driver's license", ["driver’s license"]),
        ("PE teacher", "professional engineer license", []),
        ("PE licensed in Ohio", "professional engineer license", ["PE"]),
        ("FAA airframe and powerplant", "airframe and powerplant license", ["airframe and powerplant"]),
        ("crane rigger license since 2009", "crane rigger license", ["crane rigger license"]),  # in no lexicon
    ],
)
def test_a_licence_is_found_by_every_form(text: str, name: str, places: list[str]) -> None:
    job = Job("", demands=(Demand((name,), must=True, kind="licence"),))
    completed = complete_for_job(profile(), text, job)
    assert [text[place.start : place.end] for skill in completed.skills for place in skill.evidence] == places


def test_a_required_licence_that_is_not_named_is_flagged() -> None:
    licence = Demand(("registered nurse", "licensed practical nurse"), must=True, kind="licence")
    job = Job("", demands=(licence, Demand(("cpr certification",), must=False, kind="licence")))
    assert licence_flags(job, match_job(job, complete_for_job(profile(), "LPN since 2011", job))) == ()
    [flag] = licence_flags(job, match_job(job, profile()))
    assert flag.code == "missing_licence"
    assert flag.message.endswith("required licence: registered nurse or licensed practical nurse.")


@pytest.mark.parametrize(
    ("text", "name", "places"),
    [
        ("Five years in medical devices", "medical device", ["medical devices"]),
        ("- Account reconciliation for 12 banks", "reconcile accounts", ["Account reconciliation"]),
        ("Reconciled 160 vendor\naccounts a month", "reconcile accounts", ["Reconciled 160 vendor\naccounts"]),
        ("Reconciled cash. Opened accounts.", "reconcile accounts", []),  # two sentences
        ("- Reconciled cash\n- Opened accounts", "reconcile accounts", []),  # two points of a list
        ("Administered and drafted wills", "draft wills", ["drafted wills"]),
        ("hardware stores", "hardware", ["hardware"]),
        ("the device was medically useless", "tests of medical devices", []),
    ],
)
def test_a_phrase_is_found_by_its_words_near_each_other(text: str, name: str, places: list[str]) -> None:
    job = Job("", demands=(Demand((name,), must=True, kind="task"),))
    completed = complete_for_job(profile(), text, job)
    assert [text[place.start : place.end] for skill in completed.skills for place in skill.evidence] == places


def test_the_time_of_a_task_is_that_of_the_job_it_stands_in() -> None:
    text = "Acme, 2020-01 to 2021-12\nDrafted wills and trusts"
    place = Evidence(0, len(text), 1, "x", 1.0)
    position = Position(None, None, None, Period("2020-01", "2021-12", 24, None), (), place)
    job = Job("", demands=(Demand(("draft wills",), must=True, months=12, kind="task"),))
    [match] = match_job(job, complete_for_job(profile(positions=(position,)), text, job)).matched
    assert (match.skill, match.months) == ("draft wills", 24)
