"""Drawings of a Word file: where text boxes are anchored, how large they are, what lies behind them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from evenhand.documents.doc.structures import number
from evenhand.documents.draft import RGB, WHITE, too_close

_GROUP, _SHAPE, _SHAPE_ID, _OPTIONS, _DRAWING = 0xF003, 0xF004, 0xF00A, 0xF00B, 0xF002
_PICTURE, _FILL_COLOR, _FILL_OPACITY, _FILL_FLAGS, _SHAPE_FLAGS = 0x0104, 0x0181, 0x0182, 0x01BF, 0x03BF
_LATER_OPTIONS, _MEASURED_DOWN_FROM = 0xF122, 0x0392  # what later versions of Word added
_INSETS, _TEXT_FLAGS = range(0x0081, 0x0085), 0x00BF
_EMU_PER_TWIP, _MAX_INSET = 635, 1_000
_DRAWINGS, _PICTURES, _PICTURE_ENTRY = 0xF000, 0xF001, 0xF007
_RECTANGLES = (1, 2, 202)  # plain, with round corners, for text
_WHOLE, _FAINT = 0x10000, 0x1999  # of opacity
_MAX_RECORDS = 20_000


@dataclass(slots=True)
class DocShape:
    """One shape; a shape in a group moves with the outermost group."""

    shape: int
    anchor: int
    fill: RGB | None = None
    filled: bool = True
    opacity: int = _WHOLE
    hidden: bool = False
    picture: int = 0  # its number among the pictures, from 1
    kind: int = 0  # its geometry
    grows: bool = False  # with its text
    from_page: bool = False  # measured down from the page, whatever its anchor says
    insets: list[int] = field(default_factory=lambda: [144, 72, 144, 72])  # twips left free inside its edges

    @property
    def is_backdrop(self) -> bool:
        """Whether text on it may be light and still be read."""
        colored = self.fill is not None and not too_close(self.fill, WHITE)
        return self.picture > 0 or (self.is_painted and colored)

    @property
    def is_painted(self) -> bool:
        """Whether its fill can be seen at all."""
        return self.filled and self.opacity > _FAINT

    @property
    def is_opaque_box(self) -> bool:
        """A filled rectangle, through which nothing shines."""
        return self.kind in _RECTANGLES and self.filled and self.opacity > _WHOLE - _FAINT


@dataclass(frozen=True, slots=True)
class Anchor:
    position: int  # character in its story
    shape: int
    left: int
    top: int
    right: int
    bottom: int
    flags: int = 0

    @property
    def by_paragraph(self) -> bool:
        """Placed from the paragraph it hangs on, not from the page."""
        return self.flags >> 3 & 3 == 2

    @property
    def is_in_front(self) -> bool:
        """Laid over the text, which does not run around it."""
        return self.flags >> 5 & 15 == 3 and not self.flags >> 14 & 1


@dataclass(frozen=True, slots=True)
class DocTextBox:
    """The text of one box: half-open character range in the story of boxes."""

    start: int
    end: int
    shape: int


def read_shapes(data: bytes) -> dict[int, DocShape]:
    """All shapes by number."""
    shapes: dict[int, DocShape] = {}
    for _, kind, start, end in _records(data, 0, len(data), loose=True):
        if kind == _DRAWING:
            for _, inner, first, last in _records(data, start, end):
                if inner == _GROUP:
                    _read_group(data, first, last, None, shapes, 0)
    return shapes


def _read_group(data: bytes, start: int, end: int, anchor: int | None, shapes: dict[int, DocShape], depth: int) -> None:
    """The first shape of a group is the group itself; that of the whole drawing has no anchor."""
    if depth > 20:
        return
    own = anchor
    for position, (_, kind, first, last) in enumerate(_records(data, start, end)):
        if len(shapes) > _MAX_RECORDS:
            return
        if kind == _SHAPE:
            drawn: DocShape | None = None
            for instance, part, begin, finish in _records(data, first, last):
                if part == _SHAPE_ID and finish - begin >= 8:
                    (shape,) = struct.unpack_from("<I", data, begin)
                    drawn = DocShape(shape, shape, kind=instance)
                elif part in (_OPTIONS, _LATER_OPTIONS) and drawn:
                    _read_options(data[begin:finish], instance, drawn)
            if drawn is None:
                continue
            if position == 0:
                own = anchor if anchor is not None else drawn.shape if depth else None
            drawn.anchor = own if own is not None else drawn.shape
            shapes[drawn.shape] = drawn
        elif kind == _GROUP:
            _read_group(data, first, last, own, shapes, depth + 1)


def _read_options(data: bytes, count: int, drawn: DocShape) -> None:
    for index in range(min(count, len(data) // 6)):
        code, value = struct.unpack_from("<HI", data, 6 * index)
        code &= 0x3FFF
        if code == _FILL_COLOR and value >> 24 == 0:
            drawn.fill = (value & 255, value >> 8 & 255, value >> 16 & 255)
        elif code == _PICTURE:
            drawn.picture = value
        elif _INSETS[0] <= code <= _INSETS[-1]:
            drawn.insets[code - _INSETS[0]] = min(value // _EMU_PER_TWIP, _MAX_INSET)
        elif code == _TEXT_FLAGS and value & 0x20000:
            drawn.grows = bool(value & 0x2)
        elif code == _MEASURED_DOWN_FROM:
            drawn.from_page = value in (0, 1)  # its margin or its edge
        elif code == _FILL_OPACITY:
            drawn.opacity = value
        elif code == _FILL_FLAGS and value & 0x100000:
            drawn.filled = bool(value & 0x10)
        elif code == _SHAPE_FLAGS and value & 0x20000:
            drawn.hidden = bool(value & 0x2)


def _records(data: bytes, start: int, end: int, *, loose: bool = False) -> Iterator[tuple[int, int, int, int]]:
    """Instance, kind, start and end of each record; at the top level a byte stands before each drawing."""
    at = start
    while at + 8 <= end:
        version, kind, length = struct.unpack_from("<HHI", data, at)
        if loose and kind & 0xF000 != 0xF000:
            at += 1
            continue
        yield version >> 4, kind, at + 8, min(at + 8 + length, end)
        at += 8 + length


def read_anchors(plc: bytes) -> list[Anchor]:
    count = max(0, (len(plc) - 4) // 30)
    anchors = []
    for index in range(count):
        (position,) = struct.unpack_from("<I", plc, 4 * index)
        anchors.append(Anchor(position, *struct.unpack_from("<I4iH", plc, 4 * (count + 1) + 26 * index)))
    return anchors


def read_pictures(data: bytes) -> list[int]:
    """Where in the main stream each picture begins."""
    places = []
    for _, kind, start, end in _records(data, 0, len(data)):
        if kind != _DRAWINGS:
            break  # they stand at the very beginning
        for _, inner, first, last in _records(data, start, end):
            if inner == _PICTURES:
                entries = (entry for _, kind, entry, _ in _records(data, first, last) if kind == _PICTURE_ENTRY)
                places += [number(data[entry + 28 : entry + 32]) for entry in entries]
    return places


def read_boxes(plc: bytes) -> list[DocTextBox]:
    count = max(0, (len(plc) - 4) // 26)
    boxes = []
    for index in range(count):
        start, end = struct.unpack_from("<II", plc, 4 * index)
        (shape,) = struct.unpack_from("<I", plc, 4 * (count + 1) + 22 * index + 14)
        if start < end and shape:  # the last entry is only a mark
            boxes.append(DocTextBox(start, end, shape))
    return boxes
