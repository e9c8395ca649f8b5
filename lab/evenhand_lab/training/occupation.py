"""Training a model of occupation from public resumes: measured on a part of them, then learned from all, then saved."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand import __version__
from evenhand.errors import UsageError
from evenhand.models.calibration import Floats, calibration_error, to_probabilities
from evenhand.models.encoder.loading import Encoder, encoder_for, why_no_encoder
from evenhand.models.encoder.weights import find_source
from evenhand.models.evaluation import ClassFigures, Evaluation, class_figures, evaluate, macro_f1, share
from evenhand.models.inputs import ResumeInput
from evenhand.models.linear.model import TextEncoder
from evenhand.models.linear.storing import VOCABULARY
from evenhand.models.manifest import EncoderStamp, Manifest, write_card
from evenhand.models.registry import save_artefact
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.conversion import JsonRecord
from evenhand.settings import Settings
from evenhand_lab.training import linear
from evenhand_lab.training.linear import Gold, LinearTrainingData, LinearTrainingResult, learn, logits_of
from evenhand_lab.training.occupation_data import (
    CARDS,
    MODELS,
    OCCUPATION,
    OccupationExample,
    OccupationModel,
    allowed_terms,
)

# Examples to a learned model of occupation: fixed parts, and nothing measured on what was learned from.

PARTS = 5  # one of them to measure on; the rest in as many again, each held out once
Places = list[int]


@dataclass(frozen=True, slots=True)
class LabelledResumes:
    """Resumes of one model's data, with which labels are true of each."""

    examples: tuple[OccupationExample, ...]
    labels: tuple[str, ...]
    gold: Gold

    @property
    def resumes(self) -> list[ResumeInput]:
        return [example.resume for example in self.examples]


@dataclass(frozen=True, slots=True)
class TrainTestSplit:
    """Places of examples: `test` is measured on, `train` in parts that are each held out once."""

    train: tuple[Places, ...]
    test: Places

    @property
    def learned(self) -> Places:
        return sorted(at for part in self.train for at in part)

    @property
    def everything(self) -> tuple[Places, ...]:
        """The parts again with the test part dealt out to them, for the model that ships."""
        return tuple(sorted([*part, *self.test[at :: len(self.train)]]) for at, part in enumerate(self.train))


@dataclass(frozen=True, slots=True)
class OccupationMetrics:
    """How a model does on resumes it has not seen; `ece` is None for one that gives no probabilities."""

    evaluation: Evaluation | SeveralEvaluation
    ece: float | None

    def to_json(self) -> dict[str, Any]:
        return {"ece": self.ece, **self.evaluation.to_json()}


def label_all(examples: Sequence[OccupationExample]) -> LabelledResumes:
    labels = tuple(sorted({label for example in examples for label in example.labels}))
    gold = np.array([[label in example.labels for label in labels] for example in examples], np.bool_)
    return LabelledResumes(tuple(examples), labels, gold)


def divide(examples: Sequence[OccupationExample], *, seed: int) -> TrainTestSplit:
    """Near-duplicates stay together, and every part has its share of every label."""
    test, *rest = deal(examples, range(len(examples)), PARTS, seed=seed)
    learned = sorted(at for part in rest for at in part)
    parts = TrainTestSplit(tuple(deal(examples, learned, PARTS, seed=seed + 1)), test)
    if not all((*parts.train, test)):
        raise UsageError(f"{len(examples)} resumes, near-duplicates counted once, are too few to learn from.")
    return parts


def deal(examples: Sequence[OccupationExample], places: Sequence[int], parts: int, *, seed: int) -> list[Places]:
    """Groups label by label (that of their first resume), shuffled, dealt out like cards."""
    groups: dict[str, Places] = defaultdict(list)
    for at in places:
        groups[examples[at].group].append(at)
    by_label: dict[tuple[str, ...], list[Places]] = defaultdict(list)
    for members in groups.values():
        by_label[examples[members[0]].labels].append(members)
    dealt: list[Places] = [[] for _ in range(parts)]
    turn = 0
    for label in sorted(by_label):
        random.Random(f"{seed}/{label}").shuffle(by_label[label])
        for members in by_label[label]:
            dealt[turn % parts].extend(members)
            turn += 1
    return [sorted(part) for part in dealt]


def training_data_of(
    model: OccupationModel,
    labelled: LabelledResumes,
    resumes: Sequence[ResumeInput],
    *,
    encoder: TextEncoder | None,
    seed: int,
    progress: Progress,
) -> LinearTrainingData:
    """`resumes` are those of `labelled`, as one of the views shows them."""
    allowed = allowed_terms(resume.text for resume in labelled.resumes)
    prepared = linear.prepare(
        resumes,
        model.recipe,
        allowed=allowed,
        encoder=encoder,
        reporting=lambda found: with_progress(found, progress, "encoding resumes", len(resumes)),
    )
    return LinearTrainingData(prepared, labelled.gold, labelled.labels, model.recipe, model.several, seed)


def measure(
    learned: LinearTrainingResult, lesson: LinearTrainingData, test: Sequence[int], *, held_out: bool = False
) -> OccupationMetrics:
    """With `held_out` by cross-validation: `test` are then those that were learned from, in order."""
    logits = learned.held_out if held_out else logits_of(learned.model, lesson.prepared, test)
    several = lesson.several
    sure = to_probabilities(logits, temperature=learned.temperature, several=several)
    ece = calibration_error(sure, truth_of(lesson.gold, test, several=several), several=several)
    return OccupationMetrics(judged(sure, lesson.gold, test, lesson.labels, several=several), ece)


def judged(
    sure: Floats, gold: Gold, test: Sequence[int], labels: Sequence[str], *, several: bool, border: float = 0.5
) -> Evaluation | SeveralEvaluation:
    """From scores, of which the highest is said, or every one from the border on."""
    truth = truth_of(gold, test, several=several)
    if several:
        return evaluate_several(sure >= border, truth, labels)
    return evaluate(sure.argmax(axis=1), truth, labels)


@dataclass(frozen=True)
class SeveralEvaluation:
    """Any number of labels each: how often each was rightly given, given, and true."""

    labels: tuple[str, ...]
    hits: NDArray[np.int64]
    predicted: NDArray[np.int64]
    true: NDArray[np.int64]
    total: int
    exact: int  # resumes with exactly the right labels

    @property
    def accuracy(self) -> float:
        return share(self.exact, self.total)

    @property
    def micro_f1(self) -> float:
        return share(2 * int(self.hits.sum()), int(self.predicted.sum() + self.true.sum()))

    @property
    def macro_f1(self) -> float:
        return macro_f1(self.classes)

    @cached_property
    def classes(self) -> tuple[ClassFigures, ...]:
        return class_figures(self.labels, self.hits, self.predicted, self.true)

    def to_json(self) -> dict[str, Any]:
        return {
            "resumes": self.total,
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "micro_f1": self.micro_f1,
            "classes": [row.to_json() for row in self.classes],
        }


def evaluate_several(predicted: ArrayLike, gold: ArrayLike, labels: Sequence[str]) -> SeveralEvaluation:
    """From tables of 0 and 1, a row per resume and a column per label."""
    given, true = np.asarray(predicted) > 0, np.asarray(gold) > 0
    if given.shape != true.shape or given.shape[1:] != (len(labels),):
        raise ValueError("as many predictions as true labels are compared, with a column for every label")
    return SeveralEvaluation(
        labels=tuple(labels),
        hits=(given & true).sum(axis=0),
        predicted=given.sum(axis=0),
        true=true.sum(axis=0),
        total=len(true),
        exact=int((given == true).all(axis=1).sum()),
    )


def truth_of(gold: Gold, places: Sequence[int], *, several: bool) -> NDArray[np.int64]:
    found = gold[list(places)].astype(np.int64)
    return found if several else np.asarray(found.argmax(axis=1))


SEED = 0
LICENCE = "Apache-2.0"
LIBRARIES = ("numpy", "safetensors", "scikit-learn", "scipy")
NEEDED = (
    "A model of occupation learns from labelled resumes: name with --data the folder that holds livecareer-pdf "
    "(for occupation) or florex-resume-corpus (for it-roles)."
)


@dataclass(frozen=True, slots=True)
class OccupationReport(JsonRecord):
    """What was learned from what, and how well it does on resumes it has not seen."""

    model: str
    resumes: int
    learned: int  # by the model that was measured; the one that was saved learned from all
    labels: tuple[str, ...]
    terms: dict[str, int]  # by part
    figures: OccupationMetrics = field(metadata={"json": "test"})
    held_out: OccupationMetrics  # by cross-validation
    agreement: float  # of coefficients of one byte with whole ones, on held-out resumes
    temperature: float


def train_occupation(
    data: Path | None,
    out: Path,
    *,
    model: str = OCCUPATION.name,
    n: int | None = None,
    seed: int = SEED,
    progress: Progress = no_progress,
) -> OccupationReport:
    """The same resumes and seed give the same bytes in `out`. `n` are at most as many resumes, for a quick look."""
    if model not in MODELS:
        raise UsageError(f"There is no model of occupation {model!r}; there are {', '.join(MODELS)}.")
    chosen = MODELS[model]
    if data is None:
        raise UsageError(NEEDED)
    labelled = label_all(chosen.read(data, n=n, progress=progress))
    encoder = encoder_for(Settings()) if chosen.recipe.vectors else None
    if chosen.recipe.vectors and encoder is None:
        raise UsageError(why_no_encoder(Settings()))
    lesson = training_data_of(chosen, labelled, labelled.resumes, encoder=encoder, seed=seed, progress=progress)
    parts = divide(labelled.examples, seed=seed)
    with progress(f"learning {chosen.name}", 2) as bar:
        measured = learn(lesson, parts.train)
        bar.advance()
        shipped = learn(lesson, parts.everything)
        bar.advance()
    report = OccupationReport(
        chosen.name,
        len(labelled.examples),
        len(parts.learned),
        labelled.labels,
        {part.reading.name: len(part.terms) for part in shipped.model.terms},
        measure(measured, lesson, parts.test),
        measure(measured, lesson, parts.learned, held_out=True),
        measured.agreement,
        shipped.temperature,
    )
    save(out, chosen, shipped, report, encoder)
    return report


def save(
    out: Path, model: OccupationModel, learned: LinearTrainingResult, report: OccupationReport, encoder: Encoder | None
) -> Manifest:
    stamp = None
    if encoder:
        source = find_source(Path(Settings().encoder).expanduser() if Settings().encoder else None)
        stamp = EncoderStamp(source.name, dict(sorted(source.sha256.items())))
    counts = {"resumes": report.resumes, "train": report.learned, "test": report.resumes - report.learned}
    card = CARDS[model.name]
    manifest = Manifest(
        name=model.name,
        version=__version__,
        task="occupation",
        labels=report.labels,
        kind="joined",
        outcome=model.outcome,
        encoder=stamp,
        settings=linear.to_settings(learned.model),
        metrics={
            "agreement of small with whole coefficients": report.agreement,
            "test": report.figures.to_json(),
            "cross-validation": {  # without the tables
                key: value
                for key, value in report.held_out.to_json().items()
                if key == "ece" or isinstance(value, int | float)
            },
        },
        data=CARDS["learned"].format(name=model.name, data=card["data"], **counts),
        limits=tuple(card["limits"]),
        licence=LICENCE,
        libraries={"evenhand": __version__, **{name: version(name) for name in LIBRARIES}},
        temperature=learned.temperature,
    )
    texts = {VOCABULARY: linear.to_vocabulary(learned.model)}
    return save_artefact(out, manifest, linear.to_tensors(learned.model), write_card(manifest), texts=texts)
