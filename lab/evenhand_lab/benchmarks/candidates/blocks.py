"""The few thousand generated resumes that a million candidates are put together from."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from evenhand.progress import Progress, no_progress, with_progress
from evenhand.search.analysis import term_id, terms, title_terms
from evenhand.search.features import month_number
from evenhand_lab.benchmarks.inputs import request_in_turn
from evenhand_lab.corpora.generate import draft_plain, in_processes
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptSection, TextRun, plain_lines, to_plain
from evenhand_lab.corpora.truth import Truth, build_truth

# What a generated candidate is put together from: heads, jobs, projects and other sections, their terms
# counted once.
#
# A resume's counts are the sums of its blocks', since blocks are whole lines and no term crosses the end of a
# line.


COUNT_BITS, USE_BITS = 16, 8
Skills = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
"""Canonical names, each with its places in a block's text."""


@dataclass(frozen=True, slots=True)
class BlockWork:
    """A job or project. Months are those of a digest; None where the resume does not say."""

    title: str | None
    employer: str | None
    start: int | None
    end: int | None
    present: bool  # it goes on
    months: int | None
    title_terms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BlockStudy:
    degree: str | None
    level: str | None
    field: str | None
    university: str | None
    field_terms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ResumeBlock:
    """Whole lines. `packed` holds of each distinct term, in order: its number, room for its use, its count."""

    text: str
    packed: NDArray[np.uint64]
    length: int  # terms
    skills: Skills = ()
    work: BlockWork | None = None
    studies: tuple[BlockStudy, ...] = ()
    certifications: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContactBlock:
    """The lines with name and contact; `gaps` are the labels of what is the person's own, and the text after each."""

    before: str
    gaps: tuple[tuple[str, str], ...]
    block: ResumeBlock  # with a blank for each gap
    city: str | None
    country: str


@dataclass(frozen=True, slots=True)
class ResumeSection:
    """A section: a heading with entries that can be exchanged one by one, or one block without a heading of its own."""

    type: str
    heading: ResumeBlock | None
    blocks: tuple[ResumeBlock, ...]


@dataclass(frozen=True, slots=True)
class ResumeParts:
    """`group` is kind and occupation: parts are exchanged within it."""

    group: tuple[str, str]
    head: ContactBlock
    parts: tuple[ResumeSection, ...]
    name: str
    phone: str
    as_of: str


def pack(text: str) -> tuple[NDArray[np.uint64], int]:
    found = terms(text)
    numbers, counts = np.unique(np.fromiter(map(term_id, found), np.uint64, len(found)), return_counts=True)
    return numbers << np.uint64(COUNT_BITS + USE_BITS) | counts.astype(np.uint64), len(found)


# Cuts a generated resume into blocks. Every fact of a block is read off the labels of its own words.

IDENTITY = ("name", "email", "phone", "link")
ENTRIES = ("experience", "projects")
Runs = list[TextRun]


def cut(manuscript: Manuscript, truth: Truth) -> ResumeParts:
    first, *others = manuscript.sections
    levels = {study["degree"]: study["level"] for study in truth.education}
    parts = tuple(_part(section, truth.as_of, levels) for section in others)
    return ResumeParts((truth.kind, truth.occupation), _head(first, truth), parts, truth.name, truth.phone, truth.as_of)


def _head(section: ManuscriptSection, truth: Truth) -> ContactBlock:
    labels: list[str] = []
    pieces = [""]
    runs = [run for line in _lines(section) for run in line]
    for run in runs:
        if run.label in IDENTITY:
            labels.append(run.label or "")
            pieces.append("")
        else:
            pieces[-1] += run.text
    packed, length = pack(" ".join(pieces))
    has_city = any(run.label == "city" for run in runs)
    return ContactBlock(
        before=pieces[0],
        gaps=tuple(zip(labels, pieces[1:], strict=True)),
        block=ResumeBlock(" ".join(pieces), packed, length),
        city=truth.city if has_city else None,
        country=truth.country,
    )


def _part(section: ManuscriptSection, as_of: str, levels: Mapping[str, str]) -> ResumeSection:
    lines = list(_lines(section))
    if section.type not in ENTRIES:
        runs = [run for line in lines for run in line]
        studies = _studies(runs, levels) if section.type == "education" else ()
        return ResumeSection(section.type, None, (_block(runs, studies=studies),))
    heading = lines.pop(0) if section.heading is not None else None
    owners = _owners(lines, section.type)
    entries = []
    for owner, group in groupby(zip(owners, lines, strict=True), key=lambda pair: pair[0]):
        entry = [run for _, line in group for run in line]
        entries.append(_block(entry, work=_work(entry, owner, as_of) if owner else None))
    return ResumeSection(section.type, _block(heading) if heading else None, tuple(entries))


def _lines(section: ManuscriptSection) -> Iterator[Runs]:
    """As `to_plain` writes them, the line's end included."""
    if section.heading is not None:
        yield [TextRun(section.heading), TextRun("\n")]
    for line in plain_lines(section):
        runs = list(line[0])
        for cell in line[1:]:
            runs += [TextRun("\t"), *cell]
        yield [*runs, TextRun("\n")]


def _owners(lines: Iterable[Runs], type: str) -> list[str | None]:
    """The job or project that each line tells of: that of its labelled words, or that of the line before."""
    owners: list[str | None] = []
    for line in lines:
        named = [run.of for run in line if run.of and run.of.startswith("job ")]
        if named and type == "experience":
            owners.append(" ".join(named[0].split()[:2]))
        elif named:
            owners.append(named[0])
        else:
            owners.append(owners[-1] if owners else None)
    return owners


def _block(runs: Runs, *, work: BlockWork | None = None, studies: tuple[BlockStudy, ...] = ()) -> ResumeBlock:
    text = ""
    skills: dict[str, list[tuple[int, int]]] = {}
    for run in runs:
        if run.label == "skill" and run.value:
            skills.setdefault(run.value, []).append((len(text), len(text) + len(run.text)))
        text += run.text
    packed, length = pack(text)
    return ResumeBlock(
        text,
        packed,
        length,
        tuple((name, tuple(places)) for name, places in skills.items()),
        work,
        studies,
        _values(runs, "certification"),
        _values(runs, "language"),
    )


def _values(runs: Runs, label: str, of: str | None = None) -> tuple[str, ...]:
    """Distinct, in the order of the text."""
    values = [run.value or run.text for run in runs if run.label == label and (of is None or run.of == of)]
    return tuple(dict.fromkeys(values))


def _first(runs: Runs, label: str, of: str) -> str | None:
    return next(iter(_values(runs, label, of)), None)


def _work(runs: Runs, of: str, as_of: str) -> BlockWork:
    title = _first(runs, "title", of)
    stated = [end for value in _values(runs, "date", of) for end in value.split("/")]
    start, end = (stated[0], stated[-1]) if len(stated) > 1 else (None, None)
    lengths = _values(runs, "duration", of)
    first = month_number(start if "-" in start else f"{start}-01") if start and start != "present" else None
    last = month_number(as_of if end == "present" else end) if end else None
    months = last - first + 1 if first is not None and last is not None else None
    if months is None and lengths:
        months = int(lengths[0])
    return BlockWork(
        title=title,
        employer=_first(runs, "employer", of),
        start=first,
        end=last,
        present=end == "present",
        months=months,
        title_terms=tuple(dict.fromkeys(map(term_id, title_terms(title or "")))),
    )


def _studies(runs: Runs, levels: Mapping[str, str]) -> tuple[BlockStudy, ...]:
    studies = []
    for of in dict.fromkeys(run.of for run in runs if run.of and run.of.startswith("study ")):
        degree, field, university = (_first(runs, label, of) for label in ("degree", "field", "university"))
        numbers = tuple(dict.fromkeys(map(term_id, terms(field or ""))))
        studies.append(BlockStudy(degree, levels.get(degree or ""), field, university, numbers))
    return tuple(studies)


RESUMES = 6_000
BATCH = 100
Group = tuple[str, str]


@dataclass(frozen=True)
class Base:
    """Parts by occupation. An entry goes by its place in its section: latest jobs stay latest jobs."""

    resumes: Sequence[ResumeParts]
    members: dict[Group, list[ResumeParts]] = field(default_factory=lambda: defaultdict(list))
    sections: dict[tuple[Group, str], list[ResumeSection]] = field(default_factory=lambda: defaultdict(list))
    entries: dict[tuple[Group, str, int], list[ResumeBlock]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for resume in self.resumes:
            self.members[resume.group].append(resume)
            for part in resume.parts:
                self.sections[resume.group, part.type].append(part)
                if part.type in ENTRIES:
                    for place, block in enumerate(part.blocks):
                        self.entries[resume.group, part.type, place].append(block)


def make_base(n: int = RESUMES, *, seed: int, progress: Progress = no_progress) -> Base:
    """All kinds of generated resumes in turn."""
    tasks = [(seed, range(start, min(start + BATCH, n))) for start in range(0, n, BATCH)]
    made = in_processes(_make_batch, tasks, (os.cpu_count() or 1) if len(tasks) > 1 else 1)
    batches = with_progress(made, progress, "generating resumes", len(tasks))
    return Base([resume for batch in batches for resume in batch])


def _make_batch(task: tuple[int, range]) -> list[ResumeParts]:
    seed, numbers = task
    drafts = [draft_plain(request_in_turn(seed, number, "txt"), number) for number in numbers]
    return [
        cut(draft.manuscript, build_truth(draft.career, draft.manuscript, to_plain(draft.manuscript)))
        for draft in drafts
    ]
