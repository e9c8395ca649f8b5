"""Training, development and test parts with fixed seeds: stratified, with disjoint applicants, or in folds."""

from __future__ import annotations

import hashlib
import random
import unicodedata
import warnings
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
Key = Callable[[T], Hashable]

SHARES = (0.75, 0.10, 0.15)


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


@dataclass(frozen=True, slots=True)
class Division(Generic[T]):
    """Two sides that share no applicant, and how they were found."""

    larger: tuple[T, ...]
    smaller: tuple[T, ...]
    rounds: int
    converged: bool


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
    tolerance: float = 0.005,
    max_rounds: int = 50,
    seed: int = 0,
) -> Split[T]:
    """No applicant in two parts, strata kept: first train against the rest, then test against dev."""
    train_share, dev_share, test_share = shares
    rest_share = dev_share + test_share
    goal = Goal(train_share, tolerance)
    first = divide_by_applicant(items, goal, applicant=applicant, stratum=stratum, max_rounds=max_rounds, seed=seed)
    # What counts as close and as small is meant as a share of all items, of which only the rest is left here.
    rest_goal = Goal(test_share / rest_share, tolerance / rest_share, 0.01 / rest_share, round(100 * rest_share))
    rest = divide_by_applicant(
        first.smaller, rest_goal, applicant=applicant, stratum=stratum, max_rounds=max_rounds, seed=seed + 1
    )
    return Split(first.larger, rest.smaller, rest.larger)


def divide_by_applicant(
    items: Sequence[T], goal: Goal, *, applicant: Key[T], stratum: Key[T], max_rounds: int = 50, seed: int = 0
) -> Division[T]:
    """Start with a smaller share than wanted, move applicants seen on both sides to the larger one, correct, repeat.

    Each stratum has a share of its own to correct. With one for all, strata whose applicants apply often would
    be drawn to the larger side (nine of ten instead of three of four) while the total looks right.
    """
    if not items:
        return Division((), (), 0, converged=True)
    strata = _strata(items, stratum, seed)
    shares = [goal.share / 2] * len(strata)
    best: tuple[float, set[int], int] | None = None
    for number in range(1, max_rounds + 1):
        taken = {
            applicant(items[place])
            for places, share in zip(strata, shares, strict=True)
            for place in places[: round(len(places) * share)]
        }
        larger = {place for place, item in enumerate(items) if applicant(item) in taken}
        gaps = [goal.share - len(larger.intersection(places)) / len(places) for places in strata]
        distance = goal.distance(len(larger) / len(items), gaps, [len(places) for places in strata])
        if best is None or distance < best[0]:
            best = distance, larger, number
        if distance == 0:
            break
        shares = [min(max(share + 0.5 * gap, 0.0), goal.share) for share, gap in zip(shares, gaps, strict=True)]
    return _division(items, best or (0.0, set(), 0), goal)


Fold = tuple[tuple[T, ...], tuple[T, ...]]  # training items, test items


def folds(items: Sequence[T], resume: Key[T], *, k: int = 5, seed: int = 0) -> list[Fold[T]]:
    """k pairs of training and test items; all items of one resume are tested in the same fold."""
    resumes = list(dict.fromkeys(resume(item) for item in items))
    if not 2 <= k <= len(resumes):
        raise ValueError(f"{len(resumes)} resumes cannot make {k} folds")
    random.Random(f"{seed}/folds").shuffle(resumes)  # noqa: S311
    fold_of = {key: place % k for place, key in enumerate(resumes)}
    return [
        (
            tuple(item for item in items if fold_of[resume(item)] != fold),
            tuple(item for item in items if fold_of[resume(item)] == fold),
        )
        for fold in range(k)
    ]


def _strata(items: Sequence[T], label: Key[T], seed: int) -> list[list[int]]:
    """The places of each label's items, shuffled; an item's luck does not depend on the other labels."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        places[label(item)].append(place)
    for key, stratum in places.items():
        random.Random(f"{seed}/{key}").shuffle(stratum)  # noqa: S311
    return list(places.values())


def _division(items: Sequence[T], best: tuple[float, set[int], int], goal: Goal) -> Division[T]:
    distance, larger, rounds = best
    if distance > 0:
        share = len(larger) / len(items)
        warnings.warn(f"applicants cannot be divided at {goal.share:.3f}; best share {share:.3f}", stacklevel=3)
    return Division(
        tuple(item for place, item in enumerate(items) if place in larger),
        tuple(item for place, item in enumerate(items) if place not in larger),
        rounds,
        converged=distance == 0,
    )
