"""The text of a DOCX file: paragraphs, tables, a text box, a table that makes two columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from evenhand.corpora.files.docx.boxes import NAMESPACES, text_box
from evenhand.corpora.files.docx.package import OFFICE, XML
from evenhand.corpora.files.docx.styles import MARGIN, TEXT_WIDTH, WORD, half_points
from evenhand.corpora.files.looks import (
    Look,
    Paragraph,
    Part,
    beside_and_main,
    column_edges,
    lined,
    one_by_one,
    parts_of,
)
from evenhand.corpora.files.secrets import TINY_POINTS, Secret
from evenhand.corpora.manuscript import Manuscript, Run, Table, Words

STYLES = {
    "name": "Title",
    "tagline": "Subtitle",
    "contact": "Contact",
    "heading": "Heading1",
    "title": "EntryTitle",
    "subtitle": "EntryPlace",
    "item": "ListBullet",
    "text": "TextLine",
}
SIDE_WIDTH = 3000
AFTER_TABLE = '<w:p><w:pPr><w:spacing w:after="0" w:line="80" w:lineRule="exact"/></w:pPr></w:p>'
ALL_EDGES = ("top", "left", "bottom", "right", "insideH", "insideV")


def document_xml(manuscript: Manuscript, look: Look, secret: Secret | None) -> str:
    head, *rest = manuscript.sections
    narrow = look.place in ("columns", "box")
    head_parts = list(one_by_one(head) if narrow else lined(list(parts_of([head])), "comma"))
    if look.place == "columns":
        content = in_columns(manuscript, look, head_parts)
    elif look.place == "box":
        content = with_box(head_parts) + blocks(lined(list(parts_of(rest)), look.dates), look)
    else:
        shown = [] if look.place == "header" else head_parts
        content = blocks([*shown, *lined(list(parts_of(rest)), look.dates)], look)
    references = "".join(
        f'<w:{kind}Reference w:type="default" r:id="{kind}"/>'
        for kind, present in (("header", look.place == "header"), ("footer", look.footer))
        if present
    )
    page = (
        f'<w:sectPr>{references}<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="{MARGIN}" w:right="{MARGIN}" '
        f'w:bottom="{MARGIN}" w:left="{MARGIN}" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr>'
    )
    extra = secret_paragraph(secret) if secret else ""
    return f"{XML}<w:document {NAMESPACES}><w:body>{content}{extra}{page}</w:body></w:document>"


def blocks(parts: Iterable[Part], look: Look, *, width: int = TEXT_WIDTH) -> str:
    return "".join(
        table_xml(part, look, width) if isinstance(part, Table) else paragraph_xml(part) for part in parts
    )


def paragraph_xml(part: Paragraph) -> str:
    runs = words_xml(part.words)
    if part.aside:
        runs += f"<w:r><w:tab/></w:r>{words_xml(part.aside)}"
    return f'<w:p><w:pPr><w:pStyle w:val="{STYLES[part.kind]}"/></w:pPr>{runs}</w:p>'


def words_xml(words: Words) -> str:
    return "".join(run_xml(run) for run in words)


def run_xml(run: Run, properties: str = "", *, bold: bool = False) -> str:
    inner = ("<w:b/>" if run.bold or bold else "") + ("<w:i/>" if run.italic else "") + properties
    look = f"<w:rPr>{inner}</w:rPr>" if inner else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{escape(run.text)}</w:t></w:r>'


def table_xml(table: Table, look: Look, width: int) -> str:
    edges_at = column_edges(table, width)
    widths = [edge - before for edge, before in zip(edges_at, [0, *edges_at], strict=False)]
    edges = ("top", "bottom", "insideH") if look.table == "lines" else ALL_EDGES
    borders = "".join(f'<w:{edge} w:val="single" w:sz="4" w:space="0" w:color="808080"/>' for edge in edges)
    grid = "".join(f'<w:gridCol w:w="{each}"/>' for each in widths)
    rows = "".join(
        row_xml(row, widths, bold=table.has_header and not index) for index, row in enumerate(table.rows)
    )
    return (
        f'<w:tbl><w:tblPr><w:tblW w:w="{width}" w:type="dxa"/><w:tblBorders>{borders}</w:tblBorders>'
        f"</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>{AFTER_TABLE}"
    )


def row_xml(row: Sequence[Words], widths: Sequence[int], *, bold: bool) -> str:
    cells = ""
    for words, width in zip(row, widths, strict=False):
        runs = "".join(run_xml(run, bold=bold) for run in words)
        cells += f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr><w:p>{runs}</w:p></w:tc>'
    header = "<w:tblHeader/>" if bold else ""
    return f"<w:tr><w:trPr><w:cantSplit/>{header}</w:trPr>{cells}</w:tr>"


def in_columns(manuscript: Manuscript, look: Look, head: Sequence[Part]) -> str:
    """Name over a borderless table: contact and small sections in a shaded cell, the rest beside it."""
    names = [part for part in head if isinstance(part, Paragraph) and part.kind in ("name", "tagline")]
    contact = [part for part in head if part not in names]
    small, main = beside_and_main(manuscript)
    main_width = TEXT_WIDTH - SIDE_WIDTH
    left = blocks([*contact, *lined(list(parts_of(small)), "below")], look, width=SIDE_WIDTH - 240)
    right = blocks(lined(list(parts_of(main)), "below"), look, width=main_width - 240)
    shade = '<w:shd w:val="clear" w:color="auto" w:fill="E8ECF0"/>'
    cells = "".join(
        f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/>{look_of}</w:tcPr>{inner or "<w:p/>"}</w:tc>'
        for width, look_of, inner in ((SIDE_WIDTH, shade, left), (main_width, "", right))
    )
    grid = f'<w:gridCol w:w="{SIDE_WIDTH}"/><w:gridCol w:w="{main_width}"/>'
    return (
        f'{blocks(names, look)}<w:tbl><w:tblPr><w:tblW w:w="{TEXT_WIDTH}" w:type="dxa"/>'
        f'<w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>{grid}</w:tblGrid><w:tr>{cells}</w:tr></w:tbl>{AFTER_TABLE}'
    )


def with_box(head: Sequence[Part]) -> str:
    """Name in the text, contact data in a box at the right."""
    names = [part for part in head if isinstance(part, Paragraph) and part.kind in ("name", "tagline")]
    contact = [part for part in head if isinstance(part, Paragraph) and part not in names]
    others = [part for part in head if isinstance(part, Table)]
    box = text_box("".join(paragraph_xml(part) for part in contact))
    anchor = f'<w:p><w:pPr><w:pStyle w:val="Contact"/></w:pPr><w:r>{box}</w:r></w:p>'
    return anchor + "".join(paragraph_xml(part) for part in names) + blocks(others, Look("", "", 10))


def header_xml(manuscript: Manuscript, look: Look) -> str:
    content = blocks(lined(list(parts_of(manuscript.sections[:1])), "comma"), look)
    return f"{XML}<w:hdr {NAMESPACES}>{content}</w:hdr>"


def footer_xml() -> str:
    return (
        f'{XML}<w:ftr xmlns:w="{WORD}" xmlns:r="{OFFICE}"><w:p><w:pPr><w:jc w:val="center"/></w:pPr>'
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> PAGE </w:instrText>'
        '</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p></w:ftr>'
    )


def secret_paragraph(secret: Secret) -> str:
    properties = {
        "white": '<w:color w:val="FFFFFF"/>',
        "tiny": f'<w:sz w:val="{half_points(TINY_POINTS)}"/>',
        "hidden_style": "<w:vanish/>",
    }[secret.how]
    return f"<w:p>{run_xml(Run(secret.text), properties)}</w:p>"
