"""What the shipped model says of tables whose answers are known by hand."""

from __future__ import annotations

import subprocess
import sys

import pytest

from evenhand.mining.tables.analysis import TableReading, analyse, shipped_model
from tests.mining.tables.tables_by_hand import (
    EMPLOYERS,
    EMPLOYERS_BARE,
    ONE_EMPLOYER,
    ONE_STUDY,
    PERSON,
    PROJECT,
    SKILLS,
    STUDIES,
    Rows,
    document_of,
)


def read(*tables: Rows) -> tuple[TableReading, ...]:
    return analyse(document_of(*tables), shipped_model()).tables


def test_studies_in_rows() -> None:
    columns = {0: "degree", 1: "university", 2: "year", 3: "performance"}
    assert read(STUDIES) == (TableReading(0, "education", True, 0, columns),)


def test_employers_in_rows() -> None:
    columns = {0: "work_period", 1: "employer", 2: "designation"}
    assert read(EMPLOYERS) == (TableReading(0, "past_employer", True, 0, columns),)


def test_employers_without_a_header() -> None:
    columns = {0: "employer", 1: "work_period"}
    assert read(EMPLOYERS_BARE) == (TableReading(0, "past_employer", True, None, columns),)


@pytest.mark.parametrize(
    ("rows", "type_"),
    [
        (ONE_EMPLOYER, "past_employer"),
        (ONE_STUDY, "education"),
        (PERSON, "personal"),
        (SKILLS, "other"),
        (PROJECT, "other"),
    ],
)
def test_labels_with_values_have_no_columns(rows: Rows, type_: str) -> None:
    assert read(rows) == (TableReading(0, type_, False, None, {}),)


def test_titles_over_the_header_and_empty_rows_are_passed_over() -> None:
    rows = (("EDUCATION", "", "", ""), STUDIES[0], ("", "", "", ""), *STUDIES[1:])
    (reading,) = read(rows)
    assert (reading.type, reading.header_row) == ("education", 1)
    assert reading.columns == {0: "degree", 1: "university", 2: "year", 3: "performance"}


def test_lines_get_the_types_of_their_tables_and_columns() -> None:
    studies = (STUDIES[0], ("B.Tech", "Northfield University,\nHillview", "2014", "71%"))
    found = analyse(document_of(studies, PERSON), shipped_model())
    assert found.table_types == (None, *["education"] * 9, *["personal"] * 8)
    row = ("degree", "university", "university", "year", "performance")
    assert found.column_types == (None, None, None, None, None, *row, *[None] * 8)


def test_a_document_without_tables() -> None:
    found = analyse(document_of(), shipped_model())
    assert (found.tables, found.table_types, found.column_types) == ((), (None,), (None,))


def test_a_box_around_one_line_is_other() -> None:
    assert read([["Personal Details"]]) == (TableReading(0, "other", False, None, {}),)


def test_a_page_in_two_columns_is_no_grid() -> None:
    side = "Asta Lindqvist\nSkills\n" + "\n".join(f"Skill number {place}" for place in range(20))
    main = "Experience\nDeveloper, Harbour Softworks\n" + "\n".join(["Built and tested the services."] * 20)
    (reading,) = read([[side, main]])
    assert (reading.is_grid, reading.columns, reading.type) == (False, {}, "other")


def test_a_table_of_which_nothing_is_filled_has_no_reading() -> None:
    assert read([["", ""], [":", "-"]]) == ()


def test_using_the_model_does_not_load_what_trained_it() -> None:
    code = (
        "import sys; from evenhand.mining.tables.analysis import analyse, shipped_model; shipped_model();"
        "sys.exit(any(name in sys.modules for name in ('sklearn', 'scipy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_table_with_a_cell_in_every_row_and_column_of_its_own_is_read() -> None:
    size = 1500
    rows = [[""] * place + [f"cell {place}"] for place in range(size)]
    document = document_of(rows)
    found = analyse(document, shipped_model())
    assert len(found.table_types) == size + 1
