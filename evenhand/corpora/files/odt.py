"""Manuscript to ODT, written part by part so that the same words give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from evenhand.corpora.files.archive import pack
from evenhand.corpora.files.looks import Look, Paragraph, Part, column_shares, lined, parts_of
from evenhand.corpora.files.odt_styles import NAMESPACES, XML, automatic_styles, styles_xml
from evenhand.corpora.files.secrets import Secret
from evenhand.corpora.manuscript import Manuscript, Run, Table, Words

MIMETYPE = "application/vnd.oasis.opendocument.text"
WRITTEN = "2026-10-01T09:00:00"


def write_odt(manuscript: Manuscript, look: Look, secret: Secret | None = None) -> bytes:
    parts = [
        ("mimetype", MIMETYPE),
        ("content.xml", content_xml(manuscript, look, secret)),
        ("styles.xml", styles_xml(look, header=header_of(manuscript, look))),
        ("meta.xml", meta_xml()),
        ("META-INF/manifest.xml", manifest_xml()),
    ]
    return pack(parts, stored="mimetype")


def content_xml(manuscript: Manuscript, look: Look, secret: Secret | None) -> str:
    head, *rest = manuscript.sections
    parts = [] if look.place == "header" else list(lined(list(parts_of([head])), "comma"))
    parts += lined(list(parts_of(rest)), look.dates)
    hidden = f'<text:p text:style-name="Secret_{secret.how}">{spaced(secret.text)}</text:p>' if secret else ""
    return (
        f'{XML}<office:document-content {NAMESPACES} office:version="1.3"><office:automatic-styles>'
        f"{automatic_styles(look)}{column_styles(manuscript)}</office:automatic-styles><office:body><office:text>"
        f"{blocks(parts)}{hidden}</office:text></office:body></office:document-content>"
    )


def column_styles(manuscript: Manuscript) -> str:
    tables = [b for section in manuscript.sections for b in section.blocks if isinstance(b, Table)]
    shares = sorted({round(share * 100) for table in tables for share in column_shares(table)})
    return "".join(
        f'<style:style style:name="C{share}" style:family="table-column">'
        f'<style:table-column-properties style:column-width="{share * 0.17:.2f}cm"/></style:style>'
        for share in shares
    )


def header_of(manuscript: Manuscript, look: Look) -> str:
    if look.place != "header":
        return ""
    return blocks(lined(list(parts_of(manuscript.sections[:1])), "comma"))


def blocks(parts: Iterable[Part]) -> str:
    """Items that follow each other are one list; tables are numbered in order."""
    result: list[str] = []
    items: list[str] = []
    tables = 0

    def close_list() -> None:
        if items:
            result.append(f'<text:list text:style-name="Bullets">{"".join(items)}</text:list>')
            items.clear()

    for part in parts:
        if isinstance(part, Paragraph) and part.kind == "item":
            items.append(f"<text:list-item>{paragraph_xml(part)}</text:list-item>")
            continue
        close_list()
        if isinstance(part, Table):
            tables += 1
            result.append(table_xml(part, tables))
        else:
            result.append(paragraph_xml(part))
    close_list()
    return "".join(result)


def paragraph_xml(part: Paragraph) -> str:
    inner = words_xml(part.words) + (f"<text:tab/>{words_xml(part.aside)}" if part.aside else "")
    if part.kind == "heading":
        return f'<text:h text:style-name="Heading_20_1" text:outline-level="1">{inner}</text:h>'
    return f'<text:p text:style-name="R_{part.kind}">{inner}</text:p>'


def words_xml(words: Words) -> str:
    return "".join(run_xml(run) for run in words)


def run_xml(run: Run) -> str:
    text = spaced(run.text)
    style = ("b" if run.bold else "") + ("i" if run.italic else "")
    return f'<text:span text:style-name="T_{style}">{text}</text:span>' if style else text


def spaced(text: str) -> str:
    """Several spaces in a row, and those at the ends, would be dropped as plain characters."""
    return escape(text).replace("  ", ' <text:s text:c="1"/>').replace("\t", "<text:tab/>")


def table_xml(table: Table, number: int) -> str:
    columns = "".join(
        f'<table:table-column table:style-name="C{round(share * 100)}"/>' for share in column_shares(table)
    )
    rows = [row_xml(row, bold=table.has_header and not index) for index, row in enumerate(table.rows)]
    if table.has_header:
        rows[0] = f"<table:table-header-rows>{rows[0]}</table:table-header-rows>"
    return (
        f'<table:table table:name="Table{number}" table:style-name="Grid">'
        f"{columns}{''.join(rows)}</table:table>"
        '<text:p text:style-name="R_text"/>'
    )


def row_xml(row: Sequence[Words], *, bold: bool) -> str:
    style = "R_head" if bold else "R_cell"
    cells = "".join(
        '<table:table-cell table:style-name="Cell" office:value-type="string">'
        f'<text:p text:style-name="{style}">{words_xml(words)}</text:p></table:table-cell>'
        for words in row
    )
    return f'<table:table-row table:style-name="Row">{cells}</table:table-row>'


def meta_xml() -> str:
    return (
        f'{XML}<office:document-meta {NAMESPACES} office:version="1.3"><office:meta>'
        f"<meta:creation-date>{WRITTEN}</meta:creation-date><dc:date>{WRITTEN}</dc:date>"
        "</office:meta></office:document-meta>"
    )


def manifest_xml() -> str:
    entries = [("/", MIMETYPE), *((name, "text/xml") for name in ("content.xml", "styles.xml", "meta.xml"))]
    inner = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{kind}"/>'
        for path, kind in entries
    )
    return (
        f'{XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
        f'manifest:version="1.3">{inner}</manifest:manifest>'
    )
