"""Sums and maxima over label sequences, against enumeration of all of them."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.mining import crf
from evenhand_lab.training import crf as chain
from tests.lab.training.chains import all_paths, best_by_enumeration, marginals_by_enumeration, random_chain

SIZES = [(length, labels) for length in range(1, 7) for labels in (2, 3, 4)]


@pytest.mark.parametrize(("length", "labels"), SIZES)
def test_log_partition_is_the_sum_over_all_sequences(length: int, labels: int) -> None:
    scores, transitions = random_chain(length, labels, seed=length)
    expected = np.log(sum(np.exp(score) for score in all_paths(scores, transitions).values()))
    assert chain.log_partition(scores, transitions) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("length", "labels"), SIZES)
def test_viterbi_finds_the_best_of_all_sequences(length: int, labels: int) -> None:
    for seed in range(5):
        scores, transitions = random_chain(length, labels, seed)
        assert chain.best_path(scores, transitions).tolist() == best_by_enumeration(scores, transitions)


@pytest.mark.parametrize(("length", "labels"), SIZES)
def test_marginals_are_shares_of_all_sequences(length: int, labels: int) -> None:
    scores, transitions = random_chain(length, labels, seed=7)
    expected = marginals_by_enumeration(scores, transitions)
    np.testing.assert_allclose(chain.marginals(scores, transitions), expected, atol=1e-12)


def test_marginals_of_pairs_are_shares_of_all_sequences() -> None:
    scores, transitions = random_chain(4, 3, seed=3)
    paths = all_paths(scores, transitions)
    total = sum(np.exp(score) for score in paths.values())
    expected = np.zeros((3, 3, 3))
    for path, score in paths.items():
        for place in range(3):
            expected[place, path[place], path[place + 1]] += np.exp(score) / total
    np.testing.assert_allclose(chain.pair_marginals(scores, transitions), expected, atol=1e-12)


def test_score_of_a_path_by_hand() -> None:
    scores = np.array([[1.0, 2.0], [3.0, 5.0], [7.0, 11.0]])
    transitions = np.array([[0.1, 0.2], [0.3, 0.4]])
    assert chain.path_score(scores, transitions, np.array([1, 0, 1])) == pytest.approx(2 + 0.3 + 3 + 0.2 + 11)


def test_a_long_chain_neither_overflows_nor_underflows() -> None:
    scores = np.tile([900.0, 901.0], (3000, 1))
    transitions = np.zeros((2, 2))
    assert chain.log_partition(scores, transitions) == pytest.approx(3000 * (901 + np.log1p(np.exp(-1))))
    share = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(chain.marginals(scores, transitions)[1500], [1 - share, share])


def test_batch_finds_the_best_of_all_sequences_of_every_chain() -> None:
    lengths = [3, 1, 6, 2, 6, 1, 4]
    _, transitions = random_chain(1, 3, seed=1)
    chains = [random_chain(length, 3, seed)[0] for seed, length in enumerate(lengths)]
    paths, chances = crf.decode(np.vstack(chains).astype(np.float32), transitions.astype(np.float32), lengths)
    expected = [label for scores in chains for label in best_by_enumeration(scores, transitions)]
    assert paths.tolist() == expected
    shares = np.vstack([chain.marginals(scores, transitions) for scores in chains])
    np.testing.assert_allclose(chances, shares, atol=1e-5)
