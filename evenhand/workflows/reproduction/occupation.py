"""`evenhand reproduce occupation`: occupations of real resumes with titles readable, as body only, and masked."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from rich.table import Table

from evenhand.errors import UsageError
from evenhand.models.evaluation import ClassFigures
from evenhand.models.inputs import ResumeInput
from evenhand.models.joined.blocks import TextEncoder, VectorReading
from evenhand.models.joined.learning import learn
from evenhand.settings import Settings
from evenhand.workflows.encoding import encoder_for
from evenhand.workflows.occupation_learning import (
    Figures,
    Labelled,
    Parts,
    divide,
    label_all,
    lesson_of,
    measure,
)
from evenhand.workflows.occupation_models import IT_ROLES, OCCUPATION, OccupationModel
from evenhand.workflows.occupation_peers import ENCODER, TFIDF, measure_rows, measure_tfidf
from evenhand.workflows.occupation_training import NEEDED, SEED
from evenhand.workflows.occupation_views import BODY, MASKED, READABLE, body_only, masked
from evenhand.workflows.reproduction.results import Check
from evenhand.workflows.watching import Watch, unwatched, watched

JOINED, WITH_VECTORS = "joined", "joined, with the encoder"
MEANING = VectorReading("meaning", "body", 1.0)
GOALS = {OCCUPATION.name: ("accuracy", 0.80), IT_ROLES.name: ("micro-F1", 0.85)}
LEAST_MACRO_F1 = 0.74


@dataclass(frozen=True, slots=True)
class Measured:
    """One method on one view of one model's resumes."""

    model: str
    view: str
    method: str
    figures: Figures

    def to_json(self) -> dict[str, Any]:
        found = {"model": self.model, "view": self.view, "method": self.method, "ece": self.figures.ece}
        return found | self.figures.evaluation.to_json()

    def __str__(self) -> str:
        found = self.figures
        ece = "" if found.ece is None else f", ECE {found.ece:.3f}"
        return f"{found.accuracy:.3f}, {found.micro_f1:.3f}, {found.macro_f1:.3f}{ece}"


@dataclass(frozen=True, slots=True)
class Occupations:
    title: ClassVar[str] = "occupation of real resumes: titles readable, body only, titles masked"
    resumes: dict[str, tuple[int, int]]  # learned from, measured on
    measured: list[Measured]
    checks: list[Check]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        return {
            "resumes": {name: list(sizes) for name, sizes in self.resumes.items()},
            "measured": [each.to_json() for each in self.measured],
            "checks": [asdict(check) for check in self.checks],
            "seconds": self.seconds,
        }

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

    def table(self) -> Table:
        table = Table("Model", "View", "Method", title="Occupation of resumes that were not learned from")
        for name in ("accuracy", "micro-F1", "macro-F1", "ECE"):
            table.add_column(name, justify="right")
        for each in self.measured:
            found = each.figures
            numbers = (found.accuracy, found.micro_f1, found.macro_f1, found.ece)
            shown = ("" if number is None else f"{number:.3f}" for number in numbers)
            table.add_row(each.model, each.view, each.method, *shown)
        for name in self.resumes:
            table.add_section()
            table.add_row(name, READABLE, JOINED, "precision", "recall", "F1", "resumes")
            for model, label in self._classes():
                if model == name:
                    parts = (label.precision, label.recall, label.f1 or 0.0)
                    table.add_row("", "", label.label, *(f"{part:.2f}" for part in parts), str(label.support))
        return table

    def _classes(self) -> Iterator[tuple[str, ClassFigures]]:
        for each in self.measured:
            if (each.view, each.method) == (READABLE, JOINED):
                for label in each.figures.evaluation.classes:
                    yield each.model, label


def run(
    data: Path | None = None, *, n: int | None = None, seed: int = SEED, watch: Watch = unwatched
) -> Occupations:
    """On the resumes under `data`, at most `n` of each set; UsageError without any."""
    if data is None:
        raise UsageError(NEEDED)
    started = time.perf_counter()
    encoder = encoder_for(Settings())
    resumes: dict[str, tuple[int, int]] = {}
    measured: list[Measured] = []
    for model in (OCCUPATION, IT_ROLES):
        labelled = label_all(model.read(data, n=n, watch=watch))
        parts = divide(labelled.examples, seed=seed)
        resumes[model.name] = len(parts.learned), len(parts.test)
        with_encoder = encoder if model is OCCUPATION else None  # ten thousand long resumes take it hours
        measured += Comparison(model, labelled, parts, with_encoder, seed, watch).run()
    return Occupations(resumes, measured, check(measured), time.perf_counter() - started)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All views and methods on the resumes of one model."""

    model: OccupationModel
    labelled: Labelled
    parts: Parts
    encoder: TextEncoder | None
    seed: int
    watch: Watch

    def run(self) -> list[Measured]:
        return [
            self._measured(view, method, figures)
            for view in watched((READABLE, BODY, MASKED), self.watch, f"views of {self.model.name}", 3)
            for method, figures in self._methods(view)
        ]

    def _measured(self, view: str, method: str, figures: Figures) -> Measured:
        return Measured(self.model.name, view, method, figures)

    def _methods(self, view: str) -> Iterator[tuple[str, Figures]]:
        resumes = [self._shown(resume, view) for resume in self.labelled.resumes]
        model = self.model if view == READABLE else without_titles(self.model)
        lesson = lesson_of(model, self.labelled, resumes, encoder=None, seed=self.seed, watch=self.watch)
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
        stream = watched(resumes, self.watch, "encoding resumes", len(resumes))
        return np.array([MEANING.vector(resume, encoder) for resume in stream], np.float32)


def without_titles(model: OccupationModel) -> OccupationModel:
    """Its parts that read the body."""
    terms = tuple(reading for reading in model.recipe.terms if reading.source == "body")
    return replace(model, recipe=replace(model.recipe, terms=terms))


def check(measured: Sequence[Measured]) -> list[Check]:
    found = {(each.model, each.view, each.method): each.figures for each in measured}
    ours = {name: found[name, READABLE, JOINED] for name in GOALS}
    return [
        Check(
            "occupation: accuracy at least 0.80", ours[OCCUPATION.name].accuracy >= GOALS[OCCUPATION.name][1]
        ),
        Check("occupation: macro-F1 at least 0.74", ours[OCCUPATION.name].macro_f1 >= LEAST_MACRO_F1),
        Check("it-roles: micro-F1 at least 0.85", ours[IT_ROLES.name].micro_f1 >= GOALS[IT_ROLES.name][1]),
        Check(
            "both: titles and words joined above TF-IDF + linear SVM on micro-F1",
            all(ours[name].micro_f1 > found[name, BODY, TFIDF].micro_f1 for name in GOALS),
        ),
    ]
