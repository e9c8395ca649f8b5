"""Manuscript to DOCX, written part by part so that the same words give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from evenhand_lab.corpora.files.looks import (
    TINY_POINTS,
    FileLook,
    FileParagraph,
    Part,
    Secret,
    beside_and_main,
    column_edges,
    fill_template,
    lined,
    one_by_one,
    pack,
)
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptLine, ManuscriptTable, TextRun, Words

XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    f'xmlns:r="{OFFICE}" xmlns:wp="{DRAWING}/wordprocessingDrawing" xmlns:a="{DRAWING}/main" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
)
TEXT_WIDTH = 9638  # twentieths of a point: A4 less the margins
MARGIN = 1134


def write_docx(manuscript: Manuscript, look: FileLook, secret: Secret | None = None) -> bytes:
    running = [kind for kind, present in (("header", look.place == "header"), ("footer", look.footer)) if present]
    types = {"document": "document.main", "styles": "styles", "numbering": "numbering"}
    types |= {f"{kind}1": kind for kind in running}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{WORD_TYPE}.{kind}+xml"/>' for name, kind in types.items()
    )
    files = {"styles": "styles", "numbering": "numbering"} | {kind: f"{kind}1" for kind in running}
    relations = "".join(
        f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{file}.xml"/>' for kind, file in files.items()
    )
    lines = [b for b in manuscript.sections[0].blocks if isinstance(b, ManuscriptLine) and b.role == "name"]
    name = escape("".join(run.text for line in lines for run in line.words))
    parts = {
        "[Content_Types].xml": fill_template("docx_content_types", overrides=overrides),
        "_rels/.rels": fill_template("docx_relations"),
        "docProps/core.xml": fill_template("docx_core", name=name),
        "word/document.xml": document_xml(manuscript, look, secret, running),
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{relations}</Relationships>',
        "word/styles.xml": styles_xml(look),
        "word/numbering.xml": fill_template("docx_numbering", bullet=look.bullet),
    }
    if "header" in running:
        head = blocks(lined(manuscript.sections[:1], "comma"), look)
        parts["word/header1.xml"] = f"<w:hdr {NAMESPACES}>{head}</w:hdr>"
    if "footer" in running:
        parts["word/footer1.xml"] = fill_template("docx_footer")
    return pack((path, XML + text) for path, text in parts.items())


def styles_xml(look: FileLook) -> str:
    """Paragraph styles; sizes are in half points."""
    border = f'<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="{look.accent}"/></w:pBdr>'
    shade = '<w:shd w:val="clear" w:color="auto" w:fill="D9D9D9"/>'
    return fill_template(
        "docx_styles",
        font=look.font,
        accent=look.accent,
        size=round(look.size * 2),
        title_size=round(look.size * 1.9 * 2),
        subtitle_size=round(look.size * 1.1 * 2),
        contact_size=round(look.size * 0.96 * 2),
        heading_size=round(look.heading_size * 2),
        align='<w:jc w:val="center"/>' if look.centred else "",
        manner={"rule": border, "shade": shade}.get(look.heading, ""),
        caps="<w:caps/>" if look.caps else "",
        underline='<w:u w:val="single"/>' if look.heading == "underline" else "",
    )


# The text of a DOCX file: paragraphs, tables, a text box, a table that makes two columns.

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


def document_xml(manuscript: Manuscript, look: FileLook, secret: Secret | None, running: Sequence[str]) -> str:
    head, *rest = manuscript.sections
    narrow = look.place in ("columns", "box")
    head_parts = list(one_by_one(head) if narrow else lined([head], "comma"))
    if look.place == "columns":
        content = in_columns(manuscript, look, head_parts)
    elif look.place == "box":
        content = with_box(head_parts) + blocks(lined(rest, look.dates), look)
    else:
        in_body = [] if look.place == "header" else head_parts
        content = blocks([*in_body, *lined(rest, look.dates)], look)
    references = "".join(f'<w:{kind}Reference w:type="default" r:id="{kind}"/>' for kind in running)
    page = (
        f'<w:sectPr>{references}<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="{MARGIN}" w:right="{MARGIN}" '
        f'w:bottom="{MARGIN}" w:left="{MARGIN}" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr>'
    )
    extra = secret_paragraph(secret) if secret else ""
    return f"<w:document {NAMESPACES}><w:body>{content}{extra}{page}</w:body></w:document>"


def blocks(parts: Iterable[Part], look: FileLook, *, width: int = TEXT_WIDTH) -> str:
    return "".join(
        table_xml(part, look, width) if isinstance(part, ManuscriptTable) else paragraph_xml(part) for part in parts
    )


def paragraph_xml(part: FileParagraph) -> str:
    runs = "".join(map(run_xml, part.words))
    if part.aside:
        runs += f"<w:r><w:tab/></w:r>{''.join(map(run_xml, part.aside))}"
    return f'<w:p><w:pPr><w:pStyle w:val="{STYLES[part.kind]}"/></w:pPr>{runs}</w:p>'


def run_xml(run: TextRun, properties: str = "", *, bold: bool = False) -> str:
    inner = ("<w:b/>" if run.bold or bold else "") + ("<w:i/>" if run.italic else "") + properties
    look = f"<w:rPr>{inner}</w:rPr>" if inner else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{escape(run.text)}</w:t></w:r>'


def table_xml(table: ManuscriptTable, look: FileLook, width: int) -> str:
    edges_at = column_edges(table, width)
    widths = [edge - before for edge, before in zip(edges_at, [0, *edges_at], strict=False)]
    edges = ("top", "bottom", "insideH") if look.table == "lines" else ALL_EDGES
    borders = "".join(f'<w:{edge} w:val="single" w:sz="4" w:space="0" w:color="808080"/>' for edge in edges)
    grid = "".join(f'<w:gridCol w:w="{column}"/>' for column in widths)
    rows = "".join(row_xml(row, widths, bold=table.has_header and not index) for index, row in enumerate(table.rows))
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


def in_columns(manuscript: Manuscript, look: FileLook, head: Sequence[Part]) -> str:
    """Name over a borderless table: contact and small sections in a shaded cell, the rest beside it."""
    names = [part for part in head if isinstance(part, FileParagraph) and part.kind in ("name", "tagline")]
    contact = [part for part in head if part not in names]
    small, main = beside_and_main(manuscript)
    main_width = TEXT_WIDTH - SIDE_WIDTH
    left = blocks([*contact, *lined(small, "below")], look, width=SIDE_WIDTH - 240)
    right = blocks(lined(main, "below"), look, width=main_width - 240)
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
    names = [part for part in head if isinstance(part, FileParagraph) and part.kind in ("name", "tagline")]
    contact = [part for part in head if isinstance(part, FileParagraph) and part not in names]
    others = [part for part in head if isinstance(part, ManuscriptTable)]
    box = fill_template("docx_text_box", paragraphs="".join(paragraph_xml(part) for part in contact))
    anchor = f'<w:p><w:pPr><w:pStyle w:val="Contact"/></w:pPr><w:r>{box}</w:r></w:p>'
    return anchor + "".join(paragraph_xml(part) for part in names) + blocks(others, FileLook("", "", 10))


def secret_paragraph(secret: Secret) -> str:
    properties = {
        "white": '<w:color w:val="FFFFFF"/>',
        "tiny": f'<w:sz w:val="{round(TINY_POINTS * 2)}"/>',
        "hidden_style": "<w:vanish/>",
    }[secret.how]
    return f"<w:p>{run_xml(TextRun(secret.text), properties)}</w:p>"
