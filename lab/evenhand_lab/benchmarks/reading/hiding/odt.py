"""Words hidden in OpenDocument texts, each kind by the markup that does it."""

from __future__ import annotations

from html import escape

from evenhand_lab.benchmarks.reading.hiding import resumes
from evenhand_lab.benchmarks.reading.hiding.resumes import Build, HidingResume, Kinds

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


def paragraph(inner: str, name: str = "text") -> str:
    return f'<text:p text:style-name="{name}">{inner}</text:p>'


def span(text: str) -> str:
    return f'<text:span text:style-name="Special">{escape(text)}</text:span>'


def visible(part: resumes.VisibleParagraph, extra: str) -> str:
    text = f"• {part.text}" if part.role == "bullet" else part.text
    return paragraph(escape(text) + extra, part.role)


def resume_with(resume: HidingResume, fragment: str, *, styles: str = "", inline: bool = False) -> bytes:
    body = resumes.body_of(resume, fragment, visible, inline=inline)
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
    return resumes.pack(
        {
            "mimetype": MIME,
            "content.xml": content,
            "styles.xml": page,
            "Pictures/a.png": resumes.PNG,
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{OASIS}:manifest:1.0" '
            f'manifest:version="1.3">{manifest}</manifest:manifest>',
        }
    )


def formatted(*properties: str) -> Build:
    """The words in a span of these properties, within a paragraph or as one of their own."""
    return lambda resume: resume_with(
        resume, resumes.within(resume, span, paragraph), styles=letters(resume.pick(*properties)), inline=resume.inline
    )


def marked(*templates: str) -> Build:
    """The words at the place of {} in markup of its own."""
    return lambda resume: resume_with(resume, resume.pick(*templates).replace("{}", escape(resume.secret)))


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


def laid(paint: str, *, ink: str | None = None, picture: bool = False) -> Build:
    """The words with a drawing over or behind them; blank lines below, so that it reaches no others."""

    def build(resume: HidingResume) -> bytes:
        lines = 1 + len(resume.secret) // 70
        place = at(-0.2, -0.1, 17.5, 1 + 0.5 * lines)
        if picture:
            drawing = frame('<draw:image xlink:href="Pictures/a.png" xlink:type="simple"/>', place)
        else:
            drawing = f'<draw:rect draw:style-name="Frame" text:anchor-type="paragraph" {place}/>'
        words = escape(resume.secret) if ink is None else span(resume.secret)
        styles = ("" if ink is None else letters(f'fo:color="{ink}"')) + graphic(paint)
        return resume_with(resume, paragraph(drawing + words) + paragraph("") * (lines + 3), styles=styles)

    return build


def watermark(resume: HidingResume) -> bytes:
    box = f"<draw:text-box>{paragraph(span(resume.words[0]))}</draw:text-box>"
    styles = graphic(f'draw:fill="none" {BACK}') + letters('fo:color="#d0d0d0" fo:font-size="48pt"')
    rest = escape(" ".join(resume.words[1:]))
    return resume_with(resume, paragraph(frame(box, at(3, 15, 14, 4)) + rest), styles=styles)


def paragraphs(*properties: str, letter: str = "", name: str = "Far") -> Build:
    """The words as a paragraph of these properties."""

    def build(resume: HidingResume) -> bytes:
        look = f"<style:paragraph-properties {resume.pick(*properties)}/>{letter}"
        return resume_with(resume, paragraph(escape(resume.secret), name), styles=style(name, "paragraph", look))

    return build


LINK = (
    '<text:p text:style-name="text"><text:a xlink:type="simple" xlink:href="https://example.org/">{}</text:a></text:p>'
)

COVER = (
    f'draw:fill="solid" draw:fill-color="#ffffff" {FRONT} style:vertical-pos="from-top" '
    'style:horizontal-pos="from-left"'
)
FAR = 'fo:margin-left="{}" fo:margin-right="{}"'

KINDS: Kinds = {
    "hidden characters": ("hidden_style", formatted('text:display="none"')),
    "hidden paragraph": (
        "hidden_style",
        marked('<text:p><text:hidden-paragraph text:condition="ooow:1" text:is-hidden="true"/>{}</text:p>'),
    ),
    "hidden section": (
        "hidden_style",
        marked(
            '<text:section text:name="S" text:display="none"><text:p>{}</text:p></text:section>',
            '<text:section text:name="S" text:display="condition" text:condition="ooow:1" text:is-hidden="true">'
            "<text:p>{}</text:p></text:section>",
        ),
    ),
    "hidden field": (
        "hidden_style",
        marked(
            '<text:p>Punctual<text:hidden-text text:condition="ooow:1" text:string-value="{}" '
            'text:is-hidden="true"/></text:p>'
        ),
    ),
    "white": ("background_color", formatted('fo:color="#ffffff"', 'fo:color="#FFFFFF"')),
    "near white": ("background_color", formatted('fo:color="#fdfdfd"', 'fo:color="#f5f5f0"', 'fo:color="#fffff0"')),
    "background colour": (
        "background_color",
        cell(("#1f4e79", "#1f4e79"), ("#333333", "#353535"), ("#ffc000", "#ffc208")),
    ),
    "highlight colour": (
        "background_color",
        formatted(
            'fo:color="#ffff00" fo:background-color="#ffff00"', 'fo:color="#242424" fo:background-color="#222222"'
        ),
    ),
    "tiny": ("tiny", formatted('fo:font-size="1pt"', 'fo:font-size="3pt"', 'fo:font-size="10%"')),
    "squeezed": ("tiny clipped", formatted('style:text-scale="1%"', 'fo:letter-spacing="-0.8cm"')),
    "transparent": ("transparent", formatted('fo:color="#000000" loext:opacity="0%"')),
    "off page": ("off_page", boxed(at(-60, 1, 8, 3), at(90, 1, 8, 3), at(1, -90, 8, 3), at(1, 150, 8, 3))),
    "far indent": (
        "off_page",
        paragraphs(FAR.format("50cm", "-40cm"), FAR.format("-60cm", "60cm"), FAR.format("30cm", "-20cm")),
    ),
    "no room": ("clipped", boxed(at(1, 1, 8, 0), at(1, 1, 0, 3), at(1, 1, 0.02, 0.02))),
    "flat line": ("clipped", paragraphs('fo:line-height="0.03cm"', name="Line")),
    "covered by a shape": ("covered", laid(COVER)),
    "covered by a picture": ("covered", laid(COVER, picture=True)),
}

CONTROLS: dict[str, Build] = {
    "white on a dark bar": paragraphs(
        'fo:background-color="#1f4e79"', letter='<style:text-properties fo:color="#ffffff"/>', name="Bar"
    ),
    "white in a dark cell": cell(("#1f4e79", "#ffffff"), ("#000000", "#ffffff")),
    "white on a dark shape": laid(f'draw:fill="solid" draw:fill-color="#102030" {BACK}', ink="#ffffff"),
    "white in a dark box": boxed(at(1, 18, 12, 4), paint='draw:fill="solid" draw:fill-color="#203040"', ink="#ffffff"),
    "light grey": formatted('fo:color="#aaaaaa"'),
    "small print": formatted('fo:font-size="6pt"'),
    "superscript": formatted('style:text-position="super 58%"'),
    "link": marked(LINK),
    "watermark": watermark,
    "coloured heading": formatted('fo:color="#c00000" fo:font-size="14pt" fo:font-weight="bold"'),
    "shown section": marked('<text:section text:name="S" text:display="true"><text:p>{}</text:p></text:section>'),
}
