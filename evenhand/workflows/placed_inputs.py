"""What models are given of a resume, with the place of every character in the document."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.explain.places import Place, PlacedResume, PlacedText, Segment
from evenhand.records.document import Document
from evenhand.records.profile import Fact, Profile
from evenhand.workflows.model_inputs import input_of_text, section_places, title_facts


def placed_resume(document: Document, profile: Profile, *, with_person: bool = False) -> PlacedResume:
    return placed_text(document.text, profile, with_person=with_person)


def placed_text(text: str, profile: Profile, *, with_person: bool = False) -> PlacedResume:
    """Its `resume` is that of `input_of_text`."""
    resume = input_of_text(text, profile, with_person=with_person)
    places = section_places(text, profile)
    sections = tuple(PlacedText(each.text, _segments(text, places[each.kind])) for each in resume.sections)
    titles = tuple(_title(text, fact) for fact in title_facts(profile))
    return PlacedResume(resume, sections, titles, len(text))


def _segments(text: str, places: Sequence[Place]) -> tuple[Segment, ...]:
    """The stretches of a section, joined by one break as `input_of_text` joins them."""
    found: list[Segment] = []
    at = 0
    for start, end in places:
        stretch = text[start:end]
        length = len(stretch.strip("\n"))
        found.append(Segment(at, at + length, start + len(stretch) - len(stretch.lstrip("\n"))))
        at += length + 1
    return tuple(segment for segment in found if segment.end > segment.start)


def _title(text: str, fact: Fact) -> PlacedText:
    """A title that somebody corrected stands nowhere in the text."""
    start, end = fact.evidence.start, fact.evidence.end
    if text[start:end] != fact.surface:
        return PlacedText(fact.surface)
    return PlacedText(fact.surface, (Segment(0, end - start, start),))
