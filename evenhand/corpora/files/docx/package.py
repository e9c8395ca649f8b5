"""The parts of a DOCX package that say what the other parts are."""

from __future__ import annotations

from xml.sax.saxutils import escape

from evenhand.corpora.manuscript import Line, Manuscript

XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
WRITTEN = "2026-10-01T09:00:00Z"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def content_types(*, header: bool, footer: bool) -> str:
    kinds = {"document": "document.main", "styles": "styles", "numbering": "numbering"}
    if header:
        kinds["header1"] = "header"
    if footer:
        kinds["footer1"] = "footer"
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{WORD_TYPE}.{kind}+xml"/>'
        for name, kind in kinds.items()
    )
    return (
        f'{XML}<Types xmlns="{PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}'
        '<Override PartName="/docProps/core.xml" '
        'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>'
    )


def package_relations() -> str:
    return (
        f'{XML}<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>'
        f'<Relationship Id="rId2" Type="{PACKAGE}/relationships/metadata/core-properties" '
        'Target="docProps/core.xml"/></Relationships>'
    )


def document_relations(*, header: bool, footer: bool) -> str:
    targets = ["styles", "numbering", *(["header"] if header else []), *(["footer"] if footer else [])]
    files = {"header": "header1", "footer": "footer1"}
    relations = "".join(
        f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{files.get(kind, kind)}.xml"/>'
        for kind in targets
    )
    return f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{relations}</Relationships>'


def core_properties(manuscript: Manuscript) -> str:
    lines = [b for b in manuscript.sections[0].blocks if isinstance(b, Line) and b.role == "name"]
    name = "".join(run.text for line in lines for run in line.words)
    return (
        f'{XML}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>Resume</dc:title><dc:creator>{escape(name)}</dc:creator>"
        f'<dcterms:created xsi:type="dcterms:W3CDTF">{WRITTEN}</dcterms:created>'
        f'<dcterms:modified xsi:type="dcterms:W3CDTF">{WRITTEN}</dcterms:modified></cp:coreProperties>'
    )
