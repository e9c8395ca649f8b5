"""Words put into a PDF so that no reader of the page sees them."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from evenhand.corpora.files.secrets import TINY_POINTS, Secret

WORDS_PER_LINE = 12
SIZE = 7.0
INVISIBLE = 3  # the text rendering mode that paints nothing


def hide(canvas: Canvas, secret: Secret, paper: tuple[float, float]) -> None:
    """At the foot of the page, or beyond its edge."""
    size = TINY_POINTS if secret.how == "tiny" else SIZE
    lines = list(lines_of(secret.text))
    x = paper[0] + 40 if secret.how == "off_page" else 40
    top = 6 + len(lines) * (size + 1)
    canvas.saveState()
    text = canvas.beginText(x, top)
    text.setFont("Helvetica", size, size + 1)
    text.setFillColor(paint(secret.how))
    if secret.how == "invisible":
        text.setTextRenderMode(INVISIBLE)
    for line in lines:
        text.textLine(line)
    canvas.drawText(text)
    if secret.how == "covered":
        canvas.setFillColor(HexColor("#ffffff"))
        canvas.rect(x - 4, 2, paper[0] - 2 * x + 8, top + size, fill=1, stroke=0)
    canvas.restoreState()


def lines_of(text: str) -> Iterator[str]:
    words = text.split()
    for place in range(0, len(words), WORDS_PER_LINE):
        yield " ".join(words[place : place + WORDS_PER_LINE])


def paint(how: str) -> Color:
    if how == "white":
        return HexColor("#ffffff")
    return Color(0, 0, 0, alpha=0.0) if how == "transparent" else HexColor("#000000")
