"""Shapes drawn in a document: where DrawingML puts them, what fills them and which text they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from evenhand.documents.draft import BLACK, RGB, WHITE
from evenhand.documents.office.blocks import Backdrop, mixed, parse_hex
from evenhand.documents.office.boxes import Rect
from evenhand.documents.office.docx.package import (
    PIC,
    WP,
    WPC,
    WPG,
    WPS,
    A,
    V,
    W,
    emus,
    number,
    number_of_emus,
    points,
    w,
)
from evenhand.documents.office.docx.theme import DocxPage, Theme, attribute, local
from evenhand.documents.office.package import Element
from evenhand.documents.properties import UNKNOWN

MAX_GROUPS = 20
MIN_BOX_SIZE = 4.0  # points; text in a smaller box that does not grow cannot be seen
FAR_INSIDE = 1000.0  # points between the edge of a box and its text
SMALLEST_FONT_SCALE = 40_000.0  # thousandths of a percent
FAINT, OPAQUE = 0.1, 0.95
MIN_BACKGROUND_SHARE = 0.6  # of a box that a shape must reach behind to count as its background


@dataclass(frozen=True, slots=True)
class Fill:
    """What a shape paints over its place; no colours means that nobody can tell (a picture)."""

    colors: Backdrop
    opaque: bool = True


@dataclass(frozen=True, slots=True)
class DocxShape:
    rect: Rect | None
    fill: Fill | None  # None: one sees through it
    content: Element | None = None  # w:txbxContent
    color: RGB | None = None  # of text that names none
    hidden: str | None = None
    front: bool = False  # lies over the text, which does not flow around it
    height: float = 0.0  # order among shapes that overlap: the higher is drawn over the lower
    picture: str | None = None  # relationship id
    text: str | None = None  # of word art
    stroke: RGB | None = None  # around its letters
    grows: bool = True  # with its text

    def holds_text(self) -> bool:
        texts = self.content.iter(w("t")) if self.content is not None else ()
        return bool(self.text) or any((text.text or "").strip() for text in texts)


@dataclass(frozen=True, slots=True)
class GroupTransform:
    """Maps the coordinates inside a group to the page."""

    x: float = 0.0
    y: float = 0.0
    across: float = 1.0
    down: float = 1.0
    floating: bool = False

    def rect(self, x: float, y: float, width: float, height: float) -> Rect:
        across, down = abs(width * self.across), abs(height * self.down)
        return Rect(self.x + x * self.across, self.y + y * self.down, across, down, self.floating)


def drawn_shapes(drawing: Element, page: DocxPage, theme: Theme) -> Iterator[DocxShape]:
    """Every shape of one w:drawing, groups taken apart."""
    holder = next((child for child in drawing if local(child) in ("inline", "anchor")), None)
    if holder is None:
        return
    anchored = local(holder) == "anchor"
    rect = anchor_rect(holder, page) if anchored else _extent(holder)
    hidden = drawing_hidden(drawing, page)
    front = anchored and holder.get("behindDoc") not in ("1", "true") and holder.find(f"{{{WP}}}wrapNone") is not None
    height = number_of_emus(holder.get("relativeHeight")) or 0.0
    data = holder.find(f"{{{A}}}graphic/{{{A}}}graphicData")
    for child in data if data is not None else ():
        for shape in _shapes(child, rect, theme, hidden, front, 0):
            yield replace(shape, height=height)


def drawing_hidden(drawing: Element, page: DocxPage) -> str | None:
    """Why nobody sees anything of one w:drawing."""
    for holder in drawing:
        rect = anchor_rect(holder, page) if local(holder) == "anchor" else None
        if _is_marked_hidden(holder) or _is_marked_hidden(holder.find(f"{{{WP}}}docPr")):
            return "hidden_style"
        if rect is not None and is_off_page(rect, page):
            return "off_page"
    return None


def _is_marked_hidden(element: Element | None) -> bool:
    return element is not None and element.get("hidden") in ("1", "true", "on")


def _shapes(
    element: Element, rect: Rect | None, theme: Theme, hidden: str | None, front: bool, depth: int
) -> Iterator[DocxShape]:
    if depth > MAX_GROUPS:
        return
    kind = element.tag
    if any(_is_marked_hidden(child) for child in element if local(child) == "cNvPr"):
        hidden = hidden or "hidden_style"
    if kind in (f"{{{WPG}}}wgp", f"{{{WPG}}}grpSp", f"{{{WPC}}}wpc"):
        placing = _group_placing(element, rect)
        for child in element:
            frame = child.find(f".//{{{A}}}xfrm")
            own = None
            if frame is not None and placing is not None:
                offset, extent = _pair(frame, "off", "x", "y"), _pair(frame, "ext", "cx", "cy")
                own = placing.rect(*offset, *extent) if offset and extent else None
            yield from _shapes(child, own, theme, hidden, front, depth + 1)
    elif kind == f"{{{WPS}}}wsp":
        yield _text_shape(element, rect, theme, hidden, front)
    elif kind == f"{{{PIC}}}pic":
        blip = element.find(f".//{{{A}}}blip")
        if blip is None or blip.find(f"{{{A}}}alphaModFix") is not None:
            yield DocxShape(rect, Fill(None, opaque=False), hidden=hidden, front=front)
        else:
            yield DocxShape(rect, Fill(None), hidden=hidden, front=front, picture=attribute(blip, "embed") or "")


def _text_shape(element: Element, rect: Rect | None, theme: Theme, hidden: str | None, front: bool) -> DocxShape:
    properties = element.find(f"{{{WPS}}}spPr")
    style = element.find(f"{{{WPS}}}style")
    font = theme.drawn_color(style.find(f"{{{A}}}fontRef")) if style is not None else None
    hidden = hidden or _body_hidden(element, rect)
    return DocxShape(
        rect,
        shape_fill(properties, style, theme),
        content=element.find(f"{{{WPS}}}txbx/{{{W}}}txbxContent"),
        color=font[0] if font else None,
        hidden=hidden,
        front=front,
        grows=element.find(f"{{{WPS}}}bodyPr/{{{A}}}noAutofit") is None,
    )


def _body_hidden(element: Element, rect: Rect | None) -> str | None:
    """Whether the text of a shape has no room, is shrunk, or is turned away."""
    body, properties = element.find(f"{{{WPS}}}bodyPr"), element.find(f"{{{WPS}}}spPr")
    insets = {side: emus(body.get(f"{side}Ins")) if body is not None else None for side in "ltrb"}
    if any(inset is not None and abs(inset) > FAR_INSIDE for inset in insets.values()):
        return "off_page"
    grows = body is not None and body.find(f"{{{A}}}spAutoFit") is not None
    if rect is not None and not grows:
        room = min(rect.width - (insets["l"] or 0.0) - (insets["r"] or 0.0), rect.height)
        if min(room, rect.height - (insets["t"] or 0.0) - (insets["b"] or 0.0)) < MIN_BOX_SIZE:
            return "clipped"
    for part in (part for holder in (body, properties) if holder is not None for part in holder.iter()):
        kind = local(part)
        scale = number((part.get("fontScale") or "").rstrip("%")) if kind == "normAutofit" else None
        if scale is not None and scale < SMALLEST_FONT_SCALE:
            return "tiny"
        if kind == "camera" and any(local(turn) == "rot" for turn in part):
            return UNKNOWN
        sides = [part.get(side) for side in "ltrb"] if kind == "rect" else []
        if sides and (sides[0] == sides[2] or sides[1] == sides[3]):
            return "clipped"
    return None


def shape_fill(properties: Element | None, style: Element | None, theme: Theme) -> Fill | None:
    for child in properties if properties is not None else ():
        kind = local(child)
        if kind == "noFill":
            return None
        if kind == "solidFill":
            return _solid(theme.drawn_color(child))
        if kind == "gradFill":
            stops = [theme.drawn_color(stop) for stop in child.iter(f"{{{A}}}gs")]
            return Fill(tuple(mixed(stop[0], WHITE, stop[1]) for stop in stops if stop) or None)
        if kind == "pattFill":
            inks = [theme.drawn_color(part) for part in child if local(part) in ("fgClr", "bgClr")]
            return Fill(tuple(mixed(ink[0], WHITE, ink[1]) for ink in inks if ink) or None, opaque=False)
        if kind in ("blipFill", "grpFill"):
            return Fill(None, opaque=False)
    reference = style.find(f"{{{A}}}fillRef") if style is not None else None
    if reference is None or reference.get("idx") in (None, "0"):
        return None
    return _solid(theme.drawn_color(reference))


def _solid(drawn: tuple[RGB, float] | None) -> Fill | None:
    if drawn is None:
        return Fill(None)
    color, alpha = drawn
    return Fill((mixed(color, WHITE, alpha),), alpha > OPAQUE) if alpha > FAINT else None


def is_off_page(rect: Rect, page: DocxPage) -> bool:
    """No part of it can lie on the paper; one that hangs on a line of text may be anywhere down the page."""
    if rect.right < 0 or rect.x >= page.width:
        return True
    if rect.floating:
        return rect.y >= page.height or rect.bottom < -page.height
    return rect.bottom < 0 or rect.y >= page.height


def fill_behind(shape: DocxShape, earlier: list[DocxShape]) -> Fill | None:
    """What an unfilled box shows through: the last shape of its drawing painted under it."""
    if shape.rect is None:
        return None
    for other in reversed(earlier):
        if other.fill is not None and other.rect is not None and other.rect.overlap(shape.rect) >= MIN_BACKGROUND_SHARE:
            return other.fill
    return None


def _extent(holder: Element) -> Rect | None:
    extent = holder.find(f"{{{WP}}}extent")
    if extent is None:
        return None
    return Rect(0.0, 0.0, emus(extent.get("cx")) or 0.0, emus(extent.get("cy")) or 0.0, floating=True)


def anchor_rect(anchor: Element, page: DocxPage) -> Rect | None:
    size = _extent(anchor)
    if size is None:
        return None
    # Newer files wrap the position in alternatives of their own, so it need not be a child.
    across = next(anchor.iter(f"{{{WP}}}positionH"), None)
    down = next(anchor.iter(f"{{{WP}}}positionV"), None)
    if across is None or down is None:
        return None
    x, _ = _position(across, size.width, page.width, page.left, page.right)
    y, floating = _position(down, size.height, page.height, page.top, page.bottom)
    return Rect(x, y, size.width, size.height, floating)


def _position(place: Element, length: float, whole: float, before: float, after: float) -> tuple[float, bool]:
    """One coordinate, and whether it counts from a line of text instead of the page."""
    origin = place.get("relativeFrom") or "page"
    start, end = {
        "page": (0.0, whole),
        "leftMargin": (0.0, before),
        "topMargin": (0.0, before),
        "insideMargin": (0.0, before),
        "rightMargin": (whole - after, whole),
        "bottomMargin": (whole - after, whole),
        "outsideMargin": (whole - after, whole),
        "paragraph": (0.0, 0.0),
        "line": (0.0, 0.0),
    }.get(origin, (before, whole - after))
    floating = origin in ("paragraph", "line")
    for child in place.iter():
        kind = local(child)
        if kind == "posOffset":
            return start + (emus(child.text) or 0.0), floating
        if kind in ("pctPosHOffset", "pctPosVOffset"):
            return start + (number_of_emus(child.text) or 0.0) / 100_000 * (end - start), floating
        if kind == "align":
            share = {"center": 0.5, "right": 1.0, "bottom": 1.0, "outside": 1.0}.get((child.text or "").strip(), 0.0)
            return start + share * (end - start - length), floating
    return start, floating


def _group_placing(group: Element, rect: Rect | None) -> GroupTransform | None:
    """From the group's inner coordinates to the page; a canvas counts in plain units from its corner."""
    if rect is None:
        return None
    frame = group.find(f"{{{WPG}}}grpSpPr/{{{A}}}xfrm")
    if frame is None:
        return GroupTransform(rect.x, rect.y, 1 / 12_700, 1 / 12_700, rect.floating)
    offset, extent = _pair(frame, "chOff", "x", "y"), _pair(frame, "chExt", "cx", "cy")
    if offset is None or extent is None or not extent[0] or not extent[1]:
        offset, extent = _pair(frame, "off", "x", "y"), _pair(frame, "ext", "cx", "cy")
    if offset is None or extent is None or not extent[0] or not extent[1]:
        return None
    across, down = rect.width / extent[0], rect.height / extent[1]
    return GroupTransform(rect.x - offset[0] * across, rect.y - offset[1] * down, across, down, rect.floating)


def _pair(frame: Element, name: str, first: str, second: str) -> tuple[float, float] | None:
    element = frame.find(f"{{{A}}}{name}")
    if element is None:
        return None
    return number_of_emus(element.get(first)) or 0.0, number_of_emus(element.get(second)) or 0.0


# Shapes in the older drawing language (VML), read into the same form as DrawingML ones.

SHAPES = {
    f"{{{V}}}{name}" for name in ("shape", "rect", "roundrect", "oval", "line", "polyline", "arc", "curve", "image")
}
GROUP = f"{{{V}}}group"
NAMED = {
    "white": WHITE, "black": BLACK, "red": (255, 0, 0), "blue": (0, 0, 255), "yellow": (255, 255, 0),
    "gray": (128, 128, 128), "silver": (192, 192, 192), "navy": (0, 0, 128), "green": (0, 128, 0),
    "maroon": (128, 0, 0), "teal": (0, 128, 128), "purple": (128, 0, 128), "window": WHITE,
    "windowtext": BLACK,
}  # fmt: skip
FRACTION = re.compile(r"\s*+(\d*+\.\d++|\d++)\s*+(f|%)?\s*+")
FALSE = {"f", "false", "0"}


def vml_shapes(picture: Element, page: DocxPage) -> Iterator[DocxShape]:
    """Every shape of one w:pict or w:object, groups taken apart."""
    for child in picture:
        yield from _vml_shapes(child, None, page, None, 0)


def _vml_shapes(
    element: Element, placing: GroupTransform | None, page: DocxPage, hidden: str | None, depth: int
) -> Iterator[DocxShape]:
    if depth > MAX_GROUPS or (element.tag != GROUP and element.tag not in SHAPES):
        return
    style = css(element.get("style"))
    rect = _rect(style, placing, page)
    if style.get("visibility") == "hidden" or style.get("display") == "none":
        hidden = hidden or "hidden_style"
    elif rect is not None:
        grows = style.get("mso-fit-shape-to-text") in ("t", "true")
        if placing is None and style.get("position") == "absolute" and is_off_page(rect, page):
            hidden = hidden or "off_page"
        elif min(rect.width, rect.height) < MIN_BOX_SIZE and not grows:
            hidden = hidden or "clipped"
    if element.tag == GROUP:
        size = [number(part) or 0.0 for part in (element.get("coordsize") or "1000,1000").split(",")]
        origin = [number(part) or 0.0 for part in (element.get("coordorigin") or "0,0").split(",")]
        inner = None
        if rect is not None and len(size) == len(origin) == 2 and all(size):
            across, down = rect.width / size[0], rect.height / size[1]
            left, top = rect.x - origin[0] * across, rect.y - origin[1] * down
            inner = GroupTransform(left, top, across, down, rect.floating)
        for child in element:
            yield from _vml_shapes(child, inner, page, hidden, depth + 1)
    else:
        yield _shape(element, style, rect, hidden)


def css(text: str | None) -> dict[str, str]:
    pairs = (item.partition(":") for item in (text or "").split(";"))
    return {name.strip().lower(): val.strip() for name, _, val in pairs if name.strip()}


def _rect(style: dict[str, str], placing: GroupTransform | None, page: DocxPage) -> Rect | None:
    if placing is not None:
        sides = [number(style.get(name, "0")) or 0.0 for name in ("left", "top", "width", "height")]
        return placing.rect(*sides)
    width, height = (points(style.get(name), per_point=1) for name in ("width", "height"))
    if width is None or height is None:
        return None
    if style.get("position") != "absolute":
        return Rect(0.0, 0.0, width, height, floating=True)
    x = points(style.get("margin-left") or style.get("left") or "0", per_point=1) or 0.0
    y = points(style.get("margin-top") or style.get("top") or "0", per_point=1) or 0.0
    from_page = style.get("mso-position-horizontal-relative") == "page"
    vertical = style.get("mso-position-vertical-relative", "text")
    top = {"page": 0.0, "margin": page.top}.get(vertical)
    return Rect(x + (0.0 if from_page else page.left), y + (top or 0.0), width, height, floating=top is None)


def _shape(element: Element, style: dict[str, str], rect: Rect | None, hidden: str | None) -> DocxShape:
    box = element.find(f"{{{V}}}textbox")
    image = element.find(f"{{{V}}}imagedata")
    path = element.find(f"{{{V}}}textpath")
    grows = box is not None and css(box.get("style")).get("mso-fit-shape-to-text") in ("t", "true")
    wrapped = any(child.tag.endswith("}wrap") for child in element if isinstance(child.tag, str))
    behind = (number(style.get("z-index")) or 0.0) < 0
    return DocxShape(
        rect,
        Fill(None) if image is not None else _fill(element),
        content=box.find(f"{{{W}}}txbxContent") if box is not None else None,
        hidden=None if hidden == "clipped" and grows else hidden,
        front=style.get("position") == "absolute" and not wrapped and not behind,
        height=number(style.get("z-index")) or 0.0,
        picture=attribute(image, "id") if image is not None else None,
        text=path.get("string") if path is not None else None,
        stroke=None
        if (element.get("stroked") or "t").lower() in FALSE
        else _vml_color(element.get("strokecolor"), BLACK),
    )


def _vml_color(text: str | None, default: RGB) -> RGB:
    """ "#1f4e79 [3204]", "white" or "#fff"."""
    name = (text or "").strip().split(" ")[0].lower()
    return NAMED.get(name) or parse_hex(name) or default


def _fill(element: Element) -> Fill | None:
    detail = element.find(f"{{{V}}}fill")
    filled = (element.get("filled") or "t").lower()
    if element.get("type") == "#_x0000_t75" and element.get("filled") is None:
        return None  # the picture frame, which is unfilled by default
    if filled in FALSE or (detail is not None and (detail.get("on") or "t").lower() in FALSE):
        return None
    second = detail.get("color2") if detail is not None else None
    colors = [_vml_color(text, WHITE) for text in (element.get("fillcolor"), second)]
    color = colors[0]
    if detail is None:
        return Fill((color,))
    kind = (detail.get("type") or "solid").lower()
    if kind in ("frame", "tile", "pattern"):
        return Fill(None, opaque=False)
    if kind.startswith("gradient"):
        return Fill(tuple(colors))
    share = FRACTION.fullmatch(detail.get("opacity") or "")  # ".5", "50%" or "32768f"
    opacity = float(share[1]) / {"f": 65_536, "%": 100}.get(share[2] or "", 1) if share else 1.0
    return Fill((mixed(color, WHITE, opacity),), opacity > OPAQUE) if opacity > FAINT else None
