"""Which resumes are computed together."""

from __future__ import annotations

from evenhand.models.training.examples import mixed_batches


def test_mixed_batches_hold_everyone_once() -> None:
    batches = mixed_batches(10, size=4, seed=0)
    assert [len(batch) for batch in batches] == [4, 4, 2]
    assert sorted(position for batch in batches for position in batch) == list(range(10))
    assert batches != mixed_batches(10, size=4, seed=1)
