"""The strongest words as bars: one bar per occurrence, both signs, as SVG or PNG."""

from __future__ import annotations

import json
from typing import Any

from evenhand.explain.pictures.paragraph import shortened, tidy
from evenhand.explain.words import top_words
from evenhand.records.explanation import Explanation

TOP = 20
FOR, AGAINST, GREY = "#0072b2", "#d55e00", "#8a8a8a"  # told apart by those who see few colours too
LONGEST_TICK = 28
FONT = "Liberation Sans, DejaVu Sans, Helvetica, Arial, sans-serif"


def bars_svg(explanation: Explanation) -> str:
    import vl_convert  # noqa: PLC0415 - a chart engine, for those who draw

    return str(vl_convert.vegalite_to_svg(json.dumps(chart(explanation))))


def bars_png(explanation: Explanation, *, scale: float = 2.0) -> bytes:
    import vl_convert  # noqa: PLC0415 - a chart engine, for those who draw

    return bytes(vl_convert.vegalite_to_png(json.dumps(chart(explanation)), scale=scale))


def chart(explanation: Explanation) -> dict[str, Any]:
    """In Vega-Lite. The rank is the position of a bar and the word only its tick: equal words stay apart."""
    numbers = {word.start: number for number, word in enumerate(explanation.words, start=1)}
    rows = [
        {
            "tick": f"{shortened(tidy(word.text), LONGEST_TICK)}  ({numbers[word.start]})",
            "score": word.score,
            "side": "for" if word.score >= 0 else "against",
            "shown": f"{word.score:+.2f}",
        }
        for word in top_words(explanation.words, TOP)
    ]
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": "white",
        "padding": 16,
        "width": 460,
        "height": {"step": 22},
        "title": title(explanation),
        "data": {"values": rows},
        "layer": [_bars(explanation.converged or explanation.method == "occlusion"), _numbers()],
        "config": {
            "font": FONT,
            "view": {"stroke": None},
            "axis": {"labelFontSize": 12, "titleFontSize": 12},
        },
    }


def title(explanation: Explanation) -> dict[str, Any]:
    lines = [
        f"F(x) = {explanation.output:.3f}, F(x') = {explanation.baseline_output:.3f}, "
        f"delta = {explanation.delta:z.3f}",
        f"{explanation.method}, baseline {explanation.baseline}, "
        f"model {explanation.model.name} {explanation.model.version}",
    ]
    if not explanation.converged:
        lines.append("Not converged: the scores do not add up to F(x) - F(x').")
    return {
        "text": f"The strongest words for and against {explanation.target}",
        "subtitle": lines,
        "anchor": "start",
        "fontSize": 15,
        "subtitleFontSize": 12,
        "subtitleColor": "#444",
        "offset": 14,
    }


def _bars(is_coloured: bool) -> dict[str, Any]:
    colours = [FOR, AGAINST] if is_coloured else [GREY, GREY]
    return {
        "mark": {"type": "bar", "height": 15},
        "encoding": {
            **_places(),
            "color": {
                "field": "side",
                "type": "nominal",
                "scale": {"domain": ["for", "against"], "range": colours},
                "legend": {"title": None, "orient": "bottom", "labelFontSize": 12},
            },
        },
    }


def _numbers() -> dict[str, Any]:
    """Beside each bar, on the side that it points to."""
    return {
        "mark": {
            "type": "text",
            "fontSize": 11,
            "align": {"expr": "datum.score >= 0 ? 'left' : 'right'"},
            "dx": {"expr": "datum.score >= 0 ? 4 : -4"},
        },
        "encoding": {**_places(), "text": {"field": "shown", "type": "nominal"}},
    }


def _places() -> dict[str, Any]:
    return {
        "y": {
            "field": "tick",
            "type": "nominal",
            "sort": None,
            "axis": {"title": "word (its number in the resume)", "labelLimit": 240, "ticks": False},
        },
        "x": {
            "field": "score",
            "type": "quantitative",
            "axis": {"title": "what the word adds to the logit", "grid": True},
            "scale": {"padding": 36},
        },
    }
