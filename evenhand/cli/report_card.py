"""A report of an audit in the terminal: findings first, then tables; charts as their words."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from evenhand.audit.pages.wording import SYMBOLS, WORDS, day, in_order, kicker, pieces, verdict
from evenhand.cli.terminal import printable, show
from evenhand.records.report import Block, Chart, Finding, Grid, Pair, Report, Severity, Stretch

COLOURS: dict[Severity, str] = {"concern": "red", "watch": "yellow", "unknown": "cyan", "clear": "green"}


def show_report(report: Report) -> None:
    """To stdout."""
    show(report_card(report))


def report_card(report: Report) -> Group:
    return Group(*_rows(report), Text(""))


def _rows(report: Report) -> Iterator[RenderableType]:
    yield Text(kicker(report), style="dim")
    yield Text(printable(report.title), style="bold")
    yield Text(printable(f"{report.subject} ({day(report.made)})"))
    colour = COLOURS[report.worst]
    yield Text(f"\n{SYMBOLS[report.worst]} {verdict(report)}\n", style=f"bold {colour}")
    for finding in in_order(report.findings):
        yield from _finding(finding)
    for section in report.sections:
        yield Text(f"\n{printable(section.title)}", style="bold underline")
        for block in section.blocks:
            yield from _block(block)
    yield from _listed("How it was measured", report.method)
    yield from _listed("What this cannot tell", report.limits)
    yield from _listed("For the record", [f"{name}: {value}" for name, value in report.facts])


def _finding(finding: Finding) -> Iterator[RenderableType]:
    word = f"{SYMBOLS[finding.severity]} {WORDS[finding.severity]}"
    yield Text.assemble((word, f"bold {COLOURS[finding.severity]}"), "  ", (printable(finding.title), "bold"))
    yield Padding(Text(printable(finding.sentence)), (0, 0, 0, 2))
    if finding.action:
        yield Padding(Text(printable(f"What to do: {finding.action}")), (0, 0, 0, 2))
    yield Text("")


def _block(block: Block) -> Iterator[RenderableType]:
    match block:
        case Grid() if _width(block) <= Console().width:
            yield _table(block)
        case Grid():
            yield from _rows_alone(block)
        case Chart():
            yield Text(f"\n{printable(block.title)}", style="bold")
            yield Text(printable(block.words))
        case Pair():
            yield from _pair(block)
        case _:
            yield Text(printable(block.text))


def _table(grid: Grid) -> Table:
    note = Text(printable(grid.note)) if grid.note else None
    table = Table(
        title=Text(printable(grid.title)), title_justify="left", caption=note, caption_justify="left"
    )
    for at, column in enumerate(grid.columns):
        table.add_column(Text(printable(column)), justify="right" if at in grid.numeric else "left")
    for row in grid.rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table


def _width(grid: Grid) -> int:
    """Letters that a table needs so that nothing in it is cut."""
    columns = zip(grid.columns, *grid.rows, strict=True)
    return sum(max(cell_len(cell) for cell in column) + 3 for column in columns) + 1


def _rows_alone(grid: Grid) -> Iterator[RenderableType]:
    """Of a table that is too wide: each row as a line of its own, with the names of its columns."""
    yield Text(f"\n{printable(grid.title)}", style="bold")
    for row in grid.rows:
        named = [
            f"{name} {cell}" for name, cell in zip(grid.columns[1:], row[1:], strict=True) if cell.strip()
        ]
        yield Text.assemble((printable(row[0]), "bold"), printable(f": {'; '.join(named)}"))
    if grid.note:
        yield Text(printable(grid.note), style="italic")


def _pair(pair: Pair) -> Iterator[RenderableType]:
    yield Text(f"\n{printable(pair.title)}", style="bold")
    for stretch, outcome in ((pair.left, pair.left_outcome), (pair.right, pair.right_outcome)):
        yield Text(printable(outcome), style="italic")
        yield Padding(_marked(stretch), (0, 0, 0, 2))


def _marked(stretch: Stretch) -> Text:
    text = Text()
    for piece, is_marked in pieces(stretch):
        shown = "\n".join(map(printable, piece.split("\n")))
        text.append(f"[{shown}]" if is_marked else shown, style="bold reverse" if is_marked else "")
    return text


def _listed(title: str, rows: list[str] | tuple[str, ...]) -> Iterator[RenderableType]:
    if rows:
        yield Text(f"\n{title}", style="bold underline")
        yield from (Text(printable(f"- {row}")) for row in rows)
