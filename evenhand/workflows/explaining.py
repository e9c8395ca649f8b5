"""Why a model said what it said of a resume: `explain` for one, an Explainer for many.

A prediction is a guess about a text; an explanation tells which words of the text made it, how far they add up to it,
and whether the model would really have said something else without them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from evenhand.errors import NothingToExplain, UnknownTarget, UsageError
from evenhand.explain.asking import Asked
from evenhand.explain.attribution import Attribution
from evenhand.explain.counterfactual import find_change
from evenhand.explain.faithfulness import faithfulness_warnings, measure_faithfulness
from evenhand.explain.places import PlacedResume
from evenhand.explain.words import Floats, Words, words_of
from evenhand.models.calibration import CHOSEN
from evenhand.models.joined import JoinedJudge
from evenhand.models.judging.network import NetworkJudge
from evenhand.models.manifest import Manifest
from evenhand.records.document import Document
from evenhand.records.explanation import Explanation, WordScore
from evenhand.records.job import Job
from evenhand.records.prediction import Prediction
from evenhand.records.profile import Profile
from evenhand.settings import Settings
from evenhand.workflows.explaining_methods import Method, Opened, attribute, choose
from evenhand.workflows.mining import Mined, mine
from evenhand.workflows.model_choice import checked_task, find_model
from evenhand.workflows.placed_inputs import placed_resume
from evenhand.workflows.predicting import Predictor, open_predictor
from evenhand.workflows.reading import PathLike, read
from evenhand.workflows.watching import Bar, Watch, unwatched

PERCENT, ATTRIBUTED = 100, 70  # of the work of one explanation


@dataclass(frozen=True, slots=True)
class Explained:
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

    opened: Opened
    predictor: Predictor
    method: Method

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
        watch: Watch = unwatched,
    ) -> tuple[Explained, ...]:
        """One label: the one asked for, else the one that is said, or every one of several.

        `faithful` and `changes` are checks by judging: whether the words matter, and which lines decide.
        NothingToExplain where the model reads no word of the resume.
        """
        subject = self._subject(document, profile)
        checks = Checks(faithful, changes)
        targets = self._targets(subject.prediction, target)
        with watch("explaining", PERCENT * len(targets)) as bar:
            return tuple(self._one(subject, each, checks, Steps(bar)) for each in targets)

    def labels(self, document: Document, profile: Profile, *, target: str | None = None) -> tuple[str, ...]:
        """Those that `explain` would explain."""
        prediction = self._subject(document, profile).prediction
        return tuple(self.manifest.labels[each] for each in self._targets(prediction, target))

    def _subject(self, document: Document, profile: Profile) -> Subject:
        placed = placed_resume(document, profile)
        words = words_of(document.text, placed)
        if not words.spans:
            raise NothingToExplain(f"{document.file or 'The resume'}: the model reads no word of it.")
        (prediction,) = self.predictor.predict([placed.resume], [document.file])
        return Subject(document, placed, words, prediction)

    def _targets(self, prediction: Prediction, target: str | None) -> Sequence[int]:
        labels = self.manifest.labels
        if target is not None:
            return (find_target(self.manifest, target),)
        said = [each.label for each in prediction.labels if each.probability >= CHOSEN]
        if self.manifest.outcome != "several" or not said:
            said = [prediction.labels[0].label]
        return [labels.index(label) for label in said]

    def _one(self, subject: Subject, target: int, checks: Checks, steps: Steps) -> Explained:
        started = time.perf_counter()
        found = attribute(self.opened, subject.placed, subject.words, target, self.method, steps.hear)
        steps.reach(ATTRIBUTED)
        explanation = subject.explanation(found, self.manifest, target)
        explanation = self._checked(explanation, subject, target, checks)
        steps.reach(PERCENT)
        label = self.manifest.labels[target]
        chances = {each.label: each.probability for each in subject.prediction.labels}
        return Explained(
            replace(explanation, seconds=round(time.perf_counter() - started, 3)),
            subject.prediction,
            chances[label],
            self._is_said(subject.prediction, label),
            subject.document.text,
            subject.words.lines(_scores(explanation)),
        )

    def _is_said(self, prediction: Prediction, label: str) -> bool:
        """Also where the model is too unsure to say it: it is still what it would say."""
        if self.manifest.outcome != "several":
            return prediction.labels[0].label == label
        return any(each.label == label and each.probability >= CHOSEN for each in prediction.labels)

    def _checked(
        self, explanation: Explanation, subject: Subject, target: int, checks: Checks
    ) -> Explanation:
        """With what judging the resume without some of its words and lines says."""
        asked, placed, words, scores = self.opened.asked, subject.placed, subject.words, _scores(explanation)
        measured = measure_faithfulness(asked, placed, words, scores, target) if checks.faithful else None
        return replace(
            explanation,
            faithfulness=measured,
            change=find_change(asked, placed, words, scores, target) if checks.changes else None,
            warnings=(*explanation.warnings, *faithfulness_warnings(measured)),
        )


@dataclass(slots=True)
class Steps:
    """Hundredths of one explanation, told to a bar; never backwards, for how much is left is only found on the way."""

    bar: Bar
    done: int = 0

    def hear(self, done: int, known: int) -> None:
        self.reach(ATTRIBUTED * done // max(1, known))

    def reach(self, percent: int) -> None:
        while self.done < percent:
            self.bar.advance()
            self.done += 1


@dataclass(frozen=True, slots=True)
class Checks:
    faithful: bool
    changes: bool


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A resume that is explained."""

    document: Document
    placed: PlacedResume
    words: Words
    prediction: Prediction

    def explanation(self, found: Attribution, manifest: Manifest, target: int) -> Explanation:
        scores, left = self.words.gather(found)
        special = found.special + left
        difference = found.output - found.baseline_output
        return Explanation(
            file=self.document.file,
            task=manifest.task,
            target=manifest.labels[target],
            model=manifest.stamp,
            method=found.method,
            baseline=found.baseline,
            layer=found.layer,
            output=found.output,
            baseline_output=found.baseline_output,
            delta=fsum([*scores.tolist(), special, -difference]),
            steps=found.steps,
            converged=found.converged,
            words=self.words.scored(scores),
            sections=self.words.sections(scores),
            special=special,
            facts=found.facts,
            spread=self.words.spread(found),
            tokens=found.tokens,
            unread=found.unread,
            warnings=found.warnings,
        )


def _scores(explanation: Explanation) -> Floats:
    return np.array([word.score for word in explanation.words], np.float64)


def find_target(manifest: Manifest, target: str) -> int:
    """Capitals do not matter where only one label is meant."""
    if target in manifest.labels:
        return manifest.labels.index(target)
    alike = [at for at, label in enumerate(manifest.labels) if label.casefold() == target.casefold()]
    if len(alike) == 1:
        return alike[0]
    raise UnknownTarget(
        f"The model {manifest.name} has no label {target!r}; it has {', '.join(manifest.labels)}."
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
    judge = predictor.judge
    if not isinstance(judge, JoinedJudge | NetworkJudge):
        raise UsageError(f"The model {judge.manifest.name} is of a kind that is not explained.")
    folder = find_model(checked_task(task), model, settings)
    opened = Opened(folder, Asked(judge, predictor.job_text), reference, settings)
    chosen = choose(
        opened, method=method, baseline=baseline, layer=layer, steps=steps, fast=fast, unit=unit, seed=seed
    )
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
    found = explainer.explain(mined.document, mined.profile, target=target, faithful=faithful)
    return tuple(each.explanation for each in found)


def mine_source(
    source: Document | PathLike | bytes, *, as_of: str | None = None, settings: Settings
) -> Mined:
    """UsageError with the reason for a file that cannot be read."""
    document = source if isinstance(source, Document) else read(source, settings=settings)
    mined = Mined(document, mine(document, as_of=as_of, settings=settings))
    if mined.failure:
        raise UsageError(f"{document.file or 'The resume'}: {mined.failure.message}")
    return mined
