"""Counts and shares by label, as drawn."""

from __future__ import annotations

import re

from evenhand.debias.pictures.drawing import chart_svg
from evenhand.debias.pictures.groups import counts_by_label, shares_by_group
from evenhand.debias.shares import shares_by_label

SHARES = shares_by_label(["nurse"] * 4 + ["yoga_teacher"] * 10, ["f"] * 3 + ["m"] + ["f"] * 9 + ["m"])


def bars(svg: str) -> list[tuple[str, ...]]:
    """Label, group and width in pixels, as drawn."""
    found = re.findall(
        r'<path aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="bar" d="M[^h]*h([\d.]+)',
        svg,
    )
    return [(said, width) for said, width in found]


def test_counts() -> None:
    svg = chart_svg(counts_by_label(SHARES))
    labels = re.findall(r">(nurse|yoga teacher)<", svg)
    assert labels == ["yoga teacher", "nurse"]
    widths = [float(width) for _, width in bars(svg)]
    assert len(widths) == 4
    unit = max(widths) / 9  # nine of the yoga teachers are f
    assert sorted(round(width / unit) for width in widths) == [1, 1, 3, 9]
    assert re.findall(r">(10|4)</text>", svg)[-2:] == ["10", "4"]


def test_shares() -> None:
    chart = shares_by_group(SHARES)
    svg = chart_svg(chart)
    assert re.findall(r">([\d.]+ %)<", svg) == ["90.0 %", "75.0 %"]
    widths = sorted(float(width) for _, width in bars(svg))
    assert [round(width / 460, 3) for width in widths] == [0.1, 0.25, 0.75, 0.9]
    assert "The numbers are the share of f." in svg
    assert chart.words == "yoga teacher: 10 (f 90.0 %, m 10.0 %); nurse: 4 (f 75.0 %, m 25.0 %)."
