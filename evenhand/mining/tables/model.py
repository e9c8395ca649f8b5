"""The trained classifiers of tables and columns: named weights in plain text, evaluated with numpy alone."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SHIPPED = Path(__file__).resolve().parent.parent / "models" / "tables.json"
_DIGITS = 4  # of a weight: more would only tell machines apart


@dataclass(frozen=True)
class LinearModel:
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
    def from_json(cls, data: Mapping[str, Any]) -> LinearModel:
        weights = data["weights"]
        return cls(
            tuple(data["classes"]),
            tuple(weights),
            np.array(list(weights.values()), np.float64),
            np.array(data["bias"], np.float64),
        )


@dataclass(frozen=True)
class TableModel:
    tables: LinearModel
    columns: LinearModel
    about: Mapping[str, Any]  # how it was trained

    def to_bytes(self) -> bytes:
        """One feature per line, so that a person can search it and a change can be seen."""
        data = {"about": dict(self.about), "tables": self.tables.to_json(), "columns": self.columns.to_json()}
        text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return text.replace('],"', '],\n"').encode() + b"\n"

    @classmethod
    def from_bytes(cls, data: bytes) -> TableModel:
        read = json.loads(data)
        return cls(
            LinearModel.from_json(read["tables"]), LinearModel.from_json(read["columns"]), read["about"]
        )


@cache
def shipped_model() -> TableModel:
    return TableModel.from_bytes(SHIPPED.read_bytes())


def _rounded(values: NDArray[np.float64]) -> list[float]:
    return [round(float(value), _DIGITS) + 0.0 for value in values]  # + 0.0: no minus zero
