"""Words put into a PDF so that no reader of the page sees them."""

from __future__ import annotations

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from evenhand.corpora.files.pdf.design import Design
from evenhand.corpora.files.pdf.fonts import HELVETICA
from evenhand.corpora.files.pdf.lines import Ink, plain_words, wrap
from evenhand.corpora.files.secrets import TINY_POINTS, Secret

SIZE = 5.0
LOWEST = 4.0  # of the last line, above the edge of the paper: below any footer
INVISIBLE = 3  # the text rendering mode that paints nothing


def hide(canvas: Canvas, secret: Secret, design: Design, paper: tuple[float, float]) -> None:
    """At the foot of the page, beside any coloured bar; or beyond the edge of the paper."""
    size = TINY_POINTS if secret.how == "tiny" else SIZE
    left, right = clear_paper(design, paper[0])
    lines = wrap(plain_words(secret.text), Ink(HELVETICA, size, "#000000"), right - left)
    top = LOWEST + (len(lines) - 1) * (size + 1)
    canvas.saveState()
    text = canvas.beginText(paper[0] + 40 if secret.how == "off_page" else left, top)
    text.setFont(HELVETICA.regular, size, size + 1)
    text.setFillColor(paint(secret.how))
    if secret.how == "invisible":
        text.setTextRenderMode(INVISIBLE)
    for line in lines:
        text.textLine("".join(fragment.text for fragment in line.fragments))
    canvas.drawText(text)
    if secret.how == "covered":
        canvas.setFillColor(HexColor("#ffffff"))
        canvas.rect(left - 2, LOWEST - 3, right - left + 4, top + size, fill=1, stroke=0)
    canvas.restoreState()


def clear_paper(design: Design, width: float) -> tuple[float, float]:
    """From where to where the paper is white."""
    side = design.side
    left = side.width if side and side.at == "left" else 0.0
    right = width - side.width if side and side.at == "right" else width
    return left + 20, right - 20


def paint(how: str) -> Color:
    if how == "white":
        return HexColor("#ffffff")
    return Color(0, 0, 0, alpha=0.0) if how == "transparent" else HexColor("#000000")
