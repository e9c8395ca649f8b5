"""Charts: one way to build a Vega-Lite specification, and one way to draw it as SVG or PNG. Nothing is fetched."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, Literal

from evenhand.errors import UsageError
from evenhand.extras import require
from evenhand.records.report import Chart

Spec = dict[str, Any]
Theme = Literal["report", "light", "dark"]
"""In a report, whose page has the title above the picture; or a figure that stands alone, on white or on black."""

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a8a8a"
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, "#e69f00", "#56b4e9", "#000000", GREY)
"""Told apart by those who see few colours too, on white and on black."""

FONT = "Liberation Sans, DejaVu Sans, Helvetica, Arial, sans-serif"
FIGURE_FONT = "Liberation Sans, Arial, Helvetica, DejaVu Sans, sans-serif"
# A browser may draw the letters of an SVG with a wider font than they were measured with here.
SVG_PADDING = {"left": 40, "right": 24, "top": 10, "bottom": 10}
REPORT_CONFIG: Spec = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 260},
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
    "header": {"labelFontSize": 12, "titleFontSize": 12},
    "title": {"anchor": "start", "fontSize": 13, "subtitleFontSize": 12},
}
_INKS: dict[Theme, tuple[str, str, str, str]] = {  # paper, ink, soft ink, lines
    "light": ("white", "#1c1c1c", "#555555", "#e3e3e0"),
    "dark": ("#161618", "#ececec", "#a9a9a9", "#37373b"),
}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


# Parts of a specification.


def quantitative(field: str | None = None, **more: Any) -> Spec:
    """A channel of numbers; without a field, one to which a field is added later."""
    return {**({} if field is None else {"field": field}), "type": "quantitative", **more}


def nominal(field: str, **more: Any) -> Spec:
    return {"field": field, "type": "nominal", **more}


def coloured(field: str, colours: Mapping[str, str], **more: Any) -> Spec:
    """A nominal channel with a colour for each of its values, in their order."""
    return nominal(field, scale={"domain": list(colours), "range": list(colours.values())}, **more)


def interval(low: str = "low", high: str = "high", *, channel: str = "x", **more: Any) -> Spec:
    """From one field to the other on the same axis."""
    return {channel: quantitative(low, **more), f"{channel}2": {"field": high}}


def layer(mark: str, encoding: Spec, *, rows: Sequence[Spec] | None = None, **style: Any) -> Spec:
    """One kind of mark; `rows` where it has data of its own."""
    data = {} if rows is None else {"data": {"values": list(rows)}}
    return {**data, "mark": {"type": mark, **style}, "encoding": encoding}


def layered(rows: Sequence[Spec], layers: Sequence[Spec], *, width: int, height: int | Spec, **more: Any) -> Spec:
    """Marks over each other that share their data."""
    return {**more, "width": width, "height": height, "data": {"values": list(rows)}, "layer": list(layers)}


def figure(title: str, *lines: str, **parts: Any) -> Spec:
    """A chart that stands alone: with its schema, its title and lines below the title."""
    heading = {"text": title, "subtitle": list(lines), "anchor": "start", "offset": 10}
    return {"$schema": SCHEMA, "title": heading, **parts}


# Drawing.


def chart_svg(chart: Chart, theme: Theme = "report") -> str:
    """The same chart is drawn once: a page that is looked at again need not wait."""
    return spec_svg(drawable(chart, theme, padding=SVG_PADDING) if theme == "report" else drawable(chart, theme))


def chart_png(chart: Chart, theme: Theme = "report", *, scale: float = 3.0) -> bytes:
    return spec_png(drawable(chart, theme), scale=scale)


def chart_engine() -> ModuleType:
    """Loaded by those who draw: it is large."""
    require("audit")
    import vl_convert  # noqa: PLC0415

    return vl_convert


def spec_svg(spec: Spec) -> str:
    return _drawn(json.dumps(_clean(spec)))


@lru_cache(maxsize=128)
def _drawn(spec: str) -> str:
    return str(chart_engine().vegalite_to_svg(spec, allowed_base_urls=[]))


def spec_png(spec: Spec, *, scale: float) -> bytes:
    return bytes(chart_engine().vegalite_to_png(json.dumps(_clean(spec)), scale=scale, allowed_base_urls=[]))


def drawable(chart: Chart, theme: Theme = "report", **more: Any) -> Spec:
    """The specification with the letters and colours of the theme; marks keep those they have of their own."""
    if fetches(chart.spec):
        raise UsageError(f"The chart {chart.title!r} wants to fetch something, and charts hold all they show.")
    if theme == "report":
        spec, config = {"$schema": SCHEMA, "padding": 10, **chart.spec, "background": "white"}, REPORT_CONFIG
        if _title(spec) == chart.title:
            del spec["title"]
    else:
        spec = {**chart.spec, "background": _INKS[theme][0], "padding": 16}
        _, ink, soft, line = _INKS[theme]
        letters = {"labelFontSize": 12, "titleFontWeight": "normal", "titleColor": ink}
        axis = {"labelColor": soft, "gridColor": line, "domainColor": soft, "tickColor": soft, "titleFontSize": 13}
        title = {"color": ink, "subtitleColor": soft, "anchor": "start", "fontSize": 15, "subtitleFontSize": 12.5}
        config = {
            "font": FIGURE_FONT,
            "view": {"stroke": None},
            "axis": {**letters, **axis, "labelLimit": 240, "labelFlush": False},
            "legend": {**letters, "labelColor": ink, "titleFontSize": 12},
            "title": title,
            "text": {"color": ink, "font": FIGURE_FONT},
            "rule": {"color": soft},
        }
    own = spec.get("config", {})
    merged = {
        name: {**value, **own.get(name, {})} if isinstance(value, dict) else own.get(name, value)
        for name, value in config.items()
    }
    return {**spec, **more, "config": {**own, **merged}}


def fetches(value: Any) -> bool:
    """Whether drawing it would open an address or a file: pictures as marks, and data that lie elsewhere."""
    if isinstance(value, dict):
        is_picture = value.get("mark") == "image" or value.get("type") == "image"
        return is_picture or any(key in ("url", "href", "src") or fetches(part) for key, part in value.items())
    return any(map(fetches, value)) if isinstance(value, list | tuple) else False


def _title(spec: Spec) -> object:
    title = spec.get("title")
    return title.get("text") if isinstance(title, dict) else title


def _clean(value: Any) -> Any:
    """Without characters that no XML may hold: one in a name would leave the whole picture blank."""
    if isinstance(value, str):
        return _NOT_XML.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_clean(key): _clean(part) for key, part in value.items()}
    return [_clean(part) for part in value] if isinstance(value, list | tuple) else value
