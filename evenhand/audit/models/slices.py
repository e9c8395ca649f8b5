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
    """`errors` of the slice against those of `others`: resumes that differ from it in the group alone, or where no
    condition is a group all the rest. `p` is corrected for every slice that was looked at."""

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
    groups: Sequence[str] = (),
) -> Slices:
    """Of slices with at least `least` resumes, those with the most errors for what they are compared with, by Fisher's
    one-sided test.

    `groups` are features of which a slice names one at least. It is then compared with those of whom everything else
    that it names is true, so that a label that is hard for everybody is not told as if it were about a group.
    """
    found = {
        conditions: (rows, others)
        for conditions, rows, others in _all(features, depth, frozenset(groups))
        if rows.sum() >= least and others.sum() >= least
    }
    raw = {conditions: _p(wrong, *sides) for conditions, sides in found.items()}
    corrected = holm(raw)
    order = sorted(found, key=lambda each: (raw[each], len(each), each))[:shown]
    made = [_slice(each, wrong, *found[each], raw=raw[each], corrected=corrected[each]) for each in order]
    return Slices(tuple(made), len(found))


Conditions = tuple[tuple[str, str], ...]


def _all(
    features: Mapping[str, Sequence[str]], depth: int, groups: frozenset[str]
) -> Iterator[tuple[Conditions, Bools, Bools]]:
    columns = {name: np.asarray(values) for name, values in features.items()}
    values = {name: sorted(set(column.tolist()) - {""}) for name, column in columns.items()}
    everybody = np.ones(len(next(iter(columns.values()))), dtype=bool)
    for size in range(1, depth + 1):
        for names in combinations(columns, size):
            if groups and groups.isdisjoint(names):
                continue
            for chosen in product(*(values[name] for name in names)):
                holds = {name: columns[name] == value for name, value in zip(names, chosen, strict=True)}
                rows = np.logical_and.reduce([everybody, *holds.values()])
                alike = [everybody, *(holds[name] for name in names if groups and name not in groups)]
                known = [columns[name] != "" for name in names if name in groups]
                others = np.logical_and.reduce([*alike, *known]) & ~rows
                yield tuple(zip(names, chosen, strict=True)), rows, others


def _p(wrong: Bools, rows: Bools, others: Bools) -> float:
    """So many errors or more in so many drawn without putting back."""
    errors, size = int((wrong & rows).sum()), int(rows.sum())
    total, all_errors = size + int(others.sum()), errors + int((wrong & others).sum())
    return float(hypergeom.sf(errors - 1, total, all_errors, size))


def _slice(
    conditions: Conditions, wrong: Bools, rows: Bools, others: Bools, *, raw: float, corrected: float
) -> Slice:
    errors = wilson(int((wrong & rows).sum()), int(rows.sum()))
    rest = wilson(int((wrong & others).sum()), int(others.sum()))
    return Slice(conditions, errors, rest, newcombe(errors, rest), raw, corrected)
