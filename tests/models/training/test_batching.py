"""Which resumes are computed together."""

from __future__ import annotations

from evenhand.models.training.examples import mixed_batches, same_count_batches

COUNTS = [3] * 7 + [10] * 5 + [40] * 3 + [1]


def test_every_batch_has_one_k_and_one_two_or_four_resumes() -> None:
    batches = same_count_batches(COUNTS, seed=1)
    assert sorted(position for batch in batches for position in batch) == list(range(len(COUNTS)))
    for batch in batches:
        assert len(batch) in {1, 2, 4}
        assert len({COUNTS[position] for position in batch}) == 1


def test_the_size_goes_by_k() -> None:
    # Of at most 32 sequences: four resumes of K = 3, then two, then one; two of K = 10; one of K = 40.
    sizes = sorted((COUNTS[batch[0]], len(batch)) for batch in same_count_batches(COUNTS, seed=1))
    assert sizes == [(1, 1), (3, 1), (3, 2), (3, 4), (10, 1), (10, 2), (10, 2), (40, 1), (40, 1), (40, 1)]


def test_the_order_is_chance_that_can_be_repeated() -> None:
    assert same_count_batches(COUNTS, seed=1) == same_count_batches(COUNTS, seed=1)
    assert same_count_batches(COUNTS, seed=1) != same_count_batches(COUNTS, seed=2)


def test_mixed_batches_hold_everyone_once() -> None:
    batches = mixed_batches(10, size=4, seed=0)
    assert [len(batch) for batch in batches] == [4, 4, 2]
    assert sorted(position for batch in batches for position in batch) == list(range(10))
    assert batches != mixed_batches(10, size=4, seed=1)
