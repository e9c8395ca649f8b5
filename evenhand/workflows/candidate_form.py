"""Form data as the applicant typed it: nobody prescribes its fields, so whatever is there becomes rows to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

MOST_ROWS = 200
MOST_LETTERS = 4_000  # of one value


def form_rows(form: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """(label, value): what lies inside other fields has their names before its own."""
    rows: list[tuple[str, str]] = []
    for row in _rows("", form):
        if len(rows) == MOST_ROWS:
            rows.append(("…", "There is more of it in the export of the application."))
            break
        rows.append(row)
    return tuple(rows)


def _rows(label: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _rows(_joined(label, str(key).replace("_", " ").strip()), inner)
    elif isinstance(value, list | tuple) and any(isinstance(each, Mapping | list | tuple) for each in value):
        for number, inner in enumerate(value, start=1):
            yield from _rows(_joined(label, str(number)), inner)
    else:
        yield label, _words(value)


def _joined(label: str, name: str) -> str:
    return f"{label} › {name}" if label else name


def _words(value: Any) -> str:
    if isinstance(value, list | tuple):
        text = ", ".join(map(_words, value))
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = "" if value is None else str(value)
    return text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS] + " …"
