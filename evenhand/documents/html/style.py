"""The computed style of an element: how its text looks, and the reason when nobody sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any

from evenhand.documents.draft import BLACK, RGB, blend, too_close
from evenhand.documents.html import boxes, css
from evenhand.documents.html.boxes import ROOT_PIXELS, HtmlStyle
from evenhand.documents.html.css import TABLES, Paint, Unclear, Value, Variables
from evenhand.documents.html.sheets import Declaration, StyleSheets, is_plain, leaves_visible
from evenhand.documents.properties import UNKNOWN

_LINK: RGB = (0, 0, 238)
_MAX_SECONDS = 10.0  # of an animation, after which the page is seen as it stays

_TAGS = {name: frozenset(tags.split()) for name, tags in TABLES["tags"].items()}
NEVER_TEXT = _TAGS["never_text"]
_SCALES = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h5": 0.83, "h6": 0.67, "big": 1.2}
_SCALES |= dict.fromkeys(("small", "sub", "sup"), 1 / 1.2)
_EVALUATED = frozenset(TABLES["plain"]) | frozenset(TABLES["evaluated"].split())
_INHERITED = frozenset(TABLES["inherited"].split())
_SIDES = ("top", "right", "bottom", "left")
_FOUR = {"margin": "margin-{}", "padding": "padding-{}", "inset": "{}"}
_PAIRS = {f"{name}-{axis}": (pattern, ends) for name, pattern in _FOUR.items() for axis, ends in boxes.AXES.items()}
_VENDORS = ("-ms-", "-moz-", "-o-", "-khtml-")


def derive(parent: HtmlStyle, tag: str, attributes: Mapping[str, str | None]) -> HtmlStyle:
    """The style of an element by itself: what browsers do with its tag and its old attributes."""
    display = "block" if tag in _TAGS["blocks"] else "list-item" if tag == "li" else "inline"
    style = parent._replace(
        display=display, positioned=False, bare=parent.backgrounds, above=0.0, tall=0.0, boxed=tag in _TAGS["boxed"]
    )
    if tag in _TAGS["bold"]:
        style = style._replace(bold=True)
    elif tag in _TAGS["italic"]:
        style = style._replace(italic=True)
    if tag in _SCALES:
        style = style._replace(size=style.size * _SCALES[tag])
    if tag in _TAGS["monospace"]:
        style = style._replace(font="monospace", preserves=style.preserves or tag == "pre")
    elif tag == "textarea":
        style = style._replace(preserves=True)
    elif tag in ("table", "ul", "ol"):
        style = style._replace(list_type=None)
    elif tag in ("button", "input", "select"):
        style = style._replace(color=BLACK, alpha=1.0, backgrounds=((240, 240, 240),), size=13.33)
    elif tag in _TAGS["unseen"] or (tag == "dialog" and "open" not in attributes):
        style = style._replace(display="none")
    elif tag in _TAGS["unclear"]:
        style = style._replace(hidden=style.hidden or UNKNOWN)
    elif tag == "svg":
        style = style._replace(color=BLACK, alpha=1.0, drawing=True)
    return _with_attributes(style, tag, attributes) if attributes or style.drawing else style


def _with_attributes(style: HtmlStyle, tag: str, attributes: Mapping[str, str | None]) -> HtmlStyle:
    if "hidden" in attributes or "popover" in attributes:
        style = style._replace(display="none")
    if (attributes.get("hidden") or "").lower() == "until-found":
        style = style._replace(hidden=style.hidden or "hidden_style")
    fill = css.attribute_color(attributes.get("bgcolor") or "")
    if fill:
        style = style._replace(backgrounds=(fill,), backed=True)
    if attributes.get("background"):
        style = style._replace(backgrounds=())
    if tag == "a" and "href" in attributes and not style.drawing:
        style = style._replace(color=_LINK, alpha=1.0, colored=False)
    ink = css.attribute_color(attributes.get("color" if tag == "font" else "text") or "")
    if ink and tag in ("font", "body"):
        style = style._replace(color=ink, colored=True, alpha=1.0)
    if tag == "font":
        size = css.FONT_SIZES.get((attributes.get("size") or "").strip())
        style = style._replace(size=size or style.size, font=attributes.get("face") or style.font)
    return style


def cascade(style: HtmlStyle, parent: HtmlStyle, declarations: Iterable[Declaration], sheets: StyleSheets) -> HtmlStyle:
    """The style with the page's own declarations on top; what is not understood makes all text in it unclear."""
    changes: dict[str, Any] = {}
    try:
        declared = list(declarations)
        own = {d.name: d.value for d in declared if d.name.startswith("--")}
        if own or sheets.registered:
            changes["variables"] = css.set_variables(parent.variables, own, sheets.registered)
        chosen = choose(declared, changes.get("variables", parent.variables), parent.root)
        _animate(chosen, sheets)
        _set_font(style, parent, chosen, changes)
        if sheets.odd_fonts & set(css.families((*chosen.get("font-family", ()), *chosen.get("families", ())))):
            raise Unclear
        size = changes.get("size", style.size)
        for name, value in chosen.items():
            if name not in _EVALUATED and not (leaves_visible(name, value, size) or _is_echo(name, value, chosen)):
                raise Unclear(TABLES["reasons"].get(name, UNKNOWN))
        if css.word(chosen.get("position", ())) in ("absolute", "fixed") and not chosen.keys().isdisjoint(_SIDES):
            style = style._replace(backgrounds=style.anchor, bare=style.anchor)
        _set_colors(style, parent, chosen, changes)
        _set_look(style, parent, chosen, changes)
        hidden = boxes.place(style._replace(**changes), chosen, changes)
        if changes.get("display") == "contents":
            changes["backgrounds"] = style.bare
        if changes["positioned"] or "transform" in chosen:
            changes["anchor"] = changes.get("backgrounds", style.backgrounds)
    except Unclear as unclear:
        hidden = unclear.reason
    return style._replace(**changes, hidden=style.hidden or hidden)


def choose(declarations: Iterable[Declaration], variables: Variables, root: float = ROOT_PIXELS) -> dict[str, Value]:
    """One value for each property: the last, with shorthands taken apart and variables filled in."""
    chosen: dict[str, Value] = {}
    for name, raw, _ in declarations:
        if name.startswith("--"):
            continue
        value = css.substitute(raw, variables)
        if value and root != ROOT_PIXELS:
            value = css.in_root_sizes(value, root)
        if value and any(css.label(token).startswith(_VENDORS) for token in value):
            continue  # browsers drop values of other vendors
        if name == "filter" and value and css.label(value[0]) in ("alpha", "progid"):
            continue  # only ever meant something to old versions of Internet Explorer
        if name == "all":
            chosen.clear()
        else:
            for part, tokens in _longhands(name, value):
                _set(chosen, part, tokens)
    return chosen


def _set(chosen: dict[str, Value], name: str, value: Value | None) -> None:
    word = css.word(value or ())
    if value is None or word in ("unset", "initial", "revert") or (word == "inherit" and name in TABLES["as_around"]):
        chosen.pop(name, None)
        if name in _INHERITED:
            chosen[name] = (css.WORDS["initial" if word == "initial" else "inherit"],)
    else:
        chosen.pop(name, None)
        chosen[name] = value


def _longhands(name: str, value: Value | None) -> Iterable[tuple[str, Value | None]]:
    if name in _FOUR:
        parts = [(token,) for token in value] if value else [None]
        if len(parts) > 4:
            raise Unclear
        order = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}[len(parts)]
        return [(_FOUR[name].format(side), parts[place]) for side, place in zip(_SIDES, order, strict=True)]
    if name in _PAIRS:
        pattern, ends = _PAIRS[name]
        parts = [(token,) for token in value] if value else [None]
        return [(pattern.format(end), parts[min(place, len(parts) - 1)]) for place, end in enumerate(ends)]
    if name == "overflow":
        parts = [(token,) for token in value] if value else [None]
        return [("overflow-x", parts[0]), ("overflow-y", parts[-1])]
    if name == "background":
        return _background(value)
    if name == "font":
        return _font(value)
    return [(name, value)]


def _background(value: Value | None) -> Iterable[tuple[str, Value | None]]:
    if value is None or css.word(value) in ("inherit", "initial", "unset", "revert", "none"):
        return [("background-color", None), ("background-image", None), ("background-clip", None)]
    layer = css.split(value)[-1]
    colors = tuple(token for token in layer if css.is_color(token))
    pictures = tuple(
        t for t in value if t.type in ("url", "function") and not css.is_color(t) and css.label(t) not in css.SUMS
    )
    clip = tuple(token for token in value if css.word((token,)) in ("text", "padding-box", "content-box"))
    for token in value:
        known = (
            token in colors or token in pictures or token in clip or token.type in ("literal", "number", "dimension")
        )
        if not known and token.type != "percentage" and css.word((token,)) not in TABLES["background_words"].split():
            raise Unclear
    places = tuple(t for t in value if t.type in ("dimension", "percentage", "number"))
    return [
        ("background-color", colors or None),
        ("background-image", pictures or None),
        ("background-clip", clip or None),
        ("background-position", places or None),
    ]


def _font(value: Value | None) -> Iterable[tuple[str, Value | None]]:
    if value is None or len(value) == 1:
        if value and css.word(value) not in ("inherit", "initial", "unset", "revert", *TABLES["system_fonts"].split()):
            raise Unclear
        return [
            (name, value if css.word(value or ()) in ("inherit", "initial") else None)
            for name in ("font-size", "line-height")
        ]
    parts = css.split(value, "/")
    sizes = [place for place, token in enumerate(parts[0]) if css.is_size(token)]
    if not sizes or len(parts) > 2:
        raise Unclear
    size = sizes[0]
    before = tuple(parts[0][:size])
    rest = tuple(parts[1] if len(parts) == 2 else parts[0][size:])
    return [
        ("font-style", before or None),
        ("font-weight", before or None),
        ("font-size", (parts[0][size],)),
        ("line-height", rest[:1] if len(parts) == 2 else None),
        ("families", rest[1:] or None),
    ]


def _is_echo(name: str, value: Value, chosen: Mapping[str, Value]) -> bool:
    """Whether a vendor's name for a property says what the property itself says."""
    bare = name.removeprefix("-moz-")
    same = chosen.get(bare) if bare != name else None
    return (same is not None and css.text(same) == css.text(value)) or (
        bare != name and is_plain(Declaration(bare, value, False))
    )


def _animate(chosen: dict[str, Value], sheets: StyleSheets) -> None:
    """Steps that cannot hide text do not matter; of other animations the end counts, if it comes soon and stays."""
    tokens = tuple(token for name in list(chosen) if name.startswith("animation") for token in chosen.pop(name))
    names = [css.label(token) if token.type == "ident" else str(getattr(token, "value", "")) for token in tokens]
    raw = [str(token.value) for token in tokens if token.type in ("ident", "string")]
    used = [sheets.keyframes[name] for name in raw if name in sheets.keyframes]
    if not used or all(plain for plain, _ in used):
        return
    seconds = sum(css.quantity(token)[0] for token in tokens if token.type == "dimension")
    odd = {"infinite", "paused", "reverse", "alternate", "alternate-reverse"} & set(names)
    times = [token.value for token in tokens if token.type == "number"]
    if len(used) > 1 or odd or not 0 <= seconds <= _MAX_SECONDS or any(t not in (0, 1) for t in times) or 0 in times:
        raise Unclear
    if any(token.type == "dimension" and token.value < 0 for token in tokens):
        raise Unclear
    if {"forwards", "both"} & set(names):
        chosen.update(choose(used[0][1], Variables()))


def _set_look(style: HtmlStyle, parent: HtmlStyle, chosen: Mapping[str, Value], changes: dict[str, Any]) -> None:
    if "visibility" in chosen:
        name = css.word(chosen["visibility"], "visible", "hidden", "collapse", "inherit", "initial")
        changes["visible"] = parent.visible if name == "inherit" else name in ("visible", "initial")
    if "opacity" in chosen:
        changes["opacity"] = parent.opacity * max(0.0, min(1.0, css.share(css.only(chosen["opacity"]))))
    if "white-space" in chosen:
        name = css.word(chosen["white-space"])
        changes["preserves"] = name in ("pre", "pre-wrap", "pre-line", "break-spaces")
        changes["wraps"] = name not in ("nowrap", "pre")
    for name in ("list-style", "list-style-type"):
        kinds = (
            f'"{token.value}' if token.type == "string" else str(token.lower_value)
            for token in chosen.get(name, ())
            if token.type == "string" or (token.type == "ident" and token.lower_value not in ("inside", "outside"))
        )
        if name in chosen and css.word(chosen[name]) != "inherit":
            changes["list_type"] = next(kinds, None)


def _set_font(style: HtmlStyle, parent: HtmlStyle, chosen: Mapping[str, Value], changes: dict[str, Any]) -> None:
    if "font-size" in chosen:
        changes["size"] = css.font_size(css.only(chosen["font-size"]), parent.size)
    names = css.words(chosen.get("font-style", ()))
    if names and names != ["inherit"]:
        changes["italic"] = "italic" in names or "oblique" in names
    for token in chosen.get("font-weight", ()):
        if token.type == "number" and token.value >= 100:
            changes["bold"] = token.value >= 600
        elif token.type == "ident" and token.lower_value in ("bold", "bolder", "normal", "lighter"):
            changes["bold"] = token.lower_value in ("bold", "bolder")
    family = chosen.get("font-family", ())
    if family and family[0].type in ("string", "ident") and css.word(family) != "inherit":
        # The first family, which may be several words.
        names = [token.value for token in takewhile(lambda token: token.type == "ident", family)]
        changes["font"] = " ".join(names) or str(family[0].value)
    if "line-height" in chosen and css.word(chosen["line-height"]) not in ("normal", "inherit", "initial"):
        number, kind = css.quantity(css.only(chosen["line-height"]), changes.get("size", style.size))
        size = changes.get("size", style.size) or 1.0
        changes["leading"] = number if kind == "number" else number / (100 if kind == "percentage" else size)
        if not 0 <= changes["leading"] <= 25:
            raise Unclear


def _set_colors(style: HtmlStyle, parent: HtmlStyle, chosen: Mapping[str, Value], changes: dict[str, Any]) -> None:
    for name in ("fill", "fill-opacity") if style.drawing else ("color", "text-fill-color"):
        if name not in chosen:
            continue
        word = css.word(chosen[name])
        around = (parent.color, parent.alpha)
        try:
            if name == "fill-opacity":
                paint: tuple[RGB | None, float] = (style.color, css.share(css.only(chosen[name])))
            elif word in ("inherit", "currentcolor", "initial"):
                paint = (
                    (BLACK, 1.0)
                    if word == "initial" and name == "color"
                    else around
                    if name == "color"
                    else _now(style, changes)
                )
            elif word == "none" and style.drawing:
                paint = BLACK, 0.0
            else:
                paint = css.color(css.only(chosen[name]))
        except Unclear:
            paint = None, 1.0
        changes["color"], changes["alpha"] = paint
        changes["colored"] = parent.colored if word == "inherit" else True
    if any(name.startswith("background-") for name in chosen):
        try:
            _set_background(style, chosen, changes)
        except Unclear:
            changes["backgrounds"] = None


def _now(style: HtmlStyle, changes: Mapping[str, Any]) -> tuple[RGB | None, float]:
    return changes.get("color", style.color), changes.get("alpha", style.alpha)


def _set_background(style: HtmlStyle, chosen: Mapping[str, Value], changes: dict[str, Any]) -> None:
    """Colours that may lie behind the text; letters cut out of a background have its colours themselves."""
    ink, alpha = _now(style, changes)
    under = style.backgrounds
    paints: list[Paint] = []
    if "background-color" in chosen:
        paints = [css.color(css.only(chosen["background-color"]), (ink or BLACK, alpha))]
    pictures = [t for t in chosen.get("background-image", ()) if t.type in ("url", "function")]
    stops = [css.color(t) for p in pictures if "gradient" in css.label(p) for t in css.flat(p) if css.is_color(t)]
    outside = [p for p in pictures if "gradient" not in css.label(p) and not css.address(p).startswith("data:")]
    small = any(
        css.pixels(t) < 8 for t in chosen.get("background-size", ()) if t.type in ("dimension", "number", "percentage")
    )
    if "text" in css.words(chosen.get("background-clip", ())):
        if (stops or paints) and not outside and alpha < boxes.FAINT and under:
            seen = stops or paints
            changes["alpha"] = min(paint[1] for paint in seen)
            close = [paint[0] for paint in seen if any(too_close(paint[0], colour) for colour in under)]
            changes["color"] = (close or [seen[0][0]])[0]
        return
    if paints and paints[0][1] > 0:
        colour, share = paints[0]
        under = (colour,) if share >= 1 else _over(colour, share, under)
        changes["backed"] = True
    if outside and not small:
        under = ()
        changes["backed"] = True
    elif stops and not small:
        solid = all(paint[1] >= 1 for paint in stops)
        over = [c for colour, share in stops[:12] for c in (_over(colour, share, under) or ())]
        under = tuple(dict.fromkeys(over)) if solid or under is None else tuple(dict.fromkeys((*over, *under)))
        changes["backed"] = True
    changes["backgrounds"] = under


def _over(colour: RGB, share: float, under: tuple[RGB, ...] | None) -> tuple[RGB, ...] | None:
    if share >= 1 or under == ():
        return (colour,)
    return None if under is None else tuple(blend(colour, beneath, share) for beneath in under[:12])
