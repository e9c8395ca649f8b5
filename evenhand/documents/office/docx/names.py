"""The names of WordprocessingML and DrawingML, and the measures written in its attributes."""

from __future__ import annotations

import re
from functools import cache

from evenhand.documents.office.xml import Element

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
PIC = "http://schemas.openxmlformats.org/drawingml/2006/picture"
DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
WPG = "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup"
WPC = "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas"
W14 = "http://schemas.microsoft.com/office/word/2010/wordml"
V = "urn:schemas-microsoft-com:vml"
O = "urn:schemas-microsoft-com:office:office"  # noqa: E741 - the prefix every file uses

EMU_PER_POINT = 12_700
UNITS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "pc": 12.0, "pi": 12.0, "px": 0.75, "": 1.0}
MEASURE = re.compile(r"\s*(-?(?:\d+\.?\d*|\.\d+))\s*([a-z]*)\s*")
FALSE = {"0", "false", "off", "no"}
LARGEST = 1e7  # numbers beyond this are damage or malice


@cache
def w(name: str) -> str:
    return f"{{{W}}}{name}"


VAL = w("val")


def value(parent: Element | None, tag: str) -> str | None:
    """The w:val of a child."""
    child = parent.find(tag) if parent is not None else None
    return child.get(VAL) if child is not None else None


def is_on(element: Element) -> bool:
    """A switch is on unless it says otherwise."""
    return (element.get(VAL) or "true").strip().lower() not in FALSE


def number(text: str | None) -> float | None:
    """A plain number of sane size."""
    try:
        result = float(text) if text is not None else None
    except ValueError:
        return None
    return result if result is not None and -LARGEST < result < LARGEST else None


def integer(text: str | None) -> int | None:
    result = number(text)
    return int(result) if result is not None else None


def points(text: str | None, *, per_point: float) -> float | None:
    """A measure in points: a bare number counts in its own unit, others name theirs (strict files do)."""
    matched = MEASURE.fullmatch(text.lower()) if text else None
    if matched is None:
        return None
    amount = number(matched.group(1))
    if amount is None or matched.group(2) not in UNITS:
        return None
    return amount * UNITS[matched.group(2)] if matched.group(2) else amount / per_point


def twips(text: str | None) -> float | None:
    return points(text, per_point=20)


def emus(text: str | None) -> float | None:
    amount = number_of_emus(text)
    return amount / EMU_PER_POINT if amount is not None else None


def number_of_emus(text: str | None) -> float | None:
    try:
        amount = float(text) if text is not None else None
    except ValueError:
        return None
    return amount if amount is not None and abs(amount) < 1e13 else None
