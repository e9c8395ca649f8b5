"""The models of occupation: which resumes each learns from, what it reads of them, and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evenhand.errors import UsageError
from evenhand.models.joined.blocks import TermReading
from evenhand.models.joined.recipe import Recipe
from evenhand.models.joined.sources import Source
from evenhand.models.manifest import Outcome
from evenhand.workflows.occupation_data import Example, read_florex_examples, read_livecareer_examples
from evenhand.workflows.watching import Watch


class Reader(Protocol):
    def __call__(self, data: Path, *, n: int | None, watch: Watch) -> list[Example]: ...


@dataclass(frozen=True, slots=True)
class OccupationModel:
    """`titles` is where job titles stand: what has to be masked when they are."""

    name: str
    outcome: Outcome
    recipe: Recipe
    titles: Source
    read: Reader
    data: str
    limits: tuple[str, ...]

    @property
    def several(self) -> bool:
        return self.outcome == "several"


OCCUPATION = OccupationModel(
    name="occupation",
    outcome="single",
    recipe=Recipe(
        terms=(
            TermReading("telling words", "body", longest=2, weight=1.0, most=300, stops=False),
            TermReading("words", "body", longest=2, weight=0.7, most=3000, stops=False),
            TermReading("current title", "current", longest=3, weight=0.5, most=1000),
            TermReading("titles", "titles", longest=3, weight=1.0, most=1000),
        ),
        cost=0.3,
    ),
    titles="titles",
    read=read_livecareer_examples,
    data="Public resumes in 24 occupations (livecareer, PDF), read and mined as any other, without their first line, "
    "which names the occupation in two of three. Employers and places were masked by the publisher.",
    limits=(
        "The occupations are the categories of one web site. They overlap, and about one in eight resumes seems to "
        "stand in the wrong one.",
        "It leans on job titles: without any it is right far less often (see the figures).",
        "English only.",
    ),
)
IT_ROLES = OccupationModel(
    name="it-roles",
    outcome="several",
    recipe=Recipe(
        terms=(
            TermReading("words", "body", longest=1, weight=0.5, most=2000, stops=False),
            TermReading("telling titles", "stated", longest=3, weight=2.0, most=400),
            TermReading("titles", "stated", longest=3, weight=1.0, most=4000),
        ),
        cost=0.3,
    ),
    titles="stated",
    read=read_florex_examples,
    data="Public resumes of ten roles in information technology (florex), without the marks of the search that found "
    "them and without their first 200 characters, where the searched title stands.",
    limits=(
        "A role is said when a job of that name was held at any time, not only the latest.",
        "Nothing but roles in information technology: a nurse gets low probabilities, not a label of her own.",
        "English only.",
    ),
)
MODELS = {model.name: model for model in (OCCUPATION, IT_ROLES)}


def find_occupation_model(name: str) -> OccupationModel:
    if name not in MODELS:
        raise UsageError(f"There is no model of occupation {name!r}; there are {', '.join(MODELS)}.")
    return MODELS[name]
