"""Importance of concepts: the quick way through the hidden layer against rows built one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evenhand.debias.decomposition import METHODS, Decomposition, Method, decompose
from evenhand.debias.heads import Head, Singles
from evenhand.debias.importance import (
    ESTIMATORS,
    Estimator,
    ImportanceSettings,
    legacy_design,
    margins,
    sample_rows,
    scrambled_designs,
    weigh_concepts,
)
from evenhand.debias.samples import Floats
from tests.debias.sobol import total_indices


def draw_head(classes: int, dimension: int = 16) -> Head:
    rng = np.random.default_rng(classes)

    def draw(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return rng.normal(size=shape).astype(np.float32)

    return Head(draw(dimension, 128), draw(128), draw(128, classes), draw(classes), 1e-3, 0)


@pytest.fixture(scope="module")
def rows() -> Floats:
    rng = np.random.default_rng(3)
    return np.asarray(rng.normal(size=(60, 5)) @ rng.normal(size=(5, 16)) + 0.3 * rng.normal(size=(60, 16)) + 1)


def by_the_letter(head: Head, found: Decomposition, row: Floats, weighing: ImportanceSettings) -> Floats:
    """Every perturbed row built whole, its logits sorted."""
    load = found.project(row[None])[0]
    rest = row - found.restore(load[None])[0] if weighing.residual else np.zeros_like(row)
    points = (
        legacy_design(found.rank)
        if weighing.legacy
        else next(scrambled_designs(found.rank, weighing.points, seed=weighing.seed))
    )

    def phi(masks: Singles) -> Floats:
        logits = np.sort(head.logits((masks * load) @ found.basis + found.mean + rest), axis=1)
        return np.asarray(logits[:, -1] - logits[:, -2])

    return total_indices(phi, points, weighing.estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("classes", [2, 3, 7])
@pytest.mark.parametrize("method", METHODS)
def test_the_quick_way_gives_the_same(rows: Floats, method: Method, classes: int, estimator: Estimator) -> None:
    head, found = draw_head(classes), decompose(rows, 5, method)
    for residual in (True, False):
        for legacy in (True, False):
            weighing = ImportanceSettings(points=64, estimator=estimator, residual=residual, legacy=legacy)
            expected = by_the_letter(head, found, rows[0], weighing)
            np.testing.assert_allclose(weigh_concepts(head, found, rows[:1], weighing).indices, expected, atol=2e-4)


def test_indices_are_the_mean_over_texts(rows: Floats) -> None:
    head, found = draw_head(3), decompose(rows, 5)
    weighing = ImportanceSettings(legacy=True)  # one design for all, so that texts can be weighed apart
    alone = [weigh_concepts(head, found, rows[place : place + 1], weighing).indices for place in range(4)]
    together = weigh_concepts(head, found, rows[:4], weighing)
    np.testing.assert_allclose(together.indices, np.mean(alone, axis=0))


def test_a_concept_without_a_row_in_w_has_no_importance(rows: Floats) -> None:
    found = decompose(rows, 5)
    silent = found.basis.copy()
    silent[2] = 0
    indices = weigh_concepts(draw_head(3), replace(found, basis=silent), rows).indices
    assert indices[2] < 1e-6
    assert (np.delete(indices, 2) > 1e-4).all()


def test_the_margin_is_the_largest_minus_the_second() -> None:
    logits = np.array([[[1.0, 5.0], [4.0, 5.0], [-2.0, 1.0]]], np.float32)
    np.testing.assert_array_equal(margins(logits), [[3.0, 0.0]])
    np.testing.assert_array_equal(margins(logits[:, :2]), [[3.0, 0.0]])
    many = np.random.default_rng(0).normal(size=(4, 9, 50)).astype(np.float32)
    ordered = np.sort(many, axis=1)
    np.testing.assert_allclose(margins(many), ordered[:, -1] - ordered[:, -2])


def test_a_head_that_never_moves_counts_its_texts_and_weighs_nothing(rows: Floats) -> None:
    head = draw_head(3)
    constant = replace(head, second=np.zeros_like(head.second))
    found = weigh_concepts(constant, decompose(rows, 5), rows)
    np.testing.assert_array_equal(found.indices, 0)
    assert (found.texts, found.constant) == (60, 60)
    assert weigh_concepts(head, decompose(rows, 5), rows).constant == 0


def test_more_rows_than_wanted_are_drawn_at_random() -> None:
    rows = np.arange(1000.0)[:, None]
    drawn = sample_rows(rows, 100, seed=0)[:, 0]
    assert len(set(drawn)) == 100
    assert 400 < drawn.mean() < 600  # the first hundred would have 49.5
    assert not np.array_equal(drawn, sample_rows(rows, 100, seed=1)[:, 0])
    assert sample_rows(rows, 1000, seed=0) is rows
