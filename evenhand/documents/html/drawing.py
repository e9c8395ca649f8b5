"""Text in drawings (SVG): visible where it stands within the drawing and on a colour other than its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import tinycss2
from selectolax.lexbor import LexborNode

from evenhand.documents.html import css
from evenhand.documents.html.boxes import HtmlStyle
from evenhand.documents.html.css import TABLES, Unclear
from evenhand.documents.html.sheets import Declaration
from evenhand.documents.properties import UNKNOWN

_STYLING = frozenset(TABLES["drawing"]["styling"].split())
_PLAIN = frozenset(TABLES["drawing"]["plain"].split())
_SHAPES = TABLES["drawing"]["shapes"]


def presentation(attributes: Mapping[str, str | None]) -> Iterator[Declaration]:
    """Attributes that style as declarations do, weaker than all of them."""
    for name in _STYLING & attributes.keys():
        value = css.solid(tinycss2.parse_component_value_list(attributes[name] or ""))
        if value:
            yield Declaration(name, css.in_pixels(value) if name == "font-size" else value, False)


def drawn(node: LexborNode, tag: str, attributes: Mapping[str, str | None], style: HtmlStyle) -> HtmlStyle:
    """The style of an element of a drawing, hidden where nobody can tell that it is seen."""
    odd = [
        name for name in attributes if name not in _STYLING | _PLAIN and not name.startswith(("data-", "aria-", "xml"))
    ]
    try:
        if odd or (tag in ("text", "tspan") and not _is_within(tag, attributes, style)):
            raise Unclear
        return _on_canvas(node, attributes, style) if tag == "svg" else style
    except Unclear as unclear:
        return style._replace(hidden=unclear.reason)
    except ValueError:
        return style._replace(hidden=UNKNOWN)


def _is_within(tag: str, attributes: Mapping[str, str | None], style: HtmlStyle) -> bool:
    if style.canvas is None:
        return False
    left, top, width, height = style.canvas
    default = "0" if tag == "text" else str(left + 1)
    x = float((attributes.get("x") or default).split()[0].removesuffix("px").removesuffix("%"))
    y = float(
        (attributes.get("y") or ("0" if tag == "text" else str(top + style.size)))
        .split()[0]
        .removesuffix("px")
        .removesuffix("%")
    )
    return left <= x < left + width and top < y <= top + height + style.size / 2


def _on_canvas(node: LexborNode, attributes: Mapping[str, str | None], style: HtmlStyle) -> HtmlStyle:
    numbers = [
        float(part) for part in (attributes.get("viewbox") or attributes.get("viewBox") or "").replace(",", " ").split()
    ]
    sides = [attributes.get(name) or default for name, default in (("width", "300"), ("height", "150"))]
    width, height = (float(side.removesuffix("px")) if not side.endswith(("%", "em", "m")) else 300.0 for side in sides)
    if min(width, height) < 1:
        raise Unclear("clipped")
    canvas = (numbers[0], numbers[1], numbers[2], numbers[3]) if len(numbers) == 4 else (0.0, 0.0, width, height)
    scale = (
        style.scale * min(1.0, width / canvas[2], height / canvas[3])
        if len(numbers) == 4 and min(canvas[2:]) > 0
        else style.scale
    )
    behind = list(style.backgrounds or ())
    texts = 0
    for inner in node.css(f"text, {_SHAPES}"):
        texts += inner.tag == "text"
        if inner.tag == "text":
            continue
        given = inner.attributes
        fill = given.get("fill") or ""
        is_styled = inner.tag in ("image", "use") or "style" in given or "class" in given
        if (texts or is_styled) and node.css_first("text") is not None:
            raise Unclear
        if fill != "none":
            sizes = [given.get(name) or "0" for name in ("width", "height")]
            room = [0.0 if "%" in n else float(n.removesuffix("px")) for n in sizes]
            full = sizes == ["100%", "100%"] or (room[0] >= canvas[2] and room[1] >= canvas[3])
            if inner.tag == "rect" and full and not {"x", "y"} & given.keys():
                behind.clear()
            behind.append(css.color(tinycss2.parse_one_component_value(fill or "black"))[0])
    return style._replace(canvas=canvas, scale=scale, backgrounds=tuple(dict.fromkeys(behind))[:20])
