"""Word binary files: text, looks, lists, tables, headers, fields, and text that nobody sees."""

from __future__ import annotations

import struct

import olefile
import pytest

from evenhand.documents.doc.reader import read_doc
from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, DocumentDraft, ReadLimits
from evenhand.errors import CorruptDocument, EncryptedDocument
from tests.documents.doc.word_file import (
    BOLD,
    DELETED,
    ITALIC,
    SPECIAL,
    VANISH,
    WordFile,
    cell_fills,
    code,
    color,
    compound_file,
    font,
    list_item,
    old_word_file,
    size,
)


def read(file: WordFile) -> DocumentDraft:
    return read_doc(file.build(), ReadLimits())


def seen(file: WordFile) -> tuple[list[str], list[tuple[str, str]]]:
    draft = read(file)
    return [line.text for line in draft.lines], [(item.text, item.reason) for item in draft.hidden]


def test_paragraphs_and_looks() -> None:
    file = WordFile().paragraph(("Jane Example", BOLD + size(36) + color(255, 0, 0)))
    file.paragraph("plain ", ("words", ITALIC), " and — “more” Привет 中文 \U0001f600").paragraph()
    file.paragraph("after\x0bbreak", mark="\x0c").paragraph("next page")
    draft = read(file)
    assert [(line.text, line.joint, line.page) for line in draft.lines] == [
        ("Jane Example", NEXT_BLOCK, 1),
        ("plain words and — “more” Привет 中文 😀", NEXT_LINE, 1),
        ("after", NEXT_BLOCK, 1),
        ("break", NEXT_LINE, 1),
        ("next page", NEXT_LINE, 2),
    ]
    first = draft.lines[0]
    assert (first.size, first.bold, first.italic, first.color) == (18.0, True, False, "#ff0000")
    assert (draft.lines[1].bold, draft.lines[1].italic, draft.lines[1].color) == (False, False, None)
    assert draft.pages == 2


def test_tables() -> None:
    file = WordFile().paragraph("before").row("a", "b").row("c\x0bc2", "d").paragraph("after")
    draft = read(file)
    assert [(line.text, line.table, line.joint) for line in draft.lines] == [
        ("before", None, NEXT_BLOCK),
        ("a", (0, 0, 0), NEXT_BLOCK),
        ("b", (0, 0, 1), NEXT_CELL),
        ("c", (0, 1, 0), NEXT_LINE),
        ("c2", (0, 1, 0), NEXT_LINE),
        ("d", (0, 1, 1), NEXT_LINE),
        ("after", None, NEXT_BLOCK),
    ]
    assert [(t.rows, t.columns) for t in draft.tables] == [(2, 2)]


def test_lists_are_counted() -> None:
    file = WordFile()
    bullets = file.add_list((23, "\uf0b7", 1), (23, "o", 0))
    numbers = file.add_list((0, "\x00.", 0), (4, "\x00.\x01)", 0))
    for text, use, level in (
        ("one", bullets, 0),
        ("deep", bullets, 1),
        ("first", numbers, 0),
        ("second", numbers, 0),
        ("sub", numbers, 1),
        ("sub2", numbers, 1),
        ("third", numbers, 0),
    ):
        file.paragraph(text, properties=list_item(use, level))
    assert [(line.text, line.list) for line in read(file).lines] == [
        ("• one", "•"),
        ("◦ deep", "◦"),
        ("1. first", "1."),
        ("2. second", "2."),
        ("2.a) sub", "2.a)"),
        ("2.b) sub2", "2.b)"),
        ("3. third", "3."),
    ]


def test_headers_and_footers() -> None:
    draft = read(WordFile().paragraph("body").headers("Top", "Bottom"))
    assert [(line.text, line.furniture) for line in draft.lines] == [
        ("Top", "header"),
        ("body", None),
        ("Bottom", "footer"),
    ]


def test_fields_show_their_result() -> None:
    file = WordFile().paragraph('see \x13 HYPERLINK "http://x" \x14the link\x15 and \x13 SEQ a \x15done')
    assert seen(file) == (["see the link and done"], [])


def test_a_field_that_never_ends_hides_nothing() -> None:
    assert seen(WordFile().paragraph("a \x13 b").paragraph("c")) == (["a  b", "c"], [])


def test_active_fields_are_warned_of() -> None:
    draft = read(WordFile().paragraph("a \x13 DDEAUTO c:\\x.exe \x14b\x15"))
    assert [warning.code for warning in draft.warnings] == ["active_content"]


def test_symbols() -> None:
    symbol = code(0x6A09, struct.pack("<HH", 1, 0xF0B7)) + SPECIAL
    assert seen(WordFile().paragraph(("(", symbol), " x ", ("a", font(1)))) == (["• x α"], [])


def test_deleted_revisions_are_gone() -> None:
    assert seen(WordFile().paragraph("kept", (" gone", DELETED))) == (["kept"], [])


@pytest.mark.parametrize(
    ("look", "reason"),
    [
        (VANISH, "hidden_style"),
        (color(255, 255, 255), "background_color"),
        (code(0x2A42, b"\x08"), "background_color"),
        (color(0, 0, 128) + code(0xCA71, b"\x0a\0\0\0\xff\0\0\x80\0\0\0"), "background_color"),
        (size(4), "tiny"),
        (code(0x4852, b"\x05\0"), "tiny"),
    ],
)
def test_hidden_characters(look: bytes, reason: str) -> None:
    assert seen(WordFile().paragraph("shown ", ("secret", look))) == (["shown"], [("secret", reason)])


@pytest.mark.parametrize(
    ("properties", "reason"),
    [(code(0x840F, struct.pack("<h", -30000)), "off_page"), (code(0x6412, struct.pack("<hh", -20, 0)), "clipped")],
)
def test_hidden_paragraphs(properties: bytes, reason: str) -> None:
    file = WordFile().paragraph("shown").paragraph("secret", properties=properties)
    assert seen(file) == (["shown"], [("secret", reason)])


def test_white_text_in_dark_cells_is_seen_and_in_white_ones_not() -> None:
    white = color(255, 255, 255)
    file = WordFile().row(("dark", white), ("light", white), properties=cell_fills((0, 0, 128), (255, 255, 255)))
    assert seen(file) == (["dark"], [("light", "background_color")])


def test_encrypted() -> None:
    with pytest.raises(EncryptedDocument):
        read(WordFile(encrypted=True).paragraph("x"))


def test_macros_are_warned_of() -> None:
    data = WordFile().paragraph("text").build()
    with olefile.OleFileIO(data) as ole:
        parts = {path[0]: ole.openstream(path).read() for path in ole.listdir()}
    draft = read_doc(compound_file({**parts, "Macros": b"x"}), ReadLimits())
    assert [line.text for line in draft.lines] == ["text"]
    assert [warning.code for warning in draft.warnings] == ["active_content"]


@pytest.mark.parametrize("main", [b"", b"\0" * 5000, b"\xec\xa5" + b"\xff" * 5000, b"\xec\xa5\xc1\0" + b"\0" * 5000])
def test_damaged_files(main: bytes) -> None:
    with pytest.raises((CorruptDocument, EncryptedDocument)):
        read_doc(compound_file({"WordDocument": main, "0Table": b"\0"}), ReadLimits())


def test_every_truncation_ends_in_text_or_a_named_error() -> None:
    data = WordFile().paragraph("Jane Example").row("a", "b").paragraph("end").build()
    for length in range(0, len(data), 256):
        try:
            read_doc(data[:length], ReadLimits())
        except (CorruptDocument, EncryptedDocument):
            continue


def test_word_95() -> None:
    draft = read_doc(
        old_word_file("Jane\rbold secret\r", [(5, b""), (5, bytes((85, 1))), (7, bytes((92, 1)))]), ReadLimits()
    )
    assert [(line.text, line.bold) for line in draft.lines] == [("Jane", False), ("bold", True)]
    assert [(item.text, item.reason) for item in draft.hidden] == [("secret", "hidden_style")]


def test_word_95_in_russian() -> None:
    draft = read_doc(old_word_file("Опыт работы\r", [(12, b"")], "cp1251"), ReadLimits())
    assert [line.text for line in draft.lines] == ["Опыт работы"]
