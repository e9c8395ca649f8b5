"""`evenhand read` and `evenhand demo`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from evenhand.cli.terminal import bar, expand, layout, print_rich, read_inputs, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.records import Document
from evenhand.rendering.cells import printable
from evenhand.settings import Settings, load_settings
from evenhand.text.wording import count

# One Document as a card a person can take in at a glance.


COLORS = {"parsed": "green", "partial": "yellow", "error": "red"}
FIRST_LINES = 7
QUOTE = 200  # characters of hidden text


def card(document: Document) -> Panel:
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
    shown = [(number, line) for number, line in enumerate(document.text.split("\n")) if line.strip()]
    for number, line in shown[:FIRST_LINES]:
        words = printable(line.replace("\t", "  "))
        yield Text(words, style="bold" if number in bold else "", no_wrap=True, overflow="ellipsis")
    if len(shown) > FIRST_LINES:
        yield Text(f"... {count(len(shown) - FIRST_LINES, 'more line')}", style="dim")


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


SOME_FAILED = 1
Show = Callable[["Document"], None]

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE", help="Files or folders (all files inside, sorted by name); - is standard input."),
]
AsText = Annotated[bool, typer.Option("--text", help="Print the visible text that all offsets refer to.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one Document per line, as JSON.")]
Workers = Annotated[
    int | None, typer.Option("--workers", metavar="N", help="Files read at once; 0 means one per processor.")
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Any setting, as listed by evenhand settings."),
]


def read(paths: Files, text: AsText = False, json: AsJson = False, workers: Workers = None, set_: Set = None) -> None:
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
    settings = load_settings(flags(workers, set_)).settings
    inputs, barren = expand(paths)
    for folder in barren:
        write_stderr(f"{folder}: the folder holds no files.")
    present: Show = TextWriter() if text else write_json if json else show_card
    failed = present_all(inputs, settings, present, tell_errors=text)
    if failed or barren:
        raise typer.Exit(SOME_FAILED)


def flags(workers: int | None, assignments: Iterable[str] | None) -> dict[str, object]:
    """Settings given on the command line; --set values stay text until the table has checked them."""
    given: dict[str, object] = {}
    for assignment in assignments or ():
        name, equals, value = assignment.partition("=")
        if not equals:
            raise UsageError(f"--set takes NAME=VALUE, not {assignment!r}.")
        given[name.strip()] = value
    return given if workers is None else given | {"workers": workers}


def present_all(inputs: list[str], settings: Settings, present: Show, *, tell_errors: bool = False) -> list[str]:
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


def write_json(document: Document) -> None:
    from evenhand.records import canonical_json

    write_stdout(canonical_json(document.to_json()) + "\n")


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
