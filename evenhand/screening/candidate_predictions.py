"""What the models think of one candidate, for the page and the API: beside the facts, never instead of them.

The setting page_models says which models are asked. They are opened when somebody first looks, and what they said is
remembered; nothing ranks, filters or decides by it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePath
from threading import Lock
from typing import Any

from evenhand.errors import NotFound, UsageError
from evenhand.explain.pictures.page import ExplanationView, bars_png, level_of, page_html
from evenhand.explain.run import ExplainedResume, open_explainer
from evenhand.ledger.recording import Recorder
from evenhand.masking.masks import MaskedText
from evenhand.models.inputs import ResumeInput, resume_input
from evenhand.models.predict import CachedClassifier, Predictor, chosen_labels, classifier_for
from evenhand.models.registry import MANIFEST, find_any, load_manifest
from evenhand.progress import Progress, no_progress
from evenhand.records import Job, content_hash
from evenhand.records.conversion import JsonRecord
from evenhand.records.document import Document
from evenhand.records.event import EventDraft
from evenhand.records.explanation import Counterfactual, Explanation, LabelProbability, Prediction, WordScore
from evenhand.records.profile import Profile
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.exports import Download
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.applications import Application

SHOWN = 3
UNREAD = "This resume has not been read with the present version yet, so no model has been asked."
TITLES = {"occupation": "Occupation", "level": "Competence level", "fit": "Fit to this job"}


@dataclass(frozen=True, slots=True)
class ModelPrediction:
    """One model's: `chosen` is empty where it is not sure enough to say."""

    title: str
    asked: str  # the model, as the setting names it
    prediction: Prediction
    chosen: tuple[str, ...]
    licence: str
    limits: tuple[str, ...]

    @property
    def confidence(self) -> float:
        return self.prediction.labels[0].probability

    @property
    def likeliest(self) -> tuple[LabelProbability, ...]:
        return self.prediction.labels[: max(SHOWN, len(self.chosen))]

    def to_json(self) -> dict[str, Any]:
        return self.prediction.to_json()


@dataclass(frozen=True, slots=True)
class ModelPredictions(JsonRecord):
    """`problems` say why a model that was to be asked was not."""

    found: tuple[ModelPrediction, ...] = field(metadata={"json": "predictions"})
    problems: tuple[str, ...]


def page_models(settings: Settings) -> tuple[str, ...]:
    """Names of the models that pages ask; none where none is set or the one set by default is not there."""
    return tuple(settings.page_models.split())


def predictions_of(service: Service, recorder: Recorder, viewer: Viewer, application: Application) -> ModelPredictions:
    """On record: that somebody was shown what which model said. Of a masked resume the models say the same: they are
    given no names and addresses anyway."""
    store, settings = service.store, service.settings
    profile = store.applications.profile(application.id)
    if profile is None:
        return ModelPredictions((), (UNREAD,))
    resume = resume_input(store.documents.get(application.document), profile)
    job_text = store.jobs.get(application.job).text
    predictions: list[ModelPrediction] = []
    problems: list[str] = []
    for name in page_models(settings):
        try:
            predictions.append(_opinion(name, resume, job_text, settings))
        except UsageError as error:
            problems.append(str(error))
    # Which models spoke is open; what they said of a person is sealed, and forgotten with them.
    stamps = [f"{prediction.prediction.model.name} {prediction.prediction.model.version}" for prediction in predictions]
    sealed = [{"label": prediction.prediction.label, "confidence": prediction.confidence} for prediction in predictions]
    recorder.record([_draft(viewer.user, application, "predictions", stamps, predictions=sealed)])
    return ModelPredictions(tuple(predictions), tuple(problems))


def _opinion(name: str, resume: ResumeInput, job_text: str, settings: Settings) -> ModelPrediction:
    folder = find_any(name, settings)
    manifest = load_manifest(folder)
    judge = _remembered(folder, (folder / MANIFEST).stat().st_mtime_ns, settings)
    text = job_text if manifest.task == "fit" else None
    (prediction,) = Predictor(judge, text, manifest.abstain_below).predict([resume], [None])
    chosen = chosen_labels(prediction, outcome=manifest.outcome)
    return ModelPrediction(
        TITLES.get(manifest.task, manifest.task), name, prediction, chosen, manifest.licence, manifest.limits
    )


@lru_cache(maxsize=4)
def _remembered(folder: Path, changed: int, settings: Settings) -> CachedClassifier:
    return CachedClassifier(classifier_for(folder, settings))


def _draft(actor: str, application: Application, what: str, models: list[str], **sealed: Any) -> EventDraft:
    body = {"what": what, "seen": None, "models": models}
    return EventDraft("view", actor, application.job, subjects=(application.id,), body=body, sealed=sealed)


# Why a model says what it says of one candidate, for the page and the API, through the eyes of whoever looks.
#
# What was worked out is remembered in memory by the sums of what it was worked out from: places and scores,
# never the text, so that what is erased leaves nothing here to find.

CACHE_SIZE = 200  # resumes whose explanations are remembered


@dataclass(frozen=True, slots=True)
class Reason:
    """Of one label. `heat` has the place of every word that did something, with its level, below 0 against it."""

    shown: ExplanationView
    heat: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Reasons:
    """One for each label that is explained. Places are those of the text as the viewer sees it."""

    title: str
    model: str
    labels: tuple[str, ...]  # that could be asked about
    found: tuple[Reason, ...]

    def page(self) -> Download:
        html = page_html([one.shown for one in self.found])
        return Download("explanation.html", "text/html; charset=utf-8", html.encode())

    def picture(self) -> Download:
        return Download("explanation.png", "image/png", bars_png(self.found[0].shown.explanation))

    def to_json(self) -> dict[str, Any]:
        return {"explanations": [one.shown.explanation.to_json() for one in self.found]}


@dataclass(frozen=True, slots=True)
class ModelReasons:
    """What one model says of a resume and why, in words for the person it is about."""

    title: str
    model: str  # name and version
    label: str
    probability: float
    why: tuple[str, ...]


_explanation_cache: OrderedDict[str, tuple[ExplainedResume, ...]] = OrderedDict()  # the latest used last
_one_at_a_time = Lock()  # a network takes seconds of a whole core; lists are not to wait for several


def reasons_of(
    service: Service,
    recorder: Recorder,
    viewer: Viewer,
    application: Application,
    model: str | None = None,
    target: str | None = None,
    *,
    progress: Progress = no_progress,
) -> Reasons:
    """Of the first model where none is named; NotFound for one that pages do not ask.

    On record: that somebody was shown why which model said what.
    """
    models = page_models(service.settings)
    model = model or next(iter(models), "")
    if model not in models:
        raise NotFound("There is no such model on this page.")
    store = service.store
    profile = store.applications.profile(application.id)
    if profile is None:
        raise NotFound(UNREAD)
    document = store.documents.get(application.document)
    explained = _explained(service, document, profile, _job(service, application), model, target, progress)
    masked = MaskedText(document.text)
    if not viewer.visibility.is_open:
        masks = service.masks.of(application.id, application.content)
        masked = viewer.visibility.masker(document.text, masks).masked
    name = PurePath(application.file).name if application.file else None
    file = viewer.visibility.file(application.id, name)
    manifest = load_manifest(find_any(model, service.settings))
    # Which model was asked why is open; what it said of a person is sealed, and forgotten with them.
    explanations = [one.explanation for one in explained]
    stamps = [f"{explanations[0].model.name} {explanations[0].model.version}"]
    sealed = [
        {
            "target": explanation.target,
            "method": explanation.method,
            "baseline": explanation.baseline,
            "delta": round(explanation.delta, 6),
            "converged": explanation.converged,
        }
        for explanation in explanations
    ]
    recorder.record([_draft(viewer.user, application, "explanation", stamps, explanations=sealed)])
    return Reasons(
        TITLES.get(manifest.task, manifest.task),
        model,
        manifest.labels,
        tuple(_reason(one, masked, file) for one in explained),
    )


def said_of(service: Service, application: Application) -> tuple[ModelReasons, ...]:
    """By every model that pages ask; one that cannot be asked says nothing. Going on record is up to the caller."""
    store = service.store
    profile = store.applications.profile(application.id)
    if profile is None:
        return ()
    job, document = _job(service, application), store.documents.get(application.document)
    reasons: list[ModelReasons] = []
    for model in page_models(service.settings):
        with suppress(UsageError):
            explained = _explained(service, document, profile, job, model)
            reasons += [_said(_reason(one, MaskedText(document.text), None).shown) for one in explained]
    return tuple(reasons)


def _job(service: Service, application: Application) -> Job:
    """With the text that predictions are made from, as it was given."""
    stored = service.store.jobs.get(application.job)
    return replace(stored.requirements, text=stored.text)


def _said(view: ExplanationView) -> ModelReasons:
    explanation = view.explanation
    return ModelReasons(
        TITLES.get(explanation.task, explanation.task),
        f"{explanation.model.name} {explanation.model.version}",
        explanation.target,
        view.probability,
        (view.told, *view.changed),
    )


def _explained(
    service: Service,
    document: Document,
    profile: Profile,
    job: Job,
    model: str,
    target: str | None = None,
    progress: Progress = no_progress,
) -> tuple[ExplainedResume, ...]:
    folder = find_any(model, service.settings)
    manifest = load_manifest(folder)
    needed = job if manifest.task == "fit" else None
    changed = (folder / MANIFEST).stat().st_mtime_ns
    of = [document.text, profile.to_json(), needed and needed.text, str(folder), changed, target]
    key = content_hash(of)
    with _one_at_a_time:
        stripped = _explanation_cache.pop(key, None)
        if stripped is None:
            explainer = open_explainer(manifest.task, model=model, job=needed, settings=service.settings)
            explained = explainer.explain(document, profile, target=target, progress=progress)
            stripped = tuple(
                replace(
                    one,
                    text="",
                    prediction=replace(one.prediction, file=None),
                    lines=tuple(replace(line, text="") for line in one.lines),
                    explanation=_placed(replace(one.explanation, file=None), MaskedText("")),
                )
                for one in explained
            )
            while len(_explanation_cache) >= CACHE_SIZE:
                _explanation_cache.popitem(last=False)
        _explanation_cache[key] = stripped
    return tuple(_with_text(one, MaskedText(document.text)) for one in stripped)


def _reason(explained: ExplainedResume, masked: MaskedText, file: str | None) -> Reason:
    seen = _with_text(explained, masked)
    explanation = replace(seen.explanation, file=file)
    view = ExplanationView(explanation, seen.prediction, seen.probability, seen.is_said, seen.text)
    largest = max((abs(word.score) for word in explanation.words), default=0.0)
    heat = tuple(
        (word.start, word.end, level if word.score > 0 else -level)
        for word in explanation.words
        if (level := level_of(word.score, largest))
    )
    return Reason(view, heat)


def _with_text(explained: ExplainedResume, masked: MaskedText) -> ExplainedResume:
    return replace(
        explained,
        text=masked.text,
        lines=_words(explained.lines, masked),
        explanation=_placed(explained.explanation, masked),
    )


def _placed(explanation: Explanation, masked: MaskedText) -> Explanation:
    change = explanation.change
    return replace(
        explanation,
        words=_words(explanation.words, masked),
        change=Counterfactual(_words(change.lines, masked), change.labels) if change else None,
    )


def _words(words: Sequence[WordScore], masked: MaskedText) -> tuple[WordScore, ...]:
    """At their places in the masked text. Words behind one token are one, with the sum of their scores."""
    placed: list[WordScore] = []
    for word in words:
        start, end = masked.place(word.start, word.end)
        score = word.score
        if placed and masked.masks and start < placed[-1].end:
            last = placed.pop()
            start, end, score = last.start, max(last.end, end), last.score + score
        placed.append(WordScore(masked.text[start:end], start, end, score))
    return tuple(placed)
