"""Words hidden in web pages, RTF files and plain text: formats of which a file is one string."""

from __future__ import annotations

import re

from evenhand_lab.benchmarks.reading.hiding.resumes import (
    BLANKS,
    COVER_POINTS,
    Build,
    HidingResume,
    Kinds,
    Markup,
    VisibleParagraph,
    read_table,
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


def within(template: str) -> Build:
    """The words in markup of a visible paragraph."""
    return lambda resume: HTML.write(resume, template, inline=True)


def ruled(*pairs: tuple[str, str]) -> Build:
    """Rules of the style sheet, and markup with the words before a visible paragraph."""

    def build(resume: HidingResume) -> bytes:
        rules, markup = resume.pick(*pairs)
        return HTML.write(resume, markup).replace(b"</style>", f"{rules}</style>".encode())

    return build


KINDS, CONTROLS = read_table("html", styled, within, HTML.marked)
MORE_KINDS, MORE_CONTROLS = read_table("html_more", styled, ruled, HTML.marked)
LATER_KINDS, _ = read_table("html_later", styled, HTML.marked)


# Words hidden in RTF files, each kind by the control words that do it.

COLORS = (
    "000000", "FFFFFF", "FDFDFD", "F5F5F0", "1F4E79", "204F7A", "FFFF00", "AAAAAA", "D0D0D0", "C00000", "0563C1",
)  # fmt: skip
INK = {color: number for number, color in enumerate(COLORS, start=1)}
TABLE = "".join(rf"\red{int(color[:2], 16)}\green{int(color[2:4], 16)}\blue{int(color[4:], 16)};" for color in COLORS)
HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Arial;}{\f1\fnil\fcharset2 Wingdings;}}"
    rf"{{\colortbl;{TABLE}}}"
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
    return f"{{{inked(controls)} {{}}}}"


def inked(controls: str) -> str:
    """Colours in braces as their numbers in the table."""
    return re.sub(r"\{(\w{6})\}", lambda color: str(INK[color[1]]), controls)


def formatted(*controls: str) -> Build:
    """The words in a group of these controls."""
    return RTF.runs(*map(run, controls))


def paragraphs(*controls: str, ink: str = "") -> Build:
    """The words as a paragraph of these controls."""
    return RTF.marked(*(rtf_paragraph(run(ink), inked(look)) for look in controls))


def written(*templates: str) -> Build:
    """The words in this markup."""
    return RTF.marked(*map(inked, templates))


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


def link() -> Build:
    text = run(r"\ul\cf{0563C1}")
    return RTF.marked(rtf_paragraph(rf'{{\field{{\*\fldinst HYPERLINK "https://example.org/"}}{{\fldrslt {text}}}}}'))


def watermark() -> Build:
    mark = shape(60, 300, 400, 120, text=rf"{{\fs96{color('D0D0D0')} {{first}}}}", below=1)
    return RTF.marked(rtf_paragraph(mark + "{rest}"))


RTF_KINDS, RTF_CONTROLS = read_table("rtf", formatted, paragraphs, cell, boxed, laid, link, watermark)
MORE_RTF_KINDS, MORE_RTF_CONTROLS = read_table("rtf_more", formatted, paragraphs, written)


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
