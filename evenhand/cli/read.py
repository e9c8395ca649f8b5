"""`evenhand read` and `evenhand demo`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.inputs import expand, read_inputs
from evenhand.cli.terminal import bar, put, show, tell
from evenhand.errors import UsageError
from evenhand.settings import Settings, load_settings

if TYPE_CHECKING:
    from evenhand.records import Document

SOME_FAILED = 1
Show = Callable[["Document"], None]

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE", help="Files or folders (all files inside, sorted by name); - is standard input."
    ),
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


def read(
    paths: Files, text: AsText = False, json: AsJson = False, workers: Workers = None, set_: Set = None
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
    settings = load_settings(flags(workers, set_)).settings
    inputs, barren = expand(paths)
    for folder in barren:
        tell(f"{folder}: the folder holds no files.")
    present: Show = TextWriter() if text else put_json if json else show_card
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


def present_all(
    inputs: list[str], settings: Settings, present: Show, *, tell_errors: bool = False
) -> list[str]:
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
                    tell(f"{document.file}: {document.error.message} ({document.error.code})")
    return failed


def put_json(document: Document) -> None:
    from evenhand.records import canonical_json

    put(canonical_json(document.to_json()) + "\n")


def show_card(document: Document) -> None:
    from evenhand.cli.card import card

    show(card(document))


class TextWriter:
    """Prints texts with a form feed on a line of its own between them; no text contains one."""

    def __init__(self) -> None:
        self._first = True

    def __call__(self, document: Document) -> None:
        separator = "" if self._first else "\f\n"
        self._first = False
        ending = "\n" if document.text and not document.text.endswith("\n") else ""
        put(separator + document.text + ending)
