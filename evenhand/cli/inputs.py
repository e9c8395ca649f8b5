"""What a user names on the command line - files, folders, standard input - as one ordered list."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evenhand.records import Document
    from evenhand.settings import Settings

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
    from evenhand.workflows.reading import read, read_many

    for is_stdin, group in groupby(inputs, lambda item: item == STDIN):
        if not is_stdin:
            yield from read_many(list(group), settings=settings)
            continue
        for _ in group:
            data = sys.stdin.buffer.read(settings.file_bytes + 1)
            yield read(data, name=STDIN, settings=settings)
