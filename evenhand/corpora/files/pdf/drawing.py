"""Pages to bytes: every shape drawn by reportlab, the same bytes for the same pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from io import BytesIO

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from evenhand.corpora.files.pdf.pieces import Box, Dot, Rule, Shape, Text

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
        case Text():
            draw_text(canvas, shape, top)
        case Box():
            begin(canvas, shape.fill, shape.stroke, shape.thickness)
            paint = {"fill": int(shape.fill is not None), "stroke": int(shape.stroke is not None)}
            y = top - shape.y - shape.height
            if shape.radius:
                canvas.roundRect(shape.x, y, shape.width, shape.height, shape.radius, **paint)
            else:
                canvas.rect(shape.x, y, shape.width, shape.height, **paint)
        case Rule():
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


def draw_text(canvas: Canvas, shape: Text, top: float) -> None:
    text = canvas.beginText(shape.x, top - shape.y)
    text.setFillColor(HexColor(shape.line.color))
    for fragment in shape.line.fragments:
        text.setFont(fragment.font, shape.line.size)
        text.textOut(fragment.text)
    canvas.drawText(text)
