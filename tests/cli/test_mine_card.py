"""The card of a Profile made by hand: what is drawn where, and that unknown is never drawn as zero."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from rich.console import Console, RenderableType

from evenhand.cli.profile_card import Axis, SkillBars, TerminalTimeline, dates, evidence_table, profile_card
from evenhand.mining.experience import MonthInterval, gaps
from evenhand.records import (
    Certification,
    Education,
    Evidence,
    Fact,
    Failure,
    Period,
    Position,
    Profile,
    Project,
    Section,
    Skill,
    Source,
    Warning,
)
from evenhand.text.wording import duration, short_duration
from tests.lab.training.documents import plain_document

PLACE = Evidence(0, 3, 1, "crf", 0.93)
SOURCE = Source("in/ada.pdf", "", "pdf", 2, "parsed", (), None)


def fact(value: str) -> Fact:
    return Fact(value, value, PLACE)


def job(title: str | None, employer: str | None, start: str | None, end: str | None, months: int | None) -> Position:
    facts = [fact(each) if each else None for each in (employer, title)]
    return Position(facts[0], facts[1], None, Period(start, end, months, None), (), PLACE)


def skill(name: str, months: int | None, last_used: str | None = None) -> Skill:
    return Skill(name, (name,), months, months, last_used, (PLACE,))


PROFILE = Profile(
    SOURCE,
    "2026-10",
    fact("Ada Example"),
    emails=(fact("ada@example.com"),),
    phones=(fact("+1 404 555 0125"),),
    links=(fact("example.com/ada"),),
    city=fact("Grafton"),
    country="US",
    sections=(Section("experience", "Work", 0, 1), Section("skills", None, 1, 2)),
    positions=(
        job("Engineer", "Fennick Tools", "2021-03", "present", 68),
        job("Analyst", None, "2017", "2019", 36),
        job(None, "Choir", None, None, None),
    ),
    projects=(Project(fact("Billing"), fact("Tailspin"), None, Period("2022-01", "2022-08", 8, None), (), 0, PLACE),),
    education=(
        Education(fact("Stonegate University"), fact("BSc"), "bachelor", fact("Maths"), fact("2016"), None, PLACE),
    ),
    certifications=(Certification(fact("AWS Architect"), fact("2022")),),
    skills=(skill("git", None), skill("sql", 104, "2026-10"), skill("excel", 36, "2019-12")),
    languages=(fact("English"), fact("Polish")),
    total_months=104,
    relevant_months=68,
    highest_degree="bachelor",
    warnings=(Warning("dates_reversed", "2012 to 2010 ends before it starts; its months are not counted."),),
)

CARD = """\
╭─ ada.pdf  parsed ────────────────────────────────────────────────────────────╮
│ Ada Example                                                                  │
│ ada@example.com · +1 404 555 0125 · Grafton, US                              │
│ example.com/ada                                                              │
│ PDF, 2 pages; sections: experience, skills                                   │
│                                                                              │
│ Experience ───────────────────────────────────────────────────────────────── │
│ 8 years 8 months in total, 5 years 8 months of it in work like the latest    │
│ (present: 2026-10)                                                           │
│                                  2018      2020     2022      2024      2026 │
│ Engineer                    ····················▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆ │
│ Fennick Tools               2021-03 to present, 5 years 8 months             │
│ no job stated, 1 y 2 m      ···············░░░░░···························· │
│ Analyst                     ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆································· │
│                             2017 to 2019, 3 years                            │
│ Choir                       no dates stated                                  │
│                                                                              │
│ Projects ─────────────────────────────────────────────────────────────────── │
│ Billing, for Tailspin, 2022-01 to 2022-08, 8 months                          │
│                                                                              │
│ Education ────────────────────────────────────────────────────────────────── │
│ BSc (bachelor), Maths, Stonegate University, 2016                            │
│                                                                              │
│ Skills ───────────────────────────────────────────────────────────────────── │
│ sql                         ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆   8 y 8 m until 2026-10   │
│ excel                       ▆▆▆▆▆▆▆▆                     3 y until 2019-12   │
│ duration unknown: git                                                        │
│                                                                              │
│ Certifications ───────────────────────────────────────────────────────────── │
│ AWS Architect, 2022                                                          │
│                                                                              │
│ Languages ────────────────────────────────────────────────────────────────── │
│ English, Polish                                                              │
│                                                                              │
│ Please note ──────────────────────────────────────────────────────────────── │
│ ! 2012 to 2010 ends before it starts; its months are not counted.            │
│ (dates_reversed)                                                             │
╰──────────────────────────────────────────────────────────────────────────────╯"""


def drawn(renderable: RenderableType, width: int = 80) -> str:
    console = Console(width=width, record=True, quiet=False, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(renderable)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def test_the_whole_card() -> None:
    assert drawn(profile_card(PROFILE)) == CARD


@pytest.mark.parametrize("width", [40, 60, 80, 132])
def test_a_card_fits_the_terminal(width: int) -> None:
    assert max(map(len, drawn(profile_card(PROFILE), width).splitlines())) <= max(width, 53)


def test_what_is_not_known_is_said_and_never_zero() -> None:
    unknown = replace(Profile(SOURCE, "2026-10"), positions=(job(None, None, None, None, None),))
    text = drawn(profile_card(replace(unknown, skills=(skill("c", None), skill("a", None)))))
    assert "name not found" in text
    assert "Length not stated" in text
    assert "no title, no employer" in text
    assert "duration unknown: a, c" in text
    assert "0" not in text.replace("ada.pdf", "").replace("2026-10", "")
    assert "No jobs found" in drawn(profile_card(Profile(SOURCE, "2026-10")))


def test_a_file_that_was_not_read_shows_why_and_nothing_else() -> None:
    failed = replace(SOURCE, status="error", error=Failure("empty_document", "The file contains no text."))
    lines = drawn(profile_card(Profile(failed, "2026-10"))).splitlines()
    assert len(lines) == 3
    assert lines[1].strip("│ ") == "The file contains no text. (empty_document)"


def test_a_resume_cannot_write_to_the_terminal() -> None:
    evil = fact("[red]A\x1b]0;owned\x07")
    text = drawn(profile_card(replace(PROFILE, name=evil, city=evil, skills=(skill(evil.value, 3),))))
    assert text.count(r"[red]A\x1b]0;owned\x07") == 3
    assert "\x1b" not in text


def test_bars_lie_on_one_axis_with_the_newest_job_first() -> None:
    jobs = (
        job("First", None, "2010-01", "2010-12", 12),
        job("Second", None, "2012-01", "2013-12", 24),
        job("Side", None, "2012-06", "2012-06", 1),
        job("Someday", None, None, None, None),
    )
    assert drawn(TerminalTimeline(jobs, "2026-10"), 27 + 1 + 48) == "\n".join(
        [
            " " * 28 + "2010        2011        2012        2013",
            "Second                      ························▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆",
            "                            2012-01 to 2013-12, 2 years",
            "Side                        ·····························▆··················",
            "                            2012-06, 1 month",
            "no job stated, 1 y          ············░░░░░░░░░░░░························",
            "First                       ▆▆▆▆▆▆▆▆▆▆▆▆····································",
            "                            2010-01 to 2010-12, 1 year",
            "Someday                     no dates stated",
        ]
    )


def test_jobs_without_dates_have_no_axis() -> None:
    assert drawn(TerminalTimeline([job("Pilot", "Air", None, None, 30)], "2026-10")) == (
        "Pilot                       2 years 6 months\nAir"
    )


def test_reversed_dates_are_told_but_not_drawn() -> None:
    assert drawn(TerminalTimeline([job("Pilot", None, "2012", "2010", None)], "2026-10")).split() == [
        "Pilot", "2012", "to", "2010",
    ]  # fmt: skip


def test_short_pauses_between_jobs_are_no_gaps() -> None:
    assert gaps([MonthInterval(0, 11), MonthInterval(14, 20), MonthInterval(15, 16), MonthInterval(24, 30)]) == [
        MonthInterval(21, 23)
    ]


@pytest.mark.parametrize(("first", "last"), [(2026, 2026), (1985, 2026), (1940, 2035), (2019, 2021)])
def test_years_on_the_axis_do_not_touch(first: int, last: int) -> None:
    axis = Axis.over([MonthInterval(first * 12 + 5, last * 12 + 6)], 48)
    years = axis.years().plain
    assert len(years) <= 48
    assert all(len(year) == 4 and first <= int(year) <= last for year in years.split())
    assert all(years[axis.column(int(year) * 12) :].startswith(year) for year in years.split())


def test_one_month_has_a_bar_even_at_the_end_of_a_long_axis() -> None:
    axis = Axis.over([MonthInterval(1980 * 12, 2025 * 12 + 11)], 20)
    assert axis.bar(MonthInterval(2025 * 12 + 11, 2025 * 12 + 11), "#", "").plain == "·" * 19 + "#"


@pytest.mark.parametrize(
    ("start", "end", "months", "words"),
    [
        ("2019-03", "present", 24, "2019-03 to present, 2 years"),
        ("2019", None, None, "2019"),
        ("2019", "2019", 12, "2019, 1 year"),
        (None, None, 5, "5 months"),
        (None, "2019", None, "2019"),
        (None, None, None, "no dates stated"),
    ],
)
def test_dates(start: str | None, end: str | None, months: int | None, words: str) -> None:
    assert dates(Period(start, end, months, None)) == words


def test_skills_are_bars_then_a_list_then_those_without_dates() -> None:
    skills = [skill(f"s{number:02}", number, None) for number in range(1, 15)]
    lines = drawn(SkillBars([skill("z", None), *skills]), 76).splitlines()
    assert len(lines) == 14
    assert lines[0].split()[0] == "s14"
    assert lines[0].count("▆") == 22
    assert lines[11].split()[0] == "s03"
    assert lines[11].count("▆") == 5  # 3 of 14 months, of 22 columns
    assert lines[12:] == ["also: s02 2 m, s01 1 m", "duration unknown: z"]


def test_lengths() -> None:
    assert [duration(months) for months in (0, 1, 8, 12, 27)] == [
        "0 months", "1 month", "8 months", "1 year", "2 years 3 months",
    ]  # fmt: skip
    assert [short_duration(months) for months in (0, 8, 12, 27)] == ["0 m", "8 m", "1 y", "2 y 3 m"]


def cells(line: str) -> list[str]:
    return re.split(r"\s{2,}", line.strip())


def test_evidence_names_words_line_and_page() -> None:
    document = plain_document("Ada Example\nSQL at Fennick\nmore sql")
    place = Evidence(0, 11, 1, "crf", 0.9)
    twice = (Evidence(12, 15, 1, "lexicon", 1.0), Evidence(32, 35, 1, "lexicon", 1.0))
    profile = Profile(
        Source.of(document),
        "2026-10",
        Fact("Ada Example", "Ada Example", place),
        skills=(
            Skill("sql", ("SQL", "sql"), None, None, None, twice),
            Skill("fennick tools", ("Fennick",), None, None, None, (Evidence(19, 26, 1, "crf", 0.5),)),
        ),
    )
    rows = [cells(line) for line in drawn(evidence_table(profile, document), 100).splitlines()]
    assert rows[4:] == [
        ["name", "Ada Example", "1", "1", "crf 0.90"],
        ["skill", "SQL", "2, 3", "1", "lexicon 1.00"],
        ["skill", "Fennick → fennick tools", "2", "1", "crf 0.50"],
    ]
