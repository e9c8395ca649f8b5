"""The index against a look at every pair."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.search.duplicates import index as index_module
from evenhand.search.duplicates.index import MARGIN, BandEntries, DuplicateIndex, band_hashes, join_rows
from evenhand.search.duplicates.sketch import BRODER, METHOD, Sketch, sketch


def family(size: int, seed: int) -> dict[str, Sketch]:
    """Sketches of which some agree in many places, some in few: copies of five, with places changed at random."""
    rng = np.random.default_rng(seed)
    parents = rng.integers(0, 1 << 16, (5, METHOD.hashes), np.uint16)
    found = {}
    for number in range(size):
        values = parents[number % 5].copy()
        changed = rng.random(METHOD.hashes) < rng.random()
        values[changed] = rng.integers(0, 1 << 16, int(changed.sum()), np.uint16)
        found[f"s{number}"] = Sketch(values, 100, METHOD.width)
    return found


def by_hand(sketches: dict[str, Sketch]) -> set[tuple[str, str]]:
    """Every pair that shares four values in one of the 32 places and enough values in all."""
    found = set()
    for a, b in combinations(sketches, 2):
        same = sketches[a].values == sketches[b].values
        if same.reshape(32, 4).all(axis=1).any() and same.mean() >= METHOD.threshold - MARGIN:
            found.add((a, b))
    return found


def unordered(pairs: set[tuple[str, str]]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in pairs}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([1, 3, 16]))
def test_pairs_are_those_found_by_hand_in_any_order(seed: int, fresh: int) -> None:
    sketches = family(30, seed)
    wanted = by_hand(sketches)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_module, "FRESH", fresh)
        bulk: DuplicateIndex[str] = DuplicateIndex()
        bulk.add_many(sketches.items())
        assert {(a, b) for a, b, _ in bulk.pairs()} == wanted
        for order in range(2):
            names = list(sketches)
            Random(order).shuffle(names)
            index: DuplicateIndex[str] = DuplicateIndex()
            index.add_many((name, sketches[name]) for name in names)
            met = {(name, other.key) for name in names for other in index.find(sketches[name]) if other.key != name}
            assert unordered(met) == unordered(wanted)
            assert unordered({(a, b) for a, b, _ in index.pairs()}) == unordered(wanted)


def test_candidates_come_most_alike_first() -> None:
    values = np.arange(128, dtype=np.uint16)
    near, nearer = values.copy(), values.copy()
    near[64:] += 1000
    nearer[96:] += 1000
    index: DuplicateIndex[int] = DuplicateIndex()
    index.add_many((key, Sketch(kept, 50, 2)) for key, kept in enumerate((near, nearer, near)))
    found = index.find(Sketch(values, 50, 2))
    assert [(one.key, one.estimate) for one in found] == [(1, 0.75), (0, 0.5), (2, 0.5)]


def test_too_little_text_is_not_compared() -> None:
    index: DuplicateIndex[str] = DuplicateIndex()
    index.add_many((key, sketch("Bachelor of Science in Computer Science")) for key in "ab")
    assert len(index) == 0
    assert index.find(sketch("")) == []


def test_sketches_of_another_method_are_refused() -> None:
    with pytest.raises(ValueError, match="another method"):
        DuplicateIndex[str]().add_many([("a", sketch("one two three", method=BRODER))])


def test_many_copies_of_one_text_stay_affordable() -> None:
    """A thousand copies make 500,000 pairs; each is told 64 of its neighbours."""
    copy = next(iter(family(1, 1).values()))
    index: DuplicateIndex[int] = DuplicateIndex()
    index.add_many((number, copy) for number in range(1000))
    pairs = list(index.pairs())
    assert len(pairs) == 64 * 1000 - 64 * 65 // 2  # the last 64 have fewer after them
    assert {number for a, b, _ in pairs for number in (a, b)} == set(range(1000))
    assert index.compared == 32 * len(pairs)  # one for each band
    assert len(index.find(copy)) == 1000


def test_bytes_for_each_sketch() -> None:
    index: DuplicateIndex[str] = DuplicateIndex()
    empty = index.array_bytes
    index.add_many(family(index_module.FRESH, 1).items())
    assert index.array_bytes - empty == 256 * index_module.FRESH  # bands; room for min-hashes was there


def test_bands_in_different_places_are_different() -> None:
    hashes = band_hashes(np.zeros((1, 128), np.uint16), rows=4)
    assert len(np.unique(hashes)) == 32


def test_runs_stay_few_and_sorted() -> None:
    runs = BandEntries()
    for row in range(100):
        runs.add(join_rows(band_hashes(np.full((1, 8), row, np.uint16), rows=4), row))
    assert len(runs._runs) <= 7  # at most one for each power of two
    assert sum(map(len, runs._runs)) == 200
    assert sorted(runs.meeting(band_hashes(np.full((1, 8), 42, np.uint16), rows=4)[0]).tolist()) == [42, 42]
