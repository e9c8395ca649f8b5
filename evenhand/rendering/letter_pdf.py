"""A letter as a PDF: printable, with its fonts inside, and the same bytes for the same letter."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.graphics.shapes import Drawing, Rect
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, ListFlowable, ListItem, LongTable, Paragraph, Spacer, Table

from evenhand.rendering import letter as parts
from evenhand.rendering.fonts import BOLD, PLAIN
from evenhand.rendering.letter import Letter
from evenhand.rendering.pdf_layout import ACCENT, RULE, SOFT, PdfText, box, build_pdf, padding, text_style

TONES = {"good": ("#e2f3e8", "#17613a"), "warn": ("#fff3dd", "#7d4400")}
MARGIN = 20 * mm
WIDTH = A4[0] - 2 * MARGIN
MAX_CELL_HEIGHT = 200 * mm
CUT = " … (the archive has the rest)"
MAX_NAMED = 120  # letters that no font of ours draws
BORROWED = (
    "These letters are drawn with a font of your own computer, since none for them fits into this file. If you see "
    "empty boxes instead, the same receipt as a web page shows them."
)
UNKNOWN = "These letters could not be drawn, and stand here as [U+…] with their number; the web page shows them."


def letter_pdf(letter: Letter) -> bytes:
    return build_pdf(_Page(letter).flowables, title=letter.title, foot=letter.foot, margin=MARGIN, top=18 * mm)


class _Page:
    def __init__(self, letter: Letter) -> None:
        self._letter = letter
        self._words = PdfText()
        self._text = self._words.paragraph

    def flowables(self) -> Iterator[Flowable]:
        letter = self._letter
        yield self._text(letter.kicker.upper(), KICKER, bold=True)
        yield self._text(letter.title, TITLE, bold=True)
        yield Spacer(1, 3 * mm)
        yield self._head(letter.head)
        for section in letter.sections:
            made = [flowable for block in section.blocks for flowable in self._block(block)]
            title = self._text(section.heading, HEADING, bold=True)
            # A heading is not left alone at the foot of a page; a long table is broken all the same.
            if made and not isinstance(made[0], LongTable):
                yield KeepTogether([title, made[0]])
                yield from made[1:]
            else:
                yield title
                yield from made
        # At the end, when all has been set.
        setter = self._words.setter
        for words, letters in ((BORROWED, setter.borrowed), (UNKNOWN, setter.unknown)):
            yield from self._words.letter_note(words, letters, SMALL, most=MAX_NAMED)

    def _block(self, block: parts.Block) -> Iterator[Flowable]:
        match block:
            case parts.LetterParagraph():
                yield from self._note(block) if block.tone in TONES else [self._paragraph(block)]
            case parts.Pairs():
                yield self._head(block)
            case parts.LetterList():
                items = [ListItem(self._text(row, POINT), leftIndent=12) for row in block.rows]
                yield ListFlowable(
                    items, bulletType="bullet", start="•", leftIndent=12, bulletFontName=PLAIN, bulletFontSize=9
                )
            case parts.LetterTable():
                yield self._table(block)
                yield Spacer(1, 3 * mm)
            case parts.Bars():
                yield self._bars(block)
                yield Spacer(1, 3 * mm)

    def _paragraph(self, block: parts.LetterParagraph) -> Paragraph:
        return self._text(block.words, SOFT_BODY if block.tone == "soft" else BODY)

    def _note(self, block: parts.LetterParagraph) -> Iterator[Flowable]:
        back, ink = TONES[block.tone]
        style = ParagraphStyle("note", parent=BODY, textColor=HexColor(ink), spaceAfter=0)
        yield box(self._text(block.words, style), WIDTH, back, side=3 * mm, top=2 * mm)
        yield Spacer(1, 3 * mm)

    def _head(self, block: parts.Pairs) -> Flowable:
        cells = [[self._text(label, LABEL), self._text(value, VALUE, bold=True)] for label, value in block.rows]
        width = WIDTH / max(len(cells), 1)
        return Table(
            [cells],
            colWidths=[width] * len(cells),
            style=[
                ("LINEABOVE", (0, 0), (-1, 0), 0.6, RULE),
                ("LINEBELOW", (0, 0), (-1, 0), 0.6, RULE),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                *padding(0, 2 * mm),
            ],
        )

    def _table(self, block: parts.LetterTable) -> Flowable:
        heads = [
            self._text(head, NUMBER_HEAD if at in block.numbers else HEAD, bold=True)
            for at, head in enumerate(block.heads)
        ]
        rows = [
            [self._cell(cell, at in block.numbers, WIDTH * block.widths[at]) for at, cell in enumerate(row)]
            for row in block.rows
        ]
        return LongTable(
            [heads, *rows],
            colWidths=[WIDTH * width for width in block.widths],
            repeatRows=1,
            style=[
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, 0), 0.8, SOFT),
                ("LINEBELOW", (0, 1), (-1, -1), 0.4, RULE),
                *padding(0, 1 * mm),
                ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
            ],
        )

    def _cell(self, text: str, is_number: bool, width: float) -> Paragraph:
        style = NUMBER if is_number else CELL
        return self._words.cell(text, style, width, height=MAX_CELL_HEIGHT, cut=CUT)

    def _bars(self, block: parts.Bars) -> Flowable:
        rows = []
        for bar in block.rows:
            name = [self._text(bar.name, VALUE, bold=True), self._text(bar.words, SMALL)]
            rows.append([name, _bar(bar.value / block.full), self._text(f"{bar.value:.1f}", NUMBER)])
        total = sum(bar.value for bar in block.rows)
        rows.append(
            [
                self._text("together", VALUE, bold=True),
                _bar(total / block.full),
                self._text(f"{total:.1f}", NUMBER, bold=True),
            ]
        )
        return Table(
            rows,
            colWidths=[WIDTH * 0.58, WIDTH * 0.32, WIDTH * 0.1],
            style=[
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEABOVE", (0, -1), (-1, -1), 0.8, SOFT),
                ("LINEBELOW", (0, 0), (-1, -3), 0.4, RULE),
                *padding(0, 1.2 * mm),
                ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
            ],
        )


KICKER = text_style("kicker", 8, 11, fontName=BOLD, textColor=ACCENT)
TITLE = text_style("title", 19, 24, fontName=BOLD)
HEADING = text_style("heading", 12.5, 16, fontName=BOLD, spaceBefore=6 * mm, spaceAfter=2 * mm)
BODY = text_style("body", 9.5, 13.5, spaceAfter=2 * mm)
SOFT_BODY = ParagraphStyle("soft", parent=BODY, textColor=SOFT)
POINT = text_style("point", 9.5, 13.5, spaceAfter=1 * mm)
LABEL = text_style("label", 7.5, 10, textColor=SOFT)
VALUE = text_style("value", 9, 12, fontName=BOLD)
SMALL = text_style("small", 8, 11, textColor=SOFT)
CELL = text_style("cell", 8.5, 11.5)
HEAD = text_style("head", 8, 11, fontName=BOLD, textColor=SOFT)
NUMBER = text_style("number", 8.5, 11.5, alignment=2)
NUMBER_HEAD = text_style("number head", 8, 11, fontName=BOLD, textColor=SOFT, alignment=2)


def _bar(share: float) -> Drawing:
    width = WIDTH * 0.3
    drawing = Drawing(width, 11)
    drawing.add(_rounded(width, "#e7ebe9"))
    if share > 0:
        drawing.add(_rounded(max(width * min(share, 1.0), 1.0), "#14717f"))
    return drawing


def _rounded(length: float, colour: str) -> Rect:
    return Rect(0, 2, length, 6.0, fillColor=HexColor(colour), strokeColor=None, rx=min(3, length / 2), ry=3)
