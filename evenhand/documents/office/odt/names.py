"""The names of OpenDocument text and the measures in its attributes."""

from __future__ import annotations

import re

from evenhand.documents.office.xml import Element

OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
STYLE = "urn:oasis:names:tc:opendocument:xmlns:style:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
DRAW = "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
SVG = "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
FO = "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
SCRIPT = "urn:oasis:names:tc:opendocument:xmlns:script:1.0"
XLINK = "http://www.w3.org/1999/xlink"
LOEXT = "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"

PREFIXES = {
    "office": OFFICE, "style": STYLE, "text": TEXT, "table": TABLE, "draw": DRAW, "svg": SVG, "fo": FO,
    "script": SCRIPT, "xlink": XLINK, "loext": LOEXT,
}  # fmt: skip
UNITS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "pc": 12.0, "px": 0.75, "": 1.0}
LENGTH = re.compile(r"\s*(-?(?:\d{1,9}\.?\d*|\.\d+))\s*([a-z]*)\s*")
PERCENT = re.compile(r"\s*(-?\d{1,6}(?:\.\d*)?)\s*%\s*")
LARGEST_COUNT = 100_000


def q(name: str) -> str:
    """ "text:p" to the name lxml uses."""
    prefix, _, local = name.partition(":")
    return f"{{{PREFIXES[prefix]}}}{local}"


def points(text: str | None) -> float | None:
    matched = LENGTH.fullmatch(text.lower()) if text else None
    if matched is None or matched.group(2) not in UNITS:
        return None
    return float(matched.group(1)) * UNITS[matched.group(2)]


def share(text: str | None) -> float | None:
    """ "80%" to 0.8."""
    matched = PERCENT.fullmatch(text) if text else None
    return float(matched.group(1)) / 100 if matched else None


def count(element: Element, name: str, *, default: int = 1) -> int:
    """A whole number from an attribute, kept within reason."""
    try:
        number = int(element.get(q(name)) or default)
    except ValueError:
        return default
    return min(max(number, 0), LARGEST_COUNT)
