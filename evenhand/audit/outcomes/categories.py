"""Groups as numbers: one code per person, and -1 for who is in none that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

UNKNOWN = -1
BETWEEN = " / "  # the parts of an intersection
BY = " x "  # the names of its variables

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Coded:
    """`codes[person]` is the place in `names`, or UNKNOWN."""

    variable: str
    names: tuple[str, ...]
    codes: Codes

    @property
    def unknown(self) -> int:
        return int(np.count_nonzero(self.codes == UNKNOWN))

    def only(self, chosen: NDArray[np.bool_]) -> Coded:
        """Of some people; the names stay, though nobody of a group may be left."""
        return Coded(self.variable, self.names, self.codes[chosen])


def only_larger(coded: Coded, least: int) -> Coded:
    """People of smaller groups become unknown, where two groups at least are large enough."""
    n = np.bincount(coded.codes[coded.codes != UNKNOWN], minlength=len(coded.names))
    kept = [at for at in range(len(coded.names)) if n[at] >= least]
    if len(kept) < 2 or len(kept) == len(coded.names):
        return coded
    place = np.full(len(coded.names) + 1, UNKNOWN)  # the last place is that of UNKNOWN itself
    place[kept] = np.arange(len(kept))
    return Coded(coded.variable, tuple(coded.names[at] for at in kept), place[coded.codes])


def encode(variable: str, values: Sequence[str | None], *, names: Sequence[str] = ()) -> Coded:
    """Names in the order of the alphabet, after those given, which are there even if nobody has them."""
    found = sorted({value for value in values if value is not None} - set(names))
    every = (*names, *found)
    place = {name: code for code, name in enumerate(every)}
    codes = [UNKNOWN if value is None else place[value] for value in values]
    return Coded(variable, every, np.array(codes, dtype=np.int64))


def cross(first: Coded, second: Coded) -> Coded:
    """The intersections: every pair of groups, also those of which there is nobody; unknown where either is."""
    names = tuple(f"{one}{BETWEEN}{two}" for one in first.names for two in second.names)
    codes = first.codes * len(second.names) + second.codes
    either = (first.codes == UNKNOWN) | (second.codes == UNKNOWN)
    return Coded(f"{first.variable}{BY}{second.variable}", names, np.where(either, UNKNOWN, codes))
