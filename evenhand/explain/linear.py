"""Exact scores of a joined model: a sum of terms, each shared by the words it consists of.

The path integral of a linear function is the same along every path and takes no steps, so that integrated gradients,
their relatives at a layer, conductance and DeepLIFT all agree here. A term's value times its coefficient is shared
equally by its occurrences, and within each equally by its words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import UsageError
from evenhand.explain.attribution import Attribution, PlaceScore, is_complete
from evenhand.explain.places import Place, PlacedResume
from evenhand.explain.traces import trace
from evenhand.models.inputs import ResumeInput
from evenhand.models.joined import Joined
from evenhand.models.joined.blocks import TermPart
from evenhand.models.joined.words import list_words

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
LAYER = "terms"
NOWHERE_NUMBER = 0  # of the place that stands for all terms that stand nowhere in the document


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Which share of which term's contribution goes to which place: three columns of one length."""

    places: tuple[Place, ...]  # from number 1 on
    to: Numbers
    terms: Numbers
    shares: Floats

    def sum(self, contributions: Floats) -> Floats:
        """By place; the first element is for what stands nowhere."""
        weights = contributions[self.terms] * self.shares
        found = np.bincount(self.to, weights=weights, minlength=len(self.places) + 1)
        return found.astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Resumes as points that a joined model weighs: a row each, a column per term of each part, one after another."""

    model: Joined
    target: int

    @property
    def width(self) -> int:
        return sum(len(part.terms) for part in self.model.terms)

    @property
    def bias(self) -> float:
        return float(self.model.bias[self.target])

    def coefficients(self) -> Floats:
        columns = [part.coefficients[:, self.target].astype(np.float64) for part in self.model.terms]
        return np.concatenate(columns) if columns else np.zeros(0)

    def row(self, resume: ResumeInput) -> Floats:
        found = np.zeros(self.width)
        start = 0
        for part in self.model.terms:
            places, values = part.row(part.reading.count(resume))
            found[start + places] = values
            start += len(part.terms)
        return found


def attribute_linear(
    model: Joined,
    placed: PlacedResume,
    target: int,
    *,
    baselines: Sequence[Floats] = (),
    method: str = "ig",
    baseline: str = "pad",
    warnings: tuple[str, ...] = (),
) -> Attribution:
    """`baselines` are points as `Points.row` gives them: without any the empty resume, with several their mean."""
    if model.vectors:
        raise UsageError(
            f"The part {model.vectors[0].reading.name} of this model reads with an encoder, "
            "which has no exact scores; explain it by occlusion."
        )
    points = Points(model, target)
    row, weights = points.row(placed.resume), points.coefficients()
    shares = share(model, placed)
    differences = [row - other for other in baselines] or [row]
    sums = np.array([_parts(shares, difference * weights) for difference in differences])
    output = points.bias + float(row @ weights)
    baseline_output = output - float(np.mean([difference @ weights for difference in differences]))
    scores = sums.mean(axis=0)
    delta = float(scores.sum()) - (output - baseline_output)
    return Attribution(
        method=method,
        baseline=baseline,
        output=output,
        baseline_output=baseline_output,
        scores=tuple(
            PlaceScore(*place, score) for place, score in zip(shares.places, scores[1:].tolist(), strict=True)
        ),
        special=float(scores[NOWHERE_NUMBER]),
        delta=delta,
        converged=is_complete(delta, output, baseline_output),
        layer=LAYER,
        draws=sums[:, 1:] if len(baselines) > 1 else None,
        tokens=len(list_words(placed.resume.text)),
        warnings=warnings,
    )


def _parts(shares: Shares, contributions: Floats) -> Floats:
    """By place; what terms add that the resume lacks stands nowhere."""
    found = shares.sum(contributions)
    is_lacking = np.ones(len(contributions), np.bool_)
    is_lacking[shares.terms] = False
    found[NOWHERE_NUMBER] += contributions[is_lacking].sum()
    return found


def share(model: Joined, placed: PlacedResume) -> Shares:
    numbers: dict[Place | None, int] = {None: NOWHERE_NUMBER}
    columns: list[tuple[int, int, float]] = []
    start = 0
    for part in model.terms:
        columns += _shared(part, placed, numbers, start)
        start += len(part.terms)
    to, terms, shares = zip(*columns, strict=True) if columns else ((), (), ())
    return Shares(
        tuple(place for place in numbers if place is not None),
        np.array(to, np.int64),
        np.array(terms, np.int64),
        np.array(shares, np.float64),
    )


def _shared(
    part: TermPart, placed: PlacedResume, numbers: dict[Place | None, int], start: int
) -> list[tuple[int, int, float]]:
    found = []
    for term, occurrences in trace(placed, part.reading.counted).items():
        if (known := part.places.get(term)) is None:
            continue
        for occurrence in occurrences:
            each = 1 / (len(occurrences) * len(occurrence))
            found += [(numbers.setdefault(place, len(numbers)), start + known, each) for place in occurrence]
    return found
