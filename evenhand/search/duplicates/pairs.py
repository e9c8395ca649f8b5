"""Near-duplicate pairs: proposed by sketches, then compared exactly, shingle by shingle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic

from evenhand.search.duplicates.contact import Span, without_contact
from evenhand.search.duplicates.index import DuplicateIndex, Key
from evenhand.search.duplicates.shingles import Hashes, resemblance, shingle_set
from evenhand.search.duplicates.sketch import METHOD, Method, sketch_many

REMEMBERED = 4096  # sets of shingles, about 5 kB each


@dataclass(frozen=True, slots=True)
class Pair(Generic[Key]):
    """Two texts and the share of shingles they have in common; a person decides what that means."""

    a: Key
    b: Key
    resemblance: float


def compare(
    a: str,
    b: str,
    *,
    spans_a: Sequence[Span] = (),
    spans_b: Sequence[Span] = (),
    method: Method = METHOD,
) -> float:
    """The exact resemblance of two texts without their contact lines."""
    return resemblance(
        shingle_set(without_contact(a, spans_a), width=method.width),
        shingle_set(without_contact(b, spans_b), width=method.width),
    )


def check_pairs(
    candidates: Iterable[tuple[Key, Key, float]], text_of: Callable[[Key], str], *, method: Method = METHOD
) -> Iterator[Pair[Key]]:
    """The candidates that are near-duplicates. `text_of` gives a text with its contact lines left out already."""

    @lru_cache(REMEMBERED)
    def shingles(key: Key) -> Hashes:
        return shingle_set(text_of(key), width=method.width)

    for a, b, _ in candidates:
        found = resemblance(shingles(a), shingles(b))
        if found >= method.threshold:
            yield Pair(a, b, found)


def find_duplicates(
    texts: Mapping[Key, str], *, spans: Mapping[Key, Sequence[Span]] | None = None, method: Method = METHOD
) -> list[Pair[Key]]:
    """All near-duplicate pairs of a folder of resumes; `spans` are the known places of contact data."""
    known = spans or {}
    stripped = {key: without_contact(text, known.get(key, ())) for key, text in texts.items()}
    index: DuplicateIndex[Key] = DuplicateIndex(method)
    index.add_many(zip(stripped, sketch_many(stripped.values(), method=method), strict=True))
    return list(check_pairs(index.pairs(), stripped.__getitem__, method=method))
