"""How many of each group there are and how many of them were selected, over all or within strata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

# Groups as numbers: one code per person, and -1 for who is in none that is known.

UNKNOWN = -1
BETWEEN = " / "  # the parts of an intersection
BY = " x "  # the names of its variables

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CodedVariable:
    """`codes[person]` is the place in `names`, or UNKNOWN."""

    variable: str
    names: tuple[str, ...]
    codes: Codes

    @property
    def unknown(self) -> int:
        return int(np.count_nonzero(self.codes == UNKNOWN))

    def only(self, chosen: NDArray[np.bool_]) -> CodedVariable:
        """Of some people; the names stay, though nobody of a group may be left."""
        return CodedVariable(self.variable, self.names, self.codes[chosen])


def only_larger(coded: CodedVariable, least: int) -> CodedVariable:
    """People of smaller groups become unknown, where two groups at least are large enough."""
    n = np.bincount(coded.codes[coded.codes != UNKNOWN], minlength=len(coded.names))
    larger = [at for at in range(len(coded.names)) if n[at] >= least]
    if len(larger) < 2 or len(larger) == len(coded.names):
        return coded
    place = np.full(len(coded.names) + 1, UNKNOWN)  # the last place is that of UNKNOWN itself
    place[larger] = np.arange(len(larger))
    return CodedVariable(coded.variable, tuple(coded.names[at] for at in larger), place[coded.codes])


def encode(variable: str, values: Sequence[str | None], *, names: Sequence[str] = ()) -> CodedVariable:
    """Names in the order of the alphabet, after those given, which are there even if nobody has them."""
    others = sorted({value for value in values if value is not None} - set(names))
    every = (*names, *others)
    place = {name: code for code, name in enumerate(every)}
    codes = [UNKNOWN if value is None else place[value] for value in values]
    return CodedVariable(variable, every, np.array(codes, dtype=np.int64))


def cross(first: CodedVariable, second: CodedVariable) -> CodedVariable:
    """The intersections: every pair of groups, also those of which there is nobody; unknown where either is."""
    names = tuple(f"{one}{BETWEEN}{two}" for one in first.names for two in second.names)
    codes = first.codes * len(second.names) + second.codes
    either = (first.codes == UNKNOWN) | (second.codes == UNKNOWN)
    return CodedVariable(f"{first.variable}{BY}{second.variable}", names, np.where(either, UNKNOWN, codes))


Flags = NDArray[np.bool_]
MINIMUM = 30
"""People; a rate of fewer says little, and a ratio of two such rates less."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one variable: for each group its people and those of them who were selected."""

    variable: str
    names: tuple[str, ...]
    n: tuple[int, ...]
    selected: tuple[int, ...]
    unknown: int = 0

    @property
    def known(self) -> int:
        return sum(self.n)


def count_selected(coded: CodedVariable, selected: Flags) -> Counts:
    [counts] = count_within(coded, selected, np.zeros(len(selected), dtype=np.int64), 1)
    return counts


def count_within(coded: CodedVariable, selected: Flags, strata: NDArray[np.int64], number: int) -> list[Counts]:
    """For each stratum 0..number-1; a stratum of UNKNOWN belongs to none."""
    groups = len(coded.names)
    known = (coded.codes != UNKNOWN) & (strata != UNKNOWN)
    cells = strata[known] * groups + coded.codes[known]
    n = np.bincount(cells, minlength=number * groups).reshape(number, groups)
    chosen = np.bincount(cells[selected[known]], minlength=number * groups).reshape(number, groups)
    unknown = np.bincount(strata[(coded.codes == UNKNOWN) & (strata != UNKNOWN)], minlength=number)
    return [
        Counts(coded.variable, coded.names, tuple(map(int, n[at])), tuple(map(int, chosen[at])), int(unknown[at]))
        for at in range(number)
    ]


# Who scored above the sample's median, as Local Law 144 defines a scoring rate. Ties at the median are not above.


def above_median(scores: NDArray[np.float64]) -> tuple[Flags, float]:
    """The median is of all scores, also of people whose group is unknown: they are in the sample too."""
    median = float(np.median(scores))
    return scores > median, median


# What is measured: people with what became of them, and what they said of themselves. No names, no ids.


@dataclass(frozen=True, slots=True)
class Sample:
    """One place per person in everything. `chosen` says in words what being selected means here: "were shortlisted"."""

    groups: Mapping[str, Sequence[str | None]]
    selected: Flags | None = None
    chosen: str = "were selected"
    scores: NDArray[np.float64] | None = None  # nan for who has none
    bands: Sequence[str | None] | None = None
    band_name: str = "experience"
    band_order: Sequence[str] = ()  # the alphabet's if not given
    days: Sequence[date | None] | None = None

    @property
    def size(self) -> int:
        return len(next(iter(self.groups.values()), ()))
