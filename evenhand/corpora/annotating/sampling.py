"""Which resumes to label next: a batch in which every stratum has its share of the pool."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evenhand.corpora.splits import apportion


@dataclass(frozen=True, slots=True)
class Candidate:
    """A resume of the pool; its stratum is the level applied for, a model's prediction, or what else is known of it."""

    item: str
    stratum: str


@dataclass(frozen=True, slots=True)
class Batch:
    candidates: tuple[Candidate, ...]
    left: int  # of the pool, after this batch

    def counts(self) -> dict[str, int]:
        found: dict[str, int] = defaultdict(int)
        for each in self.candidates:
            found[each.stratum] += 1
        return dict(sorted(found.items()))


def next_batch(pool: Sequence[Candidate], *, annotated: Collection[str], size: int, seed: int = 0) -> Batch:
    """As many of each stratum as its share of the whole pool, annotated ones included: batch by batch the labelled
    part comes to look like the pool. In chance order, so that nobody reads one stratum after the other.

    A stratum with too few left gives what it has, and the others fill up.
    """
    everything = _unique(pool)
    known = set(annotated)
    strata: dict[str, list[Candidate]] = defaultdict(list)
    totals: dict[str, int] = defaultdict(int)
    for each in everything:
        totals[each.stratum] += 1
        if each.item not in known:
            strata[each.stratum].append(each)
    names = sorted(totals)
    wanted = _wanted([totals[name] for name in names], [len(strata[name]) for name in names], size)
    rng = random.Random(f"{seed}/{len(known & {each.item for each in everything})}")  # noqa: S311
    chosen = [
        each for name, count in zip(names, wanted, strict=True) for each in rng.sample(strata[name], count)
    ]
    rng.shuffle(chosen)
    return Batch(tuple(chosen), sum(map(len, strata.values())) - len(chosen))


def _unique(pool: Sequence[Candidate]) -> list[Candidate]:
    """Sorted, so that the order of the pool's file does not matter."""
    return sorted({each.item: each for each in pool}.values(), key=lambda each: each.item)


def _wanted(totals: Sequence[int], available: Sequence[int], size: int) -> list[int]:
    """By the shares of the strata, none more than it has."""
    counts = [0] * len(totals)
    missing = min(size, sum(available))
    while missing:
        open_shares = [
            total if count < there else 0
            for total, count, there in zip(totals, counts, available, strict=True)
        ]
        more = apportion(missing, open_shares)
        counts = [
            min(there, count + extra) for there, count, extra in zip(available, counts, more, strict=True)
        ]
        missing = min(size, sum(available)) - sum(counts)
    return counts
