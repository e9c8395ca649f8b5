"""What every PDF shares: numbered pages, styles of paragraphs, boxes and cells of tables, and its fonts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table

from evenhand.rendering.fonts import PLAIN, Setter, letter_name, use_fonts

INK, SOFT, ACCENT, RULE = map(HexColor, ("#1b2326", "#556166", "#0b5d69", "#d9dfdc"))
FRAME = 6  # points that reportlab keeps free inside the margins
CELL_GAP = 3 * mm


def build_pdf(
    flowables: Callable[[], Iterable[Flowable]], *, title: str, foot: str, margin: float, top: float
) -> bytes:
    """The same flowables give the same bytes."""
    out = BytesIO()
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=margin - FRAME,
        rightMargin=margin - FRAME,
        topMargin=top,
        bottomMargin=20 * mm,
        title=title,
        author="Evenhand",
        lang="en",
        invariant=1,
    )
    use_fonts()
    document.build(list(flowables()), canvasmaker=_numbered(foot, margin))
    return out.getvalue()


class PdfText:
    """Texts of one PDF as paragraphs, each with fonts for all of its letters."""

    def __init__(self) -> None:
        self.setter = Setter()

    def paragraph(self, text: str, style: ParagraphStyle, *, bold: bool = False) -> Paragraph:
        markup, is_shaped = self.setter.markup(text, bold=bold)
        return Paragraph(markup, ParagraphStyle("shaped", parent=style, shaping=1) if is_shaped else style)

    def cell(self, text: str, style: ParagraphStyle, width: float, *, height: float, cut: str) -> Paragraph:
        """Cut where it is higher than that: a row cannot be broken."""
        made = self.paragraph(text, style)
        while made.wrap(max(width - CELL_GAP, 10), A4[1])[1] > height:
            text = text[: len(text) * 2 // 3]
            made = self.paragraph(text.rstrip() + cut, style)
        return made

    def letter_note(
        self, words: str, letters: Iterable[str], style: ParagraphStyle, *, most: int
    ) -> Iterator[Flowable]:
        """Names letters that no font in the file has; nothing where there are none."""
        if named := "; ".join(map(letter_name, list(letters)[:most])):
            yield Spacer(1, 4 * mm)
            yield self.paragraph(f"{words} {named}.", style)


def text_style(name: str, size: float, leading: float, **more: Any) -> ParagraphStyle:
    return ParagraphStyle(name, **{"fontName": PLAIN, "fontSize": size, "leading": leading, "textColor": INK} | more)


def padding(side: float, top: float) -> list[tuple[Any, ...]]:
    """Without a side of their own, cells begin where the text does and keep away from the next one."""
    sides = {"LEFT": side, "RIGHT": side or CELL_GAP, "TOP": top, "BOTTOM": top}
    return [(f"{name}PADDING", (0, 0), (-1, -1), size) for name, size in sides.items()]


def box(content: Flowable, width: float, back: str, *, side: float, top: float) -> Table:
    """Something on a coloured ground with round corners."""
    colours = [("BACKGROUND", (0, 0), (-1, -1), HexColor(back)), ("ROUNDEDCORNERS", [3, 3, 3, 3])]
    return Table([[content]], colWidths=[width], hAlign="LEFT", style=[*colours, *padding(side, top)])


def _numbered(foot: str, margin: float) -> type[Canvas]:
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
                self.setFillColor(SOFT)
                self.drawString(margin, 11 * mm, foot)
                self.drawRightString(A4[0] - margin, 11 * mm, f"{number} of {len(self._pages)}")
                super().showPage()
            super().save()

    return Numbered
