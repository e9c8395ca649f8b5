"""The table analyzer: what each table of a document tells of, and what stands in which column."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.mining.tables.features import AnalysedTable, analyse_table, column_features, table_features
from evenhand.mining.tables.shape import (
    DEGREE,
    DESIGNATION,
    EMPLOYER,
    GRID,
    OTHER,
    PERFORMANCE,
    PERIOD,
    SPECIALIZATION,
    UNIVERSITY,
    YEAR,
    table_views,
)
from evenhand.records.document import Document

# The trained classifiers of tables and columns: named weights in plain text, evaluated with numpy alone.

SHIPPED = Path(__file__).resolve().parent.parent / "models" / "tables.json"
_DIGITS = 4  # of a weight: more would only tell machines apart


@dataclass(frozen=True)
class TableClassifier:
    """One row of weights per feature and one column per class; the highest sum is the answer."""

    classes: tuple[str, ...]
    features: tuple[str, ...]
    weights: NDArray[np.float64]
    bias: NDArray[np.float64]

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.features)}

    def scores(self, features: Mapping[str, float]) -> NDArray[np.float64]:
        rows = self._rows
        known = [(rows[name], value) for name, value in features.items() if name in rows]
        if not known:
            return self.bias
        places, values = zip(*known, strict=True)
        result: NDArray[np.float64] = np.asarray(values) @ self.weights[list(places)] + self.bias
        return result

    def classify(self, features: Mapping[str, float], *, among: Collection[str] | None = None) -> str:
        scores = self.scores(features)
        allowed = [place for place, name in enumerate(self.classes) if among is None or name in among]
        return self.classes[max(allowed, key=lambda place: scores[place])]

    def to_json(self) -> dict[str, Any]:
        return {
            "classes": list(self.classes),
            "bias": _rounded(self.bias),
            "weights": {name: _rounded(row) for name, row in zip(self.features, self.weights, strict=True)},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TableClassifier:
        weights = data["weights"]
        return cls(
            tuple(data["classes"]),
            tuple(weights),
            np.array(list(weights.values()), np.float64),
            np.array(data["bias"], np.float64),
        )


@dataclass(frozen=True)
class TableModel:
    tables: TableClassifier
    columns: TableClassifier
    about: Mapping[str, Any]  # how it was trained

    def to_bytes(self) -> bytes:
        """One feature per line, so that a person can search it and a change can be seen."""
        data = {"about": dict(self.about), "tables": self.tables.to_json(), "columns": self.columns.to_json()}
        text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return text.replace('],"', '],\n"').encode() + b"\n"

    @classmethod
    def from_bytes(cls, data: bytes) -> TableModel:
        read = json.loads(data)
        return cls(TableClassifier.from_json(read["tables"]), TableClassifier.from_json(read["columns"]), read["about"])


@cache
def shipped_model() -> TableModel:
    return TableModel.from_bytes(SHIPPED.read_bytes())


def _rounded(values: NDArray[np.float64]) -> list[float]:
    return [round(float(value), _DIGITS) + 0.0 for value in values]  # + 0.0: no minus zero


EDUCATION, PAST_EMPLOYER, PERSONAL = "education", "past_employer", "personal"
TABLE_TYPES = (EDUCATION, PAST_EMPLOYER, PERSONAL, OTHER)
COLUMN_TYPES: Mapping[str, tuple[str, ...]] = {
    EDUCATION: (UNIVERSITY, DEGREE, YEAR, PERFORMANCE, SPECIALIZATION, OTHER),
    PAST_EMPLOYER: (EMPLOYER, PERIOD, DESIGNATION, OTHER),
}
MIN_CELLS = 2  # one filled cell is a box around a line, not a table


@dataclass(frozen=True, slots=True)
class TableReading:
    """`columns` names the type of each column of a 2-D table of studies or employers, and is empty for any other."""

    index: int  # in document.tables
    type: str  # education, past_employer, personal or other
    is_grid: bool  # records in rows, fields in columns
    header_row: int | None
    columns: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class TableAnalysis:
    """The readings, and for every line of the document the type of its table and of its column."""

    tables: tuple[TableReading, ...]
    table_types: tuple[str | None, ...]
    column_types: tuple[str | None, ...]  # None in the header, whose words are no values


def analyse(document: Document, model: TableModel) -> TableAnalysis:
    views = table_views(document) if document.tables else ()
    readings = tuple(read_table(analyse_table(view), model) for view in views)
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
    return TableAnalysis(readings, tuple(types), tuple(columns))


def read_table(looked: AnalysedTable, model: TableModel) -> TableReading:
    view, shape = looked.view, looked.shape
    type_ = model.tables.classify(table_features(looked)) if view.filled >= MIN_CELLS else OTHER
    is_grid = shape.kind == GRID
    columns = {}
    if is_grid and type_ in COLUMN_TYPES:
        for place, number in enumerate(view.column_numbers):
            features = column_features(looked, place, type_)
            columns[number] = model.columns.classify(features, among=COLUMN_TYPES[type_])
    header = None if shape.header is None else view.row_numbers[shape.header]
    return TableReading(view.index, type_, is_grid, header, columns)
