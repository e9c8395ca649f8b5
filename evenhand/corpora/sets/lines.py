"""Lines of resumes labelled by section."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evenhand.corpora.sets.files import csv_rows
from evenhand.corpora.sets.records import SectionLine

_TYPING_ERRORS = {"otherse": "others"}
HEAD_LINES = 2  # so many lines of contact data in a row begin a new resume


def read_section_lines(folder: Path) -> Iterator[SectionLine]:
    """In document order. The set does not say where a resume ends: two lines of contact data after others begin one."""
    document = 0
    has_body = False
    pending: list[SectionLine] = []
    for row in csv_rows(folder / "clean_cv_data.csv"):
        section = _TYPING_ERRORS.get(row["sub_label"], row["sub_label"])
        line = SectionLine(document, row["clean_text"], row["main_label"], section)
        if line.kind == "meta" and section == "others":
            pending.append(line)
            continue
        if has_body and len(pending) >= HEAD_LINES:
            document += 1
        yield from _in_document(pending, document)
        pending = []
        has_body = True
        yield from _in_document([line], document)
    yield from _in_document(pending, document)


def _in_document(lines: list[SectionLine], document: int) -> Iterator[SectionLine]:
    for line in lines:
        yield SectionLine(document, line.text, line.kind, line.section)
