"""Rounds of annotation by hand: kappa per round and label, stratified batches, what is contested and what stands."""

from __future__ import annotations

from collections import Counter

import pytest

from evenhand_lab.corpora.annotation import (
    Annotation,
    AnnotationCandidate,
    ContestedItem,
    Final,
    agreements,
    contested,
    finals,
    labels_of,
    next_batch,
)

LEVELS = ("NQ", "CRC1", "CRC2", "CRC3", "CRC4")


def votes(item: str, labels: str, *, round: str = "") -> list[Annotation]:
    """ "NQ CRC1" are the labels of the annotators a and b."""
    return [Annotation(item, annotator, label, round) for annotator, label in zip("abc", labels.split(), strict=False)]


def test_one_kappa_for_each_round() -> None:
    """Round 1: P = (1/3 + 1) / 2, chance = (1/3)^2 + (2/3)^2; round 2: full agreement."""
    first = votes("x", "NQ NQ CRC1", round="1") + votes("y", "CRC1 CRC1 CRC1", round="1")
    second = votes("x", "NQ NQ NQ", round="2") + votes("y", "CRC1 CRC1 CRC1", round="2")
    found = agreements(first + second, LEVELS)
    assert [each.round for each in found] == ["1", "2"]
    assert [each.agreement.kappa for each in found if each.agreement] == [pytest.approx(0.25), 1.0]
    assert found[0].annotators == ("a", "b", "c")


def test_a_lone_vote_has_support_but_no_kappa() -> None:
    rows = [row for item in range(49) for row in votes(str(item), "CRC1 CRC1 CRC1")]
    found = agreements(rows + votes("last", "CRC1 CRC1 CRC4"), LEVELS)[0]
    assert (found.kappa("CRC4"), found.support("CRC4")) == (None, 1)
    assert (found.kappa("CRC2"), found.support("CRC2")) == (None, 0)
    assert found.agreement is not None
    lone = found.agreement.categories[4]
    assert lone.kappa == pytest.approx(-1 / 149)  # what would mislead is still to be had


def test_items_with_other_numbers_of_raters_are_left_out_and_told() -> None:
    rows = votes("x", "NQ NQ") + votes("y", "CRC1 CRC1") + votes("z", "NQ") + votes("w", "NQ NQ NQ")
    found = agreements(rows, LEVELS)[0]
    assert found.agreement is not None
    assert (found.agreement.items, found.agreement.raters, found.left_out) == (2, 2, 2)
    alone = agreements(votes("x", "NQ"), LEVELS)[0]
    assert (alone.agreement, alone.kappa("NQ"), alone.support("NQ"), alone.left_out) == (None, None, 0, 1)


def test_a_changed_mind_counts_once() -> None:
    rows = votes("x", "NQ CRC1") + votes("y", "CRC2 CRC2") + [Annotation("x", "b", "NQ")]
    found = agreements(rows, LEVELS)[0]
    assert found.agreement is not None
    assert found.agreement.kappa == 1.0


def test_labels_in_the_order_given_then_those_nobody_announced() -> None:
    assert labels_of(votes("x", "NQ odd"), ("NQ", "CRC1")) == ("NQ", "CRC1", "odd")


POOL = [AnnotationCandidate(f"{number:03}", "high" if number % 5 == 0 else "low") for number in range(100)]


def test_a_batch_has_the_shares_of_the_pool_and_nothing_twice() -> None:
    first = next_batch(POOL, annotated=(), size=20)
    assert first.counts() == {"high": 4, "low": 16}
    assert first.left == 80
    done = {each.item for each in first.candidates}
    second = next_batch(POOL, annotated=done, size=20)
    assert second.counts() == {"high": 4, "low": 16}
    assert not done & {each.item for each in second.candidates}
    assert second.left == 60


def test_a_batch_depends_on_the_seed_and_not_on_the_order_of_the_pool() -> None:
    batch = next_batch(POOL, annotated=(), size=10, seed=3)
    assert batch == next_batch(POOL[::-1], annotated=(), size=10, seed=3)
    assert batch != next_batch(POOL, annotated=(), size=10, seed=4)
    assert [each.item for each in batch.candidates] != sorted(each.item for each in batch.candidates)


def test_a_stratum_that_runs_out_is_made_up_for_by_the_others() -> None:
    high = {each.item for each in POOL if each.stratum == "high"}
    batch = next_batch(POOL, annotated=sorted(high)[:-1], size=20)
    assert Counter(each.stratum for each in batch.candidates) == {"high": 1, "low": 19}
    rest = next_batch(POOL, annotated=(), size=500)
    assert (len(rest.candidates), rest.left) == (100, 0)


def test_the_most_contested_come_first() -> None:
    rows = [
        *votes("agreed", "NQ NQ NQ"),
        *votes("near", "CRC1 CRC1 CRC2"),
        *votes("far", "NQ CRC4 NQ"),
        *votes("all differ", "NQ CRC1 CRC2"),
    ]
    found = contested(rows, LEVELS)
    assert [each.item for each in found] == ["all differ", "far", "near"]
    assert found[0] == ContestedItem("all differ", (("a", "NQ"), ("b", "CRC1"), ("c", "CRC2")), None, 1 / 3, 2)
    assert (found[1].majority, found[1].spread) == ("NQ", 4)


def test_what_stands_after_adjudication() -> None:
    rows = votes("x", "NQ NQ NQ") + votes("y", "CRC1 CRC2") + votes("z", "CRC3") + votes("w", "NQ CRC1")
    standing, still_open = finals(rows, {"y": "CRC2"})
    assert standing == [
        Final("x", "NQ", "unanimous", 3),
        Final("y", "CRC2", "adjudicated", 2),
        Final("z", "CRC3", "single", 1),
    ]
    assert still_open == ["w"]
