"""`evenhand read` and `evenhand mine`: what is in resumes, as cards or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from evenhand.cli import options as opt
from evenhand.cli.inputs import expand, open_inputs, read_inputs
from evenhand.cli.options import settings_from
from evenhand.cli.terminal import SOME_FAILED, bar, print_rich, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.records import Document
from evenhand.records.document import Box
from evenhand.rendering.cells import printable
from evenhand.settings import Settings
from evenhand.text.wording import count

COLORS = {"parsed": "green", "partial": "yellow", "error": "red"}
FIRST_LINES = 7
QUOTE = 200  # characters of hidden text


def card(document: Document) -> Panel:
    """What a person needs at a glance."""
    color = "yellow" if document.warnings else COLORS[document.status]
    name = printable(document.file or "(bytes)")
    title = Text.assemble((Path(name).name, "bold"), "  ", (document.status, color))
    return Panel(Group(*_rows(document)), title=title, title_align="left", border_style=color, padding=(0, 1))


def _rows(document: Document) -> Iterator[RenderableType]:
    if document.error:
        yield Text(f"{printable(document.error.message)} ({document.error.code})", style="red")
        return
    words = count(len(document.text.split()), "word")
    facts = [(document.format or "?").upper(), count(document.pages, "page"), words, *layout(document)]
    yield Text(", ".join(facts), style="dim")
    yield from _first_lines(document)
    for warning in document.warnings:
        yield Text(f"! {printable(warning.message)} ({warning.code})", style="yellow")
    yield from _hidden(document)


def _first_lines(document: Document) -> Iterator[Text]:
    """The text as it begins, bold where it is bold, cells of one table row side by side."""
    bold = {document.text.count("\n", 0, line.start) for line in document.lines if line.bold}
    filled = [(number, line) for number, line in enumerate(document.text.split("\n")) if line.strip()]
    for number, line in filled[:FIRST_LINES]:
        words = printable(line.replace("\t", "  "))
        yield Text(words, style="bold" if number in bold else "", no_wrap=True, overflow="ellipsis")
    if len(filled) > FIRST_LINES:
        yield Text(f"... {count(len(filled) - FIRST_LINES, 'more line')}", style="dim")


def _hidden(document: Document) -> Iterator[Padding]:
    """Hidden text, per reason and page, quoted: the screener sees what was left out."""
    places: dict[tuple[str, int], list[str]] = {}
    for item in document.hidden:
        places.setdefault((item.reason, item.page), []).append(item.text)
    for (reason, page), texts in places.items():
        quote = printable(" ".join(" ".join(texts).split()))
        if len(quote) > QUOTE:
            quote = quote[:QUOTE].rstrip() + " ..."
        words = Text(f'left out, page {page}, {reason}: "{quote}"', style="magenta")
        yield Padding(words, (0, 0, 0, 2))


def columns(document: Document) -> int:
    """How many columns of text stand side by side, at most, on any page."""
    placed = [
        (line.page, line.box) for line in document.lines if line.box and line.table is None and not line.furniture
    ]
    pages = groupby(placed, lambda item: item[0])
    stretches = [_runs([box for _, box in lines]) for _, lines in pages]
    return max(
        (sum(top < (first + last) / 2 < bottom for top, bottom in runs) for runs in stretches for first, last in runs),
        default=1,
    )


def _runs(boxes: list[Box]) -> list[tuple[float, float]]:
    """Top and bottom of each stretch that is read downwards; a column ends where reading jumps up again."""
    runs: list[tuple[float, float]] = []
    for _, top, _, bottom in boxes:
        height = bottom - top
        if runs and bottom > runs[-1][1] - height:
            runs[-1] = (runs[-1][0], max(runs[-1][1], bottom))
        else:
            runs.append((top, bottom))
    return runs


def layout(document: Document) -> Iterator[str]:
    """Short facts, only those worth telling."""
    if (abreast := columns(document)) > 1:
        yield count(abreast, "column")
    if document.tables:
        sizes = ", ".join(f"{table.rows} x {table.columns}" for table in document.tables[:4])
        yield f"{count(len(document.tables), 'table')} ({sizes}{', ...' if len(document.tables) > 4 else ''})"
    if items := sum(line.list is not None for line in document.lines):
        yield count(items, "list item")
    if furniture := sum(line.furniture is not None for line in document.lines):
        yield f"{count(furniture, 'line')} in page headers and footers"
    confidences = [line.confidence for line in document.lines if line.confidence is not None]
    if confidences:
        mean = sum(confidences) / len(confidences)
        yield f"{count(len(confidences), 'line')} recognised from a scan, {mean:.0%} sure"


Show = Callable[["Document"], None]

AsText = Annotated[bool, opt.option("--text", "Print the visible text that all offsets refer to.")]


def read(
    paths: opt.Files, text: AsText = False, json: opt.AsJson = False, workers: opt.Workers = None, set_: opt.Set = None
) -> None:
    """Read resumes: text in reading order, layout, hidden text, warnings.

    Without --text or --json every file gets a card. With --text and several files, a line that holds only
    a form feed stands between two texts, and a file that could not be read leaves its place empty.

    Exit code: 0 all were read, 1 some could not be read (the others are printed), 2 wrong usage.

    Examples:

    - evenhand read resume.pdf
    - evenhand read --text resume.docx > resume.txt
    - evenhand read --json inbox/ > documents.jsonl
    - curl -s https://example.com/resume.pdf | evenhand read --text -
    """
    if text and json:
        raise UsageError("Give --text or --json, not both.")
    settings = settings_from(set_, workers)
    inputs, empty = expand(paths)
    present: Show = TextWriter() if text else show_json if json else show_card
    failed = present_documents(inputs, settings, present, tell_errors=text)
    if failed or empty:
        raise typer.Exit(SOME_FAILED)


def present_documents(inputs: list[str], settings: Settings, present: Show, *, tell_errors: bool = False) -> list[str]:
    """Read and present in order; returns the names of those that could not be read."""
    failed: list[str] = []
    with bar("Reading", len(inputs)) as progress:
        for document in read_inputs(inputs, settings):
            progress.advance()
            if document.status == "error":
                failed.append(document.file or "")
            with progress.aside():
                present(document)
                if tell_errors and document.error:
                    write_stderr(f"{document.file}: {document.error.message} ({document.error.code})")
    return failed


def show_json(document: Document) -> None:
    write_json(document.to_json())


def show_card(document: Document) -> None:
    print_rich(card(document))


class TextWriter:
    """Prints texts with a form feed on a line of its own between them; no text contains one."""

    def __init__(self) -> None:
        self._first = True

    def __call__(self, document: Document) -> None:
        separator = "" if self._first else "\f\n"
        self._first = False
        ending = "\n" if document.text and not document.text.endswith("\n") else ""
        write_stdout(separator + document.text + ending)


Places = Annotated[bool, opt.option("--evidence", "Show below each card where in the resume its facts stand.")]


def mine(
    paths: opt.Files,
    json: opt.AsJson = False,
    as_of: opt.AsOf = None,
    evidence: Places = False,
    workers: opt.Workers = None,
    set_: opt.Set = None,
) -> None:
    """Mine resumes: who, which jobs when, which skills for how many months, each fact with its place.

    Without --json every file gets a card. Months that the resume does not state are unknown, never zero.
    Lines that --evidence names are those of evenhand read --text.

    Exit code: 0 all were mined, 1 some could not be (the others are printed), 2 wrong usage.

    Examples:

    - evenhand mine resume.pdf
    - evenhand mine --evidence resume.pdf
    - evenhand mine --json --as-of 2026-10 inbox/ > profiles.jsonl
    """
    from evenhand.cli.profile_card import evidence_table, profile_card
    from evenhand.mining.pipeline import mine_with_documents

    if json and evidence:
        raise UsageError("Give --evidence or --json, not both: JSON holds all evidence anyway.")
    settings = settings_from(set_, workers)
    inputs, empty = expand(paths)
    failed = 0
    with bar("Mining", len(inputs)) as progress:
        for mined in mine_with_documents(open_inputs(inputs, settings), as_of=as_of, settings=settings):
            progress.advance()
            failed += mined.is_failed
            with progress.aside():
                if json:
                    write_json(mined.profile.to_json())
                    continue
                print_rich(profile_card(mined.profile))
                if evidence and not mined.is_failed:
                    print_rich(evidence_table(mined.profile, mined.document))
    if failed or empty:
        raise typer.Exit(SOME_FAILED)
