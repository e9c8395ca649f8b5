"""The parts of a DOCX package and the relationships between them."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import cache, cached_property
from urllib.parse import unquote

from evenhand.documents.draft import ReadLimits
from evenhand.documents.office.package import Archive, Element, normal_name, parse_xml
from evenhand.errors import CorruptDocument

# The names of WordprocessingML and DrawingML, and the measures written in its attributes.


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
W15 = "http://schemas.microsoft.com/office/word/2012/wordml"
V = "urn:schemas-microsoft-com:vml"
O = "urn:schemas-microsoft-com:office:office"  # noqa: E741 - the prefix every file uses

EMU_PER_POINT = 12_700
UNITS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "pc": 12.0, "pi": 12.0, "px": 0.75, "": 1.0}
MEASURE = re.compile(r"\s*+(-?(?:\d++(?:\.\d*+)?|\.\d++))\s*+([a-z]*+)\s*+")
FALSE = {"0", "false", "off", "no"}
MAX_NUMBER = 1e7  # numbers beyond this are damage or malice


@cache
@cache
def w(name: str) -> str:
    return f"{{{W}}}{name}"


VAL = w("val")


def value(parent: Element | None, tag: str, attribute: str = "val") -> str | None:
    """The w:val, or another attribute, of a child."""
    child = parent.find(tag) if parent is not None else None
    return child.get(w(attribute)) if child is not None else None


def is_on(element: Element) -> bool:
    """A switch is on unless it says otherwise."""
    return (element.get(VAL) or "true").strip().lower() not in FALSE


def number(text: str | None) -> float | None:
    """A plain number of sane size."""
    try:
        result = float(text) if text is not None else None
    except ValueError:
        return None
    return result if result is not None and -MAX_NUMBER < result < MAX_NUMBER else None


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


RELATIONSHIP = f"{{{RELATIONSHIPS}}}Relationship"
MAX_STORES = 50
USUAL_MAIN_PART = "word/document.xml"


@dataclass(frozen=True, slots=True)
class Relationship:
    id: str
    kind: str  # the last word of its type: "styles", "header", "hyperlink"
    target: str  # a part name, or the address when external
    external: bool


class DocxPackage:
    """Opens the archive, finds the main part and hands out parsed parts; damage is remembered, not fatal."""

    def __init__(self, data: bytes, limits: ReadLimits) -> None:
        self.archive = Archive.open(data, limits)
        self.damaged_parts: list[str] = []
        self._relations: dict[str, dict[str, Relationship]] = {}
        self.main_name = self._find_main()

    def main(self) -> Element:
        root = self.part(self.main_name)
        if root is None:
            raise CorruptDocument
        return root

    def part(self, name: str) -> Element | None:
        """The parsed part, or None when it is missing or beyond repair."""
        source = self.archive.read(name)
        if source is None:
            return None
        try:
            root, damaged = parse_xml(source)
        except CorruptDocument:
            self.damaged_parts.append(name)
            return None
        if damaged:
            self.damaged_parts.append(name)
        return root

    def related(self, kind: str) -> Element | None:
        """The part the main part calls by this kind, or the one at its usual place."""
        for relation in self.relations(self.main_name).values():
            if relation.kind == kind and not relation.external:
                root = self.part(relation.target)
                if root is not None:
                    return root
        folder = posixpath.dirname(self.main_name)
        usual = "theme/theme1.xml" if kind == "theme" else f"{kind}.xml"
        return self.part(posixpath.join(folder, usual))

    @cached_property
    def stored_texts(self) -> tuple[bytes, set[str]]:
        """What controls of the text may be bound to: the parts that name their stores, and the texts in the stores."""
        names = [name for name in self.archive.names() if name.startswith(("customxml/", "docprops/"))]
        texts: set[str] = set()
        for name in names[:MAX_STORES]:
            root = self.part(name) if name.endswith(".xml") else None
            for element in root.iter() if root is not None else ():
                texts.update(
                    " ".join(text.split()) for text in (element.text or "", *map(str, element.attrib.values()))
                )
        described = (self.archive.read(name) or b"" for name in names[:MAX_STORES] if "itemprops" in name)
        return b"".join(described).lower(), texts

    def relations(self, part_name: str) -> dict[str, Relationship]:
        """Relationships of a part by id."""
        part_name = normal_name(part_name)
        if part_name not in self._relations:
            self._relations[part_name] = self._read_relations(part_name)
        return self._relations[part_name]

    def _read_relations(self, part_name: str) -> dict[str, Relationship]:
        folder, base = posixpath.split(part_name)
        root = self.part(posixpath.join(folder, "_rels", f"{base}.rels"))
        relations: dict[str, Relationship] = {}
        for element in root.iter(RELATIONSHIP) if root is not None else ():
            target = (element.get("Target") or "").strip()
            external = (element.get("TargetMode") or "").lower() == "external"
            kind = (element.get("Type") or "").rstrip("/").rpartition("/")[2]
            if not external:
                target = resolve(folder, target)
            identifier = element.get("Id") or f"#{len(relations)}"
            relations[identifier] = Relationship(identifier, kind, target, external)
        return relations

    def _find_main(self) -> str:
        for relation in self.relations("").values():
            if relation.kind == "officeDocument" and relation.target in self.archive:
                return relation.target
        if USUAL_MAIN_PART in self.archive:
            return USUAL_MAIN_PART
        for name in self.archive.names():
            # Some writers number the main part (word/document2.xml); a damaged file may lack relationships.
            if name.startswith("word/document") and name.endswith(".xml"):
                return name
        raise CorruptDocument


def resolve(folder: str, target: str) -> str:
    """A target relative to its source's folder, as a part name."""
    target = unquote(target.partition("#")[0]).replace("\\", "/")
    joined = target if target.startswith("/") else posixpath.join("/", folder, target)
    return normal_name(posixpath.normpath(joined))


# Markup that comes twice, for newer and for older applications: one of the two is read, never both.

ALTERNATIVES = f"{{{MC}}}AlternateContent"
CHOICE, FALLBACK = f"{{{MC}}}Choice", f"{{{MC}}}Fallback"
# What Word, and this reader with it, understands: the words of the format itself and their later additions.
UNDERSTOOD = re.compile(
    r"http://schemas\.(?:openxmlformats\.org/(?:wordprocessingml|drawingml|officeDocument|markup-compatibility)/2006/"
    r"[\w/-]+|microsoft\.com/office/(?:word|drawing)/20[0-2]\d/(?:[\d/]*(?:wordml|wordprocessing\w+|main|chart|chartex|"
    r"ink|model3d|diagram|SVG/main))(?:/\w+)?)|urn:schemas-microsoft-com:(?:vml|office:\w+)"
)


def chosen(alternatives: Element) -> Element | None:
    """The first choice this reader understands, else the fallback."""
    for branch in alternatives:
        if branch.tag == CHOICE:
            needed = [branch.nsmap.get(prefix) or "" for prefix in (branch.get("Requires") or "").split()]
            if all(UNDERSTOOD.fullmatch(name) for name in needed):
                return branch
    return alternatives.find(FALLBACK)
