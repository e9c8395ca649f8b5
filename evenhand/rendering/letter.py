"""A letter to an applicant as headings, sentences, tables and bars: written once, shown as a page and as a PDF."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class LetterParagraph:
    """A paragraph. `tone` is "" or "soft", "good" or "warn" for a note in a box."""

    words: str
    tone: str = ""
    kind: str = field(default="text", init=False)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Short facts, each with its name."""

    rows: tuple[tuple[str, str], ...]
    kind: str = field(default="pairs", init=False)


@dataclass(frozen=True, slots=True)
class LetterList:
    """A list of sentences."""

    rows: tuple[str, ...]
    kind: str = field(default="points", init=False)


@dataclass(frozen=True, slots=True)
class LetterTable:
    """`widths` are shares of the page, of which all together are 1; `numbers` the columns that are aligned as such."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    numbers: frozenset[int] = frozenset()
    kind: str = field(default="table", init=False)


@dataclass(frozen=True, slots=True)
class LetterBar:
    name: str
    value: float
    words: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Parts of a whole, each as long as its share of `full`."""

    rows: tuple[LetterBar, ...]
    full: float
    kind: str = field(default="bars", init=False)


Block = LetterParagraph | Pairs | LetterList | LetterTable | Bars


@dataclass(frozen=True, slots=True)
class LetterSection:
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Letter:
    kicker: str
    title: str
    head: Pairs
    sections: tuple[LetterSection, ...]
    foot: str


def day(when: datetime) -> str:
    return f"{when.astimezone(UTC):%-d %B %Y}"


def moment(when: datetime) -> str:
    return f"{when.astimezone(UTC):%-d %B %Y, %H:%M} UTC"


def times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")
