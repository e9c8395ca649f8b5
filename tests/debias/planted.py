"""Rows in which it is known where each variable stands."""

from __future__ import annotations

import numpy as np

from evenhand.debias.heads import Protocol
from evenhand.debias.samples import Samples, Variable, make_samples

QUICK = Protocol(rates=(1e-3, 1e-2), epochs=30)


def coded(name: str, codes: object, classes: int = 2) -> Variable:
    return Variable(name, tuple(f"{name} {place}" for place in range(classes)), np.asarray(codes, np.int64))


def planted(rows: int = 1500, dimension: int = 24, *, seed: int = 0) -> Samples:
    """Gender on direction 0, three trades on directions 1 and 2; the rest is noise, weaker from column to column."""
    rng = np.random.default_rng(seed)
    trade, gender = np.divmod(rng.permutation(rows) % 6, 2)  # as many of each in every trade: one tells not the other
    values = rng.normal(size=(rows, dimension)) * np.linspace(0.6, 0.05, dimension)
    values[:, 0] = 9 * (2 * gender - 1) + 0.2 * rng.normal(size=rows)
    corners = np.array([[3.0, 0.0], [-2.0, 3.0], [-2.0, -3.0]])
    values[:, 1:3] = corners[trade] + 0.3 * rng.normal(size=(rows, 2))
    turn = np.linalg.qr(rng.normal(size=(dimension, dimension)))[0]  # no column is a concept by itself
    return make_samples(values @ turn, coded("trade", trade, 3), [coded("gender", gender)])


def crossed(rows: int = 1500, dimension: int = 12, *, seed: int = 1) -> Samples:
    """Gender is 1 where two directions have different signs: no line tells it, any curve does."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(rows, dimension)) * 0.2
    signs = rng.choice([-1.0, 1.0], size=(rows, 2))
    values[:, :2] = 3 * signs + 0.3 * rng.normal(size=(rows, 2))
    trade = rng.integers(0, 2, rows)
    values[:, 2] = 3.0 * (2 * trade - 1)
    gender = (signs[:, 0] != signs[:, 1]).astype(int)
    return make_samples(values, coded("trade", trade), [coded("gender", gender)])
