"""Concepts by SVD, PCA and ICA against numpy's own decomposition and least squares."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.debias.decomposition import METHODS, Method, decompose
from evenhand.debias.samples import Floats
from evenhand.errors import UsageError


@pytest.fixture(scope="module")
def rows() -> Floats:
    rng = np.random.default_rng(0)
    return np.asarray(rng.gamma(2.0, size=(120, 9)) @ rng.normal(size=(9, 30)) + 0.1 * rng.normal(size=(120, 30)) + 2)


@pytest.mark.parametrize("rank", [1, 5, 20])
def test_what_is_lost_is_what_was_dropped(rows: Floats, rank: int) -> None:
    found = decompose(rows, rank)
    values = np.linalg.svd(rows, compute_uv=False)
    loads = found.project(rows)
    lost = np.linalg.norm(rows - loads @ found.basis)
    assert lost == pytest.approx(np.sqrt((values[rank:] ** 2).sum()), rel=1e-4)
    np.testing.assert_allclose(loads.T @ loads, np.eye(rank), atol=1e-8)
    np.testing.assert_allclose(found.strengths, values[:rank], rtol=1e-8)  # largest first; svds gives them ascending


def test_signs_and_starts_are_not_left_to_chance(rows: Floats) -> None:
    first, again = decompose(rows, 6), decompose(rows.copy(), 6)
    np.testing.assert_array_equal(first.basis, again.basis)
    largest = np.abs(first.basis).argmax(axis=1)
    assert (first.basis[np.arange(6), largest] > 0).all()
    np.testing.assert_allclose(decompose(-rows, 6).basis, first.basis, atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_new_row_is_projected_as_least_squares_would(rows: Floats, method: Method) -> None:
    found = decompose(rows[:100], 7, method)
    new = rows[100:]
    expected = np.linalg.lstsq(found.basis.T, (new - found.mean).T, rcond=None)[0].T
    np.testing.assert_allclose(found.project(new), expected, atol=1e-8)


def test_pca_centres_and_puts_the_mean_back(rows: Floats) -> None:
    found = decompose(rows, 5, "pca")
    mean = rows.mean(axis=0)
    _, _, directions = np.linalg.svd(rows - mean, full_matrices=False)
    projector = directions[:5].T @ directions[:5]
    np.testing.assert_allclose(found.restore(found.project(rows)), mean + (rows - mean) @ projector, atol=1e-8)
    np.testing.assert_array_equal(found.mean, mean)
    np.testing.assert_array_equal(decompose(rows, 5).mean, 0)


def test_ica_spans_what_pca_spans_and_finds_the_sources() -> None:
    rng = np.random.default_rng(4)
    sources = rng.uniform(-1, 1, size=(600, 3)) * [3, 2, 1]
    mixed = sources @ rng.normal(size=(3, 8))
    found = decompose(mixed, 3, "ica")
    correlations = np.abs(np.corrcoef(found.project(mixed).T, sources.T)[:3, 3:])
    assert (correlations.max(axis=0) > 0.99).all()  # PCA mixes them
    assert (
        np.abs(np.corrcoef(decompose(mixed, 3, "pca").project(mixed).T, sources.T)[:3, 3:]).max(axis=0) < 0.99
    ).any()
    np.testing.assert_allclose(found.restore(found.project(mixed)), mixed, atol=1e-8)


@pytest.mark.parametrize(("rank", "method"), [(0, "svd"), (30, "svd"), (5, "nmf")])
def test_what_cannot_be_is_refused(rows: Floats, rank: int, method: Method) -> None:
    with pytest.raises(UsageError):
        decompose(rows, rank, method)
