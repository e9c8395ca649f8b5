"""Profiles of applicants for clinical research posts, put together fact by fact, each at its place in a text."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.records.profile import Education, Evidence, Fact, Period, Position, Profile, Source

AS_OF = "2026-10"
SOURCE = Source(None, "0" * 64, "txt", 1, "parsed", (), None)
Job = tuple[str, str, str | None, str | None, str]  # title, employer, first and last month, what was done
Study = tuple[str, str | None, str | None, str, str]  # degree, level, field, university, the line it stands in


class Sheet:
    """The text as it grows."""

    def __init__(self) -> None:
        self.text = ""

    def add(self, line: str) -> Evidence:
        start = len(self.text)
        self.text += f"{line}\n"
        return Evidence(start, start + len(line), 1, "rule", 1.0)

    def fact(self, value: str, within: Evidence) -> Fact:
        start = self.text.index(value, within.start)
        return Fact(value, value, Evidence(start, start + len(value), 1, "rule", 1.0))


def resume(
    jobs: Sequence[Job] = (), studies: Sequence[Study] = (), *, other: str = "", country: str | None = None
) -> tuple[Profile, str]:
    layout = Sheet()
    positions = [_position(layout, job) for job in jobs]
    education = [_education(layout, study) for study in studies]
    layout.add(other)
    profile = Profile(SOURCE, AS_OF, country=country, positions=tuple(positions), education=tuple(education))
    return profile, layout.text


def _position(layout: Sheet, job: Job) -> Position:
    title, employer, start, end, body = job
    evidence = layout.add(f"{title}, {employer}\n{body}")
    months = None if start is None or end is None else 1
    period = Period(start, end, months, None)
    return Position(layout.fact(employer, evidence), layout.fact(title, evidence), None, period, (), evidence)


def _education(layout: Sheet, study: Study) -> Education:
    degree, level, field, university, line = study
    evidence = layout.add(line)
    return Education(
        layout.fact(university, evidence),
        layout.fact(degree, evidence),
        level,
        layout.fact(field, evidence) if field else None,
        None,
        None,
        evidence,
    )
