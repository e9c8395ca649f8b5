"""Degrees from their blocks: what, where, in which field, when, how well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.mining.assembly.blocks import STUDY, Block
from evenhand.mining.assembly.mentions import Mention
from evenhand.mining.assembly.records import STUDY_KEYS, split_records
from evenhand.mining.dates import DateSpan, Moment
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
    sheet: Sheet, blocks: Sequence[Block], mentions: Sequence[Mention], spans: Sequence[DateSpan]
) -> list[Study]:
    studies = []
    for block in blocks:
        if block.kind != STUDY:
            continue
        found = [mention for mention in mentions if block.holds(mention.line)]
        for record in split_records(block, found, STUDY_KEYS):
            if not (record.first("university") or record.first("degree")):
                continue
            lines = sorted({mention.line for group in record.fields.values() for mention in group})
            year = _year(sheet, record.fields.get("dates", ()), spans, lines)
            studies.append(
                Study(
                    lines[0],
                    lines[-1] + 1,
                    record.first("university"),
                    record.first("degree"),
                    record.first("field"),
                    record.first("performance"),
                    year,
                )
            )
    return studies


def _year(
    sheet: Sheet, called: Sequence[Mention], spans: Sequence[DateSpan], lines: Sequence[int]
) -> tuple[str, int, int] | None:
    """The year in which it ended: the last year that its dates name."""
    own = [
        span
        for span in spans
        if any(span.start < mention.end and mention.start < span.end for mention in called)
    ]
    near = [
        span
        for span in spans
        if span.kind in ("range", "point")
        and any(sheet.lines[line].start <= span.start < sheet.lines[line].end for line in lines)
    ]
    for span in own or near:
        last = span.last if isinstance(span.last, Moment) else span.first
        if last is not None and span.kind != "birth":
            digits = str(last.year)
            text = sheet.document.text[span.start : span.end]
            at = text.rfind(digits)
            return (
                (digits, span.start + at, span.start + at + 4) if at >= 0 else (digits, span.start, span.end)
            )
    return None
