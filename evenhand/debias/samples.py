"""Rows with what is known of them: the task's label, sensitive labels, and which rows are to fit and which to judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import UsageError

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
UNKNOWN = -1
SHARES = (0.6, 0.2, 0.2)  # train, validation, test


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """One label per row as the place of its class; UNKNOWN where nobody knows: such rows teach and judge nothing."""

    name: str
    classes: tuple[str, ...]
    codes: Codes

    def take(self, places: Codes) -> Variable:
        return replace(self, codes=self.codes[places])


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """What concept removal learns from and is judged by."""

    rows: Floats
    task: Variable
    sensitive: tuple[Variable, ...]

    def take(self, places: Codes) -> Samples:
        return Samples(
            self.rows[places], self.task.take(places), tuple(variable.take(places) for variable in self.sensitive)
        )


@dataclass(frozen=True, slots=True, eq=False)
class DataSplit:
    """Places of rows: everything is fitted on `train`, chosen on `validation`, and reported on `test`."""

    train: Codes
    validation: Codes
    test: Codes


@dataclass(frozen=True, slots=True, eq=False)
class SampleSplit:
    """The three parts themselves, so that whoever fits is handed no row that it must not see."""

    train: Samples
    validation: Samples
    test: Samples


def divide(samples: Samples, parts: DataSplit) -> SampleSplit:
    return SampleSplit(samples.take(parts.train), samples.take(parts.validation), samples.take(parts.test))


def variable(name: str, labels: Sequence[str | None], classes: Sequence[str] | None = None) -> Variable:
    """Classes in the order of the alphabet unless given; None and the empty text are unknown."""
    names = tuple(classes) if classes is not None else tuple(sorted({label for label in labels if label}))
    if len(names) < 2:
        raise UsageError(f"{name} has fewer than two classes: there is nothing to tell apart.")
    places = {label: place for place, label in enumerate(names)}
    codes = np.array([places.get(label, UNKNOWN) if label else UNKNOWN for label in labels], np.int64)
    return Variable(name, names, codes)


def make_samples(rows: NDArray[np.floating], task: Variable, sensitive: Sequence[Variable]) -> Samples:
    """UsageError for numbers that are none, for labels that do not fit the rows, or for nothing to remove."""
    values = np.asarray(rows, np.float64)
    if values.ndim != 2:
        raise UsageError(f"The matrix has {values.ndim} dimensions; it needs a row per text and a column per number.")
    if not np.isfinite(values).all():
        raise UsageError("The matrix holds values that are no numbers (nan or infinity).")
    if not sensitive:
        raise UsageError("Name at least one sensitive variable to remove.")
    for variable in (task, *sensitive):
        if len(variable.codes) != len(values):
            raise UsageError(
                f"The matrix has {len(values)} rows, and {variable.name} has {len(variable.codes)} labels."
            )
    known = task.codes != UNKNOWN
    return Samples(values, task, tuple(sensitive)).take(np.flatnonzero(known))


def split_parts(samples: Samples, *, seed: int = 0, shares: tuple[float, float, float] = SHARES) -> DataSplit:
    """At random, each class of the task and the sensitive variables spread over the parts in equal shares."""
    rng = np.random.default_rng(seed)
    columns = [samples.task.codes, *(variable.codes for variable in samples.sensitive)]
    _, strata = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    order = rng.permutation(len(strata))
    order = order[np.argsort(strata[order], kind="stable")]
    # Walking through the sorted strata with one running quota keeps small strata from all falling into one part.
    golden = float((np.sqrt(5) - 1) / 2)
    marks = (np.arange(len(order)) * golden + rng.random()) % 1.0
    train, validated = shares[0], shares[0] + shares[1]
    first, second, third = marks < train, (marks >= train) & (marks < validated), marks >= validated
    return DataSplit(np.sort(order[first]), np.sort(order[second]), np.sort(order[third]))


def rotate(parts: DataSplit, turns: int, *, seed: int = 0) -> tuple[DataSplit, ...]:
    """Other halves of what is not for testing, so that a choice does not hang on one small validation part."""
    if turns <= 1:
        return (parts,)
    rng = np.random.default_rng(seed)
    pool = rng.permutation(np.concatenate([parts.train, parts.validation]))
    folds = np.array_split(pool, turns)
    return tuple(
        DataSplit(np.sort(np.concatenate([*folds[:turn], *folds[turn + 1 :]])), np.sort(folds[turn]), parts.test)
        for turn in range(turns)
    )
