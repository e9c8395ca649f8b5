"""Everything that was tried and what came of it, as columns: three rows for each resume and family, then rewordings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.swaps.effects import Floats, Integers
from evenhand.audit.swaps.plan import PLACEBO, Variant
from evenhand.audit.swaps.values import Family


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What one ranker or model made of every row. `label` is the place of the label a model says; for a ranker it is
    whether the resume would be on the shortlist. `base` and `base_label` are of the resumes as they are."""

    judge: str  # "ranker best", "model occupation"
    score: Floats
    label: Integers
    base: Floats
    base_label: Integers
    rank: Integers | None = None  # of rankers; 1 is the best
    base_rank: Integers | None = None
    labels: tuple[str, ...] = ()  # of models

    @property
    def is_ranker(self) -> bool:
        return self.rank is not None


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """`family` -1 is a harmless rewording. `group` is a place in the family's list; `word` is the same for values that
    share what may tell: cities of one country are not so many witnesses."""

    families: tuple[Family, ...]
    resume: Integers
    family: Integers
    group: Integers
    word: Integers
    outcomes: tuple[Outcome, ...] = field(default=())

    def triples(self, family: int) -> NDArray[np.int64]:
        """Rows of a family, by three: a value of the reference, another one of it, one of another group."""
        found: NDArray[np.int64] = np.flatnonzero(self.family == family).reshape(-1, 3)
        return found

    def rewordings(self) -> Integers:
        found: Integers = np.flatnonzero(self.family == -1)
        return found


def columns_of(variants: Sequence[tuple[int, Variant]], families: tuple[Family, ...]) -> Trials:
    """`variants` with the number of their resume, in the order of the plan."""
    at = {family.name: place for place, family in enumerate(families)}
    words: dict[str, int] = {}
    rows = np.zeros((len(variants), 4), np.int64)
    for row, (resume, variant) in enumerate(variants):
        word = words.setdefault(telling_part(variant.value), len(words))
        rows[row] = (resume, *_place(variant, families, at), word)
    return Trials(families, rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3])


def telling_part(value: str) -> str:
    """What stands behind the last comma: the country of a city, the club of a member."""
    return value.rpartition(",")[2].strip()


def _place(variant: Variant, families: tuple[Family, ...], at: dict[str, int]) -> tuple[int, int]:
    if variant.family == PLACEBO:
        return -1, 0
    place = at[variant.family]
    groups = families[place].groups
    return place, next(number for number, each in enumerate(groups) if each.name == variant.group)
