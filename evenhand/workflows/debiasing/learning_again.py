"""The head of the task, learned afresh on what removal leaves of the training rows."""

from __future__ import annotations

from evenhand.debias.fitting import Fitted
from evenhand.debias.heads import Head
from evenhand.debias.weighing import fit_task_head


def learn_again(fitted: Fitted, *, seed: int = 0) -> Head:
    """As the heads of the fit were learned, so that the two differ by the removal alone."""
    change = fitted.removal.change
    train, validation = (
        part.with_rows(change.apply(part.rows)) for part in (fitted.divided.train, fitted.divided.validation)
    )
    return fit_task_head(train, validation, seed=seed, protocol=fitted.plan.probing.protocol)
