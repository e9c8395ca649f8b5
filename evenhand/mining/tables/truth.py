"""The right answers about the tables of an annotated document, from the labels of its lines and spans."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.mining.examples import Example, Span
from evenhand.mining.tables.analysis import COLUMN_TYPES, EDUCATION, LEAST_CELLS, PAST_EMPLOYER, PERSONAL
from evenhand.mining.tables.features import Looked, look_at
from evenhand.mining.tables.labels import (
    DEGREE,
    DESIGNATION,
    EMPLOYER,
    OTHER,
    PERFORMANCE,
    PERIOD,
    SPECIALIZATION,
    UNIVERSITY,
    YEAR,
)
from evenhand.mining.tables.shape import GRID
from evenhand.mining.tables.views import table_views
from evenhand.records.document import Document, Line

_MAJORITY = 0.6  # of the lines: a table of several sections is a frame for the layout
_SECTIONS = {"education": EDUCATION, "experience": PAST_EMPLOYER, "personal": PERSONAL}
_COLUMNS: Mapping[str, Mapping[str, str]] = {
    EDUCATION: {
        "university": UNIVERSITY,
        "degree": DEGREE,
        "dates": YEAR,
        "performance": PERFORMANCE,
        "field": SPECIALIZATION,
    },
    PAST_EMPLOYER: {"employer": EMPLOYER, "dates": PERIOD, "duration": PERIOD, "title": DESIGNATION},
}


@dataclass(frozen=True, slots=True)
class TrueTable:
    looked: Looked
    type: str
    columns: Mapping[int, str]  # by place in the view; only of 2-D tables of studies or employers


def true_tables(example: Example) -> list[TrueTable]:
    tables = []
    for view in table_views(example.document):
        if view.filled < LEAST_CELLS:
            continue
        looked = look_at(view)
        spans = {place: _spans_in(example.spans, example.document.lines[place]) for place in view.lines}
        type_ = _type(example, view.lines, spans)
        columns = {}
        if looked.shape.kind == GRID and type_ in COLUMN_TYPES:
            columns = _columns(example.document, looked, type_, spans)
        tables.append(TrueTable(looked, type_, columns))
    return tables


def _spans_in(spans: Sequence[Span], line: Line) -> list[Span]:
    first = bisect_left(spans, line.start, key=lambda span: span.start)
    last = bisect_left(spans, line.end, key=lambda span: span.start)
    return list(spans[first:last])


def _type(example: Example, places: Sequence[int], spans: Mapping[int, list[Span]]) -> str:
    """By the section of most lines. A table about a project names no employer, wherever it stands: that is other."""
    sections = Counter(example.line_labels[place].split(".")[0] for place in places)
    section, count = sections.most_common(1)[0]
    type_ = _SECTIONS.get(section, OTHER)
    if count < _MAJORITY * len(places):
        return OTHER
    labels = {span.label for found in spans.values() for span in found}
    if type_ == PAST_EMPLOYER and "employer" not in labels:
        return OTHER
    return type_


def _columns(
    document: Document, looked: Looked, type_: str, spans: Mapping[int, list[Span]]
) -> dict[int, str]:
    view, shape = looked.view, looked.shape
    rows = {number: place for place, number in enumerate(view.row_numbers)}
    lengths: dict[tuple[int, int], Counter[str]] = {}
    for place, found in spans.items():
        table = document.lines[place].table
        if table is None or table[1] not in rows or rows[table[1]] < shape.first_record:
            continue
        cell = lengths.setdefault((rows[table[1]], table[2]), Counter())
        for span in found:
            if name := _COLUMNS[type_].get(span.label):
                cell[name] += span.end - span.start
    columns = {}
    for place, number in enumerate(view.column_numbers):
        filled = [row for row in range(shape.first_record, len(view.cells)) if view.cells[row][place]]
        votes = Counter(_cell_type(lengths.get((row, number), Counter())) for row in filled)
        name, count = votes.most_common(1)[0] if votes else (OTHER, 0)
        columns[place] = name if count * 2 >= len(filled) else OTHER
    return columns


def _cell_type(lengths: Counter[str]) -> str:
    """What takes most room in the cell; a field behind a degree belongs to it, however long."""
    if DEGREE in lengths and SPECIALIZATION in lengths:
        lengths[DEGREE] += lengths.pop(SPECIALIZATION)
    return max(lengths, key=lambda name: (lengths[name], name)) if lengths else OTHER
