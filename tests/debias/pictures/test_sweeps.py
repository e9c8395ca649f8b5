"""Sweeps with several probes, intervals and rivals."""

from __future__ import annotations

from itertools import pairwise

import pytest

from evenhand.debias.pictures.co_importance import LabelBox, place_labels, spread
from evenhand.debias.pictures.sweeps import MethodAccuracy, SweepSeries, accuracies_over_k, trade_off
from evenhand.rendering.charts import chart_svg
from tests.debias.pictures.drawn import Drawn, place

SWEEP = SweepSeries(
    ks=(0, 1, 2),
    sensitive=(80.0, 75.0, 70.0),
    task=(85.0, 84.5, 82.0),
    floor=69.5,
    original=MethodAccuracy("original", 95.0, 86.0),
    rivals=(MethodAccuracy("LEACE", 78.0, 85.0),),
    probe="MLP",
    probes=(("linear", (72.0, 71.0, 70.2)),),
    sensitive_ranges=((79.0, 81.0), (74.0, 76.0), (69.0, 71.0)),
    recommended=1,
    sensitive_name="origin",
    task_name="level",
)


def test_every_line_is_named_and_names_lie_apart() -> None:
    drawn = Drawn(chart_svg(accuracies_over_k(SWEEP), "light"), panel=1)
    assert drawn.texts() == ["original", "floor: the label alone, 69.50", "MLP", "linear"]
    heights = sorted(place(mark)[1] for mark in drawn.marks("text mark")[1:])
    assert all(two - one >= 13 for one, two in pairwise(heights))
    (recommended,) = [mark for mark in drawn.marks("rule mark") if mark.get("stroke-dasharray") == "1,3"]
    assert drawn.at(recommended)[0] == pytest.approx(1.0)


def test_the_two_starting_points_are_apart() -> None:
    """The original model, and the same cut down to r concepts with none removed."""
    drawn = Drawn(chart_svg(accuracies_over_k(SWEEP), "light"), panel=1)
    (diamond,) = [mark for mark in drawn.marks("point") if mark.get("stroke") == "#8a8a8a"]
    assert drawn.at(diamond) == pytest.approx((0.0, 95.0), abs=0.1)
    lines = [mark for mark in drawn.marks("point") if mark.get("fill") == "#d55e00"]
    assert drawn.at(lines[0])[1] == pytest.approx(80.0, abs=0.1)


def test_rivals_stand_where_they_should() -> None:
    drawn = Drawn(chart_svg(trade_off(SWEEP, labelled=(0, 2)), "light"))
    cross = [mark for mark in drawn.marks("point") if mark.get("fill") == "#8a8a8a"]
    assert drawn.at(cross[0]) == pytest.approx((17.0, 85.0), abs=0.1)
    assert drawn.texts() == ["0", "2", "LEACE", "floor, 25.50"]
    assert "LEACE: 78.0 and 85.0 %" in SWEEP.words()
    assert "Recommended: k = 1." in SWEEP.words()


def test_names_move_as_little_as_needed() -> None:
    assert spread([10.0, 100.0], apart=14) == [10.0, 100.0]
    assert spread([50.0, 50.0], apart=14) == pytest.approx([43.0, 57.0])


def test_labels_avoid_points_and_lines() -> None:
    wall = LabelBox(16, 0, 60, 100)  # right of the point all is taken
    (placed,) = place_labels([(10.0, 50.0)], ["7"], radius=4, size=(100, 100), obstacles=[wall])
    assert placed[0] <= 0
    (free,) = place_labels([(10.0, 50.0)], ["7"], radius=4, size=(100, 100))
    assert (free[0] > 0, free[1]) == (True, 0)
