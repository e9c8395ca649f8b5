"""From a folder of weights to an encoder that runs."""

from __future__ import annotations

import hashlib
from dataclasses import astuple
from pathlib import Path

from evenhand.models.encoder.encoder import Encoder, open_session
from evenhand.models.encoder.graph import build_graph
from evenhand.models.encoder.tokens import read_tokenizer
from evenhand.models.encoder.weights import BertShape, EncoderSource, find_source, read_shape, read_weights

COMPUTATION = "1"  # raise it when the graph or the reading of texts changes what comes out


def load_encoder(folder: Path | None = None, *, threads: int = 1) -> Encoder:
    """The encoder in `folder`, or the one that ships; UsageError when there is none or it does not fit."""
    source = find_source(folder)
    shape = read_shape(source.folder)
    tokenizer = read_tokenizer(source.folder / "tokenizer.json")
    model = build_graph(read_weights(source.folder, shape))
    return Encoder(
        name=source.name,
        version=encoder_version(source, shape, "fp32"),
        dimension=shape.hidden,
        tokens=shape.tokens,
        precision="fp32",
        note="",
        tokenizer=tokenizer,
        session=open_session(model, threads),
    )


def encoder_version(source: EncoderSource, shape: BertShape, precision: str) -> str:
    """A sum over the files and every number that decides the vectors."""
    parts = [COMPUTATION, precision, *(str(value) for value in astuple(shape))]
    parts += [f"{name}={source.sha256[name]}" for name in sorted(source.sha256)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
