"""Where the errors are: every slice of up to three conditions is looked at, and what chance would give is taken off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy.stats import hypergeom  # type: ignore[import-untyped]

from evenhand.audit.models.chance import Bools, holm
from evenhand.audit.models.intervals import Estimate, Rate, newcombe, wilson

LEAST = 20  # resumes of a slice
DEPTH = 3
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Slice:
    """`errors` of the slice against those of `others`, which are all the rest; `p` is corrected for every slice that
    was looked at."""

    conditions: tuple[tuple[str, str], ...]
    errors: Rate
    others: Rate
    gap: Estimate
    raw_p: float
    p: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Slices:
    """The worst first, and how many were looked at."""

    worst: tuple[Slice, ...]
    searched: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def find_slices(
    wrong: Bools,
    features: Mapping[str, Sequence[str]],
    *,
    depth: int = DEPTH,
    least: int = LEAST,
    shown: int = SHOWN,
    required: Sequence[str] = (),
) -> Slices:
    """Of slices with at least `least` resumes, those with the most errors against the rest by Fisher's one-sided test.

    `required` are features of which a slice names one at least: those that are groups, so that a slice that is bad
    for everybody (a hard label) is not told as if it were about a group.
    """
    found = {
        conditions: rows
        for conditions, rows in _all(features, depth)
        if rows.sum() >= least
        and (~rows).any()
        and (not required or any(name in required for name, _ in conditions))
    }
    raw = {conditions: _p(wrong, rows) for conditions, rows in found.items()}
    corrected = holm(raw)
    order = sorted(found, key=lambda each: (raw[each], len(each), each))[:shown]
    made = [_slice(each, wrong, found[each], raw[each], corrected[each]) for each in order]
    return Slices(tuple(made), len(found))


Conditions = tuple[tuple[str, str], ...]


def _all(features: Mapping[str, Sequence[str]], depth: int) -> Iterator[tuple[Conditions, Bools]]:
    columns = {name: np.asarray(values) for name, values in features.items()}
    values = {name: sorted(set(column.tolist()) - {""}) for name, column in columns.items()}
    for size in range(1, depth + 1):
        for names in combinations(columns, size):
            for chosen in product(*(values[name] for name in names)):
                rows = np.logical_and.reduce(
                    [columns[name] == value for name, value in zip(names, chosen, strict=True)]
                )
                yield tuple(zip(names, chosen, strict=True)), rows


def _p(wrong: Bools, rows: Bools) -> float:
    """So many errors or more in so many drawn without putting back."""
    errors = int((wrong & rows).sum())
    return float(hypergeom.sf(errors - 1, len(wrong), int(wrong.sum()), int(rows.sum())))


def _slice(conditions: Conditions, wrong: Bools, rows: Bools, raw: float, corrected: float) -> Slice:
    errors = wilson(int((wrong & rows).sum()), int(rows.sum()))
    others = wilson(int((wrong & ~rows).sum()), int((~rows).sum()))
    return Slice(conditions, errors, others, newcombe(errors, others), raw, corrected)
