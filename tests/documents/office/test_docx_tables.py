"""Tables of a DOCX: places on the grid, merged cells, order of reading, joints."""

from __future__ import annotations

from evenhand.documents.draft import ReadLimits
from evenhand.records.document import Table
from tests.documents.office.docx_files import cell, docx, joined, p, r, read, row, table, texts

BOLD = "<w:b/>"


def span(columns: int) -> str:
    return f'<w:gridSpan w:val="{columns}"/>'


def many(word: str, count: int = 6) -> str:
    return cell(*(f"{word} {number}" for number in range(count)))


def test_a_data_table_row_by_row() -> None:
    draft = read(docx(p("before") + table(row("Degree", "Year"), row("BSc", "2010"), ruled=True) + p("after")))
    assert joined(draft) == "before\n\nDegree\tYear\nBSc\t2010\n\nafter"
    assert [line.table for line in draft.lines] == [None, (0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), None]
    assert draft.tables == [Table(1, 2, 2, True)]


def test_a_row_with_a_longer_cell_is_not_set_on_one_line() -> None:
    body = table(row("Role", cell("first duty", "second duty")), row("Client", "Acme"), ruled=True)
    assert joined(read(docx(body))) == "Role\nfirst duty\nsecond duty\nClient\tAcme"


def test_columns_count_where_cells_begin() -> None:
    body = table(
        row(cell("Name", properties=span(4)), cell("Years", properties=span(2))),
        row(cell("all", properties=span(6))),
        row(cell("Java", properties=span(4)), cell("5", properties=span(2))),
    )
    draft = read(docx(body))
    assert [(line.text, line.table) for line in draft.lines] == [
        ("Name", (0, 0, 0)),
        ("Years", (0, 0, 1)),
        ("all", (0, 1, 0)),
        ("Java", (0, 2, 0)),
        ("5", (0, 2, 1)),
    ]
    assert draft.tables == [Table(1, 3, 2, False)]


def test_merged_and_skipped_cells() -> None:
    start, on = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    body = table(
        row(cell("Education", properties=start), "2010", "BSc"),
        row(cell("never shown", properties=on), "2012", "MSc"),
        row("2014", "PhD", properties='<w:gridBefore w:val="1"/>'),
    )
    assert [(line.text, line.table) for line in read(docx(body)).lines] == [
        ("Education", (0, 0, 0)),
        ("2010", (0, 0, 1)),
        ("BSc", (0, 0, 2)),
        ("2012", (0, 1, 1)),
        ("MSc", (0, 1, 2)),
        ("2014", (0, 2, 1)),
        ("PhD", (0, 2, 2)),
    ]


def test_a_resume_laid_out_in_a_table_is_read_cell_by_cell() -> None:
    draft = read(docx(table(row(many("side"), many("main")))))
    assert texts(draft) == [f"side {n}" for n in range(6)] + [f"main {n}" for n in range(6)]
    assert draft.tables == []
    assert {line.table for line in draft.lines} == {None}
    assert draft.lines[6].joint == "\n\n"


def test_headings_side_by_side_make_columns() -> None:
    head = row(cell(p(r("Skills", BOLD))), cell(p(r("Experience", BOLD))))
    draft = read(docx(table(head, row(many("skill"), many("job")))))
    assert [texts(draft)[at] for at in (0, 1, 7, 8)] == ["Skills", "skill 0", "Experience", "job 0"]


def test_jobs_in_rows_stay_rows() -> None:
    body = table(row(many("2010"), many("Acme")), row(many("2012"), many("Initech")))
    assert [texts(read(docx(body)))[at] for at in (0, 6, 12, 18)] == ["2010 0", "Acme 0", "2012 0", "Initech 0"]


def test_a_merged_side_bar_at_the_right_comes_after_the_rows_beside_it() -> None:
    bar = many("bar").replace("<w:tcPr>", '<w:tcPr><w:vMerge w:val="restart"/>')
    on = cell("", properties="<w:vMerge/>")
    draft = read(docx(table(row("Summary", bar), row("Experience", on), row("Education", on))))
    assert texts(draft)[:4] == ["Summary", "Experience", "Education", "bar 0"]


def test_nested_tables_have_places_of_their_own() -> None:
    inner = table(row("a", "b"), row("c", "d"))
    draft = read(docx(table(row(f"<w:tc>{p('left')}{inner}<w:p/></w:tc>", many("right")))))
    assert texts(draft)[:5] == ["left", "a", "b", "c", "d"]
    assert [line.table for line in draft.lines[:6]] == [None, (0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), None]


def test_a_table_of_one_column_is_no_table() -> None:
    draft = read(docx(table(row("EXPERIENCE"), ruled=True) + p("text")))
    assert (joined(draft), draft.tables) == ("EXPERIENCE\n\ntext", [])


def test_cells_beyond_the_limit_are_left_out() -> None:
    draft = read(docx(table(*(row("x", "y") for _ in range(10)))), ReadLimits(table_cells=7))
    assert len(draft.lines) == 7
    assert draft.partial


def test_rows_inside_content_controls() -> None:
    body = table(row("a", "b"), f"<w:sdt><w:sdtContent>{row('c', 'd')}</w:sdtContent></w:sdt>")
    assert texts(read(docx(body))) == ["a", "b", "c", "d"]
