"""Section trimming: a budget of tokens shared among the sections of a resume, and the job, by their lengths."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evenhand.errors import UsageError


def trimmed_lengths(lengths: Sequence[int], budget: int) -> list[int]:
    """How many first tokens of each part are kept: min(budget, total) in all, in proportion to the lengths.

    Shares are rounded down, and what is left goes to the largest remainders, the first part first among equals.
    A part with any token keeps at least one, which the longest part pays for.
    """
    total = sum(lengths)
    if total <= budget:
        return list(lengths)
    if budget < sum(length > 0 for length in lengths):
        raise UsageError(f"{budget} tokens are too few for {sum(length > 0 for length in lengths)} parts.")
    shares = [Fraction(budget * length, total) for length in lengths]
    kept = [int(share) for share in shares]
    by_remainder = sorted(range(len(kept)), key=lambda place: kept[place] - shares[place])
    for place in by_remainder[: budget - sum(kept)]:
        kept[place] += 1
    return _none_left_out(kept, lengths)


def _none_left_out(kept: list[int], lengths: Sequence[int]) -> list[int]:
    for place, length in enumerate(lengths):
        if length > 0 and kept[place] == 0:
            kept[kept.index(max(kept))] -= 1
            kept[place] = 1
    return kept
