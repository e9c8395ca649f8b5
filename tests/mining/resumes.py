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
    sheet = Sheet()
    positions = [_position(sheet, job) for job in jobs]
    education = [_education(sheet, study) for study in studies]
    sheet.add(other)
    profile = Profile(SOURCE, AS_OF, country=country, positions=tuple(positions), education=tuple(education))
    return profile, sheet.text


def _position(sheet: Sheet, job: Job) -> Position:
    title, employer, start, end, body = job
    evidence = sheet.add(f"{title}, {employer}\n{body}")
    months = None if start is None or end is None else 1
    period = Period(start, end, months, None)
    return Position(sheet.fact(employer, evidence), sheet.fact(title, evidence), None, period, (), evidence)


def _education(sheet: Sheet, study: Study) -> Education:
    degree, level, field, university, line = study
    evidence = sheet.add(line)
    return Education(
        sheet.fact(university, evidence),
        sheet.fact(degree, evidence),
        level,
        sheet.fact(field, evidence) if field else None,
        None,
        None,
        evidence,
    )
