"""Vega-Lite specifications as SVG and PNG, light or dark. Nothing is fetched, and texts are never markup."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from evenhand.records.report import Chart

Look = Literal["light", "dark"]
FONT = "Liberation Sans, Arial, Helvetica, DejaVu Sans, sans-serif"
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a8a8a"
"""Told apart by those who see few colours too, on white and on black."""
_INKS: dict[Look, tuple[str, str, str, str]] = {  # paper, ink, soft ink, lines
    "light": ("white", "#1c1c1c", "#555555", "#e3e3e0"),
    "dark": ("#161618", "#ececec", "#a9a9a9", "#37373b"),
}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def chart_svg(chart: Chart, *, look: Look = "light") -> str:
    import vl_convert  # noqa: PLC0415 - a chart engine, for those who draw

    return str(vl_convert.vegalite_to_svg(json.dumps(dressed(chart, look)), allowed_base_urls=[]))


def chart_png(chart: Chart, *, look: Look = "light", scale: float = 2.0) -> bytes:
    import vl_convert  # noqa: PLC0415 - a chart engine, for those who draw

    return bytes(
        vl_convert.vegalite_to_png(json.dumps(dressed(chart, look)), scale=scale, allowed_base_urls=[])
    )


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
        "font": FONT,
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
        "text": {"color": ink, "font": FONT},
        "rule": {"color": soft},
    }
    spec = _clean(chart.spec)
    return {**spec, "background": paper, "padding": 16, "config": {**config, **spec.get("config", {})}}


def _clean(value: Any) -> Any:
    """Without characters that no XML may hold: one in a text would leave the whole picture blank."""
    if isinstance(value, str):
        return _NOT_XML.sub("\ufffd", value)
    if isinstance(value, dict):
        return {key: _clean(each) for key, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, list | tuple) else value


def titled(text: str, *lines: str) -> dict[str, Any]:
    return {"text": text, "subtitle": list(lines), "anchor": "start", "offset": 10}
