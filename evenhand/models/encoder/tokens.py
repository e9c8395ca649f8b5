"""Text to token ids, texts of like length put together, and long texts cut into windows at line ends."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from evenhand.errors import UsageError

SPECIAL_TOKENS = 2  # [CLS] and [SEP]; a text that has no others says nothing
Ids = NDArray[np.int32]


def read_tokenizer(path: Path) -> Tokenizer:
    """As the file describes it, but without its fixed padding and length."""
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise UsageError(f"The encoder's {path} is not a tokenizer: {error}.") from error
    if tokenizer.num_special_tokens_to_add(is_pair=False) != SPECIAL_TOKENS:
        raise UsageError(
            f"The encoder's {path} does not put [CLS] before and [SEP] after a text, as BERT does."
        )
    tokenizer.no_padding()
    tokenizer.no_truncation()
    # A resume that says "[SEP]" has written five characters, not ended its text.
    tokenizer.encode_special_tokens = True
    return tokenizer


def token_ids(tokenizer: Tokenizer, texts: Sequence[str], limit: int) -> list[Ids]:
    """At most `limit` tokens with [CLS] and [SEP]; one by one, as encoding a batch would start threads."""
    return [_cut(tokenizer.encode(text).ids, limit) for text in texts]


def _cut(ids: list[int], limit: int) -> Ids:
    """Cut here, not by the tokenizer, whose setting would be shared by all threads."""
    return np.array(ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]], np.int32)


def batches(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Positions of texts to run together: longest first, none padded by more than an eighth."""
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda position: -lengths[position]):
        longest = lengths[batch[0]] if batch else 0
        if batch and (longest * (len(batch) + 1) > batch_tokens or lengths[position] * 8 < longest * 7):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def padded(rows: Sequence[Ids]) -> tuple[Ids, Ids]:
    """Ids with padding on the right, and the mask that says which are real."""
    width = max(len(row) for row in rows)
    ids = np.zeros((len(rows), width), np.int32)
    mask = np.zeros((len(rows), width), np.int32)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ids, mask


def windows(tokenizer: Tokenizer, text: str, tokens: int) -> list[tuple[int, int]]:
    """Half-open character spans of at most `tokens` tokens (special ones apart) that together hold every token.

    A window ends at the last line end that leaves it at least half full, else between words, else where it is full.
    """
    offsets = tokenizer.encode(text, add_special_tokens=False).offsets
    starts = [start for start, _ in offsets]
    spans: list[tuple[int, int]] = []
    first = 0
    while first < len(offsets):
        after = _window_end(text, offsets, starts, first, tokens)
        spans.append((offsets[first][0], offsets[after - 1][1]))
        first = after
    return spans


def _window_end(
    text: str, offsets: Sequence[tuple[int, int]], starts: Sequence[int], first: int, tokens: int
) -> int:
    """Index of the first token after the window that begins with token `first`."""
    full = first + tokens
    if full >= len(offsets):
        return len(offsets)
    # Behind the last token that fits, up to the next one, a line may end too.
    for breaks in ("\n", " "):
        found = text.rfind(breaks, starts[first], starts[full])
        after = bisect_right(starts, found) if found >= 0 else first
        if after - first >= (tokens + 1) // 2:
            return after
    return full
