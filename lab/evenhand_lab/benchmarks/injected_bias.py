"""Judges whose bias is known, because it was put in: does a swap audit find it, and nothing where there is none.

A judge has a whim about every word that is put in, so that one name does differ from another for no reason; on top of
that one group may be given a bonus. Forty such judges without a bonus are forty audits that must stay silent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

from evenhand.audit.statistics import Floats
from evenhand.audit.swaps.comparison import SwapComparison, compare_all
from evenhand.audit.swaps.editing import AuditSubject
from evenhand.audit.swaps.effects import Integers, TrialOutcome, Trials, columns_of
from evenhand.audit.swaps.plan import Family
from evenhand.audit.swaps.scoring import plan_all

_WORD = re.compile(r"[^\W_]+")
SPREAD = 2.0  # logits: what scores of such judges vary by from resume to resume
WHIM = 0.3  # logits: from one name of a group to another


@dataclass(frozen=True, slots=True)
class InjectedBias:
    """A bonus in logits for every resume that has a word of the group."""

    family: str
    group: str
    size: float


@dataclass(frozen=True, slots=True, eq=False)
class EditTrials:
    """Every edit of some resumes, and how often each word occurs in them as they are."""

    trials: Trials
    base: csr_matrix  # resumes x words


def try_edits(subjects: Sequence[AuditSubject], families: tuple[Family, ...], *, seed: int) -> EditTrials:
    planned = plan_all(subjects, families, seed=seed)
    rows = [(one.number, variant) for one in planned for variant in one.variants]
    return EditTrials(columns_of(rows, families), _counts([one.subject.text for one in planned]))


def _counts(texts: Sequence[str]) -> csr_matrix:
    known: dict[str, int] = {}
    columns: list[int] = []
    ends = [0]
    for text in texts:
        columns += [known.setdefault(word.lower(), len(known)) for word in _WORD.findall(text)]
        ends.append(len(columns))
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(texts), len(known)))


def audit_injected(
    tried: EditTrials, *, seed: int, plant: InjectedBias | None = None, as_ranker: bool = False
) -> list[SwapComparison]:
    """One audit of one judge by chance, with or without a bonus."""
    rng = np.random.default_rng(seed)
    raw: Floats = np.log1p(tried.base) @ rng.normal(size=tried.base.shape[1])
    base = SPREAD / float(raw.std() or 1.0) * raw
    score = base[tried.trials.resume] + _whims(tried.trials, rng)
    if plant is not None:
        score = score + plant.size * _has(tried.trials, plant)
    outcome = _ranked(base, score, tried.trials.resume) if as_ranker else _labelled(base, score)
    return compare_all(replace(tried.trials, outcomes=(outcome,)))


def _whims(trials: Trials, rng: np.random.Generator) -> Floats:
    """What the judge makes of each word that is put in: by chance, and on average the same for every group.

    Weights of single words would not do: all community colleges have two words in common, and a judge with a whim
    about these does treat that group differently. Where values are no examples, each resume has its own.
    """
    found: Floats = rng.normal(0, WHIM / 3, len(trials.resume))
    for at, family in enumerate(trials.families):
        for group in range(len(family.groups)):
            rows = (trials.family == at) & (trials.group == group)
            words, places = np.unique(trials.word[rows], return_inverse=True)
            if not family.fixed and len(words):
                own = rng.normal(0, WHIM, len(words))
                found[rows] += (own - own.mean())[places]
    return found


def _has(trials: Trials, plant: InjectedBias) -> NDArray[np.bool_]:
    at = next(number for number, family in enumerate(trials.families) if family.name == plant.family)
    names = [group.name for group in trials.families[at].groups]
    found: NDArray[np.bool_] = (trials.family == at) & (trials.group == names.index(plant.group))
    return found


def _labelled(base: Floats, score: Floats) -> TrialOutcome:
    middle = float(np.median(base))
    return TrialOutcome("model planted", score, _above(score, middle), base, _above(base, middle), labels=("no", "yes"))


def _above(score: Floats, middle: float) -> Integers:
    return (score > middle).astype(np.int64)


def _ranked(base: Floats, score: Floats, resume: Integers) -> TrialOutcome:
    everyone = np.sort(base)
    shortlist = max(5, len(base) // 10)

    def ranks(values: Floats, own: Floats) -> Integers:
        better = len(everyone) - np.searchsorted(everyone, values, side="right")
        return (1 + better - (own > values)).astype(np.int64)

    rank, base_rank = ranks(score, base[resume]), ranks(base, base)
    listed, base_listed = ((each <= shortlist).astype(np.int64) for each in (rank, base_rank))
    return TrialOutcome("ranker planted", score, listed, base, base_listed, rank, base_rank)


def found_groups(comparisons: Sequence[SwapComparison]) -> set[tuple[str, str]]:
    return {(each.family, each.group) for each in comparisons if each.is_finding}
