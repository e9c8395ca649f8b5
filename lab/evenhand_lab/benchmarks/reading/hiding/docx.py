"""Words hidden in Word files, each kind by the markup that does it."""

from __future__ import annotations

import re

from evenhand_lab.benchmarks.reading.hiding.resumes import (
    BLANKS,
    COVER_POINTS,
    PNG,
    Build,
    Markup,
    VisibleParagraph,
    pack,
    read_table,
)

OFFICE = "http://schemas.openxmlformats.org"
SHAPE = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
NAMESPACES = (
    f'xmlns:w="{OFFICE}/wordprocessingml/2006/main" '
    f'xmlns:r="{OFFICE}/officeDocument/2006/relationships" '
    f'xmlns:wp="{OFFICE}/drawingml/2006/wordprocessingDrawing" '
    f'xmlns:a="{OFFICE}/drawingml/2006/main" '
    f'xmlns:pic="{OFFICE}/drawingml/2006/picture" '
    f'xmlns:wps="{SHAPE}" '
    f'xmlns:m="{OFFICE}/officeDocument/2006/math" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml" '
    f'xmlns:mc="{OFFICE}/markup-compatibility/2006" mc:Ignorable="w14 w15"'
)
KINDS_OF_PARTS = {"document": "document.main", "styles": "styles", "numbering": "numbering", "settings": "settings"}
CONTENT_TYPES = (
    f'<Types xmlns="{OFFICE}/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
    + "".join(
        f'<Override PartName="/word/{name}.xml" '
        f'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}+xml"/>'
        for name, kind in KINDS_OF_PARTS.items()
    )
    + "</Types>"
)
POINT = 12_700  # English Metric Units
PAGE = (
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>'
    '<w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="600" w:footer="600" w:gutter="0"/>'
    "</w:sectPr>"
)
LOOKS = {
    "name": '<w:b/><w:sz w:val="40"/>',
    "heading": '<w:b/><w:color w:val="1F4E79"/><w:sz w:val="26"/>',
    "text": "",
    "bullet": "",
}


STYLES = (
    '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/><w:sz w:val="20"/></w:rPr>'
    "</w:rPrDefault></w:docDefaults>"
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    '<w:style w:type="character" w:styleId="Quiet"><w:name w:val="Quiet"/><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Softer"><w:name w:val="Softer"/><w:basedOn w:val="Quiet"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Mute"><w:name w:val="Mute"/><w:rPr><w:vanish/></w:rPr></w:style>'
)


ELSEWHERE = re.compile(r"<w:style .*?</w:style>|<w:abstractNum .*?</w:num>|<w:background .*?/>")
"""Written where it is used; `file` puts it where it belongs."""


def file(body: str) -> bytes:
    moved = ELSEWHERE.findall(body)
    styles, lists, before = (
        "".join(item for item in moved if item.startswith(f"<w:{tag}"))
        for tag in ("style", "abstractNum", "background")
    )
    settings = "<w:displayBackgroundShape/>" if before else ""
    members = {
        "[Content_Types].xml": CONTENT_TYPES,
        "_rels/.rels": relations(("rId1", "officeDocument", "word/document.xml")),
        "word/document.xml": f"<w:document {NAMESPACES}>{before}<w:body>{ELSEWHERE.sub('', body)}{PAGE}</w:body>"
        "</w:document>",
        "word/styles.xml": f"<w:styles {NAMESPACES}>{STYLES}{styles}</w:styles>",
        "word/numbering.xml": f"<w:numbering {NAMESPACES}>{lists}</w:numbering>",
        "word/settings.xml": f"<w:settings {NAMESPACES}>{settings}</w:settings>",
        "word/_rels/document.xml.rels": relations(
            ("rId1", "styles", "styles.xml"),
            ("rId2", "image", "media/image1.png"),
            ("rId3", "numbering", "numbering.xml"),
            ("rId4", "settings", "settings.xml"),
        ),
    }
    return pack({**members, "word/media/image1.png": PNG})


def relations(*targets: tuple[str, str, str]) -> str:
    """Relationships of (id, kind, target)."""
    inner = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/officeDocument/2006/relationships/{kind}" Target="{target}"/>'
        for name, kind, target in targets
    )
    return f'<Relationships xmlns="{OFFICE}/package/2006/relationships">{inner}</Relationships>'


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(inner: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def visible(part: VisibleParagraph, extra: str) -> str:
    text = f"• {part.text}" if part.role == "bullet" else part.text
    return paragraph(run(text, LOOKS[part.role]) + extra)


WORD = Markup(visible, paragraph, file)


def formatted(*properties: str) -> Build:
    """The words in runs of these properties."""
    return WORD.runs(*(run("{}", look) for look in properties))


def paragraphs(*properties: str, of_run: str = "") -> Build:
    """The words as a paragraph of these properties."""
    return WORD.marked(*(paragraph(run("{}", of_run), look) for look in properties))


def color(value: str) -> str:
    return f'<w:color w:val="{value}"/>'


def fill(value: str) -> str:
    return f'<w:shd w:val="clear" w:color="auto" w:fill="{value}"/>'


def cell(*looks: tuple[str, str]) -> Build:
    """The words in a table cell: its fill and the text's colour."""
    return WORD.marked(
        *(
            '<w:tbl><w:tblPr><w:tblW w:w="9000" w:type="dxa"/></w:tblPr>'
            '<w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="6000"/></w:tblGrid>'
            f"<w:tr><w:tc><w:tcPr/>{paragraph(run('Available at once'))}</w:tc>"
            f"<w:tc><w:tcPr>{fill(background)}</w:tcPr>{paragraph(run('{}', color(ink)))}</w:tc>"
            f"</w:tr></w:tbl>{paragraph('')}"
            for background, ink in looks
        )
    )


def anchored(
    graphic: str, *, x: float, y: float, width: float, height: float, origin: str = "page", behind: int = 0
) -> str:
    """A run with a floating drawing; measures in points."""
    x, y, width, height = (round(value * POINT) for value in (x, y, width, height))
    across = "column" if origin == "paragraph" else "page"
    uri = f"{OFFICE}/drawingml/2006/picture" if graphic.startswith("<pic:") else SHAPE
    frame = f'<a:xfrm><a:off x="0" y="0"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
    sized = graphic.replace("{frame}", frame + '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>')
    return (
        f'<w:r><w:drawing><wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="9" '
        f'behindDoc="{behind}" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>'
        f'<wp:positionH relativeFrom="{across}"><wp:posOffset>{x}</wp:posOffset></wp:positionH>'
        f'<wp:positionV relativeFrom="{origin}"><wp:posOffset>{y}</wp:posOffset></wp:positionV>'
        f'<wp:extent cx="{width}" cy="{height}"/><wp:wrapNone/><wp:docPr id="7" name="Drawing 7"/>'
        f'<a:graphic><a:graphicData uri="{uri}">{sized}</a:graphicData></a:graphic>'
        "</wp:anchor></w:drawing></w:r>"
    )


NO_FILL = "<a:noFill/>"


def solid(value: str) -> str:
    return f'<a:solidFill><a:srgbClr val="{value}"/></a:solidFill>'


def shape(paint: str, text: str = "") -> str:
    inner = f"<wps:txbx><w:txbxContent>{text}</w:txbxContent></wps:txbx>" if text else ""
    return f"<wps:wsp><wps:cNvSpPr/><wps:spPr>{{frame}}{paint}</wps:spPr>{inner}<wps:bodyPr/></wps:wsp>"


PICTURE = (
    '<pic:pic><pic:nvPicPr><pic:cNvPr id="8" name="Picture"/><pic:cNvPicPr/></pic:nvPicPr>'
    '<pic:blipFill><a:blip r:embed="rId2"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>'
    "<pic:spPr>{frame}</pic:spPr></pic:pic>"
)


def boxed(*places: tuple[float, float, float, float], fill: str | None = None, of_run: str = "") -> Build:
    """The words in a floating text box at x, y with a width and height."""
    box = shape(solid(fill) if fill else NO_FILL, paragraph(run("{}", of_run)))
    return WORD.marked(
        *(paragraph(anchored(box, x=x, y=y, width=width, height=height)) for x, y, width, height in places)
    )


def laid(fill: str | None = None, *, of_run: str = "", behind: int = 0) -> Build:
    """The words with a shape of this colour over or behind them; without a colour, a picture."""
    graphic = shape(solid(fill)) if fill else PICTURE
    drawing = anchored(graphic, x=-6, y=-3, width=500, height=COVER_POINTS, origin="paragraph", behind=behind)
    return WORD.marked(paragraph(drawing + run("{}", of_run)) + paragraph("") * BLANKS)


def watermark() -> Build:
    box = shape(NO_FILL, paragraph(run("{first}", color("D0D0D0") + '<w:sz w:val="96"/>')))
    mark = anchored(box, x=100, y=500, width=400, height=120, behind=1)
    return WORD.marked(paragraph(run("{rest}") + mark))


KINDS, CONTROLS = read_table("docx", formatted, paragraphs, cell, boxed, laid, watermark)
MORE_KINDS, MORE_CONTROLS = read_table("docx_more", formatted, paragraphs, boxed, WORD.marked)
LATER_KINDS, _ = read_table("docx_later", WORD.marked)
