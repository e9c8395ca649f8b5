"""A joined model as tensors, a file of terms and settings, and back. A coefficient of a term takes one byte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import ModelMalformed
from evenhand.models.artefact import Artefact
from evenhand.models.joined.blocks import Array, TermPart, TermReading, VectorPart, VectorReading
from evenhand.models.joined.model import Joined

VOCABULARY = "vocabulary.tsv"
LARGEST = 127


def to_settings(model: Joined) -> dict[str, Any]:
    return {
        "terms": [part.reading.to_json() for part in model.terms],
        "vectors": [part.reading.to_json() for part in model.vectors],
    }


def to_vocabulary(model: Joined) -> str:
    """A line for each term: its part, a tab, the term."""
    return "".join(f"{part.reading.name}\t{term}\n" for part in model.terms for term in part.terms)


def to_tensors(model: Joined) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {"bias": model.bias}
    for part in model.terms:
        scale, small = to_bytes(part.coefficients)
        name = part.reading.name
        found |= {f"{name}.coefficients": small, f"{name}.scale": scale}
        found[f"{name}.idf"] = part.idf.astype(np.float16)
    for vector in model.vectors:
        found[f"{vector.reading.name}.coefficients"] = vector.coefficients.astype(np.float16)
        found[f"{vector.reading.name}.mean"] = vector.mean.astype(np.float16)
    return found


def to_bytes(coefficients: Array) -> tuple[Array, NDArray[np.int8]]:
    """One scale per label: the largest coefficient becomes 127."""
    largest = np.abs(coefficients).max(axis=0, initial=0)
    scale = np.where(largest > 0, largest / LARGEST, 1).astype(np.float32)
    return scale, np.rint(coefficients / scale).astype(np.int8)


def from_artefact(artefact: Artefact) -> Joined:
    """ModelMalformed where its parts do not fit each other."""
    name = artefact.manifest.name
    try:
        settings = artefact.manifest.settings
        terms = tuple(map(TermReading.from_json, settings["terms"]))
        vectors = tuple(map(VectorReading.from_json, settings["vectors"]))
        vocabulary = _vocabulary(artefact.texts[VOCABULARY])
    except (KeyError, TypeError, ValueError) as error:
        raise ModelMalformed(
            f"The settings of the model {name} are not those of a joined model: {error}."
        ) from error
    model = Joined(
        artefact.manifest.labels,
        artefact.tensor("bias").astype(np.float32),
        tuple(_term_part(artefact, reading, vocabulary.get(reading.name, ())) for reading in terms),
        tuple(_vector_part(artefact, reading) for reading in vectors),
    )
    for what, found, expected in _sizes(model):
        if found != expected:
            raise ModelMalformed(f"The model {name} has {what} of size {found}, not {expected}.")
    return model


def _vocabulary(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        part, _, term = line.partition("\t")
        if not part or not term:
            raise ValueError(f"a line of {VOCABULARY} is no part and term")
        found.setdefault(part, []).append(term)
    return {part: tuple(terms) for part, terms in found.items()}


def _term_part(artefact: Artefact, reading: TermReading, terms: tuple[str, ...]) -> TermPart:
    small, scale = (artefact.tensor(f"{reading.name}.{name}") for name in ("coefficients", "scale"))
    return TermPart(
        reading,
        terms,
        artefact.tensor(f"{reading.name}.idf").astype(np.float32),
        small.astype(np.float32) * scale.astype(np.float32),
    )


def _vector_part(artefact: Artefact, reading: VectorReading) -> VectorPart:
    mean, coefficients = (
        artefact.tensor(f"{reading.name}.{name}").astype(np.float32) for name in ("mean", "coefficients")
    )
    return VectorPart(reading, mean, coefficients)


def _sizes(model: Joined) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    labels = len(model.labels)
    yield "a bias", model.bias.shape, (labels,)
    for part in model.terms:
        yield f"{part.reading.name}.coefficients", part.coefficients.shape, (len(part.terms), labels)
        yield f"{part.reading.name}.idf", part.idf.shape, (len(part.terms),)
    for vector in model.vectors:
        yield f"{vector.reading.name}.coefficients", vector.coefficients.shape, (len(vector.mean), labels)
