"""The style sheet: what each style means once its ancestors and the document defaults are counted in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeVar

from evenhand.documents.draft import BLACK, RGB, WHITE
from evenhand.documents.office.blocks import mixed, parse_hex
from evenhand.documents.office.docx.package import (
    MC,
    VAL,
    W14,
    W15,
    W,
    emus,
    integer,
    is_on,
    number,
    points,
    twips,
    value,
    w,
)
from evenhand.documents.office.docx.theme import Theme, attribute, local
from evenhand.documents.office.package import Element
from evenhand.documents.properties import is_harmless

# Run, paragraph and table properties as one element states them; None where it says nothing.


AUTOMATIC: RGB = (-1, -1, -1)
"""A colour left to the application, or a fill that is explicitly none."""

Ink = tuple[tuple[RGB, float], ...]
"""Colours along a text fill, each with its opacity."""

SAMPLES = 20  # of a gradient
LINE_GROWS = -1.0
SINGLE_LINE = 240.0  # what a line rule of one line says
USUAL_CHARACTER = 10.5  # points, of an indentation that is counted in characters
HIGHLIGHTS = {
    "black": BLACK, "blue": (0, 0, 255), "cyan": (0, 255, 255), "green": (0, 255, 0),
    "magenta": (255, 0, 255), "red": (255, 0, 0), "yellow": (255, 255, 0), "white": WHITE,
    "darkBlue": (0, 0, 128),
    "darkCyan": (0, 128, 128), "darkGreen": (0, 128, 0), "darkMagenta": (128, 0, 128), "darkRed": (128, 0, 0),
    "darkYellow": (128, 128, 0), "darkGray": (128, 128, 128), "lightGray": (192, 192, 192), "none": AUTOMATIC,
}  # fmt: skip
T = TypeVar("T", bound="RunFormat | DocxParagraphFormat")


class RunFormat(NamedTuple):
    font: str | None = None
    size: float | None = None
    bold: bool | None = None
    italic: bool | None = None
    color: RGB | None = None
    vanish: bool | None = None
    shade: RGB | None = None
    highlight: RGB | None = None
    ink: Ink | None = None  # a text fill, which wins over the colour; empty for none
    outline: Ink | None = None
    outline_width: float | None = None
    script: float | None = None  # size of raised and lowered letters as a share of normal
    complex: bool | None = None  # set as a complex script, in its size
    complex_size: float | None = None
    fit: tuple[float, str] | None = None  # points that a run is fitted into, and the name that runs share for it
    unknown: bool | None = None  # formatted in a way that may hide it
    scale: float | None = None  # width of the characters, 1.0 is normal
    raised: float | None = None  # points above the line
    spacing: float | None = None  # points between characters
    style: str | None = None


class DocxParagraphFormat(NamedTuple):
    style: str | None = None
    list_id: str | None = None
    level: int | None = None
    before: float | None = None
    after: float | None = None
    contextual: bool | None = None
    shade: RGB | None = None
    outline: int | None = None
    left: float | None = None  # indentation in points
    right: float | None = None
    align: str | None = None
    exact_line: float | None = None  # line height that does not grow with the text
    page_break: bool | None = None
    drop_cap: bool | None = None
    frame_x: float | None = None
    frame_y: float | None = None
    frame_height: float | None = None  # of a frame that does not grow
    frame_width: float | None = None
    frame_from: tuple[str, str] | None = None  # what a frame's place counts from, across and down
    first: float | None = None  # indentation of the first line, beyond the others
    line_share: float | None = None  # line height as a share of single
    tab_stops: tuple[float, ...] | None = None
    collapsed: bool | None = None  # what stands under this heading is folded away
    unknown: bool | None = None


def over(upper: T, lower: T) -> T:
    """What `upper` states, and below it what `lower` does."""
    merged = [b if a is None else a for a, b in zip(upper, lower, strict=True)]
    return type(upper)._make(merged)  # type: ignore[return-value]


EMPTY_RUN = RunFormat()
EMPTY_PARAGRAPH = DocxParagraphFormat()
RUN_FIELDS = {
    w("b"): "bold", w("i"): "italic", w("vanish"): "vanish", w("rFonts"): "font", w("sz"): "size",
    w("color"): "color", w("shd"): "shade", w("highlight"): "highlight", w("w"): "scale",
    w("position"): "raised", w("spacing"): "spacing", w("rStyle"): "style", f"{{{W14}}}textFill": "ink",
    w("specVanish"): "vanish", w("vertAlign"): "script", w("rtl"): "complex", w("cs"): "complex",
    w("szCs"): "complex_size", w("fitText"): "fit", w("eastAsianLayout"): "script",
    f"{{{W14}}}textOutline": "outline", f"{{{W14}}}scene3d": "unknown",
}  # fmt: skip
WEB_HIDDEN = w("webHidden")
SWITCHES = {"bold", "italic", "vanish", "complex"}
SCRIPT, COMBINED = 0.65, 0.5  # how much smaller letters are when raised or lowered, and two lines in one
FRONT = ("orthographicFront", "perspectiveFront")
WORD = (f"{{{W}}}", "{http://schemas.microsoft.com/office/word/2", f"{{{MC}}}")  # whose elements Word understands


def may_hide(properties: Element, holder: str) -> bool:
    """Whether something is stated that Word understands, and that nobody can say to leave the text visible."""
    return any(tag_may_hide(child.tag, holder) for child in properties)


@lru_cache(maxsize=4096)
def tag_may_hide(tag: str, holder: str) -> bool:
    return tag.startswith(WORD) and not is_harmless("docx", holder, tag.rpartition("}")[2])


def read_run(properties: Element | None, theme: Theme) -> RunFormat:
    """What one w:rPr states."""
    if properties is None or not len(properties):
        return EMPTY_RUN
    stated: dict[str, object] = {}
    for child in properties:
        name = RUN_FIELDS.get(child.tag)
        if name is None:
            if child.tag == WEB_HIDDEN and theme.is_web_view and is_on(child):
                stated["vanish"] = True
            elif tag_may_hide(child.tag, "run"):
                stated["unknown"] = True
        elif name in SWITCHES:
            stated[name] = is_on(child)
        else:
            result = _run_value(name, child, theme)
            if result is not None:
                stated[name] = result
            elif name == "ink":
                stated["unknown"] = True
    if "outline" in stated:
        outline = properties.find(f"{{{W14}}}textOutline")
        stated["outline_width"] = emus(attribute(outline, "w")) if outline is not None else None
    return RunFormat(**stated) if stated else EMPTY_RUN  # type: ignore[arg-type]


def _run_value(name: str, child: Element, theme: Theme) -> object:
    val = child.get(VAL)
    match name:
        case "font":
            return font_name(child, theme)
        case "size" | "raised" | "complex_size":
            return points(val, per_point=2)
        case "color":
            tint, shade = child.get(w("themeTint")), child.get(w("themeShade"))
            themed = theme.color(child.get(w("themeColor")), tint=tint, shade=shade)
            return themed or (AUTOMATIC if val == "auto" else parse_hex(val))
        case "shade":
            return shade_color(child, theme)
        case "highlight":
            return HIGHLIGHTS.get(val or "")
        case "scale":
            percent = points((val or "").rstrip("%"), per_point=1)
            return percent / 100 if percent is not None else None
        case "ink" | "outline":
            return _ink(child, theme)
        case "script" if child.tag == w("eastAsianLayout"):
            return COMBINED if child.get(w("combine")) is not None else None
        case "script":
            return SCRIPT if val in ("superscript", "subscript") else 1.0
        case "fit":
            return twips(val) or 0.0, child.get(w("id")) or ""
        case "unknown":  # a scene in space, looked at from the front unless it says otherwise
            camera = next((part for part in child if local(part) == "camera"), None)
            turned = camera is not None and (len(camera) > 0 or attribute(camera, "prst") not in FRONT)
            return turned or None
    return twips(val) if name == "spacing" else val


def _ink(fill: Element, theme: Theme) -> Ink | None:
    """The text fill of Word 2010 and later; None for one that nobody can tell."""
    kind = next((child for child in fill if not local(child).startswith(("prst", "round", "bevel", "miter"))), None)
    if kind is None or local(kind) not in ("noFill", "solidFill", "gradFill"):
        return None
    if local(kind) == "noFill":
        return ()
    holders = [kind] if local(kind) == "solidFill" else [part for part in kind.iter() if local(part) == "gs"]
    stops: list[tuple[float, RGB, float]] = []
    for holder in holders:
        drawn = theme.drawn_color(holder)
        if drawn is None:
            return None
        # Here alpha counts transparency, unlike in DrawingML.
        clear = any(local(part) == "alpha" for part in holder.iter())
        place = points((attribute(holder, "pos") or "0").rstrip("%"), per_point=100_000) or 0.0
        stops.append((place, drawn[0], 1 - drawn[1] if clear else drawn[1]))
    if len(stops) < 2:
        return ((stops[0][1], stops[0][2]),) if stops else None
    return tuple(_along(sorted(stops), (place + 0.5) / SAMPLES) for place in range(SAMPLES))


def _along(stops: list[tuple[float, RGB, float]], place: float) -> tuple[RGB, float]:
    """Colour and opacity at a place of a gradient."""
    after = next((stop for stop in stops if stop[0] >= place), stops[-1])
    before = next((stop for stop in reversed(stops) if stop[0] <= place), stops[0])
    share = (place - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    return mixed(after[1], before[1], share), after[2] * share + before[2] * (1 - share)


def font_name(fonts: Element, theme: Theme) -> str | None:
    for kind in ("ascii", "hAnsi"):
        themed = theme.font(fonts.get(w(f"{kind}Theme")))
        named = themed or fonts.get(w(kind))
        if named:
            return named
    return None


def shade_color(element: Element, theme: Theme) -> RGB | None:
    """The fill behind text; patterns count as the mixture the eye sees."""
    fill = theme.color(
        element.get(w("themeFill")), tint=element.get(w("themeFillTint")), shade=element.get(w("themeFillShade"))
    ) or parse_hex(element.get(w("fill")))
    pattern = element.get(VAL) or "clear"
    if pattern in ("clear", "nil", "none"):
        return fill or AUTOMATIC
    ink = theme.color(element.get(w("themeColor"))) or parse_hex(element.get(w("color"))) or BLACK
    if pattern == "solid":
        return ink
    share = points(pattern.removeprefix("pct"), per_point=100) if pattern.startswith("pct") else 0.5
    return mixed(ink, fill or WHITE, share or 0.0)


def read_paragraph(properties: Element | None, theme: Theme) -> DocxParagraphFormat:
    """What one w:pPr states."""
    if properties is None or not len(properties):
        return EMPTY_PARAGRAPH
    stated = {child.tag: child for child in properties}
    numbering = stated.get(w("numPr"))
    spacing, indent, tabs = stated.get(w("spacing")), stated.get(w("ind")), stated.get(w("tabs"))
    line = spacing.get(w("line")) if spacing is not None else None
    rule = spacing.get(w("lineRule")) or "auto" if spacing is not None else None
    frame, collapsed = stated.get(w("framePr")), stated.get(f"{{{W15}}}collapsed")
    first, hanging = _indent(indent, "firstLine"), _indent(indent, "hanging")
    shade = stated.get(w("shd"))
    contextual = stated.get(w("contextualSpacing"))
    break_before = stated.get(w("pageBreakBefore"))
    return DocxParagraphFormat(
        style=_val(stated.get(w("pStyle"))),
        list_id=value(numbering, w("numId")),
        level=integer(value(numbering, w("ilvl"))),
        before=_space(spacing, "before"),
        after=_space(spacing, "after"),
        contextual=is_on(contextual) if contextual is not None else None,
        shade=shade_color(shade, theme) if shade is not None else None,
        outline=integer(_val(stated.get(w("outlineLvl")))),
        left=_indent(indent, "left", "start"),
        right=_indent(indent, "right", "end"),
        first=-hanging if hanging is not None else first,
        align=_val(stated.get(w("jc"))),
        # A line rule that is not exact must cancel an exact one below it, hence a number rather than None.
        exact_line=None if line is None else twips(line) if rule == "exact" else LINE_GROWS,
        line_share=None if line is None else (number(line) or 0.0) / SINGLE_LINE if rule == "auto" else 1.0,
        page_break=is_on(break_before) if break_before is not None else None,
        drop_cap=frame.get(w("dropCap")) in ("drop", "margin") if frame is not None else None,
        frame_x=twips(frame.get(w("x"))) if frame is not None else None,
        frame_y=twips(frame.get(w("y"))) if frame is not None else None,
        frame_height=twips(frame.get(w("h"))) if frame is not None and frame.get(w("hRule")) == "exact" else None,
        frame_width=twips(frame.get(w("w"))) if frame is not None else None,
        frame_from=(frame.get(w("hAnchor")) or "text", frame.get(w("vAnchor")) or "text")
        if frame is not None
        else None,
        tab_stops=tuple(sorted(_tab_stops(tabs))) if tabs is not None else None,
        collapsed=is_on(collapsed) if collapsed is not None else None,
        unknown=True if may_hide(properties, "paragraph") else None,
    )


def _tab_stops(tabs: Element) -> Iterator[float]:
    for tab in tabs:
        place = twips(tab.get(w("pos")))
        if place is not None and tab.get(VAL) not in ("clear", "bar", "num"):
            yield place


def _val(element: Element | None) -> str | None:
    return element.get(VAL) if element is not None else None


def _space(spacing: Element | None, side: str) -> float | None:
    if spacing is None:
        return None
    if (spacing.get(w(f"{side}Autospacing")) or "0").lower() not in ("0", "false", "off"):
        return 14.0  # what Word gives paragraphs of web pages
    return twips(spacing.get(w(side)))


def _indent(indent: Element | None, *names: str) -> float | None:
    """By its old or its new name."""
    if indent is None:
        return None
    for name in names:  # the one that counts characters wins
        characters = number(indent.get(w(f"{name}Chars")))
        if characters:
            return characters / 100 * USUAL_CHARACTER
    return twips(next(filter(None, (indent.get(w(name)) for name in names)), None))


MAX_ANCESTORS = 30
DEFAULT_SIZE = 10.0  # points, where a file sets none
HEADING_NAMES = ("heading", "title", "überschrift", "titre", "título", "titolo", "rubrik", "kop ", "заголовок")


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    format: DocxParagraphFormat
    run: RunFormat
    heading: bool = False


class StyleSheet:
    """Resolves styles by id; unknown ids mean the default style, as in Word."""

    def __init__(self, root: Element | None, theme: Theme) -> None:
        self.theme = theme
        self._elements: dict[tuple[str, str], Element] = {}
        self._default: dict[str, str] = {}
        self._paragraphs: dict[str | None, ParagraphStyle] = {}
        self._runs: dict[str | None, RunFormat] = {}
        for style in root.iter(w("style")) if root is not None else ():
            kind, identifier = style.get(w("type")) or "paragraph", style.get(w("styleId"))
            if identifier is None:
                continue
            self._elements.setdefault((kind, identifier), style)
            if (style.get(w("default")) or "0").lower() in ("1", "true", "on"):
                self._default.setdefault(kind, identifier)
        run = root.find(f"{w('docDefaults')}/{w('rPrDefault')}/{w('rPr')}") if root is not None else None
        paragraph = root.find(f"{w('docDefaults')}/{w('pPrDefault')}/{w('pPr')}") if root is not None else None
        self.base_run = over(read_run(run, theme), RunFormat(size=DEFAULT_SIZE))
        self.base_paragraph = read_paragraph(paragraph, theme)

    def paragraph(self, identifier: str | None) -> ParagraphStyle:
        if identifier not in self._paragraphs:
            name = self.known("paragraph", identifier)
            paragraph, run, heading = EMPTY_PARAGRAPH, EMPTY_RUN, False
            for element in self.chain("paragraph", name):
                paragraph = over(paragraph, read_paragraph(element.find(w("pPr")), self.theme))
                run = over(run, read_run(element.find(w("rPr")), self.theme))
                label = (value(element, w("name")) or "").lower()
                heading = heading or label.startswith(HEADING_NAMES)
                if label[:8] == "heading " and label[8:].isdecimal():
                    paragraph = over(paragraph, EMPTY_PARAGRAPH._replace(outline=int(label[8:]) - 1))
            # The style's own name says which list level is linked to it; ancestors only lend their properties.
            self._paragraphs[identifier] = ParagraphStyle(paragraph._replace(style=name), run, heading)
        return self._paragraphs[identifier]

    def run(self, identifier: str | None) -> RunFormat:
        if identifier not in self._runs:
            run = EMPTY_RUN
            for element in self.chain("character", identifier):
                run = over(run, read_run(element.find(w("rPr")), self.theme))
            self._runs[identifier] = run
        return self._runs[identifier]

    def list_style(self, identifier: str | None) -> str | None:
        """The numbering a list style points at."""
        numbers = (
            value(element.find(f"{w('pPr')}/{w('numPr')}"), w("numId"))
            for element in self.chain("numbering", identifier)
        )
        return next((number for number in numbers if number is not None), None)

    def chain(self, kind: str, identifier: str | None) -> list[Element]:
        """Style elements from the named one to its oldest ancestor."""
        chain: list[Element] = []
        while identifier is not None and len(chain) < MAX_ANCESTORS:
            element = self._elements.get((kind, identifier))
            if element is None or element in chain:
                break
            chain.append(element)
            identifier = value(element, w("basedOn"))
        return chain

    def known(self, kind: str, identifier: str | None) -> str | None:
        """The identifier, or that of the default style where no style has it."""
        return identifier if (kind, identifier or "") in self._elements else self._default.get(kind)


def combine(character: RunFormat, paragraph: RunFormat) -> RunFormat:
    """Character style over paragraph style; a switch that both turn on is off, as in Word."""
    if character is EMPTY_RUN:
        return paragraph
    merged = over(character, paragraph)
    return merged._replace(
        bold=_toggled(character.bold, paragraph.bold),
        italic=_toggled(character.italic, paragraph.italic),
        vanish=_toggled(character.vanish, paragraph.vanish),
    )


def _toggled(upper: bool | None, lower: bool | None) -> bool | None:
    if upper is None:
        return lower
    return upper != bool(lower) if upper else bool(lower)
