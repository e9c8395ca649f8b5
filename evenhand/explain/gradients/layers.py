"""Layers of an encoder by name, and the way from one to another: where a path is straight, there it is measured."""

from __future__ import annotations

import re

import torch
from torch import Tensor

from evenhand.errors import UsageError
from evenhand.models.learning.layers import Encoder, Layer
from evenhand.models.learning.packing import Packing

WORDS, BLOCK = "word_embeddings", "embeddings"
WORDS_LEVEL, BLOCK_LEVEL = -1, 0  # what comes out of encoder.layer.0 is at level 1, and so on
_ENCODER_LAYER = re.compile(r"encoder\.layer\.(\d+)")


def level_of(name: str, encoder: Encoder) -> int:
    """Of word embeddings alone, of the whole block of embeddings, or of what encoder.layer.N gives."""
    if name == WORDS:
        return WORDS_LEVEL
    if name == BLOCK:
        return BLOCK_LEVEL
    found = _ENCODER_LAYER.fullmatch(name)
    if found is None or int(found[1]) >= len(encoder.layers):
        last = len(encoder.layers) - 1
        raise UsageError(
            f"There is no layer {name!r}; there are {WORDS}, {BLOCK}, and encoder.layer.0 to encoder.layer.{last}."
        )
    return int(found[1]) + 1


def advance(encoder: Encoder, rows: Tensor, packing: Packing, start: int, end: int) -> Tensor:
    """Rows of all tokens at one level, from those at a lower one."""
    if start == WORDS_LEVEL and end > WORDS_LEVEL:
        places = torch.cat([torch.arange(length) for length in packing.lengths])
        where = encoder.positions(places + encoder.shape.first_position)
        rows = encoder.norm(rows + where + encoder.types.weight[0])
    for layer in encoder.layers[max(start, 0) : max(end, 0)]:
        rows = layer(rows, packing)
    return rows


def advance_first(encoder: Encoder, rows: Tensor, packing: Packing, start: int) -> Tensor:
    """(sequences, H): the last states of first tokens alone."""
    count = len(encoder.layers)
    if count in {start, 0}:
        return advance(encoder, rows, packing, start, count)[packing.starts]
    rows = advance(encoder, rows, packing, start, count - 1)
    last = encoder.layers[-1]
    if not isinstance(last, Layer):  # ModuleList does not know what it holds
        raise TypeError(type(last))
    return last.first(rows, packing)
