"""A placed resume with some of its words blanked."""

from __future__ import annotations

from evenhand.explain.places import AlignedSegment, PlacedResume, PlacedText
from evenhand.models.inputs import ResumeInput, SectionText

# "Nurse" stands at 5 in a section and is a title too; "Riga" stands at 12.
DOCUMENT = "Work\nNurse\n\nRiga"
WORK = PlacedText("Work\nNurse", (AlignedSegment(0, 10, 0),))
SCHOOL = PlacedText("Riga", (AlignedSegment(0, 4, 12),))
TITLE = PlacedText("Nurse", (AlignedSegment(0, 5, 5),))
RESUME = ResumeInput(
    (SectionText("Education", "Riga"), SectionText("Work Experience", "Work\nNurse")), ("Nurse",), {"years": 2.0}
)
PLACED = PlacedResume(RESUME, (SCHOOL, WORK), (TITLE,), len(DOCUMENT))


def test_a_word_is_blanked_wherever_it_is_read() -> None:
    left = PLACED.without([(7, 9)])
    assert left.resume == ResumeInput(
        (SectionText("Education", "Riga"), SectionText("Work Experience", "Work\nNu  e")), ("Nu  e",), {"years": 2.0}
    )
    assert [each.place(0, 4) for each in left.sections] == [(12, 16), (0, 4)]


def test_what_is_wholly_blank_is_absent() -> None:
    left = PLACED.without([(5, 16)])
    assert left.resume.sections == (SectionText("Work Experience", "Work\n     "),)
    assert left.resume.titles == ()
    assert len(left.sections) == 1


def test_what_is_read() -> None:
    read = "".join(character if PLACED.is_read[at] else "." for at, character in enumerate(DOCUMENT))
    assert read == "Work.Nurse..Riga"


def test_a_title_that_stands_nowhere_stays_even_without_a_document() -> None:
    placed = PlacedResume(ResumeInput((), ("Nurse",)), (), (PlacedText("Nurse"),), 0)
    assert placed.without([(0, 5)]).resume.titles == ("Nurse",)
    assert not placed.is_read.any()
