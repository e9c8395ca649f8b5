"""Canonical names of skills, and ambiguous ones by their context."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from evenhand.mining.lexicon.skills import skills
from evenhand.mining.skill_resolver import canonical, find, settle
from evenhand.text.tokens import tokenise

GENERATED = Path(__file__).resolve().parents[2] / "lab" / "evenhand_lab" / "corpora" / "lexicons" / "skills.csv"
# In generated resumes these stand for the skill; in most real ones they mean something else, or another skill.
OTHERWISE = {"differentiation", "retail", "proposals", "framing", "picking", "reporting", "GCP"}


@pytest.mark.parametrize("surface", ["Microsoft Office XP", "Office XP", "MS Office XP", "MS-Office XP", "office xp"])
def test_office_xp_in_every_form(surface: str) -> None:
    assert canonical(surface) == "office xp"


@pytest.mark.parametrize(
    ("surface", "name"),
    [
        ("jsp", "jsp"),
        ("Java Server Pages", "jsp"),
        ("Java Script", "javascript"),
        ("JS", "javascript"),
        ("ReactJS", "react"),
        ("React.js", "react"),
        ("Oracle 11g", "oracle"),
        ("Oracle 10g R2", "oracle"),
        ("HTML5", "html"),
        ("Windows 7", "windows"),
        ("Office 365", "office 365"),
        ("Apache Tomcat 7.0", "tomcat"),
        ("AngularJS", "angularjs"),
        ("Angular 10", "angular"),
        ("PL-SQL", "pl/sql"),
        (".NET", ".net"),
        ("C#.NET", "c#"),
        ("Software Development Life Cycle (SDLC)", "sdlc"),
        ("strong SQL skills", "sql"),
        ("Knowledge of Oracle Database", "oracle"),
        ("Kuberntes", "kubernetes"),
        ("REST APIs", "rest"),
    ],
)
def test_canonical_names(surface: str, name: str) -> None:
    assert canonical(surface) == name


def test_unknown_skills_have_one_name_too() -> None:
    assert canonical("  Frobnicate   Studio 2.0 ") == canonical("frobnicate studio") == "frobnicate studio"
    assert canonical("IBM Frobnicator") == "frobnicator"


def test_ordinary_words_are_not_repaired_into_others() -> None:
    assert canonical("planting") == "planting"
    assert canonical("Javan") == "javan"


def test_generated_resumes_and_the_miner_agree_on_names() -> None:
    with GENERATED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = canonical(row["name"])
            assert name in skills().entries, row["name"]
            for surface in row["surfaces"].split("|"):
                if surface and surface not in OTHERWISE:
                    assert canonical(surface) == name, surface


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Excel in fast paced environments", []),
        ("Word, Excel, PowerPoint", ["word", "excel", "powerpoint"]),
        ("proficient in excel and word", ["excel", "word"]),
        ("access to data of clients", []),
        ("Go to market with partners", []),
        ("spread by word of mouth", []),
        ("others lean on me", []),
        ("the rest of the team", []),
        ("John C. Smith", []),
        ("worked with C-level executives", []),
        ("Programming in C and R", ["c", "r"]),
        ("services written in Go using Docker", ["go", "docker"]),
        ("Spring 2015", []),
        ("Spring, Hibernate", ["spring", "hibernate"]),
        ("Boston, MA", []),
        ("built AI models", ["artificial intelligence"]),
        ("the R & D team of a bank", []),
    ],
)
def test_ambiguous_names_in_sentences(line: str, names: list[str]) -> None:
    found = [match.name for match in find(tokenise(line).words)]
    assert [name for name in found if name in {*names} or skills().is_ambiguous(name)] == names


def test_ambiguous_names_in_a_list_of_skills() -> None:
    assert [match.name for match in find(tokenise("C, R, Access").words, in_skill_list=True)] == ["c", "r", "ms access"]
    assert [match.name for match in find(["R"], in_skill_list=True)] == ["r"]
    assert find(["R"]) == []


def test_homonyms_are_settled_by_the_other_skills() -> None:
    assert settle(["google cloud", "informed consent", "irb submissions"]) == {"google cloud": "good clinical practice"}
    assert settle(["google cloud", "docker", "python"]) == {}
