"""Writing to the terminal: results on stdout, the rest on stderr, and nothing a file name could abuse."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from evenhand.rendering.cells import printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress
    from rich.table import Table


SOME_FAILED = 1  # exit code: some inputs failed, the others are done
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


def write_json(value: object) -> None:
    """One line of canonical JSON on stdout."""
    from evenhand.records import canonical_json

    write_stdout(canonical_json(value) + "\n")


def print_rich(*renderables: RenderableType) -> None:
    """Print rich content to stdout, with colours only on a terminal."""
    console = Console(file=sys.stdout)
    with console.capture() as capture:
        for renderable in renderables:
            console.print(renderable)
    write_stdout(capture.get())


def text_table(heads: Iterable[str], rows: Iterable[Iterable[RenderableType]], **style: Any) -> Table:
    """A table; a heading that begins with ">" is that of a column of numbers."""
    from rich.table import Table

    table = Table(title_justify="left", **style)
    for head in heads:
        table.add_column(head.removeprefix(">"), justify="right" if head.startswith(">") else "left")
    for row in rows:
        table.add_row(*row)
    return table


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
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    class Late(Progress):
        shown_from = time.monotonic() + QUIET_SECONDS

        def get_renderables(self) -> Iterable[RenderableType]:
            return super().get_renderables() if time.monotonic() >= self.shown_from else ()

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Late(*columns, console=Console(stderr=True), transient=True)
