"""Levels of degrees, and degrees told from the words me, be and ma, from states and from products."""

from __future__ import annotations

import pytest

from evenhand.mining.lexicon.degrees import find, level_of
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.text.tokens import tokenise


@pytest.mark.parametrize(
    ("degree", "level"),
    [
        ("Ph.D.", "doctorate"),
        ("D.Phil", "doctorate"),
        ("Juris Doctor", "doctorate"),
        ("Ed.D", "doctorate"),
        ("M.Tech", "master"),
        ("MCA", "master"),
        ("MBA", "master"),
        ("PGDM", "master"),
        ("M.S. in Computer Science", "master"),
        ("ME (VLSI)", "master"),
        ("Master’s Degree", "master"),
        ("LL.M", "master"),
        ("B.Tech", "bachelor"),
        ("B. Tech.", "bachelor"),
        ("BTech", "bachelor"),
        ("BE", "bachelor"),
        ("B.E. (ECE)", "bachelor"),
        ("BACHELOR OF SCIENCE", "bachelor"),
        ("Bachelors in Nursing", "bachelor"),
        ("B.Com", "bachelor"),
        ("BCA", "bachelor"),
        ("LL.B", "bachelor"),
        ("Associate of Applied Science", "associate"),
        ("A.S.", "associate"),
        ("Diploma in Civil Engineering", "diploma"),
        ("ITI", "diploma"),
        ("HND", "diploma"),
        ("High School Diploma", "highschool"),
        ("GED", "highschool"),
        ("HSC", "highschool"),
        ("SSC", "highschool"),
        ("12th", "highschool"),
        ("XII", "highschool"),
        ("Intermediate", "highschool"),
        ("A-Levels", "highschool"),
        ("GCSE", "highschool"),
        ("Certificate", "other"),
        ("be", None),
        ("me", None),
        ("bed", None),
        ("Java", None),
        ("", None),
    ],
)
def test_levels(degree: str, level: str | None) -> None:
    assert level_of(degree) == level
    assert level is None or level in DEGREE_LEVELS


@pytest.mark.parametrize(
    ("line", "surfaces"),
    [
        ("Please let me be the one", []),
        ("MS Office, MS SQL", []),
        ("MS in Computer Science", ["MS"]),
        ("BE Computer Science, Pune", ["BE"]),
        ("CONTACT ME AT HOME TODAY", []),
        ("Scrum Master", []),
        ("Boston, MA", []),
        ("Jackson, MS, USA", []),
        ("Associate Director", []),
        ("B.E., 2009", ["B.E ."]),
        ("Master of Arts", ["Master of Arts"]),
        ("Go to bed", []),
        ("B. Tech. in IT", ["B . Tech ."]),
    ],
)
def test_degrees_in_a_line(line: str, surfaces: list[str]) -> None:
    words = tokenise(line).words
    assert [" ".join(words[match.first : match.last]) for match in find(words)] == surfaces
