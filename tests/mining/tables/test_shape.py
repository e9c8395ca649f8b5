"""Which tables hold records in rows, and where their header is."""

from __future__ import annotations

import pytest

from evenhand.mining.tables.features import look_at
from evenhand.mining.tables.shape import Shape
from evenhand.mining.tables.views import table_views
from tests.mining.tables import tables_by_hand as by_hand
from tests.mining.tables.tables_by_hand import Rows, document_of


def shape_of(rows: Rows) -> Shape:
    (view,) = table_views(document_of(rows))
    return look_at(view).shape


@pytest.mark.parametrize(
    ("rows", "shape"),
    [
        (by_hand.STUDIES, Shape("grid", 0)),
        (by_hand.EMPLOYERS, Shape("grid", 0)),
        (by_hand.EMPLOYERS[:2], Shape("grid", 0)),  # one record under a header
        (by_hand.EMPLOYERS_BARE, Shape("grid")),
        (by_hand.EMPLOYERS_BARE[:1], Shape("list")),  # one record without a header
        (by_hand.ONE_EMPLOYER, Shape("keys", None, (0,))),  # the column of colons is none
        (by_hand.ONE_STUDY, Shape("keys", None, (0,))),
        (by_hand.PERSON, Shape("keys", None, (0,))),
        ((("Python", "Java"), ("Oracle", "Git"), ("Linux", "Bash")), Shape("list")),
        ((("Hobbies",), ("Chess, hiking",)), Shape("list")),
    ],
)
def test_shapes(rows: Rows, shape: Shape) -> None:
    assert shape_of(rows) == shape


def test_two_pairs_of_label_and_value_side_by_side() -> None:
    rows = (
        ("Gender", "Female", "Nationality", "Swedish"),
        ("Date of Birth", "22-03-1991", "Passport No", "K1234567"),
    )
    assert shape_of(rows) == Shape("keys", None, (0, 2))


def test_values_before_their_labels() -> None:
    assert shape_of((("Uppsala", "Place of birth"), ("English, Swedish", "Languages"))) == Shape(
        "keys", None, (1,)
    )


def test_a_record_over_two_rows_is_no_grid() -> None:
    rows = (("M.Tech (Electronics)", ""), ("Northfield University", "2015-2017"),
            ("B.Tech (Electronics)", ""), ("Hillview Engineering College", "2009-2013"))  # fmt: skip
    assert shape_of(rows).kind == "list"


def test_a_view_leaves_out_what_is_empty() -> None:
    rows = (("Company", ":", "Harbour"), ("", "", ""), ("Role", ":", "Tester\nand developer"))
    (view,) = table_views(document_of(rows))
    assert view.cells == (("Company", "Harbour"), ("Role", "Tester and developer"))
    assert (view.row_numbers, view.column_numbers, view.longest_cell) == ((0, 2), (0, 2), 2)
