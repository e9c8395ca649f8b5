"""Why a model says what it says of one candidate, for the page and the API, through the eyes of whoever looks.

What was worked out is remembered in memory by the sums of what it was worked out from: places and scores, never the
text, so that what is erased leaves nothing here to find.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from threading import Lock
from typing import Any

from evenhand.errors import NotFound, UsageError
from evenhand.explain.pictures.bars import bars_png
from evenhand.explain.pictures.heat import level_of
from evenhand.explain.pictures.page import Shown, page_html
from evenhand.masking import Masked
from evenhand.models.artefact import MANIFEST, load_manifest
from evenhand.records import Job, content_hash
from evenhand.records.document import Document
from evenhand.records.event import Draft
from evenhand.records.explanation import Change, Explanation, WordScore
from evenhand.records.profile import Profile
from evenhand.store import Application
from evenhand.workflows.candidate_download import Download
from evenhand.workflows.candidate_predictions import TITLES, UNREAD, page_models
from evenhand.workflows.desk import Viewer
from evenhand.workflows.explaining import Explained, open_explainer
from evenhand.workflows.model_choice import find_any
from evenhand.workflows.recording import Recorder
from evenhand.workflows.service import Service
from evenhand.workflows.watching import Watch, unwatched

MOST = 200  # resumes whose explanations are remembered


@dataclass(frozen=True, slots=True)
class Reason:
    """Of one label. `heat` has the place of every word that did something, with its level, below 0 against it."""

    shown: Shown
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
class ModelSaid:
    """What one model says of a resume and why, in words for the person it is about."""

    title: str
    model: str  # name and version
    label: str
    probability: float
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Memory:
    kept: OrderedDict[str, tuple[Explained, ...]] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def get(self, key: str) -> tuple[Explained, ...] | None:
        with self.lock:
            if key in self.kept:
                self.kept.move_to_end(key)
            return self.kept.get(key)

    def put(self, key: str, found: tuple[Explained, ...]) -> None:
        with self.lock:
            self.kept[key] = found
            while len(self.kept) > MOST:
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
    watch: Watch = unwatched,
) -> Reasons:
    """Of the first model where none is named; NotFound for one that pages do not ask.

    On record: that somebody was shown why which model said what.
    """
    asked = page_models(service.settings)
    model = model or next(iter(asked), "")
    if model not in asked:
        raise NotFound("There is no such model on this page.")
    store = service.store
    profile = store.profile(application.document)
    if profile is None:
        raise NotFound(UNREAD)
    document = store.document(application.document)
    found = _explained(service, document, profile, _job(service, application), model, target, watch)
    masked = viewer.lens.masked(
        document.text, profile, form=store.form(application.candidate), file=application.file
    )
    name = PurePath(application.file).name if application.file else None
    file = viewer.lens.file(application.id, name)
    manifest = load_manifest(find_any(model, service.settings))
    recorder.record([_draft(viewer.user, application, found)])
    return Reasons(
        TITLES.get(manifest.task, manifest.task),
        model,
        manifest.labels,
        tuple(_reason(each, masked, file) for each in found),
    )


def said_of(service: Service, application: Application) -> tuple[ModelSaid, ...]:
    """By every model that pages ask; one that cannot be asked says nothing. Going on record is up to the caller."""
    store = service.store
    profile = store.profile(application.document)
    if profile is None:
        return ()
    job, document = _job(service, application), store.document(application.document)
    said: list[ModelSaid] = []
    for model in page_models(service.settings):
        with suppress(UsageError):
            found = _explained(service, document, profile, job, model)
            said += [_said(_reason(each, Masked(document.text), None).shown) for each in found]
    return tuple(said)


def _job(service: Service, application: Application) -> Job:
    """With the text that predictions are made from, as it was given."""
    kept = service.store.job(application.job)
    return replace(kept.requirements, text=kept.text)


def _said(shown: Shown) -> ModelSaid:
    found = shown.explanation
    return ModelSaid(
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
    watch: Watch = unwatched,
) -> tuple[Explained, ...]:
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
            explained = explainer.explain(document, profile, target=target, watch=watch)
            found = tuple(_without_text(each) for each in explained)
            _memory.put(key, found)
    return tuple(_with_text(each, Masked(document.text)) for each in found)


def _reason(explained: Explained, masked: Masked, file: str | None) -> Reason:
    seen = _with_text(explained, masked)
    explanation = replace(seen.explanation, file=file)
    shown = Shown(explanation, seen.prediction, seen.probability, seen.is_said, seen.text)
    return Reason(shown, tuple(_heat(explanation)))


def _heat(explanation: Explanation) -> Iterator[tuple[int, int, int]]:
    largest = max((abs(word.score) for word in explanation.words), default=0.0)
    for word in explanation.words:
        if level := level_of(word.score, largest):
            yield word.start, word.end, level if word.score > 0 else -level


def _without_text(explained: Explained) -> Explained:
    return replace(
        explained,
        text="",
        prediction=replace(explained.prediction, file=None),
        lines=tuple(replace(line, text="") for line in explained.lines),
        explanation=_placed(replace(explained.explanation, file=None), Masked("")),
    )


def _with_text(explained: Explained, masked: Masked) -> Explained:
    return replace(
        explained,
        text=masked.text,
        lines=_words(explained.lines, masked),
        explanation=_placed(explained.explanation, masked),
    )


def _placed(explanation: Explanation, masked: Masked) -> Explanation:
    change = explanation.change
    return replace(
        explanation,
        words=_words(explanation.words, masked),
        change=Change(_words(change.lines, masked), change.labels) if change else None,
    )


def _words(words: Sequence[WordScore], masked: Masked) -> tuple[WordScore, ...]:
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


def _draft(actor: str, application: Application, found: Sequence[Explained]) -> Draft:
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
    return Draft(
        "view",
        actor,
        application.job,
        subjects=(application.id,),
        body={"what": "explanation", "seen": None, "models": [f"{stamp.name} {stamp.version}"]},
        sealed={"explanations": said},
    )
