"""A resume's sections as an encoder sees them, for rankers that compare meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.records.profile import Profile, Section
from evenhand.search.digest import Vectors

PERSONAL = "personal"


class SectionEncoder(Protocol):
    """The sentence encoder, as far as it is needed here."""

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]: ...

    def windows(self, text: str, /) -> list[tuple[int, int]]: ...


def section_vectors(text: str, profile: Profile, encoder: SectionEncoder) -> Vectors:
    """One vector for each stretch of a section that the encoder can read at once; who somebody is stays out."""
    stretches = [
        (section.type, part)
        for section in _telling(text, profile)
        for part in _parts(text[section.start : section.end], encoder)
    ]
    values = encoder.encode([part for _, part in stretches])
    return Vectors(tuple(kind for kind, _ in stretches), values.astype(np.float16))


def _telling(text: str, profile: Profile) -> Sequence[Section]:
    """All but the personal ones; the whole text where no section was found."""
    if not profile.sections:
        return [Section("other", None, 0, len(text))]
    return [section for section in profile.sections if section.type != PERSONAL]


def _parts(text: str, encoder: SectionEncoder) -> Iterator[str]:
    for start, end in encoder.windows(text):
        if text[start:end].strip():
            yield text[start:end]
