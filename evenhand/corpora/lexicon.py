"""The word lists that come with the package, each read once and only when something asks for it."""

from __future__ import annotations

import csv
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from evenhand.text.names import FILES as SHARED
from evenhand.text.names import lexicon_text


def text(name: str) -> str:
    """What a file of the lexicons folder holds; `name` may have folders ("mixed/nurse.toml")."""
    if name in SHARED:
        return lexicon_text(name)
    return resources.files("evenhand.corpora").joinpath("lexicons", *name.split("/")).read_text("utf-8")


@cache
def table(name: str) -> dict[str, Any]:
    """A TOML lexicon. It is shared by everybody who asks: read it, never change it."""
    return tomllib.loads(text(name))


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """A CSV lexicon, one mapping per row."""
    return tuple(csv.DictReader(text(name).splitlines()))


@cache
def names(folder: str) -> tuple[str, ...]:
    """The TOML lexicons of a folder, without their ending, sorted."""
    entries = resources.files("evenhand.corpora").joinpath("lexicons", folder).iterdir()
    return tuple(sorted(entry.name[:-5] for entry in entries if entry.name.endswith(".toml")))


def parts(cell: str, separator: str = "|") -> tuple[str, ...]:
    """The values in one cell of a CSV lexicon."""
    return tuple(part for part in cell.split(separator) if part)
