"""Putting right what was understood of a job."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenhand.errors import UsageError
from evenhand.records.job import Demand, Job, Place
from evenhand.screening.jobs import Edits, SkillRequirement, edit_job, requirements_of, revise, understand_pasted
from evenhand.settings import Settings

EITHER = Demand(("java", "kotlin"), True, 36)
SQL = Demand(("sql",), False, 24, 60, (Place(3, 6),))
JOB = Job("text", demands=(EITHER, SQL), months=60, most_months=96, degree="bachelor")


def edit(**edits: object) -> Job:
    return edit_job(JOB, Edits(**edits), canonical=str.lower)  # type: ignore[arg-type]


def test_nothing_typed_changes_nothing() -> None:
    assert edit() == JOB


@pytest.mark.parametrize(
    ("edits", "demands"),
    [
        ({"musts": ("Go",)}, (EITHER, SQL, Demand(("go",), True))),
        ({"musts": ("go : 12",)}, (EITHER, SQL, Demand(("go",), True, 12))),
        ({"musts": ("sql",)}, (EITHER, Demand(("sql",), True, 24, 60, (Place(3, 6),)))),
        ({"musts": ("sql:12",)}, (EITHER, Demand(("sql",), True, 12, None, (Place(3, 6),)))),
        ({"musts": ("java",)}, (EITHER, SQL, Demand(("java",), True))),
        ({"wishes": ("go:0",)}, (EITHER, SQL, Demand(("go",), False))),
        ({"dropped": ("Java",)}, (Demand(("kotlin",), True, 36), SQL)),
        ({"dropped": ("java", "kotlin", "sql")}, ()),
        ({"dropped": ("sql",), "musts": ("sql",)}, (EITHER, Demand(("sql",), True))),
        ({"musts": ("vb:net:6",)}, (EITHER, SQL, Demand(("vb:net",), True, 6))),
    ],
)
def test_skills(edits: dict[str, object], demands: tuple[Demand, ...]) -> None:
    assert edit(**edits).demands == demands


@pytest.mark.parametrize(("years", "months"), [(3, 36), (1.5, 18), (0, None)])
def test_years(years: float, months: int | None) -> None:
    edited = edit(years=years)
    assert (edited.months, edited.most_months) == (months, None)


@pytest.mark.parametrize(("degree", "level"), [("Master", "master"), ("none", None)])
def test_degree(degree: str, level: str | None) -> None:
    assert edit(degree=degree).degree == level


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ({"degree": "masters"}, "There is no degree 'masters'; did you mean master?"),
        (
            {"degree": "x"},
            "There is no degree 'x'; there are other, highschool, diploma, associate, bachelor, master, "
            "doctorate, none.",
        ),
        ({"years": -1}, "Years of experience lie between 0 and 60, not at -1."),
        ({"years": float("nan")}, "Years of experience lie between 0 and 60, not at nan."),
        ({"musts": (" ",)}, "A skill without a name cannot be asked for."),
        (
            {"musts": ("excel:abc",)},
            "Months stand behind the colon as a whole number, as in java:36, not as in 'excel:abc'.",
        ),
        (
            {"wishes": ("excel:",)},
            "Months stand behind the colon as a whole number, as in java:36, not as in 'excel:'.",
        ),
        ({"wishes": ("go:-3",)}, "Months stand behind the colon as a whole number, as in java:36, not as in 'go:-3'."),
        ({"musts": ("go:9999",)}, "'go:9999' asks for 9,999 months, which is longer than a working life."),
        ({"dropped": ("go",)}, "'go' cannot be dropped; the job asks for java, kotlin, sql."),
    ],
)
def test_wrong_edits_are_named(edits: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        edit(**edits)
    assert str(raised.value) == message


def test_the_source_of_a_page_is_read_as_a_page() -> None:
    source = (
        "<p>Payroll Clerk</p><script>var skills = 'cobol';</script><h3>Requirements</h3>"
        "<ul><li>Valid driver&#39;s license</li><li>3 years of payroll experience</li></ul>"
    )
    job = understand_pasted(source, Settings())
    assert {demand.label for demand in job.demands if demand.must} >= {"Licence: driver's license", "payroll"}
    assert "<li>" not in job.text
    assert "cobol" not in job.text
    for demand in job.demands:
        assert all(job.text[place.start : place.end].strip() for place in demand.places)


def test_requirements_keep_their_kind_when_they_are_edited() -> None:
    licence = Demand(("registered nurse",), must=True, kind="licence")
    task = Demand(("draft wills",), must=True, kind="task")
    job = Job("", "Clerk", (licence, task))
    wanted = requirements_of(job)
    assert revise(job, wanted, canonical=str.lower).demands == (licence, task)
    asked = (*wanted.asked, SkillRequirement(("CPA",), must=False), SkillRequirement(("Payroll",), must=True))
    changed = revise(job, replace(wanted, asked=asked), canonical=str.lower).demands
    assert [(demand.label, demand.kind) for demand in changed[2:]] == [
        ("Licence: certified public accountant", "licence"),
        ("payroll", "skill"),
    ]
