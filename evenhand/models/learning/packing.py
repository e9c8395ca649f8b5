"""Sequences of different lengths in one matrix, a row per token and no padding; only attention sees them apart.

Attention pads, but only sequences of like length to each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import torch
from torch import Tensor

LEAST_SHARE = 2 / 3  # of the longest sequence it is padded to


@dataclass(frozen=True, slots=True, eq=False)
class Bucket:
    """Neighbouring sequences, padded to one width where they differ."""

    first: int  # sequence
    rows: slice
    lengths: tuple[int, ...]
    width: int
    index: Tensor | None  # (sequences, width): rows from the bucket's first; None if nothing needs padding
    mask: Tensor | None  # (sequences, width): which are real

    def padded(self, rows: Tensor) -> Tensor:
        """(sequences, width, ...) of the bucket's part of all rows."""
        own = rows[self.rows]
        if self.index is None:
            return own.reshape(len(self.lengths), self.width, *own.shape[1:])
        return own[self.index]

    def packed(self, states: Tensor) -> Tensor:
        """Back to rows."""
        return states.flatten(0, 1) if self.mask is None else states[self.mask]


@dataclass(frozen=True)
class Packing:
    """Where each sequence's rows are; the longest come first, so that like lengths are neighbours."""

    lengths: tuple[int, ...]
    buckets: tuple[Bucket, ...]

    @cached_property
    def starts(self) -> Tensor:
        """(sequences): the row of each one's first token."""
        return torch.tensor([0, *accumulate(self.lengths)][:-1])

    @property
    def tokens(self) -> int:
        return sum(self.lengths)


def pack(lengths: Sequence[int], *, share: float = LEAST_SHARE, least_width: int = 0) -> Packing:
    """`least_width` pads more than is needed, which changes nothing but the time it takes."""
    if any(a < b for a, b in pairwise(lengths)):
        raise ValueError("sequences are packed longest first")
    buckets: list[Bucket] = []
    start = row = 0
    for position in range(1, len(lengths) + 1):
        if position < len(lengths) and lengths[position] >= share * lengths[start]:
            continue
        buckets.append(_bucket(start, row, lengths[start:position], least_width))
        row += sum(lengths[start:position])
        start = position
    return Packing(tuple(lengths), tuple(buckets))


def _bucket(first: int, row: int, lengths: Sequence[int], least_width: int) -> Bucket:
    width = max(lengths[0], least_width)
    rows = slice(row, row + sum(lengths))
    if lengths[-1] == width:
        return Bucket(first, rows, tuple(lengths), width, None, None)
    sizes = torch.tensor(lengths).unsqueeze(1)
    places = torch.arange(width).unsqueeze(0)
    mask = places < sizes
    starts = (sizes.cumsum(0) - sizes).expand(-1, width)
    index = torch.where(mask, starts + places, starts)  # padding repeats a sequence's first token
    return Bucket(first, rows, tuple(lengths), width, index, mask)
