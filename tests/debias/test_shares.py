"""Groups over labels: counted, and guessed from the label alone."""

from __future__ import annotations

import pytest

from evenhand.debias.shares import LabelShares, floor_of, shares_by_label, shares_grid


def test_shares_and_floor_by_hand() -> None:
    """3 of 4 nurses and 4 of 6 surgeons are guessed: 7 of 10."""
    shares = shares_by_label(
        ["nurse"] * 4 + ["surgeon"] * 6, ["f", "f", "f", "m", "f", "m", "m", "m", "m", "f"]
    )
    assert shares == (
        LabelShares("surgeon", (("f", 2), ("m", 4))),
        LabelShares("nurse", (("f", 3), ("m", 1))),
    )
    assert floor_of(shares) == pytest.approx(70.0)
    assert shares[1].percent("f") == pytest.approx(75.0)


def test_the_floor_of_a_set_like_the_published_one() -> None:
    """62,679 of 100,000: of 30,000 are 20,000 guessed, of 20,000 12,679, and of 50,000 30,000."""
    shares = [
        LabelShares("professor", (("f", 10_000), ("m", 20_000))),
        LabelShares("nurse", (("f", 12_679), ("m", 7_321))),
        LabelShares("teacher", (("f", 30_000), ("m", 20_000))),
    ]
    assert floor_of(shares) == pytest.approx(62.679, abs=1e-9)


def test_more_than_two_groups_and_none() -> None:
    shares = shares_by_label(["a", "a", "a", "b"], ["x", "y", "z", "x"])
    assert floor_of(shares) == pytest.approx(50.0)
    with pytest.raises(ValueError, match="no labels"):
        floor_of(())
    with pytest.raises(ValueError, match="zip"):
        shares_by_label(["a"], [])


def test_the_table_has_a_row_for_all() -> None:
    grid = shares_grid(
        shares_by_label(["yoga_teacher", "yoga_teacher", "dj"], ["f", "m", "m"]), title="Texts"
    )
    assert grid.columns == ("label", "texts", "f", "m")
    assert grid.rows == (
        ("yoga teacher", "2", "50.0 %", "50.0 %"),
        ("dj", "1", "0.0 %", "100.0 %"),
        ("all", "3", "33.3 %", "66.7 %"),
    )
