"""A resume's words before they become a file: sections of blocks, in which every fact is marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class TextRun:
    """Words; `label` says what they are (skill, employer, title...), `value` what they mean."""

    text: str
    label: str | None = None
    value: str | None = None  # canonical name of a skill, ISO month of a date...
    bold: bool = False
    italic: bool = False
    of: str | None = None  # the part of the career it tells of: "job 0", "job 0 project 2", "study 1"


Words = tuple[TextRun, ...]


def fact(text: str, label: str, of: str | None = None, *, bold: bool = False) -> TextRun:
    """Words that mean what they say: a name, a title, a place as the career has it."""
    return TextRun(text, label, text, bold=bold, of=of)


def join(parts: Iterable[Words], separator: str) -> Words:
    """The parts one after the other, the separator between them."""
    words: list[TextRun] = []
    for place, part in enumerate(parts):
        words += [TextRun(separator), *part] if place else part
    return tuple(words)


@dataclass(frozen=True, slots=True)
class ManuscriptLine:
    """A paragraph or a list item; `aside` stands at the right margin of the same line (dates, places)."""

    words: Words
    bullet: bool = False
    aside: Words = ()
    role: str = "text"  # name, contact, tagline, title, subtitle, text, item


@dataclass(frozen=True, slots=True)
class ManuscriptTable:
    """Rows of cells; the first row is a header where `has_header`."""

    rows: tuple[tuple[Words, ...], ...]
    has_header: bool = True


Block = ManuscriptLine | ManuscriptTable


@dataclass(frozen=True, slots=True)
class ManuscriptSection:
    """`type` is profile, education, experience, projects, skills, certifications, activities, personal or other."""

    type: str
    heading: str | None
    blocks: tuple[Block, ...]


def cells_of(section: ManuscriptSection) -> Iterator[Words]:
    """All words of a section: cell by cell, line by line, an aside after its line."""
    for block in section.blocks:
        rows = block.rows if isinstance(block, ManuscriptTable) else ((block.words, block.aside),)
        for row in rows:
            yield from row


def map_words(
    section: ManuscriptSection, change: Callable[[Words], Words], *, asides: bool = False
) -> ManuscriptSection:
    """The section with the words of its cells and lines changed, and those of its asides where they are wanted too."""
    blocks: list[Block] = []
    for block in section.blocks:
        if isinstance(block, ManuscriptTable):
            blocks.append(replace(block, rows=tuple(tuple(map(change, row)) for row in block.rows)))
        else:
            words = change(block.words)
            blocks.append(replace(block, words=words, aside=change(block.aside) if asides else block.aside))
    return replace(section, blocks=tuple(blocks))


@dataclass(frozen=True, slots=True)
class Manuscript:
    """The head of the resume (name, contact) is the first section, of type personal and without a heading."""

    number: int
    sections: tuple[ManuscriptSection, ...]
    style: dict[str, str] = field(default_factory=dict)  # choices of the writer: date style, order, voice...


@dataclass(frozen=True, slots=True)
class TextMark:
    """A labelled place in the plain text; half-open code point offsets."""

    start: int
    end: int
    label: str
    text: str
    value: str | None
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Plain:
    """The manuscript as plain text with its marks; what truth offsets refer to and what a TXT file holds."""

    text: str
    marks: tuple[TextMark, ...]
    sections: tuple[tuple[str, str | None, int, int], ...]  # type, heading, start, end


class PlainWriter:
    """Collects words and remembers where the labelled ones came to stand."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.marks: list[TextMark] = []

    def add(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def add_words(self, words: Words) -> None:
        for run in words:
            if run.label is not None:
                end = self.length + len(run.text)
                self.marks.append(TextMark(self.length, end, run.label, run.text, run.value, run.of))
            self.add(run.text)


def to_plain(manuscript: Manuscript) -> Plain:
    """One line per block line, tab before asides and between cells, a blank line between sections."""
    writer = PlainWriter()
    sections = []
    for index, section in enumerate(manuscript.sections):
        if index:
            writer.add("\n")
        start = writer.length
        if section.heading is not None:
            writer.add_words((TextRun(section.heading, "heading", section.type),))
            writer.add("\n")
        for line in plain_lines(section):
            for place, words in enumerate(line):
                if place:
                    writer.add("\t")
                writer.add_words(words)
            writer.add("\n")
        sections.append((section.type, section.heading, start, writer.length))
    return Plain("".join(writer.parts), tuple(writer.marks), tuple(sections))


def plain_lines(section: ManuscriptSection) -> Iterator[tuple[Words, ...]]:
    """The lines of a section, each as its tab-separated parts."""
    for block in section.blocks:
        if isinstance(block, ManuscriptTable):
            yield from block.rows
            continue
        words = (TextRun("- "), *block.words) if block.bullet else block.words
        yield (words, block.aside) if block.aside else (words,)
