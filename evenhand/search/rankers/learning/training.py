"""Pairwise logistic regression on the shares, with weights that stay near the present ones and never below 0."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from evenhand.search.rankers.best import Weights
from evenhand.search.rankers.learning.feedback import Feedback, Pair
from evenhand.search.rankers.learning.gate import (
    Floats,
    differences,
    measure_accuracy,
    measure_chance,
    vector,
)
from evenhand.search.rankers.learning.proposal import Proposal, Tally

LABELS_PER_USER = 50
LEARNABLE = ("words", "must_haves", "nice_to_haves", "experience", "title", "education", "meaning")
"""Quality of institutions is learned only where somebody answers for it."""

_HELD_OUT = 4  # one in so many
_POINTS = 10.0  # a resume ahead by so many points is expected to win e to 1
_PULL = 0.5  # towards the present weights, in labels
_DECIMALS = 4


def learn_weights(
    feedback: Feedback,
    *,
    start: Weights | None = None,
    labels_per_user: int = LABELS_PER_USER,
    learn_institutions: bool = False,
) -> Proposal:
    start = start or Weights()
    given = feedback.latest().comparable()
    counted = given.capped(labels_per_user).comparable()
    learned, held_out = _split(counted)
    names = (*LEARNABLE, "institutions") if learn_institutions else LEARNABLE
    weights = _fit(learned.pairs(), start, names)
    judged = held_out.pairs()
    return Proposal(
        weights=weights,
        start=start,
        labels=feedback.version,
        shortlisted=sum(label.shortlisted for label in counted.labels),
        rejected=sum(not label.shortlisted for label in counted.labels),
        users=_tally(given, learned, held_out),
        pairs=len(learned.pairs()),
        held_out=len(judged),
        accuracy_before=measure_accuracy(start, judged),
        accuracy_after=measure_accuracy(weights, judged),
        chance=measure_chance(start, weights, held_out),
    )


def _tally(given: Feedback, learned: Feedback, held_out: Feedback) -> tuple[Tally, ...]:
    all, first, second = (Counter(label.user for label in side.labels) for side in (given, learned, held_out))
    return tuple(
        Tally(user, all[user], all[user] - first[user] - second[user], first[user], second[user])
        for user in sorted(all)
    )


def _split(feedback: Feedback) -> tuple[Feedback, Feedback]:
    """By resume, so that no resume is learned from and judged; which side one is on depends on its name alone."""
    held_out = [zlib.crc32(label.resume.encode()) % _HELD_OUT == 0 for label in feedback.labels]
    sides = [
        Feedback(tuple(label for label, out in zip(feedback.labels, held_out, strict=True) if out is side))
        for side in (False, True)
    ]
    return sides[0], sides[1]


def _fit(pairs: Sequence[Pair], start: Weights, names: tuple[str, ...]) -> Weights:
    """The likelihood is convex, so there is one best answer and no chance in it."""
    if not pairs:
        return start
    apart = differences(pairs, names)
    trust = np.array([pair.weight for pair in pairs])
    present = vector(start, names) / _POINTS

    def loss(values: Floats) -> tuple[float, Floats]:
        margins = apart @ values
        away = values - present
        gradient = -(trust / (1 + np.exp(margins))) @ apart + _PULL * away
        return float(trust @ np.logaddexp(0, -margins) + _PULL * (away @ away) / 2), gradient

    found = minimize(loss, present, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(names))
    points = _rescale(found.x, vector(start, names), told_apart=np.asarray(apart.any(axis=0)))
    learned = {name: round(float(value), _DECIMALS) for name, value in zip(names, points, strict=True)}
    return replace(start, **learned)


def _rescale(found: Floats, start: Floats, *, told_apart: NDArray[np.bool_]) -> Floats:
    """What the pairs differ in shares the points it had before; the rest keeps its own.

    A fit may grow as a whole to be surer. Must-haves must not lose to that only because no job learned from had any.
    """
    if not start[told_apart].sum():
        told_apart = np.ones_like(told_apart)
    points = start.copy()
    if found[told_apart].sum() > 0:
        points[told_apart] = found[told_apart] * (start[told_apart].sum() / found[told_apart].sum())
    return points
