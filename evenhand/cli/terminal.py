"""Writing to the terminal: results on stdout, the rest on stderr, and nothing a file name could abuse."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from evenhand.records import Document
from evenhand.records.document import Box
from evenhand.rendering.cells import printable
from evenhand.text.wording import count

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress

    from evenhand.settings import Settings


BROKEN_PIPE = 141  # what a shell reports for a program that a closed pipe ended
QUIET_SECONDS = 2.0  # no progress bar before


def write_stdout(text: str) -> None:
    """Write a result to stdout as UTF-8, whatever the locale; end quietly when nobody reads on."""
    try:
        # A lone surrogate, from a file name that is no UTF-8, becomes the escape that JSON has for it.
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except OSError as error:
        # Python flushes stdout once more at exit, and would complain there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise typer.Exit(BROKEN_PIPE) from None
        raise


def print_rich(*renderables: RenderableType) -> None:
    """Print rich content to stdout, with colours only on a terminal."""
    from rich.console import Console

    console = Console(file=sys.stdout)
    with console.capture() as capture:
        for renderable in renderables:
            console.print(renderable)
    write_stdout(capture.get())


def write_stderr(message: str) -> None:
    """A message for the person at the terminal, on stderr."""
    print(printable(message), file=sys.stderr)  # noqa: T201


class TerminalBar:
    """A progress bar on stderr that steps aside for results."""

    def __init__(self, progress: Progress | None, label: str, total: int) -> None:
        self._progress = progress
        self._aside = sys.stdout.isatty()
        if progress:
            self._task = progress.add_task(label, total=total)

    def advance(self) -> None:
        if self._progress:
            self._progress.advance(self._task)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While results are printed to the same terminal."""
        if not self._progress or not self._aside:
            yield
            return
        self._progress.stop()
        yield
        self._progress.start()


@contextmanager
def bar(label: str, total: int) -> Iterator[TerminalBar]:
    """Shown when the work takes longer than two seconds, on a terminal only."""
    if not sys.stderr.isatty():
        yield TerminalBar(None, label, total)
        return
    with _late_progress() as progress:
        yield TerminalBar(progress, label, total)


def _late_progress() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    class Late(Progress):
        shown_from = time.monotonic() + QUIET_SECONDS

        def get_renderables(self) -> Iterable[RenderableType]:
            return super().get_renderables() if time.monotonic() >= self.shown_from else ()

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Late(*columns, console=Console(stderr=True), transient=True)


# What a card says about a Document's layout, counted from its lines.


def columns(document: Document) -> int:
    """How many columns of text stand side by side, at most, on any page."""
    placed = [
        (line.page, line.box) for line in document.lines if line.box and line.table is None and not line.furniture
    ]
    pages = groupby(placed, lambda item: item[0])
    return max((_abreast(_runs([box for _, box in lines])) for _, lines in pages), default=1)


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


def _abreast(runs: list[tuple[float, float]]) -> int:
    return max((sum(top < middle < bottom for top, bottom in runs) for middle in map(_middle, runs)), default=1)


def _middle(run: tuple[float, float]) -> float:
    return (run[0] + run[1]) / 2


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


# What a user names on the command line - files, folders, standard input - as one ordered list.

STDIN = "-"


def expand(arguments: Iterable[str]) -> tuple[list[str], list[str]]:
    """Folders become the files inside, sorted; also returns the folders that hold none."""
    inputs: list[str] = []
    barren: list[str] = []
    for argument in arguments:
        if argument != STDIN and Path(argument).is_dir():
            found = sorted(_files_under(argument))
            inputs += found
            barren += [] if found else [argument]
        else:
            inputs.append(argument)
    return inputs, barren


def _files_under(folder: str) -> Iterator[str]:
    """Regular files at any depth. Names that begin with "." or "~$" are a system's, not a person's."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(parent, name)
            if not name.startswith((".", "~$")) and path.is_file():
                yield str(path)


def read_inputs(inputs: Sequence[str], settings: Settings) -> Iterator[Document]:
    """Documents in the order of the inputs."""
    from evenhand.documents.reading import read, read_many

    for is_stdin, group in groupby(inputs, lambda item: item == STDIN):
        if not is_stdin:
            yield from read_many(list(group), settings=settings)
            continue
        for _ in group:
            data = sys.stdin.buffer.read(settings.file_bytes + 1)
            yield read(data, name=STDIN, settings=settings)


# Lengths of time in words. A length that is not known has no words here: whoever prints it says so in its own
# way.


def long(months: int) -> str:
    """ "2 years 3 months"; less than a year is "8 months"."""
    years, rest = divmod(months, 12)
    parts = [count(years, "year")] * bool(years) + [count(rest, "month")] * (bool(rest) or not years)
    return " ".join(parts)


def short(months: int) -> str:
    """ "2 y 3 m", for columns."""
    years, rest = divmod(months, 12)
    return " ".join([f"{years} y"] * bool(years) + [f"{rest} m"] * (bool(rest) or not years))
