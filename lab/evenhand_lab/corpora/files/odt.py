"""Manuscript to ODT, written part by part so that the same words give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, groupby
from xml.sax.saxutils import escape

from evenhand_lab.corpora.files.looks import (
    TINY_POINTS,
    FileLook,
    FileParagraph,
    Part,
    Secret,
    column_shares,
    lined,
    pack,
)
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptTable, TextRun, Words

# Styles, list and page of an ODT file.


XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
BASE = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = (
    f'xmlns:office="{BASE}:office:1.0" xmlns:text="{BASE}:text:1.0" xmlns:style="{BASE}:style:1.0" '
    f'xmlns:table="{BASE}:table:1.0" xmlns:fo="{BASE}:xsl-fo-compatible:1.0" xmlns:meta="{BASE}:meta:1.0" '
    f'xmlns:svg="{BASE}:svg-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
TAB = '<style:tab-stops><style:tab-stop style:position="17cm" style:type="right"/></style:tab-stops>'


def paragraph_style(name: str, paragraph: str = "", text: str = "", inner: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="paragraph" style:parent-style-name="Standard">'
        f"<style:paragraph-properties {paragraph}>{inner}</style:paragraph-properties>"
        f"<style:text-properties {text}/></style:style>"
    )


def automatic_styles(look: FileLook) -> str:
    """Paragraphs, words, cells, and the ways to hide."""
    border = "0.5pt solid #808080"
    edges = f'fo:border="{border}"' if look.table == "grid" else f'fo:border-bottom="{border}"'
    ways = {
        "white": 'fo:color="#ffffff"',
        "tiny": f'fo:font-size="{TINY_POINTS}pt"',
        "hidden_style": 'text:display="none"',
    }
    return "".join([
        paragraph_styles(look),
        *(
            f'<style:style style:name="T_{name}" style:family="text"><style:text-properties {value}/></style:style>'
            for name, value in (
                ("b", 'fo:font-weight="bold"'),
                ("i", 'fo:font-style="italic"'),
                ("bi", 'fo:font-weight="bold" fo:font-style="italic"'),
            )
        ),
        '<style:style style:name="Grid" style:family="table">'
        '<style:table-properties style:width="17cm" table:align="margins"/></style:style>',
        '<style:style style:name="Row" style:family="table-row">'
        '<style:table-row-properties fo:keep-together="always"/></style:style>',
        '<style:style style:name="Cell" style:family="table-cell">'
        f'<style:table-cell-properties {edges} fo:padding="0.08cm"/></style:style>',
        '<text:list-style style:name="Bullets"><text:list-level-style-bullet text:level="1" '
        f'text:bullet-char="{look.bullet}"><style:list-level-properties text:space-before="0.2cm" '
        'text:min-label-width="0.5cm"/></text:list-level-style-bullet></text:list-style>',
        *(paragraph_style(f"Secret_{way}", text=properties) for way, properties in ways.items()),
    ])  # fmt: skip


def paragraph_styles(look: FileLook) -> str:
    align = 'fo:text-align="center"' if look.centred else ""
    accent = f'fo:color="#{look.accent}"'
    return "".join([
        paragraph_style("R_name", align, f'{accent} fo:font-size="{look.size * 1.9:.1f}pt" fo:font-weight="bold"'),
        paragraph_style("R_tagline", align, f'fo:color="#555555" fo:font-size="{look.size * 1.1:.1f}pt"'),
        paragraph_style("R_contact", align),
        paragraph_style("R_title", 'fo:margin-top="0.2cm" fo:keep-with-next="always"', 'fo:font-weight="bold"', TAB),
        paragraph_style("R_subtitle", 'fo:keep-with-next="always"', 'fo:font-style="italic"', TAB),
        paragraph_style("R_text", inner=TAB),
        paragraph_style("R_item", inner=TAB),
        paragraph_style("R_cell"),
        paragraph_style("R_head", text='fo:font-weight="bold"'),
    ])  # fmt: skip


def styles_xml(look: FileLook, *, header: str) -> str:
    head = f"<style:header>{header}</style:header>" if header else ""
    foot = (
        '<style:footer><text:p text:style-name="Standard"><text:page-number text:select-page="current">1'
        "</text:page-number></text:p></style:footer>"
        if look.footer
        else ""
    )
    return (
        f'{XML}<office:document-styles {NAMESPACES} office:version="1.3"><office:styles>'
        '<style:style style:name="Standard" style:family="paragraph"><style:paragraph-properties '
        f'fo:margin-bottom="0.07cm"/><style:text-properties style:font-name="{look.font}" '
        f'fo:font-family="{look.font}" fo:font-size="{look.size}pt"/></style:style>{heading_style(look)}'
        "</office:styles><office:automatic-styles>"
        f'{paragraph_styles(look) if header else ""}<style:page-layout style:name="Page">'
        '<style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm"/>'
        "</style:page-layout></office:automatic-styles><office:master-styles>"
        f'<style:master-page style:name="Standard" style:page-layout-name="Page">{head}{foot}</style:master-page>'
        "</office:master-styles></office:document-styles>"
    )


def heading_style(look: FileLook) -> str:
    manner = {"rule": f'fo:border-bottom="0.75pt solid #{look.accent}"', "shade": 'fo:background-color="#d9d9d9"'}.get(
        look.heading, ""
    )
    underline = 'style:text-underline-style="solid"' if look.heading == "underline" else ""
    caps = 'fo:text-transform="uppercase"' if look.caps else ""
    return (
        '<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph" '
        'style:parent-style-name="Standard" style:default-outline-level="1"><style:paragraph-properties '
        f'fo:margin-top="0.42cm" fo:margin-bottom="0.14cm" fo:keep-with-next="always" {manner}/>'
        f'<style:text-properties fo:color="#{look.accent}" fo:font-size="{look.heading_size}pt" '
        f'fo:font-weight="bold" {underline} {caps}/></style:style>'
    )


MIMETYPE = "application/vnd.oasis.opendocument.text"
WRITTEN = "2026-10-01T09:00:00"


def write_odt(manuscript: Manuscript, look: FileLook, secret: Secret | None = None) -> bytes:
    header = blocks(lined(manuscript.sections[:1], "comma")) if look.place == "header" else ""
    parts = [
        ("mimetype", MIMETYPE),
        ("content.xml", content_xml(manuscript, look, secret)),
        ("styles.xml", styles_xml(look, header=header)),
        ("meta.xml", meta_xml()),
        ("META-INF/manifest.xml", manifest_xml()),
    ]
    return pack(parts, stored="mimetype")


def content_xml(manuscript: Manuscript, look: FileLook, secret: Secret | None) -> str:
    head, *rest = manuscript.sections
    parts = [] if look.place == "header" else list(lined([head], "comma"))
    parts += lined(rest, look.dates)
    hidden = f'<text:p text:style-name="Secret_{secret.how}">{spaced(secret.text)}</text:p>' if secret else ""
    return (
        f'{XML}<office:document-content {NAMESPACES} office:version="1.3"><office:automatic-styles>'
        f"{automatic_styles(look)}{column_styles(manuscript)}</office:automatic-styles><office:body><office:text>"
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


def meta_xml() -> str:
    return (
        f'{XML}<office:document-meta {NAMESPACES} office:version="1.3"><office:meta>'
        f"<meta:creation-date>{WRITTEN}</meta:creation-date><dc:date>{WRITTEN}</dc:date>"
        "</office:meta></office:document-meta>"
    )


def manifest_xml() -> str:
    entries = [("/", MIMETYPE), *((name, "text/xml") for name in ("content.xml", "styles.xml", "meta.xml"))]
    inner = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{kind}"/>' for path, kind in entries
    )
    return (
        f'{XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
        f'manifest:version="1.3">{inner}</manifest:manifest>'
    )
