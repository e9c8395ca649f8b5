"""What a page draws besides text: filled areas, rules and images, with their place in the drawing order."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, field

import numpy as np
import pypdfium2.raw as raw

from evenhand.documents.pdf import glyphs as lib
from evenhand.documents.pdf.glyphs import PageFrame

Array = np.ndarray

THIN = 2.5  # points: a drawn thing not thicker than this is a rule
RECTANGLE = 6  # path segments at most; a rounded corner or a circle has more
MAX_SHAPES = 20_000  # shapes of one page that are looked at
NESTED = 4  # forms inside forms that are looked into
MAX_ANNOTATIONS = 1000  # of one page
NOTHING_SHOWN = (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP)  # annotations that draw nothing of their own
MAX_AREAS = 200  # at the sides of a page; more is a pattern
STACKED = 0.03  # of the page's height: areas of a side bar stand this close

Box = tuple[float, float, float, float]  # left, top, right, bottom from the page's top left


@dataclass(frozen=True, slots=True)
class PdfShape:
    """Anything drawn that is not text; `order` counts drawn things from the page's start."""

    box: Box
    order: float
    color: tuple[int, int, int, int] | None  # fill with alpha; None for an image or a shading
    is_image: bool = False
    is_box: bool = False  # straight edges only, few enough for a rectangle

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def is_rule(self) -> bool:
        return min(self.width, self.height) <= THIN < max(self.width, self.height)


@dataclass(slots=True)
class Drawing:
    """The shapes of a page, and the text objects among which they are drawn."""

    shapes: list[PdfShape]
    texts: list[Array]  # addresses of text objects
    orders: list[Array]  # their places in the drawing order
    veiled: list[Array] = field(default_factory=list)  # those in forms that are drawn faintly or through a mask
    rules: list[int] = field(default_factory=list)  # addresses of lines
    has_forms: bool = False

    def orders_of(self, objects: Array) -> Array:
        """The place of each text object in the drawing order; 0 for one that is not on the page."""
        texts, orders = np.concatenate(self.texts), np.concatenate(self.orders)
        by_address = np.argsort(texts)
        place = np.searchsorted(texts, objects, sorter=by_address).clip(max=len(texts) - 1)
        nearest = by_address[place]
        return np.where(texts[nearest] == objects, orders[nearest], 0.0)


def page_drawing(page: int, frame: PageFrame) -> Drawing:
    """Everything the page draws, forms looked into."""
    drawing = Drawing([], [np.empty(0, np.uint64)], [np.empty(0)])
    count = lib.count_objects(page)
    pointers = lib.pointers_at(lib.get_object, page, np.arange(max(count, 0)))
    walk(drawing, pointers, DrawingPosition(0.0, 1.0, None, 0), frame, Buffers())
    area = raw.FS_RECTF()
    for index in range(min(lib.count_annotations(page), MAX_ANNOTATIONS)):  # those that could not be made part of it
        annotation = lib.get_annotation(page, index)
        if not annotation:
            continue
        shows = lib.get_annotation_kind(annotation) not in NOTHING_SHOWN
        if shows and lib.get_annotation_area(annotation, ctypes.addressof(area)):
            box = frame.box_to_page(area.left, area.top, area.right, area.bottom)
            drawing.shapes.append(PdfShape(box, math.inf, None))
        lib.close_annotation(annotation)
    return drawing


def header_band(shapes: list[PdfShape], frame: PageFrame) -> float:
    """The lower edge of a filled band across the top of the page, 0 where there is none."""
    for shape in shapes:
        left, top, right, bottom = shape.box
        is_wide = min(right, frame.width) - max(left, 0) > 0.9 * frame.width and top < 0.03 * frame.height
        is_seen = shape.color is None or (shape.color[3] > 0 and min(shape.color[:3]) < 250)
        if is_wide and is_seen and 0.04 * frame.height < bottom < 0.35 * frame.height:
            return bottom
    return 0.0


def side_bar(shapes: list[PdfShape], frame: PageFrame) -> Box | None:
    """The largest filled area along the left or right edge of the page, if there is one.

    Areas of one width below each other are one: a box with the name and the rest in a lighter colour.
    """
    areas: list[Box] = []
    for shape in shapes:
        is_seen = shape.color is not None and shape.color[3] > 0 and min(shape.color[:3]) < 250
        at_edge = shape.box[0] < 0.05 * frame.width or shape.box[2] > 0.95 * frame.width
        if is_seen and at_edge and 0.15 * frame.width < shape.width < 0.5 * frame.width:
            areas.append(shape.box)
    if len(areas) > MAX_AREAS:
        return None
    bars: list[Box] = []
    for box in sorted(areas, key=lambda box: box[1]):
        for index, bar in enumerate(bars):
            is_below = box[1] - bar[3] < STACKED * frame.height
            if is_below and abs(box[0] - bar[0]) < 3 and abs(box[2] - bar[2]) < 3:
                bars[index] = (bar[0], bar[1], bar[2], max(bar[3], box[3]))
                break
        else:
            bars.append(box)
    tall = [bar for bar in bars if bar[3] - bar[1] > 0.5 * frame.height]
    return max(tall, key=lambda bar: (bar[2] - bar[0]) * (bar[3] - bar[1]), default=None)


@dataclass(frozen=True, slots=True)
class DrawingPosition:
    """Where in the drawing order a list of objects stands, and the matrix it is drawn with."""

    start: float
    step: float
    matrix: Array | None  # None on the page itself
    depth: int
    is_veiled: bool = False


def walk(drawing: Drawing, pointers: Array, place: DrawingPosition, frame: PageFrame, buffers: Buffers) -> None:
    types = lib.ints_of(lib.get_type, pointers)
    is_text = types == raw.FPDF_PAGEOBJ_TEXT
    drawing.has_forms |= bool((types == raw.FPDF_PAGEOBJ_FORM).any())
    drawing.texts.append(pointers[is_text])
    drawing.orders.append(place.start + place.step * (1 + np.flatnonzero(is_text)))
    if place.is_veiled:
        drawing.veiled.append(pointers[is_text])
    for index in np.flatnonzero(~is_text)[:MAX_SHAPES].tolist():
        obj, kind = int(pointers[index]), int(types[index])
        order = place.start + place.step * (1 + index)
        if kind != raw.FPDF_PAGEOBJ_FORM:
            shape = describe(obj, kind, order, place.matrix, frame, buffers) if obj else None
            if shape is not None:
                drawing.shapes.append(shape)
                drawing.rules += [obj] if shape.is_rule else []
        elif place.depth < NESTED:
            inner = np.fromiter(
                (lib.get_form_object(obj, i) or 0 for i in range(max(lib.count_form_objects(obj), 0))), np.uint64
            )
            matrix = buffers.matrix(obj)
            if place.matrix is not None:
                matrix = matrix @ place.matrix
            step = place.step / (len(inner) + 2)
            is_veiled = place.is_veiled or bool(lib.has_transparency(obj))
            walk(drawing, inner, DrawingPosition(order, step, matrix, place.depth + 1, is_veiled), frame, buffers)


class Buffers:
    """Memory that pdfium writes its answers to."""

    def __init__(self) -> None:
        self.box = lib.OutParameters(4)
        self.rgba = lib.OutParameters(4, ctypes.c_uint)
        self.mode = lib.OutParameters(2, ctypes.c_int)
        self.six = lib.OutParameters(6)
        self.point = lib.OutParameters(2)

    def matrix(self, obj: int) -> Array:
        if not lib.get_matrix(obj, self.six.places[0]):
            return np.eye(3)
        a, b, c, d, e, f = self.six.values
        return np.array([[a, b, 0], [c, d, 0], [e, f, 1]])


def describe(
    obj: int, kind: int, order: float, matrix: Array | None, frame: PageFrame, buffers: Buffers
) -> PdfShape | None:
    if not lib.get_bounds(obj, *buffers.box.places):
        return None
    left, bottom, right, top = buffers.box.values
    if matrix is not None:
        corners = np.array([[left, bottom, 1], [right, bottom, 1], [left, top, 1], [right, top, 1]]) @ matrix
        (left, bottom), (right, top) = (corners[:, :2].min(axis=0).tolist(), corners[:, :2].max(axis=0).tolist())
    if not all(map(math.isfinite, (left, bottom, right, top))):
        return None
    box = frame.box_to_page(left, top, right, bottom)
    if kind == raw.FPDF_PAGEOBJ_IMAGE:
        return PdfShape(box, order, None, is_image=True)
    if kind == raw.FPDF_PAGEOBJ_SHADING:
        return PdfShape(box, order, None)
    color = path_color(obj, buffers)
    return PdfShape(box, order, color, is_box=is_box(obj, box, buffers)) if color else None


def is_box(obj: int, box: Box, buffers: Buffers) -> bool:
    """Whether the path is a rectangle, or so thin that it is a rule."""
    count = lib.count_segments(obj)
    if count > RECTANGLE or min(box[2] - box[0], box[3] - box[1]) <= THIN:
        return bool(count <= RECTANGLE)
    xs, ys = set(), set()
    for index in range(count):
        if lib.get_segment_point(lib.get_segment(obj, index), *buffers.point.places):
            x, y = buffers.point.values
            xs.add(round(x, 1))
            ys.add(round(y, 1))
    return len(xs) <= 2 and len(ys) <= 2


def path_color(obj: int, buffers: Buffers) -> tuple[int, int, int, int] | None:
    """Fill colour, or the stroke's where nothing is filled; None when the path draws nothing."""
    lib.get_draw_mode(obj, *buffers.mode.places)
    filled, stroked = buffers.mode.values
    get = lib.get_fill_color if filled else lib.get_stroke_color
    if not (filled or stroked) or not get(obj, *buffers.rgba.places):
        return None
    red, green, blue, alpha = buffers.rgba.values
    if not filled:  # an outline covers nothing
        alpha = 0
    return red, green, blue, alpha
