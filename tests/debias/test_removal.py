"""Removal as a projection: the same places of U and W, twice is once, kept and removed make the whole."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.debias.decomposition import METHODS, Decomposition, Method, decompose
from evenhand.debias.erasers import remove
from evenhand.debias.samples import Floats
from evenhand.errors import UsageError
from evenhand.models.concept_removal import LinearMap, identity, subtract

GONE = (4, 0, 2)  # neither sorted nor next to each other: a mispaired U and W would show


@pytest.fixture(scope="module")
def rows() -> Floats:
    rng = np.random.default_rng(2)
    return np.asarray(rng.gamma(2.0, size=(90, 8)) @ rng.normal(size=(8, 20)) + 1)


@pytest.mark.parametrize("method", METHODS)
def test_the_map_is_the_product_of_the_kept_columns_and_rows(rows: Floats, method: Method) -> None:
    found = decompose(rows, 7, method)
    kept = [place for place in range(7) if place not in GONE]
    loads = found.project(rows)
    expected = loads[:, kept] @ found.basis[kept] + found.mean
    left = remove(found, GONE).apply(rows)
    np.testing.assert_allclose(left, expected, atol=1e-6)
    removed = remove(found, kept).apply(rows) - found.mean  # the mean is in both
    np.testing.assert_allclose(left + removed, found.restore(loads), atol=1e-6)


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_twice_is_once(rows: Floats, method: Method, residual: bool) -> None:
    change = remove(decompose(rows, 7, method), GONE, residual=residual)
    np.testing.assert_allclose(change.apply(change.apply(rows)), change.apply(rows), atol=1e-6)


def test_without_residual_rows_are_projected_on_the_kept_subspace(rows: Floats) -> None:
    found = decompose(rows, 7)
    kept = np.delete(found.basis, GONE, axis=0)
    directions = np.linalg.qr(kept.T)[0]
    np.testing.assert_allclose(remove(found, GONE).apply(rows), rows @ directions @ directions.T, atol=1e-6)


def test_with_residual_only_the_removed_concepts_are_missing(rows: Floats) -> None:
    found = decompose(rows, 7, "pca")
    left = remove(found, GONE, residual=True).apply(rows)
    expected = rows - found.project(rows)[:, GONE] @ found.basis[list(GONE)]
    np.testing.assert_allclose(left, expected, atol=1e-8)
    np.testing.assert_allclose(found.project(left)[:, GONE], 0, atol=1e-8)


def test_nothing_removed_changes_nothing_but_the_rank(rows: Floats) -> None:
    found = decompose(rows, 7)
    np.testing.assert_allclose(remove(found, ()).apply(rows), found.restore(found.project(rows)), atol=1e-8)
    np.testing.assert_allclose(remove(found, (), residual=True).apply(rows), rows, atol=1e-8)


def maps(found: Decomposition) -> list[LinearMap]:
    other = np.linalg.qr(np.random.default_rng(5).normal(size=(20, 2)))[0]
    shifted = subtract(other, towards=np.arange(20.0))
    return [remove(found, GONE), remove(found, GONE, residual=True), shifted, identity(20)]


def test_maps_are_composed_into_one(rows: Floats) -> None:
    found = decompose(rows, 7, "pca")
    for first in maps(found):
        for second in maps(found):
            np.testing.assert_allclose(first.then(second).apply(rows), second.apply(first.apply(rows)), atol=1e-8)


def test_coordinates_keep_all_distances_in_few_columns(rows: Floats) -> None:
    for change in maps(decompose(rows, 7, "pca")):
        full, short = change.apply(rows[:10]), change.coordinates(rows[:10])
        wanted = np.linalg.norm(full[:, None] - full[None], axis=2)
        np.testing.assert_allclose(np.linalg.norm(short[:, None] - short[None], axis=2), wanted, atol=1e-8)
    assert remove(decompose(rows, 7), GONE).coordinates(rows).shape == (90, 4)


def test_rows_of_another_length_are_refused(rows: Floats) -> None:
    with pytest.raises(UsageError, match="19 numbers"):
        identity(20).apply(rows[:, :19])
