"""Rows of a page to draft lines: words joined, markers found, style of the row chosen."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, DraftLine
from evenhand.documents.pdf.rows import Piece, Row
from evenhand.documents.pdf.style import Styles
from evenhand.documents.pdf.words import SPACE, Words

BLOCK_GAP = 0.6  # of a line's height between two lines that belong to different paragraphs
BULLETS = "•◦▪▫‣⁃●○■□◆◇♦➢➤►▶▸✓✔✦★☆∙·–—‐-*»›→⇒\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf0a8\uf06e\uf071"
MARKER = re.compile(rf"(?:[{re.escape(BULLETS)}o§Ø]|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})[.)])(?=[ \t])")


@dataclass(slots=True)
class PageText:
    """The words of a page with their styles."""

    number: int
    words: Words
    styles: Styles
    confidences: list[float] | None = None  # of each word, where it was recognised on a picture

    def text_of(self, piece: Piece) -> str:
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

    def line(self, pieces: list[Piece], joint: str, table: tuple[int, int, int] | None = None) -> DraftLine:
        text = ""
        for part in filter(None, map(self.text_of, pieces)):
            text += (" " if is_marker(text) else "\t" if text else "") + part
        if len(pieces) == 1:
            box = (pieces[0].x0, pieces[0].y0, pieces[0].x1, pieces[0].y1)
        else:
            box = (
                min(piece.x0 for piece in pieces),
                min(piece.y0 for piece in pieces),
                max(piece.x1 for piece in pieces),
                max(piece.y1 for piece in pieces),
            )
        word = self.main_word(pieces)
        marker = MARKER.match(text)
        font = self.styles.fonts[word]
        return DraftLine(
            text=text,
            page=self.number,
            joint=joint,
            box=(round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1)),
            font=font.name,
            size=self.styles.sizes[word],
            bold=self.styles.is_bold(word),
            italic=font.italic,
            color=self.styles.color_name(word),
            list=marker[0] if marker else None,
            table=table,
            confidence=self.confidence_of(pieces),
        )

    def confidence_of(self, pieces: list[Piece]) -> float | None:
        if self.confidences is None:
            return None
        values = [self.confidences[word] for piece in pieces for word in piece.words]
        return round(sum(values) / len(values), 3)

    def main_word(self, pieces: list[Piece]) -> int:
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


def is_marker(text: str) -> bool:
    """Whether the text is a list marker and nothing else."""
    return 0 < len(text) <= 5 and MARKER.match(text + " ") is not None


def joint_between(above: Row | None, below: Row) -> str:
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
