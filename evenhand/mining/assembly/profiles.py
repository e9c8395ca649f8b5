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
    owners: list[int | None] = [None] * len(layout.lines)  # of each line its innermost job or project
    for kind in (JOB, TASK):  # a project takes its lines from its job
        for number, work in enumerate(works):
            for first, last in ((work.first, work.last), *work.more) if work.kind == kind else ():
                owners[first:last] = [number] * (last - first)
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
        skill, other = result.setdefault(meant, SkillMentions()), result.pop(homonym)
        skill.surfaces |= other.surfaces
        skill.evidence = sorted([*skill.evidence, *other.evidence], key=lambda place: place.start)
        skill.works |= other.works
    return result


def to_skills(gathered: dict[str, SkillMentions], entries: Sequence[ExperienceEntry]) -> list[Skill]:
    """`entries` are the times of the works, in their order."""
    owners = {name: [entries[number].id for number in sorted(skill.works)] for name, skill in gathered.items()}
    experience = skill_experience(entries, owners)
    skills = []
    for name, mentions in gathered.items():
        known = experience.get(name, UNKNOWN)
        surfaces, evidence = tuple(mentions.surfaces), tuple(mentions.evidence)
        skills.append(Skill(name, surfaces, known.months, known.months_sum, known.last_used, evidence))
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
    lines = sorted(record.lines)
    year = _year(layout, record, dates, lines)
    if year is None and is_alone:  # a year on a line of its own
        year = _year(layout, record, dates, range(record.block.first, record.block.last))
    university, degree, field, performance = map(record.first, ("university", "degree", "field", "performance"))
    return StudyMentions(lines[0], lines[-1] + 1, university, degree, field, performance, year)


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
    start, end = (str(moment) if moment is not None else None for moment in (dated.first, dated.last))
    return Period(start, end, months, place)


def _skills_of(works: Sequence[WorkMentions], number: int, skills: dict[str, SkillMentions]) -> tuple[str, ...]:
    """Skills that the text of a job mentions, its projects included."""
    own = {number, *(place for place, work in enumerate(works) if work.parent == number)}
    return tuple(name for name, skill in skills.items() if own & skill.works)


def _whole(layout: ResumeLayout, work: WorkMentions) -> Evidence:
    """From the first to the last line of the entry; an employer named above several roles is part of each."""
    named = (work.employer, work.title, work.location, work.client, work.project)
    mentions = [mention for mention in named if mention]
    start = min([layout.lines[work.first].start, *(mention.start for mention in mentions)])
    ends = [layout.lines[last - 1].end for _, last in ((work.first, work.last), *work.more)]
    end = max([*ends, *(mention.end for mention in mentions)])
    if work.dated:
        start, end = min(start, work.dated.start), max(end, work.dated.end)
    sure = min([mention.confidence for mention in mentions], default=1.0)
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


def relevant_jobs(
    layout: ResumeLayout, works: Sequence[WorkMentions], skills: dict[str, SkillMentions]
) -> Callable[[ExperienceEntry], bool]:
    """Those that are relevant to the latest one."""
    jobs = [number for number, work in enumerate(works) if work.kind == JOB]
    titles = [works[number].title for number in jobs]
    relevant = relevant_to_latest(
        [_end(works[number]) for number in jobs],
        [title_words(layout.document.text[title.start : title.end] if title else "") for title in titles],
        [set(_skills_of(works, number, skills)) for number in jobs],
    )
    ids = {str(jobs[at]) for at in relevant}
    return lambda entry: entry.id in ids


def relevant_to_latest(ends: Sequence[int], titles: Sequence[set[str]], skills: Sequence[set[str]]) -> set[int]:
    """The numbers of jobs that share with the latest one a word of the title that names the work, or skills."""
    if not ends:
        return set()
    latest = max(range(len(ends)), key=lambda at: (ends[at], -at))
    return {
        at
        for at, (title, known) in enumerate(zip(titles, skills, strict=True))
        if at == latest or title & titles[latest] or len(known & skills[latest]) >= SHARED_SKILLS
    }


def _end(work: WorkMentions) -> int:
    if work.dated is None:
        return -1
    return work.dated.last.index if isinstance(work.dated.last, PartialDate) else 10**6


def title_words(title: str) -> set[str]:
    return set(words_of(title)) - RANK_WORDS


def doubts_of(works: Sequence[WorkMentions], as_of: PartialDate) -> tuple[Warning, ...]:
    doubts = (doubt_of(work.dated.first, work.dated.last, as_of) for work in works if work.dated)
    return tuple(doubt for doubt in doubts if doubt)


def to_education(layout: ResumeLayout, studies: Sequence[StudyMentions]) -> tuple[Education, ...]:
    entries = []
    for study in studies:
        named = (study.university, study.degree, study.field, study.performance)
        university, degree, field, performance = (to_fact(layout, mention) for mention in named)
        if degree is None and university is None:
            continue
        level = level_of(degree.surface) if degree else None
        year = _year_fact(layout, study.year)
        # The lines of the entry, and whatever of it stands beyond them.
        places = [fact.evidence for fact in (university, degree, field, year, performance) if fact]
        start = min([layout.lines[study.first].start, *(place.start for place in places)])
        end = max([layout.lines[study.last - 1].end, *(place.end for place in places)])
        sure = min(place.confidence for place in places)
        whole = Evidence(start, end, layout.page_at(start), "crf", sure)
        entries.append(Education(university, degree, level, field, year, performance, whole))
    return tuple(entries)


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
        fact = to_fact(layout, mention) if mention.label == "certification" else None
        if fact is None or fact.value.casefold() in seen:
            continue
        if skills.kind(skills.get(fact.value.split(" ")[0]) or "") == "language":
            continue
        seen.add(fact.value.casefold())
        near = [span for span in dates.in_line(layout.lines[mention.line]) if span.kind in ("point", "range")]
        year = near[0].last if near and isinstance(near[0].last, PartialDate) else None
        at = (str(year.year), near[0].start, near[0].end) if year else None
        result.append(Certification(fact, _year_fact(layout, at)))
    return tuple(result)
