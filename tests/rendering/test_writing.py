"""Reports in files: a PDF whose text can be read back in order, JSON that becomes the report again."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from evenhand.errors import UsageError
from evenhand.records.report import Report, ReportTable
from evenhand.rendering.fonts import BOLD
from evenhand.rendering.report_pdf import HEAD, SIZES, pdf_bytes, read_report, set_columns, write_report
from tests.rendering.reports import hostile, outcomes, swaps, wide_grid


def pages_of(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [document[number].get_textpage().get_text_bounded() for number in range(len(document))]
    finally:
        document.close()


def test_the_findings_have_the_first_page_to_themselves() -> None:
    first, *rest = pages_of(pdf_bytes(swaps()))
    assert "Findings: one to act on" in first
    assert "Use blind screening for this job" in first
    assert first.index("Names move people down") < first.index("A gap in employment")
    assert "Change by family" not in first
    assert "1 of 2" in first
    assert "Lakisha Washington" in rest[0]
    assert "2 of 2" in rest[0]


def test_a_long_table_repeats_its_heads_and_breaks_no_number() -> None:
    pages = pages_of(pdf_bytes(outcomes()))
    with_rows = [page for page in pages if "the highest rate" in page]
    assert len(with_rows) > 1
    assert all("Impact" in page for page in with_rows)
    assert sum(page.count("0.39 to 1.16") for page in pages) == 25


def test_columns_fill_the_room_and_numbers_keep_theirs() -> None:
    setting = set_columns(wide_grid(), 500.0)
    assert setting.size == SIZES[0]
    assert sum(setting.widths) == pytest.approx(500.0)
    assert setting.widths[5] > setting.widths[3]  # an interval is longer than a rate
    assert setting.widths[7] == max(setting.widths)  # and words take the rest


def test_many_columns_are_set_smaller() -> None:
    """The widest word of each column is what none may be narrower than."""
    grid = ReportTable(
        "Many", tuple(f"measure {at}" for at in range(14)), (("-0.123 to +0.456",) * 14,), numeric=frozenset(range(14))
    )
    setting = set_columns(grid, 490.0)
    assert setting.size < SIZES[0]
    assert min(setting.widths) >= stringWidth("measure", BOLD, setting.size * HEAD)


def test_letters_of_any_script_and_markup_are_text() -> None:
    text = "<b>李小龍</b> Ольга עברית &amp; <para>"
    pages = "\n".join(pages_of(pdf_bytes(hostile(text))))
    assert "<b>" in pages
    assert "&amp;" in pages
    assert "Ольга" in pages
    assert "<para>" in pages


def test_files_are_written_and_json_is_read_back(tmp_path: Path) -> None:
    html, pdf, json = tmp_path / "r.html", tmp_path / "r.pdf", tmp_path / "r.json"
    write_report(swaps(), html=html, pdf=pdf, json=json)
    assert html.read_bytes().startswith(b"<!doctype html>")
    assert pdf.read_bytes().startswith(b"%PDF")
    assert read_report(json) == swaps()
    assert Report.from_json(outcomes().to_json()) == outcomes()


def test_what_is_no_report_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    for content in ("", "[]", "{}", '{"kind": "swaps"}'):
        file.write_text(content)
        with pytest.raises(UsageError, match="not the JSON of an audit report"):
            read_report(file)
    with pytest.raises(UsageError, match="cannot be read"):
        read_report(tmp_path / "none.json")
    with pytest.raises(UsageError, match="cannot be written"):
        write_report(swaps(), html=tmp_path / "none" / "r.html")
