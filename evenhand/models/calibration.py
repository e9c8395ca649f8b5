"""How sure a model is, made honest: one temperature fitted on resumes it did not learn from, and what is left over.

`several` means that any number of labels can be true: every label is a yes or no of its own (sigmoid), and gold is a
table of 0 and 1. Otherwise exactly one is (softmax), and gold is its place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.extras import require

BINS = 15
COLDEST, HOTTEST = 0.05, 20.0
MIN_LOGIT = -709.0  # the power of one further down is infinite
CHOSEN = 0.5  # from this probability on a label of several is said
Floats = NDArray[np.float64]


def to_probabilities(logits: ArrayLike, *, temperature: float = 1.0, several: bool = False) -> Floats:
    """One row per resume. A temperature above 1 makes the model less sure; the order of labels stays."""
    cooled = np.asarray(logits, np.float64) / temperature
    if several:
        return _sigmoid(cooled)
    powers = np.exp(cooled - cooled.max(axis=-1, keepdims=True))
    result: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return result


def _sigmoid(logits: Floats) -> Floats:
    # By math.exp, which is the same on every processor; np.exp differs in the last bit, and predictions are compared.
    probabilities = [1 / (1 + math.exp(-logit)) if logit > MIN_LOGIT else 0.0 for logit in logits.ravel().tolist()]
    return np.array(probabilities).reshape(logits.shape)


def fit_temperature(logits: ArrayLike, gold: ArrayLike, *, several: bool = False) -> float:
    """The temperature under which the gold labels are most likely. Without resumes it is 1."""
    scores, truth = np.asarray(logits, np.float64), np.asarray(gold)
    if not len(scores):
        return 1.0
    require("audit")
    from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]  # noqa: PLC0415 - only fitting needs it

    loss = _loss_several if several else _loss_single

    def of(logarithm: float) -> float:
        return loss(scores / np.exp(logarithm), truth)

    bounds = (float(np.log(COLDEST)), float(np.log(HOTTEST)))
    found = minimize_scalar(of, bounds=bounds, method="bounded", options={"xatol": 1e-6})
    return round(float(np.exp(found.x)), 4)


def _loss_single(logits: Floats, gold: NDArray[Any]) -> float:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    likely = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return float(-likely[np.arange(len(likely)), gold].mean())


def _loss_several(logits: Floats, gold: NDArray[Any]) -> float:
    return float(np.logaddexp(0, np.where(gold > 0, -logits, logits)).mean())


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Judgements whose confidence lies above `low` and up to `high` (the first bin has its `low` too)."""

    low: float
    high: float
    count: int
    confidence: float | None  # mean; None for an empty bin
    accuracy: float | None


def reliability(
    probabilities: ArrayLike, gold: ArrayLike, *, several: bool = False, bins: int = BINS
) -> tuple[CalibrationBin, ...]:
    """Bins of equal width from 0 to 1. For several labels each is a judgement: sure of yes or sure of no."""
    rows, truth = np.asarray(probabilities, np.float64), np.asarray(gold)
    if several:
        confidences, right = np.maximum(rows, 1 - rows).ravel(), ((rows >= CHOSEN) == (truth > 0)).ravel()
    else:
        confidences, right = rows.max(axis=-1), rows.argmax(axis=-1) == truth
    places = np.clip(np.ceil(confidences * bins).astype(int) - 1, 0, bins - 1)
    result = []
    for place in range(bins):
        own = places == place
        means = (float(confidences[own].mean()), float(right[own].mean())) if own.any() else (None, None)
        result.append(CalibrationBin(place / bins, (place + 1) / bins, int(own.sum()), *means))
    return tuple(result)


def calibration_error(probabilities: ArrayLike, gold: ArrayLike, *, several: bool = False, bins: int = BINS) -> float:
    """ECE: how far confidence and accuracy of a bin lie apart, weighted by how many judgements it holds."""
    filled = [row for row in reliability(probabilities, gold, several=several, bins=bins) if row.count]
    total = sum(row.count for row in filled)
    gaps = [row.count * abs((row.confidence or 0.0) - (row.accuracy or 0.0)) for row in filled]
    return sum(gaps) / total if total else 0.0


def abstains(probabilities: ArrayLike, *, below: float, several: bool = False) -> NDArray[np.bool_]:
    """Which resumes get no label: no label reaches `below`, nor, of several, the probability that says one."""
    least = max(below, CHOSEN) if several else below
    return np.asarray(np.asarray(probabilities, np.float64).max(axis=-1) < least)
