"""RTF: words, charsets, lists, tables, notes and boxes come out as a word processor shows them."""

from __future__ import annotations

import pytest

from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, DocumentDraft, ReadLimits
from evenhand.documents.rtf.reader import read_rtf

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}"
    r"{\f2\fcharset128 MS Mincho;}{\f3\fcharset2 Symbol;}{\f4\fcharset2 Wingdings;}"
    r"{\f5\fcharset0 Courier{\*\falt X};}}"
    r"{\colortbl;\red255\green0\blue0;\red255\green255\blue255;\red0\green0\blue128;}"
)


def read(body: str, **limits: int) -> DocumentDraft:
    return read_rtf((HEAD + body + "}").encode("latin-1"), ReadLimits(**limits))  # type: ignore[arg-type]


def texts(body: str) -> list[str]:
    return [line.text for line in read(body).lines]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (r"caf\'e9 \u8211? \endash \bullet\~x\_y", "café – –•\u00a0x\u2011y"),
        (r"{\f1 \'cf\'f0\'e8\'e2\'e5\'f2} ok", "Привет ok"),
        (r"{\f2 \'93\'fa\'96\'7b\'8c\'ea}", "日本語"),
        (r"{\f2 \'83A\'83B}", "アィ"),
        (r"\uc2\u26085\'93\'fa\u26412\'96\'7b ok", "日本 ok"),
        (r"\uc0\u8226 x", "•x"),
        (r"\uc1\u-10179?\u-8704?", "😀"),
        (r"{\f3 \'61\'b7}{\f4 \'fc}", "α•✓"),
        (r"{\f4\u-3844 ?}", "✓"),
        (r"a{\*\unknown hidden}b{\v0 c}", "abc"),
        (r"a\{b\}\\c", "a{b}\\c"),
        ("split\nover\r\nlines", "splitoverlines"),
        (r'{\field{\*\fldinst{HYPERLINK "http://x"}}{\fldrslt{\ul a link}}} after', "a link after"),
        (r"""{\field{\*\fldinst{SYMBOL 183 \\f "Symbol" \\s 10}}{\fldrslt{\f3 \'b7}}}""", "•"),
        (r"{\upr{old}{\*\ud{new \u233?}}}", "new é"),
        (r"x{\pict\wmetafile8 0102030405}y{\pict\bin4 {}}}z}w", "xyw"),
        (r"kept{\deleted gone} and {\revised new}", "kept and new"),
        (r"\*\cs7 still text", "still text"),
    ],
)
def test_characters(body: str, expected: str) -> None:
    assert texts(body) == [expected]


def test_paragraphs_breaks_and_gaps() -> None:
    draft = read(r"\pard one\par two\line three\par\par four\par\pard\sb240 five\page six\par")
    assert [(line.text, line.joint, line.page) for line in draft.lines] == [
        ("one", NEXT_BLOCK, 1),
        ("two", NEXT_LINE, 1),
        ("three", NEXT_LINE, 1),
        ("four", NEXT_BLOCK, 1),
        ("five", NEXT_BLOCK, 1),
        ("six", NEXT_BLOCK, 2),
    ]
    assert draft.pages == 2


def test_looks() -> None:
    line = read(r"{\f5\fs28\b\i\cf1 Heading}\par").lines[0]
    assert (line.font, line.size, line.bold, line.italic, line.color) == ("Courier", 14.0, True, True, "#ff0000")
    line = read(r"\plain mostly plain words {\b bold}\par").lines[0]
    assert (line.bold, line.size, line.color) == (False, 12.0, None)


def test_list_markers() -> None:
    body = (
        r"{\listtext\f3\'b7\tab}first\par{\listtext\pard 2.\tab}second\par"
        r"{\pntext\f4\'a7\tab}third\par{\listtext\f5 o\tab}fourth\par plain\par"
    )
    assert [(line.text, line.list) for line in read(body).lines] == [
        ("• first", "•"),
        ("2. second", "2."),
        ("▪ third", "▪"),
        ("◦ fourth", "◦"),
        ("plain", None),
    ]


def test_tables() -> None:
    row = r"\trowd\clbrdrt\cellx1000\cellx2000\pard\intbl "
    draft = read(r"before\par" + row + r"a\cell b\cell\row" + row + r"c\par c2\cell d\cell\row\pard after\par")
    assert [(line.text, line.table, line.joint) for line in draft.lines] == [
        ("before", None, NEXT_BLOCK),
        ("a", (0, 0, 0), NEXT_BLOCK),
        ("b", (0, 0, 1), NEXT_CELL),
        ("c", (0, 1, 0), NEXT_LINE),
        ("c2", (0, 1, 0), NEXT_LINE),
        ("d", (0, 1, 1), NEXT_LINE),
        ("after", None, NEXT_BLOCK),
    ]
    assert [(t.rows, t.columns, t.ruled) for t in draft.tables] == [(2, 2, True)]


def test_nested_tables() -> None:
    body = (
        r"\trowd\cellx1000\cellx2000\pard\intbl out\par"
        r"\pard\intbl\itap2 in1\nestcell in2\nestcell{\*\nesttableprops\trowd\cellx100\cellx200\nestrow}"
        r"{\nonesttables\par}\pard\intbl\itap1 tail\cell right\cell\row\pard end\par"
    )
    draft = read(body)
    assert [(line.text, line.table) for line in draft.lines] == [
        ("out", (0, 0, 0)),
        ("in1", (1, 0, 0)),
        ("in2", (1, 0, 1)),
        ("tail", (0, 0, 0)),
        ("right", (0, 0, 1)),
        ("end", None),
    ]
    assert [(t.rows, t.columns) for t in draft.tables] == [(1, 2), (1, 2)]


def test_headers_footers_notes_and_boxes() -> None:
    body = (
        r"{\header Top\par}{\footer Page {\field{\*\fldinst PAGE}{\fldrslt 1}}\par}body{\footnote a note}\par"
        r"{\header Top\par}{\shp{\*\shpinst\shpleft0\shptop0\shpright4000\shpbottom900{\sp{\sn x}{\sv 1}}"
        r"{\shptxt in a box\par}}{\shprslt in a box}}last\par"
    )
    assert [(line.text, line.furniture) for line in read(body).lines] == [
        ("Top", "header"),
        ("body", None),
        ("in a box", None),
        ("last", None),
        ("a note", None),
        ("Page 1", "footer"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        r"{\object\objemb{\*\objdata 0105}{\result shown}}",
        r"{\field{\*\fldinst DDEAUTO c:\\\\x.exe}{\fldrslt shown}}",
        r"{\*\template http://evil.example/t.dot}shown",
    ],
)
def test_active_content(body: str) -> None:
    draft = read(body)
    assert [line.text for line in draft.lines] == ["shown"]
    assert [warning.code for warning in draft.warnings] == ["active_content"]


def test_a_local_template_is_nothing_special() -> None:
    assert read(r"{\*\template C:\\Users\\Normal.dot}text").warnings == []


def test_a_file_that_breaks_off_is_partial() -> None:
    draft = read_rtf(rb"{\rtf1 whole\par {\b {\i half", ReadLimits())
    assert [line.text for line in draft.lines] == ["whole", "half"]
    assert draft.partial
    assert [warning.code for warning in draft.warnings] == ["truncated"]


def test_one_missing_brace_is_forgiven_and_extra_ones_end_the_text() -> None:
    assert not read_rtf(rb"{\rtf1 whole\par", ReadLimits()).partial
    draft = read_rtf(b"{\\rtf1 whole\\par}}}\0\0garbage", ReadLimits())
    assert [line.text for line in draft.lines] == ["whole"]


def test_a_fragment_without_header() -> None:
    draft = read_rtf(b"{\\pard \\b Jane Example\\par}\n{\\pard Engineer\\par}", ReadLimits())
    assert [(line.text, line.bold) for line in draft.lines] == [("Jane Example", True), ("Engineer", False)]


def test_deep_nesting_ends_early() -> None:
    draft = read_rtf(b"{\\rtf1 text\\par " + b"{" * 100_000, ReadLimits())
    assert [line.text for line in draft.lines] == ["text"]
    assert draft.partial
