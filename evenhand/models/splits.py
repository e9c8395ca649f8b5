"""Training, development and test parts with fixed seeds: stratified, or with disjoint applicants."""

from __future__ import annotations

import hashlib
import random
import unicodedata
import warnings
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Generic, TypeVar

T = TypeVar("T")
Key = Callable[[T], Hashable]

SHARES = (0.75, 0.10, 0.15)
MAX_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Split(Generic[T]):
    """The parts hold the items in the order in which they were given."""

    train: tuple[T, ...]
    dev: tuple[T, ...]
    test: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class Goal:
    """The share of the larger side, and what is near enough. Small strata go their way: one applicant is points."""

    share: float
    tolerance: float = 0.005
    stratum_tolerance: float = 0.02
    small_stratum: int = 100

    def distance(self, share: float, gaps: Sequence[float], sizes: Sequence[int]) -> float:
        """0 when the goal is reached; else how far the total is off and, counting less, the strata."""
        total = max(0.0, abs(share - self.share) - self.tolerance)
        large = [abs(gap) for gap, size in zip(gaps, sizes, strict=True) if size >= self.small_stratum]
        worst = max(0.0, max(large, default=0.0) - self.stratum_tolerance)
        return 10 * total + worst


def resume_identity(text: str) -> str:
    """The same for two copies of a resume that differ in spacing, case or the form of characters only."""
    words = unicodedata.normalize("NFKC", text).casefold().split()
    return hashlib.sha256(" ".join(words).encode()).hexdigest()


def split_stratified(
    items: Sequence[T], label: Key[T], *, shares: tuple[float, ...] = SHARES, seed: int = 0
) -> Split[T]:
    """Every label is divided by the shares, to within one item."""
    chosen: list[list[int]] = [[] for _ in shares]
    for places in _strata(items, label, seed):
        start = 0
        for part, size in zip(chosen, apportion(len(places), shares), strict=True):
            part.extend(places[start : start + size])
            start += size
    train, dev, test = (tuple(items[place] for place in sorted(part)) for part in chosen)
    return Split(train, dev, test)


def apportion(total: int, shares: Sequence[float]) -> list[int]:
    """Whole numbers that sum to the total; what rounding leaves goes to the largest fractions, the later part first."""
    exact = [total * share / sum(shares) for share in shares]
    sizes = [int(value + 1e-9) for value in exact]
    by_fraction = sorted(range(len(sizes)), key=lambda part: (round(sizes[part] - exact[part], 9), -part))
    for part in by_fraction[: total - sum(sizes)]:
        sizes[part] += 1
    return sizes


def split_by_applicant(
    items: Sequence[T],
    *,
    applicant: Key[T],
    stratum: Key[T],
    shares: tuple[float, float, float] = SHARES,
    seed: int = 0,
) -> Split[T]:
    """No applicant in two parts, strata kept: first train against the rest, then test against dev."""
    train_share, dev_share, test_share = shares
    rest_share = dev_share + test_share
    goal = Goal(train_share)
    train, rest = divide_by_applicant(items, goal, applicant=applicant, stratum=stratum, seed=seed)
    # What counts as close and as small is meant as a share of all items, of which only the rest is left here.
    rest_goal = Goal(test_share / rest_share, goal.tolerance / rest_share, 0.01 / rest_share, round(100 * rest_share))
    test, dev = divide_by_applicant(rest, rest_goal, applicant=applicant, stratum=stratum, seed=seed + 1)
    return Split(train, dev, test)


def divide_by_applicant(
    items: Sequence[T], goal: Goal, *, applicant: Key[T], stratum: Key[T], seed: int = 0
) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """A larger and a smaller side that share no applicant.

    Start with a smaller share than wanted, move applicants seen on both sides to the larger one, correct, repeat.

    Each stratum has a share of its own to correct. With one for all, strata whose applicants apply often would
    be drawn to the larger side (nine of ten instead of three of four) while the total looks right.
    """
    if not items:
        return (), ()
    strata = _strata(items, stratum, seed)
    shares = [goal.share / 2] * len(strata)
    best: tuple[float, set[int]] = inf, set()
    for _ in range(MAX_ROUNDS):
        taken = {
            applicant(items[place])
            for places, share in zip(strata, shares, strict=True)
            for place in places[: round(len(places) * share)]
        }
        larger = {place for place, item in enumerate(items) if applicant(item) in taken}
        gaps = [goal.share - len(larger.intersection(places)) / len(places) for places in strata]
        distance = goal.distance(len(larger) / len(items), gaps, [len(places) for places in strata])
        if distance < best[0]:
            best = distance, larger
        if distance == 0:
            break
        shares = [min(max(share + 0.5 * gap, 0.0), goal.share) for share, gap in zip(shares, gaps, strict=True)]
    distance, larger = best
    if distance > 0:
        share = len(larger) / len(items)
        warnings.warn(f"applicants cannot be divided at {goal.share:.3f}; best share {share:.3f}", stacklevel=2)
    return (
        tuple(item for place, item in enumerate(items) if place in larger),
        tuple(item for place, item in enumerate(items) if place not in larger),
    )


def _strata(items: Sequence[T], label: Key[T], seed: int) -> list[list[int]]:
    """The places of each label's items, shuffled; an item's luck does not depend on the other labels."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        places[label(item)].append(place)
    for key, stratum in places.items():
        random.Random(f"{seed}/{key}").shuffle(stratum)  # noqa: S311
    return list(places.values())
