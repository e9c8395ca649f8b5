"""Manuscript to ODT, written part by part so that the same words give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, groupby
from xml.sax.saxutils import escape

from evenhand_lab.corpora.files.looks import (
    FileLook,
    FileParagraph,
    Part,
    Secret,
    column_shares,
    fill_template,
    lined,
    pack,
)
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptTable, TextRun, Words

XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
BASE = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = (
    f'xmlns:office="{BASE}:office:1.0" xmlns:text="{BASE}:text:1.0" xmlns:style="{BASE}:style:1.0" '
    f'xmlns:table="{BASE}:table:1.0" xmlns:fo="{BASE}:xsl-fo-compatible:1.0" xmlns:meta="{BASE}:meta:1.0" '
    f'xmlns:svg="{BASE}:svg-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def write_odt(manuscript: Manuscript, look: FileLook, secret: Secret | None = None) -> bytes:
    header = blocks(lined(manuscript.sections[:1], "comma")) if look.place == "header" else ""
    parts = [
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", XML + content_xml(manuscript, look, secret)),
        ("styles.xml", XML + styles_xml(look, header=header)),
        ("meta.xml", XML + fill_template("odt_meta")),
        ("META-INF/manifest.xml", XML + fill_template("odt_manifest")),
    ]
    return pack(parts, stored="mimetype")


def paragraph_styles(look: FileLook) -> str:
    return fill_template(
        "odt_paragraphs",
        accent=look.accent,
        align='fo:text-align="center"' if look.centred else "",
        name_size=f"{look.size * 1.9:.1f}",
        tagline_size=f"{look.size * 1.1:.1f}",
    )


def styles_xml(look: FileLook, *, header: str) -> str:
    """The text itself, headings and the page; paragraphs where there are some in a header."""
    rule = f'fo:border-bottom="0.75pt solid #{look.accent}"'
    footer = (
        '<style:footer><text:p text:style-name="Standard"><text:page-number text:select-page="current">1'
        "</text:page-number></text:p></style:footer>"
    )
    return fill_template(
        "odt_styles",
        font=look.font,
        size=look.size,
        accent=look.accent,
        heading_size=look.heading_size,
        manner={"rule": rule, "shade": 'fo:background-color="#d9d9d9"'}.get(look.heading, ""),
        underline='style:text-underline-style="solid"' if look.heading == "underline" else "",
        caps='fo:text-transform="uppercase"' if look.caps else "",
        paragraphs=paragraph_styles(look) if header else "",
        header=f"<style:header>{header}</style:header>" if header else "",
        footer=footer if look.footer else "",
    )


def content_xml(manuscript: Manuscript, look: FileLook, secret: Secret | None) -> str:
    head, *rest = manuscript.sections
    parts = [] if look.place == "header" else list(lined([head], "comma"))
    parts += lined(rest, look.dates)
    hidden = f'<text:p text:style-name="Secret_{secret.how}">{spaced(secret.text)}</text:p>' if secret else ""
    border = "0.5pt solid #808080"
    edges = f'fo:border="{border}"' if look.table == "grid" else f'fo:border-bottom="{border}"'
    styles = fill_template("odt_automatic", paragraphs=paragraph_styles(look), edges=edges, bullet=look.bullet)
    return (
        f'<office:document-content {NAMESPACES} office:version="1.3"><office:automatic-styles>'
        f"{styles}{column_styles(manuscript)}</office:automatic-styles><office:body><office:text>"
        f"{blocks(parts)}{hidden}</office:text></office:body></office:document-content>"
    )


def column_styles(manuscript: Manuscript) -> str:
    tables = [b for section in manuscript.sections for b in section.blocks if isinstance(b, ManuscriptTable)]
    shares = sorted({round(share * 100) for table in tables for share in column_shares(table)})
    return "".join(
        f'<style:style style:name="C{share}" style:family="table-column">'
        f'<style:table-column-properties style:column-width="{share * 0.17:.2f}cm"/></style:style>'
        for share in shares
    )


def blocks(parts: Iterable[Part]) -> str:
    """Items that follow each other are one list; tables are numbered in order."""
    result: list[str] = []
    tables = count(1)
    for is_list, group in groupby(parts, lambda part: isinstance(part, FileParagraph) and part.kind == "item"):
        inner = [
            table_xml(part, next(tables)) if isinstance(part, ManuscriptTable) else paragraph_xml(part)
            for part in group
        ]
        if is_list:
            items = "".join(f"<text:list-item>{item}</text:list-item>" for item in inner)
            inner = [f'<text:list text:style-name="Bullets">{items}</text:list>']
        result += inner
    return "".join(result)


def paragraph_xml(part: FileParagraph) -> str:
    inner = words_xml(part.words) + (f"<text:tab/>{words_xml(part.aside)}" if part.aside else "")
    if part.kind == "heading":
        return f'<text:h text:style-name="Heading_20_1" text:outline-level="1">{inner}</text:h>'
    return f'<text:p text:style-name="R_{part.kind}">{inner}</text:p>'


def words_xml(words: Words) -> str:
    def run_xml(run: TextRun) -> str:
        style = ("b" if run.bold else "") + ("i" if run.italic else "")
        text = spaced(run.text)
        return f'<text:span text:style-name="T_{style}">{text}</text:span>' if style else text

    return "".join(map(run_xml, words))


def spaced(text: str) -> str:
    """Several spaces in a row, and those at the ends, would be dropped as plain characters."""
    return escape(text).replace("  ", ' <text:s text:c="1"/>').replace("\t", "<text:tab/>")


def table_xml(table: ManuscriptTable, number: int) -> str:
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
