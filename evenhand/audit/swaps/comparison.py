"""One group against the reference of its family, for one ranker or model: effect, flips, worst pairs, and a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evenhand.audit.statistics import holm
from evenhand.audit.swaps.effects import Effect, Integers, TrialOutcome, Trials, measure_effect
from evenhand.records.conversion import JsonRecord
from evenhand.records.report import Severity

ALPHA = 0.05
MIN_PAIRS = 20  # pairs; with fewer nothing is said
LARGE = 0.1  # of what scores vary by in the pool: an effect that people would notice
MAX_MISSED_EFFECT = 0.2  # in the same unit: a test that would have missed this much cannot clear anybody
WORST = 5


@dataclass(frozen=True, slots=True)
class Flips:
    """Pairs in which the label, or the place on the shortlist, came out differently."""

    number: int
    changed: int
    gained: int  # shortlisted with the other group's words only
    lost: int
    placebo_number: int
    placebo_changed: int

    @property
    def rate(self) -> float:
        return self.changed / self.number if self.number else 0.0

    @property
    def placebo_rate(self) -> float:
        return self.placebo_changed / self.placebo_number if self.placebo_number else 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "n": self.number,
            "changed": self.changed,
            "rate": self.rate,
            "gained": self.gained,
            "lost": self.lost,
            "placebo_rate": self.placebo_rate,
        }


@dataclass(frozen=True, slots=True)
class WorstPair:
    """Rows of the trials; ranks where a ranker was asked."""

    resume: int
    reference_row: int
    other_row: int
    difference: float
    reference_rank: int | None
    other_rank: int | None
    reference_label: str | None
    other_label: str | None

    def to_json(self) -> dict[str, Any]:
        return {
            "resume": self.resume,
            "difference": self.difference,
            "ranks": [self.reference_rank, self.other_rank],
            "labels": [self.reference_label, self.other_label],
        }


@dataclass(frozen=True, slots=True)
class Share:
    """How much of an explanation lies on the edited words, beside how many of all words they are."""

    number: int
    attribution: float
    tokens: float
    signed: float

    def to_json(self) -> dict[str, Any]:
        return {
            "n": self.number,
            "attribution_share": self.attribution,
            "token_share": self.tokens,
            "signed_share": self.signed,
        }


@dataclass(frozen=True, slots=True)
class SwapComparison:
    scorer: str
    family: str
    group: str
    reference: str
    score: Effect
    rank: Effect | None
    flips: Flips
    worst: tuple[WorstPair, ...]
    corrected_p: float = 1.0
    share: Share | None = None

    @property
    def code(self) -> str:
        return f"swap.{self.family}.{self.group}.{self.scorer.replace(' ', '.')}"

    @property
    def is_moved(self) -> bool:
        """Beyond chance after correction, and beyond what words of one group do."""
        enough = self.score.effect.number >= MIN_PAIRS
        return enough and self.corrected_p < ALPHA and self.score.is_outside

    @property
    def is_doubtful(self) -> bool:
        """The interval excludes zero and what words of one group do, but among so many comparisons it may be chance."""
        return self.score.is_outside and not self.is_moved

    @property
    def is_small(self) -> bool:
        return abs(self.score.in_units) < LARGE

    @property
    def is_finding(self) -> bool:
        """Moved, and by more than these words are of all words, as far as that was asked."""
        return self.is_moved and (self.share is None or self.share.attribution > self.share.tokens)

    @property
    def severity(self) -> Severity:
        if self.is_finding:
            return "concern" if not self.is_small or self.flips.rate > self.flips.placebo_rate + 0.02 else "watch"
        if self.is_moved:
            return "watch" if self.is_small else "concern"
        if self.is_doubtful or self.score.effect.number < MIN_PAIRS or self.score.detectable > MAX_MISSED_EFFECT:
            return "unknown"
        return "clear"

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "judge": self.scorer,
            "family": self.family,
            "group": self.group,
            "reference": self.reference,
            "severity": self.severity,
            "finding": self.is_finding,
            "p_corrected": self.corrected_p,
            "score": self.score.to_json(),
            "rank": self.rank.to_json() if self.rank else None,
            "flips": self.flips.to_json(),
            "share": self.share.to_json() if self.share else None,
            "worst": [pair.to_json() for pair in self.worst],
        }


def compare_all(trials: Trials) -> list[SwapComparison]:
    """Every outcome, family and group; p-values are corrected over all of one outcome."""
    return [comparison for outcome in trials.outcomes for comparison in corrected(list(_compared(trials, outcome)))]


def corrected(comparisons: Sequence[SwapComparison]) -> list[SwapComparison]:
    values = holm([comparison.score.p for comparison in comparisons])
    return [replace(comparison, corrected_p=value) for comparison, value in zip(comparisons, values, strict=True)]


def _compared(trials: Trials, outcome: TrialOutcome) -> Iterator[SwapComparison]:
    for at, family in enumerate(trials.families):
        triples = trials.triples(at)
        triples = triples[np.isfinite(outcome.score[triples]).all(axis=1)]  # one that was not read costs its pairs
        for number, group in enumerate(family.groups[1:], start=1):
            own = triples[trials.group[triples[:, 2]] == number]
            unit = float(np.std(outcome.base)) if len(outcome.base) > 1 else 0.0
            rank = None
            if outcome.rank is not None:
                ranks, places = outcome.rank.astype(np.float64), float(max(len(outcome.base), 1))
                rank = _effect(trials, ranks, own, triples, fixed=family.fixed, unit=places)
            yield SwapComparison(
                scorer=outcome.scorer,
                family=family.name,
                group=group.name,
                reference=family.reference.name,
                score=_effect(trials, outcome.score, own, triples, fixed=family.fixed, unit=unit),
                rank=rank,
                flips=_flips(outcome, own, triples),
                worst=tuple(_worst(trials, outcome, own)),
            )


def _effect(trials: Trials, values: Any, own: Integers, triples: Integers, *, fixed: bool, unit: float) -> Effect:
    differences = values[own[:, 2]] - values[own[:, 0]]
    placebo = values[triples[:, 1]] - values[triples[:, 0]]
    words = () if fixed else (trials.word[own[:, 2]], trials.word[own[:, 0]])
    same = () if fixed else (trials.word[triples[:, 1]], trials.word[triples[:, 0]])
    return measure_effect(differences, placebo, words=words, placebo_words=same, unit=unit)


def _flips(outcome: TrialOutcome, own: Integers, triples: Integers) -> Flips:
    before, after = outcome.label[own[:, 0]], outcome.label[own[:, 2]]
    same, other = outcome.label[triples[:, 0]], outcome.label[triples[:, 1]]
    gained, lost = (int(moved.sum()) if outcome.is_ranker else 0 for moved in (after > before, after < before))
    changed, placebo_changed = int((before != after).sum()), int((same != other).sum())
    return Flips(len(own), changed, gained, lost, len(triples), placebo_changed)


def _worst(trials: Trials, outcome: TrialOutcome, own: Integers) -> Iterator[WorstPair]:
    """Those that moved farthest: by ranks where there are any, else by score; none that did not move."""
    differences = outcome.score[own[:, 2]] - outcome.score[own[:, 0]]
    moved = np.abs(differences)
    if outcome.rank is not None:
        moved = np.abs(outcome.rank[own[:, 2]] - outcome.rank[own[:, 0]]) + moved / (1 + moved.max(initial=0))
    for at in np.argsort(-moved, kind="stable")[:WORST]:
        if moved[at] == 0:
            return
        rows = int(own[at, 0]), int(own[at, 2])
        first, other = (None if outcome.rank is None else int(outcome.rank[row]) for row in rows)
        labels = [outcome.labels[outcome.label[row]] if outcome.labels else None for row in rows]
        yield WorstPair(int(trials.resume[rows[0]]), *rows, float(differences[at]), first, other, *labels)


# How firmly a rank stands: between which ranks a candidate would be after edits that change nothing that matters.


@dataclass(frozen=True, slots=True)
class RankBand(JsonRecord):
    """3rd, 2nd to 9th under four harmless edits."""

    resume: int
    rank: int
    best: int
    worst: int
    edits: int


def rank_bands(trials: Trials, outcome: TrialOutcome) -> list[RankBand]:
    """In the order of the ranks; one per resume, also for those in which nothing could be reworded."""
    if outcome.rank is None or outcome.base_rank is None:
        return []
    seen: dict[int, list[int]] = {number: [] for number in range(len(outcome.base_rank))}
    rows = trials.rewordings()
    for row in rows[np.isfinite(outcome.score[rows])]:
        seen[int(trials.resume[row])].append(int(outcome.rank[row]))
    bands = [
        RankBand(number, rank, min([rank, *seen[number]]), max([rank, *seen[number]]), len(seen[number]))
        for number, rank in enumerate(outcome.base_rank.tolist())
    ]
    return sorted(bands, key=lambda band: band.rank)
