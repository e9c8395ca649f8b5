"""The bench of duplicates: a pile small enough to look through, and figures worked out by hand."""

from __future__ import annotations

import json
from random import Random

import pytest

from evenhand.search.duplicates.index import diff
from evenhand.search.duplicates.sketch import METHOD, without_contact
from evenhand_lab.benchmarks import duplicates
from evenhand_lab.benchmarks.duplicates import (
    DuplicateCorpus,
    PairQuality,
    edit,
    find_by_datasketch,
    find_pairs,
    make_pile,
    quality,
)


@pytest.mark.parametrize(
    ("replaced", "left_out", "gone", "strange"), [(1.0, 0.0, 30, 30), (0.0, 1.0, 30, 0), (0.0, 0.0, 0, 30)]
)
def test_edits_touch_as_many_words_as_said(
    monkeypatch: pytest.MonkeyPatch, replaced: float, left_out: float, gone: int, strange: int
) -> None:
    monkeypatch.setattr(duplicates, "REPLACED", replaced)
    monkeypatch.setattr(duplicates, "LEFT_OUT", left_out)
    words = [f"w{number}" for number in range(200)]
    text = "\n".join(" ".join(words[start : start + 10]) for start in range(0, 200, 10))
    edited = edit(text, ["strange"], 0.15, Random(1)).split()
    assert len(set(words) - set(edited)) == gone
    assert edited.count("strange") == strange


def test_a_smaller_pile_keeps_the_proportion() -> None:
    pile = DuplicateCorpus(dict.fromkeys(range(20), ""), frozenset({(0, 16), (1, 17), (2, 18), (3, 19)}))
    half = pile.first(10)
    assert sorted(half.texts) == [0, 1, 2, 3, 4, 5, 6, 7, 16, 17]
    assert half.planted == {(0, 16), (1, 17)}


def test_quality_by_hand() -> None:
    planted = frozenset({(0, 8), (1, 9)})
    assert quality({(0, 8), (2, 3), (4, 5), (6, 7)}, planted) == PairQuality(recall=0.5, precision=0.25)
    assert quality(set(), planted) == PairQuality(recall=0.0, precision=1.0)


def test_counts_are_extrapolated_by_their_two_parts() -> None:
    assert duplicates.extrapolate([10, 20, 40], [120, 440, 1680], 100) == pytest.approx(10_200)  # 2 n + n**2
    assert duplicates.extrapolate([10, 20], [30, 60], 1000) == pytest.approx(3000)


def test_both_ways_find_those_who_applied_twice() -> None:
    pile = make_pile(40, 4, seed=2)
    assert pile.planted == {(0, 36), (1, 37), (2, 38), (3, 39)}
    stripped = {number: without_contact(text) for number, text in pile.texts.items()}
    for found, steps in (find_pairs(stripped, METHOD)[:2], find_by_datasketch(stripped, METHOD)):
        assert found == pile.planted
        assert steps.total >= 0
    for a, b in pile.planted:
        segments = diff(pile.texts[a], pile.texts[b])
        same = sum(len(segment.text.split()) for segment in segments if segment.kind == "same")
        assert 0.75 < same / len(pile.texts[a].split()) < 0.97


@pytest.mark.long
def test_a_run_tells_all_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "LARGE_SIZE", 2000)
    monkeypatch.setattr(duplicates, "make_pile", lambda n, planted, **_: make_pile(n, planted, seed=2))
    result = duplicates.run(n=40)
    assert (result.resumes, result.planted) == (40, 2)
    assert [size.resumes for size in result.growth] == [10, 20, 40, 80]
    assert result.ours == result.peer == PairQuality(1.0, 1.0)
    assert result.highest_other < METHOD.threshold < result.lowest_planted
    assert result.million.array_bytes >= 2000 * 512
    assert result.table().row_count == len(result.rows())
    assert json.loads(json.dumps(result.to_json()))["ratio"] == result.ratio
