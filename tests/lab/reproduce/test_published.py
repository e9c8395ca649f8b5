"""Each published feature on a line or word for which the answer is plain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenhand_lab.reproduce.published_features import (
    OF_LINE,
    OF_WORD,
    SETS,
    FeaturePage,
    conjoined,
    line_places,
    similar_to,
    word_places,
)
from tests.mining.pages import Row, annotated

RESUME: tuple[Row, ...] = (
    ("Ravi Kumar", {"size": 20.0, "bold": True}),
    "ravi.kumar@example.com, +91 98480 22338",
    "",
    ("EDUCATION", {"bold": True, "color": "#0000ff"}),
    ("B.Tech, Indian Institute of Technology, 2010", {"table": (0, 0, 0)}),
    "",
    ("Work Experience", {"italic": True}),
    "Worked on the project for a client, Jan 2011 - Mar 2013",
    ("• a list item", {"list": "•"}),
    "Languages: Java, Python, C",
    "Address: 12 Main Street, Springfield 62704",
    "18 months in a small team",
)
NAME, CONTACT, EDUCATION, DEGREE, EXPERIENCE, WORK, ITEM, SKILLS, ADDRESS, MONTHS = range(10)


@pytest.fixture(scope="module")
def resume() -> FeaturePage:
    annotations = annotated(*RESUME)
    labels = ["personal", "personal", "education", "education", *["project"] * 6]
    return FeaturePage(annotations, labels, {22: lambda word: word in ("Java", "Python")})


@pytest.mark.parametrize(
    ("number", "word", "expected"),
    [
        (1, "Java", ["1"]), (1, "java", []),
        (2, "3com", ["2"]), (2, "c3", []),
        (3, "2010", ["3"]), (3, "10g", []),
        (4, "IBM", ["4"]), (4, "Ibm", []), (4, "J2EE", []),
        (5, "J2EE", ["5"]), (5, "j2ee", []), (5, "JEE", []),
        (6, "Java", ["6=java"]),
        (7, ",", ["7"]), (7, "a,", []),
        (8, "10g", ["8"]), (8, "ten", []),
        (9, "A", ["9"]), (9, "A.", ["9"]), (9, "AB", []), (9, "a", []),
    ],
)  # fmt: skip
def test_features_of_a_word(number: int, word: str, expected: list[str]) -> None:
    assert OF_WORD[number](word) == expected


@pytest.mark.parametrize(
    ("number", "line", "expected"),
    [
        (10, SKILLS, ["10"]), (10, DEGREE, []),
        (11, EDUCATION, ["11"]), (11, CONTACT, []),
        (12, ITEM, ["12"]), (12, CONTACT, []),
        (13, NAME, ["13=b"]), (13, EDUCATION, ["13=bC"]), (13, EXPERIENCE, ["13=i"]), (13, SKILLS, ["13="]),
        (14, SKILLS, []), (14, EXPERIENCE, ["14-1", "14+1"]), (14, NAME, ["14+1"]),
        (15, NAME, ["15=8"]), (15, SKILLS, ["15=4"]),
        (16, EDUCATION, ["16"]), (16, NAME, []),
        (17, DEGREE, ["17"]), (17, NAME, []),
        (20, ITEM, ["20"]), (20, WORK, []),
        (21, WORK, ["21=project"]),
        (27, DEGREE, ["27=2", "27:b.tech", "27:institute"]), (27, NAME, []),
        (28, EDUCATION, ["28=1", "28:education"]), (28, NAME, []),
        (29, ADDRESS, ["29=1", "29:address"]), (29, NAME, []),
        (31, WORK, ["31=3", "31:client", "31:project", "31:worked"]), (31, NAME, []),
        (32, EXPERIENCE, ["32=2", "32:experience", "32:work"]), (32, NAME, []),
        (33, CONTACT, ["33"]), (33, ADDRESS, ["33"]), (33, WORK, []),
        (34, WORK, ["34"]), (34, DEGREE, ["34"]), (34, NAME, []),
        (35, WORK, ["35"]), (35, MONTHS, ["35"]), (35, DEGREE, []),
        (36, CONTACT, ["36"]), (36, NAME, []),
    ],
)  # fmt: skip
def test_features_of_a_line(resume: FeaturePage, number: int, line: int, expected: list[str]) -> None:
    assert OF_LINE[number](resume, line) == expected


def test_header_words_of_personal_data() -> None:
    annotations = annotated("Personal Details")
    page = FeaturePage(annotations, [], {})
    assert OF_LINE[30](page, 0) == ["30=2", "30:details", "30:personal"]


def test_types_of_table_and_column(resume: FeaturePage) -> None:
    assert OF_LINE[18](resume, DEGREE) == []
    annotations = replace(resume.annotations, table_types=["education"] * 10, column_types=["degree"] * 10)
    page = replace(resume, annotations=annotations)
    assert OF_LINE[18](page, DEGREE) == ["18=education"]
    assert OF_LINE[19](page, DEGREE) == ["19=degree"]


def test_a_word_is_similar_to_one_of_a_lexicon() -> None:
    is_skill = similar_to(frozenset({"javascript", "c", "sql"}))
    assert is_skill("JavaScript")
    assert is_skill("javascipt")  # Jaro 0.967, with four letters in common 0.98
    assert not is_skill("java")  # 0.88
    assert is_skill("C")
    assert not is_skill("sq")  # short words must be equal


def test_conjunctions_with_the_place_before_and_the_place_after() -> None:
    first, second = conjoined([["a", "b"], ["c"]])
    assert first == ["a", "b", "37-1:edge", "37+1:c", "37+1:a&c", "37+1:b&c"]
    assert second == ["c", "37-1:a", "37-1:b", "37-1:c&a", "37-1:c&b", "37+1:edge"]


def test_a_set_gives_only_its_own_features(resume: FeaturePage) -> None:
    for name in ("RS-1", "RS-2", "RS-3"):
        assert {number for names in line_places(resume, name) for number in numbers_of(names)} <= SETS[name]
    for name in ("CR-1", "CR-2", "CR-3"):
        lines = word_places(resume, name)
        assert {number for line in lines for names in line for number in numbers_of(names)} <= SETS[name]


def test_attributes_of_a_line_written_out(resume: FeaturePage) -> None:
    own = [name for name in line_places(resume, "RS-3")[CONTACT] if not name.startswith("37")]
    assert own == ["bias", "13=", "14-1", "14+1", "15=4", "33", "36"]


def test_attributes_of_a_word_written_out(resume: FeaturePage) -> None:
    java = word_places(resume, "CR-3")[SKILLS][2]
    own = [name for name in java if not name.startswith("37")]
    assert own == ["bias", "10", "13=", "15=4", "21=project", "1", "6=java", "22"]
    assert "37-1:6=java&7" in java  # behind the colon
    assert "37+1:22&7" in java  # before the comma


def numbers_of(names: list[str]) -> set[int]:
    """The numbers of the features that gave these attributes."""
    plain = (name for name in names if name != "bias")
    return {37 if name.startswith("37") else int(name.split("=")[0].split(":")[0][:2]) for name in plain}
