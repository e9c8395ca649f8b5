"""The computed style of an element: how its text looks, and the reason when nobody sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from evenhand.documents.draft import BLACK, RGB, WHITE, blend, to_hex, too_close
from evenhand.documents.flow import CharacterStyle
from evenhand.documents.html import css
from evenhand.documents.html.css import Value

_TINY_PIXELS = 4 * 4 / 3  # four points
_FAR_PIXELS = 500.0
_SCREEN_PIXELS = 1280.0
_FAINT, _SOLID = 0.1, 0.95

_BLOCKS_LIST = """
    address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend main menu nav ol optgroup p pre
    search section summary ul table caption tbody thead tfoot tr td th
"""
_BLOCKS = frozenset(_BLOCKS_LIST.split())
_NEVER_TEXT_LIST = """
    head title style script template noscript iframe object embed applet datalist audio video canvas map
    area rp frame noframes param source track base link meta noembed desc metadata defs
"""
NEVER_TEXT = frozenset(_NEVER_TEXT_LIST.split())
_BOLD = frozenset(("b", "strong", "th", "h1", "h2", "h3", "h4", "h5", "h6"))
_ITALIC = frozenset(("i", "em", "cite", "var", "dfn", "address"))
_SCALES = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h5": 0.83, "h6": 0.67, "big": 1.2}
_SCALES |= dict.fromkeys(("small", "sub", "sup"), 1 / 1.2)
_MONOSPACE = frozenset(("pre", "code", "kbd", "samp", "tt"))


class HtmlStyle(NamedTuple):
    """What an element hands to its children, and how it stands itself."""

    display: str = "block"
    size: float = 16.0  # pixels
    bold: bool = False
    italic: bool = False
    font: str | None = None
    color: RGB = BLACK
    colored: bool = False  # the page says so, not the browser
    alpha: float = 1.0
    background: RGB | None = WHITE  # None behind pictures and gradients
    backed: bool = False  # an element around it paints a background
    opacity: float = 1.0
    visible: bool = True
    hidden: str | None = None  # holds for everything inside
    preserves: bool = False  # white space
    list_type: str | None = None
    painted_text: bool = False  # letters cut out of a background
    positioned: bool = False  # what stands absolutely inside is placed from here

    def look(self) -> CharacterStyle:
        return CharacterStyle(
            font=self.font,
            size=round(self.size * 0.75, 2),
            bold=self.bold,
            italic=self.italic,
            color=to_hex(self.color) if self.colored else None,
            hidden=self._reason(),
        )

    def _reason(self) -> str | None:
        if self.hidden:
            return self.hidden
        if not self.visible:
            return "hidden_style"
        if self.painted_text:
            return None
        if self.opacity < _FAINT or self.alpha < _FAINT:
            return "transparent"
        if self.size < _TINY_PIXELS:
            return "tiny"
        if self.background is not None:
            seen = blend(self.color, self.background, self.alpha * self.opacity)
            if too_close(seen, self.background):
                return "background_color"
        return None


def derive(parent: HtmlStyle, tag: str, attributes: Mapping[str, str | None]) -> HtmlStyle:
    """The style of an element by itself: what browsers do with its tag and its old attributes."""
    display = "block" if tag in _BLOCKS else "list-item" if tag == "li" else "inline"
    style = parent._replace(display=display, positioned=False)
    if tag in _BOLD:
        style = style._replace(bold=True)
    elif tag in _ITALIC:
        style = style._replace(italic=True)
    if tag in _SCALES:
        style = style._replace(size=style.size * _SCALES[tag])
    if tag in _MONOSPACE:
        style = style._replace(font="monospace", preserves=style.preserves or tag == "pre")
    elif tag == "dialog" and "open" not in attributes:
        style = style._replace(display="none")
    elif tag == "textarea":
        style = style._replace(preserves=True)
    elif tag in ("table", "ul", "ol"):
        style = style._replace(list_type=None)
    return _with_attributes(style, tag, attributes) if attributes else style


def _with_attributes(style: HtmlStyle, tag: str, attributes: Mapping[str, str | None]) -> HtmlStyle:
    if "hidden" in attributes:
        style = style._replace(display="none")
    fill = css.attribute_color(attributes.get("bgcolor") or "")
    if fill:
        style = style._replace(background=fill, backed=True)
    if attributes.get("background"):
        style = style._replace(background=None)
    ink = css.attribute_color(attributes.get("color" if tag == "font" else "text") or "")
    if ink and tag in ("font", "body"):
        style = style._replace(color=ink, colored=True, alpha=1.0)
    if tag == "font":
        size = css.FONT_SIZES.get((attributes.get("size") or "").strip())
        style = style._replace(size=size or style.size, font=attributes.get("face") or style.font)
    return style


def cascade(style: HtmlStyle, parent: HtmlStyle, declarations: Iterable[tuple[str, Value]]) -> HtmlStyle:
    """The style with the page's own declarations on top; later ones win."""
    chosen = dict(declarations)
    if not chosen:
        return style
    changes: dict[str, Any] = {}
    _set_font(style, parent, chosen, changes)
    size = changes.get("size", style.size)
    _set_colors(style, chosen, changes)
    if "display" in chosen:
        changes["display"] = " ".join(css.words(chosen["display"])) or style.display
    if "visibility" in chosen:
        name = _word(chosen["visibility"])
        if name in ("visible", "hidden", "collapse"):
            changes["visible"] = name == "visible"
    if "opacity" in chosen and chosen["opacity"][0].type in ("number", "percentage"):
        share = 1 if chosen["opacity"][0].type == "number" else 100
        changes["opacity"] = parent.opacity * max(0.0, min(1.0, chosen["opacity"][0].value / share))
    if "position" in chosen:
        changes["positioned"] = _word(chosen["position"]) in ("relative", "absolute", "fixed", "sticky")
    if "white-space" in chosen:
        changes["preserves"] = _word(chosen["white-space"]) in ("pre", "pre-wrap", "pre-line", "break-spaces")
    for name in ("list-style", "list-style-type"):
        kinds = (
            f'"{token.value}' if token.type == "string" else str(token.lower_value)
            for token in chosen.get(name, ())
            if token.type == "string" or (token.type == "ident" and token.lower_value not in ("inside", "outside"))
        )
        if name in chosen:
            changes["list_type"] = next(kinds, None)
    hidden = style.hidden or box_reason(chosen, size, style.backed)
    return style._replace(**changes, hidden=hidden)


def _word(value: Value) -> str:
    return value[0].lower_value if value and value[0].type == "ident" else ""


def _set_font(style: HtmlStyle, parent: HtmlStyle, chosen: Mapping[str, Value], changes: dict[str, Any]) -> None:
    for token in chosen.get("font", ()):
        size = css.font_size(token, parent.size) if token.type != "number" else None
        if size is not None:
            changes["size"] = size
            break
    names = css.words(chosen.get("font", ())) + css.words(chosen.get("font-style", ()))
    if "italic" in names or "oblique" in names:
        changes["italic"] = True
    elif "normal" in css.words(chosen.get("font-style", ())):
        changes["italic"] = False
    if "font-size" in chosen:
        size = css.font_size(chosen["font-size"][0], parent.size)
        if size is not None:
            changes["size"] = max(0.0, size)
    weight = chosen.get("font-weight") or chosen.get("font")
    for token in weight or ():
        if token.type == "number" and token.value >= 100:
            changes["bold"] = token.value >= 600
        elif token.type == "ident" and token.lower_value in ("bold", "bolder", "normal", "lighter"):
            changes["bold"] = token.lower_value in ("bold", "bolder")
    family = chosen.get("font-family", ())
    if family and family[0].type in ("string", "ident"):
        # The first family, which may be several words.
        names = [token.value for token in takewhile(lambda token: token.type == "ident", family)]
        changes["font"] = " ".join(names) or str(family[0].value)


def _set_colors(style: HtmlStyle, chosen: Mapping[str, Value], changes: dict[str, Any]) -> None:
    for name in ("color", "-webkit-text-fill-color"):
        color_alpha = css.color(chosen[name][0]) if name in chosen else None
        if color_alpha:
            changes["color"], changes["alpha"] = color_alpha
            changes["colored"] = True
    clips = (*chosen.get("background-clip", ()), *chosen.get("-webkit-background-clip", ()))
    if "text" in css.words(clips):
        changes["painted_text"] = True
    for name in ("background", "background-color", "background-image"):
        for token in chosen.get(name, ()):
            color_alpha = css.color(token)
            if token.type in ("url", "function") and color_alpha is None and name != "background-color":
                changes["background"], changes["backed"] = None, True
                break
            if color_alpha and color_alpha[1] > 0:
                under = style.background
                over = (
                    color_alpha[0]
                    if color_alpha[1] >= 1 or under is None
                    else blend(color_alpha[0], under, color_alpha[1])
                )
                changes["background"], changes["backed"] = over, True


def box_reason(chosen: Mapping[str, Value], size: float, backed: bool) -> str | None:
    """Why a box and all in it is unseen: switched off, moved away, cut off, or behind what is around it."""
    if _word(chosen.get("display", ())) == "none" or _word(chosen.get("content-visibility", ())) == "hidden":
        return "hidden_style"
    if _word(chosen.get("position", ())) in ("absolute", "fixed", "relative", "sticky"):
        for side in ("left", "right", "top", "bottom"):
            moved = _length(chosen, side, size)
            if moved is not None and (moved <= -_FAR_PIXELS or (moved > 2 * _SCREEN_PIXELS and side != "top")):
                return "off_page"
    moves = [_length(chosen, name, size) for name in ("text-indent", "margin-left", "margin-top")]
    margins = [css.pixels(token, size, _SCREEN_PIXELS) for token in chosen.get("margin", ())]
    if any(move is not None and move <= -_FAR_PIXELS for move in [*moves, *margins]):
        return "off_page"
    if _is_cut(chosen, size):
        return "clipped"
    return _transformed(chosen, size) or _behind(chosen, backed)


def _length(chosen: Mapping[str, Value], name: str, size: float, whole: float = _SCREEN_PIXELS) -> float | None:
    value = chosen.get(name)
    return css.pixels(value[0], size, whole) if value else None


def _is_cut(chosen: Mapping[str, Value], size: float) -> bool:
    overflow = [*chosen.get("overflow", ()), *chosen.get("overflow-x", ()), *chosen.get("overflow-y", ())]
    if {"hidden", "clip", "scroll", "auto"} & set(css.words(overflow)):
        for side in ("width", "height", "max-width", "max-height"):
            length = _length(chosen, side, size)
            if length is not None and length <= 2:
                return True
    for token in (*chosen.get("clip", ()), *chosen.get("clip-path", ())):
        if token.type == "function" and _cuts_all(token, size):
            return True
    return False


def _cuts_all(token: Any, size: float) -> bool:
    lengths = [css.pixels(t, size, 100.0) for t in token.arguments]
    numbers = [length for length in lengths if length is not None]
    if token.lower_name == "rect":
        return len(numbers) == 4 and (numbers[2] - numbers[0] <= 1 or numbers[1] - numbers[3] <= 1)
    if token.lower_name == "inset":
        return bool(numbers) and min(numbers) >= 50
    if token.lower_name in ("circle", "ellipse"):
        return bool(numbers) and numbers[0] == 0
    return token.lower_name == "polygon" and bool(numbers) and max(numbers) <= 0


def _transformed(chosen: Mapping[str, Value], size: float) -> str | None:
    for token in (*chosen.get("transform", ()), *chosen.get("filter", ())):
        if token.type != "function":
            continue
        lengths = [css.pixels(t, size, _SCREEN_PIXELS) for t in token.arguments]
        numbers = [length for length in lengths if length is not None]
        if token.lower_name.startswith("scale") and numbers and min(map(abs, numbers)) < 0.2:
            return "tiny"
        if token.lower_name.startswith("translate") and any(abs(n) > 2 * _FAR_PIXELS for n in numbers):
            return "off_page"
        if token.lower_name == "opacity" and numbers and numbers[0] < _FAINT:
            return "transparent"
    zoom = _length(chosen, "zoom", size, 1.0)
    return "tiny" if zoom is not None and 0 <= zoom < 0.2 else None


def _behind(chosen: Mapping[str, Value], backed: bool) -> str | None:
    """A negative layer lies under the backgrounds around it."""
    layer = chosen.get("z-index", ())
    negative = bool(layer) and layer[0].type == "number" and layer[0].value < 0
    placed = _word(chosen.get("position", ())) in ("absolute", "fixed", "relative")
    return "covered" if negative and placed and backed else None


def is_lid(chosen: Mapping[str, Value]) -> bool:
    """Whether an element lies opaque over all of the element around it."""
    if _word(chosen.get("position", ())) != "absolute" or _behind(chosen, backed=True):
        return False
    changes: dict[str, Any] = {}
    _set_colors(HtmlStyle(background=None), chosen, changes)
    colors = [css.color(token) for name in ("background", "background-color") for token in chosen.get(name, ())]
    shares = [color[1] for color in colors if color is not None]
    shares += [token.value for token in chosen.get("opacity", ()) if token.type == "number"]
    is_unseen = _word(chosen.get("visibility", ())) == "hidden" or "filter" in chosen
    if changes.get("background") is None or is_unseen or any(share < _SOLID for share in shares):
        return False
    return all(_spans(chosen, *sides) for sides in (("left", "right", "width"), ("top", "bottom", "height")))


def _spans(chosen: Mapping[str, Value], start: str, end: str, length: str) -> bool:
    """From edge to edge, whichever way that is said."""
    inset = [css.pixels(token, 16.0, 100.0) for token in chosen.get("inset", ())]
    if inset and all(distance is not None and distance <= 0 for distance in inset):
        return True
    first, last = (_length(chosen, side, 16.0, 100.0) for side in (start, end))
    whole = chosen.get(length, ())
    is_whole = bool(whole) and whole[0].type == "percentage" and whole[0].value >= 100
    if first is None or first > 0:
        return False
    return is_whole or (last is not None and last <= 0)
