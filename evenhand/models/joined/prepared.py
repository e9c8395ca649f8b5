"""Resumes counted and encoded once, so that fitting on one part of them after another costs little."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.models.inputs import ResumeInput
from evenhand.models.joined.blocks import Array, Counted, Places, Row, TermReading, TextEncoder, weigh
from evenhand.models.joined.recipe import LEAST_DOCUMENTS, Recipe

Allowed = Callable[[str], bool]
"""Whether a term may be learned at all: one that could tell of a person may not."""


@dataclass(frozen=True, slots=True, eq=False)
class CountTable:
    """A row of counts per resume, over terms that enough resumes share."""

    reading: TermReading
    terms: tuple[str, ...]
    rows: tuple[Row, ...]

    def frequencies(self, chosen: Sequence[int]) -> Places:
        """In how many of the chosen resumes each term stands."""
        found = np.zeros(len(self.terms), np.int32)
        for at in chosen:
            found[self.rows[at][0]] += 1
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Of all resumes; `vectors` has a row per resume under the name of each neural part."""

    tables: tuple[CountTable, ...]
    vectors: Mapping[str, Array]
    resumes: int


def prepare(
    resumes: Sequence[ResumeInput],
    recipe: Recipe,
    *,
    allowed: Allowed,
    encoder: TextEncoder | None = None,
    each: Callable[[Iterable[ResumeInput]], Iterable[ResumeInput]] = iter,
) -> Prepared:
    """`each` wraps the resumes while they are encoded, which takes long, to show how far it is."""
    tables = count_all(resumes, recipe.terms, allowed=allowed)
    vectors: dict[str, list[Array]] = {reading.name: [] for reading in recipe.vectors}
    if recipe.vectors:
        if encoder is None:
            raise ValueError("neural parts need an encoder")
        for resume in each(resumes):
            for reading in recipe.vectors:
                vectors[reading.name].append(reading.vector(resume, encoder))
    return Prepared(
        tables, {name: np.array(rows, np.float32) for name, rows in vectors.items()}, len(resumes)
    )


def count_all(
    resumes: Sequence[ResumeInput], readings: Sequence[TermReading], *, allowed: Allowed
) -> tuple[CountTable, ...]:
    """Once for all readings that count the same."""
    known: dict[Counted, CountTable] = {}
    for reading in readings:
        if reading.counted not in known:
            known[reading.counted] = count(resumes, reading, allowed=allowed)
    return tuple(replace(known[reading.counted], reading=reading) for reading in readings)


def count(resumes: Sequence[ResumeInput], reading: TermReading, *, allowed: Allowed) -> CountTable:
    numbers: dict[str, int] = {}
    counted = [_numbered(reading.count(resume), numbers) for resume in resumes]
    documents = np.zeros(len(numbers), np.int32)
    for places, _ in counted:
        documents[places] += 1
    terms = sorted(
        term for term, number in numbers.items() if documents[number] >= LEAST_DOCUMENTS and allowed(term)
    )
    new_places = np.full(len(numbers), -1, np.int32)
    new_places[[numbers[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
    return CountTable(reading, tuple(terms), tuple(renumber(row, new_places) for row in counted))


def _numbered(counts: Mapping[str, int], numbers: dict[str, int]) -> Row:
    places = np.fromiter((numbers.setdefault(term, len(numbers)) for term in counts), np.int32, len(counts))
    return places, np.fromiter(counts.values(), np.float32, len(counts))


def renumber(row: Row, new_places: Places) -> Row:
    """With the new places, in their order; what has none (-1) is left out."""
    places, values = new_places[row[0]], row[1]
    kept = places >= 0
    places, values = places[kept], values[kept]
    order = np.argsort(places)
    return places[order], values[order]


def weighed(rows: Iterable[Row], idf: Array, weight: float) -> list[Row]:
    return [(places, weigh(places, counts, idf, weight)) for places, counts in rows]
