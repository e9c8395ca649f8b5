"""Small resumes written for tests, with only the facts a test is about."""

from __future__ import annotations

from evenhand.records.profile import Evidence, Fact, Period, Position, Profile, Project, Section, Skill, Source
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import ResumeFeatures, Vectors

SOURCE = Source(None, "0" * 64, "txt", 1, "ok", (), None)
AS_OF = "2024-06"


def place(start: int, end: int) -> Evidence:
    return Evidence(start, end, 0, "rule", 1.0)


def fact(text: str, surface: str) -> Fact:
    start = text.index(surface)
    return Fact(surface, surface, place(start, start + len(surface)))


def digest(text: str, *, vectors: Vectors | None = None) -> ResumeFeatures:
    return extract_features(text, Profile(SOURCE, AS_OF), vectors=vectors)


def profile(
    *, project_end: str | None = None, in_project: bool = False, dated: bool = True, section: str = "profile"
) -> Profile:
    """A resume whose characters 0-100 are a section, 100-200 a project; java stands in one of them."""
    at = place(120, 124) if in_project else place(20, 24)
    used = project_end if in_project and dated else None
    return Profile(
        SOURCE,
        AS_OF,
        sections=(Section(section, None, 0, 100), Section("projects", None, 100, 200)),
        projects=(
            Project(
                None,
                None,
                None,
                Period("2010-01", project_end, None, None),
                ("java",) if in_project else (),
                None,
                place(100, 200),
            ),
        ),
        skills=(Skill("java", ("Java",), 12 if used else None, 12 if used else None, used, (at,)),),
    )


def position(title: str, start: str | None, end: str | None, months: int | None) -> Position:
    return Position(None, Fact(title, title, place(0, 1)), None, Period(start, end, months, None), (), place(0, 50))
