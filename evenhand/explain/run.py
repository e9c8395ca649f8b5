"""Why a model said what it said of a resume: `explain` for one, an Explainer for many.

A prediction is a guess about a text; an explanation tells which words of the text made it, how far they add up to it,
and whether the model would really have said something else without them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evenhand.documents.reading import PathLike, read
from evenhand.errors import (
    GradientsUnavailable,
    NothingToExplain,
    UnknownBaseline,
    UnknownMethod,
    UnknownTarget,
    UsageError,
)
from evenhand.explain.attribution import Attribution, ModelWords, ScoringModel, words_of
from evenhand.explain.baselines import Reference, find_reference
from evenhand.explain.linear import BASELINES, attribute_linear, make_baseline
from evenhand.explain.occlusion import (
    UNITS,
    Unit,
    attribute_by_occlusion,
    faithfulness_warnings,
    find_change,
    measure_faithfulness,
)
from evenhand.explain.places import PlacedResume, placed_text
from evenhand.mining.pipeline import MinedResume, mine
from evenhand.models.calibration import CHOSEN
from evenhand.models.inference.network import NetworkClassifier
from evenhand.models.linear.storing import LinearClassifier
from evenhand.models.manifest import Manifest
from evenhand.models.predict import Predictor, open_predictor
from evenhand.models.registry import MANIFEST, checked_task, find_model, load_artefact
from evenhand.progress import Progress, ProgressBar, no_progress
from evenhand.records.document import Document
from evenhand.records.explanation import Explanation, Prediction, WordScore
from evenhand.records.job import Job
from evenhand.records.profile import Profile
from evenhand.settings import Settings

if TYPE_CHECKING:
    from evenhand.explain.gradients.networks import OpenNetwork


# Which method explains which model: exact scores, path integrals with torch, or taking words away.

METHODS = ("ig", "lig", "deeplift", "conductance", "occlusion")
NO_TORCH = "torch, which is not installed (`make models` installs it)"
EXACT = "This model is a sum of terms: its scores are exact and take no steps, and {method} gives the same as ig."
NO_LAYERS = "This model has no layers; {layer!r} was not used."


@dataclass(frozen=True, slots=True, eq=False)
class LoadedModel:
    """A model ready to be asked, and where to find what else some methods need."""

    folder: Path
    model: ScoringModel
    reference_folder: PathLike | None
    settings: Settings

    @property
    def is_linear(self) -> bool:
        classifier = self.model.classifier
        return isinstance(classifier, LinearClassifier) and not classifier.model.vectors

    def reference(self) -> Reference:
        return find_reference(self.reference_folder, self.settings)

    def network(self) -> OpenNetwork:
        named = self.settings.encoder
        encoder = Path(named).expanduser().absolute() if named else None
        changed = (self.folder / MANIFEST).stat().st_mtime_ns
        return _open_network(self.folder.absolute(), changed, encoder)


@lru_cache(maxsize=2)
def _open_network(folder: Path, changed: int, encoder: Path | None) -> OpenNetwork:
    from evenhand.explain.gradients.networks import open_network  # noqa: PLC0415 - torch is for gradients

    encoders = (None,) if encoder is None else (encoder, None)
    return open_network(load_artefact(folder), encoders=encoders)


@dataclass(frozen=True, slots=True)
class AttributionMethod:
    """As it was asked for and found possible; `warnings` say where it is not what was meant."""

    name: str
    baseline: str = "pad"
    layer: str | None = None
    steps: int | None = None
    fast: bool = False
    unit: Unit = "word"
    seed: int = 0
    warnings: tuple[str, ...] = ()


def choose(
    opened: LoadedModel,
    *,
    method: str | None,
    baseline: str = "pad",
    layer: str | None = None,
    steps: int | None = None,
    fast: bool = False,
    unit: str | None = None,
    seed: int = 0,
) -> AttributionMethod:
    """Without `method` integrated gradients, or occlusion where they cannot be had."""
    name, warnings = _method(opened, method)
    if baseline not in BASELINES:
        raise UnknownBaseline(f"There is no baseline {baseline!r}; there are {', '.join(BASELINES)}.")
    if name == "occlusion" and baseline != "pad":
        raise UnknownBaseline("Occlusion takes words away: it has no other baseline than pad, the empty resume.")
    if unit is not None and name != "occlusion":
        raise UsageError("Words, lines or sections are taken away by --method occlusion only.")
    if steps is not None and steps < 1:
        raise UsageError("A path takes one step at least.")
    if layer is not None and opened.is_linear:
        warnings = (*warnings, NO_LAYERS.format(layer=layer))
    return AttributionMethod(name, baseline, layer, steps, fast, _unit(opened, unit), seed, warnings)


def _method(opened: LoadedModel, method: str | None) -> tuple[str, tuple[str, ...]]:
    if method is not None and method not in METHODS:
        raise UnknownMethod(f"There is no method {method!r}; there are {', '.join(METHODS)}.")
    if method == "occlusion" or opened.is_linear:
        return method or "ig", ()
    if isinstance(opened.model.classifier, LinearClassifier):
        if method is not None:
            raise UnknownMethod("A part of this model reads with an encoder: explain it by occlusion.")
        return "occlusion", ("A part of this model reads with an encoder, so words were taken away one by one.",)
    if find_spec("torch") is not None:
        return method or "ig", ()
    if method is not None:
        raise GradientsUnavailable(f"The method {method} needs {NO_TORCH}; --method occlusion does without.")
    return "occlusion", (f"Lines were taken away one by one, because integrated gradients need {NO_TORCH}.",)


def _unit(opened: LoadedModel, unit: str | None) -> Unit:
    """Networks take long to read a resume once for each of its words; lines are what they are asked about."""
    for known in UNITS:
        if unit == known:
            return known
    if unit is not None:
        raise UsageError(f"{', '.join(UNITS)} can be taken away, not {unit!r}.")
    return "word" if isinstance(opened.model.classifier, LinearClassifier) else "line"


def attribute(
    opened: LoadedModel,
    placed: PlacedResume,
    words: ModelWords,
    target: int,
    method: AttributionMethod,
    progress: Callable[[int, int], None] | None = None,
) -> Attribution:
    """`progress` hears of some of all steps, where a method takes many."""
    classifier = opened.model.classifier
    if method.name == "occlusion":
        attribution = attribute_by_occlusion(opened.model, placed, words, target, unit=method.unit)
    elif isinstance(classifier, LinearClassifier):
        against = make_baseline(
            method.baseline, classifier, placed.resume, target, find=opened.reference, seed=method.seed
        )
        note = () if method.name == "ig" else (EXACT.format(method=method.name),)
        attribution = attribute_linear(
            classifier.model,
            placed,
            target,
            baselines=against.points,
            method=method.name,
            baseline=against.name,
            warnings=(*note, *against.warnings),
        )
    else:
        from evenhand.explain.gradients.explain import explain_network  # noqa: PLC0415 - torch is for gradients

        attribution = explain_network(
            opened.network(),
            placed,
            target,
            job_text=opened.model.job_text,
            method=method.name,
            baseline=method.baseline,
            layer=method.layer,
            steps=method.steps,
            fast=method.fast,
            reference=None if method.baseline == "pad" else opened.reference(),
            seed=method.seed,
            progress=progress,
        )
    return replace(attribution, warnings=(*method.warnings, *attribution.warnings))


PERCENT, ATTRIBUTED = 100, 70  # of the work of one explanation


@dataclass(frozen=True, slots=True)
class ExplainedResume:
    """An explanation beside what it is shown with. `lines` are those with words, scored, in the order of `text`."""

    explanation: Explanation
    prediction: Prediction
    probability: float  # of the label that is explained
    is_said: bool  # whether the model gives the resume this label
    text: str  # of the document, that all places refer to
    lines: tuple[WordScore, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Explainer:
    """A model, ready, and how it is to be explained."""

    opened: LoadedModel
    predictor: Predictor
    method: AttributionMethod

    @property
    def manifest(self) -> Manifest:
        return self.predictor.manifest

    def explain(
        self,
        document: Document,
        profile: Profile,
        *,
        target: str | None = None,
        faithful: bool = True,
        changes: bool = True,
        progress: Progress = no_progress,
    ) -> tuple[ExplainedResume, ...]:
        """One label: the one asked for, else the one that is said, or every one of several.

        `faithful` and `changes` are checks by judging: whether the words matter, and which lines decide.
        NothingToExplain where the model reads no word of the resume.
        """
        subject = self._subject(document, profile)
        targets = self._targets(subject.prediction, target)
        with progress("explaining", PERCENT * len(targets)) as bar:
            return tuple(
                self._one(subject, target, ExplanationProgress(bar), faithful=faithful, changes=changes)
                for target in targets
            )

    def labels(self, document: Document, profile: Profile, *, target: str | None = None) -> tuple[str, ...]:
        """Those that `explain` would explain."""
        prediction = self._subject(document, profile).prediction
        return tuple(self.manifest.labels[number] for number in self._targets(prediction, target))

    def _subject(self, document: Document, profile: Profile) -> ExplanationSubject:
        placed = placed_text(document.text, profile)
        words = words_of(document.text, placed)
        if not words.spans:
            raise NothingToExplain(f"{document.file or 'The resume'}: the model reads no word of it.")
        (prediction,) = self.predictor.predict([placed.resume], [document.file])
        return ExplanationSubject(document, placed, words, prediction)

    def _targets(self, prediction: Prediction, target: str | None) -> Sequence[int]:
        """Of a label that was asked for, capitals do not matter where only one is meant."""
        labels = self.manifest.labels
        if target in labels:
            return (labels.index(target),)
        if target is not None:
            alike = [at for at, label in enumerate(labels) if label.casefold() == target.casefold()]
            if len(alike) == 1:
                return alike
            raise UnknownTarget(f"The model {self.manifest.name} has no label {target!r}; it has {', '.join(labels)}.")
        chosen = [label.label for label in prediction.labels if label.probability >= CHOSEN]
        if self.manifest.outcome != "several" or not chosen:
            chosen = [prediction.labels[0].label]
        return [labels.index(label) for label in chosen]

    def _one(
        self, subject: ExplanationSubject, target: int, steps: ExplanationProgress, *, faithful: bool, changes: bool
    ) -> ExplainedResume:
        started = time.perf_counter()
        model, placed, words = self.opened.model, subject.placed, subject.words
        attribution = attribute(self.opened, placed, words, target, self.method, steps.hear)
        steps.reach(ATTRIBUTED)
        explanation = subject.explanation(attribution, self.manifest, target)
        scores = np.array([word.score for word in explanation.words], np.float64)
        # What judging the resume without some of its words and lines says.
        measured = measure_faithfulness(model, placed, words, scores, target) if faithful else None
        change = find_change(model, placed, words, scores, target) if changes else None
        steps.reach(PERCENT)
        label, ranked = self.manifest.labels[target], subject.prediction.labels
        probability = next(likely.probability for likely in ranked if likely.label == label)
        # Also said is what the model is too unsure to say: it is still what it would say.
        is_said = probability >= CHOSEN if self.manifest.outcome == "several" else ranked[0].label == label
        explanation = replace(
            explanation,
            faithfulness=measured,
            change=change,
            warnings=(*explanation.warnings, *faithfulness_warnings(measured)),
            seconds=round(time.perf_counter() - started, 3),
        )
        text = subject.document.text
        return ExplainedResume(explanation, subject.prediction, probability, is_said, text, words.lines(scores))


@dataclass(slots=True)
class ExplanationProgress:
    """Hundredths of one explanation, told to a bar; never backwards, for how much is left is only found on the way."""

    bar: ProgressBar
    done: int = 0

    def hear(self, done: int, known: int) -> None:
        self.reach(ATTRIBUTED * done // max(1, known))

    def reach(self, percent: int) -> None:
        while self.done < percent:
            self.bar.advance()
            self.done += 1


@dataclass(frozen=True, slots=True, eq=False)
class ExplanationSubject:
    """A resume that is explained."""

    document: Document
    placed: PlacedResume
    words: ModelWords
    prediction: Prediction

    def explanation(self, attribution: Attribution, manifest: Manifest, target: int) -> Explanation:
        scores, left = self.words.gather(attribution)
        special = attribution.special + left
        difference = attribution.output - attribution.baseline_output
        return Explanation(
            file=self.document.file,
            task=manifest.task,
            target=manifest.labels[target],
            model=manifest.stamp,
            method=attribution.method,
            baseline=attribution.baseline,
            layer=attribution.layer,
            output=attribution.output,
            baseline_output=attribution.baseline_output,
            delta=fsum([*scores.tolist(), special, -difference]),
            steps=attribution.steps,
            converged=attribution.converged,
            words=self.words.scored(scores),
            sections=self.words.sections(scores),
            special=special,
            facts=attribution.facts,
            spread=self.words.spread(attribution),
            tokens=attribution.tokens,
            unread=attribution.unread,
            warnings=attribution.warnings,
        )


def open_explainer(
    task: str,
    *,
    model: str | None = None,
    job: Job | PathLike | None = None,
    method: str | None = None,
    baseline: str = "pad",
    layer: str | None = None,
    steps: int | None = None,
    fast: bool = False,
    unit: str | None = None,
    reference: PathLike | None = None,
    seed: int = 0,
    settings: Settings | None = None,
) -> Explainer:
    """UsageError for what does not fit together, ModelError for a model that is refused."""
    settings = settings or Settings()
    predictor = open_predictor(task, model=model, job=job, precision="fp32", settings=settings)
    classifier = predictor.classifier
    if not isinstance(classifier, LinearClassifier | NetworkClassifier):
        raise UsageError(f"The model {classifier.manifest.name} is of a kind that is not explained.")
    folder = find_model(checked_task(task), model, settings)
    opened = LoadedModel(folder, ScoringModel(classifier, predictor.job_text), reference, settings)
    chosen = choose(opened, method=method, baseline=baseline, layer=layer, steps=steps, fast=fast, unit=unit, seed=seed)
    return Explainer(opened, predictor, chosen)


def explain(
    source: Document | PathLike | bytes,
    task: str,
    *,
    model: str | None = None,
    target: str | None = None,
    method: str | None = None,
    baseline: str = "pad",
    layer: str | None = None,
    job: Job | PathLike | None = None,
    steps: int | None = None,
    fast: bool = False,
    unit: str | None = None,
    reference: PathLike | None = None,
    faithful: bool = True,
    as_of: str | None = None,
    settings: Settings | None = None,
) -> tuple[Explanation, ...]:
    """One explanation; of a model that gives several labels, one for each label that it gives this resume."""
    settings = settings or Settings()
    explainer = open_explainer(
        task,
        model=model,
        job=job,
        method=method,
        baseline=baseline,
        layer=layer,
        steps=steps,
        fast=fast,
        unit=unit,
        reference=reference,
        settings=settings,
    )
    mined = mine_source(source, as_of=as_of, settings=settings)
    explained = explainer.explain(mined.document, mined.profile, target=target, faithful=faithful)
    return tuple(one.explanation for one in explained)


def mine_source(source: Document | PathLike | bytes, *, as_of: str | None = None, settings: Settings) -> MinedResume:
    """UsageError with the reason for a file that cannot be read."""
    document = source if isinstance(source, Document) else read(source, settings=settings)
    mined = MinedResume(document, mine(document, as_of=as_of, settings=settings))
    if mined.failure:
        raise UsageError(f"{document.file or 'The resume'}: {mined.failure.message}")
    return mined
