"""Chunking: a section as pieces of at most L tokens, all full but the last, none with tokens of two sections."""

from __future__ import annotations

from collections.abc import Sequence


def chunks(tokens: Sequence[int], size: int) -> list[Sequence[int]]:
    """ceil(len / size) of them; token q is token p of chunk j with q = size (j - 1) + p."""
    return [tokens[start : start + size] for start in range(0, len(tokens), size)]
