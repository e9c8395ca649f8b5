"""Words hidden in OpenDocument texts, each kind by the markup that does it."""

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

OASIS = "urn:oasis:names:tc:opendocument:xmlns"
MIME = "application/vnd.oasis.opendocument.text"
NAMESPACES = " ".join(
    f'xmlns:{name}="{address}"'
    for name, address in {
        "office": f"{OASIS}:office:1.0",
        "text": f"{OASIS}:text:1.0",
        "style": f"{OASIS}:style:1.0",
        "table": f"{OASIS}:table:1.0",
        "draw": f"{OASIS}:drawing:1.0",
        "fo": f"{OASIS}:xsl-fo-compatible:1.0",
        "svg": f"{OASIS}:svg-compatible:1.0",
        "xlink": "http://www.w3.org/1999/xlink",
        "loext": "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",
    }.items()
)
PAGE = (
    '<style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" '
    'fo:margin="2cm" {paper}/></style:page-layout>'
)
MASTER = '<style:master-page style:name="Standard" style:page-layout-name="Page">{header}</style:master-page>'
ROLES = {
    "name": 'fo:font-size="20pt" fo:font-weight="bold"',
    "heading": 'fo:font-size="13pt" fo:font-weight="bold" fo:color="#1f4e79"',
    "text": 'fo:font-size="10pt"',
    "bullet": 'fo:font-size="10pt"',
}
FRONT = 'style:wrap="run-through" style:run-through="foreground"'
COVER = (
    f'draw:fill="solid" draw:fill-color="#ffffff" {FRONT} style:vertical-pos="from-top" '
    'style:horizontal-pos="from-left"'
)
STYLE = re.compile(r"<style:style .*?</style:style>|<text:list-style .*?</text:list-style>")
FIRST = re.compile(r"<text:(variable-decls|user-field-decls|tracked-changes)>.*?</text:\1>")
PAPER = re.compile(r"<page (.*?)/>")
HEADER = re.compile(r"<style:header.*?</style:header>")


def style(name: str, family: str, inner: str) -> str:
    """Written where it is used; `file` puts it where it belongs."""
    return f'<style:style style:name="{name}" style:family="{family}">{inner}</style:style>'


def letters(properties: str, name: str = "Special", family: str = "text") -> str:
    return style(name, family, f"<style:text-properties {properties}/>")


def paragraph(inner: str, name: str = "text") -> str:
    return f'<text:p text:style-name="{name}">{inner}</text:p>'


def span(properties: str, text: str = "{}") -> str:
    return f'{letters(properties)}<text:span text:style-name="Special">{text}</text:span>'


def visible(part: VisibleParagraph, extra: str) -> str:
    return paragraph((f"• {part.text}" if part.role == "bullet" else part.text) + extra, part.role)


def file(body: str) -> bytes:
    """A whole file; what is written in the body and belongs elsewhere is put there."""
    styles = [letters(look, role, "paragraph") for role, look in ROLES.items()] + STYLE.findall(body)
    common = "".join(look for look in styles if "style:display-name" in look)
    styles = [look for look in styles if "style:display-name" not in look]
    paper, header = " ".join(PAPER.findall(body)), "".join(HEADER.findall(body))
    first = "".join(match[0] for match in FIRST.finditer(body))
    body = first + FIRST.sub("", HEADER.sub("", PAPER.sub("", STYLE.sub("", body))))
    content = (
        f'<office:document-content {NAMESPACES} office:version="1.3">'
        f"<office:automatic-styles>{''.join(styles)}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    page = (
        f'<office:document-styles {NAMESPACES} office:version="1.3"><office:styles>{common}</office:styles>'
        f"<office:automatic-styles>{PAGE.format(paper=paper)}</office:automatic-styles>"
        f"<office:master-styles>{MASTER.format(header=header)}</office:master-styles></office:document-styles>"
    )
    entries = (("/", MIME), ("content.xml", "text/xml"), ("styles.xml", "text/xml"), ("Pictures/a.png", "image/png"))
    manifest = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{kind}"/>' for path, kind in entries
    )
    return pack(
        {
            "mimetype": MIME,
            "content.xml": content,
            "styles.xml": page,
            "Pictures/a.png": PNG,
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{OASIS}:manifest:1.0" '
            f'manifest:version="1.3">{manifest}</manifest:manifest>',
        }
    )


TEXT = Markup(visible, paragraph, file)


def formatted(*properties: str) -> Build:
    """The words in a span of these properties."""
    return TEXT.runs(*map(span, properties))


def paragraphs(*properties: str, letter: str = "") -> Build:
    """The words as a paragraph of these properties."""
    looks = [style("Own", "paragraph", f"<style:paragraph-properties {look}/>{letter}") for look in properties]
    return TEXT.marked(*(look + paragraph("{}", "Own") for look in looks))


def cell(*looks: tuple[str, str]) -> Build:
    """The words in a table cell: its fill and the text's colour."""
    return TEXT.marked(
        *(
            style("Cell", "table-cell", f'<style:table-cell-properties fo:background-color="{background}"/>')
            + '<table:table table:name="T"><table:table-column table:number-columns-repeated="2"/><table:table-row>'
            f"<table:table-cell>{paragraph('Available at once')}</table:table-cell>"
            f'<table:table-cell table:style-name="Cell">{paragraph(color(ink))}</table:table-cell>'
            "</table:table-row></table:table>"
            for background, ink in looks
        )
    )


def color(ink: str) -> str:
    return span(f'fo:color="{ink}"')


def drawn(element: str, look: str, place: str, inner: str = "") -> str:
    """A frame or shape at a place, painted and wrapped like this."""
    graphic = style("Frame", "graphic", f"<style:graphic-properties {look}/>")
    attributes = f'draw:style-name="Frame" text:anchor-type="paragraph" {place}'
    return f"{graphic}<draw:{element} {attributes}>{inner}</draw:{element}>"


def at(x: float, y: float, width: float, height: float) -> str:
    """Measures in centimetres."""
    return f'svg:x="{x}cm" svg:y="{y}cm" svg:width="{width}cm" svg:height="{height}cm"'


def box(text: str) -> str:
    return f"<draw:text-box>{paragraph(text)}</draw:text-box>"


def boxed(*places: tuple[float, float, float, float], paint: str = 'draw:fill="none"', ink: str = "#000000") -> Build:
    """The words in a text frame at one of these places."""
    look = f'{paint} {FRONT} style:horizontal-pos="from-left" style:vertical-pos="from-top"'
    return TEXT.marked(*(paragraph(drawn("frame", look, at(*place), box(color(ink)))) for place in places))


def laid(paint: str = COVER, *, ink: str = "#000000", picture: bool = False) -> Build:
    """The words with a drawing over or behind them."""
    inner = '<draw:image xlink:href="Pictures/a.png" xlink:type="simple"/>' if picture else ""
    drawing = drawn("frame" if picture else "rect", paint, at(-0.2, -0.1, 17.5, COVER_POINTS / 72 * 2.54), inner)
    return TEXT.marked(paragraph(drawing + color(ink)) + paragraph("") * BLANKS)


def watermark() -> Build:
    text = box(span('fo:color="#d0d0d0" fo:font-size="48pt"', "{first}"))
    mark = drawn(
        "frame", 'draw:fill="none" style:wrap="run-through" style:run-through="background"', at(3, 15, 14, 4), text
    )
    return TEXT.marked(paragraph(mark + "{rest}"))


KINDS, CONTROLS = read_table("odt", formatted, paragraphs, cell, boxed, laid, watermark, TEXT.marked)
MORE_KINDS, MORE_CONTROLS = read_table("odt_more", formatted, paragraphs, TEXT.marked)
LATER_KINDS, _ = read_table("odt_later", TEXT.marked)
