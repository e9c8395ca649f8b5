"""Concepts taken out of what an encoder or a model makes of a text, at the time of use.

A removal is fitted elsewhere and kept in a folder. Here such a folder is read and checked, and its linear map is put
behind the sentence encoder, or between the two halves of a model: what it makes of a resume (`represent`) and what it
decides from that (`logits_from_rows`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load

from evenhand.errors import (
    ModelAltered,
    ModelIncomplete,
    ModelMalformed,
    ModelNotFound,
    ModelUnfit,
    ModelUnknownKind,
    UsageError,
)
from evenhand.models.calibration import Floats, to_probabilities
from evenhand.models.encoder.loading import Encoder
from evenhand.models.inference.loading import Classifier
from evenhand.models.inference.network import NetworkClassifier
from evenhand.models.inputs import ResumeInput
from evenhand.models.linear.storing import LinearClassifier
from evenhand.models.manifest import Manifest
from evenhand.models.registry import MANIFEST, WEIGHTS

FORMAT = 1
KIND = "removal"
OF_MODELS = "model "  # begins the source of a removal from a model's rows


@dataclass(frozen=True, slots=True, eq=False)
class LinearMap:
    """One small frozen map, x or nothing plus x L R + b: what removal leaves of any row.

    `keeps` says whether the row itself stays in the sum: then L R takes away, else L R is all that is left.

    Both factors are thin, so that a map of 768 numbers by rank 20 weighs 30,000 numbers and not 600,000.
    """

    keeps: bool
    left: Floats  # d x q
    right: Floats  # q x d
    shift: Floats  # d

    @property
    def dimension(self) -> int:
        return len(self.shift)

    @property
    def rank(self) -> int:
        return int(self.left.shape[1])

    def apply(self, rows: NDArray[np.floating]) -> Floats:
        """UsageError for rows of another length."""
        values = np.asarray(rows, np.float64)
        if values.shape[-1] != self.dimension:
            raise UsageError(f"The rows have {values.shape[-1]} numbers; what was fitted has {self.dimension}.")
        moved = (values @ self.left) @ self.right + self.shift
        return values + moved if self.keeps else moved

    def coordinates(self, rows: NDArray[np.floating]) -> Floats:
        """The applied rows in as few columns as carry them: distances stay, so every probe sees the same picture."""
        if self.keeps:
            return self.apply(rows)
        triangle = np.linalg.qr(self.right.T)[1]  # right = triangle^T Q^T with Q orthonormal
        found: Floats = (np.asarray(rows, np.float64) @ self.left) @ triangle.T
        return found

    def then(self, after: LinearMap) -> LinearMap:
        """The map that does both, this one first."""
        shift = (after.shift + (self.shift @ after.left) @ after.right) + (self.shift if after.keeps else 0)
        inner = self.right @ after.left
        if not after.keeps:
            left = self.left @ inner + (after.left if self.keeps else 0)
            return LinearMap(False, left, after.right, shift)
        if not self.keeps:
            return LinearMap(False, self.left, self.right + inner @ after.right, shift)
        left = np.hstack([self.left, after.left + self.left @ inner])
        return LinearMap(True, left, np.vstack([self.right, after.right]), shift)


def identity(dimension: int) -> LinearMap:
    """Changes nothing."""
    return LinearMap(True, np.zeros((dimension, 0)), np.zeros((0, dimension)), np.zeros(dimension))


def subtract(directions: Floats, *, towards: Floats | None = None) -> LinearMap:
    """Without the span of the orthonormal columns `directions`; what stands there becomes that of `towards`, or 0."""
    shift = np.zeros(len(directions)) if towards is None else (towards @ directions) @ directions.T
    return LinearMap(True, -directions, directions.T.copy(), shift)


@dataclass(frozen=True, slots=True, eq=False)
class SavedRemoval:
    """A removal as its folder holds it, with the map ready for use. `source` names what made the rows it is for.

    `manifest` and `tensors` also tell how it was fitted, for whoever reports on that.
    """

    change: LinearMap
    source: str
    manifest: Mapping[str, Any]
    tensors: Mapping[str, NDArray[Any]]

    def apply(self, rows: NDArray[np.floating], /) -> Floats:
        return self.change.apply(rows)


def read_removal(folder: Path) -> SavedRemoval:
    """ModelError of the fitting kind for a folder that holds no removal, or not the one that was saved."""
    manifest = _manifest(folder)
    try:
        weights = (folder / WEIGHTS).read_bytes()
    except OSError as error:
        raise ModelIncomplete(f"The removal {folder} lacks {WEIGHTS}.") from error
    try:
        if hashlib.sha256(weights).hexdigest() != manifest["files"][WEIGHTS]:
            raise ModelAltered(f"{WEIGHTS} of the removal {folder} is not the file that was saved.")
        tensors = load(weights)
        left, right, shift = (tensors[f"change.{name}"] for name in ("left", "right", "shift"))
        change = LinearMap(bool(manifest["keeps"]), left, right, shift)
        if change.left.shape[0] != change.dimension or change.right.shape != change.left.shape[::-1]:
            raise ValueError("the factors of its map do not fit each other")
        return SavedRemoval(change, str(manifest["source"]), manifest, tensors)
    except (KeyError, TypeError, ValueError, SafetensorError) as error:
        raise unusable(folder, error) from error


def unusable(folder: Path, error: Exception) -> ModelMalformed:
    """One wording for every part of the folder that turns out to be malformed."""
    return ModelMalformed(f"The removal {folder} cannot be used: {error}.")


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelNotFound(f"There is no removal in {folder}: it has no {MANIFEST}.") from error
    except ValueError as error:
        raise ModelMalformed(f"The manifest of the removal {folder} is not JSON: {error}.") from error
    if not isinstance(content, dict) or content.get("kind") != KIND or content.get("format") != FORMAT:
        raise ModelUnknownKind(f"{folder} holds no removal that this version of Evenhand reads.")
    return content


def represent(classifier: Classifier, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
    """h: a row per resume. Of a linear model its terms and vectors as it weighs them, of a network what it decodes."""
    if isinstance(classifier, NetworkClassifier):
        return np.asarray(classifier.represent(resumes, job_text=job_text), np.float64)
    if isinstance(classifier, LinearClassifier):
        rows = [_joined_row(classifier, resume) for resume in resumes]
        return np.array(rows, np.float64).reshape(len(resumes), -1)
    raise ModelUnfit(f"The model {classifier.manifest.name} is of a kind whose rows are not known.")


def logits_from_rows(classifier: Classifier, rows: NDArray[np.floating]) -> Floats:
    """c: logits from rows, before the temperature; c(h(x)) is what the model says of x."""
    if isinstance(classifier, NetworkClassifier):
        weights, bias = (classifier.artefact.tensor(name) for name in ("decoder.weight", "decoder.bias"))
        return np.asarray(rows @ weights.T.astype(np.float64) + bias, np.float64)
    if isinstance(classifier, LinearClassifier):
        model = classifier.model
        coefficients = [part.coefficients for part in model.terms] + [part.coefficients for part in model.vectors]
        return np.asarray(rows @ np.vstack(coefficients).astype(np.float64) + model.bias, np.float64)
    raise ModelUnfit(f"The model {classifier.manifest.name} is of a kind whose decision is not known.")


def _joined_row(classifier: LinearClassifier, resume: ResumeInput) -> Floats:
    parts = []
    for part in classifier.model.terms:
        places, values = part.row(part.reading.count(resume))
        row = np.zeros(len(part.terms))
        row[places] = values
        parts.append(row)
    for vector_part in classifier.model.vectors:
        if classifier.encoder is None:
            raise ModelUnfit(f"The part {vector_part.reading.name} of this model needs its encoder.")
        vector = vector_part.reading.vector(resume, classifier.encoder).astype(np.float64)
        parts.append(vector_part.reading.weight * (vector - vector_part.mean))
    return np.concatenate(parts)


class ConceptEraser(Protocol):
    """A removal, as far as its use needs it."""

    @property
    def source(self) -> str: ...
    def apply(self, rows: NDArray[np.floating], /) -> Floats: ...


class SentenceEncoder(Protocol):
    """The sentence encoder, as far as removal needs it."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]: ...
    def windows(self, text: str, /) -> list[tuple[int, int]]: ...


@dataclass(frozen=True, slots=True, eq=False)
class DebiasedEncoder:
    """Vectors of length 1 again, as rankers expect them; a text without words keeps its zeros."""

    inner: SentenceEncoder
    removal: ConceptEraser

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        rows = self.inner.encode(texts)
        changed = self.removal.apply(rows)
        lengths = np.linalg.norm(changed, axis=1, keepdims=True)
        spoken = rows.any(axis=1, keepdims=True) & (lengths > 0)
        return np.where(spoken, changed / np.where(lengths > 0, lengths, 1.0), 0.0).astype(np.float32)

    def windows(self, text: str, /) -> list[tuple[int, int]]:
        return self.inner.windows(text)


@dataclass(frozen=True, slots=True, eq=False)
class DebiasedClassifier:
    """A model whose last layer is given what removal leaves of its rows. The layer itself is as it was learned."""

    inner: Classifier
    removal: ConceptEraser

    @property
    def manifest(self) -> Manifest:
        return self.inner.manifest

    @property
    def note(self) -> str:
        return self.inner.note

    def logits(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        return logits_from_rows(self.inner, self.removal.apply(represent(self.inner, resumes, job_text=job_text)))

    def predict(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        several = self.manifest.outcome == "several"
        logits = self.logits(resumes, job_text=job_text)
        return to_probabilities(logits, temperature=self.manifest.temperature, several=several)


def debias_encoder(encoder: SentenceEncoder, removal: ConceptEraser) -> DebiasedEncoder:
    """ModelUnfit for a removal that was fitted on rows of something else."""
    _check(removal, f"{encoder.name} {encoder.version}")
    return DebiasedEncoder(encoder, removal)


def debias_classifier(classifier: Classifier, removal: ConceptEraser) -> DebiasedClassifier:
    _check(removal, f"{OF_MODELS}{classifier.manifest.name} {classifier.manifest.version}")
    return DebiasedClassifier(classifier, removal)


def _check(removal: ConceptEraser, source: str) -> None:
    if removal.source != source:
        raise ModelUnfit(f"The removal is for rows of {removal.source}, and these are of {source}.")


def without_concepts(encoder: Encoder, folder: str) -> Encoder | DebiasedEncoder:
    """`folder` is that of the settings, empty for none. The encoder itself where nothing is to be removed from it;
    ModelUnfit for a removal from another encoder."""
    removal = removal_in(folder)
    if removal is None or removal.source.startswith(OF_MODELS):
        return encoder
    return debias_encoder(encoder, removal)


def classifier_without_concepts(classifier: Classifier, folder: str) -> Classifier:
    """`folder` is that of the settings, empty for none. The model itself where nothing is to be removed from it;
    ModelUnfit for a removal from another version of it."""
    removal = removal_in(folder)
    if removal is None or removal.source.rpartition(" ")[0] != f"{OF_MODELS}{classifier.manifest.name}":
        return classifier
    return debias_classifier(classifier, removal)


def removal_in(folder: str) -> SavedRemoval | None:
    """None for the empty name; ModelError for a folder that holds none. Loaded once, and again when it has been
    replaced."""
    if not folder:
        return None
    path = Path(folder).expanduser().absolute()
    manifest = path / MANIFEST
    return _loaded(path, manifest.stat().st_mtime_ns if manifest.exists() else 0)


@lru_cache(maxsize=2)
def _loaded(folder: Path, changed: int) -> SavedRemoval:
    return read_removal(folder)
