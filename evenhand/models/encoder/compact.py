"""The encoder in small integers: made once, compared with the full one before it is trusted, and kept."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from evenhand.models.encoder.encoder import Encoder
from evenhand.models.encoder.sentences import SENTENCES
from evenhand.models.encoder.weights import Array

LEAST_COSINE = 0.98
LEAST_CORRELATION = 0.98


@dataclass(frozen=True, slots=True)
class Agreement:
    """How near the compact vectors are to the full ones, and whether they order pairs of sentences alike."""

    cosine: float
    correlation: float

    @property
    def objection(self) -> str:
        """Empty when the compact encoder may be used."""
        if self.cosine >= LEAST_COSINE and self.correlation >= LEAST_CORRELATION:
            return ""
        return (
            f"int8 was not used: its vectors have cosine {self.cosine:.3f} (at least {LEAST_COSINE}) and rank "
            f"correlation {self.correlation:.3f} (at least {LEAST_CORRELATION}) with those of fp32."
        )


def measure_agreement(full: Encoder, compact: Encoder, sentences: Sequence[str] = SENTENCES) -> Agreement:
    """Mean cosine, and Spearman's correlation of the similarities of all pairs."""
    expected, found = full.encode(sentences), compact.encode(sentences)
    cosine = float((expected * found).sum(axis=1).mean())
    ranks = np.corrcoef(_pair_ranks(expected), _pair_ranks(found))
    return Agreement(round(cosine, 6), round(float(ranks[0, 1]), 6))


def _pair_ranks(vectors: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    pairs = np.triu_indices(len(vectors), 1)
    similarities = (vectors @ vectors.T)[pairs]
    return similarities.argsort(kind="stable").argsort(kind="stable")


@dataclass(frozen=True, slots=True)
class CompactStore:
    """A folder of compact encoders by version; each has a note of its sum and agreement, written last."""

    folder: Path
    version: str

    def read(self) -> tuple[bytes, Agreement] | None:
        """None when there is none, or when it is not as it was written."""
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
            model = self._model.read_bytes()
            agreement = Agreement(float(note["cosine"]), float(note["correlation"]))
            return (model, agreement) if note["sha256"] == _sum(model) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, model: bytes, agreement: Agreement) -> None:
        """A folder that cannot be written costs the making at the next start, nothing else."""
        note = json.dumps({"sha256": _sum(model), **asdict(agreement)}, indent=1)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _replace(self._model, model)
            _replace(self._note, note.encode())
        except OSError:
            return

    @property
    def _model(self) -> Path:
        return self.folder / f"{self.version}.onnx"

    @property
    def _note(self) -> Path:
        return self.folder / f"{self.version}.json"


def _sum(model: bytes) -> str:
    return hashlib.sha256(model).hexdigest()


def _replace(path: Path, content: bytes) -> None:
    """Whole or not at all, whoever else writes it at the same time."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
