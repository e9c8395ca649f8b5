"""A chart holds all it shows: one that would open an address or a file is not drawn."""

from __future__ import annotations

from typing import Any

import pytest

from evenhand.errors import UsageError
from evenhand.records.report import Chart
from evenhand.rendering.charts import chart_png, chart_svg

PLAIN: dict[str, Any] = {"data": {"values": [{"a": 1}]}, "mark": "point", "encoding": {"x": {"field": "a"}}}


@pytest.mark.parametrize(
    "spec",
    [
        {"mark": "image", "data": {"values": [{}]}, "encoding": {"url": {"value": "http://127.0.0.1:9/x.png"}}},
        {"mark": {"type": "image", "width": 9}, "data": {"values": [{"p": "file:///etc/hostname"}]}},
        {"mark": "point", "data": {"url": "file:///etc/passwd"}},
        {"layer": [PLAIN, {"mark": {"type": "image"}}]},
        {**PLAIN, "encoding": {"href": {"value": "http://example.com"}}},
    ],
)
@pytest.mark.parametrize("draw", [chart_svg, chart_png])
def test_it_is_refused(spec: dict[str, Any], draw: Any) -> None:
    with pytest.raises(UsageError, match="wants to fetch"):
        draw(Chart("A chart", spec, "words"))


def test_a_plain_chart_is_drawn() -> None:
    assert chart_svg(Chart("A chart", PLAIN, "words")).startswith("<svg")
