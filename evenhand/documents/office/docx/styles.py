"""The style sheet: what each style means once its ancestors and the document defaults are counted in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from evenhand.documents.draft import BLACK, RGB, WHITE
from evenhand.documents.office.blocks import mixed, parse_hex
from evenhand.documents.office.docx.package import VAL, W14, integer, is_on, points, twips, value, w
from evenhand.documents.office.docx.theme import Theme, attribute, local
from evenhand.documents.office.package import Element

# Run, paragraph and table properties as one element states them; None where it says nothing.


AUTOMATIC: RGB = (-1, -1, -1)
"""A colour left to the application, or a fill that is explicitly none."""

TRANSPARENT_FROM = 0.9
LINE_GROWS = -1.0
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
    clear: bool | None = None  # painted with no or a see-through colour
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


def over(upper: T, lower: T) -> T:
    """What `upper` states, and below it what `lower` does."""
    merged = [b if a is None else a for a, b in zip(upper, lower, strict=True)]
    return type(upper)._make(merged)  # type: ignore[return-value]


EMPTY_RUN = RunFormat()
EMPTY_PARAGRAPH = DocxParagraphFormat()
RUN_FIELDS = {
    w("b"): "bold", w("i"): "italic", w("vanish"): "vanish", w("rFonts"): "font", w("sz"): "size",
    w("color"): "color", w("shd"): "shade", w("highlight"): "highlight", w("w"): "scale",
    w("position"): "raised", w("spacing"): "spacing", w("rStyle"): "style", f"{{{W14}}}textFill": "clear",
}  # fmt: skip
SWITCHES = {"bold", "italic", "vanish"}


def read_run(properties: Element | None, theme: Theme) -> RunFormat:
    """What one w:rPr states."""
    if properties is None or not len(properties):
        return EMPTY_RUN
    stated: dict[str, object] = {}
    for child in properties:
        name = RUN_FIELDS.get(child.tag)
        if name is None:
            continue
        if name in SWITCHES:
            stated[name] = is_on(child)
        elif name == "clear":
            stated.update(_text_fill(child, theme, outlined=properties.find(f"{{{W14}}}textOutline") is not None))
        else:
            result = _run_value(name, child, theme)
            if result is not None and not (name == "color" and "clear" in stated):
                stated[name] = result
    return RunFormat(**stated) if stated else EMPTY_RUN  # type: ignore[arg-type]


def _run_value(name: str, child: Element, theme: Theme) -> object:
    val = child.get(VAL)
    match name:
        case "font":
            return font_name(child, theme)
        case "size" | "raised":
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
    return twips(val) if name == "spacing" else val


def _text_fill(fill: Element, theme: Theme, *, outlined: bool) -> dict[str, object]:
    """The text fill of Word 2010 and later; its alpha counts transparency, unlike DrawingML's."""
    kind = next((child for child in fill if isinstance(child.tag, str)), None)
    if kind is None:
        return {}
    if local(kind) == "noFill":
        return {"clear": not outlined}
    if local(kind) != "solidFill":
        return {}
    drawn = theme.drawn_color(kind)
    if drawn is None:
        return {}
    color = next(iter(kind))
    alpha = next((child for child in color if local(child) == "alpha"), None)
    transparency = points((attribute(alpha, "val") or "").rstrip("%"), per_point=100_000) if alpha is not None else 0
    return {"color": drawn[0], "clear": (transparency or 0.0) >= TRANSPARENT_FROM}


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
    spacing = stated.get(w("spacing"))
    line = spacing.get(w("line")) if spacing is not None else None
    is_exact = spacing is not None and spacing.get(w("lineRule")) == "exact"
    frame = stated.get(w("framePr"))
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
        left=_indent(stated.get(w("ind")), "left", "start"),
        right=_indent(stated.get(w("ind")), "right", "end"),
        align=_val(stated.get(w("jc"))),
        # A line rule that is not exact must cancel an exact one below it, hence a number rather than None.
        exact_line=None if line is None else twips(line) if is_exact else LINE_GROWS,
        page_break=is_on(break_before) if break_before is not None else None,
        drop_cap=frame.get(w("dropCap")) in ("drop", "margin") if frame is not None else None,
        frame_x=twips(frame.get(w("x"))) if frame is not None else None,
        frame_y=twips(frame.get(w("y"))) if frame is not None else None,
        frame_height=twips(frame.get(w("h"))) if frame is not None and frame.get(w("hRule")) == "exact" else None,
    )


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
    stated = [indent.get(w(name)) for name in names] if indent is not None else []
    return twips(next(filter(None, stated), None))


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
        self._theme = theme
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
                paragraph = over(paragraph, read_paragraph(element.find(w("pPr")), self._theme))
                run = over(run, read_run(element.find(w("rPr")), self._theme))
                label = (value(element, w("name")) or "").lower()
                heading = heading or label.startswith(HEADING_NAMES)
            # The style's own name says which list level is linked to it; ancestors only lend their properties.
            self._paragraphs[identifier] = ParagraphStyle(paragraph._replace(style=name), run, heading)
        return self._paragraphs[identifier]

    def run(self, identifier: str | None) -> RunFormat:
        if identifier not in self._runs:
            run = EMPTY_RUN
            for element in self.chain("character", identifier):
                run = over(run, read_run(element.find(w("rPr")), self._theme))
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
