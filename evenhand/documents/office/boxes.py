"""The order in which a person reads text boxes that stand side by side or below each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from evenhand.documents.draft import LINE_HEIGHT, MEAN_WIDTH
from evenhand.documents.office.blocks import Block, OfficeParagraph, TextBox, TextSpan

MAX_SORTED_BOXES = 300  # boxes; beyond this a plain sort must do
TOLERANCE = 2.0  # points that two boxes may overlap and still stand apart
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rect:
    """A place on the page in points, from its top left corner."""

    x: float
    y: float
    width: float
    height: float
    floating: bool = False  # y counts from the anchor's line, whose place on the page is unknown

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def overlap(self, other: Rect) -> float:
        """The share of `other` that lies within this place."""
        across = min(self.right, other.right) - max(self.x, other.x)
        down = min(self.bottom, other.bottom) - max(self.y, other.y)
        area = other.width * other.height
        return max(across, 0.0) * max(down, 0.0) / area if area > 0 else 0.0


def reading_order(items: Sequence[tuple[Rect | None, T]]) -> list[T]:
    """Rows cut from top to bottom, columns within them from left to right; unplaced ones come first."""
    unplaced = [item for rect, item in items if rect is None]
    return unplaced + _cut([(rect, item) for rect, item in items if rect is not None])


def _cut(items: list[tuple[Rect, T]]) -> list[T]:
    if len(items) < 2:
        return [item for _, item in items]
    for vertical in (True, False) if len(items) <= MAX_SORTED_BOXES else ():
        groups = _groups(items, vertical=vertical)
        if len(groups) > 1:
            return [item for group in groups for item in _cut(group)]
    ordered = sorted(items, key=lambda pair: (round(pair[0].y / 6), pair[0].x))
    return [item for _, item in ordered]


def _groups(items: list[tuple[Rect, T]], *, vertical: bool) -> list[list[tuple[Rect, T]]]:
    """Items parted wherever a straight cut meets none of them."""

    def extent(rect: Rect) -> tuple[float, float]:
        return (rect.y, rect.bottom) if vertical else (rect.x, rect.right)

    groups: list[list[tuple[Rect, T]]] = []
    reach = float("-inf")
    for rect, item in sorted(items, key=lambda pair: extent(pair[0])):
        start, end = extent(rect)
        if not groups or start >= reach - TOLERANCE:
            groups.append([])
        groups[-1].append((rect, item))
        reach = max(reach, end)
    return groups


# Text boxes into reading order; words that a converter put into boxes of their own become lines again.

PlacedFrame: TypeAlias = tuple[Rect | None, TextBox]
Word: TypeAlias = tuple[Rect, OfficeParagraph]
BLANK_LINE = 14.0  # points
MIN_SCATTERED_WORDS = 3  # boxes of one line each, below which they are captions and not a shattered text
TALLEST_LINE = 40.0  # points
SAME_LINE = 0.5  # of the height, between the middles of two boxes
MAX_WORD_GAP = 3.0  # of the height, between words of one line
BLANK_GAP = 0.8  # of the size, from where two boxes are two words


def arrange(items: list[PlacedFrame]) -> list[Block]:
    """The frames as a person reads them; one whose place is unknown keeps its turn and parts the others."""
    blocks: list[Block] = []
    placed: list[PlacedFrame] = []
    for rect, frame in items:
        if rect is None:
            blocks.extend([*_arrange(placed), frame])
            placed = []
        else:
            placed.append((rect, frame))
    return [*blocks, *_arrange(placed)]


def lowered(items: list[PlacedFrame], lines: int) -> list[PlacedFrame]:
    """Places that hang on a blank line, seen from the first of several."""
    return [
        (replace(rect, y=rect.y + lines * BLANK_LINE) if rect is not None and rect.floating else rect, frame)
        for rect, frame in items
    ]


def _arrange(items: list[PlacedFrame]) -> list[Block]:
    words: list[Word] = []
    others: list[PlacedFrame] = []
    for rect, frame in items:
        word = _word(frame) if rect is not None and rect.height <= TALLEST_LINE else None
        if rect is not None and word is not None:
            words.append((rect, word))
        else:
            others.append((rect, frame))
    if len(words) < MIN_SCATTERED_WORDS:
        return list(reading_order(items))
    rows: list[list[Word]] = []
    for rect, word in sorted(words, key=lambda word: word[0].y + word[0].height / 2):
        first = rows[-1][0][0] if rows else None
        distance = rect.y + rect.height / 2 - (first.y + first.height / 2) if first is not None else 0.0
        if first is not None and distance < SAME_LINE * min(rect.height, first.height):
            rows[-1].append((rect, word))
        else:
            rows.append([(rect, word)])
    lines = [line for row in rows for line in _chains(row)]
    return list(reading_order([*others, *((rect, TextBox([line])) for rect, line in lines)]))


def single_line(blocks: list[Block]) -> list[TextSpan] | None:
    """The spans of blocks that together are one line or none; None when there is more."""
    filled = [block for block in blocks if not isinstance(block, OfficeParagraph) or block.has_text()]
    hidden = any(isinstance(block, OfficeParagraph) and any(s.hidden for s in block.spans) for block in blocks)
    if hidden or len(filled) > 1:
        return None
    if not filled:
        return []
    only = filled[0]
    if isinstance(only, TextBox):
        return single_line(only.blocks)
    if not isinstance(only, OfficeParagraph) or only.marker or any("\n" in span.text for span in only.spans):
        return None
    return only.spans


def _word(frame: TextBox) -> OfficeParagraph | None:
    """The only line of a frame."""
    block = frame.blocks[0] if len(frame.blocks) == 1 else None
    if not isinstance(block, OfficeParagraph) or block.marker or any("\n" in span.text for span in block.spans):
        return None
    return block


def _chains(row: list[Word]) -> list[Word]:
    """One line per run of neighbouring words; a wide gap parts columns."""
    chains: list[Word] = []
    end = float("-inf")  # where the text so far should end: boxes are often drawn wider than their text
    for rect, word in sorted(row, key=lambda pair: pair[0].x):
        if not chains or rect.x - end > MAX_WORD_GAP * rect.height:
            chains.append((rect, word))
        else:
            whole, line = chains[-1]
            size = word.spans[0].look.size if word.spans and word.spans[0].look.size else rect.height * 0.7
            if rect.x - end > BLANK_GAP * size and line.spans:
                line.spans.append(TextSpan(" ", line.spans[-1].look, line.page))
            line.spans.extend(word.spans)
            right = max(whole.right, rect.right)
            chains[-1] = (Rect(whole.x, whole.y, right - whole.x, whole.height, whole.floating), line)
        text_width = sum(len(span.text) * (span.look.size or 10.0) * MEAN_WIDTH for span in word.spans)
        end = max(end, rect.x + min(text_width, rect.width))
    return chains


# Shapes laid over text: which paragraphs a person cannot see because something opaque stands before them.

MIN_COVERED_SHARE = 0.9  # of a text that must lie under a shape
WHOLE_PAGE = 0.95  # of the text area
MAX_COVERS = 100
PNG = b"\x89PNG\r\n\x1a\n"
PNG_WITH_ALPHA = (4, 6)


@dataclass(slots=True)
class OpaqueShapes:
    """Opaque shapes in front of the text, placed relative to the paragraph that is read now.

    Where a line falls is only estimated, so a text counts as covered only when nearly all of it is."""

    width: float  # of the text area, in points
    shapes: list[Rect] = field(default_factory=list)

    def add(self, shapes: list[Rect]) -> None:
        self.shapes = [*self.shapes, *shapes][-MAX_COVERS:]

    def hides(self, text: Rect) -> bool:
        return any(shape.overlap(text) >= MIN_COVERED_SHARE for shape in self.shapes)

    def pass_by(self, height: float) -> None:
        """The next paragraph stands this much lower."""
        self.shapes = [replace(shape, y=shape.y - height) for shape in self.shapes if shape.bottom - height > 0]


def estimate(paragraph: OfficeParagraph, *, start: float, width: float, align: str, size: float) -> Rect:
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


def hide(paragraph: OfficeParagraph, reason: str) -> None:
    for span in paragraph.spans:
        span.hidden = span.hidden or reason


def hide_blocks(blocks: list[Block], reason: str) -> None:
    """Marks everything in these blocks."""
    for block in blocks:
        if isinstance(block, OfficeParagraph):
            hide(block, reason)
        elif isinstance(block, TextBox):
            hide_blocks(block.blocks, reason)
        else:
            for cell in block.cells:
                hide_blocks(cell.blocks, reason)


OVERFLOW = 1.5  # of its height: text that should begin further down is not seen in a box that does not grow


def hide_below(blocks: list[Block], height: float | None, width: float) -> None:
    """Marks what should fall below the lower edge of a cell or box that does not grow."""
    if height is None or height < 0:
        return
    top = 0.0
    for block in blocks:
        if not isinstance(block, OfficeParagraph):
            continue
        top += block.before
        size = next((span.look.size for span in block.spans if span.look.size and span.text.strip()), BLANK_LINE)
        place = 0.0  # how far the text has run, across and over line breaks
        for span in block.spans:
            lines = place // max(width, 1.0)
            if top + lines * size * LINE_HEIGHT > OVERFLOW * height:
                span.hidden = span.hidden or "clipped"
            place += len(span.text) * size * MEAN_WIDTH + span.text.count("\n") * width
        top += max(1.0, math.ceil(place / max(width, 1.0))) * size * LINE_HEIGHT + block.after


def hide_page(blocks: list[Block], page: int) -> None:
    """Marks everything on a page but its text boxes, which stand in front themselves."""
    for block in blocks:
        if isinstance(block, OfficeParagraph):
            for span in block.spans:
                if span.page == page:
                    span.hidden = span.hidden or "covered"
        elif not isinstance(block, TextBox):
            for cell in block.cells:
                hide_page(cell.blocks, page)


def is_opaque_picture(head: bytes | None) -> bool:
    """Pictures that cannot let text shine through: JPEG, BMP and PNG without transparency."""
    if not head:
        return False
    if head.startswith((b"\xff\xd8\xff", b"BM")):
        return True
    return head.startswith(PNG) and len(head) > 26 and head[25] not in PNG_WITH_ALPHA and b"tRNS" not in head[:4096]
