"""Words hidden in web pages, RTF files and plain text: formats of which a file is one string."""

from __future__ import annotations

from evenhand_lab.benchmarks.reading.hiding.resumes import (
    BLANKS,
    COVER_POINTS,
    Build,
    HidingResume,
    Kinds,
    Markup,
    VisibleParagraph,
)

TAGS = {"name": "h1", "heading": "h2", "text": "p", "bullet": "li"}


def visible_html(part: VisibleParagraph, extra: str) -> str:
    tag = TAGS[part.role]
    inner = f"<{tag}>{part.text}{extra}</{tag}>"
    return f"<ul>{inner}</ul>" if tag == "li" else inner


def page(body: str) -> bytes:
    head = "<meta charset='utf-8'><title>Resume</title><style></style>"
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()


HTML = Markup(visible_html, "<div>{}</div>".format, page)


def styled(*styles: str, block: bool = False) -> Build:
    """The words in an element of this style: an attribute in one variant, a rule of the style sheet in the next."""

    def build(resume: HidingResume) -> bytes:
        style, inline = resume.pick(*styles), resume.inline and not block
        by_rule = resume.variant % 3 == 2
        tag, attribute = "span" if inline else "div", "class='x'" if by_rule else f'style="{style}"'
        written = HTML.write(resume, f"<{tag} {attribute}> {{}}</{tag}>", inline=inline)
        return written.replace(b"</style>", f".x {{ {style} }}</style>".encode()) if by_rule else written

    return build


COVER = (
    "<div style='position:relative'>{}<div style='position:absolute;left:0;top:0;width:100%;height:100%;"
    "background:#fff'></div></div>"
)

KINDS: Kinds = {
    "display none": ("hidden_style", styled("display:none", "display: none !important")),
    "visibility hidden": ("hidden_style", styled("visibility:hidden", "visibility: collapse")),
    "hidden attribute": ("hidden_style", HTML.marked("<div hidden>{}</div>")),
    "opacity": ("transparent", styled("opacity:0", "opacity:.01", "filter:opacity(0)")),
    "transparent colour": ("transparent", styled("color:transparent", "color:rgba(0,0,0,0)")),
    "white": (
        "background_color",
        styled("color:#fff", "color:white", "color:rgb(255,255,255)", "color:hsl(0,0%,100%)"),
    ),
    "near white": ("background_color", styled("color:#fdfdfd", "color:#f5f5f0", "color:#fffff0")),
    "background colour": (
        "background_color",
        styled("background:#1f4e79;color:#1f4e79", "background-color:#333;color:#343434", "color:gold;background:gold"),
    ),
    "tiny": ("tiny", styled("font-size:1px", "font-size:0", "font:2px serif")),
    "off screen": (
        "off_page",
        styled(
            *("position:absolute;left:-9999px", "position:absolute;top:-5000px", "text-indent:-9999px"),
            *("position:fixed;right:-3000px", "margin-left:-9999px"),
            block=True,
        ),
    ),
    "clipped": (
        "clipped",
        styled(
            *("position:absolute;clip:rect(0,0,0,0)", "clip-path:inset(100%)", "clip-path:circle(0)"),
            "position:absolute;width:1px;height:1px;overflow:hidden",
            block=True,
        ),
    ),
    "no height": (
        "clipped",
        styled("height:0;overflow:hidden", "max-height:0;overflow:hidden", "width:0;overflow:hidden", block=True),
    ),
    "scaled to nothing": ("tiny clipped", styled("transform:scale(0)", "transform:scale(.01)", block=True)),
    "covered": ("covered", HTML.marked(COVER)),
    "behind": (
        "covered",
        HTML.marked(
            "<div style='background:#fff;padding:9px'><span style='position:relative;z-index:-1'>{}</span>&nbsp;</div>"
        ),
    ),
}

CONTROLS: dict[str, Build] = {
    "white on a dark bar": styled("background:#1f4e79;color:#fff", "background-color:#000;color:white"),
    "white in a dark cell": HTML.marked(
        "<table><tr><td bgcolor='#203040'><font color='#ffffff'>{}</font></td></tr></table>"
    ),
    "white on a picture": styled("background:url(bar.png);color:#fff", block=True),
    "white on a gradient": styled("background:linear-gradient(#123,#456);color:#fff", block=True),
    "light grey": styled("color:#aaaaaa"),
    "small print": styled("font-size:6pt", "font-size:8px"),
    "superscript": lambda resume: HTML.write(resume, " <sup>{}</sup>", inline=True),
    "link": HTML.marked("<p><a href='https://example.org/'>{}</a></p>"),
    "watermark": styled("color:#d0d0d0;font-size:40pt", "color:#000;opacity:.2", block=True),
    "coloured heading": HTML.marked("<h2 style='color:#c00000'>{}</h2>"),
    "shown again": HTML.marked("<div style='visibility:hidden'><p style='visibility:visible'>{}</p></div>"),
    "a little aside": styled("position:relative;left:-4px;text-indent:-2px", block=True),
    "scrolling": styled("height:200px;overflow:auto", block=True),
}


# Words hidden in RTF files, each kind by the control words that do it.

COLORS = (
    "000000", "FFFFFF", "FDFDFD", "F5F5F0", "1F4E79", "204F7A", "FFFF00", "AAAAAA", "D0D0D0", "C00000", "0563C1",
)  # fmt: skip
INK = {color: number for number, color in enumerate(COLORS, start=1)}
TABLE = "".join(rf"\red{int(color[:2], 16)}\green{int(color[2:4], 16)}\blue{int(color[4:], 16)};" for color in COLORS)
HEAD = (
    rf"{{\rtf1\ansi\ansicpg1252\deff0{{\fonttbl{{\f0\fswiss Arial;}}}}{{\colortbl;{TABLE}}}"
    r"{\stylesheet{\s0\f0\fs20 Normal;}{\*\cs15\v Quiet;}}\paperw11906\paperh16838\margl1134\margr1134"
)
LOOKS = {"name": r"\b\fs40", "heading": rf"\b\cf{INK['1F4E79']}\fs26", "text": r"\fs20", "bullet": r"\fs20"}


def rtf_paragraph(inner: str, controls: str = "") -> str:
    return rf"{{\pard\plain\f0\fs20{controls} {inner}\par}}" + "\n"


def visible_rtf(part: VisibleParagraph, extra: str) -> str:
    text = rf"\bullet  {part.text}" if part.role == "bullet" else part.text
    return rtf_paragraph(rf"{{{LOOKS[part.role]} {text}}}{extra}")


RTF = Markup(visible_rtf, rtf_paragraph, lambda body: f"{HEAD}\n{body}}}".encode("ascii"))


def run(controls: str) -> str:
    return f"{{{controls} {{}}}}"


def formatted(*controls: str) -> Build:
    """The words in a group of these controls."""
    return RTF.runs(*map(run, controls))


def paragraphs(*controls: str, ink: str = "") -> Build:
    """The words as a paragraph of these controls."""
    return RTF.marked(*(rtf_paragraph(run(ink), look) for look in controls))


def color(value: str) -> str:
    return rf"\cf{INK[value]}"


def cell(*looks: tuple[str, str]) -> Build:
    """The words in a table cell: its fill and the text's colour."""
    return RTF.marked(
        *(
            rf"\trowd\trgaph108\cellx3000\clcbpat{INK[background]}\cellx9000"
            r"\pard\plain\f0\fs20\intbl Available at once\cell"
            rf"\pard\plain\f0\fs20\intbl{color(ink)} {{}}\cell\row\pard" + "\n"
            for background, ink in looks
        )
    )


def shape(x: int, y: int, width: int, height: int, *, text: str = "", fill: str | None = None, below: int = 0) -> str:
    """A drawing at x, y from the margin and the paragraph, measures in points."""
    left, top, right, bottom = (20 * value for value in (x, y, x + width, y + height))
    properties = {"shapeType": "202" if text else "1", "fFilled": "0" if fill is None else "1"}
    if fill is not None:
        red, green, blue = int(fill[:2], 16), int(fill[2:4], 16), int(fill[4:], 16)
        properties["fillColor"] = str(red | green << 8 | blue << 16)
    if below:
        properties["fBehindDocument"] = "1"
    named = "".join(rf"{{\sp{{\sn {name}}}{{\sv {value}}}}}" for name, value in properties.items())
    inner = rf"{{\shptxt \pard\plain\f0\fs20 {text}\par}}" if text else ""
    return (
        rf"{{\shp{{\*\shpinst\shpleft{left}\shptop{top}\shpright{right}\shpbottom{bottom}\shpfhdr0"
        rf"\shpbxcolumn\shpbypara\shpwr3\shpfblwtxt{below}\shpz0{named}{inner}}}}}"
    )


def boxed(*places: tuple[int, int, int, int], fill: str | None = None, ink: str = "000000") -> Build:
    """The words in a text box at x, y with a width and height."""
    return RTF.marked(*(rtf_paragraph(shape(*place, text=run(color(ink)), fill=fill)) for place in places))


def laid(fill: str, *, ink: str = "000000", below: int = 0) -> Build:
    """The words with a drawing over or below them."""
    drawing = shape(-6, -3, 500, COVER_POINTS, fill=fill, below=below)
    return RTF.marked(rtf_paragraph(drawing + run(color(ink))) + rtf_paragraph("") * BLANKS)


SHOWN = run(rf"\ul{color('0563C1')}")
LINK = rf'{{\field{{\*\fldinst HYPERLINK "https://example.org/"}}{{\fldrslt {SHOWN}}}}}'
MARK = shape(60, 300, 400, 120, text=rf"{{\fs96{color('D0D0D0')} {{first}}}}", below=1)

RTF_KINDS: Kinds = {
    "hidden characters": ("hidden_style", formatted(r"\v", r"\v1")),
    "hidden style": ("hidden_style", formatted(r"\cs15\v")),
    "white": ("background_color", formatted(color("FFFFFF"))),
    "near white": ("background_color", formatted(color("FDFDFD"), color("F5F5F0"))),
    "background colour": ("background_color", cell(("1F4E79", "1F4E79"), ("1F4E79", "204F7A"))),
    "highlight colour": (
        "background_color",
        formatted(rf"\highlight{INK['FFFF00']}{color('FFFF00')}", rf"\chcbpat{INK['1F4E79']}{color('1F4E79')}"),
    ),
    "shaded paragraph": ("background_color", paragraphs(rf"\cbpat{INK['C00000']}", ink=color("C00000"))),
    "tiny": ("tiny", formatted(r"\fs2", r"\fs4", r"\fs7")),
    "squeezed": ("tiny clipped", formatted(r"\charscalex1", r"\expndtw-400")),
    "off page": ("off_page", boxed((-1500, 10, 300, 100), (3000, 10, 300, 100), (10, -1500, 300, 100))),
    "far indent": ("off_page", paragraphs(r"\li-30000\ri30000", r"\li30000\ri-30000")),
    "no room": ("clipped", boxed((10, 10, 200, 0), (10, 10, 0, 100), (10, 10, 1, 1))),
    "flat line": ("clipped", paragraphs(r"\sl-20\slmult0")),
    "covered by a shape": ("covered", laid("FFFFFF")),
}

RTF_CONTROLS: dict[str, Build] = {
    "white on a dark bar": paragraphs(rf"\cbpat{INK['1F4E79']}", ink=color("FFFFFF")),
    "white in a dark cell": cell(("1F4E79", "FFFFFF"), ("000000", "FFFFFF")),
    "white on a dark shape": laid("1F4E79", ink="FFFFFF", below=1),
    "white in a dark box": boxed((10, 450, 400, 150), fill="1F4E79", ink="FFFFFF"),
    "light grey": formatted(color("AAAAAA")),
    "small print": formatted(r"\fs12"),
    "superscript": formatted(r"\super"),
    "link": RTF.marked(rtf_paragraph(LINK)),
    "watermark": RTF.marked(rtf_paragraph(MARK + "{rest}")),
    "coloured heading": formatted(rf"\b\fs28{color('C00000')}"),
    "not hidden": formatted(r"\v0", r"\v\v0"),
}


# What plain text can hide: characters that no screen shows.

ZERO_WIDTH = ("\u200b", "\u2060", "\ufeff", "\u200b\u2060")
PLAIN_TAGS = 0xE0000  # where Unicode keeps an invisible copy of ASCII


def visible_line(part: VisibleParagraph, extra: str) -> str:
    return f"- {part.text}\n" if part.role == "bullet" else f"{part.text}\n"


PLAIN = Markup(visible_line, "{}\n".format, lambda body: body.rstrip("\n").encode())


def tagged(resume: HidingResume) -> bytes:
    """The words in invisible letters at the end of a visible line."""
    unseen = "".join(chr(PLAIN_TAGS + ord(letter)) for letter in resume.secret)
    return PLAIN.write(resume, f"Punctual and reliable{unseen}\n")


def parted(resume: HidingResume) -> bytes:
    """Words a person reads and a search would miss: something without width stands between their letters."""
    return PLAIN.write(resume, " ".join(resume.pick(*ZERO_WIDTH).join(word) for word in resume.words) + "\n")


PLAIN_KINDS: Kinds = {"invisible letters": ("invisible", tagged)}

PLAIN_CONTROLS: dict[str, Build] = {"plain": PLAIN.marked("{}\n"), "parted by zero width": parted}
