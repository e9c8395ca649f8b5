"""The published figures, drawn from the published series and read back from what was drawn."""

from __future__ import annotations

import re

import numpy as np
import pytest

from evenhand.debias.pictures.co_importance import co_importance
from evenhand.debias.pictures.sweeps import MethodAccuracy, SweepSeries, accuracies_over_k, trade_off
from evenhand.debias.weighing import Concept, rank_concepts
from evenhand.rendering.charts import chart_png, chart_svg, drawable
from evenhand_lab.reproduce import taco as taco_table
from tests.debias import taco_published
from tests.debias.pictures.drawn import Drawn, between, place

SWEEP = SweepSeries(
    ks=tuple(range(20)),
    sensitive=taco_table.GENDER_ACCURACY,
    task=taco_table.OCCUPATION_ACCURACY,
    floor=taco_published.GENDER_FLOOR,
    original=MethodAccuracy("Baseline1", taco_table.GENDER_ACCURACY[0], taco_table.OCCUPATION_ACCURACY[0]),
    reference=MethodAccuracy(
        "Baseline2", taco_published.NEUTRAL_GENDER_ACCURACY, taco_published.NEUTRAL_OCCUPATION_ACCURACY
    ),
)


@pytest.fixture(scope="module")
def concepts() -> tuple[Concept, ...]:
    return rank_concepts(np.array(taco_published.GENDER_IMPORTANCE), np.array(taco_published.OCCUPATION_IMPORTANCE))


def test_the_series_are_whole() -> None:
    assert len(taco_table.GENDER_ACCURACY) == len(taco_table.OCCUPATION_ACCURACY) == 20
    assert round(sum(taco_published.GENDER_IMPORTANCE), 3) == 1.287
    assert round(sum(taco_published.OCCUPATION_IMPORTANCE), 3) == 1.091
    assert sorted(taco_published.REMOVAL_ORDER) == list(range(20))
    assert len(taco_published.SHARE_OF_WOMEN) == 28
    crossed = [accuracy < taco_published.GENDER_FLOOR for accuracy in taco_table.GENDER_ACCURACY]
    assert crossed.index(True) == 17


def test_trade_off() -> None:
    drawn = Drawn(chart_svg(trade_off(SWEEP), "light"))
    assert drawn.titles == ("drop of gender accuracy against Baseline1, points", "occupation accuracy, %")
    (dashed,) = drawn.dashed()
    assert between(drawn.x, place(dashed)[0]) == pytest.approx(33.33, abs=0.05)
    crosses = [mark for mark in drawn.marks("point") if mark.get("fill") == "#d55e00"]
    assert drawn.at(crosses[0]) == pytest.approx((16.2, 86.08), abs=0.05)
    points = [mark for mark in drawn.marks("point") if mark.get("fill") == "#0072b2"]
    assert drawn.at(points[0]) == pytest.approx((0.0, 86.39), abs=0.1)
    assert drawn.at(points[19]) == pytest.approx((40.05, 45.31), abs=0.1)
    assert drawn.texts() == ["0", "1", "12", "15", "18", "Baseline2", "floor, 33.33"]


def test_accuracies_over_k() -> None:
    svg = chart_svg(accuracies_over_k(SWEEP), "light")
    task, gender = Drawn(svg), Drawn(svg, panel=1)
    assert (task.titles[1], gender.titles[1]) == ("occupation accuracy, %", "gender accuracy, %")
    assert task.dashed() == []
    (floor,) = gender.dashed()
    assert gender.at(floor)[1] == pytest.approx(62.68, abs=0.05)
    levels = {round(panel.at(rule)[1], 1) for panel in (task, gender) for rule in panel.marks("rule mark")}
    assert levels == {86.1, 79.8, 62.7}
    shown = [mark for mark in gender.marks("point") if mark.get("fill") == "#d55e00"]
    assert [round(gender.at(mark)[1], 1) for mark in shown] == [round(each, 1) for each in taco_table.GENDER_ACCURACY]
    assert [round(gender.at(mark)[0], 2) for mark in shown] == list(range(20))


def test_co_importance(concepts: tuple[Concept, ...]) -> None:
    svg = chart_svg(co_importance(concepts), "light")
    drawn = Drawn(svg)
    assert drawn.titles == ("gender importance", "occupation importance")
    circles = drawn.marks("circle")
    shown = {
        tuple(round(between_roots(ruler, at), 4) for ruler, at in zip((drawn.x, drawn.y), place(mark), strict=True))
        for mark in circles
    }
    assert shown == set(zip(taco_published.GENDER_IMPORTANCE, taco_published.OCCUPATION_IMPORTANCE, strict=True))
    by_index = {index: circles[turn] for turn, index in enumerate(taco_published.REMOVAL_ORDER)}
    assert [drawn.nearest_text(by_index[index]) for index in (15, 18, 19)] == ["1", "8", "19"]
    assert sorted(int(text) for text in drawn.texts()) == list(range(1, 21))
    # a = 90 - 9.03 lies four fifths of the way from the middle (b9b6a8) to the end (d55e00) of the colours.
    share = (90 - 9.0257 - 45) / 45
    mixed = [round(middle + share * (end - middle)) for middle, end in ((0xB9, 0xD5), (0xB6, 0x5E), (0xA8, 0x00))]
    assert [int(each) for each in re.findall(r"\d+", by_index[15].get("fill"))] == mixed
    assert "angle a in degrees" in svg
    assert {"0", "45", "90"} <= set(re.findall(r">(\d+)</text>", svg.partition("role-legend")[2]))


def between_roots(ruler: list[tuple[float, float]], pixel: float) -> float:
    """Both axes of the figure are drawn by roots, and in per cent."""
    return (between([(at, number**0.5) for at, number in ruler], pixel)) ** 2 / 100


def test_labels_do_not_cover_each_other(concepts: tuple[Concept, ...]) -> None:
    places = [place(mark) for mark in Drawn(chart_svg(co_importance(concepts), "light")).marks("text mark")]
    for at, (x, y) in enumerate(places):
        assert all(abs(x - other) > 9 or abs(y - below) > 9 for other, below in places[:at])


def test_reports_draw_the_same_charts_and_dark_ones_are_dark(concepts: tuple[Concept, ...]) -> None:
    chart = trade_off(SWEEP)
    (dashed,) = Drawn(chart_svg(chart)).dashed()
    (dark,) = Drawn(chart_svg(chart, "dark")).dashed()
    assert place(dashed)[0] == place(dark)[0]
    assert drawable(co_importance(concepts), "dark")["background"] == "#161618"
    assert chart_png(chart, "light", scale=0.5).startswith(b"\x89PNG")
    assert "33" not in chart.title
    assert "79.8 and 86.1 %" in chart.words


def test_a_sweep_needs_as_many_values_as_ks() -> None:
    with pytest.raises(ValueError, match="one value of each kind"):
        SweepSeries((0, 1), (90.0,), (80.0, 79.0), 60.0, MethodAccuracy("original", 90.0, 80.0))


def test_extreme_figures_are_drawn() -> None:
    """A perfect model at one k, and an importance that was estimated below nothing."""
    perfect = SweepSeries((0,), (100.0,), (100.0,), 100.0, MethodAccuracy("original", 100.0, 100.0))
    for chart in (accuracies_over_k(perfect), trade_off(perfect)):
        assert "NaN" not in chart_svg(chart, "light")
    concepts = rank_concepts(np.array([0.5, -0.001]), np.array([0.1, 0.3]))
    assert "NaN" not in chart_svg(co_importance(concepts), "light")
