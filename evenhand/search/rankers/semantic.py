"""Likeness of meaning: each thing the job says against the section of the resume that is closest to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.records.profile import Profile, Section
from evenhand.search.features import ResumeFeatures, Vectors
from evenhand.search.rankers.base import Contributions, Query, Ranker
from evenhand.search.statistics import Statistics

_PASSAGE_CHARACTERS = 700  # an encoder reads a limited number of words and ignores the rest
_DECIMALS = 6  # matrix products differ in their last bits with the number of resumes; a score must not


class SemanticEncoder(Protocol):
    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """One row of length 1 per text."""


class SectionEncoder(SemanticEncoder, Protocol):
    """The sentence encoder, as far as it is needed here."""

    def windows(self, text: str, /) -> list[tuple[int, int]]: ...


@dataclass(frozen=True)
class Semantic(Ranker):
    """sum over what the job says of weight * cosine with the closest section; weights sum to 1."""

    name: ClassVar[str] = "semantic"
    encoder: SemanticEncoder
    title_weight: float = 1.0
    skills_weight: float = 1.0
    text_weight: float = 2.0

    def base(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> Contributions:
        labels, texts, weights = self._sayings(query)
        kinds = tuple(sorted({kind for resume in pool for kind in resume.kinds}))
        names = tuple(f"section: {kind}" for kind in kinds)
        values = np.zeros((len(pool), len(kinds)))
        if not texts or not kinds:
            return Contributions(names, values, lambda *_: None)
        cosines = _cosines(pool, self.encoder.encode(texts))
        closest, likeness = cosines.argmax(axis=1), cosines.max(axis=1)  # resumes x sayings
        reasons: dict[tuple[int, int], list[str]] = {}
        for row, resume in enumerate(pool):
            for at in range(len(texts)) if resume.kinds else ():
                column = kinds.index(resume.kinds[closest[row, at]])
                values[row, column] += weights[at] * likeness[row, at]
                reasons.setdefault((row, column), []).append(f"{labels[at]} {likeness[row, at]:.2f}")
        return Contributions(names, values, lambda *at: "closest to the job's " + ", ".join(reasons[at]))

    def reference(self, query: Query, statistics: Statistics) -> float:
        return 1.0

    def _sayings(self, query: Query) -> tuple[list[str], list[str], list[float]]:
        """Labels, texts and weights of what the job says."""
        skills = ", ".join(" or ".join(demand.skills) for demand in query.job.demands)
        passages: list[str] = []  # whole lines put together up to what an encoder reads
        for line in filter(None, map(str.strip, query.text.splitlines())):
            if passages and len(passages[-1]) + len(line) < _PASSAGE_CHARACTERS:
                passages[-1] += "\n" + line
            else:
                passages.append(line)
        sayings = [("title", query.job.title or "", self.title_weight), ("skills", skills, self.skills_weight)]
        sayings += [("text", passage, self.text_weight / len(passages)) for passage in passages]
        sayings = [saying for saying in sayings if saying[1].strip()]
        total = sum(weight for _, _, weight in sayings)
        return (
            [label for label, _, _ in sayings],
            [text for _, text, _ in sayings],
            [weight / total for _, _, weight in sayings],
        )


def _cosines(pool: Sequence[ResumeFeatures], sayings: NDArray[np.float32]) -> NDArray[np.float64]:
    """Resumes x sections x sayings; -1 where a resume has fewer sections than another."""
    sections = [0 if resume.vectors is None else len(resume.vectors) for resume in pool]
    padded = np.full((len(pool), max(sections), len(sayings)), -1.0)
    vectors = np.concatenate([resume.vectors for resume in pool if resume.vectors is not None])
    rows = np.repeat(np.arange(len(pool)), sections)
    places = np.concatenate([np.arange(number) for number in sections])
    products = vectors.astype(np.float32) @ sayings.T
    padded[rows, places] = np.round(products.astype(np.float64), _DECIMALS)
    return padded


# A resume's sections as an encoder sees them, for rankers that compare meaning.

PERSONAL = "personal"


def section_vectors(text: str, profile: Profile, encoder: SectionEncoder) -> Vectors:
    """One vector for each stretch of a section that the encoder can read at once; who somebody is stays out."""
    # All sections but the personal ones; the whole text where none was found.
    sections = [section for section in profile.sections if section.type != PERSONAL]
    if not profile.sections:
        sections = [Section("other", None, 0, len(text))]
    stretches = []
    for section in sections:
        inside = text[section.start : section.end]
        parts = (inside[start:end] for start, end in encoder.windows(inside))
        stretches += [(section.type, part) for part in parts if part.strip()]
    values = encoder.encode([part for _, part in stretches])
    return Vectors(tuple(kind for kind, _ in stretches), values.astype(np.float16))
