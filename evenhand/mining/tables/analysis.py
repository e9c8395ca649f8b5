"""The table analyzer: what each table of a document tells of, and what stands in which column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.mining.tables.features import Looked, column_features, look_at, table_features
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
from evenhand.mining.tables.model import TableModel
from evenhand.mining.tables.shape import GRID
from evenhand.mining.tables.views import table_views
from evenhand.records.document import Document

EDUCATION, PAST_EMPLOYER, PERSONAL = "education", "past_employer", "personal"
TABLE_TYPES = (EDUCATION, PAST_EMPLOYER, PERSONAL, OTHER)
COLUMN_TYPES: Mapping[str, tuple[str, ...]] = {
    EDUCATION: (UNIVERSITY, DEGREE, YEAR, PERFORMANCE, SPECIALIZATION, OTHER),
    PAST_EMPLOYER: (EMPLOYER, PERIOD, DESIGNATION, OTHER),
}
LEAST_CELLS = 2  # one filled cell is a box around a line, not a table


@dataclass(frozen=True, slots=True)
class TableReading:
    """`columns` names the type of each column of a 2-D table of studies or employers, and is empty for any other."""

    index: int  # in document.tables
    type: str  # education, past_employer, personal or other
    is_grid: bool  # records in rows, fields in columns
    header_row: int | None
    columns: Mapping[int, str]

    @property
    def has_header(self) -> bool:
        return self.header_row is not None


@dataclass(frozen=True, slots=True)
class TableAnalysis:
    """The readings, and for every line of the document the type of its table and of its column."""

    tables: tuple[TableReading, ...]
    table_types: tuple[str | None, ...]
    column_types: tuple[str | None, ...]  # None in the header, whose words are no values


def analyse(document: Document, model: TableModel) -> TableAnalysis:
    nothing = (None,) * len(document.lines)
    if not document.tables:
        return TableAnalysis((), nothing, nothing)
    readings = tuple(read_table(look_at(view), model) for view in table_views(document))
    types, columns = _by_line(document, readings)
    return TableAnalysis(readings, types, columns)


def read_table(looked: Looked, model: TableModel) -> TableReading:
    view, shape = looked.view, looked.shape
    type_ = model.tables.classify(table_features(looked)) if view.filled >= LEAST_CELLS else OTHER
    is_grid = shape.kind == GRID
    columns = {}
    if is_grid and type_ in COLUMN_TYPES:
        for place, number in enumerate(view.column_numbers):
            features = column_features(looked, place, type_)
            columns[number] = model.columns.classify(features, among=COLUMN_TYPES[type_])
    header = None if shape.header is None else view.row_numbers[shape.header]
    return TableReading(view.index, type_, is_grid, header, columns)


def _by_line(
    document: Document, readings: Sequence[TableReading]
) -> tuple[tuple[str | None, ...], tuple[str | None, ...]]:
    by_index = {reading.index: reading for reading in readings}
    types: list[str | None] = []
    columns: list[str | None] = []
    for line in document.lines:
        reading = by_index.get(line.table[0]) if line.table else None
        if reading is None or line.table is None:
            types.append(None)
            columns.append(None)
            continue
        is_value = reading.header_row is None or line.table[1] > reading.header_row
        types.append(reading.type)
        columns.append(reading.columns.get(line.table[2]) if is_value else None)
    return tuple(types), tuple(columns)
