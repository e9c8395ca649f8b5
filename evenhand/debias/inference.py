"""Removal where things are decided: an encoder or a model of this project from whose rows a concept is gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.judges import decide, represent
from evenhand.debias.learned import Removal
from evenhand.errors import ModelUnfit
from evenhand.models.calibration import Floats, to_probabilities
from evenhand.models.inputs import ResumeInput
from evenhand.models.judging.judge import Judge
from evenhand.models.manifest import Manifest


class Encodes(Protocol):
    """The sentence encoder, as far as removal needs it."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]: ...
    def windows(self, text: str, /) -> list[tuple[int, int]]: ...


@dataclass(frozen=True, slots=True, eq=False)
class ErasedEncoder:
    """Vectors of length 1 again, as rankers expect them; a text without words keeps its zeros."""

    inner: Encodes
    removal: Removal

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        rows = self.inner.encode(texts)
        changed = self.removal.apply(rows)
        lengths = np.linalg.norm(changed, axis=1, keepdims=True)
        spoken = rows.any(axis=1, keepdims=True) & (lengths > 0)
        return np.where(spoken, changed / np.where(lengths > 0, lengths, 1.0), 0.0).astype(np.float32)

    def windows(self, text: str, /) -> list[tuple[int, int]]:
        return self.inner.windows(text)


@dataclass(frozen=True, slots=True, eq=False)
class ErasedJudge:
    """A model whose last layer is given what removal leaves of its rows. The layer itself is as it was learned."""

    inner: Judge
    removal: Removal

    @property
    def manifest(self) -> Manifest:
        return self.inner.manifest

    @property
    def note(self) -> str:
        return self.inner.note

    def logits(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        return decide(self.inner, self.removal.apply(represent(self.inner, resumes, job_text=job_text)))

    def predict(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        several = self.manifest.outcome == "several"
        logits = self.logits(resumes, job_text=job_text)
        return to_probabilities(logits, temperature=self.manifest.temperature, several=several)


def erase_encoder(encoder: Encodes, removal: Removal) -> ErasedEncoder:
    """ModelUnfit for a removal that was fitted on rows of something else."""
    _check(removal, f"{encoder.name} {encoder.version}")
    return ErasedEncoder(encoder, removal)


def erase_judge(judge: Judge, removal: Removal) -> ErasedJudge:
    _check(removal, f"model {judge.manifest.name} {judge.manifest.version}")
    return ErasedJudge(judge, removal)


def _check(removal: Removal, source: str) -> None:
    if removal.source != source:
        raise ModelUnfit(f"The removal is for rows of {removal.source}, and these are of {source}.")
