"""The public figures of Local Law 144 as files: JSON with everything, CSV for whoever puts them on a page."""

from __future__ import annotations

from evenhand.audit.outcomes.ll144 import Ll144Summary
from evenhand.records import canonical_json
from evenhand.workflows.cells import BYTE_ORDER_MARK, Cell, csv_lines


def ll144_bytes(summary: Ll144Summary, *, is_csv: bool) -> bytes:
    if not is_csv:
        return (canonical_json(summary.to_json()) + "\n").encode("utf-8", "backslashreplace")
    unknown: list[list[Cell]] = [[f"unknown: {name}", many] for name, many in summary.unknown.items()]
    rows: list[list[Cell]] = [
        ["tool", summary.tool],
        ["audit_date", summary.audited],
        ["distribution_date", summary.distributed],
        ["data_statement", summary.data_statement],
        *unknown,
        [],
        *(list(row) for row in summary.rows()),
    ]
    return (BYTE_ORDER_MARK + "".join(csv_lines(rows))).encode("utf-8", "replace")
