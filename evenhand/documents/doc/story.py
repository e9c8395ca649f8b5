"""One story of a Word file (body, header, note, text box): characters to runs, fields resolved."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from evenhand.documents.doc.formats import (
    NOWHERE,
    Characters,
    DocCharacterStyles,
    DocParagraphFormat,
    DocStyles,
    ParagraphContext,
    PropertyRuns,
    apply_characters,
    apply_paragraph,
)
from evenhand.documents.doc.structures import DocPiece, iterate, number
from evenhand.documents.draft import LINE_HEIGHT, MEAN_WIDTH, NARROWEST
from evenhand.documents.flow import (
    OVERFLOW,
    USUAL_SIZE,
    Cell,
    DocumentBuilder,
    Run,
    field_sign,
    is_active_field,
    result_hidden,
)
from evenhand.documents.symbols import LETTERS, is_sign_font, sign

# Paragraphs of a Word story with the table cells they stand in.


PARAGRAPH_END = re.compile("[\r\x07\x0c]")
_FAR_TWIPS = 14_400


@dataclass(slots=True)
class DocParagraph:
    """One paragraph: half-open character range, its closing mark included."""

    start: int
    end: int
    format: DocParagraphFormat
    place: ParagraphContext = NOWHERE
    cell: Cell | None = None
    ends_row: bool = False


@dataclass(slots=True)
class _DocTable:
    number: int
    row: int = 0
    column: int = 0
    row_blocks: list[tuple[DocParagraph, int]] = field(default_factory=list)


class DocTables:
    """Follows cells and rows; the colours of a row are only known at its end."""

    def __init__(self, flow: DocumentBuilder) -> None:
        self._flow = flow
        self._open: list[_DocTable] = []

    def place(self, block: DocParagraph, mark: str) -> None:
        in_table = block.format.in_table or block.format.ends_row
        depth = min(max(1, block.format.depth), self._flow.limits.nesting) if in_table else 0
        del self._open[depth:]
        while len(self._open) < depth:
            parent = self._open[-1].number if self._open else None
            self._open.append(_DocTable(self._flow.new_table(parent, ruled=True)))
        if not self._open:
            return
        table = self._open[-1]
        block.cell = (table.number, table.row, table.column)
        if block.format.ends_row or block.format.ends_inner_row:
            block.ends_row = True
            fills = block.format.fills
            room = -block.format.row_height / 20 if block.format.row_height < 0 else None
            away = "off_page" if abs(block.format.row_left) > _FAR_TWIPS else None
            merged, used, cell = block.format.merged, 0.0, -1
            for inner, column in table.row_blocks:
                around = inner.place
                fill = fills[column] if column < len(fills) else None
                used, cell = used if column == cell else 0.0, column
                lost = "hidden_style" if column < len(merged) and merged[column] else away
                if room is not None and used + inner.format.before / 20 > OVERFLOW * room:
                    lost = lost or "clipped"
                used += (inner.format.before + inner.format.after) / 20 + USUAL_SIZE * LINE_HEIGHT
                inner.place = around._replace(fill=fill or around.fill, hidden=around.hidden or lost, room=room)
            table.row_blocks = []
            table.row += 1
            table.column = 0
        else:
            table.row_blocks.append((block, table.column))
            if (mark == "\x07" and depth == 1) or block.format.ends_inner_cell:
                self._flow.mark_cell(block.cell)
                table.column += 1


_SPECIAL = re.compile("[\x00-\x08\x0b-\x1f]")
_SIGNS = {"\x0b": "\n", "\x0e": "\n", "\x1e": "\u2011", "\x1f": "\u00ad"}
_BEGIN, _RESULT, _END = "\x13", "\x14", "\x15"
_IN_DATA = (0x6646, 0x646B)  # properties too long for their page are kept in the data stream


class DocText:
    """All characters of the file, with the properties of each stretch."""

    def __init__(
        self, pieces: list[DocPiece], characters: PropertyRuns, paragraphs: PropertyRuns, data: bytes, styles: DocStyles
    ) -> None:
        self.text = "".join(piece.text for piece in pieces)
        self.styles = styles
        self._pieces = pieces
        self._starts = [piece.start for piece in pieces]
        self._characters = characters
        self._paragraphs = paragraphs
        self._data = data
        self._paragraph_formats: dict[bytes, DocParagraphFormat] = {}
        self._character_formats: dict[tuple[int, bytes, bytes], Characters] = {}

    def blocks(self, start: int, end: int) -> list[DocParagraph]:
        """The paragraphs of a stretch."""
        paragraphs = []
        end = min(end, len(self.text))
        for match in PARAGRAPH_END.finditer(self.text, start, end):
            paragraphs.append(DocParagraph(start, match.end(), self._format_at(match.start())))
            start = match.end()
        if start < end:
            paragraphs.append(DocParagraph(start, end, self._format_at(end - 1)))
        return paragraphs

    def stretches(self, block: DocParagraph) -> list[tuple[int, int, Characters]]:
        """Half-open character ranges of one look each."""
        ranges: list[tuple[int, int, Characters]] = []
        index = max(0, bisect_right(self._starts, block.start) - 1)
        while index < len(self._pieces) and self._pieces[index].start < block.end:
            piece = self._pieces[index]
            first = max(block.start, piece.start)
            last = min(block.end, piece.start + len(piece.text))
            low = piece.offset + (first - piece.start) * piece.width
            high = piece.offset + (last - piece.start) * piece.width
            for begin, finish, properties in self._characters.between(low, high):
                key = (block.format.style, properties, piece.extra)
                characters = self._character_formats.get(key)
                if characters is None:
                    characters = self.styles.formats(block.format.style)[0]
                    for part in (properties, piece.extra):
                        characters = apply_characters(characters, part, self.styles)
                    self._character_formats[key] = characters
                begin_at = piece.start + (begin - piece.offset) // piece.width
                ranges.append((begin_at, piece.start + (finish - piece.offset) // piece.width, characters))
            index += 1
        return ranges

    def _format_at(self, position: int) -> DocParagraphFormat:
        piece = self._pieces[max(0, bisect_right(self._starts, position) - 1)]
        properties = self._paragraphs.at(piece.offset + (position - piece.start) * piece.width)
        key = properties + b"|" + piece.extra if piece.extra else properties
        format_ = self._paragraph_formats.get(key)
        if format_ is None:
            format_ = self.styles.formats(number(properties[:2]))[1]
            changes = properties[2:]
            for code, operand in () if self.styles.old else iterate(changes):
                if code in _IN_DATA:
                    at = number(operand)
                    changes += self._data[at + 2 : at + 2 + number(self._data[at : at + 2])]
            for part in (changes, piece.extra):
                format_ = apply_paragraph(format_, part, old=self.styles.old)
            self._paragraph_formats[key] = format_
        return format_


class DocFields:
    """Open fields: of each, only the result is shown."""

    def __init__(self) -> None:
        self.active = False
        self.open: list[list[str] | None] = []  # the code while it is being read, then None
        self._results: list[tuple[str, list[int]]] = []  # codes of fields whose result is read, and its length so far

    @property
    def shows(self) -> bool:
        return all(code is None for code in self.open)

    def hidden(self, length: int) -> str | None:
        """Why nobody sees the next characters, which belong to the results of all open fields."""
        reason = None
        for code, lengths in self._results:
            lengths[0] += length
            reason = reason or result_hidden(code, lengths[0])
        return reason

    def mark(self, mark: str, *, closes_later: bool) -> str:
        """Take a field mark; a symbol field gives the character it draws."""
        if mark == _BEGIN:
            if closes_later:
                self.open.append([])
            return ""
        if not self.open:
            return ""
        code = self.open[-1]
        spelled = "".join(code or ())
        self.active = self.active or is_active_field(spelled)
        if mark == _RESULT:
            self.open[-1] = None
            self._results.append((spelled, [0]))
            return ""
        if self.open.pop() is None and self._results:
            self._results.pop()
        return field_sign(spelled)


def read_runs_of(text: DocText, block: DocParagraph, fields: DocFields, looks: DocCharacterStyles) -> list[Run]:
    """The runs of one paragraph as a reader sees them, hidden ones marked."""
    runs: list[Run] = []
    for start, end, characters in text.stretches(block):
        look = looks.look(characters, block.format, block.place)
        for part in _parts(text.text, start, end, characters, fields, looks):
            if fields.shows and not characters.deleted:
                reason = fields.hidden(len(part))
                if LETTERS.search(part) and is_sign_font(looks.font_name(characters.font)):
                    reason = reason or "replaced"
                natural = len(part) * characters.size * 10 * MEAN_WIDTH * NARROWEST  # twips
                reason = reason or ("tiny" if 0 < characters.fitted < natural else None)
                runs.append((part, look if reason is None else look._replace(hidden=look.hidden or reason)))
            elif fields.open and (field_code := fields.open[-1]) is not None:
                field_code.append(part)
    return runs


def _parts(
    text: str, start: int, end: int, characters: Characters, fields: DocFields, looks: DocCharacterStyles
) -> Iterator[str]:
    """Text between special characters, and what those draw; each comes out while its own fields are open."""
    if characters.symbol:
        name = looks.font_name(characters.symbol[0])
        code = characters.symbol[1]
        yield sign(code, name) if is_sign_font(name) or 0xF000 <= code <= 0xF0FF else chr(code)
        return
    font = looks.font_name(characters.font)
    at = start
    for match in _SPECIAL.finditer(text, start, end):
        if match.start() > at:
            yield _drawn(text[at : match.start()], font)
        at = match.end()
        if match[0] in (_BEGIN, _RESULT, _END):
            yield fields.mark(match[0], closes_later=text.find(_END, at) >= 0)
        elif match[0] in _SIGNS:
            yield _SIGNS[match[0]]
    if at < end:
        yield _drawn(text[at:end], font)


def _drawn(text: str, font: str | None) -> str:
    if not is_sign_font(font) or text.isspace() or LETTERS.search(text):
        return text
    return "".join(sign(ord(c), font) if ord(c) < 256 or "\uf000" <= c <= "\uf0ff" else c for c in text)
