"""Manuscript to DOCX, written part by part so that the same words give the same bytes."""

from __future__ import annotations

from evenhand.corpora.files.archive import pack
from evenhand.corpora.files.docx.body import document_xml, footer_xml, header_xml
from evenhand.corpora.files.docx.package import (
    content_types,
    core_properties,
    document_relations,
    package_relations,
)
from evenhand.corpora.files.docx.styles import numbering_xml, styles_xml
from evenhand.corpora.files.looks import Look
from evenhand.corpora.files.secrets import Secret
from evenhand.corpora.manuscript import Manuscript


def write_docx(manuscript: Manuscript, look: Look, secret: Secret | None = None) -> bytes:
    has_header, has_footer = look.place == "header", look.footer
    parts = [
        ("[Content_Types].xml", content_types(header=has_header, footer=has_footer)),
        ("_rels/.rels", package_relations()),
        ("docProps/core.xml", core_properties(manuscript)),
        ("word/document.xml", document_xml(manuscript, look, secret)),
        ("word/_rels/document.xml.rels", document_relations(header=has_header, footer=has_footer)),
        ("word/styles.xml", styles_xml(look)),
        ("word/numbering.xml", numbering_xml(look)),
    ]
    if has_header:
        parts.append(("word/header1.xml", header_xml(manuscript, look)))
    if has_footer:
        parts.append(("word/footer1.xml", footer_xml()))
    return pack(parts)
