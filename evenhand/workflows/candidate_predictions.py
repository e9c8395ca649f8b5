"""What the models think of one candidate, for the page and the API: beside the facts, never instead of them.

The setting page_models says which models are asked. They are opened when somebody first looks, and what they said is
remembered; nothing ranks, filters or decides by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from evenhand.errors import UsageError
from evenhand.models.artefact import MANIFEST, load_manifest
from evenhand.models.inputs import ResumeInput
from evenhand.models.manifest import Manifest
from evenhand.records.event import Draft
from evenhand.records.prediction import LabelProbability, Prediction
from evenhand.settings import Settings
from evenhand.store import Application
from evenhand.workflows.desk import Viewer
from evenhand.workflows.model_choice import find_any
from evenhand.workflows.model_inputs import resume_input
from evenhand.workflows.predicting import Predictor, chosen_labels, judge_for
from evenhand.workflows.recording import Recorder
from evenhand.workflows.remembered import RememberedJudge
from evenhand.workflows.service import Service

SHOWN = 3
UNREAD = "This resume has not been read with the present version yet, so no model has been asked."
TITLES = {"occupation": "Occupation", "level": "Competence level", "fit": "Fit to this job"}


@dataclass(frozen=True, slots=True)
class Opinion:
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
class Opinions:
    """`problems` say why a model that was to be asked was not."""

    found: tuple[Opinion, ...]
    problems: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"predictions": [each.to_json() for each in self.found], "problems": list(self.problems)}


def page_models(settings: Settings) -> tuple[str, ...]:
    """Names of the models that pages ask; none where none is set or the one set by default is not there."""
    return tuple(settings.page_models.split())


def opinions_of(service: Service, recorder: Recorder, viewer: Viewer, application: Application) -> Opinions:
    """On record: that somebody was shown what which model said. Of a masked resume the models say the same: they are
    given no names and addresses anyway."""
    store, settings = service.store, service.settings
    profile = store.profile(application.document)
    if profile is None:
        return Opinions((), (UNREAD,))
    resume = resume_input(store.document(application.document), profile)
    job_text = store.job(application.job).text
    found: list[Opinion] = []
    problems: list[str] = []
    for name in page_models(settings):
        try:
            found.append(_opinion(name, resume, job_text, settings))
        except UsageError as error:
            problems.append(str(error))
    recorder.record([_draft(viewer.user, application, found)])
    return Opinions(tuple(found), tuple(problems))


def _opinion(name: str, resume: ResumeInput, job_text: str, settings: Settings) -> Opinion:
    folder = find_any(name, settings)
    manifest = load_manifest(folder)
    judge = _remembered(folder, (folder / MANIFEST).stat().st_mtime_ns, settings)
    text = job_text if manifest.task == "fit" else None
    (prediction,) = Predictor(judge, text, manifest.abstain_below).predict([resume], [None])
    chosen = chosen_labels(prediction, outcome=manifest.outcome)
    return Opinion(_title(manifest), name, prediction, chosen, manifest.licence, manifest.limits)


@lru_cache(maxsize=4)
def _remembered(folder: Path, changed: int, settings: Settings) -> RememberedJudge:
    return RememberedJudge(judge_for(folder, settings))


def _title(manifest: Manifest) -> str:
    return TITLES.get(manifest.task, manifest.task)


def _draft(actor: str, application: Application, found: list[Opinion]) -> Draft:
    """Which models spoke is open; what they said of a person is sealed, and forgotten with her."""
    stamps = [f"{each.prediction.model.name} {each.prediction.model.version}" for each in found]
    said = [{"label": each.prediction.label, "confidence": each.confidence} for each in found]
    return Draft(
        "view",
        actor,
        application.job,
        subjects=(application.id,),
        body={"what": "predictions", "seen": None, "models": stamps},
        sealed={"predictions": said},
    )
