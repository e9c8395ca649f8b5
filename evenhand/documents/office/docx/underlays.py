"""Shapes that may lie behind text and give it a background of their own."""

from __future__ import annotations

from collections.abc import Iterator

from evenhand.documents.office.docx.names import w
from evenhand.documents.office.docx.pages import Page
from evenhand.documents.office.docx.shapes import Shape, drawn_shapes
from evenhand.documents.office.docx.theme import Theme, local
from evenhand.documents.office.docx.vml import vml_shapes
from evenhand.documents.office.paint import Backdrop
from evenhand.documents.office.xml import Element

SMALLEST_SHARE = 0.01  # of the page; a smaller shape is an ornament or an icon
THINNEST = 6.0  # points
MANY = 500


def find_underlays(roots: list[Element], page: Page, theme: Theme) -> list[Backdrop]:
    """The fills of filled shapes and pictures without text of their own, over the whole document.

    Where on the page a line of text falls is unknown in a format that flows, so a dark shape anywhere
    means that white text may be readable; calling honest text hidden would do more harm."""
    found: list[Backdrop] = []
    for root in roots:
        for shape in _all_shapes(root, page, theme):
            if len(found) >= MANY:
                return found
            if shape.fill is not None and _may_underlie(shape, page):
                found.append(shape.fill.colors)
    return found


def _all_shapes(root: Element, page: Page, theme: Theme) -> Iterator[Shape]:
    for element in root.iter(w("drawing"), w("pict")):
        if element.tag == w("pict"):
            yield from vml_shapes(element, page)
        elif any(local(child) == "anchor" for child in element) or _is_group(element):
            yield from drawn_shapes(element, page, theme)


def _is_group(drawing: Element) -> bool:
    return any(local(element) in ("wgp", "wpc") for element in drawing.iter())


def _may_underlie(shape: Shape, page: Page) -> bool:
    if shape.rect is None or shape.hidden or shape.holds_text():
        return False
    rect = shape.rect
    return min(rect.width, rect.height) >= THINNEST and rect.width * rect.height >= SMALLEST_SHARE * page.area
