"""What is decided before a joined model is fitted."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.models.joined.blocks import TermReading, VectorReading

LEAST_DOCUMENTS = 5  # that share a term: a rarer one could tell of a person


@dataclass(frozen=True, slots=True)
class Recipe:
    """`most_terms` are kept of each lexical part, the most telling ones; `cost` is the price of an error."""

    terms: tuple[TermReading, ...]
    vectors: tuple[VectorReading, ...] = ()
    most_terms: int = 6000
    cost: float = 0.3
    balanced: bool = False  # whether errors on rare labels cost more
