"""One page from glyphs to lines: hidden words set apart, tables found, rows in reading order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import pypdfium2 as pdfium

from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, DraftLine
from evenhand.documents.pdf import glyphs as lib
from evenhand.documents.pdf.glyphs import Glyphs, PageFrame
from evenhand.documents.pdf.layout import Decor, in_reading_order
from evenhand.documents.pdf.looking import unseen_words
from evenhand.documents.pdf.picture import PageContent
from evenhand.documents.pdf.rows import PdfRow, RowPiece, group_rows
from evenhand.documents.pdf.shapes import Drawing, PdfShape, header_band, page_drawing, side_bar
from evenhand.documents.pdf.tables import PdfTable, aligned_runs, is_table, ruled_grids, words_in_cells
from evenhand.documents.pdf.words import SPACE, PdfWords, WordStyles, drop_icons, form_words, word_styles
from evenhand.records.document import Hidden, Table

# Rows of a page to draft lines: words joined, markers found, style of the row chosen.


BLOCK_GAP = 0.6  # of a line's height between two lines that belong to different paragraphs
BULLETS = "•◦▪▫‣⁃●○■□◆◇♦➢➤►▶▸✓✔✦★☆∙·–—‐-*»›→⇒\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf0a8\uf06e\uf071"
MARKER = re.compile(rf"(?:[{re.escape(BULLETS)}o§Ø]|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})[.)])(?=[ \t])")


@dataclass(slots=True)
class PageText:
    """The words of a page with their styles."""

    number: int
    words: PdfWords
    styles: WordStyles
    confidences: list[float] | None = None  # of each word, where it was recognised on a picture

    def text_of(self, piece: RowPiece) -> str:
        texts, boxes = self.words.text, self.words.boxes
        first, last = piece.words[0], piece.words[-1]
        if last - first == len(piece.words) - 1:  # drawn one after the other, as nearly always
            return " ".join(texts[first : last + 1]).strip()  # an icon leaves only its space
        parts = [texts[piece.words[0]]]
        for before, word in zip(piece.words, piece.words[1:], strict=False):
            if word == before + 1 or boxes[word, 0] - boxes[before, 2] > SPACE * piece.height:
                parts.append(" ")
            parts.append(texts[word])
        return "".join(parts).strip()

    def line(self, pieces: list[RowPiece], joint: str, table: tuple[int, int, int] | None = None) -> DraftLine:
        text = ""
        for part in filter(None, map(self.text_of, pieces)):
            is_marker = 0 < len(text) <= 5 and MARKER.match(text + " ") is not None  # and nothing else
            text += (" " if is_marker else "\t" if text else "") + part
        left, top = min(piece.x0 for piece in pieces), min(piece.y0 for piece in pieces)
        right, bottom = max(piece.x1 for piece in pieces), max(piece.y1 for piece in pieces)
        word = self.main_word(pieces)
        marker = MARKER.match(text)
        font = self.styles.fonts[word]
        confidence = None
        if self.confidences is not None:
            values = [self.confidences[word] for piece in pieces for word in piece.words]
            confidence = round(sum(values) / len(values), 3)
        return DraftLine(
            text=text,
            page=self.number,
            joint=joint,
            box=(round(left, 1), round(top, 1), round(right, 1), round(bottom, 1)),
            font=font.name,
            size=self.styles.sizes[word],
            bold=self.styles.is_bold(word),
            italic=font.italic,
            color=self.styles.color_name(word),
            list=marker[0] if marker else None,
            table=table,
            confidence=confidence,
        )

    def main_word(self, pieces: list[RowPiece]) -> int:
        """A word in the style that most characters of the line have."""
        words = pieces[0].words if len(pieces) == 1 else [word for piece in pieces for word in piece.words]
        kinds = self.styles.kinds
        if len(set(map(kinds.__getitem__, words))) == 1:
            return words[0]
        weight: Counter[int] = Counter()
        for word in words:
            weight[kinds[word]] += len(self.words.text[word])
        main = weight.most_common(1)[0][0]
        return next(word for word in words if kinds[word] == main)


def joint_between(above: PdfRow | None, below: PdfRow) -> str:
    """What separates two rows: a new block after a visible gap or in another column."""
    if above is None:
        return NEXT_BLOCK
    height = min(above.y1 - above.y0, below.y1 - below.y0)
    gap = below.y0 - above.y1
    if gap < -0.5 * height or gap > BLOCK_GAP * height:
        return NEXT_BLOCK
    beside = min(above.pieces[-1].x1, below.pieces[-1].x1) - max(above.pieces[0].x0, below.pieces[0].x0)
    return NEXT_LINE if beside > 0 else NEXT_BLOCK


def cell_joint(column: int, row: int) -> str:
    if column:
        return NEXT_CELL
    return NEXT_LINE if row else NEXT_BLOCK


# Words to pieces of lines: runs of words that no wide gap parts.

WIDE = 1.0  # of the line's height: a wider gap may be a gutter, a narrower one is a space
MARKER_REACH = 3.0  # a list marker may stand this many heights before its text


def form_pieces(words: PdfWords, keep: np.ndarray) -> list[RowPiece]:
    """Pieces of the words marked in `keep`, in drawing order, neighbours on a line joined."""
    chosen = np.flatnonzero(keep)
    if len(chosen) == 0:
        return []
    boxes = words.boxes[chosen]
    heights = boxes[:, 3] - boxes[:, 1]
    gaps = boxes[1:, 0] - boxes[:-1, 2]
    apart = words.line_start[chosen][1:] | (np.diff(chosen) > 1)
    apart |= gaps > WIDE * np.minimum(heights[1:], heights[:-1])
    first = np.concatenate(([0], np.flatnonzero(apart) + 1))
    last = np.append(first[1:], len(chosen)).tolist()
    x0 = np.minimum.reduceat(boxes[:, 0], first).tolist()
    y0 = np.minimum.reduceat(boxes[:, 1], first).tolist()
    x1 = np.maximum.reduceat(boxes[:, 2], first).tolist()
    y1 = np.maximum.reduceat(boxes[:, 3], first).tolist()
    numbers = chosen.tolist()
    pieces = [
        RowPiece(*edges, numbers[begin:end], goes_on=words.text[numbers[begin]][:1].islower())
        for edges, begin, end in zip(zip(x0, y0, x1, y1, strict=True), first.tolist(), last, strict=True)
    ]
    return join_neighbours(pieces, words.text)


def join_neighbours(pieces: list[RowPiece], text: list[str]) -> list[RowPiece]:
    """Join what a change of font or colour drew separately on one line, and list markers with their text."""
    joined: list[RowPiece] = []
    for row in group_rows(pieces):
        current = row.pieces[0]
        for piece in row.pieces[1:]:
            sign = text[current.words[0]]
            # A lone sign before a text is a bullet or icon of whatever shape.
            is_marker = len(current.words) == 1 and len(sign) <= 1 and not sign.isalnum()
            reach = MARKER_REACH if is_marker else WIDE
            if piece.x0 - current.x1 > reach * min(piece.height, current.height):
                joined.append(current)
                current = piece
                continue
            x0, y0 = min(current.x0, piece.x0), min(current.y0, piece.y0)
            x1, y1 = max(current.x1, piece.x1), max(current.y1, piece.y1)
            current = RowPiece(x0, y0, x1, y1, current.words + piece.words, goes_on=current.goes_on)
        joined.append(current)
    return joined


# Bullets that are drawn as small shapes instead of being set as characters.

BULLET = "•"
SMALLEST, LARGEST = 1.0, 7.0  # points
FARTHEST = 25.0  # points from the bullet to its text


def drawn_bullets(shapes: Iterable[PdfShape]) -> list[tuple[float, float]]:
    """Height on the page and right edge of each small, square shape, from the top down."""
    bullets = []
    for shape in shapes:
        width, height = shape.width, shape.height
        if shape.is_image or not (SMALLEST < width < LARGEST and SMALLEST < height < LARGEST):
            continue
        if 0.6 < width / height < 1.7:
            bullets.append(((shape.box[1] + shape.box[3]) / 2, shape.box[2]))
    return sorted(bullets)


def mark_bullets(lines: list[DraftLine], bullets: list[tuple[float, float]]) -> None:
    """Give the lines that a drawn bullet stands before their marker; one lone dot is no list."""
    marked: list[tuple[DraftLine, float]] = []
    for line in lines:
        if line.box is None or line.list is not None or line.table is not None:
            continue
        left, top, _, bottom = line.box
        middle, slack = (top + bottom) / 2, 0.35 * (bottom - top)
        near = bullets[bisect_left(bullets, (middle - slack,)) : bisect_right(bullets, (middle + slack, 1e9))]
        edges = [edge for _, edge in near if 1 < left - edge < FARTHEST]
        if edges:
            marked.append((line, round(max(edges))))
    shared = Counter(edge for _, edge in marked)
    for line, edge in marked:
        if shared[int(edge)] >= 2:
            line.list = BULLET
            line.text = f"{BULLET} {line.text}"


Cells = dict[tuple[int, int], list[int]]
ReadPage = Callable[[list[str], np.ndarray], list[bool]]
"""Tells of each text whether a recogniser sees it in its box."""


@dataclass(slots=True)
class PageLines:
    """What a page holds; the tables are numbered from `first_table`."""

    lines: list[DraftLine]
    hidden: list[Hidden]
    tables: list[Table]
    drawing: Drawing


def page_lines(
    page: pdfium.PdfPage,
    textpage: pdfium.PdfTextPage,
    glyphs: Glyphs,
    *,
    frame: PageFrame,
    number: int,
    first_table: int,
    may_have_patterns: bool = True,
    read_page: ReadPage | None = None,
) -> PageLines:
    """The page's lines; `read_page` is asked about words that do not look as they read."""
    handle = lib.address(textpage.raw)
    words = form_words(glyphs)
    styles = word_styles(handle, glyphs.index[words.first], words.boxes[:, 3] - words.boxes[:, 1])
    drawing = page_drawing(lib.address(page.raw), frame)
    unseen: dict[int, str] = {}
    repeated: list[int] = []
    if len(words):
        content = PageContent(page, frame, handle, glyphs, words, styles)
        unseen, odd, repeated = unseen_words(content, drawing, may_have_patterns)
        unseen |= dict.fromkeys(without_readable(odd, words, read_page), "replaced")
    drop_icons(words, glyphs, styles, handle)
    keep = np.ones(len(words), bool)
    keep[[*unseen, *repeated]] = False
    text = PageText(number, words, styles)
    result = PageLines([], hidden_runs(text, unseen), [], drawing)
    bar = side_bar(drawing.shapes, frame)
    decor = Decor(
        rules=[RowPiece(*shape.box) for shape in drawing.shapes if shape.is_rule and shape.width > shape.height],
        header_end=header_band(drawing.shapes, frame),
        side_bar=RowPiece(*bar) if bar else None,
        is_first_page=number == 1,
    )
    add_lines(result, text, keep, first_table, decor)
    mark_bullets(result.lines, drawn_bullets(drawing.shapes))
    return result


def without_readable(odd: list[int], words: PdfWords, read_page: ReadPage | None) -> list[int]:
    """The words that no recogniser sees either; handwriting and ornate letters look like no others."""
    if not odd or read_page is None:
        return odd
    seen = read_page([words.text[word] for word in odd], words.boxes[odd])
    return [word for word, is_seen in zip(odd, seen, strict=True) if not is_seen]


def add_lines(result: PageLines, text: PageText, keep: np.ndarray, first_table: int, decor: Decor) -> None:
    """Rows of the kept words in reading order; turned text comes last."""
    turned = keep & ~text.words.upright
    keep = keep & text.words.upright
    grids: list[tuple[PdfTable, Cells]] = []  # ruled tables with their words, which are taken out of `keep`
    for grid in ruled_grids(result.drawing.shapes):
        cells = words_in_cells(text.words.boxes, keep, grid)
        if is_table(grid, cells):
            grids.append((grid, cells))
            keep[[word for cell in cells.values() for word in cell]] = False
    pieces = form_pieces(text.words, keep)
    if text.confidences is None:  # what was recognised on a picture comes line by line across all columns
        for piece in pieces:
            piece.drawn = min(piece.words)
            piece.look = text.styles.look(piece.words[-1])
    for index, (grid, cells) in enumerate(grids):
        pieces.append(RowPiece(*grid.box, grid=index, drawn=min(word for words in cells.values() for word in words)))
    rows = in_reading_order(pieces, decor)
    runs = {start: (end, len(edges)) for start, end, edges in aligned_runs(rows)}
    above: PdfRow | None = None
    place = 0
    while place < len(rows):
        row = rows[place]
        end, columns = runs.get(place, (place + 1, 0))
        if columns:
            number = first_table + len(result.tables)
            result.tables.append(Table(text.number, end - place, columns, ruled=False))
            for line, content in enumerate(rows[place:end]):
                for column, piece in enumerate(content.pieces):
                    result.lines.append(text.line([piece], cell_joint(column, line), (number, line, column)))
        else:
            plain = [piece for piece in row.pieces if piece.grid is None]
            if plain:
                result.lines.append(text.line(plain, joint_between(above, row)))
            for piece in row.pieces:
                if piece.grid is not None:
                    number = first_table + len(result.tables)
                    grid, cells = grids[piece.grid]
                    result.tables.append(Table(text.number, len(grid.ys) - 1, len(grid.xs) - 1, ruled=True))
                    result.lines += ruled_lines(text, cells, number)
        above = rows[end - 1]
        place = end
    for piece in turned_pieces(text, turned):
        result.lines.append(text.line([piece], NEXT_BLOCK))


def ruled_lines(text: PageText, cells: Cells, number: int) -> list[DraftLine]:
    """The lines of a ruled table, row by row and cell by cell."""
    contents: dict[tuple[int, int], list[PdfRow]] = {}
    for cell, words in sorted(cells.items()):
        keep = np.zeros(len(text.words), bool)
        keep[words] = True
        contents[cell] = group_rows(form_pieces(text.words, keep))
    long_rows = {row for (row, _), rows in contents.items() if len(rows) > 1}
    lines: list[DraftLine] = []
    last_row = -1
    for (row, column), rows in contents.items():
        for i, content in enumerate(rows):
            beside = i == 0 and row == last_row and row not in long_rows
            joint = cell_joint(1, row) if beside else NEXT_LINE
            lines.append(text.line(content.pieces, joint if lines else NEXT_BLOCK, (number, row, column)))
        last_row = row
    return lines


def turned_pieces(text: PageText, turned: np.ndarray) -> list[RowPiece]:
    """Runs of turned words as pieces, in drawing order."""
    pieces: list[RowPiece] = []
    last = -2
    for word in np.flatnonzero(turned).tolist():
        box = text.words.boxes[word].tolist()
        if word == last + 1 and not text.words.line_start[word]:
            piece = pieces[-1]
            piece.words.append(word)
            piece.x0, piece.y0 = min(piece.x0, box[0]), min(piece.y0, box[1])
            piece.x1, piece.y1 = max(piece.x1, box[2]), max(piece.y1, box[3])
        else:
            pieces.append(RowPiece(box[0], box[1], box[2], box[3], [word]))
        last = word
    return pieces


def hidden_runs(text: PageText, unseen: dict[int, str]) -> list[Hidden]:
    """Hidden words that follow each other for the same reason, as one record."""
    runs: list[tuple[str, list[str]]] = []
    last = -2
    for word, reason in sorted(unseen.items()):
        if runs and runs[-1][0] == reason and word == last + 1:
            runs[-1][1].append(text.words.text[word])
        else:
            runs.append((reason, [text.words.text[word]]))
        last = word
    # An icon has been cut out of its word, of which nothing may be left.
    return [Hidden(" ".join(filter(None, words)), reason, text.number) for reason, words in runs if any(words)]
