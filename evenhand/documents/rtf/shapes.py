"""Drawings of RTF: the text boxes in them, and whether their text can be seen."""

from __future__ import annotations

from evenhand.documents.colors import RGB, WHITE, too_close
from evenhand.documents.covers import Cover
from evenhand.documents.rtf.looks import Looks
from evenhand.documents.rtf.state import Shape, State, Stream

_FLAT_TWIPS = 40
_FAR_TWIPS = 14_400
_LINE_TWIPS = 200
_NO_WRAP = 3


class Shapes:
    """The shapes that are open, innermost last."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self._shape = Shape()
        self._seen = 0

    def word(self, word: bytes, number: int | None, state: State) -> None:
        if word in (b"shp", b"dptxbx"):
            self._shape = Shape()
            self._seen += 1
        elif word in (b"shptxt", b"dptxbxtext"):
            self._shape.has_text = True
            state.stream = self._box(state.stream)
            state.new_paragraph()
        elif word in (b"shpleft", b"shptop", b"shpright", b"shpbottom"):
            setattr(self._shape, word[3:].decode("ascii"), number or 0)
        elif word == b"shpwr":
            self._shape.wrap = number or 0
        elif word == b"shpfblwtxt":
            self._shape.below = number != 0
        elif word == b"shpbypara":
            self._shape.by_paragraph = True

    def set_property(self, kind: bytes, text: str) -> None:
        if kind == b"sn":
            self._shape.name = text.strip()
        else:
            self._shape.properties[self._shape.name] = text.strip()

    def lay(self, stream: Stream) -> None:
        """A shape has ended: it may hide the text behind it, or be what light text stands on."""
        if self._covers():
            left, top, right, bottom = (side / 20 for side in self._sides())
            stream.covers.add(Cover(left, top, right, bottom))
        else:
            self._lay_under(stream)

    def _sides(self) -> tuple[int, int, int, int]:
        return self._shape.left, self._shape.top, self._shape.right, self._shape.bottom

    def _covers(self) -> bool:
        """Whether it is opaque, empty, and in front of the paragraph it hangs on."""
        shape = self._shape
        in_front = shape.wrap == _NO_WRAP and not shape.below and shape.by_paragraph and not shape.has_text
        opaque = shape.properties.get("fFilled", "1") != "0" and "fillOpacity" not in shape.properties
        return in_front and opaque and "pib" not in shape.properties and "fillType" not in shape.properties

    def _lay_under(self, stream: Stream) -> None:
        """Paragraphs around a shape that is large and not white may lie on it."""
        shape = self._shape
        height, width = shape.bottom - shape.top, shape.right - shape.left
        fill = self._fill() if shape.properties.get("fFilled", "1") != "0" else None
        filled = fill is not None and not too_close(fill, WHITE)
        if (filled or "pib" in shape.properties) and height >= _LINE_TWIPS and width >= 5 * _LINE_TWIPS:
            stream.backdrop_left = height // _LINE_TWIPS + 3

    def end_background(self) -> None:
        """The page itself has a colour."""
        self._looks.page_fill = self._fill() or self._looks.page_fill

    def _box(self, outer: Stream) -> Stream:
        shape = self._shape
        filled = shape.properties.get("fFilled", "1") != "0"
        return Stream(
            part=outer.part,
            fill=self._fill() if filled else outer.fill,
            see_through=not filled and self._seen > 1,
            hidden=self._reason(shape) or outer.hidden,
        )

    def _fill(self) -> RGB | None:
        try:
            value = int(self._shape.properties["fillColor"])
        except (KeyError, ValueError):
            return None
        return value & 255, value >> 8 & 255, value >> 16 & 255

    def _reason(self, shape: Shape) -> str | None:
        if shape.properties.get("fHidden") == "1":
            return "hidden_style"
        if shape.right < -_FAR_TWIPS or shape.left > 3 * _FAR_TWIPS or shape.bottom < -_FAR_TWIPS:
            return "off_page"
        flat = shape.right - shape.left < _FLAT_TWIPS or shape.bottom - shape.top < _FLAT_TWIPS
        placed = shape.right or shape.left or shape.top or shape.bottom
        return "clipped" if placed and flat else None
