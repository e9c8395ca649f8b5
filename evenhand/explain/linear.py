"""Exact scores of a joined model: a sum of terms, each shared by the words it consists of.

The path integral of a linear function is the same along every path and takes no steps, so that integrated gradients,
their relatives at a layer, conductance and DeepLIFT all agree here. A term's value times its coefficient is shared
equally by its occurrences, and within each equally by its words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import UnknownBaseline, UsageError
from evenhand.explain.attribution import Attribution, PlaceScore, is_complete
from evenhand.explain.baselines import DRAWS, Reference, lacks_label, negatives_warnings
from evenhand.explain.places import NOWHERE, Offsets, Place, PlacedResume, place_of
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.linear.model import (
    REACH_WORDS,
    Counted,
    LinearModel,
    Source,
    TermPart,
    find_words,
    list_words,
    places_before_periods,
)
from evenhand.models.linear.storing import LinearClassifier

# Where in the document each term stands that a joined model counts.

Occurrence = tuple[Place | None, ...]
"""The places of a term's words; None for a word that stands nowhere in the document."""

_FILLED = re.compile(r"\S+")
_GAP = np.full(1, NOWHERE, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class TracedText:
    """A text that a joined model counts the words of, with the place of each character in the document."""

    text: str
    offsets: Offsets

    def place(self, start: int, end: int) -> Place | None:
        return place_of(self.offsets[start:end])


def trace(placed: PlacedResume, counted: Counted) -> Mapping[str, Sequence[Occurrence]]:
    """Every occurrence of every term, by term: as many as `TermReading.count` counts."""
    source, longest, stops = counted
    occurrences: dict[str, list[Occurrence]] = defaultdict(list)
    for text in traced_texts(placed, source):
        words = list(find_words(text.text, stops=stops))
        places = [text.place(word.start, word.end) for word in words]
        for length in range(1, longest + 1):
            for start in range(len(words) - length + 1):
                term = " ".join(word.text for word in words[start : start + length])
                occurrences[term].append(tuple(places[start : start + length]))
    return occurrences


def traced_texts(placed: PlacedResume, source: Source) -> list[TracedText]:
    """Those of `texts_of`, in the same order."""
    titles = [TracedText(title.text, title.offsets) for title in placed.titles]
    if source in ("current", "past", "titles"):
        return titles[:1] if source == "current" else titles[1:] if source == "past" else titles
    body = _body(placed)
    if source == "body":
        return [body]
    for start, end in places_before_periods(body.text):  # as `before_periods`: the last words, one blank between two
        words = list(_FILLED.finditer(body.text, start, end))[-REACH_WORDS:]
        if words:
            offsets = [part for word in words for part in (_GAP, body.offsets[word.start() : word.end()])]
            titles.append(TracedText(" ".join(word[0] for word in words), np.concatenate(offsets[1:])))
    return titles


def _body(placed: PlacedResume) -> TracedText:
    """Sections joined by breaks, as `ResumeInput.text` joins them."""
    offsets = [part for section in placed.sections for part in (_GAP, section.offsets)]
    return TracedText(placed.resume.text, np.concatenate(offsets[1:]) if offsets else np.zeros(0, np.int32))


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
        """By place; the first element is for what stands nowhere, and for what terms add that the resume lacks."""
        weights = contributions[self.terms] * self.shares
        sums = np.bincount(self.to, weights=weights, minlength=len(self.places) + 1).astype(np.float64)
        is_lacking = np.ones(len(contributions), np.bool_)
        is_lacking[self.terms] = False
        sums[NOWHERE_NUMBER] += contributions[is_lacking].sum()
        return sums


@dataclass(frozen=True, slots=True, eq=False)
class LinearPoints:
    """Resumes as points that a joined model weighs: a row each, a column per term of each part, one after another."""

    model: LinearModel
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
        point = np.zeros(self.width)
        start = 0
        for part in self.model.terms:
            places, values = part.row(part.reading.count(resume))
            point[start + places] = values
            start += len(part.terms)
        return point


def attribute_linear(
    model: LinearModel,
    placed: PlacedResume,
    target: int,
    *,
    baselines: Sequence[Floats] = (),
    method: str = "ig",
    baseline: str = "pad",
    warnings: tuple[str, ...] = (),
) -> Attribution:
    """`baselines` are points as `LinearPoints.row` gives them: without any the empty resume, of several their mean."""
    if model.vectors:
        raise UsageError(
            f"The part {model.vectors[0].reading.name} of this model reads with an encoder, "
            "which has no exact scores; explain it by occlusion."
        )
    points = LinearPoints(model, target)
    row, weights = points.row(placed.resume), points.coefficients()
    shares = share(model, placed)
    differences = [row - other for other in baselines] or [row]
    sums = np.array([shares.sum(difference * weights) for difference in differences])
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


def share(model: LinearModel, placed: PlacedResume) -> Shares:
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
    columns = []
    for term, occurrences in trace(placed, part.reading.counted).items():
        if (known := part.places.get(term)) is None:
            continue
        for occurrence in occurrences:
            share = 1 / (len(occurrences) * len(occurrence))
            columns += [(numbers.setdefault(place, len(numbers)), start + known, share) for place in occurrence]
    return columns


# What a joined model's scores are measured against: nothing, an average, those without the label, or chance.

BASELINES = ("pad", "average", "negatives", "random")
MEAN = "The baseline is the mean of {about}, which is no resume that anybody wrote."
CHANCE = "The baseline is chance: {draws} texts as long as this one, of words drawn from {about}."
Find = Callable[[], Reference]
"""Gives the resumes to compare with; only baselines that need them ask for them."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearBaseline:
    """`points` as `attribute_linear` takes them."""

    name: str
    points: tuple[Floats, ...] = ()
    warnings: tuple[str, ...] = ()


def make_baseline(
    name: str,
    classifier: LinearClassifier,
    resume: ResumeInput,
    target: int,
    *,
    find: Find,
    draws: int = DRAWS,
    seed: int = 0,
) -> LinearBaseline:
    points = LinearPoints(classifier.model, target)
    match name:
        case "pad":
            return LinearBaseline(name)
        case "average":
            reference = find()
            mean = _rows(classifier.model, reference).mean(axis=0)
            return LinearBaseline(name, (mean,), (MEAN.format(about=reference.about),))
        case "negatives":
            return _negatives(classifier, points, find())
        case "random":
            reference = find()
            rng = np.random.default_rng(seed)
            rows = []
            for _ in range(draws):  # as many words in every section and title as the resume has
                texts = [*(section.text for section in resume.sections), *resume.titles]
                drawn = [" ".join(reference.draw(len(text.split()), rng)) for text in texts]
                sections = zip(resume.sections, drawn, strict=False)
                changed = tuple(SectionText(section.kind, text) for section, text in sections)
                titles = tuple(drawn[len(changed) :])
                rows.append(points.row(replace(resume, sections=changed, titles=titles)))
            return LinearBaseline(name, tuple(rows), (CHANCE.format(draws=draws, about=reference.about),))
    raise UnknownBaseline(f"There is no baseline {name!r}; there are {', '.join(BASELINES)}.")


def _negatives(classifier: LinearClassifier, points: LinearPoints, reference: Reference) -> LinearBaseline:
    manifest, label = classifier.manifest, classifier.manifest.labels[points.target]
    probabilities = _predictions(classifier, reference)
    lacking = np.flatnonzero(lacks_label(probabilities, points.target, manifest)).tolist()
    if not lacking:
        raise UnknownBaseline(f"The model gives {label} to all {reference.about}: there are no negative ones.")
    mean = _rows(classifier.model, reference)[lacking].mean(axis=0)
    output = points.bias + float(mean @ points.coefficients())
    given = [manifest.labels[at] for at in probabilities[lacking].argmax(axis=1).tolist()]
    warnings = negatives_warnings(output, given, len(lacking), manifest, label)
    return LinearBaseline("negatives", (mean,), warnings)


@lru_cache(maxsize=4)  # the same for every resume that is explained
def _rows(model: LinearModel, reference: Reference) -> Floats:
    points = LinearPoints(model, 0)
    return np.array([points.row(resume) for resume in reference.inputs])


@lru_cache(maxsize=4)
def _predictions(classifier: LinearClassifier, reference: Reference) -> Floats:
    return classifier.predict(reference.inputs)
