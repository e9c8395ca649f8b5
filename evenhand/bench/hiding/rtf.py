"""Words hidden in RTF files, each kind by the control words that do it."""

from __future__ import annotations

from evenhand.bench.hiding.resumes import Build, Kind, Part, Resume

COLORS = (
    "000000", "FFFFFF", "FDFDFD", "F5F5F0", "1F4E79", "204F7A", "FFFF00", "AAAAAA", "D0D0D0", "C00000", "0563C1",
)  # fmt: skip
INK = {color: number for number, color in enumerate(COLORS, start=1)}
TABLE = "".join(
    rf"\red{int(color[:2], 16)}\green{int(color[2:4], 16)}\blue{int(color[4:], 16)};" for color in COLORS
)
HEAD = (
    rf"{{\rtf1\ansi\ansicpg1252\deff0{{\fonttbl{{\f0\fswiss Arial;}}}}{{\colortbl;{TABLE}}}"
    r"{\stylesheet{\s0\f0\fs20 Normal;}{\*\cs15\v Quiet;}}\paperw11906\paperh16838\margl1134\margr1134"
)
LOOKS = {"name": r"\b\fs40", "heading": rf"\b\cf{INK['1F4E79']}\fs26", "text": r"\fs20", "bullet": r"\fs20"}


def paragraph(inner: str, controls: str = "") -> str:
    return rf"{{\pard\plain\f0\fs20{controls} {inner}\par}}" + "\n"


def visible(part: Part, extra: str = "") -> str:
    text = rf"\bullet  {part.text}" if part.role == "bullet" else part.text
    return paragraph(rf"{{{LOOKS[part.role]} {text}}}{extra}")


def resume_with(resume: Resume, fragment: str, *, inline: bool = False, head: str = "") -> bytes:
    body = []
    for place, part in enumerate(resume.parts):
        here = fragment if place == resume.place else ""
        body.append(visible(part, here) if inline else here + visible(part))
    return f"{HEAD}{head}\n{''.join(body)}}}".encode("ascii")


def formatted(*controls: str) -> Build:
    """The words in a group of these controls, within a paragraph or as one of their own."""

    def build(resume: Resume) -> bytes:
        text = f" {resume.secret}" if resume.inline else resume.secret
        inner = f"{{{resume.pick(*controls)} {text}}}"
        return resume_with(resume, inner if resume.inline else paragraph(inner), inline=resume.inline)

    return build


def paragraphs(*controls: str, ink: str = "") -> Build:
    """The words as a paragraph of these controls."""
    return lambda resume: resume_with(resume, paragraph(f"{{{ink} {resume.secret}}}", resume.pick(*controls)))


def color(value: str) -> str:
    return rf"\cf{INK[value]}"


def cell(*looks: tuple[str, str]) -> Build:
    """The words in a table cell: its fill and the text's colour."""

    def build(resume: Resume) -> bytes:
        background, ink = resume.pick(*looks)
        row = (
            rf"\trowd\trgaph108\cellx3000\clcbpat{INK[background]}\cellx9000"
            r"\pard\plain\f0\fs20\intbl Available at once\cell"
            rf"\pard\plain\f0\fs20\intbl{color(ink)} {resume.secret}\cell\row\pard"
        )
        return resume_with(resume, row + "\n")

    return build


def shape(
    x: int, y: int, width: int, height: int, *, text: str = "", fill: str | None = None, below: int = 0
) -> str:
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

    def build(resume: Resume) -> bytes:
        text = rf"{{{color(ink)} {resume.secret}}}"
        return resume_with(resume, paragraph(shape(*resume.pick(*places), text=text, fill=fill)))

    return build


def height_for(resume: Resume) -> int:
    return 30 + 14 * (len(resume.secret) // 60)


def blank_for(resume: Resume) -> str:
    """Room below the words, so that a drawing on them reaches no other line."""
    return paragraph("") * (height_for(resume) // 12 + 1)


def covered(resume: Resume) -> bytes:
    cover = shape(-6, -3, 500, height_for(resume), fill="FFFFFF")
    return resume_with(resume, paragraph(cover + resume.secret) + blank_for(resume))


def on_shape(resume: Resume) -> bytes:
    band = shape(-6, -3, 500, height_for(resume), fill="1F4E79", below=1)
    return resume_with(resume, paragraph(rf"{band}{{{color('FFFFFF')} {resume.secret}}}") + blank_for(resume))


def linked(resume: Resume) -> bytes:
    shown = rf"{{\ul{color('0563C1')} {resume.secret}}}"
    field = rf'{{\field{{\*\fldinst HYPERLINK "https://example.org/"}}{{\fldrslt {shown}}}}}'
    return resume_with(resume, paragraph(field))


def watermark(resume: Resume) -> bytes:
    mark = shape(60, 300, 400, 120, text=rf"{{\fs96{color('D0D0D0')} {resume.words[0]}}}", below=1)
    return resume_with(resume, paragraph(mark + " ".join(resume.words[1:])))


KINDS: dict[str, Kind] = {
    "hidden characters": Kind(("hidden_style",), formatted(r"\v", r"\v1")),
    "hidden style": Kind(("hidden_style",), formatted(r"\cs15\v")),
    "white": Kind(("background_color",), formatted(color("FFFFFF"))),
    "near white": Kind(("background_color",), formatted(color("FDFDFD"), color("F5F5F0"))),
    "background colour": Kind(("background_color",), cell(("1F4E79", "1F4E79"), ("1F4E79", "204F7A"))),
    "highlight colour": Kind(
        ("background_color",),
        formatted(
            rf"\highlight{INK['FFFF00']}{color('FFFF00')}", rf"\chcbpat{INK['1F4E79']}{color('1F4E79')}"
        ),
    ),
    "shaded paragraph": Kind(
        ("background_color",), paragraphs(rf"\cbpat{INK['C00000']}", ink=color("C00000"))
    ),
    "tiny": Kind(("tiny",), formatted(r"\fs2", r"\fs4", r"\fs7")),
    "squeezed": Kind(("tiny", "clipped"), formatted(r"\charscalex1", r"\expndtw-400")),
    "off page": Kind(
        ("off_page",), boxed((-1500, 10, 300, 100), (3000, 10, 300, 100), (10, -1500, 300, 100))
    ),
    "far indent": Kind(("off_page",), paragraphs(r"\li-30000\ri30000", r"\li30000\ri-30000")),
    "no room": Kind(("clipped",), boxed((10, 10, 200, 0), (10, 10, 0, 100), (10, 10, 1, 1))),
    "flat line": Kind(("clipped",), paragraphs(r"\sl-20\slmult0")),
    "covered by a shape": Kind(("covered",), covered),
}

CONTROLS: dict[str, Build] = {
    "white on a dark bar": paragraphs(rf"\cbpat{INK['1F4E79']}", ink=color("FFFFFF")),
    "white in a dark cell": cell(("1F4E79", "FFFFFF"), ("000000", "FFFFFF")),
    "white on a dark shape": on_shape,
    "white in a dark box": boxed((10, 450, 400, 150), fill="1F4E79", ink="FFFFFF"),
    "light grey": formatted(color("AAAAAA")),
    "small print": formatted(r"\fs12"),
    "superscript": formatted(r"\super"),
    "link": linked,
    "watermark": watermark,
    "coloured heading": formatted(rf"\b\fs28{color('C00000')}"),
    "not hidden": formatted(r"\v0", r"\v\v0"),
}
