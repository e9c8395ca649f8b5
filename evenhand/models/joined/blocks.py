"""The parts of a joined model: each turns a resume into a row of numbers and weighs them for every label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.models.inputs import ResumeInput
from evenhand.models.joined.sources import SOURCES, Source, texts_of
from evenhand.models.joined.words import count_terms

Array = NDArray[np.float32]
Places = NDArray[np.int32]
Row = tuple[Places, Array]
"""Places of the terms that a resume has, and their values."""

Counts = Mapping[str, int]
Counted = tuple[Source, int, bool]
WINDOW_TOKENS = 126


class TextEncoder(Protocol):
    """The sentence encoder, as far as it is needed here."""

    def encode(self, texts: Sequence[str], /) -> Array: ...

    def windows(self, text: str, tokens: int, /) -> list[tuple[int, int]]: ...


@dataclass(frozen=True, slots=True)
class TermReading:
    """How a lexical part reads. Every row has length `weight`: a long resume says no more than a short one."""

    name: str
    source: Source
    longest: int  # words of a term
    weight: float
    most: int  # terms that are known: the most telling ones
    stops: bool = True  # whether stop words are read too

    @property
    def counted(self) -> Counted:
        """The same for readings that count the same terms."""
        return self.source, self.longest, self.stops

    def count(self, resume: ResumeInput) -> Counts:
        return count_terms(texts_of(resume, self.source), longest=self.longest, stops=self.stops)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> TermReading:
        reading = cls(**content)
        _refuse_source(reading.source)
        return reading


@dataclass(frozen=True, slots=True)
class VectorReading:
    """How a neural part reads: the mean of the vectors of its texts, long ones cut into windows."""

    name: str
    source: Source
    weight: float

    def vector(self, resume: ResumeInput, encoder: TextEncoder) -> Array:
        texts = self.texts(resume, encoder)
        vectors = encoder.encode(texts or [""])
        return np.asarray(vectors.mean(axis=0), np.float32)

    def texts(self, resume: ResumeInput, encoder: TextEncoder) -> list[str]:
        """Sections one by one for the body: a window that spans two says something of neither."""
        parts = (
            [section.text for section in resume.sections]
            if self.source == "body"
            else texts_of(resume, self.source)
        )
        return [
            part[start:end]
            for part in parts
            for start, end in encoder.windows(part, WINDOW_TOKENS)
            if part[start:end].strip()
        ]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> VectorReading:
        reading = cls(**content)
        _refuse_source(reading.source)
        return reading


def _refuse_source(source: str) -> None:
    if source not in SOURCES:
        raise ValueError(f"there is no source {source!r}")


def weigh(places: Places, counts: Array, idf: Array, weight: float) -> Array:
    """1 + log of the count, times the rarity of the term, scaled to the length `weight`."""
    values = (1 + np.log(counts)) * idf[places]
    length = np.sqrt((values * values).sum())
    return np.asarray(values * (weight / length) if length > 0 else values, np.float32)


@dataclass(frozen=True, eq=False)
class TermPart:
    """Terms with their rarity, and a row of coefficients for each, a column per label."""

    reading: TermReading
    terms: tuple[str, ...]
    idf: Array
    coefficients: Array

    @cached_property
    def places(self) -> Mapping[str, int]:
        return {term: place for place, term in enumerate(self.terms)}

    def row(self, counts: Counts) -> Row:
        known = self.places
        found = sorted((known[term], count) for term, count in counts.items() if term in known)
        places = np.array([place for place, _ in found], np.int32)
        times = np.array([count for _, count in found], np.float32)
        return places, weigh(places, times, self.idf, self.reading.weight)

    def logits(self, counts: Counts) -> NDArray[np.float64]:
        places, values = self.row(counts)
        return values.astype(np.float64) @ self.coefficients[places].astype(np.float64)


@dataclass(frozen=True, eq=False)
class VectorPart:
    """`mean` is that of the resumes it learned from, so that the average resume gets nothing from this part."""

    reading: VectorReading
    mean: Array
    coefficients: Array

    def logits(self, vector: Array) -> NDArray[np.float64]:
        centred = self.reading.weight * (vector.astype(np.float64) - self.mean)
        return np.asarray(centred @ self.coefficients.astype(np.float64))
