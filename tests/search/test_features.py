"""A digest holds what ranking needs, comes back from bytes as it was, and knows nobody's name."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import evenhand
from evenhand.records.profile import Education, Fact, Position, Profile
from evenhand.search.analysis import term_id, terms
from evenhand.search.feature_extraction import count_terms, extract_features
from evenhand.search.features import (
    ELSEWHERE,
    IN_PROJECT,
    IN_SKILLS,
    NOT_IN_USE,
    UNDATED_USE,
    HeldPosition,
    ResumeFeatures,
    Vectors,
    month_number,
)
from tests.search.rankers.resumes import AS_OF, SOURCE, digest, fact, place, position, profile

SAMPLES = Path(evenhand.__file__).parent / "samples"
VECTORS = Vectors(("skills", "experience"), np.array([[1, 0, 0], [0, 0.6, 0.8]], np.float16))


def test_terms_are_counted() -> None:
    made = digest("Java, java and SQL")
    counted = dict(zip(made.terms.tolist(), made.counts.tolist(), strict=True))
    assert counted == {term_id("java"): 2, term_id("sql"): 1}
    assert made.length == 3
    assert made.terms.tolist() == sorted(made.terms.tolist())


def test_more_occurrences_than_a_count_holds() -> None:
    made = digest("java " * 70_000)
    assert made.counts.tolist() == [65_535]
    assert made.length == 70_000


def test_name_and_contact_leave_no_term() -> None:
    text = "Java Baker\njava@oracle.example\nSales for Oracle"
    known = Profile(SOURCE, AS_OF, name=fact(text, "Java Baker"), emails=(fact(text, "java@oracle.example"),))
    expected, _ = count_terms(terms("Sales for Oracle"))
    assert extract_features(text, known).terms.tolist() == expected.tolist()


@pytest.mark.parametrize(("month", "expected"), [("2024-06", 24293), ("2024-01", 24288), ("2024", 24299)])
def test_month_number(month: str, expected: int) -> None:
    assert month_number(month) == expected


@pytest.mark.parametrize(
    ("made_from", "places", "last_used"),
    [
        (profile(), ELSEWHERE, 0),
        (profile(section="skills"), IN_SKILLS, 0),
        (profile(in_project=True, project_end="2020-03"), IN_PROJECT, 2020 * 12 + 2),
        (profile(in_project=True, dated=False), IN_PROJECT, 0),
    ],
)
def test_where_a_skill_is_mentioned(made_from: Profile, places: int, last_used: int) -> None:
    (row,) = extract_features("", made_from).skills
    assert (row["id"], row["places"], row["last_used"], row["mentions"]) == (term_id("java"), places, last_used, 1)


def test_positions_end_with_the_month_of_reading() -> None:
    known = Profile(SOURCE, AS_OF, positions=(position("Clerk", "2023-01", "present", 18),))
    assert extract_features("", known).facts.positions == (HeldPosition("Clerk", None, 24276, 24293, 18),)


def test_unknown_stays_unknown() -> None:
    made = ResumeFeatures.from_bytes(digest("java").to_bytes())
    assert (made.total_months, made.relevant_months, made.degree, made.vectors) == (None, None, None, None)
    made = extract_features("", dataclasses.replace(profile(), total_months=0, highest_degree="other"))
    back = ResumeFeatures.from_bytes(made.to_bytes())
    assert (back.total_months, back.relevant_months, back.degree) == (0, None, "other")
    assert back.skills["months"].tolist() == [-1]


@pytest.mark.parametrize("name", ["data-engineer.pdf", "ksiegowa.txt", "research-coordinator.odt"])
@pytest.mark.parametrize("vectors", [None, VECTORS])
def test_bytes_come_back_as_the_same_digest(name: str, vectors: Vectors | None) -> None:
    document = evenhand.read(SAMPLES / name)
    mined = evenhand.mine(document, as_of=AS_OF)
    made = extract_features(document.text, mined, vectors=vectors)
    back = ResumeFeatures.from_bytes(made.to_bytes())
    assert back.to_bytes() == made.to_bytes()
    assert back.facts == made.facts
    assert back.facts.skills == tuple(sorted((s.name for s in mined.skills), key=lambda n: (term_id(n), n)))
    assert back.total_months == mined.total_months
    assert back.degree == mined.highest_degree
    assert back.as_of == 24293
    np.testing.assert_array_equal(back.terms, made.terms)
    np.testing.assert_array_equal(back.skills, made.skills)
    assert back.kinds == (vectors.kinds if vectors else ())
    if vectors:
        np.testing.assert_array_equal(back.vectors, vectors.values)


def test_a_digest_of_a_sample_holds_no_name_and_no_address() -> None:
    document = evenhand.read(SAMPLES / "data-engineer.pdf")
    mined = evenhand.mine(document, as_of=AS_OF)
    assert mined.name
    assert mined.emails
    words = extract_features(document.text, mined).packed_facts.decode()
    for known in (mined.name, *mined.emails, *mined.phones):
        assert known.value not in words


def test_other_bytes_are_refused() -> None:
    data = digest("java").to_bytes()
    with pytest.raises(ValueError, match="version 1, not 3"):
        ResumeFeatures.from_bytes(data[:4] + b"\x01\x00" + data[6:])
    with pytest.raises(ValueError, match="not a digest"):
        ResumeFeatures.from_bytes(b"XXXX" + data[4:])
    with pytest.raises(ValueError, match="not a digest"):
        ResumeFeatures.from_bytes(b"")
    with pytest.raises(ValueError, match="cut short"):
        ResumeFeatures.from_bytes(data[:-1])


def test_terms_know_when_a_job_last_needed_them() -> None:
    text = "Python\nClerk: Excel\nAnalyst: SQL, Excel\nHelper: forms\n"
    jobs = [("Clerk", "2010-01", "2012-06"), ("Analyst", "2015-02", "present"), ("Helper", None, None)]
    known = Profile(SOURCE, AS_OF, positions=tuple(held_at(text, *job) for job in jobs))
    made = extract_features(text, known)
    uses = dict(zip(made.terms.tolist(), made.uses.tolist(), strict=True))
    expected = {"python": NOT_IN_USE, "clerk": 12, "excel": 0, "analyst": 0, "sql": 0, "form": UNDATED_USE}
    assert {word: uses[term_id(word)] for word in expected} == expected


def test_titles_and_fields_as_numbers() -> None:
    known = Profile(
        SOURCE,
        AS_OF,
        positions=(position("Sales Clerk", "2020-01", "2021-02", 14), position("", None, None, None)),
        education=(study("History of Art"), study("History")),
    )
    made = ResumeFeatures.from_bytes(extract_features("", known).to_bytes())
    assert made.roles[["end", "months"]].tolist() == [(2021 * 12 + 1, 14), (0, -1)]
    assert made.title_terms.tolist() == [(0, term_id("sale")), (0, term_id("clerk"))]
    assert made.field_terms.tolist() == [(0, term_id("histori")), (0, term_id("art")), (1, term_id("histori"))]


def held_at(text: str, title: str, start: str | None, end: str | None) -> Position:
    """The line of the text that opens with the title."""
    first = text.index(title)
    whole = place(first, text.index("\n", first))
    return dataclasses.replace(position(title, start, end, None), evidence=whole)


def study(field: str) -> Education:
    return Education(None, None, None, Fact(field, field, place(0, 1)), None, None, place(0, 1))
