"""Shapes laid over text: which paragraphs a person cannot see because something opaque stands before them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from evenhand.documents.office.blocks import Block, Frame, Paragraph
from evenhand.documents.office.boxes import Rect

MEAN_WIDTH = 0.5  # of the size, for one character
LINE_HEIGHT = 1.2  # of the size
MOST = 0.9  # of a text that must lie under a shape
WHOLE_PAGE = 0.95  # of the text area
MANY = 100
PNG = b"\x89PNG\r\n\x1a\n"
PNG_WITH_ALPHA = (4, 6)


@dataclass(slots=True)
class Covers:
    """Opaque shapes in front of the text, placed relative to the paragraph that is read now.

    Where a line falls is only estimated, so a text counts as covered only when nearly all of it is."""

    width: float  # of the text area, in points
    shapes: list[Rect] = field(default_factory=list)

    def add(self, shapes: list[Rect]) -> None:
        self.shapes = [*self.shapes, *shapes][-MANY:]

    def hides(self, text: Rect) -> bool:
        return any(shape.overlap(text) >= MOST for shape in self.shapes)

    def pass_by(self, height: float) -> None:
        """The next paragraph stands this much lower."""
        self.shapes = [
            replace(shape, y=shape.y - height) for shape in self.shapes if shape.bottom - height > 0
        ]


def estimate(paragraph: Paragraph, *, start: float, width: float, align: str, size: float) -> Rect:
    """Where the visible text of a paragraph should be, seen from its top."""
    text = "".join(span.text for span in paragraph.spans if span.hidden is None)
    size = next((span.look.size for span in paragraph.spans if span.look.size and span.text.strip()), size)
    lines = 0
    widest = 0.0
    for line in text.rstrip().split("\n"):
        length = width if "\t" in line.strip() else len(line.strip()) * size * MEAN_WIDTH
        widest = max(widest, min(length, width))
        lines += max(1, math.ceil(length / width))
    x = start
    if align in ("center", "end", "right"):
        x += (width - widest) * (0.5 if align == "center" else 1.0)
    return Rect(x, 0.0, max(widest, 1.0), lines * size * LINE_HEIGHT, floating=True)


def hide(paragraph: Paragraph, reason: str) -> None:
    for span in paragraph.spans:
        span.hidden = span.hidden or reason


def hide_blocks(blocks: list[Block], reason: str) -> None:
    """Marks everything in these blocks."""
    for block in blocks:
        if isinstance(block, Paragraph):
            hide(block, reason)
        elif isinstance(block, Frame):
            hide_blocks(block.blocks, reason)
        else:
            for cell in block.cells:
                hide_blocks(cell.blocks, reason)


def hide_page(blocks: list[Block], page: int) -> None:
    """Marks everything on a page but its text boxes, which stand in front themselves."""
    for block in blocks:
        if isinstance(block, Paragraph):
            for span in block.spans:
                if span.page == page:
                    span.hidden = span.hidden or "covered"
        elif not isinstance(block, Frame):
            for cell in block.cells:
                hide_page(cell.blocks, page)


def is_opaque_picture(head: bytes | None) -> bool:
    """Pictures that cannot let text shine through: JPEG, BMP and PNG without transparency."""
    if not head:
        return False
    if head.startswith((b"\xff\xd8\xff", b"BM")):
        return True
    return (
        head.startswith(PNG)
        and len(head) > 26
        and head[25] not in PNG_WITH_ALPHA
        and b"tRNS" not in head[:4096]
    )
