"""The order bench: what counts as whole and in order, on texts and on a small page with two columns."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from evenhand.documents.parse import failed
from evenhand.errors import EncryptedDocument, UsageError
from evenhand.records.document import Document
from evenhand_lab.benchmarks.reading import order
from evenhand_lab.benchmarks.reading.order import examine, fingerprint, fingerprinted
from tests.documents.pdf.pdf_files import lines, pdf

COLUMNS = {
    "then": [
        ["Ada Example", "Engineer"],
        {
            "any": [
                {"then": [["Skills", "Python", "SQL"], ["Languages", "Polish"]]},
                {"then": [["Work", "Wrote programs for", "a railway"], ["School", "Gdynia, 2004"]]},
            ]
        },
    ]
}


def document(text: str) -> Document:
    return Document(None, "0" * 64, "txt", 1, "parsed", text, (), (), (), (), None)


def figures(text: str, expected: order.Node = COLUMNS) -> tuple[int, int, int]:
    case = examine(document(text), fingerprinted(expected))
    return case.intact, case.blocks, case.violations


def test_a_line_is_known_by_its_letters_alone() -> None:
    assert fingerprint("• C'est la ﬁn!") == fingerprint("CEST la fin")
    assert fingerprint("SQL") == "3:" + sha256(b"sql").hexdigest()[:10]


def test_either_column_may_come_first() -> None:
    left = "Skills\nPython\nSQL\n\nLanguages\nPolish\n\n"
    right = "Work\nWrote programs for\na railway\n\nSchool\nGdynia, 2004\n\n"
    assert figures("Ada Example\nEngineer\n\n" + left + right) == (5, 5, 0)
    assert figures("Ada Example\nEngineer\n\n" + right + left) == (5, 5, 0)


def test_lines_joined_or_divided_otherwise_are_the_same_text() -> None:
    text = "Ada Example\tEngineer Skills: Python • SQL Languages Pol-\nish Work Wrote\nprograms for a railway\n"
    assert figures(text + "School\tGdynia 2004") == (5, 5, 0)


def test_mixed_columns_are_noticed() -> None:
    mixed = "Ada Example\nEngineer\nSkills\tWork\nPython\tWrote programs for\nSQL\ta railway\n"
    assert figures(mixed + "Languages\tSchool\nPolish\tGdynia, 2004") == (1, 5, 0)
    by_blocks = "Skills\nPython\nSQL\nWork\nWrote programs for\na railway\nLanguages\nPolish\nSchool\nGdynia, 2004"
    assert figures("Ada Example\nEngineer\n" + by_blocks) == (5, 5, 1)


def test_parts_in_the_wrong_order_are_noticed() -> None:
    expected = {"then": [["first line"], ["second line"], ["third line"]]}
    assert figures("first line\nthird line\nsecond line", expected) == (3, 3, 1)
    assert figures("first line\nsecond line\nthird line", expected) == (3, 3, 0)


def test_a_misread_letter_is_not_taken_for_foreign_words() -> None:
    expected = {"then": [["The first of", "three fine lines", "is here"]]}
    case = examine(document("The first of\nthree ne lines\nis here"), fingerprinted(expected))
    assert (case.intact, case.unread, case.is_interleaved) == (1, 1, False)
    assert figures("The first of\nthree foreign words lines\nis here", expected) == (0, 1, 0)


def test_of_several_places_a_line_start_after_the_part_before_is_meant() -> None:
    expected = {"then": [["Summary", "Years of experience"], ["Experience"], ["Clerk"]]}
    assert figures("Experience\nSummary\nYears of experience\nExperience\nClerk", expected) == (3, 3, 0)


def test_an_unreadable_file_has_lost_every_block() -> None:
    unread = failed(EncryptedDocument(), file=None, sha256="0" * 64)
    case = examine(unread, fingerprinted(COLUMNS))
    assert (case.intact, case.blocks, case.is_interleaved) == (0, 5, True)


def test_run_reads_the_files_it_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = lines(40, 40, "Ada Example", "Engineer", size=18, step=22)
    page += lines(40, 120, "Skills", "Python", "SQL") + lines(40, 180, "Languages", "Polish")
    page += lines(300, 120, "Work", "Wrote programs for", "a railway") + lines(300, 173, "School", "Gdynia, 2004")
    (tmp_path / "known.pdf").write_bytes(pdf(page))
    (tmp_path / "other.txt").write_text("Somebody else")
    key = sha256((tmp_path / "known.pdf").read_bytes()).hexdigest()
    monkeypatch.setattr(order, "known_orders", lambda: {key: fingerprinted(COLUMNS), "0" * 64: ["1:00"]})
    result = order.run(tmp_path)
    assert (result.known, len(result.cases), result.interleaved) == (2, 1, [])
    assert json.loads(json.dumps(result.to_json()))["cases"][0]["intact"] == 5
    assert result.table().row_count == len(result.rows())


def test_run_needs_files_it_knows(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("Somebody else")
    with pytest.raises(UsageError, match="None of the 30 resumes"):
        order.run(tmp_path)
    with pytest.raises(UsageError, match="needs --data"):
        order.run()


def test_known_orders_hold_no_text() -> None:
    def check(node: order.Node) -> int:
        if isinstance(node, dict):
            ((kind, parts),) = node.items()
            assert kind in ("then", "any")
            return sum(map(check, parts))
        for line in node:
            length, _, digits = line.partition(":")
            assert int(length) > 0
            assert len(digits) == 10
            int(digits, 16)
        return 1

    known = order.known_orders()
    assert all(len(key) == 64 for key in known)
    assert all(check(node) > 5 for node in known.values())
