"""A linear model read from tensors, a file of terms and settings. A coefficient of a term takes one byte."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenhand.errors import ModelMalformed
from evenhand.models.calibration import Floats, to_probabilities
from evenhand.models.encoder.loading import Encoder, Precision, load_encoder
from evenhand.models.inputs import ResumeInput
from evenhand.models.linear.model import Array, LinearModel, TermPart, TermReading, VectorPart, VectorReading
from evenhand.models.manifest import Manifest
from evenhand.models.registry import Artefact

VOCABULARY = "vocabulary.tsv"


def from_artefact(artefact: Artefact) -> LinearModel:
    """ModelMalformed where its parts do not fit each other."""
    name = artefact.manifest.name

    def floats(tensor: str) -> Array:
        return artefact.tensor(tensor).astype(np.float32)

    try:
        settings = artefact.manifest.settings
        terms = tuple(map(TermReading.from_json, settings["terms"]))
        vectors = tuple(map(VectorReading.from_json, settings["vectors"]))
        vocabulary: dict[str, list[str]] = defaultdict(list)
        for line in artefact.texts[VOCABULARY].splitlines():
            part, _, term = line.partition("\t")
            if not part or not term:
                raise ValueError(f"a line of {VOCABULARY} is no part and term")
            vocabulary[part].append(term)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelMalformed(f"The settings of the model {name} are not those of a joined model: {error}.") from error
    model = LinearModel(
        artefact.manifest.labels,
        floats("bias"),
        tuple(
            TermPart(
                reading,
                tuple(vocabulary[reading.name]),
                coefficients=floats(f"{reading.name}.coefficients") * floats(f"{reading.name}.scale"),
                idf=floats(f"{reading.name}.idf"),
            )
            for reading in terms
        ),
        tuple(
            VectorPart(reading, floats(f"{reading.name}.mean"), floats(f"{reading.name}.coefficients"))
            for reading in vectors
        ),
    )
    for what, size, expected in _sizes(model):
        if size != expected:
            raise ModelMalformed(f"The model {name} has {what} of size {size}, not {expected}.")
    return model


def _sizes(model: LinearModel) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    labels = len(model.labels)
    yield "a bias", model.bias.shape, (labels,)
    for part in model.terms:
        yield f"{part.reading.name}.coefficients", part.coefficients.shape, (len(part.terms), labels)
        yield f"{part.reading.name}.idf", part.idf.shape, (len(part.terms),)
    for vector in model.vectors:
        yield f"{vector.reading.name}.coefficients", vector.coefficients.shape, (len(vector.mean), labels)


# A linear model ready to judge, with the encoder it learned with.


@dataclass(frozen=True, eq=False)
class LinearClassifier:
    manifest: Manifest
    model: LinearModel
    encoder: Encoder | None

    @property
    def note(self) -> str:
        return self.encoder.note if self.encoder else ""

    def logits(self, resumes: Sequence[ResumeInput]) -> Floats:
        return self.model.logits(resumes, self.encoder)

    def predict(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        """Each resume is judged by itself, so nothing depends on the others; a job's text has no say."""
        several = self.manifest.outcome == "several"
        return to_probabilities(self.logits(resumes), temperature=self.manifest.temperature, several=several)


def load_linear(
    artefact: Artefact,
    *,
    encoder: Path | None = None,
    precision: Precision = "fp32",
    cache: Path | None = None,
    threads: int = 1,
) -> LinearClassifier:
    """`encoder` is the folder of the one that the manifest names, None for the one that ships."""
    model = from_artefact(artefact)
    if not model.vectors:
        return LinearClassifier(artefact.manifest, model, None)
    found = load_encoder(encoder, precision=precision, cache=cache, threads=threads)
    for part in model.vectors:
        if len(part.mean) != found.dimension:
            raise ModelMalformed(
                f"The part {part.reading.name} expects vectors of {len(part.mean)} numbers; "
                f"the encoder gives {found.dimension}."
            )
    return LinearClassifier(artefact.manifest, model, found)
