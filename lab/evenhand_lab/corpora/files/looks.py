"""How flowing documents - DOCX, ODT, RTF - look, and what they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from string import Template
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.manuscript import (
    Manuscript,
    ManuscriptLine,
    ManuscriptSection,
    ManuscriptTable,
    TextRun,
    Words,
)

# Contact data one by one, where a resume writes several on a line.


SEPARATOR = re.compile(r"\s*[|•·;]\s*|\s{3,}|\t")


CONTACT = ("email", "phone", "link")


def segments(line: ManuscriptLine) -> list[Words]:
    """A line of contact data cut where its separators are; an aside is a segment of its own."""
    parts: list[list[TextRun]] = [[]]
    for place, run in enumerate(line.words):
        if run.label is not None:
            parts[-1].append(run)
        elif run.text.strip() in (",", "/") and is_between(line.words, place):
            parts.append([])
        else:
            first, *rest = SEPARATOR.split(run.text)
            parts[-1] += [replace(run, text=first)] if first else []
            parts += [[replace(run, text=text)] if text else [] for text in rest]
    wanted = [tuple(part) for part in parts if any(run.text.strip(" ,") for run in part)]
    return [*wanted, line.aside] if line.aside else wanted


def is_between(words: Words, place: int) -> bool:
    """Whether the comma at `place` stands between two contacts, and not inside an address."""
    before = words[place - 1] if place else None
    after = words[place + 1] if place + 1 < len(words) else None
    return any(run is not None and run.label in CONTACT for run in (before, after)) or (
        after is not None and after.label is None and after.text.endswith(": ")
    )


SIDE_TYPES = ("skills", "certifications", "activities", "personal", "other")


@dataclass(frozen=True, slots=True)
class FileLook:
    name: str
    font: str
    size: float
    accent: str = "000000"
    heading: str = "rule"  # rule, shade, plain, underline
    heading_size: float = 12.0
    caps: bool = False
    centred: bool = False  # the head
    dates: str = "tab"  # tab, below, comma
    table: str = "grid"  # grid, lines
    place: str = "body"  # of name and contact: body, header, box, columns
    footer: bool = False
    bullet: str = "•"
    weight: int = 10
    most_words: int = 5000


LOOKS = {name: FileLook(name, **values) for name, values in lexicon.table("files/looks.toml").items()}


@dataclass(frozen=True, slots=True)
class FileParagraph:
    kind: str  # name, tagline, contact, heading, title, subtitle, text, item
    words: Words
    aside: Words = ()


Part = FileParagraph | ManuscriptTable


def parts_of(sections: Sequence[ManuscriptSection]) -> Iterator[Part]:
    for section in sections:
        if section.heading is not None:
            yield FileParagraph("heading", (TextRun(section.heading),))
        for block in section.blocks:
            yield block if isinstance(block, ManuscriptTable) else paragraph_of(block)


def paragraph_of(line: ManuscriptLine) -> FileParagraph:
    if line.bullet:
        return FileParagraph("item", line.words, line.aside)
    known = ("name", "tagline", "contact", "title", "subtitle")
    return FileParagraph(line.role if line.role in known else "text", line.words, line.aside)


def one_by_one(section: ManuscriptSection) -> Iterator[Part]:
    """The head for a narrow place: every contact on a line of its own."""
    for block in section.blocks:
        if isinstance(block, ManuscriptLine) and block.role == "contact":
            yield from (FileParagraph("contact", words) for words in segments(block))
        else:
            yield block if isinstance(block, ManuscriptTable) else paragraph_of(block)


def lined(sections: Sequence[ManuscriptSection], dates: str) -> Iterator[Part]:
    """The parts of the sections, asides put where the look wants them; only a tab leaves them in place."""
    for part in parts_of(sections):
        if isinstance(part, ManuscriptTable) or not part.aside or dates == "tab":
            yield part
        elif dates == "below":
            yield FileParagraph(part.kind, part.words)
            yield FileParagraph("subtitle" if part.kind == "title" else "text", part.aside)
        else:
            yield FileParagraph(part.kind, (*part.words, TextRun(", "), *part.aside))


def beside_and_main(manuscript: Manuscript) -> tuple[list[ManuscriptSection], list[ManuscriptSection]]:
    """For two columns: the small sections, and the others."""
    rest = manuscript.sections[1:]

    def is_small(section: ManuscriptSection) -> bool:
        return section.type in SIDE_TYPES and not any(isinstance(block, ManuscriptTable) for block in section.blocks)

    return [s for s in rest if is_small(s)], [s for s in rest if not is_small(s)]


def column_shares(table: ManuscriptTable, *, least: float = 0.15) -> list[float]:
    """How much of the width each column gets, by its longest cell; they sum to 1."""
    count = max(len(row) for row in table.rows)
    longest = [0] * count
    for row in table.rows:
        for column, words in enumerate(row):
            longest[column] = max(longest[column], sum(len(run.text) for run in words))
    weights = [min(max(length, 6), 32) + 6 for length in longest]
    shares = [max(least, weight / sum(weights)) for weight in weights]
    return [share / sum(shares) for share in shares]


def column_edges(table: ManuscriptTable, width: int) -> list[int]:
    """Where each column ends, in whole units; the last one at the width itself."""
    edges, reached = [], 0.0
    for share in column_shares(table):
        reached += share * width
        edges.append(round(reached))
    return edges


# Words that a file holds and a reader of the page does not see.

WAYS: dict[str, tuple[str, ...]] = {
    "pdf": ("white", "tiny", "invisible", "off_page", "covered", "transparent"),
    "docx": ("white", "tiny", "hidden_style"),
    "odt": ("white", "tiny", "hidden_style"),
    "rtf": ("white", "tiny", "hidden_style"),
    "html": ("white", "tiny", "hidden_style", "off_page"),
    "doc": ("white", "tiny", "hidden_style"),
    "txt": (),
}
TINY_POINTS = 1.0


@dataclass(frozen=True, slots=True)
class Secret:
    text: str
    how: str  # one of WAYS[format]


@cache
def _template(name: str) -> Template:
    lines = lexicon.text(f"files/{name}.xml").splitlines()
    return Template("".join(line.strip() for line in lines))


def fill_template(name: str, /, **values: str | float) -> str:
    """An XML template of the lexicons without its line breaks and indents, its places filled."""
    return _template(name).substitute(values)


# Zip files whose bytes depend on nothing but their content.

EARLIEST = (1980, 1, 1, 0, 0, 0)
UNIX = 3


def pack(parts: Iterable[tuple[str, str]], *, stored: str | None = None) -> bytes:
    """Parts in the given order; the one named `stored` is not compressed."""
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, text in parts:
            info = ZipInfo(name, EARLIEST)
            info.create_system = UNIX
            info.external_attr = 0o644 << 16
            info.compress_type = ZIP_STORED if name == stored else ZIP_DEFLATED
            archive.writestr(info, text.encode("utf-8"))
    return stream.getvalue()
