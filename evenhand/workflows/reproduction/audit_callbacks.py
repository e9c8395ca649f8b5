"""The callbacks of the correspondence study of Bertrand and Mullainathan (2004): the published gap, recovered."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenhand.audit.models.chance import hits_by_chance, share_at_least
from evenhand.audit.models.intervals import Estimate, Rate, newcombe, ratio, wilson
from evenhand.errors import UsageError

FOLDER, FILE = "bertrand-mullainathan", "ResumeNames.csv.gz"
PUBLISHED = (0.0965, 0.0645)  # callbacks of names that sound white, and of those that sound African American
SHUFFLES = 20_000
Row = Mapping[str, str]
SPLITS: tuple[tuple[str, Callable[[Row], bool]], ...] = (
    ("all", lambda row: True),
    ("resumes of high quality", lambda row: row["quality"] == "high"),
    ("resumes of low quality", lambda row: row["quality"] == "low"),
    ("with a gap in the career", lambda row: row["holes"] == "yes"),
    ("without a gap in the career", lambda row: row["holes"] == "no"),
    ("women's names", lambda row: row["gender"] == "female"),
    ("men's names", lambda row: row["gender"] == "male"),
)


@dataclass(frozen=True, slots=True)
class CallbackRow:
    """White less African American names; p by shuffling which applications had which."""

    among: str
    white: Rate
    black: Rate
    gap: Estimate
    ratio: Estimate
    p: float

    def __str__(self) -> str:
        return (
            f"{_share(self.white)} against {_share(self.black)}; gap {_points(self.gap)} points; "
            f"ratio {self.ratio.value:.2f} ({self.ratio.low:.2f} to {self.ratio.high:.2f}); {p_words(self.p)}"
        )


@dataclass(frozen=True, slots=True)
class TraitRow:
    """Callbacks with a trait less those without, whatever the name: does a gap, does quality matter by itself?"""

    trait: str
    having: Rate
    lacking: Rate
    gap: Estimate
    p: float

    def __str__(self) -> str:
        sides = f"{_share(self.having)} against {_share(self.lacking)}"
        return f"{sides}; gap {_points(self.gap)} points; {p_words(self.p)}"


def p_words(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _share(rate: Rate) -> str:
    return f"{100 * (rate.value or 0.0):.2f}% ({rate.part} of {rate.whole})"


def _points(gap: Estimate) -> str:
    low, high = 100 * (gap.low or 0.0), 100 * (gap.high or 0.0)
    return f"{100 * (gap.value or 0.0):+.2f} (95% interval {low:+.2f} to {high:+.2f})"


def read_callbacks(data: Path) -> list[Row]:
    path = data / FOLDER / FILE
    if not path.is_file():
        raise UsageError(f"There are no callbacks in {data}: it needs {FOLDER}/{FILE}.")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measure_callbacks(rows: Sequence[Row], *, seed: int = 0) -> tuple[list[CallbackRow], list[TraitRow]]:
    return list(_gaps(rows, seed)), list(_traits(rows, seed))


def _gaps(rows: Sequence[Row], seed: int) -> Iterator[CallbackRow]:
    for among, belongs in SPLITS:
        some = [row for row in rows if belongs(row)]
        white = _rate(row for row in some if row["ethnicity"] == "cauc")
        black = _rate(row for row in some if row["ethnicity"] == "afam")
        if not white.part or not black.part:
            continue
        p = _p(white, black, seed)
        yield CallbackRow(among, white, black, newcombe(white, black), ratio(white, black), p)


def _traits(rows: Sequence[Row], seed: int) -> Iterator[TraitRow]:
    for trait, column, value in (("high quality", "quality", "high"), ("gap in the career", "holes", "yes")):
        having = _rate(row for row in rows if row[column] == value)
        lacking = _rate(row for row in rows if row[column] != value)
        if not having.whole or not lacking.whole:
            continue
        yield TraitRow(trait, having, lacking, newcombe(having, lacking), _p(having, lacking, seed))


def _rate(rows: Iterator[Row]) -> Rate:
    called = [row["call"] == "1" for row in rows]
    return wilson(sum(called), len(called))


def _p(first: Rate, second: Rate, seed: int) -> float:
    """Two-sided, of the difference of both rates."""
    hits, total = first.part + second.part, first.whole + second.whole
    drawn = hits_by_chance(
        np.array([hits]),
        np.array([total - hits]),
        np.array([first.whole]),
        rng=np.random.default_rng(seed),
        draws=SHUFFLES,
    )[:, 0]
    seen = abs(first.part / first.whole - second.part / second.whole)
    return share_at_least(seen, np.abs(drawn / first.whole - (hits - drawn) / second.whole))
