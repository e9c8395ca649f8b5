"""Reading order of pieces whose places are known."""

from __future__ import annotations

from evenhand.documents.pdf.layout import Decor, in_reading_order
from evenhand.documents.pdf.rows import Piece


def column(x0: float, x1: float, y: float, count: int, step: float = 12) -> list[Piece]:
    """`count` lines of ten points height; the words are numbered by place so that order can be told."""
    return [Piece(x0, y + i * step, x1, y + i * step + 10) for i in range(count)]


def order(pieces: list[Piece], decor: Decor | None = None) -> list[list[int]]:
    numbers = {id(piece): number for number, piece in enumerate(pieces)}
    mixed = sorted(pieces, key=lambda piece: (piece.y0, -piece.x0))
    rows = in_reading_order(mixed, decor)
    return [[numbers[id(piece)] for piece in row.pieces] for row in rows]


def one_by_one(*numbers: int) -> list[list[int]]:
    return [[number] for number in numbers]


def test_two_columns_are_read_one_after_the_other() -> None:
    pieces = column(40, 280, 100, 10) + column(320, 560, 105, 10)
    assert order(pieces) == one_by_one(*range(20))


def test_two_columns_of_running_text_on_one_grid() -> None:
    pieces = column(40, 280, 100, 10) + column(320, 560, 100, 10)
    assert order(pieces) == one_by_one(*range(20))


def test_a_side_bar_is_one_block_below_the_name() -> None:
    name = [Piece(40, 30, 500, 60)]
    bar, main = column(40, 150, 100, 12, step=17), column(180, 560, 100, 20)
    assert order(name + bar + main) == one_by_one(*range(33))


def test_dates_at_the_right_stay_with_their_lines() -> None:
    titles = [Piece(40, y, 200, y + 10) for y in (100, 160, 220)]
    dates = [Piece(480, y, 560, y + 10) for y in (100, 160, 220)]
    text = [piece for y in (115, 175, 235) for piece in column(40, 540, y, 3)]
    expected = [[0, 3], [6], [7], [8], [1, 4], [9], [10], [11], [2, 5], [12], [13], [14]]
    assert order(titles + dates + text) == expected


def test_dates_at_the_left_label_the_lines_beside_them() -> None:
    dates = [Piece(40, y, 100, y + 10) for y in (100, 148, 196)]
    text = column(130, 560, 100, 12)
    expected = [[0, 3], [4], [5], [6], [1, 7], [8], [9], [10], [2, 11], [12], [13], [14]]
    assert order(dates + text) == expected


def test_dates_centred_beside_their_entries_come_before_them() -> None:
    dates = [Piece(40, y, 100, y + 10) for y in (117, 217, 317)]
    entries = [piece for y in (100, 200, 300) for piece in column(130, 400, y, 4)]
    expected = one_by_one(0, 3, 4, 5, 6, 1, 7, 8, 9, 10, 2, 11, 12, 13, 14)
    assert order(dates + entries) == expected


def test_a_table_is_read_row_by_row() -> None:
    cells = [Piece(x, y, x + 60, y + 10) for y in (100, 120, 140, 160) for x in (40, 200, 360)]
    assert order(cells) == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]


def test_sections_side_by_side_are_read_one_after_the_other() -> None:
    left = [Piece(40, 100, 160, 116), *column(40, 130, 130, 3)]
    right = [Piece(320, 100, 440, 116), *column(320, 410, 130, 3)]
    assert order(left + right) == one_by_one(*range(8))


def test_a_rule_across_the_page_parts_what_is_above_from_what_is_below() -> None:
    above = column(40, 280, 100, 4) + column(320, 560, 104, 6)
    below = column(40, 280, 190, 5) + column(320, 560, 218, 5)
    rule = Piece(40, 178, 560, 179)
    assert order(above + below, Decor(rules=[rule])) == one_by_one(*range(20))
    assert order(above + below) == one_by_one(*range(4), *range(10, 15), *range(4, 10), *range(15, 20))


def test_contacts_beside_the_name_belong_to_the_header() -> None:
    name, contacts = [Piece(40, 30, 250, 60)], column(420, 560, 30, 3)
    left, right = column(40, 200, 120, 14, step=15), column(240, 560, 120, 20)
    assert order(name + contacts + left + right, Decor(is_first_page=True))[-34:] == one_by_one(*range(4, 38))


def test_a_coloured_side_bar_is_read_whole_whatever_stands_beside_it() -> None:
    bar = [Piece(20, 40, 150, 60), Piece(20, 64, 150, 84), *column(20, 100, 100, 8)]
    main = column(200, 560, 45, 16)
    decor = Decor(side_bar=Piece(0, 0, 170, 800), is_first_page=True)
    assert order(bar + main, decor) == one_by_one(*range(26))


def test_a_label_does_not_stand_beside_the_middle_of_a_sentence() -> None:
    name = [Piece(40, y, 140, y + 10) for y in (100, 124, 148)]
    text = column(200, 560, 100, 6)
    for line in text[1:]:
        line.goes_on = True
    assert order(name + text) == one_by_one(*range(9))


def test_no_pieces() -> None:
    assert in_reading_order([]) == []
