"""A linear model: what each part says, and the sum."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, Self, get_args

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import ModelUnfit
from evenhand.models.inputs import ResumeInput
from evenhand.models.sequences import STOP_WORDS
from evenhand.records.conversion import JsonRecord

# Which texts of a resume a part of the linear model reads.

Source = Literal["body", "current", "past", "titles", "stated"]
SOURCES: tuple[Source, ...] = get_args(Source)
REACH_WORDS, REACH_CHARACTERS = 12, 160  # before a stretch of time

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?:19|20)\d\d"
_PERIOD = re.compile(
    rf"(?:\b{_MONTH}\s+)?\b{_YEAR}\s*(?:to|-|–)\s*(?:present|current|(?:{_MONTH}\s+)?{_YEAR})\b", re.IGNORECASE
)


def texts_of(resume: ResumeInput, source: Source) -> tuple[str, ...]:
    """`body`: all sections. `current`: the title of the current or latest job; `past`: of those before; `titles`: all.

    `stated`: all titles and what stands before each stretch of time, which in a resume without lines, where nothing
    can be mined, is where titles are.
    """
    match source:
        case "body":
            return (resume.text,)
        case "current":
            return resume.titles[:1]
        case "past":
            return resume.titles[1:]
        case "titles":
            return resume.titles
        case "stated":
            return (*resume.titles, *before_periods(resume.text))


def before_periods(text: str) -> tuple[str, ...]:
    """The last words before each "May 2014 to Present", not reaching into the stretch of time before."""
    phrases = (" ".join(text[start:end].split()[-REACH_WORDS:]) for start, end in places_before_periods(text))
    return tuple(filter(None, phrases))


def places_before_periods(text: str) -> list[tuple[int, int]]:
    """Where those words are at most."""
    places = []
    last = 0
    for period in _PERIOD.finditer(text):
        places.append((max(last, period.start() - REACH_CHARACTERS), period.start()))
        last = period.end()
    return places


# Words of a text as the linear model reads them, and its terms: single words and runs of neighbours.

# Begins with a letter, so that years, phones and amounts are no words; "c++", "c#", "r&d", "j2ee", "html5" are.
_WORD = re.compile(r"[^\W\d_]\w*(?:&\w+)*[+#]*")
MIN_WORD_LENGTH = 2


@dataclass(frozen=True, slots=True)
class TextWord:
    """In lower case, with its half-open code point offsets."""

    text: str
    start: int
    end: int


def find_words(text: str, *, stops: bool = True) -> Iterator[TextWord]:
    """Single letters are none; stop words only with `stops`."""
    lower = text.lower()
    places: Sequence[int] = range(len(text) + 1)
    if len(lower) != len(text):  # a few characters become two in lower case
        places = [place for place, character in enumerate(text) for _ in character.lower()]
    for match in _WORD.finditer(lower):
        word = match[0]
        if len(word) >= MIN_WORD_LENGTH and (stops or word not in STOP_WORDS):
            yield TextWord(word, places[match.start()], places[match.end() - 1] + 1)


def list_words(text: str, *, stops: bool = True) -> list[str]:
    """As `find_words`, for those who need no places: several times as fast."""
    found = [word for word in _WORD.findall(text.lower()) if len(word) >= MIN_WORD_LENGTH]
    return found if stops else [word for word in found if word not in STOP_WORDS]


def written_words(text: str) -> list[str]:
    """In the case in which they are written."""
    return [word for word in _WORD.findall(text) if len(word) >= MIN_WORD_LENGTH]


def count_terms(texts: Iterable[str], *, longest: int, stops: bool) -> Counter[str]:
    """Runs of up to `longest` words; none reaches from one text into the next."""
    counts: Counter[str] = Counter()
    for text in texts:
        words = list_words(text, stops=stops)
        counts.update(words)
        for length in range(2, longest + 1):
            counts.update(map(" ".join, zip(*(words[start:] for start in range(length)), strict=False)))
    return counts


# The parts of a linear model: each turns a resume into a row of numbers and weighs them for every label.

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


class _Reading(JsonRecord):
    """What both kinds of readings are made from in the settings of a model."""

    __slots__ = ()
    source: Source

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        reading = cls(**content)
        if reading.source not in SOURCES:
            raise ValueError(f"there is no source {reading.source!r}")
        return reading


@dataclass(frozen=True, slots=True)
class TermReading(_Reading):
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


@dataclass(frozen=True, slots=True)
class VectorReading(_Reading):
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
            [section.text for section in resume.sections] if self.source == "body" else texts_of(resume, self.source)
        )
        return [
            part[start:end]
            for part in parts
            for start, end in encoder.windows(part, WINDOW_TOKENS)
            if part[start:end].strip()
        ]


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


Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearModel:
    labels: tuple[str, ...]
    bias: Array
    terms: tuple[TermPart, ...]
    vectors: tuple[VectorPart, ...] = ()

    def logits(self, resumes: Sequence[ResumeInput], encoder: TextEncoder | None = None) -> Floats:
        """A row per resume; ModelUnfit without an encoder where a part needs one."""
        rows = [self.bias + sum(self.parts(resume, encoder).values()) for resume in resumes]
        return np.array(rows, np.float64).reshape(len(resumes), len(self.labels))

    def parts(self, resume: ResumeInput, encoder: TextEncoder | None = None) -> dict[str, Floats]:
        """By name; with the bias they sum to the logits exactly."""
        counts = self._counts(resume)
        found = {part.reading.name: part.logits(counts[part.reading.counted]) for part in self.terms}
        for part in self.vectors:
            if encoder is None:
                raise ModelUnfit(f"The part {part.reading.name} of this model needs its encoder.")
            found[part.reading.name] = part.logits(part.reading.vector(resume, encoder))
        return found

    def _counts(self, resume: ResumeInput) -> dict[Counted, Counts]:
        """Once for all parts that count the same."""
        readings = {part.reading.counted: part.reading for part in self.terms}
        return {counted: reading.count(resume) for counted, reading in readings.items()}
