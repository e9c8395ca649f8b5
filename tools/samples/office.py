"""DOCX and ODT samples, written part by part so that their bytes never change."""

from __future__ import annotations

import io
import zipfile
from html import escape

from samples.people import Job, Person

Members = list[tuple[str, str]]

W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
TWIPS = 20  # to a point


def pack(members: Members) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members:
            stored = name == "mimetype"  # the ODF rule: first, and not compressed
            info = zipfile.ZipInfo(name, date_time=(2024, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()


# -- DOCX


def run(words: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(words, quote=False)}</w:t></w:r>'


def paragraph(words: str, style: str = "Normal", properties: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{properties}</w:pPr>{run(words)}</w:p>'


def bullet(words: str) -> str:
    numbering = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    return f'<w:p><w:pPr><w:pStyle w:val="ListParagraph"/>{numbering}</w:pPr>{run(words)}</w:p>'


def table(rows: list[list[str]], widths: list[int]) -> str:
    """Rows of ready paragraphs, with rules."""
    sides = ("top", "left", "bottom", "right", "insideH", "insideV")
    rules = "".join(f'<w:{side} w:val="single" w:sz="4" w:color="B0B8C0"/>' for side in sides)
    grid = "".join(f'<w:gridCol w:w="{width * TWIPS}"/>' for width in widths)
    body = "".join(
        "<w:tr>"
        + "".join(
            f'<w:tc><w:tcPr><w:tcW w:w="{width * TWIPS}" w:type="dxa"/></w:tcPr>{cell}</w:tc>'
            for cell, width in zip(row, widths, strict=True)
        )
        + "</w:tr>"
        for row in rows
    )
    return f"<w:tbl><w:tblPr><w:tblBorders>{rules}</w:tblBorders></w:tblPr><w:tblGrid>{grid}</w:tblGrid>{body}</w:tbl>"


def text_box(paragraphs: str, *, left: int, top: int, width: int, height: int) -> str:
    """A box that floats at the top right of the page, as templates do for contact data."""
    emu = 12_700  # to a point
    return (
        "<w:r><w:drawing>"
        f'<wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="2" behindDoc="0" '
        f'locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>'
        f'<wp:positionH relativeFrom="page"><wp:posOffset>{left * emu}</wp:posOffset></wp:positionH>'
        f'<wp:positionV relativeFrom="page"><wp:posOffset>{top * emu}</wp:posOffset></wp:positionV>'
        f'<wp:extent cx="{width * emu}" cy="{height * emu}"/><wp:wrapSquare wrapText="bothSides"/>'
        '<wp:docPr id="1" name="Contact"/><a:graphic>'
        '<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">'
        f'<wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/>'
        f'<a:ext cx="{width * emu}" cy="{height * emu}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        '<a:solidFill><a:srgbClr val="EAF0F6"/></a:solidFill></wps:spPr>'
        f"<wps:txbx><w:txbxContent>{paragraphs}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp>"
        "</a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>"
    )


def style(
    name: str, *, size: float, bold: bool = False, color: str = "222222", before: int = 0, outline: str = ""
) -> str:
    heavy = "<w:b/>" if bold else ""
    level = f'<w:outlineLvl w:val="{outline}"/>' if outline else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{name}"/><w:pPr>'
        f'<w:spacing w:before="{before * TWIPS}" w:after="40"/>{level}</w:pPr><w:rPr><w:rFonts w:ascii="Calibri" '
        f'w:hAnsi="Calibri"/>{heavy}<w:color w:val="{color}"/><w:sz w:val="{int(size * 2)}"/></w:rPr></w:style>'
    )


def docx_body(person: Person) -> str:
    contact = "".join(paragraph(line, "Small") for line in person.contact)
    box = text_box(contact, left=385, top=50, width=165, height=62)
    name = f'<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr>{box}{run(person.name)}</w:p>'
    parts = [name, paragraph(person.title, "Subtitle"), paragraph("Profile", "Heading1"), paragraph(person.profile)]
    parts.append(paragraph("Experience", "Heading1"))
    for job in person.jobs:
        parts += [
            paragraph(f"{job.title}, {job.employer}", "Heading2"),
            paragraph(f"{job.place}, {job.dates}", "Small"),
        ]
        parts += map(bullet, job.duties)
    parts.append(paragraph("Skills", "Heading1"))
    parts.append(
        table([[paragraph(group, "Strong"), paragraph(skills)] for group, skills in person.skills], [110, 370])
    )
    parts.append(paragraph("Education and certificates", "Heading1"))
    rows = [[paragraph(entry.dates), paragraph(f"{entry.degree}, {entry.school}")] for entry in person.studies]
    rows += [
        [paragraph(when), paragraph(what)] for what, when in (line.rsplit(", ", 1) for line in person.certificates)
    ]
    parts.append(table(rows, [110, 370]))
    return "".join([*parts, paragraph("Languages", "Heading1"), paragraph(person.languages)])


def docx(person: Person) -> bytes:
    styles = (
        style("Normal", size=10.5)
        + style("Small", size=9.5, color="555555")
        + style("Strong", size=10.5, bold=True)
        + style("Title", size=24, bold=True, color="1B4F72")
        + style("Subtitle", size=13, color="555555")
        + style("Heading1", size=13, bold=True, color="1B4F72", before=12, outline="0")
        + style("Heading2", size=11, bold=True, before=6, outline="1")
        + style("ListParagraph", size=10.5)
    )
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/>'
        '<w:lvlText w:val="•"/><w:pPr><w:ind w:left="360" w:hanging="240"/></w:pPr></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    section = (
        '<w:sectPr><w:footerReference w:type="default" r:id="rId3"/><w:pgSz w:w="11906" w:h="16838"/>'
        '<w:pgMar w:top="1000" w:right="1000" w:bottom="1000" w:left="1000" w:footer="500"/></w:sectPr>'
    )
    parts = {"document": "document.main", "styles": "styles", "numbering": "numbering", "footer1": "footer"}
    overrides = "".join(
        f'<Override PartName="/word/{part}.xml" ContentType="{WORD}.{kind}+xml"/>' for part, kind in parts.items()
    )
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind}" Target="{target}.xml"/>'
        for number, (kind, target) in enumerate(
            (("styles", "styles"), ("numbering", "numbering"), ("footer", "footer1")), start=1
        )
    )
    return pack(
        [
            (
                "[Content_Types].xml",
                f'{DECLARATION}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
                f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{overrides}</Types>',
            ),
            (
                "_rels/.rels",
                f'{DECLARATION}<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
                f'Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
            ),
            (
                "word/_rels/document.xml.rels",
                f'{DECLARATION}<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>',
            ),
            (
                "word/document.xml",
                f"{DECLARATION}<w:document {W}><w:body>{docx_body(person)}{section}</w:body></w:document>",
            ),
            ("word/styles.xml", f"{DECLARATION}<w:styles {W}>{styles}</w:styles>"),
            ("word/numbering.xml", f"{DECLARATION}<w:numbering {W}>{numbering}</w:numbering>"),
            ("word/footer1.xml", f"{DECLARATION}<w:ftr {W}>{paragraph(person.name + ', resume', 'Small')}</w:ftr>"),
        ]
    )


# -- ODT

ODF = "urn:oasis:names:tc:opendocument:xmlns"
N = (
    f'xmlns:office="{ODF}:office:1.0" xmlns:text="{ODF}:text:1.0" xmlns:style="{ODF}:style:1.0" '
    f'xmlns:table="{ODF}:table:1.0" xmlns:fo="{ODF}:xsl-fo-compatible:1.0" xmlns:svg="{ODF}:svg-compatible:1.0" '
    'office:version="1.3"'
)


def odt_style(name: str, *, size: float, bold: bool = False, color: str = "#222222", above: float = 0) -> str:
    weight = ' fo:font-weight="bold"' if bold else ""
    return (
        f'<style:style style:name="{name}" style:family="paragraph"><style:paragraph-properties '
        f'fo:margin-top="{above}pt" fo:margin-bottom="2pt"/><style:text-properties fo:font-family="Liberation Serif" '
        f'fo:font-size="{size}pt" fo:color="{color}"{weight}/></style:style>'
    )


def odt_p(words: str, style_name: str = "Body") -> str:
    return f'<text:p text:style-name="{style_name}">{escape(words, quote=False)}</text:p>'


def odt_h(words: str) -> str:
    return f'<text:h text:style-name="Section" text:outline-level="1">{escape(words, quote=False)}</text:h>'


def odt_list(items: tuple[str, ...]) -> str:
    entries = "".join(f"<text:list-item>{odt_p(item)}</text:list-item>" for item in items)
    return f'<text:list text:style-name="Bullets">{entries}</text:list>'


def odt_job(job: Job) -> str:
    return (
        odt_p(f"{job.title}, {job.employer}", "Post")
        + odt_p(f"{job.place}, {job.dates}", "Small")
        + odt_list(job.duties)
    )


def odt_table(rows: tuple[tuple[str, str], ...]) -> str:
    body = "".join(
        "<table:table-row>"
        + "".join(f'<table:table-cell office:value-type="string">{odt_p(cell)}</table:table-cell>' for cell in row)
        + "</table:table-row>"
        for row in rows
    )
    return (
        f'<table:table table:name="Skills"><table:table-column table:number-columns-repeated="2"/>{body}</table:table>'
    )


def odt_body(person: Person) -> str:
    return "".join(
        [
            odt_p(person.name, "Name"),
            odt_p(person.title, "Role"),
            odt_p(" | ".join(person.contact), "Small"),
            odt_h("Profile"),
            odt_p(person.profile),
            odt_h("Experience"),
            *map(odt_job, person.jobs),
            odt_h("Education"),
            *(odt_p(f"{entry.dates}: {entry.degree}, {entry.school}") for entry in person.studies),
            odt_h("Skills"),
            odt_table(person.skills),
            odt_h("Certificates"),
            odt_list(person.certificates),
            odt_h("Languages"),
            odt_p(person.languages),
        ]
    )


def odt(person: Person) -> bytes:
    styles = (
        odt_style("Body", size=11)
        + odt_style("Small", size=10, color="#555555")
        + odt_style("Name", size=22, bold=True, color="#6b2737")
        + odt_style("Role", size=13, color="#555555")
        + odt_style("Section", size=13, bold=True, color="#6b2737", above=12)
        + odt_style("Post", size=11, bold=True, above=6)
        + '<text:list-style style:name="Bullets"><text:list-level-style-bullet text:level="1" text:bullet-char="•">'
        '<style:list-level-properties text:space-before="0.2cm" text:min-label-width="0.4cm"/>'
        "</text:list-level-style-bullet></text:list-style>"
    )
    mime = "application/vnd.oasis.opendocument.text"
    entries = (("/", mime), ("content.xml", "text/xml"))
    manifest = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{kind}"/>' for path, kind in entries
    )
    content = (
        f"{DECLARATION}<office:document-content {N}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{odt_body(person)}</office:text></office:body></office:document-content>"
    )
    listing = (
        f'{DECLARATION}<manifest:manifest xmlns:manifest="{ODF}:manifest:1.0" manifest:version="1.3">{manifest}'
        "</manifest:manifest>"
    )
    return pack([("mimetype", mime), ("content.xml", content), ("META-INF/manifest.xml", listing)])
