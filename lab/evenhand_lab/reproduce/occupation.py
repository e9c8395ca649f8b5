"""`evenhand reproduce occupation`: occupations of real resumes with titles readable, as body only, and masked."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

from evenhand.audit.statistics import wilson
from evenhand.errors import UsageError
from evenhand.models.calibration import Floats
from evenhand.models.encoder.loading import encoder_for
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.linear.model import Source, TextEncoder, VectorReading, texts_of
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.conversion import to_json
from evenhand.settings import Settings
from evenhand_lab.benchmarks.kit import Measurement, in_brackets
from evenhand_lab.reproduce.results import Check, check_rows
from evenhand_lab.training import occupation as training
from evenhand_lab.training.linear import Gold, learn, micro_f1
from evenhand_lab.training.occupation import LabelledResumes, OccupationMetrics, TrainTestSplit
from evenhand_lab.training.occupation_data import IT_ROLES, OCCUPATION, OccupationModel

# What a model of occupation is measured against: words and a linear SVM, and the frozen encoder alone.

TFIDF, ENCODER = "TF-IDF + linear SVM", "frozen encoder + linear SVM"
COST = 1.0
BORDERS = np.linspace(-1, 1, 81)


def measure_rows(
    rows: ArrayLike, labelled: LabelledResumes, parts: TrainTestSplit, *, several: bool
) -> OccupationMetrics:
    """Of several labels, those above a border are said, which is chosen on a part of the training resumes."""
    gold, labels = labelled.gold, labelled.labels
    border = 0.0
    if several:
        held, others = parts.train[0], sorted(at for part in parts.train[1:] for at in part)
        scores, truth = _scores(rows, gold, others, held), gold[held]
        border = float(max(BORDERS, key=lambda cut: micro_f1(scores >= cut, truth)))
    scores = _scores(rows, gold, parts.learned, parts.test)
    return OccupationMetrics(training.judged(scores, gold, parts.test, labels, several=several, border=border), None)


def _scores(rows: ArrayLike, gold: Gold, learned: Sequence[int], asked: Sequence[int]) -> Floats:
    plane = OneVsRestClassifier(LinearSVC(C=COST, random_state=0, max_iter=5000))
    plane.fit(rows[list(learned)], gold[list(learned)].astype(int))  # type: ignore[call-overload,index]
    found: Floats = plane.decision_function(rows[list(asked)])  # type: ignore[call-overload,index]
    return found


# A resume with its job titles readable, only as text, or not at all: a title nearly names the occupation.

READABLE, BODY, MASKED = "titles readable", "body only", "titles masked"


def masked(resume: ResumeInput, source: Source = "titles") -> ResumeInput:
    """Without titles, and without their words wherever the text repeats them as written."""
    phrases = sorted({tuple(text.split()) for text in texts_of(resume, source)} - {()}, key=len, reverse=True)
    if not phrases:
        return resume
    words = (r"\s+".join(map(re.escape, phrase)) for phrase in phrases)
    pattern = re.compile("|".join(rf"(?<!\w){phrase}(?!\w)" for phrase in words), re.IGNORECASE)
    sections = (SectionText(section.kind, pattern.sub(" ", section.text)) for section in resume.sections)
    return replace(resume, sections=tuple(section for section in sections if section.text.strip()), titles=())


JOINED, WITH_VECTORS = "joined", "joined, with the encoder"
MEANING = VectorReading("meaning", "body", 1.0)


@dataclass(frozen=True, slots=True)
class MethodScore:
    """One method on one view of one model's resumes."""

    model: str
    view: str
    method: str
    figures: OccupationMetrics

    def to_json(self) -> dict[str, Any]:
        return {"model": self.model, "view": self.view, "method": self.method, **self.figures.to_json()}

    def __str__(self) -> str:
        figures = self.figures.evaluation
        ece = "" if self.figures.ece is None else f", ECE {self.figures.ece:.3f}"
        right = wilson(round(figures.accuracy * figures.total), figures.total)
        return f"{figures.accuracy:.3f}{in_brackets(right)}, {figures.micro_f1:.3f}, {figures.macro_f1:.3f}{ece}"


@dataclass(frozen=True, slots=True)
class Occupations(Measurement):
    title: ClassVar[str] = "occupation of real resumes: titles readable, body only, titles masked"
    resumes: dict[str, tuple[int, int]]  # learned from, measured on
    measured: list[MethodScore]
    checks: list[Check]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        return to_json(self)

    def rows(self) -> list[tuple[str, str]]:
        rows = [
            (f"{name}: resumes learned from, measured on", f"{learned:,}, {test:,}")
            for name, (learned, test) in self.resumes.items()
        ]
        rows += [
            (f"{score.model}, {score.view}, {score.method}: accuracy, micro-F1, macro-F1", str(score))
            for score in self.measured
        ]
        rows += [
            (
                f"{score.model}, {label.label}: precision, recall, F1 (resumes)",
                f"{label.precision:.2f}, {label.recall:.2f}, {label.f1 or 0:.2f} ({label.support})",
            )
            for score in self.measured
            if (score.view, score.method) == (READABLE, JOINED)
            for label in score.figures.evaluation.classes
        ]
        rows += check_rows(self.checks, "holds", "does not hold")
        return [*rows, ("wall time", f"{self.seconds / 60:.1f} min")]


def run(
    data: Path | None = None, *, n: int | None = None, seed: int = training.SEED, progress: Progress = no_progress
) -> Occupations:
    """On the resumes under `data`, at most `n` of each set; UsageError without any."""
    if data is None:
        raise UsageError(training.NEEDED)
    started = time.perf_counter()
    encoder = encoder_for(Settings())
    resumes: dict[str, tuple[int, int]] = {}
    measured: list[MethodScore] = []
    for model in (OCCUPATION, IT_ROLES):
        labelled = training.label_all(model.read(data, n=n, progress=progress))
        parts = training.divide(labelled.examples, seed=seed)
        resumes[model.name] = len(parts.learned), len(parts.test)
        with_encoder = encoder if model is OCCUPATION else None  # ten thousand long resumes take it hours
        measured += compare_views(model, labelled, parts, encoder=with_encoder, seed=seed, progress=progress)
    return Occupations(resumes, measured, check(measured), time.perf_counter() - started)


def compare_views(
    model: OccupationModel,
    labelled: LabelledResumes,
    parts: TrainTestSplit,
    *,
    encoder: TextEncoder | None,
    seed: int,
    progress: Progress,
) -> Iterator[MethodScore]:
    """All views and methods on the resumes of one model."""
    name, several, titles = model.name, model.several, model.titles
    for view in with_progress((READABLE, BODY, MASKED), progress, f"views of {name}", 3):
        resumes = labelled.resumes
        if view != READABLE:  # then without the parts of the model that read titles
            resumes = [replace(resume, titles=()) if view == BODY else masked(resume, titles) for resume in resumes]
            terms = tuple(reading for reading in model.recipe.terms if reading.source == "body")
            model = replace(model, recipe=replace(model.recipe, terms=terms))
        lesson = training.training_data_of(model, labelled, resumes, encoder=None, seed=seed, progress=progress)
        joined = training.measure(learn(lesson, parts.train), lesson, parts.test)
        yield MethodScore(name, view, JOINED, joined)
        if view == READABLE:
            continue  # the others know no titles but as words of the body
        # Single words and pairs, sublinear, without stop words: what anybody would try first.
        words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2, stop_words="english", dtype=np.float32)
        words.fit([resumes[at].text for at in parts.learned])
        rows = words.transform([resume.text for resume in resumes])
        yield MethodScore(name, view, TFIDF, measure_rows(rows, labelled, parts, several=several))
        if encoder is None:
            continue
        stream = with_progress(resumes, progress, "encoding resumes", len(resumes))
        vectors = np.array([MEANING.vector(resume, encoder) for resume in stream], np.float32)
        yield MethodScore(name, view, ENCODER, measure_rows(vectors, labelled, parts, several=several))
        recipe = replace(model.recipe, vectors=(MEANING,))
        prepared = replace(lesson.prepared, vectors={MEANING.name: vectors})
        both = replace(lesson, prepared=prepared, recipe=recipe)
        yield MethodScore(name, view, WITH_VECTORS, training.measure(learn(both, parts.train), both, parts.test))


def check(measured: Sequence[MethodScore]) -> list[Check]:
    scores = {(score.model, score.view, score.method): score.figures.evaluation for score in measured}
    occupation, roles = (scores[model.name, READABLE, JOINED] for model in (OCCUPATION, IT_ROLES))
    peers = [scores[model.name, BODY, TFIDF] for model in (OCCUPATION, IT_ROLES)]
    is_above = occupation.micro_f1 > peers[0].micro_f1 and roles.micro_f1 > peers[1].micro_f1
    return [
        Check("occupation: accuracy at least 0.80", occupation.accuracy >= 0.80),
        Check("occupation: macro-F1 at least 0.74", occupation.macro_f1 >= 0.74),
        Check("it-roles: micro-F1 at least 0.85", roles.micro_f1 >= 0.85),
        Check("both: titles and words joined above TF-IDF + linear SVM on micro-F1", is_above),
    ]
