"""Drawings of a Word file: where text boxes are anchored, how large they are, what lies behind them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from evenhand.documents.colors import RGB, WHITE, too_close

_GROUP, _SHAPE, _SHAPE_ID, _OPTIONS, _DRAWING = 0xF003, 0xF004, 0xF00A, 0xF00B, 0xF002
_PICTURE, _FILL_COLOR, _FILL_FLAGS, _SHAPE_FLAGS = 0x0104, 0x0181, 0x01BF, 0x03BF
_MOST_RECORDS = 20_000


@dataclass(slots=True)
class Drawn:
    """One shape; a shape in a group moves with the outermost group."""

    shape: int
    anchor: int
    fill: RGB | None = None
    filled: bool = True
    hidden: bool = False
    picture: bool = False

    @property
    def is_backdrop(self) -> bool:
        """Whether text on it may be light and still be read."""
        return self.picture or (self.filled and self.fill is not None and not too_close(self.fill, WHITE))


@dataclass(frozen=True, slots=True)
class Anchor:
    position: int  # character in its story
    shape: int
    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Box:
    """The text of one box: half-open character range in the story of boxes."""

    start: int
    end: int
    shape: int


def read_shapes(data: bytes) -> dict[int, Drawn]:
    """All shapes by number."""
    shapes: dict[int, Drawn] = {}
    for _, kind, start, end in _records(data, 0, len(data), loose=True):
        if kind == _DRAWING:
            for _, inner, first, last in _records(data, start, end):
                if inner == _GROUP:
                    _read_group(data, first, last, None, shapes, 0)
    return shapes


def _read_group(
    data: bytes, start: int, end: int, anchor: int | None, shapes: dict[int, Drawn], depth: int
) -> None:
    """The first shape of a group is the group itself; that of the whole drawing has no anchor."""
    if depth > 20:
        return
    own = anchor
    for position, (_, kind, first, last) in enumerate(_records(data, start, end)):
        if len(shapes) > _MOST_RECORDS:
            return
        if kind == _SHAPE:
            drawn = _read_shape(data, first, last)
            if drawn is None:
                continue
            if position == 0:
                own = anchor if anchor is not None else drawn.shape if depth else None
            drawn.anchor = own if own is not None else drawn.shape
            shapes[drawn.shape] = drawn
        elif kind == _GROUP:
            _read_group(data, first, last, own, shapes, depth + 1)


def _read_shape(data: bytes, start: int, end: int) -> Drawn | None:
    drawn: Drawn | None = None
    for instance, kind, first, last in _records(data, start, end):
        if kind == _SHAPE_ID and last - first >= 8:
            (number,) = struct.unpack_from("<I", data, first)
            drawn = Drawn(number, number)
        elif kind == _OPTIONS and drawn:
            _read_options(data[first:last], instance, drawn)
    return drawn


def _read_options(data: bytes, count: int, drawn: Drawn) -> None:
    for index in range(min(count, len(data) // 6)):
        code, value = struct.unpack_from("<HI", data, 6 * index)
        if code & 0x3FFF == _FILL_COLOR and value >> 24 == 0:
            drawn.fill = (value & 255, value >> 8 & 255, value >> 16 & 255)
        elif code & 0x3FFF == _PICTURE:
            drawn.picture = True
        elif code & 0x3FFF == _FILL_FLAGS and value & 0x100000:
            drawn.filled = bool(value & 0x10)
        elif code & 0x3FFF == _SHAPE_FLAGS and value & 0x20000:
            drawn.hidden = bool(value & 0x2)


def _records(
    data: bytes, start: int, end: int, *, loose: bool = False
) -> Iterator[tuple[int, int, int, int]]:
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
        shape, *sides = struct.unpack_from("<I4i", plc, 4 * (count + 1) + 26 * index)
        anchors.append(Anchor(position, shape, *sides))
    return anchors


def read_boxes(plc: bytes) -> list[Box]:
    count = max(0, (len(plc) - 4) // 26)
    boxes = []
    for index in range(count):
        start, end = struct.unpack_from("<II", plc, 4 * index)
        (shape,) = struct.unpack_from("<I", plc, 4 * (count + 1) + 22 * index + 14)
        if start < end and shape:  # the last entry is only a mark
            boxes.append(Box(start, end, shape))
    return boxes
