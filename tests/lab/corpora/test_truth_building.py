"""Truth follows what is written, and its own check finds what does not fit."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from evenhand.records import canonical_json
from evenhand_lab.corpora.checks import check
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptLine, ManuscriptSection, TextRun, to_plain
from evenhand_lab.corpora.truth import Truth, build_truth, truth_from_dict, truth_to_dict
from tests.lab.corpora.careers import hand_made


def small() -> tuple[Truth, str]:
    """One job with Java, dated to the month; SQL in a list that belongs to no job."""
    career = hand_made()
    work = ManuscriptLine(
        (
            TextRun("Sr. Software Engineer", "title", "Senior Software Engineer", of="job 0"),
            TextRun(", "),
            TextRun("Northwind Systems", "employer", "Northwind Systems Pvt. Ltd.", of="job 0"),
        ),
        aside=(TextRun("Jan'20 - till date", "date", "2020-01/present", of="job 0"),),
    )
    java = ManuscriptLine(
        (TextRun("Wrote batch jobs in "), TextRun("Core Java", "skill", "Java", of="job 0")), bullet=True
    )
    manuscript = Manuscript(
        7,
        (
            ManuscriptSection("personal", None, (ManuscriptLine((TextRun("Asha Rao", "name", "Asha Rao"),)),)),
            ManuscriptSection("experience", "WORK HISTORY", (work, java)),
            ManuscriptSection(
                "skills",
                "Skills",
                (ManuscriptLine((TextRun("sql", "skill", "SQL"), TextRun(", "), TextRun("Java", "skill", "Java"))),),
            ),
        ),
    )
    plain = to_plain(manuscript)
    return build_truth(career, manuscript, plain), plain.text


def test_truth_of_a_small_resume() -> None:
    truth, text = small()
    assert text == (
        "Asha Rao\n"
        "\nWORK HISTORY\nSr. Software Engineer, Northwind Systems\tJan'20 - till date\n"
        "- Wrote batch jobs in Core Java\n"
        "\nSkills\nsql, Java\n"
    )
    java, sql = truth.skills
    assert (java.name, java.surfaces, java.months_union, java.months_sum) == ("Java", ("Core Java", "Java"), 82, 82)
    assert java.last_used == "2026-10"
    assert (sql.name, sql.months_union, sql.months_sum, sql.last_used) == ("SQL", None, None, None)
    assert [(job.employer, job.start, job.end, job.skills) for job in truth.positions] == [
        ("Northwind Systems Pvt. Ltd.", "2020-01", None, ("Java",))
    ]
    assert (truth.total_months, truth.relevant_months) == (82, 82)
    assert (truth.education, truth.highest_degree, truth.certifications, truth.languages) == ((), None, (), ())
    assert check(truth, text) == []


def test_json_is_canonical_and_comes_back() -> None:
    truth, _ = small()
    text = canonical_json(truth_to_dict(truth))
    assert truth_from_dict(json.loads(text)) == truth
    assert text == canonical_json(truth_to_dict(truth_from_dict(json.loads(text))))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda t: replace(t, skills=(replace(t.skills[0], months_union=81), *t.skills[1:])), "its dates say 82/82"),
        (lambda t: replace(t, skills=t.skills[:1]), "marked but not listed"),
        (lambda t: replace(t, skills=(*t.skills, replace(t.skills[0], name="Ruby"))), "listed but not marked"),
        (lambda t: replace(t, skills=(replace(t.skills[0], surfaces=("Java",)), *t.skills[1:])), "is marked as"),
        (lambda t: replace(t, marks=(replace(t.marks[0], start=1), *t.marks[1:])), "says 'Asha Rao', the text"),
        (lambda t: replace(t, marks=(t.marks[0], t.marks[0], *t.marks[1:])), "overlaps"),
        (lambda t: replace(t, marks=(replace(t.marks[0], value=None), *t.marks[1:])), "no value"),
        (lambda t: replace(t, sections=t.sections[1:]), "lies in no section"),
        (lambda t: replace(t, sections=(*t.sections[:1], *t.sections)), "does not follow"),
        (lambda t: replace(t, sections=(("profile", "Other", *t.sections[0][2:]), *t.sections[1:])), "heading"),
        (lambda t: replace(t, total_months=83), "total is 83 months"),
    ],
)
def test_check_finds_damage(damage, message) -> None:  # type: ignore[no-untyped-def]
    truth, text = small()
    assert any(message in found for found in check(damage(truth), text))
