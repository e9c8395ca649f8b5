"""Training a model of occupation from public resumes: measured on a part of them, then learned from all, then saved."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from evenhand import __version__
from evenhand.errors import UsageError
from evenhand.models.artefact import save_artefact
from evenhand.models.card import write_card
from evenhand.models.encoder import Encoder
from evenhand.models.encoder.weights import find_source
from evenhand.models.joined.learning import Learned, learn
from evenhand.models.joined.storing import VOCABULARY, to_settings, to_tensors, to_vocabulary
from evenhand.models.manifest import EncoderStamp, Manifest
from evenhand.settings import Settings
from evenhand.workflows.encoding import MISSING, encoder_for
from evenhand.workflows.occupation_learning import (
    Figures,
    divide,
    label_all,
    lesson_of,
    measure,
    measure_held_out,
)
from evenhand.workflows.occupation_models import OCCUPATION, OccupationModel, find_occupation_model
from evenhand.workflows.watching import Watch, unwatched

SEED = 0
LICENCE = "Apache-2.0"
LIBRARIES = ("numpy", "safetensors", "scikit-learn", "scipy")
NEEDED = (
    "A model of occupation learns from labelled resumes: name with --data the folder that holds livecareer-pdf "
    "(for occupation) or florex-resume-corpus (for it-roles)."
)
LEARNED = (
    "{name}: {data} {resumes:,} resumes. The figures are of a model that learned from {train:,} of them, measured on "
    "the other {test:,}, which share no near-duplicate with these; the model that ships learned from all. What was "
    "chosen, from terms to temperature, was chosen by cross-validation among the {train:,}. No term is known that "
    "fewer than five resumes share, nor names of people, places or employers."
)


@dataclass(frozen=True, slots=True)
class OccupationReport:
    """What was learned from what, and how well it does on resumes it has not seen."""

    model: str
    resumes: int
    learned: int  # by the model that was measured; the one that was saved learned from all
    labels: tuple[str, ...]
    terms: dict[str, int]  # by part
    figures: Figures
    held_out: Figures  # by cross-validation
    agreement: float  # of coefficients of one byte with whole ones, on held-out resumes
    temperature: float

    def to_json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "resumes": self.resumes,
            "learned": self.learned,
            "labels": list(self.labels),
            "terms": self.terms,
            "test": {"ece": self.figures.ece, **self.figures.evaluation.to_json()},
            "held_out": {"ece": self.held_out.ece, **self.held_out.evaluation.to_json()},
            "agreement": self.agreement,
            "temperature": self.temperature,
        }


def train_occupation(
    data: Path | None,
    out: Path,
    *,
    model: str = OCCUPATION.name,
    n: int | None = None,
    seed: int = SEED,
    watch: Watch = unwatched,
) -> OccupationReport:
    """The same resumes and seed give the same bytes in `out`. `n` are at most as many resumes, for a quick look."""
    chosen = find_occupation_model(model)
    if data is None:
        raise UsageError(NEEDED)
    labelled = label_all(chosen.read(data, n=n, watch=watch))
    encoder = needed_encoder(chosen)
    lesson = lesson_of(chosen, labelled, labelled.resumes, encoder=encoder, seed=seed, watch=watch)
    parts = divide(labelled.examples, seed=seed)
    with watch(f"learning {chosen.name}", 2) as bar:
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
        measure_held_out(measured, lesson, parts.learned),
        measured.agreement,
        shipped.temperature,
    )
    save(out, chosen, shipped, report, encoder)
    return report


def needed_encoder(model: OccupationModel) -> Encoder | None:
    """None where the model has no neural part; UsageError where it has one and there is no encoder."""
    if not model.recipe.vectors:
        return None
    encoder = encoder_for(Settings())
    if encoder is None:
        raise UsageError(MISSING)
    return encoder


def save(
    out: Path, model: OccupationModel, learned: Learned, report: OccupationReport, encoder: Encoder | None
) -> Manifest:
    manifest = Manifest(
        name=model.name,
        version=__version__,
        task="occupation",
        labels=report.labels,
        kind="joined",
        outcome=model.outcome,
        encoder=_stamp() if encoder else None,
        settings=to_settings(learned.model),
        metrics={
            "agreement of small with whole coefficients": report.agreement,
            "test": {"ece": report.figures.ece, **report.figures.evaluation.to_json()},
            "cross-validation": _without_tables(report.held_out),
        },
        data=LEARNED.format(
            name=model.name,
            data=model.data,
            resumes=report.resumes,
            train=report.learned,
            test=report.resumes - report.learned,
        ),
        limits=model.limits,
        licence=LICENCE,
        libraries={"evenhand": __version__, **{name: version(name) for name in LIBRARIES}},
        temperature=learned.temperature,
    )
    texts = {VOCABULARY: to_vocabulary(learned.model)}
    return save_artefact(out, manifest, to_tensors(learned.model), write_card(manifest), texts=texts)


def _stamp() -> EncoderStamp:
    source = find_source(Path(Settings().encoder).expanduser() if Settings().encoder else None)
    return EncoderStamp(source.name, dict(sorted(source.sha256.items())))


def _without_tables(figures: Figures) -> dict[str, Any]:
    content = figures.evaluation.to_json()
    return {"ece": figures.ece} | {
        key: value for key, value in content.items() if isinstance(value, int | float)
    }
