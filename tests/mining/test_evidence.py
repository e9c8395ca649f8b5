"""Properties of every Profile: values stand where they are said to, mining never fails, the same bytes come twice."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evenhand.documents.reading import read
from evenhand.mining.miner import Miner, load_miner
from evenhand.records import Document, Line, canonical_json
from evenhand.records.profile import Profile
from evenhand_lab.corpora.generate import CorpusRequest, make
from tests.mining.evidence import violations
from tests.mining.pages import page

AS_OF = "2024-01"
FORMATS = ("pdf", "docx", "odt", "rtf", "html", "txt")
GENERATED = [
    pytest.param(kind, format, number, id=f"{kind}-{format}")
    for number, (kind, format) in enumerate((kind, format) for kind in ("it", "crc", "mixed") for format in FORMATS)
]
SHORT_RUN = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
# What resumes are made of, so that random texts come near to being some.
PIECES = st.sampled_from(
    [
        "Experience", "EDUCATION", "Skills:", "Projects", "Nora Whitfield", "nora@example.com", "+44 20 7946 0958",
        "Software Engineer", "Fennick Tools Ltd", "University of Leeds", "Bachelor of Science", "B.E.", "M.A.",
        "Jan 2014 - Dec 2015", "2010-2012", "06/2011 to present", "2016 - 2014", "since 2031", "6 months", "Java",
        "C", "R", "Go", "Python, SQL, Oracle 11g", "Client: Northwind Bank", "Project: Order Portal", "•", "|", "-",
        "\t", " ", "  ", ",", "(", ")", "Leeds, UK", "\u00a0", "\u200b", "İstanbul", "ﬁnance", "ß", "CGPA 8.1",
    ]
)  # fmt: skip
LOOKS = st.fixed_dictionaries(
    {
        "size": st.sampled_from([None, 0.0, 8.0, 10.0, 24.0]),
        "bold": st.booleans(),
        "list": st.sampled_from([None, "•", "1."]),
        "table": st.sampled_from([None, (0, 0, 0), (0, 0, 1), (0, 1, 0), (3, 2, 1)]),
        "furniture": st.sampled_from([None, "header", "footer"]),
        "page": st.integers(1, 3),
        "box": st.sampled_from([None, (50.0, 10.0, 500.0, 20.0), (0.0, 0.0, 0.0, 0.0)]),
    }
)
CHARACTERS = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
NEAR_RESUMES = st.lists(st.lists(PIECES, max_size=8).map(" ".join), max_size=30).map("\n".join)
HOSTILE = {
    "empty": "",
    "blank": " \n\t\n \n",
    "one letter": "x",
    "digits": "0123456789 " * 300,
    "dates": "2010-2012 " * 300,
    "tabs": "\t".join(["Java", "2010", "Leeds"] * 200),
    "one long line": "Software Engineer Fennick Tools Ltd Java Oracle 2010 - 2012 " * 200,
    "one long word": "a" * 20_000,
    "marks": "•" * 2000 + "\n" + "- " * 2000 + "\n" + "|" * 2000,
    "brackets": "(" * 2000 + ")" * 2000,
    "colons": "Skills: " * 500,
    "no break spaces": "Java\u00a0Oracle\u00a02010\u2013\u00a02012\n" * 50,
    "combining": "e\u0301" * 500 + "\n" + "\u0301" * 100,
    "right to left": "مهندس برمجيات\n2010 - 2012\nשלום Java עולם\n" * 20,
    "wide": "软件工程师 2010年1月 - 2012年3月 Java Oracle\n" * 20,
    "beyond the basic plane": "𝓙𝓪𝓿𝓪 😀 Java 😀 2010 - 2012\n" * 20,
    "lower case grows": "İİİ Java İstanbul 2010 - 2012 Oracle\n" * 20,
    "line separators": "Java\u2028Oracle\u2029Experience\x0b2010 - 2012\x0cEnd\x85Last",
    "headings only": "Experience\nEducation\nSkills\nProjects\n" * 20,
    "addresses": "a@b.co " * 500,
    "nulls": "Java\x00Oracle\x00\nExperience\x00 2010 - 2012",
}
TWICE = """
import sys
from evenhand.mining.miner import load_miner
from evenhand.records import canonical_json
from tests.mining.test_evidence import RESUME
print(canonical_json(load_miner().mine(RESUME, "2024-01").to_json()))
"""
RESUME = page(
    ("Nora Whitfield", {"bold": True, "size": 16.0}),
    "nora.whitfield@example.com | +44 20 7946 0958 | Leeds, UK | github.com/norawhitfield",
    "",
    ("Skills", {"bold": True}),
    "Java, JSP, Oracle, Python, SQL, Git, Docker, Linux, English, French, C, R, Go, Project Management",
    "",
    ("Experience", {"bold": True}),
    "Software Engineer, Fennick Tools Ltd, Leeds",
    "January 2014 - December 2015",
    "• Built reports in Java, JSP and Oracle on Linux.",
    "Project: Order Portal",
    "Client: Northwind Bank",
    "Duration: Mar 2014 - May 2014",
    "Environment: Python, Docker, SQL",
    "Data Analyst, Brackley Foods Ltd",
    "2010 - 2012",
    "• Wrote SQL and Python for the monthly accounts.",
    "",
    ("Education", {"bold": True}),
    "Bachelor of Science in Physics, University of Leeds, 2009",
)


@cache
def miner() -> Miner:
    return load_miner()


def checked(document: Document) -> Profile:
    """Mined, found without a fault, and mined again to the same bytes."""
    profile = miner().mine(document, AS_OF)
    assert violations(document, profile) == []
    again = miner().mine(document, AS_OF)
    assert canonical_json(again.to_json()) == canonical_json(profile.to_json())
    return profile


def document_of(text: str, looks: list[dict[str, object]] | None = None) -> Document:
    """A document with a line for each line of the text; it looks as the list says, which is used over and over."""
    lines, start = [], 0
    usual: dict[str, object] = {
        "page": 1, "box": None, "font": None, "size": None, "bold": False, "italic": False, "color": None,
        "list": None, "table": None,
    }  # fmt: skip
    for number, row in enumerate(text.split("\n")):
        look = looks[number % len(looks)] if looks else {}
        if row:
            lines.append(Line(start=start, end=start + len(row), **(usual | look)))  # type: ignore[arg-type]
        start += len(row) + 1
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Document(None, sha256, "txt", 3, "parsed", text, (), tuple(lines), (), (), None)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "format", "number"), GENERATED)
def test_generated_resumes(kind: str, format: str, number: int) -> None:
    for each in (number, number + 100):
        (file,) = make(CorpusRequest(5, kind, (format,)), each).files
        profile = checked(read(file.data))
        assert profile.positions
        assert profile.skills


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_texts(text: str) -> None:
    checked(document_of(text))


@SHORT_RUN
@given(CHARACTERS)
def test_any_characters(text: str) -> None:
    checked(document_of(text))


@SHORT_RUN
@given(NEAR_RESUMES, st.lists(LOOKS, max_size=6))
def test_texts_that_come_near_to_resumes(text: str, looks: list[dict[str, object]]) -> None:
    checked(document_of(text, looks))


def test_a_document_without_lines_has_no_facts() -> None:
    document = document_of("")
    profile = checked(document)
    assert (profile.name, profile.positions, profile.skills, profile.sections) == (None, (), (), ())


def test_the_skills_with_most_months_come_first_then_those_named_first() -> None:
    found = checked(RESUME).skills
    order = [(-(skill.months or -1), skill.evidence[0].start) for skill in found]
    assert order == sorted(order)
    assert len(found) > 10


@pytest.mark.slow
def test_the_same_bytes_in_processes_that_hash_differently() -> None:
    root = str(Path(__file__).resolve().parents[2])
    results = {
        subprocess.run(
            [sys.executable, "-c", TWICE],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": root},
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert results == {canonical_json(miner().mine(RESUME, AS_OF).to_json()) + "\n"}
