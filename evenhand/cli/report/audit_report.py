"""The report of an audit: in the terminal, to files, and as an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import typer
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from evenhand.cli.terminal import print_rich, write_stderr, write_stdout
from evenhand.records.report import Chart, Report, ReportTable, Severity, TextPair
from evenhand.rendering.cells import printable
from evenhand.rendering.report_page import SYMBOLS, WORDS, day, in_order, kicker, pieces, verdict

COLOURS: dict[Severity, str] = {"concern": "red", "watch": "yellow", "unknown": "cyan", "clear": "green"}


def _rows(report: Report) -> Iterator[RenderableType]:
    yield Text(kicker(report), style="dim")
    yield Text(printable(report.title), style="bold")
    yield Text(printable(f"{report.subject} ({day(report.made)})"))
    colour = COLOURS[report.worst]
    yield Text(f"\n{SYMBOLS[report.worst]} {verdict(report)}\n", style=f"bold {colour}")
    for finding in in_order(report.findings):
        word = f"{SYMBOLS[finding.severity]} {WORDS[finding.severity]}"
        yield Text.assemble((word, f"bold {COLOURS[finding.severity]}"), "  ", (printable(finding.title), "bold"))
        yield Padding(Text(printable(finding.sentence)), (0, 0, 0, 2))
        if finding.action:
            yield Padding(Text(printable(f"What to do: {finding.action}")), (0, 0, 0, 2))
        yield Text("")
    for section in report.sections:
        yield Text(f"\n{printable(section.title)}", style="bold underline")
        for block in section.blocks:
            match block:
                case ReportTable() if _width(block) <= Console().width:
                    yield _table(block)
                case ReportTable():
                    yield from _rows_alone(block)
                case Chart():
                    yield Text(f"\n{printable(block.title)}", style="bold")
                    yield Text(printable(block.words))
                case TextPair():
                    yield from _pair(block)
                case _:
                    yield Text(printable(block.text))
    yield from _listed("How it was measured", report.method)
    yield from _listed("What this cannot tell", report.limits)
    yield from _listed("For the record", [f"{name}: {value}" for name, value in report.facts])


def _table(grid: ReportTable) -> Table:
    note = Text(printable(grid.note)) if grid.note else None
    table = Table(title=Text(printable(grid.title)), title_justify="left", caption=note, caption_justify="left")
    for at, column in enumerate(grid.columns):
        table.add_column(Text(printable(column)), justify="right" if at in grid.numeric else "left")
    for row in grid.rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table


def _width(grid: ReportTable) -> int:
    """Letters that a table needs so that nothing in it is cut."""
    columns = zip(grid.columns, *grid.rows, strict=True)
    return sum(max(cell_len(cell) for cell in column) + 3 for column in columns) + 1


def _rows_alone(grid: ReportTable) -> Iterator[RenderableType]:
    """Of a table that is too wide: each row as a line of its own, with the names of its columns."""
    yield Text(f"\n{printable(grid.title)}", style="bold")
    for row in grid.rows:
        named = [f"{name} {cell}" for name, cell in zip(grid.columns[1:], row[1:], strict=True) if cell.strip()]
        yield Text.assemble((printable(row[0]), "bold"), printable(f": {'; '.join(named)}"))
    if grid.note:
        yield Text(printable(grid.note), style="italic")


def _pair(pair: TextPair) -> Iterator[RenderableType]:
    yield Text(f"\n{printable(pair.title)}", style="bold")
    for stretch, outcome in ((pair.left, pair.left_outcome), (pair.right, pair.right_outcome)):
        yield Text(printable(outcome), style="italic")
        text = Text()
        for piece, is_marked in pieces(stretch):
            words = "\n".join(map(printable, piece.split("\n")))
            text.append(f"[{words}]" if is_marked else words, style="bold reverse" if is_marked else "")
        yield Padding(text, (0, 0, 0, 2))


def _listed(title: str, rows: list[str] | tuple[str, ...]) -> Iterator[RenderableType]:
    if rows:
        yield Text(f"\n{title}", style="bold underline")
        yield from (Text(printable(f"- {row}")) for row in rows)


FAILED = 3  # a finding is as bad as --fail-on; 1 and 2 are faults and wrong usage


def finish(
    report: Report,
    *,
    json: bool = False,
    html: Path | None = None,
    pdf: Path | None = None,
    fail_on: Literal["concern", "watch"] | None = None,
) -> None:
    """Print it, write what was asked for, and end with 3 when a finding is as bad as that."""
    from evenhand.rendering.report_pdf import json_bytes, write_report

    write_report(report, html=html, pdf=pdf)
    if json:
        write_stdout(json_bytes(report).decode("utf-8"))
    else:
        # Findings first, then tables; charts as their words.
        print_rich(Group(*_rows(report), Text("")))
    for file in (html, pdf):
        if file is not None:
            write_stderr(f"The report is in {file}.")
    if is_failed(report, fail_on):
        raise typer.Exit(FAILED)


def is_failed(report: Report, fail_on: Literal["concern", "watch"] | None) -> bool:
    bad = {"concern": ("concern",), "watch": ("concern", "watch")}.get(fail_on or "", ())
    return any(finding.severity in bad for finding in report.findings)
