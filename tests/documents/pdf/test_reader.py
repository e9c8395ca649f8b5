"""PDF files from bytes to draft: tables, furniture, hyphens, bullets, forms, damage, limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenhand.documents.draft import NEXT_CELL, DocumentDraft, DraftLine, ReadLimits
from evenhand.documents.ocr.engines import choose_engine
from evenhand.documents.pdf.reader import mark_furniture, mend_hyphens, read_pdf
from evenhand.errors import CorruptDocument, EncryptedDocument, ScannedNoText
from evenhand.records import Table
from tests.documents.pdf.pdf_files import BOLD, image, lines, pdf, rectangle, rule, serialised, text

LIMITS = ReadLimits()


def texts(draft: DocumentDraft) -> list[str]:
    return [line.text for line in draft.lines]


def ruled_table(x: float, y: float, cells: list[list[str]], *, width: float = 120, height: float = 20) -> str:
    rows, columns = len(cells), len(cells[0])
    out = "".join(rule(x, y + i * height, x + columns * width, y + i * height) for i in range(rows + 1))
    out += "".join(rule(x + j * width, y, x + j * width, y + rows * height) for j in range(columns + 1))
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            out += text(x + j * width + 4, y + i * height + 14, cell)
    return out


def test_a_ruled_table_has_rows_columns_and_cells() -> None:
    cells = [["Degree", "School", "Year"], ["MSc", "Uni Graz", "2012"], ["BSc", "Uni Wien", "2009"]]
    draft = read_pdf(pdf(text(40, 60, "Education") + ruled_table(40, 80, cells)), LIMITS)
    assert draft.tables == [Table(page=1, rows=3, columns=3, ruled=True)]
    found = {line.table: line.text for line in draft.lines if line.table}
    assert found == {(0, i, j): cells[i][j] for i in range(3) for j in range(3)}
    assert [line.joint == NEXT_CELL for line in draft.lines[2:]] == [True, True, False, True, True, False, True, True]


def test_a_cell_of_several_lines_is_read_whole() -> None:
    content = ruled_table(40, 80, [["Skill", "Used in"], ["Java", ""]], width=200, height=40)
    content += lines(244, 130, "the payment system of", "a large bank")
    draft = read_pdf(pdf(content), LIMITS)
    assert texts(draft) == ["Skill", "Used in", "Java", "the payment system of", "a large bank"]
    assert [line.table for line in draft.lines[2:]] == [(0, 1, 0), (0, 1, 1), (0, 1, 1)]


def test_cells_that_line_up_without_rules_are_a_table() -> None:
    rows = [("Java", "36 months", "expert"), ("SQL", "48 months", "expert"), ("Go", "6 months", "novice")]
    content = "".join(
        text(x, 100 + 14 * i, cell) for i, row in enumerate(rows) for x, cell in zip((40, 200, 360), row, strict=True)
    )
    draft = read_pdf(pdf(content), LIMITS)
    assert draft.tables == [Table(page=1, rows=3, columns=3, ruled=False)]
    assert [line.text for line in draft.lines] == [cell for row in rows for cell in row]


def test_font_size_weight_and_colour() -> None:
    draft = read_pdf(pdf(text(40, 60, "Experience", size=16, font=BOLD, before="0 0 1 rg")), LIMITS)
    (line,) = draft.lines
    assert (line.font, line.size, line.bold, line.italic, line.color) == (
        "Helvetica-Bold",
        16.0,
        True,
        False,
        "#0000ff",
    )


def test_headers_and_footers_are_marked_on_every_page() -> None:
    pages = [
        text(40, 30, "Hanna Brandt - Curriculum")
        + lines(40, 200, f"Text of page {n}")
        + text(290, 780, f"Page {n} of 3")
        for n in (1, 2, 3)
    ]
    draft = read_pdf(pdf(*pages), LIMITS)
    assert [line.furniture for line in draft.lines] == ["header", None, "footer"] * 3


def test_a_heading_that_comes_again_elsewhere_is_no_furniture() -> None:
    def heading(page: int, y: float) -> DraftLine:
        return DraftLine("Experience", page=page, box=(40, y, 120, y + 12))

    drafts = [heading(1, 60), heading(2, 110)]
    mark_furniture(drafts, {1: 800.0, 2: 800.0})
    assert [line.furniture for line in drafts] == [None, None]


@pytest.mark.parametrize(
    ("made_by", "before", "after"),
    [
        ("pdfTeX", ("We con-", "tribute to it"), ["We contribute", "to it"]),
        ("Word", ("A cross-", "functional team"), ["A cross-functional", "team"]),
        ("Word", ("We contribute, con-", "tribute"), ["We contribute, contribute"]),
        ("pdfTeX", ("full-time and full-", "time"), ["full-time and full-time"]),
        ("pdfTeX", ("The years 2010-", "2014 were"), ["The years 2010-", "2014 were"]),
        ("pdfTeX", ("Head of Sales-", "Marketing"), ["Head of Sales-", "Marketing"]),
    ],
)
def test_words_parted_at_the_line_end(made_by: str, before: tuple[str, str], after: list[str]) -> None:
    drafts = [DraftLine(line) for line in before]
    assert [line.text for line in mend_hyphens(drafts, made_by)] == after
    if after != list(before):
        assert drafts[0].raw == before[0]


def test_drawn_bullets_become_markers() -> None:
    bullets = "".join(rectangle(44, 101 + 14 * i, 3, 3) for i in range(3))
    draft = read_pdf(pdf(bullets + lines(60, 106, "Built ships", "Sailed them", "Sold them", step=14)), LIMITS)
    assert [(line.list, line.text) for line in draft.lines] == [
        ("•", "• Built ships"),
        ("•", "• Sailed them"),
        ("•", "• Sold them"),
    ]


def test_a_bullet_far_from_its_text_stays_on_its_line() -> None:
    content = "".join(text(40, y, "\x95") + text(62, y, words) for y, words in ((100, "Built ships"), (114, "Sold")))
    draft = read_pdf(pdf(content), LIMITS)
    assert [(line.list, line.text) for line in draft.lines] == [("•", "• Built ships"), ("•", "• Sold")]


def test_icons_are_not_letters() -> None:
    content = text(40, 100, "z", font="F3") + text(56, 100, "July 2012 - today")
    assert texts(read_pdf(pdf(content), LIMITS)) == ["z July 2012 - today"]
    icons = pdf(content).replace(b"/BaseFont /Courier", b"/BaseFont /FontAwesome")
    assert texts(read_pdf(icons, LIMITS)) == ["July 2012 - today"]


def test_what_form_fields_show_is_read() -> None:
    look = b"BT /F1 10 Tf 2 5 Td (Jonas Feld) Tj ET"
    appearance = (
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 200 20] /Length %d /Resources << /Font << /F1 << "
        b"/Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>\nstream\n%s\nendstream" % (len(look), look)
    )
    field = (
        b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Jonas Feld) "
        b"/Rect [100 680 300 700] /AP << /N 101 0 R >> >>"
    )
    data = pdf(text(40, 115, "Name:"), page_entries="/Annots [100 0 R]", objects=[field, appearance])
    assert texts(read_pdf(data, LIMITS)) == ["Name:\tJonas Feld"]


def test_scripts_are_told_of_and_not_run() -> None:
    data = pdf(text(40, 100, "Resume"), objects=[b"<< /S /JavaScript /JS (app.alert\\(1\\)) >>"])
    data = data.replace(b"/Type /Catalog", b"/Type /Catalog /OpenAction 100 0 R")
    (warning,) = read_pdf(data, LIMITS).warnings
    assert warning.code == "active_content"
    assert "scripts" in warning.message


def test_pages_beyond_the_limit_are_named_as_lost() -> None:
    pages = [text(40, 100, f"Page number {n}") for n in range(5)]
    draft = read_pdf(pdf(*pages), replace(LIMITS, pages=2))
    assert (len(draft.lines), draft.pages, draft.partial) == (2, 5, True)
    assert [warning.code for warning in draft.warnings] == ["truncated"]


def test_a_password_is_named() -> None:
    locked = serialised({1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [] /Count 0 >>"}).replace(
        b"/Root 1 0 R",
        b"/Root 1 0 R /ID [<00> <00>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <"
        + b"ab" * 32
        + b"> /U <"
        + b"cd" * 32
        + b"> >>",
    )
    with pytest.raises(EncryptedDocument):
        read_pdf(locked, LIMITS)


def test_damage_is_named() -> None:
    with pytest.raises(CorruptDocument):
        read_pdf(b"%PDF-1.7\n" + b"\x00\xff" * 200, LIMITS)


def test_a_scan_without_an_engine_is_refused() -> None:
    content = "q 600 0 0 800 0 0 cm /Im Do Q\n"
    data = pdf(content, objects=[image(b"\xf0\xf0\xf0", 20, 20)], resources="/XObject << /Im 100 0 R >>")
    with pytest.raises(ScannedNoText):
        read_pdf(data, replace(LIMITS, ocr="off"))


def test_a_missing_recogniser_is_not_blamed_on_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evenhand.documents.ocr.engines.RAPIDOCR_PACKAGE", "no_such_package")
    monkeypatch.setenv("PATH", "/nonexistent")
    choose_engine.cache_clear()
    content = "q 600 0 0 800 0 0 cm /Im Do Q\n"
    data = pdf(content, objects=[image(b"\xf0\xf0\xf0", 20, 20)], resources="/XObject << /Im 100 0 R >>")
    try:
        with pytest.raises(ScannedNoText) as error:
            read_pdf(data, LIMITS)
    finally:
        choose_engine.cache_clear()
    assert str(error.value) == (
        "The pages are pictures and no recogniser is installed: install the program tesseract, or "
        'pip install --no-deps --ignore-requires-python "rapidocr-onnxruntime==1.4.4".'
    )


def test_an_empty_page_is_no_scan() -> None:
    draft = read_pdf(pdf("", text(40, 100, "Second page")), LIMITS)
    assert texts(draft) == ["Second page"]
    assert draft.warnings == []
