"""Frames and shapes of OpenDocument: where they stand, what fills them, whether they can be seen."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.documents.colors import WHITE
from evenhand.documents.office.boxes import Rect
from evenhand.documents.office.odt.names import points, q, share
from evenhand.documents.office.odt.pages import Page
from evenhand.documents.office.odt.styles import NO_FILL, Styles, fill_color
from evenhand.documents.office.paint import Backdrop, mixed, parse_hex
from evenhand.documents.office.xml import Element

SMALLEST_BOX = 4.0  # points
FAINT, OPAQUE = 0.1, 0.95
SMALLEST_SHARE = 0.01  # of the page, for a shape that may lie behind text
THINNEST = 6.0
MANY = 500
SHAPES = {
    q(f"draw:{name}")
    for name in (
        "custom-shape",
        "rect",
        "ellipse",
        "circle",
        "path",
        "polygon",
        "regular-polygon",
        "polyline",
        "line",
        "connector",
        "caption",
        "measure",
    )
}
FRAME, GROUP, LINK = q("draw:frame"), q("draw:g"), q("draw:a")
DRAWN = SHAPES | {FRAME, GROUP, LINK}
DEFAULT_FILL = (114, 159, 207)  # what LibreOffice gives a shape that names none


@dataclass(frozen=True, slots=True)
class Box:
    rect: Rect | None
    filled: bool
    colors: Backdrop  # of the fill; None when nobody can tell
    hidden: str | None
    covers: Rect | None = None  # the place it hides, when it is opaque and in front of the text
    picture: str | None = None  # shown in it, which must be opaque too


def read_box(element: Element, styles: Styles, page: Page) -> Box:
    style = element.get(q("draw:style-name"))
    rect = _rect(element, styles, style, page)
    filled, colors = _fill(element, styles, style)
    hidden = _hidden(element, rect, page)
    in_front = filled and not hidden and _is_front(styles, style) and _is_opaque(styles, style)
    covers = rect if in_front and rect is not None and rect.floating else None
    image = element.find(q("draw:image"))
    picture = image.get(q("xlink:href")) or "" if image is not None else None
    return Box(rect, filled, colors, hidden, covers, picture)


def _is_front(styles: Styles, style: str | None) -> bool:
    through = _graphic(styles, style, "style:wrap") == "run-through"
    return through and _graphic(styles, style, "style:run-through") != "background"


def _is_opaque(styles: Styles, style: str | None) -> bool:
    opacity = share(_graphic(styles, style, "draw:opacity"))
    return opacity is None or opacity >= OPAQUE


def _graphic(styles: Styles, style: str | None, name: str) -> str | None:
    return styles.property("graphic", style, "style:graphic-properties", name)


def _rect(element: Element, styles: Styles, style: str | None, page: Page) -> Rect | None:
    width, height = points(element.get(q("svg:width"))), points(element.get(q("svg:height")))
    if height is None:
        box = element.find(q("draw:text-box"))
        height = points(box.get(q("fo:min-height"))) if box is not None else None
    if width is None or height is None:
        return None
    x, y = points(element.get(q("svg:x"))), points(element.get(q("svg:y")))
    across = _graphic(styles, style, "style:horizontal-rel") or "paragraph"
    down = _graphic(styles, style, "style:vertical-rel") or "paragraph"
    placed = _graphic(styles, style, "style:horizontal-pos") or "from-left"
    left = 0.0 if across == "page" else page.left
    if placed in ("center", "right") and x is None:
        free = page.width - 2 * left - width
        x = free if placed == "right" else free / 2
    tops = {"page": 0.0, "page-content": page.top}
    on_page = element.get(q("text:anchor-type")) == "page"
    top = tops.get(down, page.top if on_page else None)
    return Rect((x or 0.0) + left, (y or 0.0) + (top or 0.0), width, height, floating=top is None)


def _fill(element: Element, styles: Styles, style: str | None) -> tuple[bool, Backdrop]:
    kind = _graphic(styles, style, "draw:fill")
    if element.find(q("draw:image")) is not None or kind in ("bitmap", "gradient", "hatch"):
        return True, None
    background = fill_color(_graphic(styles, style, "fo:background-color"))
    if kind == "none" or (kind is None and element.tag == FRAME):
        seen = background is not None and background != NO_FILL and kind is None
        return seen, (background,) if seen and background is not None else None
    color = parse_hex(_graphic(styles, style, "draw:fill-color")) or background or DEFAULT_FILL
    opacity = share(_graphic(styles, style, "draw:opacity"))
    if opacity is not None and opacity <= FAINT:
        return False, None
    return True, (mixed(color, WHITE, opacity if opacity is not None else 1.0),)


def _hidden(element: Element, rect: Rect | None, page: Page) -> str | None:
    if rect is None or element.get(q("text:anchor-type")) == "as-char":
        return None
    if rect.right < 0 or rect.x >= page.width or rect.y >= page.height:
        return "off_page"
    if rect.bottom < (-page.height if rect.floating else 0):
        return "off_page"
    box = element.find(q("draw:text-box"))
    grows = box is None or box.get(q("fo:min-height")) is not None
    return "clipped" if not grows and min(rect.width, rect.height) < SMALLEST_BOX else None


def find_underlays(roots: list[Element], styles: Styles, page: Page) -> list[Backdrop]:
    """Fills of shapes and pictures without text that may lie behind text somewhere on a page."""
    found: list[Backdrop] = []
    for root in roots:
        for element in root.iter(FRAME, *SHAPES):
            box = read_box(element, styles, page)
            if len(found) >= MANY:
                return found
            if (
                box.filled
                and box.hidden is None
                and box.rect is not None
                and _is_large(box.rect, page)
                and not has_text(element)
            ):
                found.append(box.colors)
    return found


def _is_large(rect: Rect, page: Page) -> bool:
    thick = min(rect.width, rect.height) >= THINNEST
    return thick and rect.width * rect.height >= SMALLEST_SHARE * page.area


def has_text(element: Element) -> bool:
    return any("".join(map(str, part.itertext())).strip() for part in element.iter(q("text:p"), q("text:h")))
