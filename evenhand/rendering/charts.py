"""Charts of a report as SVG and PNG: drawn here, with fonts of this machine and without fetching anything."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from types import ModuleType
from typing import Any, Literal

from evenhand.errors import UsageError
from evenhand.extras import require
from evenhand.records.report import Chart

FONT = "Liberation Sans, DejaVu Sans, Helvetica, Arial, sans-serif"
DEFAULTS: dict[str, Any] = {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "padding": 10}
# A browser may draw the letters of an SVG with a wider font than they were measured with here.
ROOM = {"left": 40, "right": 24, "top": 10, "bottom": 10}
CONFIG: dict[str, Any] = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 260},
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
    "header": {"labelFontSize": 12, "titleFontSize": 12},
    "title": {"anchor": "start", "fontSize": 13, "subtitleFontSize": 12},
}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def chart_engine() -> ModuleType:
    """Loaded by those who draw: it is large."""
    require("audit")
    import vl_convert  # noqa: PLC0415

    return vl_convert


def chart_svg(chart: Chart) -> str:
    """The same chart is drawn once: a page that is looked at again need not wait."""
    return _drawn(drawable(chart, padding=ROOM))


@lru_cache(maxsize=128)
def _drawn(spec: str) -> str:
    return str(chart_engine().vegalite_to_svg(spec, allowed_base_urls=[]))


def chart_png(chart: Chart, *, scale: float = 3.0) -> bytes:
    return bytes(chart_engine().vegalite_to_png(drawable(chart), scale=scale, allowed_base_urls=[]))


def drawable(chart: Chart, **more: Any) -> str:
    """The specification with our letters, on white, without the title that stands above it already."""
    if fetches(chart.spec):
        raise UsageError(f"The chart {chart.title!r} wants to fetch something, and charts hold all they show.")
    spec = {**DEFAULTS, **chart.spec, "background": "white", **more}
    if _title(spec) == chart.title:
        del spec["title"]
    config = spec.get("config", {})
    spec["config"] = {
        **config,
        **{
            name: {**value, **config.get(name, {})} if isinstance(value, dict) else config.get(name, value)
            for name, value in CONFIG.items()
        },
    }
    return json.dumps(_clean(spec))


def fetches(value: Any) -> bool:
    """Whether drawing it would open an address or a file: pictures as marks, and data that lie elsewhere."""
    if isinstance(value, dict):
        is_picture = value.get("mark") == "image" or value.get("type") == "image"
        return is_picture or any(key in ("url", "href", "src") or fetches(each) for key, each in value.items())
    return any(map(fetches, value)) if isinstance(value, list | tuple) else False


def _title(spec: dict[str, Any]) -> object:
    title = spec.get("title")
    return title.get("text") if isinstance(title, dict) else title


def _clean(value: Any) -> Any:
    """Without characters that no XML may hold: one in a name would leave the whole picture blank."""
    if isinstance(value, str):
        return _NOT_XML.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_clean(key): _clean(each) for key, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, list | tuple) else value


# Vega-Lite specifications as SVG and PNG, light or dark. Nothing is fetched, and texts are never markup.

Look = Literal["light", "dark"]
THEME_FONT = "Liberation Sans, Arial, Helvetica, DejaVu Sans, sans-serif"
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a8a8a"
"""Told apart by those who see few colours too, on white and on black."""
_INKS: dict[Look, tuple[str, str, str, str]] = {  # paper, ink, soft ink, lines
    "light": ("white", "#1c1c1c", "#555555", "#e3e3e0"),
    "dark": ("#161618", "#ececec", "#a9a9a9", "#37373b"),
}


def themed_svg(chart: Chart, *, look: Look = "light") -> str:
    return str(chart_engine().vegalite_to_svg(json.dumps(dressed(chart, look)), allowed_base_urls=[]))


def themed_png(chart: Chart, *, look: Look = "light", scale: float = 2.0) -> bytes:
    return bytes(chart_engine().vegalite_to_png(json.dumps(dressed(chart, look)), scale=scale, allowed_base_urls=[]))


def dressed(chart: Chart, look: Look = "light") -> dict[str, Any]:
    """The specification with its letters and colours; marks keep those they have of their own."""
    paper, ink, soft, line = _INKS[look]
    axis = {
        "labelColor": soft,
        "titleColor": ink,
        "gridColor": line,
        "domainColor": soft,
        "tickColor": soft,
        "labelFontSize": 12,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "labelLimit": 240,
        "labelFlush": False,
    }
    legend = {
        "labelColor": ink,
        "titleColor": ink,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    }
    config = {
        "font": THEME_FONT,
        "view": {"stroke": None},
        "axis": axis,
        "legend": legend,
        "title": {
            "color": ink,
            "subtitleColor": soft,
            "anchor": "start",
            "fontSize": 15,
            "subtitleFontSize": 12.5,
        },
        "text": {"color": ink, "font": THEME_FONT},
        "rule": {"color": soft},
    }
    spec = _drawing_clean(chart.spec)
    return {**spec, "background": paper, "padding": 16, "config": {**config, **spec.get("config", {})}}


def _drawing_clean(value: Any) -> Any:
    """Without characters that no XML may hold: one in a text would leave the whole picture blank."""
    if isinstance(value, str):
        return _NOT_XML.sub("\ufffd", value)
    if isinstance(value, dict):
        return {key: _drawing_clean(each) for key, each in value.items()}
    return [_drawing_clean(each) for each in value] if isinstance(value, list | tuple) else value


def titled(text: str, *lines: str) -> dict[str, Any]:
    return {"text": text, "subtitle": list(lines), "anchor": "start", "offset": 10}
