"""What the models think of one candidate, for the page and the API: beside the facts, never instead of them.

The setting page_models says which models are asked. They are opened when somebody first looks, and what they said is
remembered; nothing ranks, filters or decides by it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
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
from evenhand.models.manifest import Manifest
from evenhand.models.predict import CachedClassifier, Predictor, chosen_labels, classifier_for
from evenhand.models.registry import MANIFEST, find_any, load_manifest
from evenhand.progress import Progress, no_progress
from evenhand.records import Job, content_hash
from evenhand.records.conversion import JsonRecord
from evenhand.records.document import Document
from evenhand.records.event import EventDraft
from evenhand.records.explanation import Counterfactual, Explanation, WordScore
from evenhand.records.prediction import LabelProbability, Prediction
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
    profile = store.documents.profile(application.document)
    if profile is None:
        return ModelPredictions((), (UNREAD,))
    resume = resume_input(store.documents.get(application.document), profile)
    job_text = store.jobs.get(application.job).text
    found: list[ModelPrediction] = []
    problems: list[str] = []
    for name in page_models(settings):
        try:
            found.append(_opinion(name, resume, job_text, settings))
        except UsageError as error:
            problems.append(str(error))
    recorder.record([_draft(viewer.user, application, found)])
    return ModelPredictions(tuple(found), tuple(problems))


def _opinion(name: str, resume: ResumeInput, job_text: str, settings: Settings) -> ModelPrediction:
    folder = find_any(name, settings)
    manifest = load_manifest(folder)
    judge = _remembered(folder, (folder / MANIFEST).stat().st_mtime_ns, settings)
    text = job_text if manifest.task == "fit" else None
    (prediction,) = Predictor(judge, text, manifest.abstain_below).predict([resume], [None])
    chosen = chosen_labels(prediction, outcome=manifest.outcome)
    return ModelPrediction(_title(manifest), name, prediction, chosen, manifest.licence, manifest.limits)


@lru_cache(maxsize=4)
def _remembered(folder: Path, changed: int, settings: Settings) -> CachedClassifier:
    return CachedClassifier(classifier_for(folder, settings))


def _title(manifest: Manifest) -> str:
    return TITLES.get(manifest.task, manifest.task)


def _draft(actor: str, application: Application, found: list[ModelPrediction]) -> EventDraft:
    """Which models spoke is open; what they said of a person is sealed, and forgotten with her."""
    stamps = [f"{each.prediction.model.name} {each.prediction.model.version}" for each in found]
    said = [{"label": each.prediction.label, "confidence": each.confidence} for each in found]
    return EventDraft(
        "view",
        actor,
        application.job,
        subjects=(application.id,),
        body={"what": "predictions", "seen": None, "models": stamps},
        sealed={"predictions": said},
    )


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
        html = page_html([each.shown for each in self.found])
        return Download("explanation.html", "text/html; charset=utf-8", html.encode())

    def picture(self) -> Download:
        return Download("explanation.png", "image/png", bars_png(self.found[0].shown.explanation))

    def to_json(self) -> dict[str, Any]:
        return {"explanations": [each.shown.explanation.to_json() for each in self.found]}


@dataclass(frozen=True, slots=True)
class ModelReasons:
    """What one model says of a resume and why, in words for the person it is about."""

    title: str
    model: str  # name and version
    label: str
    probability: float
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Memory:
    kept: OrderedDict[str, tuple[ExplainedResume, ...]] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def get(self, key: str) -> tuple[ExplainedResume, ...] | None:
        with self.lock:
            if key in self.kept:
                self.kept.move_to_end(key)
            return self.kept.get(key)

    def put(self, key: str, found: tuple[ExplainedResume, ...]) -> None:
        with self.lock:
            self.kept[key] = found
            while len(self.kept) > CACHE_SIZE:
                self.kept.popitem(last=False)


_memory = _Memory()
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
    asked = page_models(service.settings)
    model = model or next(iter(asked), "")
    if model not in asked:
        raise NotFound("There is no such model on this page.")
    store = service.store
    profile = store.documents.profile(application.document)
    if profile is None:
        raise NotFound(UNREAD)
    document = store.documents.get(application.document)
    found = _explained(service, document, profile, _job(service, application), model, target, progress)
    masked = viewer.visibility.masked(
        document.text, profile, form=store.applications.form(application.candidate), file=application.file
    )
    name = PurePath(application.file).name if application.file else None
    file = viewer.visibility.file(application.id, name)
    manifest = load_manifest(find_any(model, service.settings))
    recorder.record([_explanation_draft(viewer.user, application, found)])
    return Reasons(
        TITLES.get(manifest.task, manifest.task),
        model,
        manifest.labels,
        tuple(_reason(each, masked, file) for each in found),
    )


def said_of(service: Service, application: Application) -> tuple[ModelReasons, ...]:
    """By every model that pages ask; one that cannot be asked says nothing. Going on record is up to the caller."""
    store = service.store
    profile = store.documents.profile(application.document)
    if profile is None:
        return ()
    job, document = _job(service, application), store.documents.get(application.document)
    said: list[ModelReasons] = []
    for model in page_models(service.settings):
        with suppress(UsageError):
            found = _explained(service, document, profile, job, model)
            said += [_said(_reason(each, MaskedText(document.text), None).shown) for each in found]
    return tuple(said)


def _job(service: Service, application: Application) -> Job:
    """With the text that predictions are made from, as it was given."""
    kept = service.store.jobs.get(application.job)
    return replace(kept.requirements, text=kept.text)


def _said(shown: ExplanationView) -> ModelReasons:
    found = shown.explanation
    return ModelReasons(
        TITLES.get(found.task, found.task),
        f"{found.model.name} {found.model.version}",
        found.target,
        shown.probability,
        (shown.told, *shown.changed),
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
        found = _memory.get(key)
        if found is None:
            explainer = open_explainer(manifest.task, model=model, job=needed, settings=service.settings)
            explained = explainer.explain(document, profile, target=target, progress=progress)
            found = tuple(_without_text(each) for each in explained)
            _memory.put(key, found)
    return tuple(_with_text(each, MaskedText(document.text)) for each in found)


def _reason(explained: ExplainedResume, masked: MaskedText, file: str | None) -> Reason:
    seen = _with_text(explained, masked)
    explanation = replace(seen.explanation, file=file)
    shown = ExplanationView(explanation, seen.prediction, seen.probability, seen.is_said, seen.text)
    return Reason(shown, tuple(_heat(explanation)))


def _heat(explanation: Explanation) -> Iterator[tuple[int, int, int]]:
    largest = max((abs(word.score) for word in explanation.words), default=0.0)
    for word in explanation.words:
        if level := level_of(word.score, largest):
            yield word.start, word.end, level if word.score > 0 else -level


def _without_text(explained: ExplainedResume) -> ExplainedResume:
    return replace(
        explained,
        text="",
        prediction=replace(explained.prediction, file=None),
        lines=tuple(replace(line, text="") for line in explained.lines),
        explanation=_placed(replace(explained.explanation, file=None), MaskedText("")),
    )


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
    found: list[WordScore] = []
    for word in words:
        start, end = masked.place(word.start, word.end)
        score = word.score
        if found and masked.masks and start < found[-1].end:
            last = found.pop()
            start, end, score = last.start, max(last.end, end), last.score + score
        found.append(WordScore(masked.text[start:end], start, end, score))
    return tuple(found)


def _explanation_draft(actor: str, application: Application, found: Sequence[ExplainedResume]) -> EventDraft:
    """Which model was asked why is open; what it said of a person is sealed, and forgotten with her."""
    stamp = found[0].explanation.model
    said = [
        {
            "target": each.explanation.target,
            "method": each.explanation.method,
            "baseline": each.explanation.baseline,
            "delta": round(each.explanation.delta, 6),
            "converged": each.explanation.converged,
        }
        for each in found
    ]
    return EventDraft(
        "view",
        actor,
        application.job,
        subjects=(application.id,),
        body={"what": "explanation", "seen": None, "models": [f"{stamp.name} {stamp.version}"]},
        sealed={"explanations": said},
    )
