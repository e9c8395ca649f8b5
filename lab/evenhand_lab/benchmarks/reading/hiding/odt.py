"""Words hidden in OpenDocument texts, each kind by the markup that does it."""

from __future__ import annotations

from html import escape

from evenhand_lab.benchmarks.reading.hiding.resumes import (
    PNG,
    Build,
    HidingMethod,
    HidingResume,
    VisibleParagraph,
    body_of,
    pack,
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
    'fo:margin="2cm"/></style:page-layout>'
)
MASTER = '<style:master-page style:name="Standard" style:page-layout-name="Page"/>'
ROLES = {
    "name": 'fo:font-size="20pt" fo:font-weight="bold"',
    "heading": 'fo:font-size="13pt" fo:font-weight="bold" fo:color="#1f4e79"',
    "text": 'fo:font-size="10pt"',
    "bullet": 'fo:font-size="10pt"',
}
FRONT = 'style:wrap="run-through" style:run-through="foreground"'
BACK = 'style:wrap="run-through" style:run-through="background"'


def style(name: str, family: str, inner: str) -> str:
    return f'<style:style style:name="{name}" style:family="{family}">{inner}</style:style>'


def letters(properties: str, name: str = "Special", family: str = "text") -> str:
    return style(name, family, f"<style:text-properties {properties}/>")


def document(body: str, styles: str) -> bytes:
    roles = "".join(letters(look, role, "paragraph") for role, look in ROLES.items())
    content = (
        f'<office:document-content {NAMESPACES} office:version="1.3">'
        f"<office:automatic-styles>{roles}{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    page = (
        f'<office:document-styles {NAMESPACES} office:version="1.3"><office:styles/>'
        f"<office:automatic-styles>{PAGE}</office:automatic-styles>"
        f"<office:master-styles>{MASTER}</office:master-styles></office:document-styles>"
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


def paragraph(inner: str, name: str = "text") -> str:
    return f'<text:p text:style-name="{name}">{inner}</text:p>'


def span(text: str) -> str:
    return f'<text:span text:style-name="Special">{escape(text)}</text:span>'


def visible(part: VisibleParagraph, extra: str) -> str:
    text = f"• {part.text}" if part.role == "bullet" else part.text
    return paragraph(escape(text) + extra, part.role)


def resume_with(resume: HidingResume, fragment: str, *, styles: str = "", inline: bool = False) -> bytes:
    return document(body_of(resume, fragment, visible, inline=inline), styles)


def formatted(*properties: str) -> Build:
    """The words in a span of these properties, within a paragraph or as one of their own."""

    def build(resume: HidingResume) -> bytes:
        inner = span(f" {resume.secret}" if resume.inline else resume.secret)
        fragment = inner if resume.inline else paragraph(inner)
        return resume_with(resume, fragment, styles=letters(resume.pick(*properties)), inline=resume.inline)

    return build


def marked(*templates: str, styles: str = "") -> Build:
    """The words at the place of {} in markup of its own."""
    return lambda resume: resume_with(
        resume, resume.pick(*templates).replace("{}", escape(resume.secret)), styles=styles
    )


def cell(*looks: tuple[str, str]) -> Build:
    """The words in a table cell: its fill and the text's colour."""

    def build(resume: HidingResume) -> bytes:
        background, ink = resume.pick(*looks)
        styles = letters(f'fo:color="{ink}"') + style(
            "Cell", "table-cell", f'<style:table-cell-properties fo:background-color="{background}"/>'
        )
        table = (
            '<table:table table:name="T"><table:table-column table:number-columns-repeated="2"/><table:table-row>'
            f"<table:table-cell>{paragraph('Available at once')}</table:table-cell>"
            f'<table:table-cell table:style-name="Cell">{paragraph(span(resume.secret))}</table:table-cell>'
            "</table:table-row></table:table>"
        )
        return resume_with(resume, table, styles=styles)

    return build


def frame(inner: str, place: str, name: str = "Frame") -> str:
    return f'<draw:frame draw:style-name="{name}" text:anchor-type="paragraph" {place}>{inner}</draw:frame>'


def graphic(properties: str, name: str = "Frame") -> str:
    return style(name, "graphic", f"<style:graphic-properties {properties}/>")


def at(x: float, y: float, width: float, height: float) -> str:
    """Measures in centimetres."""
    return f'svg:x="{x}cm" svg:y="{y}cm" svg:width="{width}cm" svg:height="{height}cm"'


def boxed(*places: str, paint: str = 'draw:fill="none"', ink: str = "#000000") -> Build:
    """The words in a text frame at one of these places."""

    def build(resume: HidingResume) -> bytes:
        box = f"<draw:text-box>{paragraph(span(resume.secret))}</draw:text-box>"
        styles = graphic(f'{paint} {FRONT} style:horizontal-pos="from-left" style:vertical-pos="from-top"')
        return resume_with(
            resume, paragraph(frame(box, resume.pick(*places))), styles=styles + letters(f'fo:color="{ink}"')
        )

    return build


def lines_of(resume: HidingResume) -> int:
    return 1 + len(resume.secret) // 70


def blank_for(resume: HidingResume) -> str:
    """Room below the words, so that a drawing on them reaches no other line."""
    return paragraph("") * (lines_of(resume) + 3)


def covered(picture: bool) -> Build:
    """The words in a paragraph over which something opaque is laid."""

    def build(resume: HidingResume) -> bytes:
        place = at(-0.2, -0.1, 17.5, 1 + 0.5 * lines_of(resume))
        if picture:
            cover = frame('<draw:image xlink:href="Pictures/a.png" xlink:type="simple"/>', place)
        else:
            cover = f'<draw:rect draw:style-name="Frame" text:anchor-type="paragraph" {place}/>'
        styles = graphic(
            f'draw:fill="solid" draw:fill-color="#ffffff" {FRONT} style:vertical-pos="from-top" '
            'style:horizontal-pos="from-left"'
        )
        return resume_with(resume, paragraph(cover + escape(resume.secret)) + blank_for(resume), styles=styles)

    return build


def on_shape(resume: HidingResume) -> bytes:
    place = at(-0.2, -0.1, 17.5, 1 + 0.5 * lines_of(resume))
    band = f'<draw:rect draw:style-name="Frame" text:anchor-type="paragraph" {place}/>'
    styles = letters('fo:color="#ffffff"') + graphic(f'draw:fill="solid" draw:fill-color="#102030" {BACK}')
    return resume_with(resume, paragraph(band + span(resume.secret)) + blank_for(resume), styles=styles)


def watermark(resume: HidingResume) -> bytes:
    box = f"<draw:text-box>{paragraph(span(resume.words[0]))}</draw:text-box>"
    styles = graphic(f'draw:fill="none" {BACK}') + letters('fo:color="#d0d0d0" fo:font-size="48pt"')
    rest = escape(" ".join(resume.words[1:]))
    return resume_with(resume, paragraph(frame(box, at(3, 15, 14, 4)) + rest), styles=styles)


def dark_paragraph(resume: HidingResume) -> bytes:
    bar = style(
        "Bar",
        "paragraph",
        '<style:paragraph-properties fo:background-color="#1f4e79"/><style:text-properties fo:color="#ffffff"/>',
    )
    return resume_with(resume, paragraph(escape(resume.secret), "Bar"), styles=bar)


def indented(resume: HidingResume) -> bytes:
    left, right = resume.pick(("50cm", "-40cm"), ("-60cm", "60cm"), ("30cm", "-20cm"))
    far = f'<style:paragraph-properties fo:margin-left="{left}" fo:margin-right="{right}"/>'
    return resume_with(resume, paragraph(escape(resume.secret), "Far"), styles=style("Far", "paragraph", far))


LINE = style("Line", "paragraph", '<style:paragraph-properties fo:line-height="0.03cm"/>')
LINK = (
    '<text:p text:style-name="text"><text:a xlink:type="simple" xlink:href="https://example.org/">{}</text:a></text:p>'
)

KINDS: dict[str, HidingMethod] = {
    "hidden characters": HidingMethod(("hidden_style",), formatted('text:display="none"')),
    "hidden paragraph": HidingMethod(
        ("hidden_style",),
        marked('<text:p><text:hidden-paragraph text:condition="ooow:1" text:is-hidden="true"/>{}</text:p>'),
    ),
    "hidden section": HidingMethod(
        ("hidden_style",),
        marked(
            '<text:section text:name="S" text:display="none"><text:p>{}</text:p></text:section>',
            '<text:section text:name="S" text:display="condition" text:condition="ooow:1" text:is-hidden="true">'
            "<text:p>{}</text:p></text:section>",
        ),
    ),
    "hidden field": HidingMethod(
        ("hidden_style",),
        marked(
            '<text:p>Punctual<text:hidden-text text:condition="ooow:1" text:string-value="{}" '
            'text:is-hidden="true"/></text:p>'
        ),
    ),
    "white": HidingMethod(("background_color",), formatted('fo:color="#ffffff"', 'fo:color="#FFFFFF"')),
    "near white": HidingMethod(
        ("background_color",), formatted('fo:color="#fdfdfd"', 'fo:color="#f5f5f0"', 'fo:color="#fffff0"')
    ),
    "background colour": HidingMethod(
        ("background_color",), cell(("#1f4e79", "#1f4e79"), ("#333333", "#353535"), ("#ffc000", "#ffc208"))
    ),
    "highlight colour": HidingMethod(
        ("background_color",),
        formatted(
            'fo:color="#ffff00" fo:background-color="#ffff00"', 'fo:color="#242424" fo:background-color="#222222"'
        ),
    ),
    "tiny": HidingMethod(("tiny",), formatted('fo:font-size="1pt"', 'fo:font-size="3pt"', 'fo:font-size="10%"')),
    "squeezed": HidingMethod(("tiny", "clipped"), formatted('style:text-scale="1%"', 'fo:letter-spacing="-0.8cm"')),
    "transparent": HidingMethod(("transparent",), formatted('fo:color="#000000" loext:opacity="0%"')),
    "off page": HidingMethod(
        ("off_page",), boxed(at(-60, 1, 8, 3), at(90, 1, 8, 3), at(1, -90, 8, 3), at(1, 150, 8, 3))
    ),
    "far indent": HidingMethod(("off_page",), indented),
    "no room": HidingMethod(("clipped",), boxed(at(1, 1, 8, 0), at(1, 1, 0, 3), at(1, 1, 0.02, 0.02))),
    "flat line": HidingMethod(("clipped",), marked('<text:p text:style-name="Line">{}</text:p>', styles=LINE)),
    "covered by a shape": HidingMethod(("covered",), covered(picture=False)),
    "covered by a picture": HidingMethod(("covered",), covered(picture=True)),
}

CONTROLS: dict[str, Build] = {
    "white on a dark bar": dark_paragraph,
    "white in a dark cell": cell(("#1f4e79", "#ffffff"), ("#000000", "#ffffff")),
    "white on a dark shape": on_shape,
    "white in a dark box": boxed(at(1, 18, 12, 4), paint='draw:fill="solid" draw:fill-color="#203040"', ink="#ffffff"),
    "light grey": formatted('fo:color="#aaaaaa"'),
    "small print": formatted('fo:font-size="6pt"'),
    "superscript": formatted('style:text-position="super 58%"'),
    "link": marked(LINK),
    "watermark": watermark,
    "coloured heading": formatted('fo:color="#c00000" fo:font-size="14pt" fo:font-weight="bold"'),
    "shown section": marked('<text:section text:name="S" text:display="true"><text:p>{}</text:p></text:section>'),
}
