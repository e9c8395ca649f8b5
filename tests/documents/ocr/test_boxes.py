"""Boxes are worked out by hand on maps of a few rectangles."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evenhand.documents.ocr.geometry import Map, SlantedBox, connect, find_boxes, find_runs, grown, thickened


def blank(height: int = 100, width: int = 200) -> Map:
    return np.zeros((height, width), np.float32)


def test_nothing_marked() -> None:
    assert find_boxes(blank()) == []


def test_a_rectangle_is_grown_along_and_across() -> None:
    text_map = blank()
    text_map[40:50, 20:120] = 0.9
    [box] = find_boxes(text_map)
    margin = 100 * 10 / 110
    assert (box.x, box.y, box.angle) == (70.0, 45.0, 0.0)
    assert box.width == pytest.approx(100 + 1.5 * margin)
    assert box.height == pytest.approx(10 + 1.15 * margin)


def test_boxes_come_from_top_to_bottom() -> None:
    text_map = blank()
    text_map[60:66, 10:50] = text_map[20:26, 100:150] = text_map[20:26, 10:50] = 0.9
    assert [(box.x, box.y) for box in find_boxes(text_map)] == [(30, 23), (125, 23), (30, 63)]


def test_faint_and_tiny_marks_are_noise() -> None:
    text_map = blank()
    text_map[10:20, 10:90] = 0.4
    text_map[60:62, 10:12] = 0.9
    assert find_boxes(text_map) == []


def test_a_slanting_line_gets_its_angle() -> None:
    text_map = blank()
    for x in range(20, 180):
        middle = 50 + round((x - 100) * math.tan(math.radians(5)))
        text_map[middle - 4 : middle + 4, x] = 0.9
    [box] = find_boxes(text_map)
    assert math.degrees(box.angle) == pytest.approx(5, abs=0.3)
    assert (box.x, box.y) == pytest.approx((100, 50), abs=1)
    assert box.height < grown(SlantedBox(0, 0, 160, 11, 0)).height  # an upright box would be 22 high


def test_standing_text_keeps_its_height() -> None:
    text_map = blank()
    text_map[10:90, 50:58] = 0.9
    [box] = find_boxes(text_map)
    assert (box.x, box.y, box.angle) == (54, 50, 0)
    assert box.height > 80 > box.width


def test_runs_that_touch_below_share_a_number() -> None:
    mask = np.array([[1, 1, 0, 0, 1, 0, 0], [0, 1, 1, 0, 1, 0, 0], [0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0, 1]], bool)
    runs = find_runs(mask)
    assert list(zip(runs.row, runs.start, runs.end, strict=True)) == [
        (0, 0, 2),
        (0, 4, 5),
        (1, 1, 3),
        (1, 4, 5),
        (2, 3, 5),
        (3, 6, 7),
    ]
    assert connect(runs, 7).tolist() == [0, 0, 0, 0, 0, 5]


def test_thickening_reaches_right_and_down() -> None:
    mask = np.zeros((3, 3), bool)
    mask[0, 0] = True
    assert thickened(mask).tolist() == [[True, True, False], [True, True, False], [False, False, False]]


def test_places_in_a_turned_box() -> None:
    box = SlantedBox(10, 20, 8, 4, math.pi / 2)
    assert box.point(0, 0) == pytest.approx((12, 16))
    assert box.point(1, 0.5) == pytest.approx((10, 24))


def flooded(mask: np.ndarray) -> int:
    """How many connected areas there are (corners touch), counted pixel by pixel."""
    left = {(int(row), int(column)) for row, column in zip(*np.nonzero(mask), strict=True)}
    areas = 0
    while left:
        areas += 1
        edge = [left.pop()]
        while edge:
            row, column = edge.pop()
            near = {(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} & left
            left -= near
            edge += near
    return areas


@pytest.mark.parametrize("seed", range(20))
def test_areas_of_random_masks_are_the_flooded_ones(seed: int) -> None:
    random = np.random.default_rng(seed)
    mask = random.random((30, 40)) < random.uniform(0.1, 0.7)
    labels = connect(find_runs(mask), 40)
    assert len(np.unique(labels)) == flooded(mask)
