"""Records of the profile from works, studies and mentions: every value with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from evenhand.mining.assembly.blocks import (
    JOB,
    STUDY,
    STUDY_KEYS,
    TASK,
    Block,
    DatesByPlace,
    EntryMentions,
    Mention,
    evidence_of,
    mentions_by_line,
    split_records,
    to_fact,
)
from evenhand.mining.assembly.jobs import Dated, WorkMentions
from evenhand.mining.experience import UNKNOWN, ExperienceEntry, doubt_of, months_of, skill_experience
from evenhand.mining.layout import ResumeLayout
from evenhand.mining.lexicon.degrees import level_of
from evenhand.mining.lexicon.skills import SkillLexicon
from evenhand.mining.skill_resolver import settle
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
    Skill,
)
from evenhand.text.date_values import PartialDate
from evenhand.text.folding import word_set
from evenhand.text.tokens import words_of

# Skills from their mentions: one per canonical name, with every way it is written and the jobs that mention it.

Canonical = Callable[[str], str]


@dataclass(slots=True)
class SkillMentions:
    """A skill on the way: its surfaces in the order of the text, places, and numbers of the works that mention it."""

    surfaces: dict[str, None] = field(default_factory=dict)
    evidence: list[Evidence] = field(default_factory=list)
    works: set[int] = field(default_factory=set)


def collect_skills(
    layout: ResumeLayout, mentions: Sequence[Mention], works: Sequence[WorkMentions], canonical: Canonical
) -> dict[str, SkillMentions]:
    owners = work_of_lines(works, len(layout.lines))
    result: dict[str, SkillMentions] = {}
    for mention in mentions:
        surface = layout.document.text[mention.start : mention.end]
        name = canonical(surface)
        if not name:
            continue
        skill = result.setdefault(name, SkillMentions())
        skill.surfaces[surface] = None
        skill.evidence.append(evidence_of(layout, mention))
        owner = owners[mention.line]
        if owner is not None:
            skill.works.add(owner)
    for homonym, meant in settle(result).items():
        _join(result.setdefault(meant, SkillMentions()), result.pop(homonym))
    return result


def _join(skill: SkillMentions, other: SkillMentions) -> None:
    skill.surfaces |= other.surfaces
    skill.evidence = sorted([*skill.evidence, *other.evidence], key=lambda place: place.start)
    skill.works |= other.works


def work_of_lines(works: Sequence[WorkMentions], lines: int) -> list[int | None]:
    """The number of the innermost job or project that each line belongs to."""
    owners: list[int | None] = [None] * lines
    for kind in (JOB, TASK):  # a project takes its lines from its job
        for number, work in enumerate(works):
            if work.kind == kind:
                for first, last in ((work.first, work.last), *work.more):
                    owners[first:last] = [number] * (last - first)
    return owners


def to_skills(gathered: dict[str, SkillMentions], entries: Sequence[ExperienceEntry]) -> list[Skill]:
    """`entries` are the times of the works, in their order."""
    experience = skill_experience(
        entries, {name: [entries[number].id for number in sorted(each.works)] for name, each in gathered.items()}
    )
    skills = []
    for name, each in gathered.items():
        known = experience.get(name, UNKNOWN)
        skills.append(
            Skill(name, tuple(each.surfaces), known.months, known.months_sum, known.last_used, tuple(each.evidence))
        )
    return sorted(skills, key=lambda skill: (-(skill.months or -1), skill.evidence[0].start))


# Degrees from their blocks: what, where, in which field, when, how well.


@dataclass(frozen=True, slots=True)
class StudyMentions:
    first: int
    last: int
    university: Mention | None
    degree: Mention | None
    field: Mention | None
    performance: Mention | None
    year: tuple[str, int, int] | None  # with its place in the text


def find_studies(
    layout: ResumeLayout, blocks: Sequence[Block], mentions: Sequence[Mention], dates: DatesByPlace
) -> list[StudyMentions]:
    by_line = mentions_by_line(mentions)
    studies = []
    for block in blocks:
        if block.kind != STUDY:
            continue
        own = [mention for line in range(block.first, block.last) for mention in by_line.get(line, ())]
        records = [
            record
            for record in split_records(block, own, STUDY_KEYS)
            if record.first("university") or record.first("degree")
        ]
        for record in records:
            studies.append(_study(layout, record, dates, is_alone=len(records) == 1))
    return studies


def _study(layout: ResumeLayout, record: EntryMentions, dates: DatesByPlace, *, is_alone: bool) -> StudyMentions:
    lines = sorted({mention.line for group in record.fields.values() for mention in group})
    year = _year(layout, record, dates, lines)
    if year is None and is_alone:  # a year on a line of its own
        year = _year(layout, record, dates, range(record.block.first, record.block.last))
    return StudyMentions(
        lines[0],
        lines[-1] + 1,
        record.first("university"),
        record.first("degree"),
        record.first("field"),
        record.first("performance"),
        year,
    )


def _year(
    layout: ResumeLayout, record: EntryMentions, dates: DatesByPlace, lines: Sequence[int]
) -> tuple[str, int, int] | None:
    """The year in which it ended: the last year that its dates name."""
    called = record.fields.get("dates", ())
    own = [span for mention in called for span in dates.touching(mention.start, mention.end)]
    near = [span for line in lines for span in dates.in_line(layout.lines[line])]
    for span in own or near:
        last = span.last if isinstance(span.last, PartialDate) else span.first
        if last is not None and span.kind in ("range", "point"):
            digits = str(last.year)
            at = layout.document.text[span.start : span.end].rfind(digits)
            if at < 0:
                return digits, span.start, span.end
            return digits, span.start + at, span.start + at + len(digits)
    return None


SHARED_SKILLS = 2  # with the latest job: then a job under another title is relevant to it all the same
NO_PERIOD = Period(None, None, None, None)
RANK_WORDS = word_set("senior junior lead sr jr associate assistant principal chief head i ii iii of the and")


def to_positions(
    layout: ResumeLayout, works: Sequence[WorkMentions], skills: dict[str, SkillMentions], as_of: PartialDate
) -> tuple[Position, ...]:
    return tuple(
        Position(
            to_fact(layout, work.employer),
            to_fact(layout, work.title),
            to_fact(layout, work.location),
            _period(layout, work.dated, as_of),
            _skills_of(works, number, skills),
            _whole(layout, work),
        )
        for number, work in enumerate(works)
        if work.kind == JOB
    )


def to_projects(
    layout: ResumeLayout, works: Sequence[WorkMentions], skills: dict[str, SkillMentions], as_of: PartialDate
) -> tuple[Project, ...]:
    jobs = [number for number, work in enumerate(works) if work.kind == JOB]
    return tuple(
        Project(
            to_fact(layout, work.project),
            to_fact(layout, work.client),
            to_fact(layout, work.title),
            _period(layout, work.dated, as_of),
            _skills_of(works, number, skills),
            jobs.index(work.parent) if work.parent in jobs else None,
            _whole(layout, work),
        )
        for number, work in enumerate(works)
        if work.kind == TASK
    )


def _period(layout: ResumeLayout, dated: Dated | None, as_of: PartialDate) -> Period:
    if dated is None:
        return NO_PERIOD
    months = dated.months if dated.months is not None else months_of(dated.first, dated.last, as_of)
    place = Evidence(dated.start, dated.end, layout.page_at(dated.start), "rule", 1.0)
    return Period(_shown(dated.first), _shown(dated.last), months, place)


def _shown(moment: object) -> str | None:
    return None if moment is None else str(moment)


def _skills_of(works: Sequence[WorkMentions], number: int, skills: dict[str, SkillMentions]) -> tuple[str, ...]:
    """Skills that the text of a job mentions, its projects included."""
    own = {number, *(place for place, work in enumerate(works) if work.parent == number)}
    return tuple(name for name, each in skills.items() if own & each.works)


def _whole(layout: ResumeLayout, work: WorkMentions) -> Evidence:
    """From the first to the last line of the entry; an employer named above several roles is part of each."""
    mentions = [each for each in (work.employer, work.title, work.location, work.client, work.project) if each]
    start = min([layout.lines[work.first].start, *(each.start for each in mentions)])
    ends = [layout.lines[last - 1].end for _, last in ((work.first, work.last), *work.more)]
    end = max([*ends, *(each.end for each in mentions)])
    if work.dated:
        start, end = min(start, work.dated.start), max(end, work.dated.end)
    sure = min([each.confidence for each in mentions], default=1.0)
    return Evidence(start, end, layout.page_at(start), "crf", round(sure, 3))


def entries_of(works: Sequence[WorkMentions], as_of: PartialDate) -> list[ExperienceEntry]:
    """The times of the works, for counting months. A project alone under a single job belongs to it."""
    jobs = [number for number, work in enumerate(works) if work.kind == JOB]
    only = jobs[0] if len(jobs) == 1 else None
    entries = []
    for number, work in enumerate(works):
        parent = work.parent if work.parent is not None else (only if work.kind == TASK else None)
        dated = work.dated
        entries.append(
            ExperienceEntry.dated(
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
    layout: ResumeLayout, works: Sequence[WorkMentions], skills: dict[str, SkillMentions]
) -> Callable[[ExperienceEntry], bool]:
    """A job is relevant to the latest one if their titles share a word that names the work, or if skills are shared."""
    jobs = [number for number, work in enumerate(works) if work.kind == JOB]
    if not jobs:
        return lambda entry: False
    latest = max(jobs, key=lambda number: (_end(works[number]), -number))
    title = _title_words(layout, works[latest])
    known = set(_skills_of(works, latest, skills))

    def is_relevant(entry: ExperienceEntry) -> bool:
        number = int(entry.id)
        if number == latest or title & _title_words(layout, works[number]):
            return True
        return len(known & set(_skills_of(works, number, skills))) >= SHARED_SKILLS

    return is_relevant


def _end(work: WorkMentions) -> int:
    if work.dated is None:
        return -1
    return work.dated.last.index if isinstance(work.dated.last, PartialDate) else 10**6


def _title_words(layout: ResumeLayout, work: WorkMentions) -> set[str]:
    if work.title is None:
        return set()
    return set(words_of(layout.document.text[work.title.start : work.title.end])) - RANK_WORDS


def doubts_of(works: Sequence[WorkMentions], as_of: PartialDate) -> tuple[Warning, ...]:
    doubts = (doubt_of(work.dated.first, work.dated.last, as_of) for work in works if work.dated)
    return tuple(doubt for doubt in doubts if doubt)


def to_education(layout: ResumeLayout, studies: Sequence[StudyMentions]) -> tuple[Education, ...]:
    entries = []
    for study in studies:
        degree = to_fact(layout, study.degree)
        university = to_fact(layout, study.university)
        field = to_fact(layout, study.field)
        if degree is None and university is None:
            continue
        level = level_of(degree.surface) if degree else None
        year = _year_fact(layout, study.year)
        performance = to_fact(layout, study.performance)
        facts = [fact for fact in (university, degree, field, year, performance) if fact]
        entries.append(Education(university, degree, level, field, year, performance, _around(layout, study, facts)))
    return tuple(entries)


def _around(layout: ResumeLayout, study: StudyMentions, facts: Sequence[Fact]) -> Evidence:
    """The lines of the entry, and whatever of it stands beyond them."""
    start = min([layout.lines[study.first].start, *(fact.evidence.start for fact in facts)])
    end = max([layout.lines[study.last - 1].end, *(fact.evidence.end for fact in facts)])
    return Evidence(start, end, layout.page_at(start), "crf", min(fact.evidence.confidence for fact in facts))


def _year_fact(layout: ResumeLayout, year: tuple[str, int, int] | None) -> Fact | None:
    if year is None:
        return None
    value, start, end = year
    place = Evidence(start, end, layout.page_at(start), "rule", 1.0)
    return Fact(value, layout.document.text[start:end], place)


def highest_level(education: Sequence[Education]) -> str | None:
    levels = [entry.level for entry in education if entry.level]
    return max(levels, key=DEGREE_LEVELS.index) if levels else None


def to_certifications(
    layout: ResumeLayout, mentions: Sequence[Mention], dates: DatesByPlace, skills: SkillLexicon
) -> tuple[Certification, ...]:
    """Each once; "Norwegian (B2)" is a language."""
    result = []
    seen: set[str] = set()
    for mention in mentions:
        if mention.label != "certification":
            continue
        fact = to_fact(layout, mention)
        if fact is None or fact.value.casefold() in seen:
            continue
        if skills.kind(skills.get(fact.value.split(" ")[0]) or "") == "language":
            continue
        seen.add(fact.value.casefold())
        line = layout.lines[mention.line]
        near = [span for span in dates.in_line(line) if span.kind in ("point", "range")]
        year = near[0].last if near and isinstance(near[0].last, PartialDate) else None
        at = (str(year.year), near[0].start, near[0].end) if year else None
        result.append(Certification(fact, _year_fact(layout, at)))
    return tuple(result)
