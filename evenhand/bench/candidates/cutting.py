"""Cuts a generated resume into blocks. Every fact of a block is read off the labels of its own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from evenhand.bench.candidates.blocks import Block, Head, Part, Resume, Study, Work, pack
from evenhand.corpora.manuscript import Manuscript, Run, Section, plain_lines
from evenhand.corpora.truth import Truth
from evenhand.search.analysis import term_id, terms
from evenhand.search.digest import month_number
from evenhand.search.titles import title_terms

IDENTITY = ("name", "email", "phone", "link")
ENTRIES = ("experience", "projects")
Runs = list[Run]


def cut(manuscript: Manuscript, truth: Truth) -> Resume:
    first, *others = manuscript.sections
    levels = {study["degree"]: study["level"] for study in truth.education}
    parts = tuple(_part(section, truth.as_of, levels) for section in others)
    return Resume(
        (truth.kind, truth.occupation), _head(first, truth), parts, truth.name, truth.phone, truth.as_of
    )


def _head(section: Section, truth: Truth) -> Head:
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
    return Head(
        before=pieces[0],
        gaps=tuple(zip(labels, pieces[1:], strict=True)),
        block=Block(" ".join(pieces), packed, length),
        city=truth.city if has_city else None,
        country=truth.country,
    )


def _part(section: Section, as_of: str, levels: Mapping[str, str]) -> Part:
    lines = list(_lines(section))
    if section.type not in ENTRIES:
        runs = [run for line in lines for run in line]
        studies = _studies(runs, levels) if section.type == "education" else ()
        return Part(section.type, None, (_block(runs, studies=studies),))
    heading = lines.pop(0) if section.heading is not None else None
    owners = _owners(lines, section.type)
    entries = []
    for owner, group in groupby(zip(owners, lines, strict=True), key=lambda pair: pair[0]):
        entry = [run for _, line in group for run in line]
        entries.append(_block(entry, work=_work(entry, owner, as_of) if owner else None))
    return Part(section.type, _block(heading) if heading else None, tuple(entries))


def _lines(section: Section) -> Iterator[Runs]:
    """As `to_plain` writes them, the line's end included."""
    if section.heading is not None:
        yield [Run(section.heading), Run("\n")]
    for line in plain_lines(section):
        runs = list(line[0])
        for cell in line[1:]:
            runs += [Run("\t"), *cell]
        yield [*runs, Run("\n")]


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


def _block(runs: Runs, *, work: Work | None = None, studies: tuple[Study, ...] = ()) -> Block:
    text = ""
    skills: dict[str, list[tuple[int, int]]] = {}
    for run in runs:
        if run.label == "skill" and run.value:
            skills.setdefault(run.value, []).append((len(text), len(text) + len(run.text)))
        text += run.text
    packed, length = pack(text)
    return Block(
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
    found = [run.value or run.text for run in runs if run.label == label and (of is None or run.of == of)]
    return tuple(dict.fromkeys(found))


def _first(values: tuple[str, ...]) -> str | None:
    return values[0] if values else None


def _work(runs: Runs, of: str, as_of: str) -> Work:
    title = _first(_values(runs, "title", of))
    stated = [end for value in _values(runs, "date", of) for end in value.split("/")]
    start, end = (stated[0], stated[-1]) if len(stated) > 1 else (None, None)
    lengths = _values(runs, "duration", of)
    first = month_number(start if "-" in start else f"{start}-01") if start and start != "present" else None
    last = month_number(as_of if end == "present" else end) if end else None
    months = last - first + 1 if first is not None and last is not None else None
    if months is None and lengths:
        months = int(lengths[0])
    return Work(
        title=title,
        employer=_first(_values(runs, "employer", of)),
        start=first,
        end=last,
        present=end == "present",
        months=months,
        title_terms=tuple(dict.fromkeys(map(term_id, title_terms(title or "")))),
    )


def _studies(runs: Runs, levels: Mapping[str, str]) -> tuple[Study, ...]:
    found = []
    for of in dict.fromkeys(run.of for run in runs if run.of and run.of.startswith("study ")):
        degree, field = _first(_values(runs, "degree", of)), _first(_values(runs, "field", of))
        university = _first(_values(runs, "university", of))
        numbers = tuple(dict.fromkeys(map(term_id, terms(field or ""))))
        found.append(Study(degree, levels.get(degree or ""), field, university, numbers))
    return tuple(found)
