"""Words hidden in PDF pages, each kind by the operators that do it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from evenhand_lab.benchmarks.reading.hiding.resumes import Build, HidingResume, Kinds, read_table

# A small PDF writer: one page of drawing operators, and the objects they name.


WIDTH, HEIGHT = 595, 842  # A4 in points

FONTS = "/F1 4 0 R /F2 5 0 R"
FIRST_FREE = 6


def pdf(
    operators: str,
    resources: str,
    objects: Mapping[int, bytes | str] | None,
    page: str = "",
    catalog: str = "",
    fonts: str = "",
) -> bytes:
    """A whole file. Objects 1 to 5 are the catalog, pages, page and fonts; its content comes last."""
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>"
    named = {
        1: f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        4: font.format("Helvetica"),
        5: font.format("Helvetica-Bold"),
        **(objects or {}),
    }
    content = max(named) + 1
    box = "" if "/MediaBox" in page else f"/MediaBox [0 0 {WIDTH} {HEIGHT}]"
    named[3] = (
        f"<< /Type /Page /Parent 2 0 R {box} /Contents {content} 0 R "
        f"/Resources << /Font << {FONTS} {fonts} >> {resources} >> {page} >>"
    )
    named[content] = stream(operators.encode("latin-1"))
    return written(named)


def stream(data: bytes, entries: str = "") -> bytes:
    return f"<< {entries} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def image(gray: int) -> bytes:
    """A picture of four equal pixels."""
    entries = "/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8"
    return stream(bytes([gray] * 4), entries)


def written(objects: Mapping[int, bytes | str]) -> bytes:
    out, table = b"%PDF-1.7\n", "0000000000 65535 f \n"
    for number, content in sorted(objects.items()):
        table += f"{len(out):010d} 00000 n \n"
        inner = content.encode("latin-1") if isinstance(content, str) else content
        out += b"%d 0 obj\n%b\nendobj\n" % (number, inner)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + f"xref\n0 {size}\n{table}{trailer}".encode()


def literal(text: str) -> str:
    """A string operand."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"({escaped})"


def show(text: str, x: float, y: float, *, size: float = 10, name: str = "F1", state: str = "") -> str:
    """One line of text; `state` holds further operators that are in force for it alone."""
    return f"q {state} BT /{name} {size} Tf {x} {y} Td {literal(text)} Tj ET Q\n"


def rectangle(x: float, y: float, width: float, height: float, color: str) -> str:
    return f"q {color} {x} {y} {width} {height} re f Q\n"


def picture(name: str, x: float, y: float, width: float, height: float) -> str:
    return f"q {width} 0 0 {height} {x} {y} cm /{name} Do Q\n"


LEFT, RIGHT, TOP = 50, 545, 790
LEADING = 14
LOOKS = {"name": ("F2", 20), "heading": ("F2", 13), "text": ("F1", 10), "bullet": ("F1", 10)}
GRAPHICS = "/ExtGState << /G0 << /ca 0 >> /G1 << /ca 0.03 >> /G2 << /ca 0.3 >> >>"


@dataclass(frozen=True, slots=True)
class Area:
    """The lines of the special words on the page, and the room they take."""

    lines: tuple[str, ...]
    x: float
    y: float  # baseline of the first line

    @property
    def bottom(self) -> float:
        return self.y - LEADING * (len(self.lines) - 1) - 4

    @property
    def height(self) -> float:
        return LEADING * len(self.lines) + 2

    def shown(self, *, size: float = 10, name: str = "F1", state: str = "", dx: float = 0, dy: float = 0) -> str:
        return "".join(
            show(line, self.x + dx, self.y + dy - LEADING * row, size=size, name=name, state=state)
            for row, line in enumerate(self.lines)
        )

    def filled(self, color: str) -> str:
        return rectangle(self.x - 4, self.bottom, RIGHT - self.x + 8, self.height, color)

    def pictured(self, name: str) -> str:
        return picture(name, self.x - 4, self.bottom, RIGHT - self.x + 8, self.height)


Draw = Callable[[Area, HidingResume], str]


def build(
    draw: Draw,
    *,
    resources: str = GRAPHICS,
    objects: Mapping[int, bytes | str] | None = None,
    page: str = "",
    catalog: str = "",
) -> Build:
    """A page on which `draw` adds the special words to the visible parts, and what it needs besides its operators."""
    return lambda resume: pdf(page_operators(resume, draw), resources, objects, page, catalog)


def page_operators(resume: HidingResume, draw: Draw) -> str:
    """The parts from top to bottom; few words stand beside a part, many in lines of their own."""
    operators, y = [], float(TOP)
    beside = resume.inline and len(resume.words) <= 5
    for place, part in enumerate(resume.parts):
        if place == resume.place and not beside:
            area = Area(tuple(textwrap.wrap(resume.secret, 80)), LEFT, y)
            operators.append(draw(area, resume))
            y = area.bottom - LEADING
        name, size = LOOKS[part.role]
        if part.role in ("heading", "name"):
            y -= 8
        text = f"\x95 {part.text}" if part.role == "bullet" else part.text
        operators.append(show(text, LEFT, y, size=size, name=name))
        if place == resume.place and beside:
            operators.append(draw(Area((resume.secret,), 340, y), resume))
        y -= size + 6
    return "".join(operators)


def stated(*states: str) -> Build:
    """Drawn with further operators in force, one after another in the variants."""
    return build(lambda area, resume: area.shown(state=resume.pick(*states)))


def on_bar(area: Area, resume: HidingResume) -> str:
    color = resume.pick("0.12 0.3 0.5", "0.8 0.1 0.1", "0.2 0.2 0.2")
    near = resume.pick("0.12 0.3 0.5", "0.81 0.1 0.1", "0.21 0.2 0.2")
    return area.filled(f"{color} rg") + area.shown(state=f"{near} rg")


def on_picture(area: Area, resume: HidingResume) -> str:
    name, color = resume.pick(("Dark", "0.157 g"), ("White", "1 g"), ("Dark", "0.16 0.15 0.16 rg"))
    return area.pictured(name) + area.shown(state=color)


def tiny(area: Area, resume: HidingResume) -> str:
    if resume.variant % 2:  # a usual size, made small by the page's matrix
        return f"q 0.1 0 0 0.1 {area.x} {area.y} cm {show(resume.secret, 0, 0, size=12)} Q\n"
    return area.shown(size=resume.pick(1, 2, 3))


def off_page(area: Area, resume: HidingResume) -> str:
    dx, dy = resume.pick((0, -HEIGHT), (WIDTH, 0), (0, HEIGHT), (-WIDTH, 0), (3 * WIDTH, 3 * HEIGHT))
    return area.shown(dx=dx, dy=dy)


def clipped(area: Area, resume: HidingResume) -> str:
    window = resume.pick("0 0 1 1 re", "0 0 0 0 re", f"{LEFT} 5 100 3 re")
    return area.shown(state=f"{window} W n")


def replaced(area: Area, resume: HidingResume) -> str:
    """A visible word that copies out as the hidden ones."""
    actual = f"/Span << /ActualText {literal(resume.secret)} >> BDC"
    return f"{actual} {show('Dependable', area.x, area.y)} EMC\n"


def in_form(state: str, *, masked: bool = False) -> Build:
    """Drawn by a form of its own, to which a graphics state applies as a whole."""

    def make(resume: HidingResume) -> bytes:
        drawn: list[str] = []

        def draw(area: Area, resume: HidingResume) -> str:
            drawn.append(area.shown())
            return f"q /{state} gs /Form Do Q\n"

        operators = page_operators(resume, draw)
        entries = (
            f"/Type /XObject /Subtype /Form /BBox [0 0 {WIDTH} {HEIGHT}] "
            "/Group << /S /Transparency /CS /DeviceGray >> /Resources << /Font << /F1 4 0 R >> >>"
        )
        objects = {FIRST_FREE: stream("".join(drawn).encode("latin-1"), entries)}
        if masked:  # a mask that is black all over lets nothing through
            objects[FIRST_FREE + 1] = stream(rectangle(0, 0, WIDTH, HEIGHT, "0 g").encode("latin-1"), entries)
        mask = f"/GM << /SMask << /S /Luminosity /G {FIRST_FREE + 1} 0 R >> >>" if masked else ""
        resources = f"{GRAPHICS[:-2]} {mask} >> /XObject << /Form {FIRST_FREE} 0 R >>"
        return pdf(operators, resources, objects)

    return make


with_pictures = partial(
    build,
    resources=f"{GRAPHICS} /XObject << /White {FIRST_FREE} 0 R /Dark {FIRST_FREE + 1} 0 R >>",
    objects={FIRST_FREE: image(255), FIRST_FREE + 1: image(40)},
)


def in_layer(state: str) -> Build:
    """In a layer that is ON or OFF."""
    return build(
        lambda area, resume: f"/OC /Layer BDC {area.shown()} EMC\n",
        resources=f"{GRAPHICS} /Properties << /Layer {FIRST_FREE} 0 R >>",
        objects={FIRST_FREE: "<< /Type /OCG /Name (Notes) >>"},
        catalog=f"/OCProperties << /OCGs [{FIRST_FREE} 0 R] /D << /{state} [{FIRST_FREE} 0 R] >> >>",
    )


KINDS: Kinds = {
    "invisible mode": ("invisible", stated("3 Tr", "7 Tr")),
    "white": ("background_color", stated("1 1 1 rg", "1 g", "0 0 0 0 k")),
    "near white": ("background_color", stated("0.98 0.98 0.98 rg", "0.96 g", "0 0 0.02 0 k", "1 1 0.95 rg")),
    "background colour": ("background_color", build(on_bar)),
    "colour of a picture": ("background_color", with_pictures(on_picture)),
    "tiny": ("tiny", build(tiny)),
    "squeezed": ("tiny clipped", stated("1 Tz", "0.1 Tz")),
    "off page": ("off_page", build(off_page)),
    "outside the crop": (
        "off_page",
        build(
            lambda area, resume: area.shown(dy=-2000),
            page=f"/MediaBox [0 -2000 {WIDTH} {HEIGHT}] /CropBox [0 0 {WIDTH} {HEIGHT}]",
        ),
    ),
    "clipped": ("clipped", build(clipped)),
    "transparent": ("transparent", stated("/G0 gs", "/G1 gs")),
    "in a transparent form": ("transparent", in_form("G1")),
    "behind a mask": ("transparent", in_form("GM", masked=True)),
    "covered by a shape": (
        "covered",
        build(lambda area, resume: area.shown() + area.filled(resume.pick("1 g", "1 1 1 rg", "0.9 0.95 1 rg"))),
    ),
    "covered by a picture": (
        "covered",
        with_pictures(lambda area, resume: area.shown() + area.pictured(resume.pick("White", "Dark"))),
    ),
    "replaced text": ("replaced", build(replaced)),
    "layer switched off": ("hidden_style invisible", in_layer("OFF")),
}


def in_dark_cell(area: Area, resume: HidingResume) -> str:
    frame = f"q 0 G {area.x - 4} {area.bottom} {RIGHT - area.x + 8} {area.height} re S Q\n"
    return area.filled("0.25 g") + frame + area.shown(state="1 g")


LINK = (
    "<< /Type /Annot /Subtype /Link /Rect [50 700 545 790] /Border [0 0 0] "
    "/A << /S /URI /URI (https://example.org/) >> >>"
)

CONTROLS: dict[str, Build] = {
    "white on a dark bar": build(
        lambda area, resume: area.filled(resume.pick("0.12 0.3 0.5 rg", "0 g")) + area.shown(state="1 1 1 rg")
    ),
    "white on a dark picture": with_pictures(lambda area, _: area.pictured("Dark") + area.shown(state="1 1 1 rg")),
    "white in a dark cell": build(in_dark_cell),
    "light grey": stated("0.667 g", "0.667 0.667 0.667 rg"),
    "small print": build(lambda area, _: area.shown(size=6)),
    "superscript": build(lambda area, _: area.shown(size=6.5, state="4 Ts")),
    "link": build(
        lambda area, _: area.shown(state="0 0 0.9 rg"), page=f"/Annots [{FIRST_FREE} 0 R]", objects={FIRST_FREE: LINK}
    ),
    "watermark": build(lambda area, resume: show(resume.words[0], 120, 60, size=48, state="0.85 g") + area.shown()),
    "coloured heading": stated("0.75 0 0 rg", "0 0.5 0.4 rg"),
    "under glass": build(lambda area, _: area.shown() + area.filled("/G2 gs 1 0.9 0 rg")),
    "before a shape": build(lambda area, _: area.filled("1 1 1 rg") + area.shown()),
    "inside its clip": build(
        lambda area, _: area.shown(state=f"{area.x - 4} {area.bottom} {RIGHT} {area.height} re W n")
    ),
    "outlined": stated("1 Tr 1 g 0 G 0.3 w", "2 Tr 1 g 0 G 0.3 w"),
    "layer switched on": in_layer("ON"),
    "half transparent": stated("/G2 gs"),
    "in a half transparent form": in_form("G2"),
}


# Further kinds, as templates of operators and objects.

FORM = f"/Type /XObject /Subtype /Form /BBox [0 0 {WIDTH} {HEIGHT}] /Resources << /Font << /F1 4 0 R >> >>"
CHARACTER_MAP = (
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Map def /CMapType 2 def "
    "1 begincodespacerange <00> <FF> endcodespacerange {} endcmap end end"
)
ASCII = range(32, 127)


def filled_in(template: str, area: Area) -> str:
    """A template with the lines of the words, their place, and parts of fonts of which every letter is alike."""
    right = WIDTH - 3  # words beside a part reach further than the margin
    values = {
        "x": area.x - 4,
        "y": area.y,
        "below": area.y + 12,  # from the baseline to where no letter reaches the page
        "bottom": area.bottom,
        "middle": area.bottom + area.height / 2,
        "top": area.bottom + area.height,
        "right": right,
        "width": right - area.x + 4,
        "height": area.height,
        "form": FORM,
        "words": literal(" ".join(area.lines)),
        "strips": "".join(
            rectangle(area.x - 4, area.bottom + row * 1.5, right - area.x + 4, 1.6, "1 g")
            for row in range(round(area.height / 1.5))
        ),
        "widths": "500 " * len(ASCII),
        "alike": "/g " * len(ASCII),
        "ascii": CHARACTER_MAP.format("1 beginbfrange <20> <7E> <0020> endbfrange"),
    }
    template = re.sub(r"\{text(?: (\w+))?\}", lambda mark: area.shown(name=mark[1] or "F1"), template)
    return re.sub(r"\{(\w+)\}", lambda mark: str(values[mark[1]]), template)


def drawn(*templates: str, resources: str = "", objects: Sequence[Sequence[str]] = (), **rest: str) -> Build:
    """Drawn by one of these templates. An object is its text, or the entries and the content of a stream."""

    def make(resume: HidingResume) -> bytes:
        areas: list[Area] = []

        def draw(area: Area, resume: HidingResume) -> str:
            areas.append(area)
            return filled_in(resume.pick(*templates), area)

        operators = page_operators(resume, draw)
        inner = [[filled_in(part, areas[0]) for part in parts] for parts in objects]
        numbered: dict[int, bytes | str] = {
            FIRST_FREE + place: stream(parts[1].encode("latin-1"), parts[0]) if len(parts) > 1 else parts[0]
            for place, parts in enumerate(inner)
        }
        more = {name: filled_in(value, areas[0]) for name, value in rest.items()}
        return pdf(operators, resources, numbered, **more)

    return make


def recoded(*drawn_as: str) -> Build:
    """In a font in which codes draw other letters than they stand for: letters of a text in turn, or one per word.

    Without a text, every code draws the letter that it stands for.
    """

    def make(resume: HidingResume) -> bytes:
        codes: dict[tuple[str, str], str] = {}

        def draw(area: Area, resume: HidingResume) -> str:
            shapes, turn = resume.pick(*drawn_as), 0
            lines = []
            for line in area.lines:
                units = [f"{word} " for word in line.split()] if len(shapes) == 1 else list(line)
                encoded = ""
                for unit in units:
                    pair = (shapes[turn % len(shapes)] if shapes else unit, unit)
                    encoded += codes.setdefault(pair, chr(33 + len(codes)))
                    turn += 1
                lines.append(encoded)
            return Area(tuple(lines), area.x, area.y).shown(name="R")

        operators = page_operators(resume, draw)
        names = " ".join(f"/{GLYPH_NAMES.get(shape, shape)}" for shape, _ in codes)
        pairs = [f"<{ord(code):02X}> <{text.encode('utf-16-be').hex()}>" for (_, text), code in codes.items()]
        blocks = [pairs[start : start + 100] for start in range(0, len(pairs), 100)]
        cmap = CHARACTER_MAP.format(
            " ".join(f"{len(block)} beginbfchar {' '.join(block)} endbfchar" for block in blocks)
        )
        font = (
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R "
            f"/Encoding << /Type /Encoding /Differences [33 {names}] >> >>"
        )
        return pdf(operators, "", {6: font, 7: stream(cmap.encode())}, fonts="/R 6 0 R")

    return make


GLYPH_NAMES = {" ": "space", "-": "hyphen", "4": "four", "_": "underscore", "\x95": "bullet"}


def redrawn() -> Build:
    """In a Type 3 font of which every letter is drawn as it is in the usual font."""
    procedures = [["", f"600 0 d0 BT /F1 1000 Tf {literal(chr(code))} Tj ET"] for code in ASCII]
    names = [f"/c{code}" for code in ASCII]
    font = (
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 -300 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32 "
        f"/LastChar 126 /Widths [{'600 ' * len(ASCII)}] /Encoding << /Differences [32 {' '.join(names)}] >> "
        f"/CharProcs << {' '.join(f'{name} {8 + place} 0 R' for place, name in enumerate(names))} >> "
        "/ToUnicode 7 0 R /Resources << /Font << /F1 4 0 R >> >> >>"
    )
    return drawn("{text T}", fonts="/T 6 0 R", objects=[[font], ["", "{ascii}"], *procedures])


MORE_KINDS, MORE_CONTROLS = read_table("pdf_more", drawn, recoded, redrawn)
LATER_KINDS, _ = read_table("pdf_later", drawn)
