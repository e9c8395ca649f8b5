"""Layout facts counted from lines placed by hand."""

from __future__ import annotations

from evenhand.cli.read import columns, layout
from evenhand.records import Document, Line, Table
from evenhand.records.document import Box
from evenhand.text.wording import count


def line(box: Box | None, *, page: int = 1, **more: object) -> Line:
    values: dict[str, object] = {
        "start": 0,
        "end": 0,
        "page": page,
        "box": box,
        "font": None,
        "size": None,
        "bold": False,
        "italic": False,
        "color": None,
        "list": None,
        "table": None,
    }
    return Line(**(values | more))  # type: ignore[arg-type]


def document(*lines: Line, tables: tuple[Table, ...] = ()) -> Document:
    return Document(
        file="x",
        sha256="",
        format="pdf",
        pages=1,
        status="parsed",
        text="",
        hidden=(),
        lines=lines,
        tables=tables,
        warnings=(),
        error=None,
    )


def stack(left: float, top: float, number: int, page: int = 1) -> list[Line]:
    """Lines of 10 points below each other."""
    return [line((left, top + 12 * row, left + 200, top + 12 * row + 10), page=page) for row in range(number)]


def test_one_column() -> None:
    assert columns(document(*stack(50, 50, 40), *stack(50, 50, 40, page=2))) == 1


def test_a_side_bar_makes_two_columns() -> None:
    assert columns(document(*stack(20, 50, 20), *stack(250, 50, 50))) == 2


def test_two_bands_of_two_columns_are_still_two() -> None:
    bands = [*stack(20, 50, 9), *stack(250, 50, 9), *stack(20, 300, 9), *stack(250, 300, 9)]
    assert columns(document(*bands)) == 2


def test_three_columns_under_a_title() -> None:
    assert columns(document(*stack(20, 20, 1), *stack(20, 50, 9), *stack(220, 50, 9), *stack(420, 50, 9))) == 3


def test_words_on_one_baseline_are_not_columns() -> None:
    assert columns(document(line((20, 50, 90, 60)), line((400, 50, 460, 60)), *stack(20, 62, 5))) == 1


def test_tables_and_furniture_do_not_count_as_columns() -> None:
    cells = [line((300, 50, 400, 60), table=(0, 0, 0)), line((300, 80, 400, 90), furniture="footer")]
    assert columns(document(*stack(20, 200, 4), *cells)) == 1
    assert columns(document()) == 1


def test_layout_tells_only_what_there_is() -> None:
    assert list(layout(document(*stack(50, 50, 3)))) == []
    rich = document(
        line(None, list="•"),
        line(None, furniture="header"),
        line(None, confidence=0.9),
        line(None, confidence=0.8),
        tables=(Table(page=1, rows=3, columns=2, ruled=True),),
    )
    assert list(layout(rich)) == [
        "1 table (3 x 2)",
        "1 list item",
        "1 line in page headers and footers",
        "2 lines recognised from a scan, 85% sure",
    ]


def test_count() -> None:
    assert [count(number, "page") for number in (0, 1, 1234)] == ["0 pages", "1 page", "1,234 pages"]
