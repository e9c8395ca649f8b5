"""The form in which a person says what a job asks for: rows of skills, and a few fields for the rest."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Form

from evenhand.errors import UsageError
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.workflows.job_desk import Asked, Wanted

DEGREES = {
    "": "any or none",
    **{level: level.capitalize() for level in DEGREE_LEVELS if level != "other"},
    "highschool": "High school",
    "other": "Other",
}
MUST, NICE = "must", "nice"
SAVE, PREVIEW, ADD, DROP = "save", "preview", "add", "drop"
OR = re.compile(r"\s+or\s+|\s*\|\s*", re.IGNORECASE)
Text = Annotated[str, Form()]
Texts = Annotated[list[str] | None, Form()]


@dataclass(frozen=True, slots=True)
class Row:
    """A skill as it stands in the form: alternatives are joined by "or"."""

    skill: str = ""
    kind: str = MUST
    months: str = ""


@dataclass(frozen=True, slots=True)
class Typed:
    """What the fields hold, right or wrong, so that a mistake can be shown beside what was typed."""

    title: str
    rows: tuple[Row, ...]
    years: str = ""
    degree: str = ""
    city: str = ""
    text: str = ""  # of the ad, while it is not kept yet
    version: str = ""  # of the requirements that the form was made from
    do: str = SAVE  # the button: save, preview, add, add:python, drop:3

    @classmethod
    def of(cls, wanted: Wanted, version: str = "") -> Typed:
        rows = tuple(
            Row(" or ".join(asked.skills), MUST if asked.must else NICE, _plain(asked.months))
            for asked in wanted.asked
        )
        return cls(wanted.title, rows, _plain(wanted.years), wanted.degree, wanted.city, version=version)

    @property
    def is_edit(self) -> bool:
        """A button that changes the form itself, and keeps nothing."""
        return self.do.partition(":")[0] in (ADD, DROP)

    def edited(self) -> Typed:
        action, _, what = self.do.partition(":")
        rows = list(self.rows)
        if action == ADD:
            rows.append(Row(what, NICE if what else MUST))
        elif what.isdecimal() and int(what) < len(rows):
            del rows[int(what)]
        return replace(self, rows=tuple(rows))

    def wanted(self) -> Wanted:
        """UsageError for a number that is none. A row without a skill is one that nobody filled in."""
        asked = tuple(
            Asked(tuple(OR.split(row.skill.strip())), row.kind != NICE, _months(row))
            for row in self.rows
            if row.skill.strip()
        )
        return Wanted(self.title, asked, _years(self.years), self.degree, self.city)


def read_typed(
    title: Text = "",
    skill: Texts = None,
    kind: Texts = None,
    months: Texts = None,
    years: Text = "",
    degree: Text = "",
    city: Text = "",
    text: Text = "",
    version: Text = "",
    do: Text = SAVE,
) -> Typed:
    """As a dependency. Every row sends all of its three fields, so they can be told apart by their order."""
    skills, kinds, durations = skill or [], kind or [], months or []
    if not len(skills) == len(kinds) == len(durations):
        raise UsageError("The rows of the form are not complete.")
    rows = tuple(Row(*fields) for fields in zip(skills, kinds, durations, strict=True))
    return Typed(title, rows, years, degree, city, text, version, do)


def missing_from(typed: Typed, skills: Sequence[str]) -> list[str]:
    """Those that have no row yet."""
    there = {name.casefold() for row in typed.rows for name in OR.split(row.skill.strip())}
    return [skill for skill in skills if skill.casefold() not in there]


def _months(row: Row) -> int | None:
    typed = row.months.strip()
    if not typed:
        return None
    if not typed.isdecimal() or len(typed) > 6:
        raise UsageError(f"The months for {row.skill.strip()} are a whole number, not {typed[:20]!r}.")
    return int(typed)


def _years(typed: str) -> float | None:
    if not typed.strip():
        return None
    try:
        years = float(typed.strip().replace(",", "."))
    except ValueError:
        years = math.nan
    if not math.isfinite(years):
        raise UsageError(f"The years of experience are a number, not {typed.strip()[:20]!r}.")
    return years


def _plain(number: float | None) -> str:
    return "" if number is None else f"{number:g}"
