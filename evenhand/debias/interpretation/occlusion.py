"""How much each word or clause adds to a concept: what the concept loses when the unit is taken away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.interpretation.units import Unit, UnitKind, units_of, without

Matrix = NDArray[np.float64]
Embed = Callable[[Sequence[str]], NDArray[np.floating]]
"""Texts to rows of embeddings, one by one: a row may not depend on the texts beside it."""
Project = Callable[[NDArray[np.floating]], NDArray[np.floating]]
"""Rows of embeddings to rows of concepts."""

BATCH_TEXTS = 64
LEAST_SHOWN = 0.2
_NEVER_ZERO = 1e-5


@dataclass(frozen=True)
class Occlusion:
    """`scores` has a row per unit and a column per concept, in the order of `concepts`; ignored units are all 0."""

    text: str
    concepts: tuple[int, ...]
    units: tuple[Unit, ...]
    values: tuple[float, ...]  # u_i of the whole text
    scores: Matrix

    @property
    def normalised(self) -> Matrix:
        """By the largest of all shown scores, so that concepts can be compared within a text: from -1 to 1."""
        largest = float(np.abs(self.scores).max(initial=0.0))
        return self.scores / (largest + _NEVER_ZERO)

    @property
    def towards(self) -> Matrix:
        """Normalised, and positive where a unit moves the text to its own side of the concept.

        The sign of a concept is arbitrary: without this a text far on the negative side would show no word at all.
        """
        sides = np.where(np.asarray(self.values) < 0, -1.0, 1.0)
        return np.asarray(self.normalised * sides, dtype=np.float64)

    def strongest(self, *, least: float = LEAST_SHOWN) -> tuple[int | None, ...]:
        """For each unit the column of the concept that it carries most, or None where that is too little."""
        if not self.concepts:
            return (None,) * len(self.units)
        towards = self.towards
        best = towards.argmax(axis=1)
        return tuple(int(column) if towards[row, column] > least else None for row, column in enumerate(best))


def occlude(
    texts: Sequence[str],
    embed: Embed,
    project: Project,
    *,
    concepts: Sequence[int],
    kind: UnitKind = "word",
    batch_texts: int = BATCH_TEXTS,
) -> tuple[Occlusion, ...]:
    """phi_t = u_i(x) - u_i(x without t) for every unit t of every text, in as few calls as batches allow."""
    cut = [units_of(text, kind) for text in texts]
    asked = list(_asked(texts, cut))
    found = _concept_values(asked, embed, project, concepts=concepts, batch_texts=batch_texts)
    results = []
    row = 0
    for text, units in zip(texts, cut, strict=True):
        taken = [at for at, unit in enumerate(units) if not unit.is_ignored]
        whole = found[row]
        scores = np.zeros((len(units), len(concepts)))
        scores[taken] = whole - found[row + 1 : row + 1 + len(taken)]
        results.append(Occlusion(text, tuple(concepts), units, tuple(whole.tolist()), scores))
        row += 1 + len(taken)
    return tuple(results)


def _asked(texts: Sequence[str], cut: Sequence[Sequence[Unit]]) -> Iterator[str]:
    """Each text, then the same without each of its units."""
    for text, units in zip(texts, cut, strict=True):
        yield text
        yield from (without(text, unit) for unit in units if not unit.is_ignored)


def _concept_values(
    texts: Sequence[str], embed: Embed, project: Project, *, concepts: Sequence[int], batch_texts: int
) -> Matrix:
    columns = list(concepts)
    parts = [
        np.asarray(project(embed(texts[at : at + batch_texts])), dtype=np.float64)[:, columns]
        for at in range(0, len(texts), batch_texts)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, len(columns)))
