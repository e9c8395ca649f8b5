"""Which tables hold records in rows, and where their header is."""

from __future__ import annotations

import pytest

from evenhand.mining.tables.features import analyse_table
from evenhand.mining.tables.shape import TableShape, table_views
from tests.mining.tables import tables_by_hand as by_hand
from tests.mining.tables.tables_by_hand import Rows, document_of


def shape_of(rows: Rows) -> TableShape:
    (view,) = table_views(document_of(rows))
    return analyse_table(view).shape


@pytest.mark.parametrize(
    ("rows", "shape"),
    [
        (by_hand.STUDIES, TableShape("grid", 0)),
        (by_hand.EMPLOYERS, TableShape("grid", 0)),
        (by_hand.EMPLOYERS[:2], TableShape("grid", 0)),  # one record under a header
        (by_hand.EMPLOYERS_BARE, TableShape("grid")),
        (by_hand.EMPLOYERS_BARE[:1], TableShape("list")),  # one record without a header
        (by_hand.ONE_EMPLOYER, TableShape("keys", None, (0,))),  # the column of colons is none
        (by_hand.ONE_STUDY, TableShape("keys", None, (0,))),
        (by_hand.PERSON, TableShape("keys", None, (0,))),
        ((("Python", "Java"), ("Oracle", "Git"), ("Linux", "Bash")), TableShape("list")),
        ((("Hobbies",), ("Chess, hiking",)), TableShape("list")),
    ],
)
def test_shapes(rows: Rows, shape: TableShape) -> None:
    assert shape_of(rows) == shape


def test_two_pairs_of_label_and_value_side_by_side() -> None:
    rows = (("Gender", "Female", "Nationality", "Swedish"), ("Date of Birth", "22-03-1991", "Passport No", "K1234567"))
    assert shape_of(rows) == TableShape("keys", None, (0, 2))


def test_values_before_their_labels() -> None:
    assert shape_of((("Uppsala", "Place of birth"), ("English, Swedish", "Languages"))) == TableShape(
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
