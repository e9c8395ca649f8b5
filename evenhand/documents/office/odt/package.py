"""The parts of an ODT package, or of the single XML file that a flat one is."""

from __future__ import annotations

import re

from evenhand.documents.draft import ReadLimits
from evenhand.documents.office.archive import Archive
from evenhand.documents.office.odt.names import q
from evenhand.documents.office.xml import Element, parse_xml
from evenhand.errors import CorruptDocument, EncryptedDocument

MANIFEST = "META-INF/manifest.xml"
# The manifest is searched as text: old OpenOffice versions give it a document type, which is refused here.
ENCRYPTION = re.compile(rb"<(?:[\w.-]+:)?encryption-data[\s/>]")


def is_encrypted(archive: Archive) -> bool:
    """Whether the manifest says that parts are encrypted."""
    manifest = archive.read(MANIFEST) or b""
    return bool(ENCRYPTION.search(manifest.replace(b"\0", b""))) or "encrypted-package" in archive


class Package:
    """Content and styles of one document."""

    def __init__(
        self, content: Element, styles: Element | None, archive: Archive | None, *, damaged: bool
    ) -> None:
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
    def open(cls, data: bytes, limits: ReadLimits) -> Package:
        archive = Archive.open(data, limits)
        if is_encrypted(archive):
            raise EncryptedDocument
        source = archive.read("content.xml")
        if source is None:
            raise CorruptDocument
        content, damaged = parse_xml(source)
        styles = None
        style_source = archive.read("styles.xml")
        if style_source is not None:
            try:
                styles, broken = parse_xml(style_source)
                damaged = damaged or broken
            except CorruptDocument:
                damaged = True
        return cls(content, styles, archive, damaged=damaged or archive.damaged)

    @classmethod
    def open_flat(cls, data: bytes) -> Package:
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
