"""The parts of a DOCX package and the relationships between them."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from urllib.parse import unquote

from evenhand.documents.draft import ReadLimits
from evenhand.documents.office.archive import Archive, normal_name
from evenhand.documents.office.docx.names import RELATIONSHIPS
from evenhand.documents.office.xml import Element, parse_xml
from evenhand.errors import CorruptDocument

RELATIONSHIP = f"{{{RELATIONSHIPS}}}Relationship"
USUAL_MAIN_PART = "word/document.xml"


@dataclass(frozen=True, slots=True)
class Relationship:
    id: str
    kind: str  # the last word of its type: "styles", "header", "hyperlink"
    target: str  # a part name, or the address when external
    external: bool


class Package:
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

    def relations(self, part_name: str) -> dict[str, Relationship]:
        """Relationships of a part by id."""
        part_name = normal_name(part_name)
        if part_name not in self._relations:
            self._relations[part_name] = self._read_relations(part_name)
        return self._relations[part_name]

    def _read_relations(self, part_name: str) -> dict[str, Relationship]:
        folder, base = posixpath.split(part_name)
        root = self.part(posixpath.join(folder, "_rels", f"{base}.rels"))
        found: dict[str, Relationship] = {}
        for element in root.iter(RELATIONSHIP) if root is not None else ():
            target = (element.get("Target") or "").strip()
            external = (element.get("TargetMode") or "").lower() == "external"
            kind = (element.get("Type") or "").rstrip("/").rpartition("/")[2]
            if not external:
                target = resolve(folder, target)
            identifier = element.get("Id") or f"#{len(found)}"
            found[identifier] = Relationship(identifier, kind, target, external)
        return found

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
