"""Jobs and projects from their blocks: employer, title, dates, place, client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from evenhand.mining.assembly.blocks import (
    JOB,
    KEYS,
    TASK,
    Block,
    DatesByPlace,
    EntryMentions,
    Mention,
    mentions_by_line,
    split_records,
)
from evenhand.mining.layout import ResumeLayout
from evenhand.mining.lexicon.phrases import key_of
from evenhand.text.date_values import PartialDate, Present

PROJECT_KEYS = ("project", "client", "dates")


@dataclass(frozen=True, slots=True)
class Dated:
    """When something was: between two moments, or a length alone; `start` and `end` are places in the text."""

    first: PartialDate | None
    last: PartialDate | Present | None
    months: int | None
    start: int
    end: int


@dataclass(slots=True)
class WorkMentions:
    """A job or project with the mentions that tell of it; lines `first` up to but not including `last` are its own."""

    kind: str
    first: int
    last: int
    employer: Mention | None
    title: Mention | None
    location: Mention | None
    client: Mention | None
    project: Mention | None
    dated: Dated | None
    parent: int | None = None  # number of the job in the list
    more: list[tuple[int, int]] = field(default_factory=list)  # lines of a second account of the same job


def find_works(
    layout: ResumeLayout, blocks: Sequence[Block], mentions: Sequence[Mention], dates: DatesByPlace
) -> list[WorkMentions]:
    by_line = mentions_by_line(mentions)
    works: list[WorkMentions] = []
    numbers: dict[int, int] = {}  # of the block to the last job made from it
    for place, block in enumerate(blocks):
        if block.kind not in (JOB, TASK):
            continue
        keys = KEYS if block.kind == JOB else PROJECT_KEYS
        own = [
            replace(mention, label="location") if mention.label == "employer" and line in block.places else mention
            for line in block.head
            for mention in by_line.get(line, ())
        ]
        records = split_records(block, own, keys)
        firsts = [block.first, *(min(record.lines, default=block.first) for record in records[1:])]
        for record, first, end in zip(records, firsts, [*firsts[1:], block.last], strict=True):
            work = _work(layout, record, first, max(end, first + 1), dates)
            if work is None:
                continue
            if block.kind == TASK:
                work.parent = numbers.get(block.parent) if block.parent is not None else None
            else:
                numbers[place] = len(works)
            works.append(work)
    # A second role under one employer names only title and dates: it has the employer of the role above.
    for above, work in pairwise(work for work in works if work.kind == JOB):
        if work.employer is None and work.title and work.dated:
            work.employer = above.employer
    return works


def _work(
    layout: ResumeLayout, record: EntryMentions, first: int, last: int, dates: DatesByPlace
) -> WorkMentions | None:
    """`first` up to `last` are the lines of the record: from its first mention to that of the next."""
    kind = record.block.kind
    dated = find_dated(layout, record, dates, [line for line in record.block.head if first <= line < last])
    labels = ("employer", "title", "location", "client", "project")
    employer, title, location, client, project = map(record.first, labels)
    work = WorkMentions(kind, first, last, employer, title, location, client, project, dated)
    is_named = work.employer or work.title if kind == JOB else work.project or work.client or work.dated
    return work if is_named else None


def find_dated(layout: ResumeLayout, record: EntryMentions, dates: DatesByPlace, lines: Sequence[int]) -> Dated | None:
    """The time of a record: a range in its head; two single dates there as its ends; one alone; else a length."""
    near = [span for line in lines for span in dates.in_line(layout.lines[line])]
    own = [span for mention in record.fields.get("dates", ()) for span in dates.touching(mention.start, mention.end)]
    for candidates in (own, near):
        span = next((span for span in candidates if span.kind == "range"), None)
        if span:
            return Dated(span.first, span.last, None, span.start, span.end)
    points = [span for span in own if span.kind == "point"] or [span for span in near if span.kind == "point"]
    if len(points) >= 2 and points[0].first and points[1].first and points[0].first.index < points[1].first.index:
        return Dated(points[0].first, points[1].last, None, points[0].start, points[1].end)
    if points:
        return Dated(points[0].first, points[0].last, None, points[0].start, points[0].end)
    lengths = [span for span in near if span.kind == "duration"]
    if lengths and (record.fields.get("duration") or record.block.kind == TASK):
        return Dated(None, None, lengths[0].months, lengths[0].start, lengths[0].end)
    return None


# One job told twice: in a list of employers at the top, and again where its projects are described.

OPEN_END = 10**6  # later than any month


def merged_works(layout: ResumeLayout, works: Sequence[WorkMentions]) -> list[WorkMentions]:
    """A job is the same as an earlier one of the same employer whose time holds its own, unless both have other titles.

    The first account stays; the later one fills in what it lacks, and its lines count for the job as well.
    """
    result: list[WorkMentions] = []
    numbers: dict[int, int] = {}  # of the old list to the new one
    for place, work in enumerate(works):
        same = _same(layout, result, work) if work.kind == JOB else None
        if same is None:
            numbers[place] = len(result)
            if work.parent is not None:
                work.parent = numbers[work.parent]
            result.append(work)
            continue
        numbers[place] = same
        first = result[same]
        first.title = first.title or work.title
        first.location = first.location or work.location
        first.dated = first.dated or work.dated
        first.more.append((work.first, work.last))
    return result


def _same(layout: ResumeLayout, earlier: Sequence[WorkMentions], work: WorkMentions) -> int | None:
    for number, other in enumerate(earlier):
        if (
            other.kind == JOB
            and _alike(layout, other.employer, work.employer)
            and (other.title is None or work.title is None or _alike(layout, other.title, work.title))
            and _fits(other.dated, work.dated)
        ):
            return number
    return None


def _alike(layout: ResumeLayout, one: Mention | None, other: Mention | None) -> bool:
    if one is None or other is None:
        return False
    text = layout.document.text
    return key_of(text[one.start : one.end]) == key_of(text[other.start : other.end])


def _fits(outer: Dated | None, inner: Dated | None) -> bool:
    """Whether one account has no dates, or the dates of the second lie within those of the first."""
    if outer is None or inner is None:
        return True
    if outer.first is None or inner.first is None:
        return False
    return outer.first.index <= inner.first.index and _end(inner) <= _end(outer)


def _end(dated: Dated) -> int:
    if not isinstance(dated.last, PartialDate):
        return OPEN_END
    return dated.last.index + (11 if dated.last.month is None else 0)
