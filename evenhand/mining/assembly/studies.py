"""Degrees from their blocks: what, where, in which field, when, how well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.mining.assembly.blocks import STUDY, Block
from evenhand.mining.assembly.mentions import Mention
from evenhand.mining.assembly.records import STUDY_KEYS, Record, split_records
from evenhand.mining.assembly.stretches import DatesByPlace
from evenhand.mining.dates import Moment
from evenhand.mining.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Study:
    first: int
    last: int
    university: Mention | None
    degree: Mention | None
    field: Mention | None
    performance: Mention | None
    year: tuple[str, int, int] | None  # with its place in the text


def find_studies(
    sheet: Sheet, blocks: Sequence[Block], mentions: Sequence[Mention], dates: DatesByPlace
) -> list[Study]:
    by_line: dict[int, list[Mention]] = {}
    for mention in mentions:
        by_line.setdefault(mention.line, []).append(mention)
    studies = []
    for block in blocks:
        if block.kind != STUDY:
            continue
        found = [mention for line in range(block.first, block.last) for mention in by_line.get(line, ())]
        records = [
            record
            for record in split_records(block, found, STUDY_KEYS)
            if record.first("university") or record.first("degree")
        ]
        for record in records:
            studies.append(_study(sheet, record, dates, is_alone=len(records) == 1))
    return studies


def _study(sheet: Sheet, record: Record, dates: DatesByPlace, *, is_alone: bool) -> Study:
    lines = sorted({mention.line for group in record.fields.values() for mention in group})
    year = _year(sheet, record, dates, lines)
    if year is None and is_alone:  # a year on a line of its own
        year = _year(sheet, record, dates, range(record.block.first, record.block.last))
    return Study(
        lines[0],
        lines[-1] + 1,
        record.first("university"),
        record.first("degree"),
        record.first("field"),
        record.first("performance"),
        year,
    )


def _year(
    sheet: Sheet, record: Record, dates: DatesByPlace, lines: Sequence[int]
) -> tuple[str, int, int] | None:
    """The year in which it ended: the last year that its dates name."""
    called = record.fields.get("dates", ())
    own = [span for mention in called for span in dates.touching(mention.start, mention.end)]
    near = [span for line in lines for span in dates.in_line(sheet.lines[line])]
    for span in own or near:
        last = span.last if isinstance(span.last, Moment) else span.first
        if last is not None and span.kind in ("range", "point"):
            digits = str(last.year)
            at = sheet.document.text[span.start : span.end].rfind(digits)
            if at < 0:
                return digits, span.start, span.end
            return digits, span.start + at, span.start + at + len(digits)
    return None
