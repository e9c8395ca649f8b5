"""A letter as a PDF: printable, with its fonts inside, and the same bytes for the same letter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any

from reportlab.graphics.shapes import Drawing, Rect
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    KeepTogether,
    ListFlowable,
    ListItem,
    LongTable,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from evenhand.rendering import letter as parts
from evenhand.rendering.fonts import BOLD, PLAIN, Setter, letter_name, use_fonts
from evenhand.rendering.letter import Letter

INK, SOFT, ACCENT, RULE = "#1b2326", "#556166", "#0b5d69", "#d9dfdc"
TONES = {"good": ("#e2f3e8", "#17613a"), "warn": ("#fff3dd", "#7d4400")}
MARGIN = 20 * mm
FRAME = 6  # points that reportlab keeps free inside the margins
WIDTH = A4[0] - 2 * MARGIN
MAX_CELL_HEIGHT = 200 * mm  # of a cell
CUT = " … (the archive has the rest)"
MAX_NAMED = 120  # letters that no font of ours draws
BORROWED = (
    "These letters are drawn with a font of your own computer, since none for them fits into this file. If you see "
    "empty boxes instead, the same receipt as a web page shows them."
)
UNKNOWN = "These letters could not be drawn, and stand here as [U+…] with their number; the web page shows them."


def letter_pdf(letter: Letter) -> bytes:
    out = BytesIO()
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=MARGIN - FRAME,
        rightMargin=MARGIN - FRAME,
        topMargin=18 * mm,
        bottomMargin=20 * mm,
        title=letter.title,
        author="Evenhand",
        lang="en",
        invariant=1,
    )
    use_fonts()
    document.build(list(_Page(letter).flowables()), canvasmaker=_numbered(letter.foot))
    return out.getvalue()


class _Page:
    def __init__(self, letter: Letter) -> None:
        self._letter = letter
        self._setter = Setter()

    def flowables(self) -> Iterator[Flowable]:
        letter = self._letter
        yield self._text(letter.kicker.upper(), KICKER, bold=True)
        yield self._text(letter.title, TITLE, bold=True)
        yield Spacer(1, 3 * mm)
        yield self._head(letter.head)
        for section in letter.sections:
            yield from self._section(section.heading, section.blocks)
        yield from self._letters()

    def _section(self, heading: str, blocks: Sequence[parts.Block]) -> Iterator[Flowable]:
        made = [flowable for block in blocks for flowable in self._block(block)]
        title = self._text(heading, HEADING, bold=True)
        # A heading is not left alone at the foot of a page; a long table is broken all the same.
        if made and not isinstance(made[0], LongTable):
            yield KeepTogether([title, made[0]])
            yield from made[1:]
        else:
            yield title
            yield from made

    def _block(self, block: parts.Block) -> Iterator[Flowable]:
        match block:
            case parts.LetterParagraph():
                yield from self._note(block) if block.tone in TONES else [self._paragraph(block)]
            case parts.Pairs():
                yield self._head(block)
            case parts.LetterList():
                yield self._points(block)
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
        yield Table(
            [[self._text(block.words, style)]],
            colWidths=[WIDTH],
            style=[
                ("BACKGROUND", (0, 0), (-1, -1), HexColor(back)),
                ("ROUNDEDCORNERS", [3, 3, 3, 3]),
                *_padding(3 * mm, 2 * mm),
            ],
        )
        yield Spacer(1, 3 * mm)

    def _head(self, block: parts.Pairs) -> Flowable:
        cells = [[self._text(label, LABEL), self._text(value, VALUE, bold=True)] for label, value in block.rows]
        width = WIDTH / max(len(cells), 1)
        return Table(
            [cells],
            colWidths=[width] * len(cells),
            style=[
                ("LINEABOVE", (0, 0), (-1, 0), 0.6, HexColor(RULE)),
                ("LINEBELOW", (0, 0), (-1, 0), 0.6, HexColor(RULE)),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                *_padding(0, 2 * mm),
            ],
        )

    def _points(self, block: parts.LetterList) -> Flowable:
        items = [ListItem(self._text(row, POINT), leftIndent=12) for row in block.rows]
        return ListFlowable(
            items, bulletType="bullet", start="•", leftIndent=12, bulletFontName=PLAIN, bulletFontSize=9
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
                ("LINEBELOW", (0, 0), (-1, 0), 0.8, HexColor(SOFT)),
                ("LINEBELOW", (0, 1), (-1, -1), 0.4, HexColor(RULE)),
                *_padding(0, 1 * mm),
                ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
            ],
        )

    def _cell(self, text: str, is_number: bool, width: float) -> Paragraph:
        """Cut where it is longer than a page is high: a row cannot be broken."""
        made = self._text(text, NUMBER if is_number else CELL)
        while made.wrap(width - 3 * mm, A4[1])[1] > MAX_CELL_HEIGHT:
            text = text[: len(text) * 2 // 3]
            made = self._text(text.rstrip() + CUT, NUMBER if is_number else CELL)
        return made

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
                ("LINEABOVE", (0, -1), (-1, -1), 0.8, HexColor(SOFT)),
                ("LINEBELOW", (0, 0), (-1, -3), 0.4, HexColor(RULE)),
                *_padding(0, 1.2 * mm),
                ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
            ],
        )

    def _letters(self) -> Iterator[Flowable]:
        """At the end, when all has been set."""
        for words, letters in ((BORROWED, self._setter.borrowed), (UNKNOWN, self._setter.unknown)):
            if letters:
                named = "; ".join(map(letter_name, list(letters)[:MAX_NAMED]))
                yield Spacer(1, 4 * mm)
                yield self._text(f"{words} {named}.", SMALL)

    def _text(self, text: str, style: ParagraphStyle, *, bold: bool = False) -> Paragraph:
        markup, is_shaped = self._setter.markup(text, bold=bold)
        return Paragraph(markup, ParagraphStyle("shaped", parent=style, shaping=1) if is_shaped else style)


def _style(name: str, size: float, leading: float, **more: Any) -> ParagraphStyle:
    return ParagraphStyle(
        name,
        **{"fontName": PLAIN, "fontSize": size, "leading": leading, "textColor": HexColor(INK)} | more,
    )


KICKER = _style("kicker", 8, 11, fontName=BOLD, textColor=HexColor(ACCENT))
TITLE = _style("title", 19, 24, fontName=BOLD)
HEADING = _style("heading", 12.5, 16, fontName=BOLD, spaceBefore=6 * mm, spaceAfter=2 * mm)
BODY = _style("body", 9.5, 13.5, spaceAfter=2 * mm)
SOFT_BODY = ParagraphStyle("soft", parent=BODY, textColor=HexColor(SOFT))
POINT = _style("point", 9.5, 13.5, spaceAfter=1 * mm)
LABEL = _style("label", 7.5, 10, textColor=HexColor(SOFT))
VALUE = _style("value", 9, 12, fontName=BOLD)
SMALL = _style("small", 8, 11, textColor=HexColor(SOFT))
CELL = _style("cell", 8.5, 11.5)
HEAD = _style("head", 8, 11, fontName=BOLD, textColor=HexColor(SOFT))
NUMBER = _style("number", 8.5, 11.5, alignment=2)
NUMBER_HEAD = _style("number head", 8, 11, fontName=BOLD, textColor=HexColor(SOFT), alignment=2)


def _bar(share: float) -> Drawing:
    width, height = WIDTH * 0.3, 6.0
    drawing = Drawing(width, 11)
    drawing.add(Rect(0, 2, width, height, fillColor=HexColor("#e7ebe9"), strokeColor=None, rx=3, ry=3))
    if share > 0:
        length = max(width * min(share, 1.0), 1.0)
        drawing.add(
            Rect(
                0,
                2,
                length,
                height,
                fillColor=HexColor("#14717f"),
                strokeColor=None,
                rx=min(3, length / 2),
                ry=3,
            )
        )
    return drawing


def _padding(side: float, top: float) -> list[tuple[Any, ...]]:
    """Without a side of their own, cells begin where the text does and keep away from the next one."""
    return [
        ("LEFTPADDING", (0, 0), (-1, -1), side),
        ("RIGHTPADDING", (0, 0), (-1, -1), side or 3 * mm),
        ("TOPPADDING", (0, 0), (-1, -1), top),
        ("BOTTOMPADDING", (0, 0), (-1, -1), top),
    ]


def _numbered(foot: str) -> type[Canvas]:
    """Every page says which of how many it is."""

    class Numbered(Canvas):  # type: ignore[misc]
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            self._pages: list[dict[str, Any]] = []

        def showPage(self) -> None:  # noqa: N802 - reportlab's name
            self._pages.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for number, page in enumerate(self._pages, start=1):
                self.__dict__.update(page)
                self.setFont(PLAIN, 7.5)
                self.setFillColor(HexColor(SOFT))
                self.drawString(MARGIN, 11 * mm, foot)
                self.drawRightString(A4[0] - MARGIN, 11 * mm, f"{number} of {len(self._pages)}")
                super().showPage()
            super().save()

    return Numbered
