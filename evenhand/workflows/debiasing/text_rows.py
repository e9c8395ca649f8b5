"""Texts as rows of the sentence encoder, kept between runs where there is a folder for it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evenhand.debias.samples import Floats
from evenhand.errors import UsageError
from evenhand.models.encoder import Encoder
from evenhand.settings import Settings
from evenhand.workflows.encoding import encoder_for, why_no_encoder
from evenhand.workflows.watching import Watch, unwatched

TOGETHER = 64  # texts between two steps of the bar


def open_encoder(settings: Settings | None = None) -> Encoder:
    """UsageError where none is installed."""
    settings = settings or Settings()
    found = encoder_for(settings)
    if found is None:
        raise UsageError(why_no_encoder(settings))
    return found


def source_of(encoder: Encoder) -> str:
    """Which encoder gave the rows, so that nobody applies a map to those of another."""
    return f"{encoder.name} {encoder.version}"


def encode_texts(
    texts: Sequence[str], encoder: Encoder, *, cache: Path | None = None, watch: Watch = unwatched
) -> Floats:
    """A row per text. Long texts are read as far as the encoder reads."""
    kept = None if cache is None else cache / f"rows-{_sum(texts, encoder)}.npy"
    if kept is not None and kept.is_file():
        return np.asarray(np.load(kept, allow_pickle=False), np.float64)
    blocks = []
    with watch("encoding texts", -(-len(texts) // TOGETHER)) as bar:
        for start in range(0, len(texts), TOGETHER):
            blocks.append(encoder.encode(texts[start : start + TOGETHER]))
            bar.advance()
    rows = np.vstack(blocks) if blocks else np.zeros((0, encoder.dimension), np.float32)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, rows, allow_pickle=False)
    return np.asarray(rows, np.float64)


def _sum(texts: Sequence[str], encoder: Encoder) -> str:
    total = hashlib.sha256(encoder.version.encode())
    for text in texts:
        total.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    return total.hexdigest()[:24]
