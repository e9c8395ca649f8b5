"""Where every character of what a model reads stands in the document, and the same resume with some of it blanked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evenhand.models.inputs import ResumeInput, SectionText, input_of_text, section_places, title_facts
from evenhand.records.profile import Fact, Profile

Place = tuple[int, int]
"""Half-open code point offsets into the text of the document."""

NOWHERE = -1
Offsets = NDArray[np.int32]


def place_of(offsets: Offsets) -> Place | None:
    """From the first that stands somewhere to the last."""
    known = offsets[offsets != NOWHERE]
    return (int(known[0]), int(known[-1]) + 1) if len(known) else None


@dataclass(frozen=True, slots=True)
class AlignedSegment:
    """The text from `start` to `end` is the document's from `place` on, character by character.

    Characters of a person's name or address are the exception: they are blanks in the text.
    """

    start: int
    end: int
    place: int


@dataclass(frozen=True)
class PlacedText:
    """A section or a title. What no segment covers (the break between two stretches of a section) is nowhere."""

    text: str
    segments: tuple[AlignedSegment, ...] = ()

    @cached_property
    def offsets(self) -> Offsets:
        """The document offset of each character of the text, NOWHERE for those that have none."""
        offsets = np.full(len(self.text), NOWHERE, np.int32)
        for segment in self.segments:
            offsets[segment.start : segment.end] = np.arange(segment.place, segment.place + segment.end - segment.start)
        return offsets

    def place(self, start: int, end: int) -> Place | None:
        """Where the text from `start` to `end` stands: from its first character that stands somewhere to its last."""
        return place_of(self.offsets[start:end])

    def blanked(self, is_gone: NDArray[np.bool_]) -> PlacedText:
        """`is_gone` has an element for each character of the document. Breaks of lines stay."""
        known = np.flatnonzero(self.offsets != NOWHERE)
        gone = known[is_gone[self.offsets[known]]]
        if not len(gone):
            return self
        characters = list(self.text)
        for at in gone.tolist():
            if characters[at] != "\n":
                characters[at] = " "
        return PlacedText("".join(characters), self.segments)


@dataclass(frozen=True, eq=False)
class PlacedResume:
    """`sections` and `titles` are those of `resume`, in the same order; `length` is that of the document's text.

    A title stands in a section too, so the same place of the document may be read twice.
    """

    resume: ResumeInput
    sections: tuple[PlacedText, ...]
    titles: tuple[PlacedText, ...]
    length: int

    @property
    def texts(self) -> Iterator[PlacedText]:
        yield from self.sections
        yield from self.titles

    @cached_property
    def is_read(self) -> NDArray[np.bool_]:
        """For each character of the document, whether the model reads it; blanks count as not read."""
        is_read = np.zeros(self.length, np.bool_)
        for text in self.texts:
            visible = [at for at, character in enumerate(text.text) if not character.isspace()]
            offsets = text.offsets[visible]
            is_read[offsets[offsets != NOWHERE]] = True
        return is_read

    def without(self, places: Iterable[Place]) -> PlacedResume:
        """The resume with these places blank, in sections and titles alike. What was mined from it stays as it was."""
        is_gone = np.zeros(self.length, np.bool_)
        for start, end in places:
            is_gone[start:end] = True
        return self.without_characters(is_gone)

    def without_characters(self, is_gone: NDArray[np.bool_]) -> PlacedResume:
        sections = [section.blanked(is_gone) for section in self.sections]
        titles = [title.blanked(is_gone) for title in self.titles]
        # A resume of whose section or title nothing is left lacks it.
        left = [at for at, section in enumerate(sections) if section.text.strip()]
        titles = [title for title in titles if title.text.strip()]
        resume = replace(
            self.resume,
            sections=tuple(SectionText(self.resume.sections[at].kind, sections[at].text) for at in left),
            titles=tuple(title.text for title in titles),
        )
        return PlacedResume(resume, tuple(sections[at] for at in left), tuple(titles), self.length)


# What models are given of a resume, with the place of every character in the document.


def placed_text(text: str, profile: Profile, *, with_person: bool = False) -> PlacedResume:
    """Its `resume` is that of `input_of_text`."""
    resume = input_of_text(text, profile, with_person=with_person)
    places = section_places(text, profile)
    sections = tuple(PlacedText(section.text, _segments(text, places[section.kind])) for section in resume.sections)
    titles = tuple(_title(text, fact) for fact in title_facts(profile))
    return PlacedResume(resume, sections, titles, len(text))


def _segments(text: str, places: Sequence[Place]) -> tuple[AlignedSegment, ...]:
    """The stretches of a section, joined by one break as `input_of_text` joins them."""
    segments: list[AlignedSegment] = []
    at = 0
    for start, end in places:
        stretch = text[start:end]
        length = len(stretch.strip("\n"))
        segments.append(AlignedSegment(at, at + length, start + len(stretch) - len(stretch.lstrip("\n"))))
        at += length + 1
    return tuple(segment for segment in segments if segment.end > segment.start)


def _title(text: str, fact: Fact) -> PlacedText:
    """A title that somebody corrected stands nowhere in the text."""
    start, end = fact.evidence.start, fact.evidence.end
    if text[start:end] != fact.surface:
        return PlacedText(fact.surface)
    return PlacedText(fact.surface, (AlignedSegment(0, end - start, start),))
