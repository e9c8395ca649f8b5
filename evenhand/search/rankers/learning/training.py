"""Pairwise logistic regression on the shares, with weights that stay near the present ones and never below 0."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from evenhand.search.rankers.best import Weights
from evenhand.search.rankers.learning.feedback import Feedback, Pair

LABELS_PER_USER = 50
LEARNABLE = ("words", "must_haves", "nice_to_haves", "experience", "title", "education", "meaning")
"""Quality of institutions is learned only where somebody answers for it."""

_HELD_OUT = 4  # one in so many
_POINTS = 10.0  # a resume ahead by so many points is expected to win e to 1
_PULL = 0.5  # towards the present weights, in labels
_DECIMALS = 4

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was learned, and whether it may replace what it started from."""

    weights: Weights
    labels: str  # version of the feedback
    pairs: int
    held_out: int
    accuracy_before: float | None  # share of held-out pairs in the right order; None where none was held out
    accuracy_after: float | None

    @property
    def adopted(self) -> bool:
        """Nothing is adopted unseen."""
        if self.accuracy_before is None or self.accuracy_after is None:
            return False
        return self.accuracy_after >= self.accuracy_before

    def to_json(self) -> dict[str, Any]:
        return {
            "weights": self.weights.to_json(),
            "labels": self.labels,
            "pairs": self.pairs,
            "held_out": self.held_out,
            "accuracy_before": self.accuracy_before,
            "accuracy_after": self.accuracy_after,
            "adopted": self.adopted,
        }


def learn_weights(
    feedback: Feedback,
    *,
    start: Weights | None = None,
    labels_per_user: int = LABELS_PER_USER,
    learn_institutions: bool = False,
) -> Proposal:
    start = start or Weights()
    capped = feedback.capped(labels_per_user)
    kept, held_out = _split(capped)
    names = (*LEARNABLE, "institutions") if learn_institutions else LEARNABLE
    weights = _fit(kept.pairs(), start, names)
    judged = held_out.pairs()
    return Proposal(
        weights,
        feedback.version,
        len(kept.pairs()),
        len(judged),
        measure_accuracy(start, judged),
        measure_accuracy(weights, judged),
    )


def measure_accuracy(weights: Weights, pairs: Sequence[Pair]) -> float | None:
    """The weighted share of pairs in the right order; a tie is half right."""
    if not pairs:
        return None
    names = tuple(weights.to_json())
    ahead = np.sign(np.round(_differences(pairs, names) @ _vector(weights, names), 9))
    trust = np.array([pair.weight for pair in pairs])
    return round(float(trust @ (1 + ahead) / 2 / trust.sum()), 9)


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
    differences = _differences(pairs, names)
    trust = np.array([pair.weight for pair in pairs])
    present = _vector(start, names) / _POINTS

    def loss(values: Floats) -> tuple[float, Floats]:
        margins = differences @ values
        away = values - present
        gradient = -(trust / (1 + np.exp(margins))) @ differences + _PULL * away
        return float(trust @ np.logaddexp(0, -margins) + _PULL * (away @ away) / 2), gradient

    found = minimize(loss, present, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(names))
    # On the scale of the start, that weights of different versions can be compared by eye.
    points = (
        found.x * (_vector(start, names).sum() / found.x.sum())
        if found.x.sum() > 0
        else _vector(start, names)
    )
    learned = {name: round(float(value), _DECIMALS) for name, value in zip(names, points, strict=True)}
    return replace(start, **learned)


def _differences(pairs: Sequence[Pair], names: Sequence[str]) -> Floats:
    """A feature that a job does not ask for tells nobody apart."""
    rows = [
        [pair.better.shares.get(name, 0.0) - pair.worse.shares.get(name, 0.0) for name in names]
        for pair in pairs
    ]
    return np.array(rows, np.float64).reshape(len(pairs), len(names))


def _vector(weights: Weights, names: Sequence[str]) -> Floats:
    values = weights.to_json()
    return np.array([values[name] for name in names])
