"""Reading order of pieces whose places are known."""

from __future__ import annotations

from evenhand.documents.pdf.layout import Decor, in_reading_order
from evenhand.documents.pdf.rows import RowPiece


def column(x0: float, x1: float, y: float, count: int, step: float = 12) -> list[RowPiece]:
    """`count` lines of ten points height; the words are numbered by place so that order can be told."""
    return [RowPiece(x0, y + i * step, x1, y + i * step + 10) for i in range(count)]


def order(pieces: list[RowPiece], decor: Decor | None = None) -> list[list[int]]:
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
    name = [RowPiece(40, 30, 500, 60)]
    bar, main = column(40, 150, 100, 12, step=17), column(180, 560, 100, 20)
    assert order(name + bar + main) == one_by_one(*range(33))


def test_dates_at_the_right_stay_with_their_lines() -> None:
    titles = [RowPiece(40, y, 200, y + 10) for y in (100, 160, 220)]
    dates = [RowPiece(480, y, 560, y + 10) for y in (100, 160, 220)]
    text = [piece for y in (115, 175, 235) for piece in column(40, 540, y, 3)]
    expected = [[0, 3], [6], [7], [8], [1, 4], [9], [10], [11], [2, 5], [12], [13], [14]]
    assert order(titles + dates + text) == expected


def test_dates_at_the_left_label_the_lines_beside_them() -> None:
    dates = [RowPiece(40, y, 100, y + 10) for y in (100, 148, 196)]
    text = column(130, 560, 100, 12)
    expected = [[0, 3], [4], [5], [6], [1, 7], [8], [9], [10], [2, 11], [12], [13], [14]]
    assert order(dates + text) == expected


def test_dates_centred_beside_their_entries_come_before_them() -> None:
    dates = [RowPiece(40, y, 100, y + 10) for y in (117, 217, 317)]
    entries = [piece for y in (100, 200, 300) for piece in column(130, 400, y, 4)]
    expected = one_by_one(0, 3, 4, 5, 6, 1, 7, 8, 9, 10, 2, 11, 12, 13, 14)
    assert order(dates + entries) == expected


def test_a_table_is_read_row_by_row() -> None:
    cells = [RowPiece(x, y, x + 60, y + 10) for y in (100, 120, 140, 160) for x in (40, 200, 360)]
    assert order(cells) == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]


def test_sections_side_by_side_are_read_one_after_the_other() -> None:
    left = [RowPiece(40, 100, 160, 116), *column(40, 130, 130, 3)]
    right = [RowPiece(320, 100, 440, 116), *column(320, 410, 130, 3)]
    assert order(left + right) == one_by_one(*range(8))


def test_a_rule_across_the_page_parts_what_is_above_from_what_is_below() -> None:
    above = column(40, 280, 100, 4) + column(320, 560, 104, 6)
    below = column(40, 280, 190, 5) + column(320, 560, 218, 5)
    rule = RowPiece(40, 178, 560, 179)
    assert order(above + below, Decor(rules=[rule])) == one_by_one(*range(20))
    assert order(above + below) == one_by_one(*range(4), *range(10, 15), *range(4, 10), *range(15, 20))


def test_contacts_beside_the_name_belong_to_the_header() -> None:
    name, contacts = [RowPiece(40, 30, 250, 60)], column(420, 560, 30, 3)
    left, right = column(40, 200, 120, 14, step=15), column(240, 560, 120, 20)
    assert order(name + contacts + left + right, Decor(is_first_page=True))[-34:] == one_by_one(*range(4, 38))


def test_a_coloured_side_bar_is_read_whole_whatever_stands_beside_it() -> None:
    bar = [RowPiece(20, 40, 150, 60), RowPiece(20, 64, 150, 84), *column(20, 100, 100, 8)]
    main = column(200, 560, 45, 16)
    decor = Decor(side_bar=RowPiece(0, 0, 170, 800), is_first_page=True)
    assert order(bar + main, decor) == one_by_one(*range(26))


def test_a_label_does_not_stand_beside_the_middle_of_a_sentence() -> None:
    name = [RowPiece(40, y, 140, y + 10) for y in (100, 124, 148)]
    text = column(200, 560, 100, 6)
    for line in text[1:]:
        line.goes_on = True
    assert order(name + text) == one_by_one(*range(9))


def drawn(pieces: list[RowPiece]) -> list[RowPiece]:
    """The pieces, known to be drawn in the order in which they are listed."""
    for number, piece in enumerate(pieces):
        piece.drawn = number
    return pieces


def test_level_columns_that_are_drawn_one_after_the_other_are_cards() -> None:
    left, right = column(40, 200, 100, 4), column(320, 450, 100, 4)
    assert order(drawn(left + right)) == one_by_one(*range(8))


def test_level_columns_that_are_drawn_line_by_line_are_rows() -> None:
    left, right = column(40, 200, 100, 4), column(320, 450, 100, 4)
    for row in (1, 3):  # no running text
        left[row].x1, right[row].x1 = 90, 360
    rows = drawn([piece for pair in zip(left, right, strict=True) for piece in pair])
    assert order(rows) == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_two_lines_beside_two_lines_are_cards_only_if_drawn_so() -> None:
    cells = [RowPiece(x, y, x + 60, y + 10) for x in (40, 200) for y in (100, 112)]
    assert order(cells) == [[0, 2], [1, 3]]
    assert order(drawn(cells)) == one_by_one(0, 1, 2, 3)


def test_dates_in_the_right_margin_are_no_cards() -> None:
    titles = [RowPiece(40, 100, 180, 110), RowPiece(40, 114, 160, 124)]
    dates = [RowPiece(470, 100, 560, 110), RowPiece(500, 114, 560, 124)]
    text = column(60, 540, 130, 3)
    assert order(drawn(titles + dates + text)) == [[0, 2], [1, 3], [4], [5], [6]]


def test_cards_below_a_common_label_and_of_different_length() -> None:
    label = [RowPiece(20, 100, 60, 110)]
    first, second, third = (column(x, x + 90, 100, count) for x, count in ((100, 3), (250, 4), (400, 3)))
    assert order(drawn(label + first + second + third)) == [[0, 1], *one_by_one(*range(2, 11))]


def test_a_label_of_two_lines_is_read_before_its_text() -> None:
    entries = []
    for y in (100, 160, 220):
        entries += [*column(40, 100, y, 2), *column(150, 560, y, 4)]
    assert order(drawn(entries)) == one_by_one(*range(18))


def test_entries_are_read_as_they_are_drawn() -> None:
    """A heading in the left column, with nothing beside it, stands between two entries."""
    above, below = column(150, 500, 100, 3), column(150, 500, 170, 2)
    heading, date = [RowPiece(40, 148, 100, 158)], [RowPiece(40, 170, 100, 180)]
    expected = [*one_by_one(0, 1, 2), [3], [4, 5], [6]]
    assert order(drawn(above + heading + date + below)) == expected


def test_columns_of_sentences_that_are_drawn_line_by_line() -> None:
    left, right = column(40, 280, 100, 6), column(320, 560, 100, 6)
    drawn([piece for pair in zip(left, right, strict=True) for piece in pair])
    assert order(left + right) == one_by_one(*range(12))


def test_a_file_that_jumps_about_is_read_by_its_gaps() -> None:
    """Four cards in two rows, the headings above and below them drawn first."""
    heads = [RowPiece(40, 80, 100, 90), RowPiece(40, 170, 100, 180)]
    cards = [column(x, x + 70, y, 2) for y in (100, 135) for x in (40, 160)]
    pieces = drawn([*heads, *cards[0], *cards[1], *cards[2], *cards[3]])
    assert order(pieces) == one_by_one(0, *range(2, 10), 1)


def test_a_row_of_headings_belongs_to_the_columns_below() -> None:
    heads = [RowPiece(40, 100, 120, 110, look=(True, 0)), RowPiece(220, 100, 300, 110, look=(True, 0))]
    left, right = column(40, 120, 112, 3), column(220, 400, 112, 4)
    expected = one_by_one(0, 2, 3, 4, 1, 5, 6, 7, 8)
    assert order(drawn(heads + left + right)) == expected


def test_cells_of_several_pieces_are_no_running_text() -> None:
    cells = [RowPiece(x0, y, x1, y + 10) for y in range(100, 196, 12) for x0, x1 in ((40, 190), (220, 228), (330, 335))]
    rows = order(drawn(cells))
    assert rows == [[3 * row, 3 * row + 1, 3 * row + 2] for row in range(8)]


def test_a_heading_on_a_rule_is_read_after_both_columns_above() -> None:
    left, right = column(40, 120, 100, 6), column(200, 280, 100, 3)
    heading, text = [RowPiece(40, 190, 120, 204)], column(40, 280, 212, 3)
    rule = RowPiece(38, 206, 282, 207)
    pieces = drawn(left + right) + heading + text
    expected = one_by_one(*range(13))
    assert order(pieces, Decor(rules=[rule])) == expected


def test_every_section_has_its_own_gutter() -> None:
    """Two columns above three, without anything across the page between them."""
    above = [column(x, x + 200, 100, 5) for x in (40, 320)]
    below = [column(x, x + 130, 200, 4) for x in (40, 230, 420)]
    middle = [RowPiece(40, 180, 560, 190)]
    pieces = drawn([*above[0], *above[1], *middle, *below[0], *below[1], *below[2]])
    assert order(pieces) == one_by_one(*range(23))


def test_the_column_beside_a_side_bar_may_begin_above_it_and_end_below() -> None:
    bar, main = column(420, 560, 130, 8), column(40, 380, 60, 30)
    footer = [RowPiece(200, 500, 460, 510)]
    decor = Decor(side_bar=RowPiece(400, 120, 600, 300))
    assert order(main + bar + footer, decor) == one_by_one(*range(39))


def test_a_name_above_one_column_is_read_first() -> None:
    name = [RowPiece(250, 40, 500, 70), RowPiece(250, 80, 450, 92)]
    left, right = column(40, 180, 240, 12, step=20), column(220, 560, 160, 30)
    pieces = name + left + right
    assert order(pieces, Decor(is_first_page=True)) == one_by_one(*range(44))


def test_a_sentence_is_not_interrupted_by_what_stands_beside_its_first_line() -> None:
    text = column(40, 200, 100, 3)
    text[1].goes_on = text[2].goes_on = True
    labels = [RowPiece(x, 100, x + 40, 110) for x in (260, 320, 380)]
    assert order(text + labels) == [[0], [1], [2], [3, 4, 5]]


def test_a_note_in_the_margin_is_read_whole_beside_its_title() -> None:
    title, items = [RowPiece(40, 100, 200, 110)], column(52, 400, 114, 4, step=14)
    note = [RowPiece(480, 100, 560, 110), RowPiece(470, 112, 560, 122), RowPiece(500, 124, 560, 134)]
    expected = [[0, 5], [6], [7], [1], [2], [3], [4]]
    assert order(drawn(title + items + note)) == expected


def test_a_heading_drawn_before_all_else_is_read_after_the_entry_above_it() -> None:
    heading = [RowPiece(40, 150, 100, 160)]
    first = [RowPiece(40, 100, 180, 110), RowPiece(40, 113, 150, 123)]
    dates = [RowPiece(470, 100, 560, 110), RowPiece(500, 113, 560, 123)]
    cards = column(40, 200, 170, 4) + column(320, 480, 170, 4)
    expected = one_by_one(1, 2, 3, 4, 0, *range(5, 13))
    assert order(drawn(heading + first + dates + cards)) == expected


def test_a_list_that_goes_on_below_the_other_column_is_not_cut() -> None:
    left, right = column(40, 200, 100, 10, step=24), column(320, 480, 105, 5)
    below = column(40, 560, 400, 2)
    assert order(drawn(left + right + below)) == one_by_one(*range(17))


def test_contacts_of_more_lines_beside_name_and_title() -> None:
    name, contacts = [RowPiece(40, 36, 240, 58), RowPiece(40, 60, 200, 72)], column(300, 420, 30, 4, step=16)
    assert order(drawn(name + contacts)) == one_by_one(*range(6))


def test_columns_below_a_row_of_contacts_are_cut_where_all_of_them_is_free() -> None:
    """The right column has a heading that begins a little further left than its lines."""
    contacts = [RowPiece(40, 80, 160, 90), RowPiece(330, 80, 450, 90)]
    left, right = column(40, 250, 110, 12), [RowPiece(316, 110, 420, 120), *column(330, 540, 126, 8, step=15)]
    expected = [[0, 1], *one_by_one(*range(2, 23))]
    assert order(drawn(contacts + left + right)) == expected


def test_labels_in_lower_case_are_no_sentences() -> None:
    cells = [RowPiece(x, y, x + 120, y + 10) for y in (100, 112, 124) for x in (40, 320)]
    for cell in cells:
        cell.goes_on = True
    hobbies = column(40, 130, 160, 9)
    rows = order(drawn(cells + hobbies))
    assert rows == [[0, 1], [2, 3], [4, 5], *one_by_one(*range(6, 15))]


def test_no_pieces() -> None:
    assert in_reading_order([]) == []
