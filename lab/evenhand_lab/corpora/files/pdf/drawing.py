"""Pages to bytes: every shape drawn by reportlab, the same bytes for the same pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from io import BytesIO

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from evenhand_lab.corpora.files.looks import TINY_POINTS, Secret
from evenhand_lab.corpora.files.pdf.designs import PdfDesign
from evenhand_lab.corpora.files.pdf.pieces import (
    HELVETICA,
    BoxShape,
    Dot,
    Ink,
    RuleShape,
    Shape,
    TextShape,
    plain_words,
    wrap,
)

Hide = Callable[[Canvas], None]
"""Puts something onto the first page after everything else."""


def draw_pages(
    pages: Sequence[Iterable[Shape]], paper: tuple[float, float], name: str, hide: Hide | None = None
) -> bytes:
    """`invariant` leaves out the time and the random identifier that reportlab would write."""
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=paper, invariant=1, pageCompression=1)
    canvas.setTitle(f"{name} - Resume")
    canvas.setAuthor(name)
    for number, shapes in enumerate(pages):
        for shape in shapes:
            draw(canvas, shape, paper[1])
        if hide and not number:
            hide(canvas)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def draw(canvas: Canvas, shape: Shape, top: float) -> None:
    match shape:
        case TextShape():
            draw_text(canvas, shape, top)
        case BoxShape():
            begin(canvas, shape.fill, shape.stroke, shape.thickness)
            paint = {"fill": int(shape.fill is not None), "stroke": int(shape.stroke is not None)}
            y = top - shape.y - shape.height
            if shape.radius:
                canvas.roundRect(shape.x, y, shape.width, shape.height, shape.radius, **paint)
            else:
                canvas.rect(shape.x, y, shape.width, shape.height, **paint)
        case RuleShape():
            begin(canvas, None, shape.color, shape.thickness)
            canvas.line(shape.x, top - shape.y, shape.to_x, top - shape.to_y)
        case Dot():
            begin(canvas, shape.fill, shape.stroke, 0.8)
            paint = {"fill": int(shape.fill is not None), "stroke": int(shape.stroke is not None)}
            canvas.circle(shape.x, top - shape.y, shape.radius, **paint)


def begin(canvas: Canvas, fill: str | None, stroke: str | None, thickness: float) -> None:
    if fill:
        canvas.setFillColor(HexColor(fill))
    if stroke:
        canvas.setStrokeColor(HexColor(stroke))
        canvas.setLineWidth(thickness)


def draw_text(canvas: Canvas, shape: TextShape, top: float) -> None:
    text = canvas.beginText(shape.x, top - shape.y)
    text.setFillColor(HexColor(shape.line.color))
    for fragment in shape.line.fragments:
        text.setFont(fragment.font, shape.line.size)
        text.textOut(fragment.text)
    canvas.drawText(text)


# Words put into a PDF so that no reader of the page sees them.

SIZE = 5.0
LOWEST = 4.0  # of the last line, above the edge of the paper: below any footer
INVISIBLE = 3  # the text rendering mode that paints nothing


def hide(canvas: Canvas, secret: Secret, design: PdfDesign, paper: tuple[float, float]) -> None:
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


def clear_paper(design: PdfDesign, width: float) -> tuple[float, float]:
    """From where to where the paper is white."""
    side = design.side
    left = side.width if side and side.at == "left" else 0.0
    right = width - side.width if side and side.at == "right" else width
    return left + 20, right - 20


def paint(how: str) -> Color:
    if how == "white":
        return HexColor("#ffffff")
    return Color(0, 0, 0, alpha=0.0) if how == "transparent" else HexColor("#000000")
