"""What models say of resumes: `predict` for one, `predict_many` for a batch. None of it decides anything."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from evenhand.documents.reading import PathLike, read
from evenhand.errors import UsageError
from evenhand.mining.pipeline import MinedResume, mine, mine_with_documents, read_job
from evenhand.models.calibration import CHOSEN, Floats, abstains
from evenhand.models.concept_removal import classifier_without_concepts
from evenhand.models.encoder.loading import Precision
from evenhand.models.inference.loading import Classifier, load_classifier
from evenhand.models.inputs import ResumeInput, resume_input
from evenhand.models.manifest import Manifest
from evenhand.models.registry import MANIFEST, checked_task, find_model, load_artefact
from evenhand.records import content_hash
from evenhand.records.document import Document, Failure
from evenhand.records.explanation import LabelProbability, ModelStamp, Prediction
from evenhand.records.job import Job
from evenhand.settings import Settings

BATCH_SIZE = 16  # resumes judged together: enough to share work, few enough that a bar moves
DECIMALS = 6  # beyond them processors differ


@dataclass(frozen=True, slots=True)
class PredictionResult:
    """What became of one file: `failure` says why there is no prediction."""

    file: str | None
    task: str
    model: ModelStamp
    prediction: Prediction | None
    failure: Failure | None

    def to_json(self) -> dict[str, Any]:
        """As a prediction; of a file that could not be read, one without labels that says why."""
        if self.prediction is not None:
            return self.prediction.to_json()
        error = self.failure.to_json() if self.failure else None
        return {**Prediction(self.file, self.task, None, (), self.model, True).to_json(), "error": error}


@dataclass(frozen=True, slots=True, eq=False)
class Predictor:
    """A model, ready, with the confidence below which it says nothing."""

    classifier: Classifier
    job_text: str | None
    abstain_below: float

    @property
    def manifest(self) -> Manifest:
        return self.classifier.manifest

    def predict(self, resumes: Sequence[ResumeInput], files: Sequence[str | None]) -> list[Prediction]:
        manifest = self.manifest
        rows = self.classifier.predict(resumes, job_text=self.job_text)
        predictions = []
        for row, file in zip(rows, files, strict=True):
            is_silent = bool(abstains(row, below=self.abstain_below, several=manifest.outcome == "several"))
            ranked = sorted(zip(row, manifest.labels, strict=True), key=lambda pair: -pair[0])  # stable among equals
            labels = tuple(LabelProbability(label, round(float(value), DECIMALS)) for value, label in ranked)
            label = None if is_silent else labels[0].label
            predictions.append(Prediction(file, manifest.task, label, labels, manifest.stamp, is_silent))
        return predictions


def open_predictor(
    task: str,
    *,
    model: str | None = None,
    job: Job | PathLike | None = None,
    abstain_below: float | None = None,
    precision: Precision = "int8",
    settings: Settings | None = None,
) -> Predictor:
    """UsageError for what does not fit together, ModelError for a model that is refused."""
    settings = settings or Settings()
    known = checked_task(task)
    if known == "fit" and job is None:
        raise UsageError("The task fit compares resumes with a job: name it with --job.")
    if known != "fit" and job is not None:
        raise UsageError(f"A job is for the task fit only; {known} is about the resume alone.")
    if abstain_below is not None and not 0 <= abstain_below <= 1:
        raise UsageError(f"A confidence lies between 0 and 1, and {abstain_below:g} does not.")
    classifier = classifier_for(find_model(known, model, settings), settings, precision)
    below = classifier.manifest.abstain_below if abstain_below is None else abstain_below
    if job is None:
        return Predictor(classifier, None, below)
    text = job.text if isinstance(job, Job) else read_job(job, settings).text
    if not text.strip():
        raise UsageError("The job has no text.")
    return Predictor(classifier, text, below)


def classifier_for(folder: Path, settings: Settings, precision: Precision = "int8") -> Classifier:
    """Opened once per process, and again when its files have been replaced. Where the settings name a removal that was
    fitted on this model, it judges without that concept."""
    named = Path(settings.encoder).expanduser().absolute() if settings.encoder else None
    cache = settings.data_path.absolute() / "encoder"
    changed = (folder / MANIFEST).stat().st_mtime_ns
    classifier = _opened(folder.absolute(), changed, named, cache, precision)
    return classifier_without_concepts(classifier, settings.removal)


@lru_cache(maxsize=4)
def _opened(folder: Path, changed: int, encoder: Path | None, cache: Path, precision: Precision) -> Classifier:
    encoders = (None,) if encoder is None else (encoder, None)
    return load_classifier(load_artefact(folder), encoders=encoders, precision=precision, cache=cache)


def predict(
    source: Document | PathLike | bytes,
    task: str,
    *,
    model: str | None = None,
    job: Job | PathLike | None = None,
    abstain_below: float | None = None,
    as_of: str | None = None,
    settings: Settings | None = None,
) -> Prediction:
    """What a model says of one resume; UsageError with the reason for a file that cannot be read."""
    settings = settings or Settings()
    predictor = open_predictor(task, model=model, job=job, abstain_below=abstain_below, settings=settings)
    document = source if isinstance(source, Document) else read(source, settings=settings)
    mined = MinedResume(document, mine(document, as_of=as_of, settings=settings))
    if mined.failure:
        raise UsageError(f"{document.file or 'The resume'}: {mined.failure.message}")
    return predictor.predict([resume_input(document, mined.profile)], [document.file])[0]


def predict_many(
    sources: Iterable[PathLike | Document],
    predictor: Predictor,
    *,
    as_of: str | None = None,
    workers: int | None = None,
    settings: Settings | None = None,
) -> Generator[PredictionResult, None, None]:
    """One per file, in the order of the input; a file that cannot be read costs only its own prediction."""
    stream = mine_with_documents(sources, as_of=as_of, workers=workers, settings=settings)
    task, stamp = predictor.manifest.task, predictor.manifest.stamp
    while batch := list(islice(stream, BATCH_SIZE)):
        readable = [mined for mined in batch if not mined.is_failed]
        inputs = [resume_input(mined.document, mined.profile) for mined in readable]
        predictions = iter(predictor.predict(inputs, [mined.document.file for mined in readable]))
        for mined in batch:
            prediction = None if mined.is_failed else next(predictions)
            yield PredictionResult(mined.document.file, task, stamp, prediction, mined.failure)


def chosen_labels(prediction: Prediction, *, outcome: str) -> tuple[str, ...]:
    """Those that are said: of several every probable one, else the one."""
    if prediction.abstained:
        return ()
    if outcome != "several":
        return (prediction.label,) if prediction.label else ()
    return tuple(row.label for row in prediction.labels if row.probability >= CHOSEN)


# A model that remembers what it said of which content, in memory alone: what is erased leaves nothing here to find.
# Kept are sums of what was judged and the probabilities, never the text.

CACHE_SIZE = 5_000  # resumes; a row of probabilities is small


@dataclass(frozen=True, slots=True, eq=False)
class CachedClassifier:
    """For pages, which ask for the same resume again and again."""

    classifier: Classifier
    kept: OrderedDict[str, Floats] = field(default_factory=OrderedDict, repr=False)
    lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def manifest(self) -> Manifest:
        return self.classifier.manifest

    @property
    def note(self) -> str:
        return self.classifier.note

    def predict(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        keys = [sum_of(resume, job_text) for resume in resumes]
        with self.lock:
            known = {key: self.kept[key] for key in keys if key in self.kept}
        new = {key: resume for key, resume in zip(keys, resumes, strict=True) if key not in known}
        if new:
            # Outside the lock: whoever asks for what is known need not wait for what is not.
            rows = self.classifier.predict(list(new.values()), job_text=job_text)
            known |= dict(zip(new, rows, strict=True))
        with self.lock:
            for key, row in known.items():
                self.kept[key] = row
                self.kept.move_to_end(key)
            while len(self.kept) > CACHE_SIZE:
                self.kept.popitem(last=False)
        if not keys:
            return np.zeros((0, len(self.manifest.labels)))
        return np.stack([known[key] for key in keys])


def sum_of(resume: ResumeInput, job_text: str | None) -> str:
    """Of everything that a model is given."""
    sections = [[section.kind, section.text] for section in resume.sections]
    features = {name: float(value) for name, value in resume.features.items()}
    return content_hash([sections, list(resume.titles), features, job_text])
