"""One job told twice: in a list of employers at the top, and again where its projects are described."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.mining.assembly.blocks import JOB
from evenhand.mining.assembly.jobs import Dated, Work
from evenhand.mining.assembly.mentions import Mention
from evenhand.mining.dates import Moment
from evenhand.mining.lexicon.phrases import key_of
from evenhand.mining.sheet import Sheet

OPEN_END = 10**6  # later than any month


def merged_works(sheet: Sheet, works: Sequence[Work]) -> list[Work]:
    """A job is the same as an earlier one of the same employer whose time holds its own, unless both have other titles.

    The first account stays; the later one fills in what it lacks, and its lines count for the job as well.
    """
    kept: list[Work] = []
    numbers: dict[int, int] = {}  # of the old list to the new one
    for place, work in enumerate(works):
        same = _same(sheet, kept, work) if work.kind == JOB else None
        if same is None:
            numbers[place] = len(kept)
            if work.parent is not None:
                work.parent = numbers[work.parent]
            kept.append(work)
            continue
        numbers[place] = same
        first = kept[same]
        first.title = first.title or work.title
        first.location = first.location or work.location
        first.dated = first.dated or work.dated
        first.more.append((work.first, work.last))
    return kept


def _same(sheet: Sheet, kept: Sequence[Work], work: Work) -> int | None:
    for number, other in enumerate(kept):
        if (
            other.kind == JOB
            and _alike(sheet, other.employer, work.employer)
            and (other.title is None or work.title is None or _alike(sheet, other.title, work.title))
            and _fits(other.dated, work.dated)
        ):
            return number
    return None


def _alike(sheet: Sheet, one: Mention | None, other: Mention | None) -> bool:
    if one is None or other is None:
        return False
    text = sheet.document.text
    return key_of(text[one.start : one.end]) == key_of(text[other.start : other.end])


def _fits(outer: Dated | None, inner: Dated | None) -> bool:
    """Whether one account has no dates, or the dates of the second lie within those of the first."""
    if outer is None or inner is None:
        return True
    if outer.first is None or inner.first is None:
        return False
    return outer.first.index <= inner.first.index and _end(inner) <= _end(outer)


def _end(dated: Dated) -> int:
    return (
        dated.last.index + (11 if dated.last.month is None else 0)
        if isinstance(dated.last, Moment)
        else OPEN_END
    )
