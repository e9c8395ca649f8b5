"""From counted resumes to a model that ships: fitted, made small, and made honest about how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression

from evenhand.models.calibration import fit_temperature
from evenhand.models.joined.blocks import TermPart, VectorPart
from evenhand.models.joined.fitting import Gold, compact, fit, logits_of
from evenhand.models.joined.model import Floats, Joined
from evenhand.models.joined.prepared import Prepared
from evenhand.models.joined.recipe import Recipe

CUTS = np.linspace(0.2, 0.8, 61)
Parts = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """`agreement` is the share of held-out judgements that the model says with and without being made small."""

    model: Joined
    temperature: float
    held_out: Floats  # logits, a row per resume learned from, by models that had not seen it
    agreement: float


@dataclass(frozen=True, slots=True)
class Lesson:
    """Everything that fitting needs besides which resumes to fit on."""

    prepared: Prepared
    gold: Gold
    labels: tuple[str, ...]
    recipe: Recipe
    several: bool
    seed: int

    def fit(self, chosen: Sequence[int]) -> Joined:
        return fit(self.prepared, self.gold, self.labels, self.recipe, chosen=chosen, seed=self.seed)


def learn(lesson: Lesson, parts: Parts) -> Learned:
    """Fits on all `parts` together. What is chosen afterwards, temperature or borders, is chosen on held-out logits:
    each part judged by a model of the others."""
    chosen = sorted(at for part in parts for at in part)
    held_out, agreement = _held_out(lesson, parts, chosen)
    model = compact(lesson.fit(chosen))
    truth = lesson.gold[chosen]
    if not lesson.several:
        return Learned(model, fit_temperature(held_out, truth.argmax(axis=1)), held_out, agreement)
    slopes, offsets = borders(held_out, truth)
    moved = held_out * slopes + offsets
    return Learned(
        rescaled(model, slopes, offsets), fit_temperature(moved, truth, several=True), moved, agreement
    )


def _held_out(lesson: Lesson, parts: Parts, chosen: Sequence[int]) -> tuple[Floats, float]:
    rows = np.zeros((lesson.prepared.resumes, len(lesson.labels)))
    same = []
    for part in parts:
        others = sorted(set(chosen) - set(part))
        full = lesson.fit(others)
        rows[list(part)] = logits_of(compact(full), lesson.prepared, part)
        before = logits_of(full, lesson.prepared, part)
        same.append(_said(before, lesson.several) == _said(rows[list(part)], lesson.several))
    return rows[list(chosen)], float(np.concatenate([each.ravel() for each in same]).mean())


def _said(logits: Floats, several: bool) -> NDArray[np.generic]:
    return np.asarray(logits > 0 if several else logits.argmax(axis=1))


def borders(logits: Floats, truth: Gold) -> tuple[Floats, Floats]:
    """Slope and offset per label: log-odds by Platt's method, then moved together so that saying every label above
    one half gives the best micro-F1."""
    lines = [_line(logits[:, at], truth[:, at]) for at in range(truth.shape[1])]
    slopes, offsets = (np.array(column) for column in zip(*lines, strict=True))
    sure = expit(logits * slopes + offsets)
    best = max(CUTS, key=lambda cut: (micro_f1(sure >= cut, truth), -abs(cut - 0.5)))
    return slopes, offsets - logit(best)


def _line(logits: Floats, truth: NDArray[np.bool_]) -> tuple[float, float]:
    if len(set(truth)) == 1:
        return 1.0, 0.0
    fitted = LogisticRegression(C=1e6).fit(logits[:, None], truth)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


def micro_f1(said: Gold, truth: Gold) -> float:
    return float(2 * (said & truth).sum() / max(said.sum() + truth.sum(), 1))


def rescaled(model: Joined, slopes: Floats, offsets: Floats) -> Joined:
    """Every label's logit times its slope plus its offset, put into coefficients and bias."""
    scale = slopes.astype(np.float32)
    terms: tuple[TermPart, ...] = tuple(
        replace(part, coefficients=part.coefficients * scale) for part in model.terms
    )
    vectors: tuple[VectorPart, ...] = tuple(
        replace(part, coefficients=part.coefficients * scale) for part in model.vectors
    )
    bias = (model.bias * slopes + offsets).astype(np.float32)
    return Joined(model.labels, bias, terms, vectors)
