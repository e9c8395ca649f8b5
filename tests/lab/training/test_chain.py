"""Sums and maxima over label sequences, against enumeration of all of them."""

from __future__ import annotations

import numpy as np

from evenhand.mining import crf
from tests.lab.training.chains import best_by_enumeration, marginals_by_enumeration, random_chain


def test_batch_finds_the_best_of_all_sequences_of_every_chain() -> None:
    lengths = [3, 1, 6, 2, 6, 1, 4]
    _, transitions = random_chain(1, 3, seed=1)
    chains = [random_chain(length, 3, seed)[0] for seed, length in enumerate(lengths)]
    paths, chances = crf.decode(np.vstack(chains).astype(np.float32), transitions.astype(np.float32), lengths)
    expected = [label for scores in chains for label in best_by_enumeration(scores, transitions)]
    assert paths.tolist() == expected
    shares = np.vstack([marginals_by_enumeration(scores, transitions) for scores in chains])
    np.testing.assert_allclose(chances, shares, atol=1e-5)
