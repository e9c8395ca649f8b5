"""Names of people and cities that many subjects know: the generator, the audits, the neutral wording."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

from evenhand.text.folding import fold

FILES = ("names.toml", "cities.csv", "first_names.txt")


def lexicon_text(name: str) -> str:
    """What a file of the folder lexicons holds."""
    return resources.files("evenhand.text").joinpath("lexicons", name).read_text("utf-8")


@cache
def names_by_origin() -> dict[str, Any]:
    """First names of women and men and last names by origin. It is shared: read it, never change it."""
    return tomllib.loads(lexicon_text("names.toml"))


@cache
def cities() -> tuple[dict[str, str], ...]:
    """Real cities with their region and country, one mapping each."""
    return tuple(csv.DictReader(lexicon_text("cities.csv").splitlines()))


@cache
def first_names() -> frozenset[str]:
    """All first names that are known, of every origin and gender, without telling which."""
    groups = [group for group in names_by_origin().values() if isinstance(group, dict)]
    listed = {name for group in groups for key in ("female", "male") for name in group[key]}
    return frozenset(listed | {name for line in _first_name_lines() for name in line.split()}) - {"*"}


@cache
def doubtful_names() -> frozenset[str]:
    """Those that are also a month, a place, a plant, a trade or a verb: only what stands around them tells."""
    return frozenset(name for line in _first_name_lines() if line.startswith("* ") for name in line[2:].split())


@cache
def nicknames() -> dict[str, frozenset[str]]:
    """What people with a first name are called, and the other way round, in small letters without accents."""
    called: dict[str, set[str]] = {}
    for line in lexicon_text("nicknames.txt").splitlines():
        full, *short = map(fold, line.split())
        if full != "#":
            called.setdefault(full, set()).update(short)
            for name in short:
                called.setdefault(name, set()).add(full)
    return {name: frozenset(others) for name, others in called.items()}


def _first_name_lines() -> Iterator[str]:
    return (line for line in lexicon_text("first_names.txt").splitlines() if not line.startswith("#"))
