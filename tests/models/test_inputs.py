"""What models are given of a resume: six sections that hold every character once, titles, and nobody's name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.documents.reading import open_pool, read
from evenhand.mining.clinical_research import FEATURES
from evenhand.mining.miner import Miner, load_miner
from evenhand.models.inputs import KINDS, input_of_text, resume_input, section_kinds, section_places, titles_of
from evenhand.records.profile import SECTION_TYPES, Evidence, Fact, Period, Position, Profile, Section, Source
from evenhand.settings import Settings
from evenhand_lab.corpora.generate import CorpusRequest, make
from evenhand_lab.training.competence import FORMATS, Sectioning, measure_sectioning, presence, total_of

NOBODY = Profile(Source(None, "0" * 64, "txt", 1, "parsed", (), None), "2026-10")
TEXT = "Ada Brent\nada@example.com\nSummary\nCareful.\nWork\nNurse\nInterests\nChess\n"


def mark(text: str, value: str) -> Fact:
    start = text.index(value)
    return Fact(value, value, Evidence(start, start + len(value), 1, "rule", 1.0))


def section(type: str, heading: str | None, text: str, until: str | None = None) -> Section:
    """From its heading, or the start of the text, to the line before `until`."""
    start = text.index(heading) if heading else 0
    end = text.index(until) - 1 if until else len(text)
    return Section(type, heading, start, end)


PERSON = replace(
    NOBODY,
    name=mark(TEXT, "Ada Brent"),
    emails=(mark(TEXT, "ada@example.com"),),
    sections=(
        section("personal", None, TEXT, "Summary"),
        section("profile", "Summary", TEXT, "Work"),
        section("experience", "Work", TEXT, "Interests"),
        section("other", "Interests", TEXT),
    ),
)


def test_sections_have_the_six_kinds_and_missing_ones_are_absent() -> None:
    made = input_of_text(TEXT, PERSON)
    assert [part.kind for part in made.sections] == ["Profile", "Work Experience", "Others"]
    assert [part.text.strip() for part in made.sections] == ["Summary\nCareful.", "Work\nNurse", "Interests\nChess"]


def test_who_somebody_is_stays_out_unless_asked_for() -> None:
    made, whole = input_of_text(TEXT, PERSON), input_of_text(TEXT, PERSON, with_person=True)
    assert "Ada" not in made.text
    assert "example" not in made.text
    assert whole.sections[0].text == "Ada Brent\nada@example.com\nSummary\nCareful."
    assert [len(part.text) for part in made.sections] == [len(part.text) for part in whole.sections]


def test_a_resume_without_sections_is_one_of_others_and_an_empty_one_has_none() -> None:
    assert [part.kind for part in input_of_text("plain words", NOBODY).sections] == ["Others"]
    assert input_of_text("", NOBODY).sections == ()
    assert input_of_text(" \n", NOBODY).sections == ()


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 59), st.sampled_from(SECTION_TYPES)), max_size=6))
def test_every_character_is_in_exactly_one_section(text: str, starts: list[tuple[int, str]]) -> None:
    places = sorted({start: type for start, type in starts if start < len(text)}.items())
    sections = tuple(Section(type, None, start, start) for start, type in places)
    found = section_places(text, replace(NOBODY, sections=sections))
    covered = sorted(place for kind in found.values() for start, end in kind for place in range(start, end))
    assert covered == list(range(len(text)))
    assert set(found) <= set(KINDS)


def headed(*rows: tuple[str, str | None]) -> list[str]:
    """Kinds of sections, each with a line below its heading unless the heading breaks off."""
    sections, start = [], 0
    for type, heading in rows:
        length = len(heading or "") + (0 if heading and heading.endswith(("AND", "&")) else 40)
        sections.append(Section(type, heading, start, start + length))
        start += length + 1
    return list(section_kinds(sections))


def test_the_head_is_profile_and_personal_data_at_the_end_are_others() -> None:
    rows = (("personal", None), ("profile", "Summary"), ("experience", "Work"), ("personal", "Personal"))
    assert headed(*rows) == ["Profile", "Profile", "Work Experience", "Others"]


def test_a_heading_on_two_lines_opens_one_section() -> None:
    rows = (("education", "EDUCATION AND"), ("certifications", "CERTIFICATES"), ("skills", "SKILLS"))
    assert headed(*rows) == ["Education", "Education", "Skills"]
    assert headed(("education", "EDUCATION"), ("certifications", "CERTIFICATES")) == ["Education", "Others"]


def test_certificates_without_a_heading_belong_to_where_they_stand() -> None:
    assert headed(("education", "Education"), ("certifications", None)) == ["Education", "Education"]
    assert headed(("personal", None), ("certifications", None)) == ["Profile", "Others"]


def test_languages_are_others_whatever_their_heading_says() -> None:
    rows = (("education", "School"), ("skills", "Language Skills"), ("skills", "Skills"))
    assert headed(*rows) == ["Education", "Others", "Skills"]


def test_titles_the_current_one_first() -> None:
    dates = [("2019-01", "2020-02"), ("2015", "2020"), ("2018-03", "present"), (None, None)]
    text = "A B C D"
    jobs = tuple(
        Position(None, mark(text, title), None, Period(*when, None, None), (), Evidence(0, 1, 1, "rule", 1.0))
        for title, when in zip("ABCD", dates, strict=True)
    )
    assert titles_of(replace(NOBODY, positions=jobs)) == ["C", "B", "A", "D"]


@pytest.fixture(scope="module")
def miner() -> Miner:
    return load_miner()


def test_generated_resumes_fall_into_their_sections(miner: Miner) -> None:
    """As published: 97 % segmented rightly. Section by section, of resumes that nothing was adjusted on."""
    parts: list[Sectioning] = []
    profiles: list[Profile] = []
    settings = Settings()
    with open_pool(settings, workers=1) as pool:
        for number in range(30):
            made = make(CorpusRequest(20, "crc", FORMATS), number)
            document = read(made.files[0].data, settings=settings, pool=pool)
            profile = miner.mine(document, made.truth.as_of)
            parts.append(measure_sectioning(made.plain, document.text, profile))
            profiles.append(profile)
            given = resume_input(document, profile)
            assert {part.kind for part in given.sections} <= set(KINDS)
            assert tuple(given.features) == FEATURES
    found = total_of(parts)
    assert found.right >= 0.97
    assert found.right_characters / found.characters >= 0.97
    assert presence(profiles)["Work Experience"] >= 0.95


def test_a_section_in_the_wrong_place_is_seen(miner: Miner) -> None:
    made = make(CorpusRequest(20, "crc", ("txt",)), 0)
    document = read(made.files[0].data)
    profile = miner.mine(document, made.truth.as_of)
    right = measure_sectioning(made.plain, document.text, profile)
    wrong = replace(
        profile,
        sections=tuple(replace(part, type="skills") if part.type == "education" else part for part in profile.sections),
    )
    assert right.right_resumes == 1
    changed = measure_sectioning(made.plain, document.text, wrong)
    assert (changed.right_resumes, changed.right_characters < right.right_characters) == (0, True)
