"""The head of the task, learned afresh on what removal leaves of the training rows."""

from __future__ import annotations

from evenhand.debias.fitting import Fitted
from evenhand.debias.heads import Head
from evenhand.debias.weighing import fit_heads


def learn_again(fitted: Fitted, *, seed: int = 0) -> Head:
    change = fitted.removal.change
    train, validation = (
        part.with_rows(change.apply(part.rows)) for part in (fitted.divided.train, fitted.divided.validation)
    )
    return fit_heads(train, validation, seed=seed).task
