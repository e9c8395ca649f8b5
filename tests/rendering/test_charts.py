"""The chart kit: parts of a specification, and what a theme adds to it."""

from __future__ import annotations

from evenhand.records.report import Chart
from evenhand.rendering.charts import SCHEMA, Theme, coloured, drawable, figure, interval, layer, layered, quantitative

ROWS = [{"group": "a", "low": 0.1, "high": 0.3}]


def test_parts_of_a_specification() -> None:
    assert interval(title="rate") == {
        "x": {"field": "low", "type": "quantitative", "title": "rate"},
        "x2": {"field": "high"},
    }
    assert quantitative(title="score") == {"type": "quantitative", "title": "score"}
    assert coloured("side", {"for": "blue", "against": "red"})["scale"] == {
        "domain": ["for", "against"],
        "range": ["blue", "red"],
    }
    assert layer("rule", interval(), rows=ROWS, opacity=0.5) == {
        "data": {"values": ROWS},
        "mark": {"type": "rule", "opacity": 0.5},
        "encoding": interval(),
    }


def test_a_report_has_the_title_above_the_chart_and_a_figure_within() -> None:
    rates = layered(ROWS, [layer("rule", interval())], width=100, height={"step": 20}, title="Rates")
    in_report = drawable(Chart("Rates", rates, "words"))
    assert "title" not in in_report
    assert (in_report["$schema"], in_report["background"]) == (SCHEMA, "white")
    alone = drawable(Chart("Rates", figure("Rates", "by group", mark="point"), "words"), "dark")
    assert (alone["title"]["text"], alone["title"]["subtitle"]) == ("Rates", ["by group"])
    assert alone["background"] != "white"


def test_a_chart_keeps_a_setting_of_its_own() -> None:
    spec = {"mark": "point", "config": {"axis": {"labelFontSize": 7}}}
    themes: tuple[Theme, ...] = ("report", "light")
    for theme in themes:
        axis = drawable(Chart("t", spec, "w"), theme)["config"]["axis"]
        assert axis["labelFontSize"] == 7
        assert axis["titleFontWeight"] == "normal"
