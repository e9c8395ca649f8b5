"""Which resumes are computed together: those with the same number of sequences, as published, or by tokens."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

SIZES = (4, 2, 1)
SEQUENCES = 32  # in one batch, at most, unless one resume alone has more


def same_count_batches(counts: Sequence[int], *, seed: int, sequences: int = SEQUENCES) -> list[list[int]]:
    """Positions of resumes: in a batch all have one K, and there are 1, 2 or 4 of them, fewer where K is large."""
    rng = random.Random(seed)  # noqa: S311
    by_count: dict[int, list[int]] = defaultdict(list)
    for position, count in enumerate(counts):
        by_count[count].append(position)
    batches = []
    for count in sorted(by_count):
        positions = by_count[count]
        rng.shuffle(positions)
        batches += _parted(positions, [size for size in SIZES if size == 1 or size * count <= sequences])
    rng.shuffle(batches)
    return batches


def _parted(positions: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """By the largest size as long as it can be filled, then by the next."""
    batches = []
    start = 0
    for size in sizes:
        while len(positions) - start >= size:
            batches.append(list(positions[start : start + size]))
            start += size
    return batches


def mixed_batches(count: int, *, size: int, seed: int) -> list[list[int]]:
    """Resumes in chance order, whatever their K: sums by resume need no equal counts."""
    positions = list(range(count))
    random.Random(seed).shuffle(positions)  # noqa: S311
    return [positions[start : start + size] for start in range(0, count, size)]
