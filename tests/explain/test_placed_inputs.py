"""Where what models read stands in the document: the same input as everywhere else, every character in its place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.documents.reading import read
from evenhand.explain.places import NOWHERE, placed_text
from evenhand.mining.miner import load_miner
from evenhand.models.inputs import input_of_text
from evenhand.records.profile import SECTION_TYPES, Evidence, Fact, Period, Position, Profile, Section, Source
from evenhand_lab.corpora.generate import CorpusRequest, make

NOBODY = Profile(Source(None, "0" * 64, "txt", 1, "parsed", (), None), "2026-10")
SURE = Evidence(0, 1, 1, "rule", 1.0)


def mark(start: int, end: int, surface: str) -> Fact:
    return Fact(surface, surface, replace(SURE, start=start, end=end))


@given(
    st.text(alphabet="ab \n", max_size=60),
    st.lists(st.tuples(st.integers(0, 59), st.sampled_from(SECTION_TYPES)), max_size=6),
    st.tuples(st.integers(0, 60), st.integers(0, 9)),
)
def test_the_same_input_with_every_character_in_its_place(
    text: str, starts: list[tuple[int, str]], named: tuple[int, int]
) -> None:
    places = sorted({start: type for start, type in starts if start < len(text)}.items())
    start, end = min(named[0], len(text)), min(sum(named), len(text))
    name = mark(start, end, text[start:end])
    profile = replace(
        NOBODY,
        name=name,
        sections=tuple(Section(type, None, start, start) for start, type in places),
        positions=(Position(None, name, None, Period(None, None, None, None), (), SURE),),
    )
    placed = placed_text(text, profile)
    assert placed.resume == input_of_text(text, profile)
    assert [each.text for each in placed.sections] == [each.text for each in placed.resume.sections]
    assert tuple(each.text for each in placed.titles) == placed.resume.titles
    for each in placed.texts:
        for character, offset in zip(each.text, each.offsets.tolist(), strict=True):
            if not character.isspace():
                assert text[offset] == character


def test_a_section_in_two_stretches_is_joined_and_each_keeps_its_place() -> None:
    text = "\nWork\nNurse\n\nSchool\nRiga\n\nWork\nCook\n"
    second = text.rindex("Work")
    profile = replace(
        NOBODY,
        sections=(
            Section("experience", "Work", 0, 1),
            Section("education", "School", text.index("School"), 1),
            Section("experience", "Work", second, second),
        ),
    )
    work = placed_text(text, profile).sections[1]
    assert work.text == "Work\nNurse\nWork\nCook"
    assert work.offsets[10] == NOWHERE
    assert work.place(5, 10) == (6, 11)
    assert work.place(11, 15) == (second, second + 4)


def test_a_title_that_was_corrected_stands_nowhere() -> None:
    job = Position(None, mark(0, 5, "Nurse"), None, Period(None, None, None, None), (), SURE)
    (title,) = placed_text("Cook since May", replace(NOBODY, positions=(job,))).titles
    assert title.text == "Nurse"
    assert title.place(0, 5) is None


@pytest.mark.parametrize("kind", ["crc", "it"])
def test_generated_resumes(kind: str) -> None:
    miner = load_miner()
    for number in range(4):
        made = make(CorpusRequest(4, kind, ("txt", "html")), number)
        document = read(made.files[0].data)
        profile = miner.mine(document, made.truth.as_of)
        placed = placed_text(document.text, profile)
        assert placed.resume == input_of_text(document.text, profile)
        assert placed.titles
        assert all(NOWHERE not in title.offsets for title in placed.titles)
