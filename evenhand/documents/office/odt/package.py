"""The parts of an ODT package, or of the single XML file that a flat one is."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import eq, ge, gt, le, lt, ne

from evenhand.documents.draft import ReadLimits
from evenhand.documents.office.package import Archive, Element, parse_xml
from evenhand.documents.properties import is_harmless
from evenhand.errors import CorruptDocument, EncryptedDocument

# The names of OpenDocument text and the measures in its attributes.


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
BY_NAMESPACE = {uri: prefix for prefix, uri in PREFIXES.items()}
UNITS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "pc": 12.0, "px": 0.75, "": 1.0}
LENGTH = re.compile(r"\s*+(-?(?:\d++(?:\.\d*+)?|\.\d++))\s*+([a-z]*+)\s*+")
PERCENT = re.compile(r"\s*(-?\d{1,6}(?:\.\d*)?)\s*%\s*")
MAX_COUNT = 100_000


@cache
def q(name: str) -> str:
    """ "text:p" to the name lxml uses."""
    prefix, _, local = name.partition(":")
    return f"{{{PREFIXES[prefix]}}}{local}"


@lru_cache(maxsize=4096)
def may_hide(name: str, holder: str) -> bool:
    """Whether the usual programs understand this property, and nobody can say that it leaves text visible."""
    namespace, _, local = name[1:].partition("}")
    prefix = BY_NAMESPACE.get(namespace)
    return prefix is not None and not is_harmless("odt", holder, f"{prefix}:{local}")


CONDITION = re.compile(
    r'(?:ooow:|of:|oooc:)?\s*("[^"]*"|-?\d+)(?:\s*(==|!=|<=|>=|<|>|EQ|NEQ|L|G|LEQ|GEQ)\s*("[^"]*"|-?\d+))?\s*'
)
COMPARED = {"==": eq, "EQ": eq, "!=": ne, "NEQ": ne, "<": lt, "L": lt, ">": gt, "G": gt, "<=": le, ">=": ge}
COMPARED |= {"LEQ": le, "GEQ": ge}


def holds(condition: str | None) -> bool | None:
    """Whether a condition of plain values is met; None when that cannot be told."""
    known = {"": False, "FALSE": False, "TRUE": True}.get((condition or "").removeprefix("ooow:").strip().upper())
    matched = CONDITION.fullmatch(condition or "")
    if matched is None:
        return known
    values = [part if part.startswith('"') else int(part) for part in matched.group(1, 3) if part is not None]
    if len(values) < 2:
        return values[0] not in (0, '""')
    same = isinstance(values[0], int) == isinstance(values[1], int)
    return bool(COMPARED[matched[2]](values[0], values[1])) if same else None


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
    return min(max(number, 0), MAX_COUNT)


MANIFEST = "META-INF/manifest.xml"
# The manifest is searched as text: old OpenOffice versions give it a document type, which is refused here.
ENCRYPTION = re.compile(rb"<(?:[\w.-]+:)?encryption-data[\s/>]")


def is_encrypted(archive: Archive) -> bool:
    """Whether the manifest says that parts are encrypted."""
    manifest = archive.read(MANIFEST) or b""
    return bool(ENCRYPTION.search(manifest.replace(b"\0", b""))) or "encrypted-package" in archive


class OdtPackage:
    """Content and styles of one document."""

    def __init__(self, content: Element, styles: Element | None, archive: Archive | None, *, damaged: bool) -> None:
        self.content = content
        self.styles = styles
        self.names = archive.names() if archive else []
        self._archive = archive
        self.damaged = damaged
        body = content.find(f"{q('office:body')}/{q('office:text')}")
        if body is None:
            raise CorruptDocument
        self.body: Element = body

    @classmethod
    def open(cls, data: bytes, limits: ReadLimits) -> OdtPackage:
        archive = Archive.open(data, limits)
        if is_encrypted(archive):
            raise EncryptedDocument
        source = archive.read("content.xml")
        if source is None:
            raise CorruptDocument
        content, damaged = parse_xml(source)
        styles = None
        style_source = archive.read("styles.xml")
        try:
            styles, broken = parse_xml(style_source) if style_source is not None else (None, False)
        except CorruptDocument:
            broken = True
        damaged = damaged or broken
        return cls(content, styles, archive, damaged=damaged or archive.damaged)

    @classmethod
    def open_flat(cls, data: bytes) -> OdtPackage:
        root, damaged = parse_xml(data)
        return cls(root, root, None, damaged=damaged)

    def picture(self, name: str) -> bytes | None:
        """How the picture of this name begins; None for one that lies elsewhere."""
        return self._archive.head(name) if self._archive else None

    def style_roots(self) -> list[Element]:
        """Where styles may stand; those of the content come last and win over others of the same name."""
        if self.styles is None or self.styles is self.content:
            return [self.content]
        return [self.styles, self.content]
