"""A report from its JSON form: what was kept or written to a file becomes the record again."""

from __future__ import annotations

from typing import Any

from evenhand.records.report import (
    SEVERITIES,
    Block,
    Chart,
    Finding,
    Grid,
    Pair,
    Paragraph,
    Report,
    Section,
    Stretch,
)


def report_from_json(value: dict[str, Any]) -> Report:
    """Raises ValueError, KeyError or TypeError for what is none."""
    return Report(
        kind=str(value["kind"]),
        title=str(value["title"]),
        subject=str(value["subject"]),
        made=str(value["made"]),
        findings=tuple(map(_finding, value["findings"])),
        sections=tuple(map(_section, value["sections"])),
        method=tuple(map(str, value["method"])),
        limits=tuple(map(str, value["limits"])),
        facts=tuple((str(name), str(fact)) for name, fact in value["facts"]),
        data=dict(value["data"]),
    )


def _finding(value: dict[str, Any]) -> Finding:
    severity = value["severity"]
    if severity not in SEVERITIES:
        raise ValueError(f"There is no severity {severity!r}.")
    return Finding(
        value["code"], severity, value["title"], value["sentence"], value["action"], dict(value["figures"])
    )


def _section(value: dict[str, Any]) -> Section:
    return Section(value["title"], tuple(map(_block, value["blocks"])))


def _block(value: dict[str, Any]) -> Block:
    match value["type"]:
        case "paragraph":
            return Paragraph(value["text"])
        case "table":
            rows = tuple(tuple(map(str, row)) for row in value["rows"])
            numeric = frozenset(value.get("numeric", ()))
            return Grid(value["title"], tuple(value["columns"]), rows, numeric=numeric, note=value["note"])
        case "chart":
            return Chart(value["title"], value["spec"], value["words"])
        case "pair":
            sides = _stretch(value["left"]), _stretch(value["right"])
            return Pair(value["title"], *sides, value["left_outcome"], value["right_outcome"])
        case other:
            raise ValueError(f"There is no block {other!r}.")


def _stretch(value: dict[str, Any]) -> Stretch:
    return Stretch(value["text"], tuple((int(start), int(end)) for start, end in value["marks"]))
