"""How sure a model is, made honest: one temperature fitted on resumes it did not learn from, and what is left over.

`several` means that any number of labels can be true: every label is a yes or no of its own (sigmoid), and gold is a
table of 0 and 1. Otherwise exactly one is (softmax), and gold is its place.
"""

from __future__ import annotations

import math

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
        # By math.exp, which is the same on every processor; np.exp differs in the last bit, and predictions are
        # compared.
        sigmoids = [1 / (1 + math.exp(-logit)) if logit > MIN_LOGIT else 0.0 for logit in cooled.ravel().tolist()]
        return np.array(sigmoids).reshape(cooled.shape)
    powers = np.exp(cooled - cooled.max(axis=-1, keepdims=True))
    result: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return result


def fit_temperature(logits: ArrayLike, gold: ArrayLike, *, several: bool = False) -> float:
    """The temperature under which the gold labels are most likely. Without resumes it is 1."""
    scores, truth = np.asarray(logits, np.float64), np.asarray(gold)
    if not len(scores):
        return 1.0
    require("audit")
    from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]  # noqa: PLC0415 - only fitting needs it

    def loss(logarithm: float) -> float:
        cooled = scores / np.exp(logarithm)
        if several:
            return float(np.logaddexp(0, np.where(truth > 0, -cooled, cooled)).mean())
        shifted = cooled - cooled.max(axis=-1, keepdims=True)
        likely = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
        return float(-likely[np.arange(len(likely)), truth].mean())

    bounds = (float(np.log(COLDEST)), float(np.log(HOTTEST)))
    found = minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-6})
    return round(float(np.exp(found.x)), 4)


def calibration_error(probabilities: ArrayLike, gold: ArrayLike, *, several: bool = False, bins: int = BINS) -> float:
    """ECE: how far confidence and accuracy of a bin lie apart, weighted by how many judgements it holds.

    Bins have equal width and are closed above. For several labels each is a judgement: sure of yes or sure of no.
    """
    rows, truth = np.asarray(probabilities, np.float64), np.asarray(gold)
    if several:
        confidences, right = np.maximum(rows, 1 - rows).ravel(), ((rows >= CHOSEN) == (truth > 0)).ravel()
    else:
        confidences, right = rows.max(axis=-1), rows.argmax(axis=-1) == truth
    places = np.clip(np.ceil(confidences * bins).astype(int) - 1, 0, bins - 1)
    gaps = []
    for place in np.unique(places):
        own = places == place
        gaps.append(int(own.sum()) * abs(float(confidences[own].mean()) - float(right[own].mean())))
    return sum(gaps) / len(places) if gaps else 0.0


def abstains(probabilities: ArrayLike, *, below: float, several: bool = False) -> NDArray[np.bool_]:
    """Which resumes get no label: no label reaches `below`, nor, of several, the probability that says one."""
    least = max(below, CHOSEN) if several else below
    return np.asarray(np.asarray(probabilities, np.float64).max(axis=-1) < least)
