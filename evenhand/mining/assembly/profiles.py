"""Records of the profile from works, studies and mentions: every value with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evenhand.mining.assembly.blocks import JOB, TASK
from evenhand.mining.assembly.jobs import Dated, Work
from evenhand.mining.assembly.mentions import Mention, to_fact
from evenhand.mining.assembly.skills import Gathered
from evenhand.mining.assembly.stretches import DatesByPlace
from evenhand.mining.assembly.studies import Study
from evenhand.mining.dates import Moment
from evenhand.mining.experience import Entry
from evenhand.mining.intervals import doubt_of, months_of
from evenhand.mining.lexicon.skills import SkillLexicon
from evenhand.mining.resolver.degrees import level_of
from evenhand.mining.sheet import Sheet
from evenhand.mining.tokens import words_of
from evenhand.records.document import Warning
from evenhand.records.profile import (
    DEGREE_LEVELS,
    Certification,
    Education,
    Evidence,
    Fact,
    Period,
    Position,
    Project,
)

SHARED_SKILLS = 2  # with the latest job: then a job under another title is relevant to it all the same
NO_PERIOD = Period(None, None, None, None)
RANK_WORDS = frozenset(
    [
        "senior",
        "junior",
        "lead",
        "sr",
        "jr",
        "associate",
        "assistant",
        "principal",
        "chief",
        "head",
        "i",
        "ii",
        "iii",
        "of",
        "the",
        "and",
    ]
)


def to_positions(
    sheet: Sheet, works: Sequence[Work], skills: dict[str, Gathered], as_of: Moment
) -> tuple[Position, ...]:
    return tuple(
        Position(
            to_fact(sheet, work.employer),
            to_fact(sheet, work.title),
            to_fact(sheet, work.location),
            _period(sheet, work.dated, as_of),
            _skills_of(works, number, skills),
            _whole(sheet, work),
        )
        for number, work in enumerate(works)
        if work.kind == JOB
    )


def to_projects(
    sheet: Sheet, works: Sequence[Work], skills: dict[str, Gathered], as_of: Moment
) -> tuple[Project, ...]:
    jobs = [number for number, work in enumerate(works) if work.kind == JOB]
    return tuple(
        Project(
            to_fact(sheet, work.project),
            to_fact(sheet, work.client),
            to_fact(sheet, work.title),
            _period(sheet, work.dated, as_of),
            _skills_of(works, number, skills),
            jobs.index(work.parent) if work.parent in jobs else None,
            _whole(sheet, work),
        )
        for number, work in enumerate(works)
        if work.kind == TASK
    )


def _period(sheet: Sheet, dated: Dated | None, as_of: Moment) -> Period:
    if dated is None:
        return NO_PERIOD
    months = dated.months if dated.months is not None else months_of(dated.first, dated.last, as_of)
    place = Evidence(dated.start, dated.end, sheet.page_at(dated.start), "rule", 1.0)
    return Period(_shown(dated.first), _shown(dated.last), months, place)


def _shown(moment: object) -> str | None:
    return None if moment is None else str(moment)


def _skills_of(works: Sequence[Work], number: int, skills: dict[str, Gathered]) -> tuple[str, ...]:
    """Skills that the text of a job mentions, its projects included."""
    own = {number, *(place for place, work in enumerate(works) if work.parent == number)}
    return tuple(name for name, each in skills.items() if own & each.works)


def _whole(sheet: Sheet, work: Work) -> Evidence:
    """From the first to the last line of the entry; an employer named above several roles is part of each."""
    mentions = [
        each for each in (work.employer, work.title, work.location, work.client, work.project) if each
    ]
    start = min([sheet.lines[work.first].start, *(each.start for each in mentions)])
    ends = [sheet.lines[last - 1].end for _, last in ((work.first, work.last), *work.more)]
    end = max([*ends, *(each.end for each in mentions)])
    if work.dated:
        start, end = min(start, work.dated.start), max(end, work.dated.end)
    sure = min([each.confidence for each in mentions], default=1.0)
    return Evidence(start, end, sheet.page_at(start), "crf", round(sure, 3))


def entries_of(works: Sequence[Work], as_of: Moment) -> list[Entry]:
    """The times of the works, for counting months. A project alone under a single job belongs to it."""
    jobs = [number for number, work in enumerate(works) if work.kind == JOB]
    only = jobs[0] if len(jobs) == 1 else None
    entries = []
    for number, work in enumerate(works):
        parent = work.parent if work.parent is not None else (only if work.kind == TASK else None)
        dated = work.dated
        entries.append(
            Entry.dated(
                str(number),
                "position" if work.kind == JOB else "project",
                first=dated.first if dated else None,
                last=dated.last if dated else None,
                as_of=as_of,
                duration_months=dated.months if dated else None,
                parent=str(parent) if parent is not None else None,
            )
        )
    return entries


def relevant_to_latest(
    sheet: Sheet, works: Sequence[Work], skills: dict[str, Gathered]
) -> Callable[[Entry], bool]:
    """A job is relevant to the latest one if their titles share a word that names the work, or if skills are shared."""
    jobs = [number for number, work in enumerate(works) if work.kind == JOB]
    if not jobs:
        return lambda entry: False
    latest = max(jobs, key=lambda number: (_end(works[number]), -number))
    title = _title_words(sheet, works[latest])
    known = set(_skills_of(works, latest, skills))

    def is_relevant(entry: Entry) -> bool:
        number = int(entry.id)
        if number == latest or title & _title_words(sheet, works[number]):
            return True
        return len(known & set(_skills_of(works, number, skills))) >= SHARED_SKILLS

    return is_relevant


def _end(work: Work) -> int:
    if work.dated is None:
        return -1
    return work.dated.last.index if isinstance(work.dated.last, Moment) else 10**6


def _title_words(sheet: Sheet, work: Work) -> set[str]:
    if work.title is None:
        return set()
    return set(words_of(sheet.document.text[work.title.start : work.title.end])) - RANK_WORDS


def doubts_of(works: Sequence[Work], as_of: Moment) -> tuple[Warning, ...]:
    doubts = (doubt_of(work.dated.first, work.dated.last, as_of) for work in works if work.dated)
    return tuple(doubt for doubt in doubts if doubt)


def to_education(sheet: Sheet, studies: Sequence[Study]) -> tuple[Education, ...]:
    entries = []
    for study in studies:
        degree = to_fact(sheet, study.degree)
        university = to_fact(sheet, study.university)
        field = to_fact(sheet, study.field)
        if degree is None and university is None:
            continue
        level = level_of(degree.surface) if degree else None
        year = _year_fact(sheet, study.year)
        performance = to_fact(sheet, study.performance)
        facts = [fact for fact in (university, degree, field, year, performance) if fact]
        entries.append(
            Education(university, degree, level, field, year, performance, _around(sheet, study, facts))
        )
    return tuple(entries)


def _around(sheet: Sheet, study: Study, facts: Sequence[Fact]) -> Evidence:
    """The lines of the entry, and whatever of it stands beyond them."""
    start = min([sheet.lines[study.first].start, *(fact.evidence.start for fact in facts)])
    end = max([sheet.lines[study.last - 1].end, *(fact.evidence.end for fact in facts)])
    return Evidence(start, end, sheet.page_at(start), "crf", min(fact.evidence.confidence for fact in facts))


def _year_fact(sheet: Sheet, year: tuple[str, int, int] | None) -> Fact | None:
    if year is None:
        return None
    value, start, end = year
    place = Evidence(start, end, sheet.page_at(start), "rule", 1.0)
    return Fact(value, sheet.document.text[start:end], place)


def highest_level(education: Sequence[Education]) -> str | None:
    levels = [entry.level for entry in education if entry.level]
    return max(levels, key=DEGREE_LEVELS.index) if levels else None


def to_certifications(
    sheet: Sheet, mentions: Sequence[Mention], dates: DatesByPlace, skills: SkillLexicon
) -> tuple[Certification, ...]:
    """Each once; "Norwegian (B2)" is a language."""
    result = []
    seen: set[str] = set()
    for mention in mentions:
        if mention.label != "certification":
            continue
        fact = to_fact(sheet, mention)
        if fact is None or fact.value.casefold() in seen:
            continue
        if skills.kind(skills.get(fact.value.split(" ")[0]) or "") == "language":
            continue
        seen.add(fact.value.casefold())
        line = sheet.lines[mention.line]
        near = [span for span in dates.in_line(line) if span.kind in ("point", "range")]
        year = near[0].last if near and isinstance(near[0].last, Moment) else None
        at = (str(year.year), near[0].start, near[0].end) if year else None
        result.append(Certification(fact, _year_fact(sheet, at)))
    return tuple(result)
