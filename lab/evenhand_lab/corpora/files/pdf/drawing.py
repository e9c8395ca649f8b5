"""Pages to bytes: every shape drawn by reportlab, the same bytes for the same pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from evenhand_lab.corpora.files.looks import TINY_POINTS, Secret
from evenhand_lab.corpora.files.pdf.designs import Paper, PdfDesign
from evenhand_lab.corpora.files.pdf.pieces import (
    HELVETICA,
    BoxShape,
    Dot,
    Ink,
    PdfPage,
    RuleShape,
    Shape,
    TextShape,
    plain_words,
    wrap,
)

Hide = Callable[[Canvas], None]
"""Puts something onto the first page after everything else."""


def draw_pages(pages: Sequence[PdfPage], paper: Paper, name: str, hide: Hide | None = None) -> bytes:
    """`invariant` leaves out the time and the random identifier that reportlab would write."""
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=paper, invariant=1, pageCompression=1)
    canvas.setTitle(f"{name} - Resume")
    canvas.setAuthor(name)
    for number, shapes in enumerate(pages):
        for shape in shapes:
            draw(canvas, shape, paper.height)
        if hide and not number:
            hide(canvas)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def draw(canvas: Canvas, shape: Shape, top: float) -> None:
    def paint(fill: str | None, stroke: str | None, thickness: float) -> dict[str, int]:
        if fill:
            canvas.setFillColor(HexColor(fill))
        if stroke:
            canvas.setStrokeColor(HexColor(stroke))
            canvas.setLineWidth(thickness)
        return {"fill": int(fill is not None), "stroke": int(stroke is not None)}

    match shape:
        case TextShape():
            text = canvas.beginText(shape.x, top - shape.y)
            text.setFillColor(HexColor(shape.line.color))
            for fragment in shape.line.fragments:
                text.setFont(fragment.font, shape.line.size)
                text.textOut(fragment.text)
            canvas.drawText(text)
        case BoxShape():
            paints = paint(shape.fill, shape.stroke, shape.thickness)
            y = top - shape.y - shape.height
            if shape.radius:
                canvas.roundRect(shape.x, y, shape.width, shape.height, shape.radius, **paints)
            else:
                canvas.rect(shape.x, y, shape.width, shape.height, **paints)
        case RuleShape():
            paint(None, shape.color, shape.thickness)
            canvas.line(shape.x, top - shape.y, shape.to_x, top - shape.to_y)
        case Dot():
            paints = paint(shape.fill, shape.stroke, 0.8)
            canvas.circle(shape.x, top - shape.y, shape.radius, **paints)


# Words put into a PDF so that no reader of the page sees them.

SIZE = 5.0
LOWEST = 4.0  # of the last line, above the edge of the paper: below any footer
INVISIBLE = 3  # the text rendering mode that paints nothing


def hide(canvas: Canvas, secret: Secret, design: PdfDesign, paper: Paper) -> None:
    """At the foot of the page, beside any coloured bar; or beyond the edge of the paper."""
    size = TINY_POINTS if secret.how == "tiny" else SIZE
    bar = design.side  # beside it the paper is white
    left = (bar.width if bar and bar.at == "left" else 0.0) + 20
    right = (paper.width - bar.width if bar and bar.at == "right" else paper.width) - 20
    lines = wrap(plain_words(secret.text), Ink(HELVETICA, size, "#000000"), right - left)
    top = LOWEST + (len(lines) - 1) * (size + 1)
    canvas.saveState()
    text = canvas.beginText(paper.width + 40 if secret.how == "off_page" else left, top)
    text.setFont(HELVETICA.regular, size, size + 1)
    colors = {"white": HexColor("#ffffff"), "transparent": Color(0, 0, 0, alpha=0.0)}
    text.setFillColor(colors.get(secret.how, HexColor("#000000")))
    if secret.how == "invisible":
        text.setTextRenderMode(INVISIBLE)
    for line in lines:
        text.textLine("".join(fragment.text for fragment in line.fragments))
    canvas.drawText(text)
    if secret.how == "covered":
        canvas.setFillColor(HexColor("#ffffff"))
        canvas.rect(left - 2, LOWEST - 3, right - left + 4, top + size, fill=1, stroke=0)
    canvas.restoreState()
