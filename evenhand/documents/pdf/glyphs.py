"""The characters of a page with their boxes, as arrays, in the order the file draws them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from evenhand.documents.pdf import bulk
from evenhand.documents.pdf import pdfium as lib
from evenhand.records.document import Box

Floats = np.ndarray
Codes = np.ndarray

# What pdfium turns a hyphen into when it believes that a word goes on in the next line; and where TeX fonts
# without a Unicode table keep their ligatures (OT1 and T1 encodings).
MEANT = {0x02: ord("-"), 0xFFFE: ord("-")} | {
    first + i: 0xFB00 + i for first in (0x0B, 0x1B) for i in range(5)
}


SOFT_HYPHEN = 0xAD


@dataclass(slots=True)
class Glyphs:
    """Drawn characters only; boxes are left, top, right, bottom in points from the page's top left."""

    codes: Codes  # Unicode, uint32
    boxes: Floats  # (n, 4) float64
    starts: Floats  # where each was set; the box of a slanted letter may begin before or after
    index: Codes  # place in pdfium's text page
    after_space: Codes  # bool: a space glyph stands before this character

    def __len__(self) -> int:
        return len(self.codes)

    def text(self) -> str:
        return str(self.codes.astype("<u4").tobytes().decode("utf-32-le", "replace"))

    def may_be_replaced(self) -> bool:
        """Whether letters follow each other in equal steps: pdfium spreads replaced text evenly.

        Fixed-width fonts look the same; whoever asks finds no replacement there.
        """
        if len(self) < 5:
            return False
        left, right = self.boxes[:, 0], self.boxes[:, 2]
        widths = right - left
        even = (np.abs(np.diff(widths)) < 1e-3) & (np.abs(left[1:] - right[:-1]) < 1e-3)
        even &= (self.codes[1:] > ord("@")) & (self.codes[:-1] > ord("@"))
        return bool((even[3:] & even[2:-1] & even[1:-2] & even[:-3]).any())


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible area of a page and its rotation: turns pdfium's coordinates into ours."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int  # quarter turns clockwise

    @property
    def width(self) -> float:
        return self.right - self.left if self.rotation % 2 == 0 else self.top - self.bottom

    @property
    def height(self) -> float:
        return self.top - self.bottom if self.rotation % 2 == 0 else self.right - self.left

    def to_page(self, boxes: Floats) -> Floats:
        """Boxes given as left, top, right, bottom with y upwards, as boxes from the top left downwards."""
        left, top, right, bottom = boxes.T
        if self.rotation == 0:
            columns = (left - self.left, self.top - top, right - self.left, self.top - bottom)
        elif self.rotation == 1:
            columns = (bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        elif self.rotation == 2:
            columns = (self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        else:
            columns = (self.top - top, self.right - right, self.top - bottom, self.right - left)
        return np.stack(columns, axis=1)

    def box_to_page(self, left: float, top: float, right: float, bottom: float) -> Box:
        if self.rotation == 0:
            return left - self.left, self.top - top, right - self.left, self.top - bottom
        box = self.to_page(np.array([[left, top, right, bottom]]))[0].tolist()
        return box[0], box[1], box[2], box[3]


def page_frame(page: pdfium.PdfPage) -> Frame:
    box = raw.FS_RECTF()
    raw.FPDF_GetPageBoundingBox(page.raw, box)
    rotation = max(0, raw.FPDFPage_GetRotation(page.raw))
    return Frame(box.left, box.bottom, box.right, box.top, rotation)


def page_glyphs(textpage: pdfium.PdfTextPage, frame: Frame) -> Glyphs:
    """All drawn characters; the spaces and line ends that pdfium makes up are left out."""
    handle = lib.address(textpage.raw)
    count = raw.FPDFText_CountChars(textpage.raw)
    if count <= 0:
        return Glyphs(np.empty(0, "u4"), np.empty((0, 4)), np.empty(0), np.empty(0, "i8"), np.empty(0, bool))
    codes = char_codes(handle, count)
    boxes = bulk.boxes(lib.get_loose_char_box, handle, count)  # as high as the font, not as the ink
    left, top, right, bottom = boxes.T
    drawn = ((left != right) | (top != bottom)) & np.isfinite(left + top + right + bottom)
    spaces = (codes == 0x20) | (codes == 0xA0) | (codes == 0x09) | (codes == 0x3000)
    solid = drawn & ~spaces & (codes != 0) & (codes != 0xFFFF)
    index = np.flatnonzero(solid)
    spaces_before = np.cumsum(spaces & drawn)[index]
    after_space = np.diff(spaces_before, prepend=0) > 0
    solid_codes = codes[index]
    for code, meant in MEANT.items():
        solid_codes[solid_codes == code] = meant
    solid_boxes = frame.to_page(boxes[index].astype(np.float64))
    show_hyphens(solid_codes, solid_boxes)
    origins = bulk.points(lib.get_char_origin, handle, count)[index]
    starts = frame.to_page(np.hstack((origins, origins)))[:, 0]
    return Glyphs(solid_codes, solid_boxes, starts, index, after_space)


def show_hyphens(codes: Codes, boxes: Floats) -> None:
    """A soft hyphen within a line is a hyphen in a font that misnames it; only at a line's end it parts a word."""
    for place in np.flatnonzero(codes[:-1] == SOFT_HYPHEN).tolist():
        box, following = boxes[place], boxes[place + 1]
        if following[0] > box[0] and following[1] < box[3] and following[3] > box[1]:
            codes[place] = ord("-")


def char_codes(handle: int, count: int) -> Codes:
    """Unicode of every character: in one call where characters and UTF-16 units agree, else one by one."""
    buffer = np.zeros(count + 1, dtype="<u2")
    written = lib.get_text(handle, 0, count, buffer.ctypes.data)
    surrogates = (buffer >= 0xD800) & (buffer < 0xE000)
    if written == count + 1 and not surrogates.any():
        return buffer[:count].astype("u4")
    codes = np.fromiter(map(lib.get_unicode, repeat(handle), range(count)), dtype="u4", count=count)
    codes[(codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000))] = 0xFFFD
    return codes
