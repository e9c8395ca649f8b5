"""Styles of OpenDocument: what each means once its parents and the defaults are counted in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from evenhand.documents.draft import RGB, TINY_POINTS
from evenhand.documents.office.blocks import PAPER, Backdrop, parse_hex
from evenhand.documents.office.odt.package import may_hide, points, q, share
from evenhand.documents.office.package import Element

MAX_ANCESTORS = 30
DEFAULT_SIZE = 12.0
AUTOMATIC: RGB = (-1, -1, -1)
NO_FILL: RGB = (-2, -2, -2)
MAX_MARGIN_SHARE = 5.0  # of the margin of the style below
STYLE_FOLDERS = ("office:styles", "office:automatic-styles")


class TextFormat(NamedTuple):
    """None where a style says nothing."""

    font: str | None = None
    size: float | None = None
    relative_size: float | None = None  # of the size around it
    bold: bool | None = None
    italic: bool | None = None
    color: RGB | None = None
    display: bool | None = None
    background: RGB | None = None
    opacity: float | None = None
    scale: float | None = None
    spacing: float | None = None
    raised: float | None = None  # above the line, as a share of the size
    script: float | None = None  # size of raised and lowered letters as a share of normal
    unknown: bool | None = None  # formatted in a way that may hide it

    def over(self, lower: TextFormat) -> TextFormat:
        if self is EMPTY_TEXT:
            return lower
        merged = TextFormat._make(b if a is None else a for a, b in zip(self, lower, strict=True))
        if self.relative_size is not None:
            merged = merged._replace(size=(lower.size or DEFAULT_SIZE) * self.relative_size, relative_size=None)
        return merged


class OdtParagraphFormat(NamedTuple):
    before: float | None = None
    after: float | None = None
    left: float | None = None
    right: float | None = None
    align: str | None = None
    background: RGB | None = None
    fixed_line: float | None = None  # line height in points that does not grow
    page_break: bool | None = None
    master: str | None = None
    list_style: str | None = None
    outline: int | None = None
    contextual: bool | None = None
    first: float | None = None  # indentation of the first line, beyond the others
    line_share: float | None = None  # line height as a share of single
    tab_stops: tuple[float, ...] | None = None
    unknown: bool | None = None

    def over(self, lower: OdtParagraphFormat) -> OdtParagraphFormat:
        return OdtParagraphFormat._make(b if a is None else a for a, b in zip(self, lower, strict=True))


EMPTY_TEXT = TextFormat()


class OdtStyles:
    """Looks styles up by family and name."""

    def __init__(self, roots: list[Element]) -> None:
        self._elements: dict[tuple[str, str], Element] = {}
        self._default: dict[str, Element] = {}
        self._fonts: dict[str, str] = {}
        self._text: dict[tuple[str, str | None, bool], TextFormat] = {}
        self._paragraph: dict[str | None, OdtParagraphFormat] = {}
        for root in roots:
            for face in root.iter(q("style:font-face")):
                family = (face.get(q("svg:font-family")) or "").strip("'\" ")
                self._fonts[face.get(q("style:name")) or ""] = family or (face.get(q("style:name")) or "")
            for holder in (holder for folder in STYLE_FOLDERS for holder in root.iter(q(folder))):
                for style in holder.iter(q("style:style")):
                    self._elements[style.get(q("style:family")) or "", style.get(q("style:name")) or ""] = style
                for style in holder.iter(q("style:default-style")):
                    self._default[style.get(q("style:family")) or ""] = style

    def chain(self, family: str, name: str | None) -> list[Element]:
        """From the named style to its oldest ancestor, then the family's default."""
        chain: list[Element] = []
        while name is not None and len(chain) < MAX_ANCESTORS:
            style = self._elements.get((family, name))
            if style is None or style in chain:
                break
            chain.append(style)
            name = style.get(q("style:parent-style-name"))
        if family in self._default:
            chain.append(self._default[family])
        return chain

    def text(self, family: str, name: str | None, *, defaults: bool = True) -> TextFormat:
        """Text properties of a style; a character style's default is left to the paragraph around it."""
        key = (family, name, defaults)
        if key not in self._text:
            text = EMPTY_TEXT
            for style in reversed(self.chain(family, name)):
                if not defaults and style.tag == q("style:default-style"):
                    continue
                text = self.read_text(style.find(q("style:text-properties"))).over(text)
                if family != "graphic" and style.find(q("style:map")) is not None:
                    text = text._replace(unknown=True)  # another style may take its place
            self._text[key] = text
        return self._text[key]

    def paragraph(self, name: str | None) -> OdtParagraphFormat:
        if name not in self._paragraph:
            format_ = OdtParagraphFormat()
            for style in self.chain("paragraph", name):
                format_ = format_.over(_read_paragraph(style))
            # The master page belongs to the style itself; parents do not pass it on.
            own = self._elements.get(("paragraph", name or ""))
            master = own.get(q("style:master-page-name")) if own is not None else None
            self._paragraph[name] = format_._replace(master=master or None)
        return self._paragraph[name]

    def property(self, family: str, name: str | None, holder: str, attribute: str) -> str | None:
        """One attribute, from the nearest style that states it."""
        for style in self.chain(family, name):
            properties = style.find(q(holder))
            stated = properties.get(q(attribute)) if properties is not None else None
            if stated is not None:
                return stated
        return None

    def read_text(self, properties: Element | None) -> TextFormat:
        if properties is None:
            return EMPTY_TEXT
        get = properties.get
        size = get(q("fo:font-size"))
        color = parse_hex(get(q("fo:color")))
        if get(q("style:use-window-font-color")) == "true":
            color = AUTOMATIC
        opacity = share(get(q("loext:opacity")))
        if color is not None:
            # It goes with the colour beside it; LibreOffice writes 0% beside automatic colours, which are drawn.
            opacity = 1.0 if color == AUTOMATIC or opacity is None else opacity
        weight, slant, display = get(q("fo:font-weight")), get(q("fo:font-style")), get(q("text:display"))
        raised, script = _text_position(get(q("style:text-position")))
        smaller = points(get(q("style:font-size-rel")))
        relative = share(size) if smaller is None or size is not None else 1 + smaller / DEFAULT_SIZE
        if get(q("style:text-combine")) in ("letters", "lines"):
            script = 0.5
        return TextFormat(
            font=self.font(properties),
            size=points(size),
            relative_size=relative,
            bold=None if weight is None else weight == "bold" or (weight.isdigit() and int(weight) >= 600),
            italic=None if slant is None else slant in ("italic", "oblique"),
            color=color,
            display=None if display is None else display == "true",
            background=fill_color(get(q("fo:background-color"))),
            opacity=opacity,
            scale=share(get(q("style:text-scale"))),
            spacing=points(get(q("fo:letter-spacing"))),
            raised=raised,
            script=script,
            unknown=True if any(may_hide(str(name), "text") for name in properties.attrib) else None,
        )

    def font(self, properties: Element) -> str | None:
        named = properties.get(q("style:font-name"))
        if named is not None:
            return self._fonts.get(named, named) or None
        family = properties.get(q("fo:font-family"))
        return family.strip("'\" ") if family else None


def _text_position(text: str | None) -> tuple[float | None, float | None]:
    """ "super 58%" or "-20% 80%": how far from the line, and how small."""
    place, _, size = (text or "").strip().partition(" ")
    if not place:
        return None, None
    script = share(size) if size else None
    raised = {"super": 0.33, "sub": -0.33}.get(place, share(place))
    return raised or 0.0, script if script is not None else 0.58 if raised else 1.0


def fill_color(text: str | None) -> RGB | None:
    return NO_FILL if text == "transparent" else parse_hex(text)


def _read_paragraph(style: Element) -> OdtParagraphFormat:
    properties = style.find(q("style:paragraph-properties"))
    level = style.get(q("style:default-outline-level"))
    outline = int(level) if level and level.isdigit() else None
    list_style = style.get(q("style:list-style-name"))
    if properties is None:
        return OdtParagraphFormat(list_style=list_style, outline=outline)
    get = properties.get
    contextual = get(q("style:contextual-spacing"))
    line = get(q("fo:line-height"))
    fill = get(q("draw:fill-color")) if get(q("draw:fill")) == "solid" else get(q("fo:background-color"))
    unknown = any(may_hide(str(name), "paragraph") for name in properties.attrib)
    far = [share(get(q(f"fo:margin-{side}"))) or 0.0 for side in ("left", "right")]
    stops = properties.iterfind(f"{q('style:tab-stops')}/{q('style:tab-stop')}")
    return OdtParagraphFormat(
        before=points(get(q("fo:margin-top")) or get(q("fo:margin"))),
        after=points(get(q("fo:margin-bottom")) or get(q("fo:margin"))),
        left=points(get(q("fo:margin-left"))),
        right=points(get(q("fo:margin-right"))),
        align=get(q("fo:text-align")),
        background=fill_color(fill),
        fixed_line=points(line) if line and not line.endswith("%") else None,
        page_break=get(q("fo:break-before")) == "page" or None,
        list_style=list_style,
        outline=outline,
        contextual=None if contextual is None else contextual == "true",
        first=points(get(q("fo:text-indent"))),
        line_share=share(line),
        tab_stops=tuple(sorted(points(stop.get(q("style:position"))) or 0.0 for stop in stops)) or None,
        unknown=True if unknown or max(map(abs, far)) > MAX_MARGIN_SHARE else None,
    )


# Master pages of OpenDocument: paper, margins, page colour, headers and footers.

USUAL = "Standard"
A4 = (595.0, 842.0)
USUAL_MARGIN = 57.0
HEADERS = ("style:header-first", "style:header", "style:header-left")
FOOTERS = ("style:footer-first", "style:footer", "style:footer-left")


@dataclass(frozen=True, slots=True)
class OdtPage:
    width: float = A4[0]
    height: float = A4[1]
    left: float = USUAL_MARGIN
    right: float = USUAL_MARGIN
    top: float = USUAL_MARGIN
    backdrop: Backdrop = PAPER
    bottom: float = USUAL_MARGIN

    @property
    def cramped(self) -> bool:
        """No letter finds room between the margins."""
        return min(self.width - self.left - self.right, self.height - self.top - self.bottom) < TINY_POINTS

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def text_width(self) -> float:
        return max(self.width - self.left - self.right, 1.0)


class Masters:
    """Master pages by name, and the layouts they point at."""

    def __init__(self, root: Element | None) -> None:
        self._layouts: dict[str, Element] = {}
        self._masters: dict[str, Element] = {}
        for layout in root.iter(q("style:page-layout")) if root is not None else ():
            self._layouts[layout.get(q("style:name")) or ""] = layout
        for master in root.iter(q("style:master-page")) if root is not None else ():
            self._masters[master.get(q("style:name")) or ""] = master

    def usual(self) -> str:
        return USUAL if USUAL in self._masters else next(iter(self._masters), USUAL)

    def page(self, name: str) -> OdtPage:
        master = self._masters.get(name)
        layout = self._layouts.get(master.get(q("style:page-layout-name")) or "") if master is not None else None
        properties = layout.find(q("style:page-layout-properties")) if layout is not None else None
        if properties is None:
            return OdtPage()
        get = properties.get
        width, height = points(get(q("fo:page-width"))) or A4[0], points(get(q("fo:page-height"))) or A4[1]
        usual = points(get(q("fo:margin")))
        margins = []
        for side in ("left", "right", "top", "bottom"):
            stated = points(get(q(f"fo:margin-{side}")))
            margins.append(stated if stated is not None else usual if usual is not None else USUAL_MARGIN)
        color = fill_color(get(q("fo:background-color")))
        backdrop = (color,) if color is not None and color != NO_FILL else PAPER
        image = properties.find(q("style:background-image"))
        if (image is not None and len(image.attrib)) or get(q("draw:fill")) in ("bitmap", "gradient", "hatch"):
            backdrop = None
        left, right, top, bottom = margins
        return OdtPage(width, height, left, right, top, backdrop, bottom)

    def furniture(self, names: list[str], kinds: tuple[str, ...]) -> list[Element]:
        """Headers or footers of the used master pages and of those that follow them."""
        reached: dict[str, None] = {}
        for first in dict.fromkeys(names):
            name = first
            while name in self._masters and name not in reached:
                reached[name] = None
                name = self._masters[name].get(q("style:next-style-name")) or name
        elements = (self._masters[name].find(q(kind)) for name in reached for kind in kinds)
        return [part for part in elements if part is not None and part.get(q("style:display")) != "false"]
