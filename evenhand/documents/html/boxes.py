"""The style of an element, where its box stands, and what of it is cut off, turned, or lies under another one."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from evenhand.documents.draft import BLACK, RGB, WHITE, blend, to_hex, too_close
from evenhand.documents.flow import CharacterStyle
from evenhand.documents.html import css
from evenhand.documents.html.css import SCREEN_PIXELS, TABLES, Unclear, Value, Variables
from evenhand.documents.properties import UNKNOWN

AXES = {"block": ("top", "bottom"), "inline": ("left", "right")}
_TINY_PIXELS = 4 * 4 / 3  # four points
ROOT_PIXELS = 16.0
_FAR_PIXELS = 300.0
_WIDE_PIXELS = 1_600.0
_SCREEN_HEIGHT = 720.0
FAINT, _SOLID = 0.1, 0.95
_DISPLAYS = frozenset(TABLES["displays"].split())
_POSITIONS = TABLES["positions"].split()
_OPEN_SIZES = frozenset(
    ["auto", "none", "max-content", "min-content", "fit-content", "stretch", "-webkit-fill-available", "intrinsic"]
)
_LETTER = 0.45  # the width of an average letter, in font sizes
_WORDS = re.compile(r"\S++\s*+")
_NARROW = 150.0
_DARK, _GREY = 100, 80
_SHALLOW = 12.0  # pixels of a shadow within a box that leave its middle as it is


@dataclass(slots=True, eq=False)
class Window:
    """A box that cuts off what leaves it, and how far text has filled it."""

    width: float
    height: float
    used: float = 0.0  # the height of all lines but the last
    across: float = 0.0  # the width of the last line
    line: float = 0.0

    def room(self, text: str, style: HtmlStyle) -> int:
        """How many of these letters are seen; the rest is beyond the edge."""
        size = style.size * style.scale
        self.line = size * style.leading
        # Columns may stand side by side in a high box.
        height = self.height if self.height <= 3.5 * self.line else 2 * self.height
        for word in _WORDS.finditer(text):
            width = len(word[0].rstrip()) * _LETTER * size
            if style.wraps and self.across and self.across + width > min(self.width, SCREEN_PIXELS):
                self.end_line()
            if self.used + self.line / 2 > height or (self.across >= self.width and not style.wraps):
                return word.start()
            self.across += len(word[0]) * _LETTER * size
        return len(text)

    def end_line(self) -> None:
        self.used += self.line if self.across else 0.0
        self.across = 0.0


class HtmlStyle(NamedTuple):
    """What an element hands to its children, and how it stands itself."""

    display: str = "block"
    size: float = 16.0  # pixels
    bold: bool = False
    italic: bool = False
    font: str | None = None
    color: RGB | None = BLACK  # None for a colour that is not understood
    colored: bool = False  # the page says so, not the browser
    alpha: float = 1.0
    backgrounds: tuple[RGB, ...] | None = (WHITE,)  # what may lie behind: nothing known of pictures, None if unclear
    anchor: tuple[RGB, ...] | None = (WHITE,)  # the same where what stands absolutely is placed from
    bare: tuple[RGB, ...] | None = (WHITE,)  # the same without its own background
    backed: bool = False  # an element around it paints a background
    opacity: float = 1.0
    visible: bool = True
    hidden: str | None = None  # holds for everything inside
    preserves: bool = False  # white space
    wraps: bool = True
    list_type: str | None = None
    positioned: bool = False  # what stands absolutely inside is placed from here
    scale: float = 1.0
    leading: float = 1.2
    shift: tuple[float, float] = (0.0, 0.0)
    window: Window | None = None  # the nearest box around it that cuts off what leaves it
    moved: tuple[float, float] = (0.0, 0.0)  # the shift within it
    above: float = 0.0  # empty room at its top
    tall: float = 0.0  # the height it takes up at least
    boxed: bool = False  # a field or a drawing, which cuts off by itself
    inks: tuple[RGB, ...] = ()  # colours that a rule which may apply gives the text
    drawing: bool = False  # within SVG
    canvas: tuple[float, float, float, float] | None = None  # left, top, width, height of the drawing
    variables: Variables = Variables()
    root: float = ROOT_PIXELS  # the font size of the page's outermost element

    def look(self) -> CharacterStyle:
        return CharacterStyle(
            font=self.font,
            size=round(self.size * 0.75, 2),
            bold=self.bold,
            italic=self.italic,
            color=to_hex(self.color) if self.colored and self.color else None,
            hidden=self._reason(),
        )

    def _reason(self) -> str | None:
        if self.hidden:
            return self.hidden
        if not self.visible:
            return "hidden_style"
        if self.opacity < FAINT or self.alpha < FAINT:
            return "transparent"
        if self.size * self.scale < _TINY_PIXELS:
            return "tiny"
        if self.color is None or self.backgrounds is None:
            return UNKNOWN
        inks = (self.color, *self.inks)
        share = self.alpha * self.opacity
        seen = ((blend(ink, under, share), under) for under in self.backgrounds for ink in inks)
        return "background_color" if any(too_close(*pair) for pair in seen) else None


def place(style: HtmlStyle, chosen: Mapping[str, Value], changes: dict[str, Any]) -> str | None:
    """Why a box and all in it is unseen: switched off, moved away, cut off, or behind what is around it."""
    position = css.word(chosen["position"], *_POSITIONS) if "position" in chosen else "static"
    changes["positioned"] = position != "static"
    if "display" in chosen:
        names = css.words(chosen["display"])
        if len(names) != len(chosen["display"]) or not _DISPLAYS.issuperset(names):
            raise Unclear
        changes["display"] = " ".join(names).removeprefix("-webkit-")
    shown = (
        css.word(chosen["content-visibility"], "visible", "auto", "hidden") if "content-visibility" in chosen else ""
    )
    if changes.get("display") == "none" or shown == "hidden":
        return "hidden_style"
    _check_odds(style, chosen)
    return (
        _moved(style, position, chosen, changes)
        or _cut(style, chosen, changes)
        or _clipped(chosen, style.size)
        or _filtered(style, chosen, changes)
        or _blended(style, chosen)
        or _behind(style.backed, position, chosen)
    )


def _check_odds(style: HtmlStyle, chosen: Mapping[str, Value]) -> None:
    """Properties that hide text with a few of their values."""
    shadow = chosen.get("box-shadow", ())
    if "inset" in css.words(shadow) and any(
        abs(css.pixels(t, style.size)) > _SHALLOW
        for t in shadow
        if t.type in ("dimension", "function", "number") and not css.is_color(t)
    ):
        raise Unclear
    contained = css.words((*chosen.get("container", ()), *chosen.get("container-type", ())))
    narrow = min(_extent(chosen, "width", style.size), _extent(chosen, "max-width", style.size)) < _NARROW
    scheme = css.words(chosen.get("color-scheme", ()))
    if "size" in contained or (contained and narrow) or ("dark" in scheme and "light" not in scheme):
        raise Unclear
    if style.drawing and {"x", "y"} & chosen.keys():
        raise Unclear
    for name in ("mask", "mask-image"):
        if name in chosen and css.word(chosen[name]) != "none":
            picture = css.only(chosen[name])
            stops = (
                [css.color(t) for t in css.flat(picture) if css.is_color(t)] if "gradient" in css.label(picture) else []
            )
            if not stops or any(alpha < _SOLID for _, alpha in stops):
                raise Unclear
    ratio = [css.quantity(t)[0] for t in chosen.get("aspect-ratio", ()) if t.type not in ("ident", "literal")]
    if ratio and not 0.05 <= ratio[0] / ((ratio[1:] or [1.0])[0] or 1e-9) <= 20:
        raise Unclear
    for name, value in chosen.items():
        if name.startswith("grid"):
            _check_tracks(value, style.size)


def _check_tracks(value: Sequence[Any], size: float) -> None:
    """No row or column of a grid may be without room."""
    for token in value:
        if token.type == "function":
            inner = css.solid(token.arguments)
            _check_tracks(
                inner[-1:] if token.lower_name == "minmax" else inner[2:] if token.lower_name == "repeat" else (), size
            )
        elif token.type == "dimension" and token.lower_unit == "fr":
            if token.value < 0.05:
                raise Unclear("clipped")
        elif token.type in ("number", "dimension", "percentage") and css.pixels(token, size) < 5:
            raise Unclear("clipped")


def _length(chosen: Mapping[str, Value], name: str, size: float, whole: float = SCREEN_PIXELS) -> float | None:
    """A length, None where none is set."""
    value = chosen.get(name)
    if value is None or css.word(value) in _OPEN_SIZES or (name == "text-indent" and css.word(value) == "inherit"):
        return None
    return css.pixels(css.only(value), size, whole)


def _moved(style: HtmlStyle, position: str, chosen: Mapping[str, Value], changes: dict[str, Any]) -> str | None:
    size = style.size
    moves = {"x": 0.0, "y": 0.0}
    for axis, start, end, whole in (("x", "left", "right", SCREEN_PIXELS), ("y", "top", "bottom", _SCREEN_HEIGHT)):
        if position != "static":
            first, last = _length(chosen, start, size, whole), _length(chosen, end, size, whole)
            # From the far edge the place is unknown, but a negative distance leads out of the box.
            moves[axis] += first if first is not None else -last if last is not None and last < 0 else 0.0
        margin = _length(chosen, f"margin-{start}", size)
        moves[axis] += margin if margin is not None and (margin < 0 or margin > _FAR_PIXELS) else 0.0
        if _length(chosen, f"margin-{end}", size) is not None and position != "static" and start not in chosen:
            moves[axis] -= min(0.0, _length(chosen, f"margin-{end}", size) or 0.0)
    moves["x"] += _length(chosen, "text-indent", size) or 0.0
    scale, across, down = _transform(chosen, size)
    changes["scale"] = style.scale * scale
    x, y = style.shift[0] + moves["x"] + across, style.shift[1] + moves["y"] + down
    changes["shift"] = x, y
    if x < -_FAR_PIXELS or x > _WIDE_PIXELS or y < -_FAR_PIXELS or (position == "fixed" and y > 1.5 * _SCREEN_HEIGHT):
        return "off_page"
    if style.window:
        inner_x, inner_y = style.moved[0] + moves["x"] + across, style.moved[1] + moves["y"] + down
        changes["moved"] = inner_x, inner_y
        too_far = inner_x >= style.window.width or inner_y >= style.window.height
        if too_far or inner_x < -_FAR_PIXELS or inner_y < -4 * size:
            return "clipped"
    return None


def _cut(style: HtmlStyle, chosen: Mapping[str, Value], changes: dict[str, Any]) -> str | None:
    ways = {"hidden"} if style.boxed else set()
    for name in ("overflow-x", "overflow-y"):
        if name in chosen:
            ways.add(css.word(chosen[name], "visible", "hidden", "clip", "scroll", "auto", "overlay"))
    size = style.size * style.scale
    sizes = {name: _extent(chosen, name, style.size) for name in ("width", "max-width", "height", "max-height")}
    width = min(sizes["width"], sizes["max-width"], _basis(chosen, style.size))
    height = min(sizes["height"], sizes["max-height"])
    changes["tall"] = 0.0 if height == math.inf else height
    changes["above"] = sum(
        max(0.0, _length(chosen, f"{name}-top", style.size) or 0.0) for name in ("padding", "margin")
    )
    if "line-clamp" in chosen and css.word(chosen["line-clamp"]) != "none":
        height = min(height, css.quantity(css.only(chosen["line-clamp"]))[0] * size * style.leading)
    padding = [_length(chosen, f"padding-{side}", style.size) or 0.0 for side in ("left", "top")]
    if min(width, height) < 0.5 * size and not any(padding):
        changes["backgrounds"] = style.bare  # too small to lie behind its text
    if not ways - {"visible"}:
        return None
    if width < 0.6 * size or height < 0.6 * size or padding[0] >= width or padding[1] >= height:
        return "clipped"
    if not {"hidden", "clip"} & ways:
        return None
    if style.leading < 0.4 and style.display != "inline":
        return "clipped"
    if (_length(chosen, "text-indent", size) or 0.0) >= min(width, 600.0):
        return "clipped"
    if around := style.window:
        width, height = min(width, around.width), min(height, max(0.0, around.height - around.used))
    changes["window"], changes["moved"] = Window(width, height), (0.0, 0.0)
    return None


def _basis(chosen: Mapping[str, Value], size: float) -> float:
    """The width of a part of a flexible row that does not grow."""
    value = [t for t in (*chosen.get("flex", ()), *chosen.get("flex-basis", ())) if t.type != "ident"]
    grows = "flex" in chosen and bool(value) and css.quantity(value[0])[0] > 0
    is_set = len(value) == 3 or "flex-basis" in chosen
    return css.pixels(value[-1], size) if value and is_set and not grows else math.inf


def _extent(chosen: Mapping[str, Value], name: str, size: float) -> float:
    """How wide or high a box can be; infinity where its content decides."""
    value = chosen.get(name, ())
    if name.endswith("height") and value and value[0].type == "percentage" and value[0].value >= 20:
        return math.inf
    length = _length(chosen, name, size, SCREEN_PIXELS if name.endswith("width") else _SCREEN_HEIGHT)
    return math.inf if length is None else length


def _clipped(chosen: Mapping[str, Value], size: float) -> str | None:
    for name in ("clip", "clip-path"):
        for token in chosen.get(name, ()):
            if token.type == "ident" and token.lower_value in (
                "auto",
                "none",
                "border-box",
                "padding-box",
                "margin-box",
            ):
                continue
            if token.type != "function":
                raise Unclear
            if _cuts_all(token, size):
                return "clipped"
    return None


def _cuts_all(token: Any, size: float) -> bool:
    """Whether a shape leaves too little; what cannot be told is unclear."""
    name = token.lower_name
    parts = [css.solid(part) for part in css.split(token.arguments)]
    if name == "polygon":
        points = [[css.pixels(t, size, 100.0) for t in part] for part in parts if not css.words(part)]
        if any(len(point) != 2 for point in points):
            raise Unclear
        turns = zip(points, points[1:] + points[:1], strict=True)
        return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in turns)) / 2 < 4_000
    numbers = [css.pixels(t, size, 100.0) for part in parts for t in part if t.type not in ("ident", "literal")]
    if name == "rect" and len(numbers) == 4:
        return numbers[2] - numbers[0] < size or numbers[1] - numbers[3] < 2 * size
    if name == "inset" and numbers:
        return max(numbers[:4]) > 30
    if name in ("circle", "ellipse") and numbers:
        return min(numbers[: 1 if name == "circle" else 2]) < 40
    raise Unclear


def _transform(chosen: Mapping[str, Value], size: float) -> tuple[float, float, float]:
    """How much smaller a box becomes, and how far it is moved to the right and down."""
    scale, x, y = 1.0, 0.0, 0.0
    steps = [
        (css.label(token), css.solid(token.arguments))
        for token in chosen.get("transform", ())
        if token.type == "function"
    ]
    if len(steps) != len(chosen.get("transform", ())) and css.word(chosen["transform"]) != "none":
        raise Unclear
    steps += [
        (name, chosen[name])
        for name in ("rotate", "scale", "translate")
        if name in chosen and css.word(chosen[name]) != "none"
    ]
    if "zoom" in chosen and css.word(chosen["zoom"]) != "normal":
        steps.append(("scale", chosen["zoom"]))
    for name, tokens in steps:
        numbers = [css.quantity(t, size) for t in tokens if t.type != "literal"]
        values = [number * (0.01 if kind == "percentage" else 1.0) for number, kind in numbers]
        if name in ("scale", "scalex", "scaley", "scale3d") and values:
            scale *= min(map(abs, values))
        elif name == "matrix" and len(values) == 6:
            scale *= math.sqrt(abs(values[0] * values[3] - values[1] * values[2]))
            x, y = x + values[4], y + values[5]
        elif name in ("translate", "translatex", "translatey", "translate3d", "translatez"):
            # A percentage is of the box itself, which is at most as wide as the screen.
            away = [n if k != "percentage" else 0.0 if abs(n) <= 100 else n * SCREEN_PIXELS / 100 for n, k in numbers]
            away += [0.0, 0.0, 0.0]
            if away[2] or (name == "translatez" and away[0]):
                raise Unclear
            x, y = (x, y + away[0]) if name == "translatey" else (x + away[0], y + away[1])
        elif name in ("rotatex", "rotatey") and values:
            scale *= max(0.0, math.cos(math.radians(values[0])))
        elif name in ("skew", "skewx", "skewy") and all(abs(value) <= 60 for value in values):
            continue
        elif name not in ("rotate", "rotatez") or len(values) != 1:
            raise Unclear
    if not 0 <= scale <= 20:
        raise Unclear
    return scale, x, y


def _filtered(style: HtmlStyle, chosen: Mapping[str, Value], changes: dict[str, Any]) -> str | None:
    for token in chosen.get("filter", ()):
        if token.type == "ident" and token.lower_value == "none":
            continue
        name = css.label(token)
        arguments = css.solid(token.arguments) if token.type == "function" else ()
        if name == "opacity":
            changes["opacity"] = style.opacity * max(0.0, css.share(css.only(arguments)))
            style = style._replace(opacity=changes["opacity"])
        elif name == "blur":
            if arguments and css.pixels(css.only(arguments), style.size) > style.size / 10:
                raise Unclear
        elif name in ("brightness", "contrast"):
            if arguments and not 0.6 <= css.share(css.only(arguments)) <= 1.5:
                raise Unclear
        elif name in ("grayscale", "sepia", "saturate", "hue-rotate"):
            if style.color is None or max(style.color) - min(style.color) > _GREY:
                raise Unclear  # two colours may become one
        elif name == "invert":
            raise Unclear("background_color" if _inverts_to_paper(style, arguments) else UNKNOWN)
        elif name != "drop-shadow":
            raise Unclear
    return None


def _inverts_to_paper(style: HtmlStyle, arguments: Value) -> bool:
    """Whether inverted letters have the colour of what lies behind the box."""
    amount = css.share(css.only(arguments)) if arguments else 1.0
    if style.color is None or style.backgrounds != style.bare:
        return False
    red, green, blue = style.color
    ink = blend((255 - red, 255 - green, 255 - blue), style.color, max(0.0, min(1.0, amount)))
    return any(too_close(ink, under) for under in style.bare or ())


def _blended(style: HtmlStyle, chosen: Mapping[str, Value]) -> str | None:
    """Dark letters stay dark on a light background when the two are multiplied; no other blending is judged."""
    way = css.word(chosen.get("mix-blend-mode", ()), "", "normal", "multiply", "darken")
    if way in ("multiply", "darken"):
        dark = style.color is not None and max(style.color) <= _DARK
        if not dark or not style.backgrounds or any(min(colour) <= 255 - _DARK for colour in style.backgrounds):
            raise Unclear
    return None


def _behind(backed: bool, position: str, chosen: Mapping[str, Value]) -> str | None:
    """A negative layer lies under the backgrounds around it."""
    layer = chosen.get("z-index", ())
    if not layer or css.word(layer) == "auto":
        return None
    return "covered" if css.quantity(css.only(layer))[0] < 0 and position != "static" and backed else None


# Boxes that lie over others.

_PICTURES = frozenset(("img", "canvas", "video", "iframe", "object", "embed"))


def covers(tag: str, chosen: Mapping[str, Value]) -> str | None:
    """Whether an element lies opaque over "all" of the element around it, or over what is "beside" it."""
    try:
        position = css.word(chosen.get("position", ()))
        if _behind(True, position, chosen) or not _is_opaque(tag, chosen):
            return None
        spans = all(_spans(chosen, *sides) for sides in (("left", "right", "width"), ("top", "bottom", "height")))
        if position == "absolute" and spans:
            return "all"
        moves = [_length(chosen, name, 16.0) or 0.0 for name in ("margin-top", "top")]
        out_of_flow = position in ("absolute", "fixed") or (position == "relative" and moves[1] < -8) or moves[0] < -8
        wide = _extent(chosen, "width", 16.0) if position in ("absolute", "fixed") else 100.0
        height = _extent(chosen, "height", 16.0)
        return "beside" if out_of_flow and 60 <= wide < math.inf and 8 <= height < math.inf else None
    except Unclear:
        return None


def _is_opaque(tag: str, chosen: Mapping[str, Value]) -> bool:
    shares = [css.color(token)[1] for token in chosen.get("background-color", ())]
    is_blurred = "backdrop-filter" in chosen and css.word(chosen["backdrop-filter"]) != "none"
    solid = tag in _PICTURES or "background-image" in chosen or is_blurred
    share = 1.0 if solid else max(shares, default=0.0)
    if "opacity" in chosen:
        share *= css.share(css.only(chosen["opacity"]))
    scale, x, y = _transform(chosen, 16.0)
    if scale < 0.9 or abs(x) > 20 or abs(y) > 20 or "clip-path" in chosen:
        return False
    return share >= _SOLID and css.word(chosen.get("visibility", ())) != "hidden" and "filter" not in chosen


def _spans(chosen: Mapping[str, Value], start: str, end: str, length: str) -> bool:
    """From edge to edge, whichever way that is said."""
    first, last = (_length(chosen, side, 16.0, 100.0) for side in (start, end))
    whole = chosen.get(length, ())
    is_whole = bool(whole) and whole[0].type == "percentage" and whole[0].value >= 100
    return first is not None and first <= 0 and (is_whole or (last is not None and last <= 0))
