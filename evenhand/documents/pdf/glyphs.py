"""The characters of a page with their boxes, as arrays, in the order the file draws them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from evenhand.records.document import Box

# The pdfium functions that are called very often, bound so that the call itself costs little.


Pointer = ctypes.c_void_p
Int = ctypes.c_int


def bind(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """The pdfium function `name` with plain integers for pointers.

    The generated bindings check and wrap every pointer and release the interpreter lock around each call,
    which for thousands of calls a page costs more than the calls.
    """
    return ctypes.PYFUNCTYPE(result, *arguments)(address(getattr(raw, name)))


def address(handle: Any) -> int:
    """The address behind a pypdfium2 handle or function."""
    value = ctypes.cast(handle, Pointer).value
    if value is None:
        raise ValueError("pdfium gave no object")
    return value


get_loose_char_box = bind("FPDFText_GetLooseCharBox", Int, Pointer, Int, Pointer)
get_char_origin = bind("FPDFText_GetCharOrigin", Int, Pointer, Int, Pointer, Pointer)
get_unicode = bind("FPDFText_GetUnicode", ctypes.c_uint, Pointer, Int)
get_text = bind("FPDFText_GetText", Int, Pointer, Int, Int, Pointer)
get_text_object = bind("FPDFText_GetTextObject", Pointer, Pointer, Int)
get_char_matrix = bind("FPDFText_GetMatrix", Int, Pointer, Int, Pointer)
get_char_font_size = bind("FPDFText_GetFontSize", ctypes.c_double, Pointer, Int)

get_font = bind("FPDFTextObj_GetFont", Pointer, Pointer)
get_render_mode = bind("FPDFTextObj_GetTextRenderMode", Int, Pointer)
set_render_mode = bind("FPDFTextObj_SetTextRenderMode", Int, Pointer, Int)
get_font_name = bind("FPDFFont_GetBaseFontName", ctypes.c_size_t, Pointer, Pointer, ctypes.c_size_t)
get_font_weight = bind("FPDFFont_GetWeight", Int, Pointer)
is_embedded = bind("FPDFFont_GetIsEmbedded", Int, Pointer)
get_font_flags = bind("FPDFFont_GetFlags", Int, Pointer)

count_objects = bind("FPDFPage_CountObjects", Int, Pointer)
get_object = bind("FPDFPage_GetObject", Pointer, Pointer, Int)
count_form_objects = bind("FPDFFormObj_CountObjects", Int, Pointer)
get_form_object = bind("FPDFFormObj_GetObject", Pointer, Pointer, ctypes.c_ulong)
get_type = bind("FPDFPageObj_GetType", Int, Pointer)
get_bounds = bind("FPDFPageObj_GetBounds", Int, Pointer, Pointer, Pointer, Pointer, Pointer)
get_matrix = bind("FPDFPageObj_GetMatrix", Int, Pointer, Pointer)
get_fill_color = bind("FPDFPageObj_GetFillColor", Int, Pointer, Pointer, Pointer, Pointer, Pointer)
set_fill_color = bind("FPDFPageObj_SetFillColor", Int, Pointer, *([ctypes.c_uint] * 4))
get_stroke_color = bind("FPDFPageObj_GetStrokeColor", Int, Pointer, Pointer, Pointer, Pointer, Pointer)
set_active = bind("FPDFPageObj_SetIsActive", Int, Pointer, Int)
get_draw_mode = bind("FPDFPath_GetDrawMode", Int, Pointer, Pointer, Pointer)
count_segments = bind("FPDFPath_CountSegments", Int, Pointer)
get_segment = bind("FPDFPath_GetPathSegment", Pointer, Pointer, Int)

has_transparency = bind("FPDFPageObj_HasTransparency", Int, Pointer)
count_marks = bind("FPDFPageObj_CountMarks", Int, Pointer)
get_mark = bind("FPDFPageObj_GetMark", Pointer, Pointer, ctypes.c_ulong)
get_mark_name = bind("FPDFPageObjMark_GetName", Int, Pointer, Pointer, ctypes.c_ulong, Pointer)

get_clip_path = bind("FPDFPageObj_GetClipPath", Pointer, Pointer)
count_clip_paths = bind("FPDFClipPath_CountPaths", Int, Pointer)
count_clip_segments = bind("FPDFClipPath_CountPathSegments", Int, Pointer, Int)
get_clip_segment = bind("FPDFClipPath_GetPathSegment", Pointer, Pointer, Int, Int)
get_segment_point = bind("FPDFPathSegment_GetPoint", Int, Pointer, Pointer, Pointer)

count_annotations = bind("FPDFPage_GetAnnotCount", Int, Pointer)
get_annotation = bind("FPDFPage_GetAnnot", Pointer, Pointer, Int)
get_annotation_kind = bind("FPDFAnnot_GetSubtype", Int, Pointer)
get_annotation_area = bind("FPDFAnnot_GetRect", Int, Pointer, Pointer)
close_annotation = bind("FPDFPage_CloseAnnot", None, Pointer)


class OutParameters:
    """A few numbers that pdfium writes to, with their addresses."""

    def __init__(self, count: int, kind: Any = ctypes.c_float) -> None:
        self.values = (kind * count)()
        start, step = ctypes.addressof(self.values), ctypes.sizeof(kind)
        self.places = tuple(start + i * step for i in range(count))


# One pdfium question asked of many characters or objects: through compiled loops, or through Python's.
#
# Both ways give the same arrays; the compiled one (see _bulk.c) is some four times faster and is built with
# the package where a C compiler is at hand.


Array = np.ndarray
Function = Callable[..., Any]


def load_loops() -> Any:
    """The compiled loops, or None where they were not built."""
    long = ctypes.c_long
    arguments = {
        "boxes": (Pointer, Pointer, long, Pointer),
        "points": (Pointer, Pointer, long, Pointer),
        "pointers_at": (Pointer, Pointer, long, Pointer, Pointer),
        "ints_of": (Pointer, Pointer, long, Pointer),
        "pointers_of": (Pointer, Pointer, long, Pointer),
        "colors_of": (Pointer, Pointer, long, Pointer),
        "facts_of": (Pointer, Pointer, Pointer, Pointer, Pointer, long, Pointer, Pointer),
        "clips_of": (Pointer, Pointer, Pointer, Pointer, Pointer, Pointer, long, Pointer, Pointer),
    }
    for path in sorted(Path(__file__).parent.glob("_bulk.*")):
        if path.suffix in (".so", ".pyd", ".dylib"):
            try:
                loops = ctypes.PyDLL(str(path))
                for name, types in arguments.items():
                    getattr(loops, name).argtypes, getattr(loops, name).restype = types, None
                return loops
            except (OSError, AttributeError):  # built for another machine, or from an older source
                continue
    return None


LOOPS = load_loops()


def read_boxes(call: Function, owner: int, count: int) -> Array:
    """`call(owner, i, box)` for i from 0: four floats each."""
    out = np.zeros((count, 4), dtype=np.float32)
    start = out.ctypes.data
    if LOOPS:
        LOOPS.boxes(call, owner, count, start)
    else:
        run(call, repeat(owner), range(count), range(start, start + 16 * count, 16))
    return out


def points(call: Function, owner: int, count: int) -> Array:
    """`call(owner, i, x, y)` for i from 0: two doubles each."""
    out = np.zeros((count, 2))
    start = out.ctypes.data
    if LOOPS:
        LOOPS.points(call, owner, count, start)
    else:
        xs, ys = range(start, start + 16 * count, 16), range(start + 8, start + 8 + 16 * count, 16)
        run(call, repeat(owner), range(count), xs, ys)
    return out


def pointers_at(call: Function, owner: int, index: Array) -> Array:
    """`call(owner, i)` for each i of `index`: an address each, 0 for none."""
    index = np.ascontiguousarray(index, dtype=np.int32)
    if not LOOPS:
        pointers = (pointer or 0 for pointer in map(call, repeat(owner), index.tolist()))
        return np.fromiter(pointers, dtype=np.uint64, count=len(index))
    out = np.zeros(len(index), dtype=np.uint64)
    LOOPS.pointers_at(call, owner, len(index), index.ctypes.data, out.ctypes.data)
    return out


def ints_of(call: Function, of: Array) -> Array:
    """`call(pointer)` for each pointer: an integer each."""
    if not LOOPS:
        return np.fromiter(map(call, of.tolist()), dtype=np.int32, count=len(of))
    out = np.zeros(len(of), dtype=np.int32)
    LOOPS.ints_of(call, of.ctypes.data, len(of), out.ctypes.data)
    return out


def pointers_of(call: Function, of: Array) -> Array:
    """`call(pointer)` for each pointer: an address each, 0 for none."""
    if not LOOPS:
        pointers = (pointer or 0 for pointer in map(call, of.tolist()))
        return np.fromiter(pointers, dtype=np.uint64, count=len(of))
    out = np.zeros(len(of), dtype=np.uint64)
    LOOPS.pointers_of(call, of.ctypes.data, len(of), out.ctypes.data)
    return out


def colors_of(call: Function, of: Array) -> Array:
    """`call(pointer, red, green, blue, alpha)` for each pointer; black where pdfium knows no colour."""
    out = np.zeros((len(of), 4), dtype=np.uint32)
    out[:, 3] = 255
    start = out.ctypes.data
    if LOOPS:
        LOOPS.colors_of(call, of.ctypes.data, len(of), start)
    else:
        places = [range(start + 4 * part, start + 4 * part + 16 * len(of), 16) for part in range(4)]
        run(call, of.tolist(), *places)
    return out


def facts_of(first: Function, second: Function, third: Function, of: Array) -> tuple[Array, Array]:
    """What three functions tell of each pointer, an integer each; and its fill colour."""
    if not LOOPS:
        return np.stack([ints_of(call, of) for call in (first, second, third)], axis=1), colors_of(get_fill_color, of)
    out, colors = np.zeros((len(of), 3), dtype=np.int32), np.zeros((len(of), 4), dtype=np.uint32)
    colors[:, 3] = 255
    calls = (first, second, third, get_fill_color)
    LOOPS.facts_of(*calls, of.ctypes.data, len(of), out.ctypes.data, colors.ctypes.data)
    return out, colors


def clips_of(of: Array) -> tuple[Array, Array]:
    """The area that each object's clip paths leave, and the segments of the longest of them.

    Areas are left, top, right, bottom, y upwards, infinite for no clip. The segments are a huge number where there are
    more paths than are read.
    """
    areas = np.tile(np.array([-np.inf, np.inf, np.inf, -np.inf], np.float32), (len(of), 1))
    longest = np.zeros(len(of), dtype=np.int32)
    if LOOPS:
        calls = (get_clip_path, count_clip_paths, count_clip_segments, get_clip_segment, get_segment_point)
        LOOPS.clips_of(*calls, of.ctypes.data, len(of), areas.ctypes.data, longest.ctypes.data)
        return areas, longest
    known: dict[int, int] = {}
    for place, obj in enumerate(of.tolist()):
        if known.setdefault(obj, place) == place:
            longest[place] = clip_of(obj, areas[place])
        areas[place], longest[place] = areas[known[obj]], longest[known[obj]]
    return areas, longest


def clip_of(obj: int, area: Array) -> int:
    """Cut the area to the clip paths of an object; the segments of the longest."""
    clip = get_clip_path(obj) if obj else 0
    paths = count_clip_paths(clip) if clip else 0
    point = np.zeros(2, np.float32)
    x, y = point.ctypes.data, point.ctypes.data + 4
    longest = 0
    for path in range(min(paths, 8)):
        count = count_clip_segments(clip, path)
        longest = max(longest, count)
        points = []
        for place in range(min(count, 64)):
            segment = get_clip_segment(clip, path, place)
            if segment and get_segment_point(segment, x, y):
                points.append(point.tolist())
        if points:
            (left, bottom), (right, top) = np.min(points, axis=0), np.max(points, axis=0)
            area[:2] = max(area[0], left), min(area[1], top)
            area[2:] = min(area[2], right), max(area[3], bottom)
    return np.iinfo(np.int32).max if paths > 8 else longest


def run(call: Function, *columns: Any) -> None:
    """Call for each row of `columns`, keeping no results."""
    for _ in map(call, *columns):
        pass


Floats = np.ndarray
Codes = np.ndarray

# What pdfium turns a hyphen into when it believes that a word goes on in the next line; and where TeX fonts
# without a Unicode table keep their ligatures (OT1 and T1 encodings).
MEANT = {0x02: ord("-"), 0xFFFE: ord("-")} | {first + i: 0xFB00 + i for first in (0x0B, 0x1B) for i in range(5)}

SOFT_HYPHEN = 0xAD


@dataclass(slots=True)
class Glyphs:
    """Drawn characters only; boxes are left, top, right, bottom in points from the page's top left."""

    codes: Codes  # Unicode, uint32
    boxes: Floats  # (n, 4) float64
    starts: Floats  # where each was set; the box of a slanted letter may begin before or after
    index: Codes  # place in pdfium's text page
    after_space: Codes  # bool: a space glyph stands before this character
    baselines: Floats  # the height at which each was set

    def __len__(self) -> int:
        return len(self.codes)

    def text(self) -> str:
        return str(self.codes.astype("<u4").tobytes().decode("utf-32-le", "replace"))

    def part(self, chosen: Codes) -> Glyphs:
        return Glyphs(*(getattr(self, name)[chosen] for name in self.__slots__))

    def shares_box(self) -> Codes:
        """Of each whether the one before has the same box: the letters of a ligature are one glyph."""
        shared = np.zeros(len(self), bool)
        near = 1 + np.flatnonzero(self.boxes[1:, 0] == self.boxes[:-1, 0])
        shared[near] = (self.boxes[near] == self.boxes[near - 1]).all(axis=1)
        return shared

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
class PageFrame:
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


def page_frame(page: pdfium.PdfPage) -> PageFrame:
    box = raw.FS_RECTF()
    raw.FPDF_GetPageBoundingBox(page.raw, box)
    rotation = max(0, raw.FPDFPage_GetRotation(page.raw))
    return PageFrame(box.left, box.bottom, box.right, box.top, rotation)


def page_glyphs(textpage: pdfium.PdfTextPage, frame: PageFrame) -> Glyphs:
    """All drawn characters; the spaces and line ends that pdfium makes up are left out."""
    handle = address(textpage.raw)
    count = raw.FPDFText_CountChars(textpage.raw)
    if count <= 0:
        none = np.empty(0)
        return Glyphs(np.empty(0, "u4"), np.empty((0, 4)), none, np.empty(0, "i8"), np.empty(0, bool), none)
    codes = char_codes(handle, count)
    boxes = read_boxes(get_loose_char_box, handle, count)  # as high as the font, not as the ink
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
    origins = points(get_char_origin, handle, count)[index]
    starts, baselines = frame.to_page(np.hstack((origins, origins))).T[:2]
    return Glyphs(solid_codes, solid_boxes, starts, index, after_space, baselines)


def show_hyphens(codes: Codes, boxes: Floats) -> None:
    """A soft hyphen within a line is a hyphen in a font that misnames it; only at a line's end it parts a word."""
    for place in np.flatnonzero(codes[:-1] == SOFT_HYPHEN).tolist():
        box, following = boxes[place], boxes[place + 1]
        if following[0] > box[0] and following[1] < box[3] and following[3] > box[1]:
            codes[place] = ord("-")


def char_codes(handle: int, count: int) -> Codes:
    """Unicode of every character: in one call where characters and UTF-16 units agree, else one by one."""
    buffer = np.zeros(count + 1, dtype="<u2")
    written = get_text(handle, 0, count, buffer.ctypes.data)
    surrogates = (buffer >= 0xD800) & (buffer < 0xE000)
    if written == count + 1 and not surrogates.any():
        return buffer[:count].astype("u4")
    codes = np.fromiter(map(get_unicode, repeat(handle), range(count)), dtype="u4", count=count)
    codes[(codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000))] = 0xFFFD
    return codes
