"""Shapes in the older drawing language (VML), read into the same form as DrawingML ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.documents.colors import BLACK, RGB, WHITE
from evenhand.documents.office.boxes import Rect
from evenhand.documents.office.docx.names import V, W, number, points
from evenhand.documents.office.docx.pages import Page
from evenhand.documents.office.docx.shapes import (
    FAINT,
    MAX_GROUPS,
    OPAQUE,
    SMALLEST_BOX,
    Fill,
    Placing,
    Shape,
    is_off_page,
)
from evenhand.documents.office.docx.theme import attribute
from evenhand.documents.office.paint import mixed, parse_hex
from evenhand.documents.office.xml import Element

SHAPES = {
    f"{{{V}}}{name}"
    for name in ("shape", "rect", "roundrect", "oval", "line", "polyline", "arc", "curve", "image")
}
GROUP = f"{{{V}}}group"
NAMED = {
    "white": WHITE, "black": BLACK, "red": (255, 0, 0), "blue": (0, 0, 255), "yellow": (255, 255, 0),
    "gray": (128, 128, 128), "silver": (192, 192, 192), "navy": (0, 0, 128), "green": (0, 128, 0),
    "maroon": (128, 0, 0), "teal": (0, 128, 128), "purple": (128, 0, 128), "window": WHITE,
    "windowtext": BLACK,
}  # fmt: skip
FRACTION = re.compile(r"\s*(\d*\.?\d+)\s*(f|%)?\s*")
FALSE = {"f", "false", "0"}


def vml_shapes(picture: Element, page: Page) -> Iterator[Shape]:
    """Every shape of one w:pict or w:object, groups taken apart."""
    for child in picture:
        yield from _shapes(child, None, page, None, 0)


def _shapes(
    element: Element, placing: Placing | None, page: Page, hidden: str | None, depth: int
) -> Iterator[Shape]:
    if depth > MAX_GROUPS or (element.tag != GROUP and element.tag not in SHAPES):
        return
    style = css(element.get("style"))
    rect = _rect(style, placing, page)
    hidden = hidden or _hidden(style, rect, page, outermost=placing is None)
    if element.tag == GROUP:
        inner = _group_placing(element, rect)
        for child in element:
            yield from _shapes(child, inner, page, hidden, depth + 1)
    else:
        yield _shape(element, style, rect, hidden)


def css(text: str | None) -> dict[str, str]:
    pairs = (item.partition(":") for item in (text or "").split(";"))
    return {name.strip().lower(): val.strip() for name, _, val in pairs if name.strip()}


def _rect(style: dict[str, str], placing: Placing | None, page: Page) -> Rect | None:
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


def _hidden(style: dict[str, str], rect: Rect | None, page: Page, *, outermost: bool) -> str | None:
    if style.get("visibility") == "hidden" or style.get("display") == "none":
        return "hidden_style"
    if rect is None:
        return None
    if outermost and style.get("position") == "absolute" and is_off_page(rect, page):
        return "off_page"
    grows = style.get("mso-fit-shape-to-text") in ("t", "true")
    return "clipped" if min(rect.width, rect.height) < SMALLEST_BOX and not grows else None


def _group_placing(group: Element, rect: Rect | None) -> Placing | None:
    if rect is None:
        return None
    size = [number(part) or 0.0 for part in (group.get("coordsize") or "1000,1000").split(",")]
    origin = [number(part) or 0.0 for part in (group.get("coordorigin") or "0,0").split(",")]
    if len(size) != 2 or len(origin) != 2 or not size[0] or not size[1]:
        return None
    across, down = rect.width / size[0], rect.height / size[1]
    return Placing(rect.x - origin[0] * across, rect.y - origin[1] * down, across, down, rect.floating)


def _shape(element: Element, style: dict[str, str], rect: Rect | None, hidden: str | None) -> Shape:
    box = element.find(f"{{{V}}}textbox")
    image = element.find(f"{{{V}}}imagedata")
    path = element.find(f"{{{V}}}textpath")
    grows = box is not None and css(box.get("style")).get("mso-fit-shape-to-text") in ("t", "true")
    wrapped = any(child.tag.endswith("}wrap") for child in element if isinstance(child.tag, str))
    behind = (number(style.get("z-index")) or 0.0) < 0
    return Shape(
        rect,
        Fill(None) if image is not None else _fill(element),
        content=box.find(f"{{{W}}}txbxContent") if box is not None else None,
        hidden=None if hidden == "clipped" and grows else hidden,
        front=style.get("position") == "absolute" and not wrapped and not behind,
        height=number(style.get("z-index")) or 0.0,
        picture=attribute(image, "id") if image is not None else None,
        text=path.get("string") if path is not None else None,
    )


def _fill(element: Element) -> Fill | None:
    detail = element.find(f"{{{V}}}fill")
    filled = (element.get("filled") or "t").lower()
    if element.get("type") == "#_x0000_t75" and element.get("filled") is None:
        return None  # the picture frame, which is unfilled by default
    if filled in FALSE or (detail is not None and (detail.get("on") or "t").lower() in FALSE):
        return None
    color = parse_color(element.get("fillcolor")) or WHITE
    if detail is None:
        return Fill((color,))
    kind = (detail.get("type") or "solid").lower()
    if kind in ("frame", "tile", "pattern"):
        return Fill(None, opaque=False)
    if kind.startswith("gradient"):
        return Fill((color, parse_color(detail.get("color2")) or WHITE))
    opacity = fraction(detail.get("opacity"))
    return Fill((mixed(color, WHITE, opacity),), opacity > OPAQUE) if opacity > FAINT else None


def parse_color(text: str | None) -> RGB | None:
    """ "#1f4e79 [3204]", "white" or "#fff"."""
    first = (text or "").strip().split(" ")[0].lower()
    return NAMED.get(first) or parse_hex(first)


def fraction(text: str | None) -> float:
    """An opacity: ".5", "50%" or "32768f"."""
    matched = FRACTION.fullmatch(text or "")
    if matched is None:
        return 1.0
    return float(matched.group(1)) / {"f": 65_536, "%": 100}.get(matched.group(2) or "", 1)
