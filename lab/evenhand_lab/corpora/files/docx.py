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
    lined,
    one_by_one,
    pack,
)
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptLine, ManuscriptTable, TextRun, Words

# The parts of a DOCX package that say what the other parts are.


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
        f'<Override PartName="/word/{name}.xml" ContentType="{WORD_TYPE}.{kind}+xml"/>' for name, kind in kinds.items()
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
        f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{files.get(kind, kind)}.xml"/>' for kind in targets
    )
    return f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{relations}</Relationships>'


def core_properties(manuscript: Manuscript) -> str:
    lines = [b for b in manuscript.sections[0].blocks if isinstance(b, ManuscriptLine) and b.role == "name"]
    name = "".join(run.text for line in lines for run in line.words)
    return (
        f'{XML}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>Resume</dc:title><dc:creator>{escape(name)}</dc:creator>"
        f'<dcterms:created xsi:type="dcterms:W3CDTF">{WRITTEN}</dcterms:created>'
        f'<dcterms:modified xsi:type="dcterms:W3CDTF">{WRITTEN}</dcterms:modified></cp:coreProperties>'
    )


# Paragraph styles and the bullet list of a DOCX file.

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TEXT_WIDTH = 9638  # twentieths of a point: A4 less the margins
MARGIN = 1134


def styles_xml(look: FileLook) -> str:
    fonts = f'<w:rFonts w:ascii="{look.font}" w:hAnsi="{look.font}" w:cs="{look.font}"/>'
    align = '<w:jc w:val="center"/>' if look.centred else ""
    size = half_points(look.size)
    styles = [
        style("Normal", "Normal", '<w:spacing w:after="40" w:line="259" w:lineRule="auto"/>', "", default=True),
        style("Title", "Title", f'<w:spacing w:after="20"/>{align}', f'<w:b/>{color(look)}{sized(look.size * 1.9)}'),
        style("Subtitle", "Subtitle", align, f'<w:color w:val="555555"/>{sized(look.size * 1.1)}'),
        style("Contact", "Contact", align, sized(look.size * 0.96)),
        style("Heading1", "heading 1", heading_paragraph(look), heading_run(look)),
        style("EntryTitle", "Entry Title", f'<w:keepNext/>{tabs()}<w:spacing w:before="120" w:after="0"/>', "<w:b/>"),
        style("EntryPlace", "Entry Place", f"<w:keepNext/>{tabs()}", "<w:i/>"),
        style("ListBullet", "List Bullet", f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>{tabs()}'
              '<w:contextualSpacing/>', ""),
        style("TextLine", "Text Line", tabs(), ""),
    ]  # fmt: skip
    return (
        f'{XML}<w:styles xmlns:w="{WORD}"><w:docDefaults><w:rPrDefault><w:rPr>{fonts}'
        f'<w:sz w:val="{size}"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault></w:docDefaults>'
        f"{''.join(styles)}</w:styles>"
    )


def style(identity: str, name: str, paragraph: str, run: str, *, default: bool = False) -> str:
    based = "" if default else '<w:basedOn w:val="Normal"/>'
    mark = ' w:default="1"' if default else ""
    return (
        f'<w:style w:type="paragraph"{mark} w:styleId="{identity}"><w:name w:val="{name}"/>{based}'
        f"<w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )


def heading_paragraph(look: FileLook) -> str:
    border = f'<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="{look.accent}"/></w:pBdr>'
    shade = '<w:shd w:val="clear" w:color="auto" w:fill="D9D9D9"/>'
    middle = {"rule": border, "shade": shade}.get(look.heading, "")
    return f'<w:keepNext/>{middle}<w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="0"/>'


def heading_run(look: FileLook) -> str:
    caps = "<w:caps/>" if look.caps else ""
    underline = '<w:u w:val="single"/>' if look.heading == "underline" else ""
    return f"<w:b/>{caps}{color(look)}{sized(look.heading_size)}{underline}"


def tabs() -> str:
    return f'<w:tabs><w:tab w:val="right" w:pos="{TEXT_WIDTH}"/></w:tabs>'


def color(look: FileLook) -> str:
    return f'<w:color w:val="{look.accent}"/>'


def sized(points: float) -> str:
    return f'<w:sz w:val="{half_points(points)}"/>'


def half_points(points: float) -> int:
    return round(points * 2)


def numbering_xml(look: FileLook) -> str:
    return (
        f'{XML}<w:numbering xmlns:w="{WORD}"><w:abstractNum w:abstractNumId="0">'
        '<w:multiLevelType w:val="hybridMultilevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        f'<w:numFmt w:val="bullet"/><w:lvlText w:val="{look.bullet}"/><w:lvlJc w:val="left"/>'
        '<w:pPr><w:ind w:left="360" w:hanging="260"/></w:pPr></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )


# A text box as Word writes it: a drawing, and the older form for programs that do not know drawings.

DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
SHAPE = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
NAMESPACES = (
    f'xmlns:w="{WORD}" xmlns:r="{OFFICE}" xmlns:wp="{DRAWING}/wordprocessingDrawing" xmlns:a="{DRAWING}/main" '
    f'xmlns:wps="{SHAPE}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
WIDTH, HEIGHT = 2_340_000, 1_020_000  # EMU: 6.5 by 2.8 cm


def text_box(paragraphs: str) -> str:
    content = f"<w:txbxContent>{paragraphs}</w:txbxContent>"
    size = f'cx="{WIDTH}" cy="{HEIGHT}"'
    shape = (
        '<wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/>'
        f'<a:ext {size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></wps:spPr>'
        f"<wps:txbx>{content}</wps:txbx><wps:bodyPr/></wps:wsp>"
    )
    anchor = (
        '<wp:anchor distT="0" distB="0" distL="114300" distR="114300" simplePos="0" relativeHeight="2" '
        'behindDoc="0" locked="0" layoutInCell="1" allowOverlap="0"><wp:simplePos x="0" y="0"/>'
        '<wp:positionH relativeFrom="margin"><wp:align>right</wp:align></wp:positionH>'
        '<wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV>'
        f'<wp:extent {size}/><wp:wrapSquare wrapText="bothSides"/><wp:docPr id="1" name="Text Box 1"/>'
        f'<wp:cNvGraphicFramePr/><a:graphic><a:graphicData uri="{SHAPE}">{shape}</a:graphicData></a:graphic>'
        "</wp:anchor>"
    )
    old = (
        '<w:pict><v:shape type="#_x0000_t202" style="position:absolute;width:184pt;height:80pt">'
        f"<v:textbox>{content}</v:textbox></v:shape></w:pict>"
    )
    return (
        f'<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>{anchor}</w:drawing></mc:Choice>'
        f"<mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>"
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


def document_xml(manuscript: Manuscript, look: FileLook, secret: Secret | None) -> str:
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


def blocks(parts: Iterable[Part], look: FileLook, *, width: int = TEXT_WIDTH) -> str:
    return "".join(
        table_xml(part, look, width) if isinstance(part, ManuscriptTable) else paragraph_xml(part) for part in parts
    )


def paragraph_xml(part: FileParagraph) -> str:
    runs = words_xml(part.words)
    if part.aside:
        runs += f"<w:r><w:tab/></w:r>{words_xml(part.aside)}"
    return f'<w:p><w:pPr><w:pStyle w:val="{STYLES[part.kind]}"/></w:pPr>{runs}</w:p>'


def words_xml(words: Words) -> str:
    return "".join(run_xml(run) for run in words)


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
    box = text_box("".join(paragraph_xml(part) for part in contact))
    anchor = f'<w:p><w:pPr><w:pStyle w:val="Contact"/></w:pPr><w:r>{box}</w:r></w:p>'
    return anchor + "".join(paragraph_xml(part) for part in names) + blocks(others, FileLook("", "", 10))


def header_xml(manuscript: Manuscript, look: FileLook) -> str:
    content = blocks(lined(manuscript.sections[:1], "comma"), look)
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
    return f"<w:p>{run_xml(TextRun(secret.text), properties)}</w:p>"


def write_docx(manuscript: Manuscript, look: FileLook, secret: Secret | None = None) -> bytes:
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
