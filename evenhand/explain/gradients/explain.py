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
    if not 0 <= target < len(opened.manifest.labels):
        raise UsageError(f"The model has the labels {', '.join(opened.manifest.labels)}, and no other.")
    cut = cut_placed(placed, opened.architecture, opened.rules, words=opened.words, job_text=job_text)
    output = open_output(opened, target, count=len(cut.sequences), job_text=job_text)
    features = standardised(opened, placed.resume)
    added = output.feature_scores(features).double() if features is not None else torch.zeros(0).double()
    query = GradientQuery(
        opened, output, method, layer, cut.sequences, features, float(added.sum()), steps, fast, progress
    )
    start_points = make_baseline(
        baseline, opened, cut.sequences, target, reference=reference, job_text=job_text, draws=draws, seed=seed
    )
    paths = [
        _path_attribution(
            replace(query, progress=_within(progress, place, len(start_points.starts))), start_points, start
        )
        for place, start in enumerate(start_points.starts)
    ]
    facts = tuple(
        FactScore(name, placed.resume.features.get(name), float(score))
        for name, score in zip(opened.features, added.tolist(), strict=True)
    )
    return _warned(_gathered(query, cut, paths, facts, baseline), query, start_points, reference)


def _layer(opened: OpenNetwork, method: str, layer: str | None) -> str:
    if method not in METHODS:
        raise UsageError(f"There is no method {method!r} by gradients; there are {', '.join(METHODS)}.")
    chosen = layer or DEFAULT_LAYERS[method]
    level_of(chosen, opened.network.encoder)
    if method in {"ig", "deeplift"} and chosen != WORDS:
        raise UsageError(f"The method {method} begins at the {WORDS}; lig and conductance take a layer.")
    return chosen


def _within(progress: Progress | None, place: int, count: int) -> Progress | None:
    """Of one baseline after the others: of how many points the next will need nobody knows yet."""
    if progress is None or count == 1:
        return progress
    return lambda done, known: progress(place * PERCENT + PERCENT * done // known, count * PERCENT)


def _path_attribution(query: GradientQuery, baseline: Baseline, start: PathStart) -> PathAttribution:
    level = query.level
    if query.method == "conductance":
        conducting = Conductance(query.output, level, query.progress)
        steps = query.steps or (CONDUCTING_FAST_STEPS if query.fast else None)
        result = conducting.run(_segments(query, baseline, start, WORDS_LEVEL), first=steps, rest=query.rest)
        return PathAttribution(result.scores, result.output, result.baseline_output, result.steps, result.neurons)
    segments = _segments(query, baseline, start, level)
    integral = PathIntegral(query.output, segments, level, query.rest, progress=query.progress)
    if query.method == "deeplift":
        integral.visit([(segment, share) for segment in segments for share in (0.0, 1.0)])
        scores = np.concatenate([segment.points[1.0].scores for segment in segments])
    else:
        # Draws of chance differ from each other by far more than the gate: that each passes it is enough.
        hurried = query.fast or len(baseline.starts) > 1
        first = FAST_STEPS if hurried else FIRST_STEPS
        integral.go(first=query.steps or first, aim=None if hurried else AIM)
        scores = np.concatenate([segment.scores for segment in segments])
    output, begin = (sum(segment.points[share].output for segment in segments) for share in (1.0, 0.0))
    return PathAttribution(scores, output, begin, integral.steps)


@torch.no_grad()
def _segments(query: GradientQuery, baseline: Baseline, start: PathStart, level: int) -> list[PathSegment]:
    """At a layer above the words, the path goes from what it makes of the baseline to what it makes of the resume."""
    encoder = query.opened.network.encoder
    segments = []
    for sequence, begin in zip(query.sequences, start.rows, strict=True):
        packing = pack([len(begin)])
        given, rows = (
            advance(encoder, rows, packing, WORDS_LEVEL, level) for rows in (word_rows(query.opened, sequence), begin)
        )
        key = None
        if start.is_shared and not sequence.held[1:-1].any():  # sequences that hold a job's tokens begin differently
            output = query.output
            key = (level, len(sequence.ids), sequence.kind, output.target, output.count, output.job_text)
        segments.append(PathSegment(rows, given - rows, sequence.kind, baseline.gathering, key))
    return segments


def _gathered(
    query: GradientQuery,
    cut: PlacedSequences,
    paths: Sequence[PathAttribution],
    facts: tuple[FactScore, ...],
    baseline: str,
) -> Attribution:
    """The mean over all baselines, parted into what has a place in the document and what has not."""
    draws = np.stack([path.scores for path in paths])
    places = [place for sequence in cut.sequences for place in sequence.places]
    known = np.array([place is not None for place in places], np.bool_)
    mean = draws.mean(axis=0)
    scores = tuple(
        PlaceScore(*place, score) for place, score in zip(places, mean.tolist(), strict=True) if place is not None
    )
    special = float(mean[~known].sum()) + query.rest
    features = query.features
    output = float(np.mean([path.output for path in paths])) + query.output.constant(features)
    mean_features = None if features is None else torch.zeros_like(features)
    begin = float(np.mean([path.baseline_output for path in paths])) + query.output.constant(mean_features)
    delta = sum(score.score for score in scores) + special - (output - begin)
    neurons = [path.neurons for path in paths if path.neurons is not None]
    return Attribution(
        method=query.method,
        baseline=baseline,
        output=output,
        baseline_output=begin,
        scores=scores,
        special=special,
        delta=delta,
        converged=is_complete(delta, output, begin),
        layer=query.layer if query.method != "deeplift" else None,
        steps=max(path.steps for path in paths),
        facts=facts,
        draws=draws[:, known] if len(paths) > 1 else None,
        neurons=tuple(np.mean(neurons, axis=0).tolist()) if neurons else (),
        tokens=cut.tokens,
        unread=cut.unread,
    )


def _warned(result: Attribution, query: GradientQuery, baseline: Baseline, reference: Reference | None) -> Attribution:
    manifest, label = query.opened.manifest, query.opened.manifest.labels[query.output.target]
    about = reference.about if reference else "the encoder's vocabulary"
    warnings = []
    if result.unread:
        warnings.append(
            f"The model reads only so far: {result.unread:,} of the resume's {result.unread + result.tokens:,} tokens "
            "were left out and have no score."
        )
    if query.fast and query.method != "deeplift":
        warnings.append(FAST)
    if query.method == "deeplift":
        warnings.append(
            "DeepLIFT has no rules for attention, GELU and normalisation: what remains of it is the gradient times the "
            f"change, and its scores miss the difference by {result.delta:+.3f}."
        )
    match baseline.name:
        case "average":
            warnings.append(MEAN.format(about=about))
        case "negatives":
            count = len(baseline.covered)
            warnings += negatives_warnings(result.baseline_output, baseline.covered, count, manifest, label)
        case "random":
            warnings.append(CHANCE.format(draws=len(baseline.starts), about=about))
    return replace(result, warnings=tuple(warnings))
