"""From a folder of weights to an encoder that runs."""

from __future__ import annotations

import hashlib
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from tokenizers import Tokenizer

from evenhand.models.encoder.compact import CompactStore, measure_agreement
from evenhand.models.encoder.encoder import Encoder, open_session
from evenhand.models.encoder.graph import build_graph
from evenhand.models.encoder.tokens import read_tokenizer
from evenhand.models.encoder.weights import (
    BertShape,
    BertWeights,
    EncoderSource,
    find_source,
    read_shape,
    read_weights,
)

COMPUTATION = "2"  # raise it when the graph or the reading of texts changes what comes out
Precision = Literal["fp32", "int8"]


def load_encoder(
    folder: Path | None = None, *, precision: Precision = "fp32", cache: Path | None = None, threads: int = 1
) -> Encoder:
    """The encoder in `folder`, or the one that ships; UsageError when there is none or it does not fit.

    int8 is made at first use and kept in `cache`; where it strays too far from fp32, fp32 is given with a note.
    """
    source = find_source(folder)
    shape = read_shape(source.folder)
    opening = _Opening(source, shape, read_tokenizer(source.folder / "tokenizer.json"), threads)
    return opening.full() if precision == "fp32" else opening.compact(cache)


@dataclass(frozen=True)
class _Opening:
    source: EncoderSource
    shape: BertShape
    tokenizer: Tokenizer
    threads: int

    @cached_property
    def weights(self) -> BertWeights:
        return read_weights(self.source.folder, self.shape)

    def full(self) -> Encoder:
        return self._encoder("fp32", build_graph(self.weights))

    def compact(self, cache: Path | None) -> Encoder:
        store = CompactStore(cache, encoder_version(self.source, self.shape, "int8")) if cache else None
        if store and (kept := store.read()):
            model, agreement = kept
            return (
                self._encoder("int8", model)
                if not agreement.objection
                else self._instead(agreement.objection)
            )
        model = build_graph(self.weights, compact=True)
        full, compact = self.full(), self._encoder("int8", model)
        agreement = measure_agreement(full, compact)
        if store:
            store.write(model, agreement)
        return replace(full, note=agreement.objection) if agreement.objection else compact

    def _instead(self, objection: str) -> Encoder:
        return replace(self.full(), note=objection)

    def _encoder(self, precision: Precision, model: bytes) -> Encoder:
        return Encoder(
            name=self.source.name,
            version=encoder_version(self.source, self.shape, precision),
            dimension=self.shape.hidden,
            tokens=self.shape.tokens,
            precision=precision,
            note="",
            tokenizer=self.tokenizer,
            session=open_session(model, self.threads),
        )


def encoder_version(source: EncoderSource, shape: BertShape, precision: Precision) -> str:
    """A sum over the files and every number that decides the vectors."""
    parts = [COMPUTATION, precision, *(str(value) for value in astuple(shape))]
    parts += [f"{name}={source.sha256[name]}" for name in sorted(source.sha256)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
