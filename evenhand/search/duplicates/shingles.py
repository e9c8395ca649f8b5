"""Texts as sets of word shingles (Broder, 1997), each shingle a 64-bit hash; many texts at once, in bulk.

Words are runs of letters and digits, lower-cased, without accents. Each character becomes one byte, so a word's first
and last eight characters are one machine word each, and the hashes of all words of all texts need no Python loop.
A word longer than 16 is known by its ends and its length.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Offsets = NDArray[np.uint64]

WIDTH = 2  # words in a shingle, unless told otherwise
BREAK = b"\x00"  # a byte that belongs to no word
EIGHT = 8
LAST = 0xFFFF  # of the basic plane; no character
FACTORS = tuple(np.uint64(odd) for odd in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))
LOW_BYTES = np.array([(1 << (8 * size)) - 1 for size in range(EIGHT + 1)], np.uint64)


def shingle_set(text: str, *, width: int = WIDTH) -> Hashes:
    """The shingles of one text, each once, in ascending order."""
    return np.unique(shingle_many([text], width=width)[0])


def resemblance(a: Hashes, b: Hashes) -> float:
    """Jaccard of two sets of shingles; 0 where both are empty, as nothing was compared."""
    if not len(a) and not len(b):
        return 0.0
    shared = len(np.intersect1d(a, b, assume_unique=True))
    return shared / (len(a) + len(b) - shared)


def shingle_many(texts: Sequence[str], *, width: int = WIDTH) -> tuple[Hashes, Offsets]:
    """Shingles of all texts after one another, repeats included, and where each text's begin (one more: the end)."""
    words, counts = _word_hashes([_as_bytes(text) for text in texts])
    per_text = np.maximum(counts - (width - 1), 0)
    offsets = np.concatenate([[0], np.cumsum(per_text)]).astype(np.uint64)
    size = len(words) - width + 1
    if size < 1:
        return words[:0], offsets
    shingles = words[:size].copy()
    for place in range(1, width):
        shingles *= FACTORS[0]
        shingles += words[place : place + size]
    if width > 1:  # those that would reach from one text into the next
        ends = np.cumsum(counts)
        crossing = (ends[:, None] - np.arange(1, width)).ravel()
        first = np.repeat(ends - counts, width - 1)
        inside = np.ones(size, np.bool_)
        inside[crossing[(crossing >= first) & (crossing < size)]] = False
        shingles = shingles[inside]
    return _mixed(shingles), offsets


def _word_hashes(texts: Sequence[bytes]) -> tuple[Hashes, NDArray[np.int64]]:
    """Of all words of the texts in their order, and how many words each text has."""
    joined = BREAK + BREAK.join(texts) + BREAK * EIGHT
    codes = np.frombuffer(joined, np.uint8)
    in_word = codes != 0
    edges = np.flatnonzero(in_word[1:] != in_word[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    at = np.ndarray(
        (len(joined) - EIGHT + 1,), "<u8", joined, strides=(1,)
    )  # the eight bytes from each place on
    sizes = ends - starts
    first = at[starts] & LOW_BYTES[np.minimum(sizes, EIGHT)]
    last = at[np.maximum(ends - EIGHT, starts)] & LOW_BYTES[np.minimum(sizes, EIGHT)]
    hashes = first * FACTORS[0] + last * FACTORS[1] + sizes.astype(np.uint64) * FACTORS[2]
    hashes ^= hashes >> np.uint64(32)
    bounds = np.cumsum([1, *(len(text) + 1 for text in texts)])
    return hashes, np.diff(np.searchsorted(starts, bounds))


def _as_bytes(text: str) -> bytes:
    """One byte for a character: 0 outside of words; accents go, capitals are made small."""
    if text.isascii():
        return text.encode().translate(_ascii_table())
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    # Lone surrogates, which broken files bring, are no reason to stop.
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return bytes(_table()[np.minimum(codes, LAST)])


def _mixed(hashes: Hashes) -> Hashes:
    """Every bit of the outcome depends on every bit of the hash (the finisher of MurmurHash3)."""
    mixed = hashes ^ (hashes >> np.uint64(33))
    mixed *= np.uint64(0xFF51AFD7ED558CCD)
    mixed ^= mixed >> np.uint64(33)
    mixed *= np.uint64(0xC4CEB9FE1A85EC53)
    mixed ^= mixed >> np.uint64(33)
    return mixed


@cache
def _ascii_table() -> bytes:
    return bytes(_byte_for(chr(code)) for code in range(128)).ljust(256, BREAK)


@cache
def _table() -> NDArray[np.uint8]:
    """For the basic plane; what lies beyond (rare ideographs, emoji) separates words, as its last place does."""
    return np.fromiter((_byte_for(chr(code)) for code in range(LAST + 1)), np.uint8)


def _byte_for(letter: str) -> int:
    """Letters outside of ASCII share the upper half, which is enough to tell words apart."""
    if not letter.isalnum():
        return 0
    if not letter.isascii():
        letter = unicodedata.normalize("NFKD", letter)[0]
    code = ord(letter.lower()[0])
    return code if code < 128 else 128 + code % 127
