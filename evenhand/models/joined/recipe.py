"""What is decided before a joined model is fitted."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.models.joined.blocks import TermReading, VectorReading

LEAST_DOCUMENTS = 5  # that share a term: a rarer one could tell of a person


@dataclass(frozen=True, slots=True)
class Recipe:
    """`cost` is the price of an error while fitting: the higher, the closer to the examples."""

    terms: tuple[TermReading, ...]
    vectors: tuple[VectorReading, ...] = ()
    cost: float = 0.3
    balanced: bool = False  # whether errors on rare labels cost more
