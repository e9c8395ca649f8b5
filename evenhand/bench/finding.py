"""Near-duplicate pairs of a pile of texts: our way and datasketch's, with the seconds of each step."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from datasketch import MinHash, MinHashLSH

from evenhand.search.duplicates import DuplicateIndex, Method, Sketch, check_pairs, sketch_many

WORD = re.compile(r"[^\W_]+")
Outcome = TypeVar("Outcome")
Pairs = set[tuple[int, int]]
Estimated = list[tuple[int, int, float]]


class Quality(NamedTuple):
    recall: float
    precision: float


@dataclass(frozen=True, slots=True)
class Steps:
    """Seconds of the processor."""

    sketches: float  # shingles and their min-hashes
    candidates: float
    check: float

    @property
    def total(self) -> float:
        return self.sketches + self.candidates + self.check


def timed(work: Callable[[], Outcome]) -> tuple[Outcome, float]:
    started = time.process_time()
    outcome = work()
    return outcome, time.process_time() - started


def quality(found: Pairs, planted: frozenset[tuple[int, int]]) -> Quality:
    right = len(found & planted)
    return Quality(right / len(planted) if planted else 1.0, right / len(found) if found else 1.0)


def find_ours(stripped: dict[int, str], method: Method) -> tuple[Pairs, Steps]:
    sketches, sketching = timed(lambda: list(sketch_many(stripped.values(), method=method)))
    (_, pairs), proposing = timed(lambda: propose(stripped, sketches, method))
    found, checking = timed(lambda: list(check_pairs(pairs, stripped.__getitem__, method=method)))
    return {(pair.a, pair.b) for pair in found}, Steps(sketching, proposing, checking)


def propose(
    keys: Iterable[int], sketches: Sequence[Sketch], method: Method
) -> tuple[DuplicateIndex[int], Estimated]:
    index: DuplicateIndex[int] = DuplicateIndex(method)
    index.add_many(zip(keys, sketches, strict=True))
    return index, list(index.pairs())


def find_by_datasketch(stripped: dict[int, str], method: Method) -> tuple[Pairs, Steps]:
    """By its quickest calls: `bulk` for the min-hashes, no look for keys given twice."""
    sets, shingling = timed(
        lambda: {key: _python_shingles(text, method.width) for key, text in stripped.items()}
    )
    hashes, hashing = timed(lambda: MinHash.bulk(sets.values(), num_perm=method.hashes))
    lsh = MinHashLSH(num_perm=method.hashes, params=(method.bands, method.rows))

    def propose_pairs() -> list[tuple[int, int]]:
        found = []
        for key, each in zip(sets, hashes, strict=True):
            found += [(other, key) for other in lsh.query(each)]
            lsh.insert(key, each, check_duplication=False)
        return found

    def is_pair(a: set[bytes], b: set[bytes]) -> bool:
        return len(a & b) >= method.threshold * len(a | b)

    pairs, proposing = timed(propose_pairs)
    found, checking = timed(lambda: {(a, b) for a, b in pairs if is_pair(sets[a], sets[b])})
    return found, Steps(shingling + hashing, proposing, checking)


def _python_shingles(text: str, width: int) -> set[bytes]:
    words = WORD.findall(text.lower())
    return {" ".join(words[at : at + width]).encode() for at in range(len(words) - width + 1)}
