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

from evenhand.errors import UsageError
from evenhand.models.calibration import Floats
from evenhand.models.encoder.loading import encoder_for
from evenhand.models.evaluation import ClassFigures
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.linear.model import Source, TextEncoder, VectorReading, texts_of
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.settings import Settings
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.reproduce.results import Check
from evenhand_lab.training.linear import Gold, learn, micro_f1
from evenhand_lab.training.occupation import (
    NEEDED,
    SEED,
    LabelledResumes,
    OccupationMetrics,
    TrainTestSplit,
    divide,
    judged,
    label_all,
    measure,
    training_data_of,
)
from evenhand_lab.training.occupation_data import IT_ROLES, OCCUPATION, OccupationModel

# What a model of occupation is measured against: words and a linear SVM, and the frozen encoder alone.


TFIDF, ENCODER = "TF-IDF + linear SVM", "frozen encoder + linear SVM"
COST = 1.0
BORDERS = np.linspace(-1, 1, 81)


def measure_tfidf(
    resumes: Sequence[ResumeInput], labelled: LabelledResumes, parts: TrainTestSplit, *, several: bool
) -> OccupationMetrics:
    """Single words and pairs, sublinear, without stop words: what anybody would try first."""
    texts = [resume.text for resume in resumes]
    words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2, stop_words="english", dtype=np.float32)
    words.fit([texts[at] for at in parts.learned])
    return measure_rows(words.transform(texts), labelled, parts, several=several)


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
    return OccupationMetrics(judged(scores, gold, parts.test, labels, several=several, border=border), None)


def _scores(rows: ArrayLike, gold: Gold, learned: Sequence[int], asked: Sequence[int]) -> Floats:
    plane = OneVsRestClassifier(LinearSVC(C=COST, random_state=0, max_iter=5000))
    plane.fit(rows[list(learned)], gold[list(learned)].astype(int))  # type: ignore[call-overload,index]
    found: Floats = plane.decision_function(rows[list(asked)])  # type: ignore[call-overload,index]
    return found


# A resume with its job titles readable, only as text, or not at all: a title nearly names the occupation.

READABLE, BODY, MASKED = "titles readable", "body only", "titles masked"


def body_only(resume: ResumeInput) -> ResumeInput:
    """Titles stand in the text like any other words."""
    return replace(resume, titles=())


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
GOALS = {OCCUPATION.name: ("accuracy", 0.80), IT_ROLES.name: ("micro-F1", 0.85)}
MIN_MACRO_F1 = 0.74


@dataclass(frozen=True, slots=True)
class MethodScore:
    """One method on one view of one model's resumes."""

    model: str
    view: str
    method: str
    figures: OccupationMetrics

    def to_json(self) -> dict[str, Any]:
        found = {"model": self.model, "view": self.view, "method": self.method, "ece": self.figures.ece}
        return found | self.figures.evaluation.to_json()

    def __str__(self) -> str:
        found = self.figures
        ece = "" if found.ece is None else f", ECE {found.ece:.3f}"
        return f"{found.accuracy:.3f}, {found.micro_f1:.3f}, {found.macro_f1:.3f}{ece}"


@dataclass(frozen=True, slots=True)
class Occupations(Measurement):
    title: ClassVar[str] = "occupation of real resumes: titles readable, body only, titles masked"
    resumes: dict[str, tuple[int, int]]  # learned from, measured on
    measured: list[MethodScore]
    checks: list[Check]
    seconds: float

    def rows(self) -> list[tuple[str, str]]:
        found = [
            (f"{name}: resumes learned from, measured on", f"{learned:,}, {test:,}")
            for name, (learned, test) in self.resumes.items()
        ]
        found += [
            (f"{each.model}, {each.view}, {each.method}: accuracy, micro-F1, macro-F1", str(each))
            for each in self.measured
        ]
        found += [
            (
                f"{name}, {label.label}: precision, recall, F1 (resumes)",
                f"{label.precision:.2f}, {label.recall:.2f}, {label.f1 or 0:.2f} ({label.support})",
            )
            for name, label in self._classes()
        ]
        found += [(check.claim, "holds" if check.holds else "does not hold") for check in self.checks]
        return [*found, ("wall time", f"{self.seconds / 60:.1f} min")]

    def _classes(self) -> Iterator[tuple[str, ClassFigures]]:
        for each in self.measured:
            if (each.view, each.method) == (READABLE, JOINED):
                for label in each.figures.evaluation.classes:
                    yield each.model, label


def run(
    data: Path | None = None, *, n: int | None = None, seed: int = SEED, progress: Progress = no_progress
) -> Occupations:
    """On the resumes under `data`, at most `n` of each set; UsageError without any."""
    if data is None:
        raise UsageError(NEEDED)
    started = time.perf_counter()
    encoder = encoder_for(Settings())
    resumes: dict[str, tuple[int, int]] = {}
    measured: list[MethodScore] = []
    for model in (OCCUPATION, IT_ROLES):
        labelled = label_all(model.read(data, n=n, progress=progress))
        parts = divide(labelled.examples, seed=seed)
        resumes[model.name] = len(parts.learned), len(parts.test)
        with_encoder = encoder if model is OCCUPATION else None  # ten thousand long resumes take it hours
        measured += ViewComparison(model, labelled, parts, with_encoder, seed, progress).run()
    return Occupations(resumes, measured, check(measured), time.perf_counter() - started)


@dataclass(frozen=True, slots=True)
class ViewComparison:
    """All views and methods on the resumes of one model."""

    model: OccupationModel
    labelled: LabelledResumes
    parts: TrainTestSplit
    encoder: TextEncoder | None
    seed: int
    progress: Progress

    def run(self) -> list[MethodScore]:
        return [
            self._measured(view, method, figures)
            for view in with_progress((READABLE, BODY, MASKED), self.progress, f"views of {self.model.name}", 3)
            for method, figures in self._methods(view)
        ]

    def _measured(self, view: str, method: str, figures: OccupationMetrics) -> MethodScore:
        return MethodScore(self.model.name, view, method, figures)

    def _methods(self, view: str) -> Iterator[tuple[str, OccupationMetrics]]:
        resumes = [self._shown(resume, view) for resume in self.labelled.resumes]
        model = self.model if view == READABLE else without_titles(self.model)
        lesson = training_data_of(model, self.labelled, resumes, encoder=None, seed=self.seed, progress=self.progress)
        yield JOINED, measure(learn(lesson, self.parts.train), lesson, self.parts.test)
        if view == READABLE:
            return  # the others know no titles but as words of the body
        yield TFIDF, measure_tfidf(resumes, self.labelled, self.parts, several=model.several)
        if self.encoder is None:
            return
        vectors = self._vectors(resumes, self.encoder)
        yield ENCODER, measure_rows(vectors, self.labelled, self.parts, several=model.several)
        recipe = replace(model.recipe, vectors=(MEANING,))
        prepared = replace(lesson.prepared, vectors={MEANING.name: vectors})
        both = replace(lesson, prepared=prepared, recipe=recipe)
        yield WITH_VECTORS, measure(learn(both, self.parts.train), both, self.parts.test)

    def _shown(self, resume: ResumeInput, view: str) -> ResumeInput:
        if view == READABLE:
            return resume
        return body_only(resume) if view == BODY else masked(resume, self.model.titles)

    def _vectors(self, resumes: Sequence[ResumeInput], encoder: TextEncoder) -> Any:
        stream = with_progress(resumes, self.progress, "encoding resumes", len(resumes))
        return np.array([MEANING.vector(resume, encoder) for resume in stream], np.float32)


def without_titles(model: OccupationModel) -> OccupationModel:
    """Its parts that read the body."""
    terms = tuple(reading for reading in model.recipe.terms if reading.source == "body")
    return replace(model, recipe=replace(model.recipe, terms=terms))


def check(measured: Sequence[MethodScore]) -> list[Check]:
    found = {(each.model, each.view, each.method): each.figures for each in measured}
    ours = {name: found[name, READABLE, JOINED] for name in GOALS}
    return [
        Check("occupation: accuracy at least 0.80", ours[OCCUPATION.name].accuracy >= GOALS[OCCUPATION.name][1]),
        Check("occupation: macro-F1 at least 0.74", ours[OCCUPATION.name].macro_f1 >= MIN_MACRO_F1),
        Check("it-roles: micro-F1 at least 0.85", ours[IT_ROLES.name].micro_f1 >= GOALS[IT_ROLES.name][1]),
        Check(
            "both: titles and words joined above TF-IDF + linear SVM on micro-F1",
            all(ours[name].micro_f1 > found[name, BODY, TFIDF].micro_f1 for name in GOALS),
        ),
    ]
