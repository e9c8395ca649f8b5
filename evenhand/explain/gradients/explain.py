"""Why a network said what it said of a resume: a score for every token it read, by the method and from the baseline
that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from evenhand.errors import UsageError
from evenhand.explain.attribution import Attribution, PlaceScore, is_complete
from evenhand.explain.baselines import DRAWS, Reference, negatives_warnings
from evenhand.explain.gradients.baselines import (
    Baseline,
    PathStart,
    PlacedSequence,
    PlacedSequences,
    cut_placed,
    make_baseline,
    word_rows,
)
from evenhand.explain.gradients.conductance import FAST_STEPS as CONDUCTING_FAST_STEPS
from evenhand.explain.gradients.conductance import Conductance
from evenhand.explain.gradients.networks import BLOCK, WORDS, WORDS_LEVEL, OpenNetwork, advance, level_of
from evenhand.explain.gradients.path_integrals import (
    AIM,
    FAST_STEPS,
    FIRST_STEPS,
    Floats,
    Output,
    PathIntegral,
    PathSegment,
    Progress,
    open_output,
    standardised,
)
from evenhand.explain.places import PlacedResume
from evenhand.models.training.layers import pack
from evenhand.records.explanation import FactScore

METHODS = ("ig", "lig", "conductance", "deeplift")
DEFAULT_LAYERS = {"ig": WORDS, "lig": BLOCK, "conductance": "encoder.layer.0", "deeplift": WORDS}
MEAN = "The baseline is the mean embedding of {about}, which is no text that anybody wrote."
CHANCE = "The baseline is chance: {draws} texts as long as this one, of tokens drawn from {about}."
PERCENT = 100
FAST = "Few steps: ranking quality. The order of the strongest words is sound, their scores are rough."


@dataclass(frozen=True, slots=True, eq=False)
class PathAttribution:
    """From one baseline: scores of all tokens of all sequences in order, and what these add to F at both ends."""

    scores: Floats
    output: float
    baseline_output: float
    steps: int
    neurons: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class GradientQuery:
    """All that stays the same whatever baseline the paths begin at."""

    opened: OpenNetwork
    output: Output
    method: str
    layer: str
    sequences: tuple[PlacedSequence, ...]
    features: Tensor | None
    rest: float  # what the features add
    steps: int | None
    fast: bool
    progress: Progress | None

    @property
    def level(self) -> int:
        return level_of(self.layer, self.opened.network.encoder)


def explain_network(
    opened: OpenNetwork,
    placed: PlacedResume,
    target: int,
    *,
    job_text: str | None = None,
    method: str = "ig",
    baseline: str = "pad",
    layer: str | None = None,
    steps: int | None = None,
    fast: bool = False,
    reference: Reference | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Attribution:
    """`steps` to begin with, where more are taken only if the scores do not add up; by default what was measured best.
    `reference` are the resumes that all baselines but pad are made of.
    """
    layer = _layer(opened, method, layer)
    _check_target(opened, target)
    cut = cut_placed(placed, opened.architecture, opened.rules, words=opened.words, job_text=job_text)
    output = open_output(opened, target, count=len(cut.sequences), job_text=job_text)
    features = standardised(opened, placed.resume)
    added = output.feature_scores(features).double() if features is not None else torch.zeros(0).double()
    question = GradientQuery(
        opened, output, method, layer, cut.sequences, features, float(added.sum()), steps, fast, progress
    )
    found = make_baseline(
        baseline,
        opened,
        cut.sequences,
        target,
        reference=reference,
        job_text=job_text,
        draws=draws,
        seed=seed,
    )
    walks = [
        _walk(replace(question, progress=_within(progress, place, len(found.starts))), found, start)
        for place, start in enumerate(found.starts)
    ]
    facts = tuple(
        FactScore(name, placed.resume.features.get(name), float(score))
        for name, score in zip(opened.features, added.tolist(), strict=True)
    )
    return _warned(_gathered(question, cut, walks, facts, baseline), question, found, reference)


def _layer(opened: OpenNetwork, method: str, layer: str | None) -> str:
    if method not in METHODS:
        raise UsageError(f"There is no method {method!r} by gradients; there are {', '.join(METHODS)}.")
    found = layer or DEFAULT_LAYERS[method]
    level_of(found, opened.network.encoder)
    if method in {"ig", "deeplift"} and found != WORDS:
        raise UsageError(f"The method {method} begins at the {WORDS}; lig and conductance take a layer.")
    return found


def _check_target(opened: OpenNetwork, target: int) -> None:
    if not 0 <= target < len(opened.manifest.labels):
        raise UsageError(f"The model has the labels {', '.join(opened.manifest.labels)}, and no other.")


def _within(progress: Progress | None, place: int, count: int) -> Progress | None:
    """Of one baseline after the others: of how many points the next will need nobody knows yet."""
    if progress is None or count == 1:
        return progress
    return lambda done, known: progress(place * PERCENT + PERCENT * done // known, count * PERCENT)


def _walk(question: GradientQuery, baseline: Baseline, start: PathStart) -> PathAttribution:
    if question.method == "conductance":
        return _conduct(question, _legs(question, baseline, start, WORDS_LEVEL))
    level = question.level
    legs = _legs(question, baseline, start, level)
    walk = PathIntegral(question.output, legs, level, question.rest, progress=question.progress)
    if question.method == "deeplift":
        walk.visit([(leg, share) for leg in legs for share in (0.0, 1.0)])
        scores = np.concatenate([leg.points[1.0].scores for leg in legs])
    else:
        # Draws of chance differ from each other by far more than the gate: that each passes it is enough.
        hurried = question.fast or len(baseline.starts) > 1
        first = FAST_STEPS if hurried else FIRST_STEPS
        walk.go(first=question.steps or first, aim=None if hurried else AIM)
        scores = np.concatenate([leg.scores for leg in legs])
    output, begin = (sum(leg.points[share].output for leg in legs) for share in (1.0, 0.0))
    return PathAttribution(scores, output, begin, walk.steps)


def _conduct(question: GradientQuery, legs: Sequence[PathSegment]) -> PathAttribution:
    conducting = Conductance(question.output, question.level, question.progress)
    steps = question.steps or (CONDUCTING_FAST_STEPS if question.fast else None)
    found = conducting.run(legs, first=steps, rest=question.rest)
    return PathAttribution(found.scores, found.output, found.baseline_output, found.steps, found.neurons)


@torch.no_grad()
def _legs(question: GradientQuery, baseline: Baseline, start: PathStart, level: int) -> list[PathSegment]:
    """At a layer above the words, the path goes from what it makes of the baseline to what it makes of the resume."""
    encoder = question.opened.network.encoder
    found = []
    for sequence, begin in zip(question.sequences, start.rows, strict=True):
        packing = pack([len(begin)])
        given, rows = (
            advance(encoder, each, packing, WORDS_LEVEL, level)
            for each in (word_rows(question.opened, sequence), begin)
        )
        key = _key(question, sequence, level) if start.is_shared else None
        found.append(PathSegment(rows, given - rows, sequence.kind, baseline.gathering, key))
    return found


def _key(question: GradientQuery, sequence: PlacedSequence, level: int) -> tuple[object, ...] | None:
    """Of a beginning that other sequences have too; those that hold a job's tokens have their own."""
    asked = question.output
    if sequence.held[1:-1].any():
        return None
    return (level, len(sequence.ids), sequence.kind, asked.target, asked.count, asked.job_text)


def _gathered(
    question: GradientQuery,
    cut: PlacedSequences,
    walks: Sequence[PathAttribution],
    facts: tuple[FactScore, ...],
    baseline: str,
) -> Attribution:
    """The mean over all baselines, parted into what has a place in the document and what has not."""
    draws = np.stack([walk.scores for walk in walks])
    places = [place for sequence in cut.sequences for place in sequence.places]
    known = np.array([place is not None for place in places], np.bool_)
    mean = draws.mean(axis=0)
    scores = tuple(
        PlaceScore(*place, score) for place, score in zip(places, mean.tolist(), strict=True) if place is not None
    )
    special = float(mean[~known].sum()) + question.rest
    features = question.features
    output = float(np.mean([walk.output for walk in walks])) + question.output.constant(features)
    mean_features = None if features is None else torch.zeros_like(features)
    begin = float(np.mean([walk.baseline_output for walk in walks])) + question.output.constant(mean_features)
    delta = sum(each.score for each in scores) + special - (output - begin)
    neurons = [walk.neurons for walk in walks if walk.neurons is not None]
    return Attribution(
        method=question.method,
        baseline=baseline,
        output=output,
        baseline_output=begin,
        scores=scores,
        special=special,
        delta=delta,
        converged=is_complete(delta, output, begin),
        layer=question.layer if question.method != "deeplift" else None,
        steps=max(walk.steps for walk in walks),
        facts=facts,
        draws=draws[:, known] if len(walks) > 1 else None,
        neurons=tuple(np.mean(neurons, axis=0).tolist()) if neurons else (),
        tokens=cut.tokens,
        unread=cut.unread,
    )


def _warned(
    found: Attribution, question: GradientQuery, baseline: Baseline, reference: Reference | None
) -> Attribution:
    manifest, label = question.opened.manifest, question.opened.manifest.labels[question.output.target]
    about = reference.about if reference else "the encoder's vocabulary"
    warnings = []
    if found.unread:
        warnings.append(
            f"The model reads only so far: {found.unread:,} of the resume's {found.unread + found.tokens:,} tokens "
            "were left out and have no score."
        )
    if question.fast and question.method != "deeplift":
        warnings.append(FAST)
    if question.method == "deeplift":
        warnings.append(
            "DeepLIFT has no rules for attention, GELU and normalisation: what remains of it is the gradient times the "
            f"change, and its scores miss the difference by {found.delta:+.3f}."
        )
    match baseline.name:
        case "average":
            warnings.append(MEAN.format(about=about))
        case "negatives":
            count = len(baseline.covered)
            warnings += negatives_warnings(found.baseline_output, baseline.covered, count, manifest, label)
        case "random":
            warnings.append(CHANCE.format(draws=len(baseline.starts), about=about))
    return replace(found, warnings=tuple(warnings))
