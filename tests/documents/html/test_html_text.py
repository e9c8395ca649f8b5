"""HTML: blocks, lists, tables and fields come out as a browser shows them."""

from __future__ import annotations

import pytest

from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, DocumentDraft, ReadLimits
from evenhand.documents.html.reader import read_html


def read(markup: str, **limits: int) -> DocumentDraft:
    return read_html(markup.encode(), ReadLimits(**limits))  # type: ignore[arg-type]


def texts(markup: str) -> list[str]:
    return [line.text for line in read(markup).lines]


def codes(markup: str) -> list[str]:
    return [warning.code for warning in read(markup).warnings]


def test_blocks_and_breaks() -> None:
    draft = read("<title>no</title><h1>Jane</h1><div>one</div><div>two<br>three</div><p>four</p>five<br><br>six")
    assert [(line.text, line.joint) for line in draft.lines] == [
        ("Jane", NEXT_BLOCK),
        ("one", NEXT_BLOCK),
        ("two", NEXT_LINE),
        ("three", NEXT_LINE),
        ("four", NEXT_BLOCK),
        ("five", NEXT_BLOCK),
        ("six", NEXT_BLOCK),
    ]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>a  b\n\tc</p>", ["a b c"]),
        ("<p>a<b> b </b> c</p>", ["a b c"]),
        ("<pre>a  b\n  c</pre>", ["a  b", "c"]),
        ("a<script>var x</script><style>p{}</style><template>t</template><noscript>n</noscript>b", ["ab"]),
        ("<p>a<!-- no -->b</p>", ["ab"]),
        ("&lt;p&gt; &eacute; &#8226; &nbsp;x", ["<p> é • \u00a0x"]),
        ("<select><option>no<option selected>yes</select>", ["yes"]),
        ('<input value="typed"><input type=hidden value="no"><input type=checkbox value="on">', ["typed"]),
        ("<textarea>written\nhere</textarea>", ["written", "here"]),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", ["漢kan"]),
        ("<svg><title>no</title><text y=20>drawn</text></svg>", ["drawn"]),
        ("<div style='display:flex'><span>Acme</span><span>2019</span></div>", ["Acme\t2019"]),
        ("<p>x<span style='display:block'>y</span>z", ["x", "y", "z"]),
        ("<span style='display:inline-block'>a</span><span style='display:inline-block'>b</span>", ["a b"]),
        ("<dl><dt>Skill</dt><dd>Python</dd></dl>", ["Skill", "Python"]),
    ],
)
def test_text(markup: str, expected: list[str]) -> None:
    assert texts(markup) == expected


def test_lists() -> None:
    draft = read(
        "<ul><li>one<li>two<ul><li>deep</ul></ul><ol start=3><li>three<li value=7>seven</ol>"
        "<ol type=a reversed><li>b<li>a</ol><ul style='list-style:none'><li>bare</ul>"
        "<ol style='list-style-type:upper-roman'><li>r</ol><ul><li style='display:block'>block</ul>"
    )
    assert [(line.text, line.list) for line in draft.lines] == [
        ("• one", "•"),
        ("• two", "•"),
        ("◦ deep", "◦"),
        ("3. three", "3."),
        ("7. seven", "7."),
        ("b. b", "b."),
        ("a. a", "a."),
        ("bare", None),
        ("I. r", "I."),
        ("block", None),
    ]


def test_tables_with_spans() -> None:
    draft = read(
        "<p>before<table border=1><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<p>d2<tr><td>e<td><td>f</table>after"
    )
    assert [(line.text, line.table, line.joint) for line in draft.lines] == [
        ("before", None, NEXT_BLOCK),
        ("a", (0, 0, 0), NEXT_BLOCK),
        ("b", (0, 0, 1), NEXT_CELL),
        ("c", (0, 1, 1), NEXT_LINE),
        ("d", (0, 1, 2), NEXT_LINE),
        ("d2", (0, 1, 2), NEXT_LINE),
        ("e", (0, 2, 0), NEXT_LINE),
        ("f", (0, 2, 2), NEXT_CELL),
        ("after", None, NEXT_BLOCK),
    ]
    assert [(t.rows, t.columns, t.ruled) for t in draft.tables] == [(3, 3, True)]
    assert draft.lines[1].bold


def test_nested_tables() -> None:
    draft = read("<table><tr><td>out<table><tr><td>in1<td>in2</table><td>right</table>")
    assert [(line.text, line.table) for line in draft.lines] == [
        ("out", (0, 0, 0)),
        ("in1", (1, 0, 0)),
        ("in2", (1, 0, 1)),
        ("right", (0, 0, 1)),
    ]


def test_looks_from_tags_attributes_and_sheets() -> None:
    draft = read(
        "<style>.name{font:italic 700 20px Georgia, serif;color:#00f} #x p{color:red} p{color:green}</style>"
        "<h2>Head</h2><div class=name>Name</div><div id=x><p>red<p style='color:rgb(1,2,3)'>own</div>"
        "<font color=navy size=5 face=Verdana>old</font>"
    )
    looks = {line.text: (line.font, line.size, line.bold, line.italic, line.color) for line in draft.lines}
    assert looks == {
        "Head": (None, 18.0, True, False, None),
        "Name": (None, 15.0, True, True, "#0000ff"),
        "red": (None, 12.0, False, False, "#ff0000"),
        "own": (None, 12.0, False, False, "#010203"),
        "old": ("Verdana", 18.0, False, False, "#000080"),
    }


def test_sheets_in_data_addresses_count_and_nothing_is_fetched() -> None:
    draft = read(
        '<link rel=stylesheet href="data:text/css,p%7Bcolor%3Ared%7D"><link rel=stylesheet href="http://x/y.css"><p>a'
    )
    assert draft.lines[0].color == "#ff0000"
    assert draft.warnings == []


@pytest.mark.parametrize(
    "markup",
    [
        "<script>x()</script>text",
        "<iframe src=x></iframe>text",
        "<object data=x>fallback</object>text",
        "<p onclick='x()'>text",
        "<a href='javascript:x()'>text</a>",
        "<meta http-equiv=Refresh content='0;url=x'>text",
    ],
)
def test_active_content(markup: str) -> None:
    assert texts(markup) == ["text"]
    assert codes(markup) == ["active_content"]


def test_data_in_scripts_and_plain_links_are_quiet() -> None:
    assert codes("<script type='application/ld+json'>{}</script><a href='http://x'>text</a><img src=http://x/y>") == []


@pytest.mark.parametrize(
    ("head", "charset"),
    [
        ("<meta charset=windows-1251>", "cp1251"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "koi8-r"),
        ("<meta charset=utf-8>", "utf-8"),
        ("", "utf-16"),
        ("<meta charset=utf-8>", "cp1251"),
    ],
)
def test_charsets(head: str, charset: str) -> None:
    text = "Опыт работы: ведущий инженер в Москве"
    draft = read_html(f"<html><head>{head}</head><body><p>{text}</p></body></html>".encode(charset), ReadLimits())
    assert [line.text for line in draft.lines] == [text]


def test_a_web_page_saved_as_one_file() -> None:
    data = (
        b'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\n'
        b"Content-Type: text/html; charset=windows-1252\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
        b"<p>caf=E9 and a long=\r\n line</p>\r\n--b\r\nContent-Type: image/png\r\n\r\nxx\r\n--b--\r\n"
    )
    assert [line.text for line in read_html(data, ReadLimits()).lines] == ["café and a long line"]


def test_deep_nesting_neither_recurses_nor_loses_text() -> None:
    assert texts("<div>" * 30_000 + "deep") == ["deep"]
    assert texts("<table><tr><td>" * 3_000 + "deep") == ["deep"]


def test_limits() -> None:
    draft = read("<p>word</p>" * 100, characters=50)
    assert draft.partial
    assert len(draft.lines) == 13
    assert [warning.code for warning in draft.warnings] == ["truncated"]


def test_bullets_of_pages_that_word_wrote() -> None:
    draft = read(
        "<p><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<i>&nbsp; </i></span></span>one"
        "<p><span style='font-family:Wingdings'>§<span>&nbsp; </span></span>two"
    )
    assert [(line.text.split(), line.list) for line in draft.lines] == [(["•", "one"], "•"), (["▪", "two"], "▪")]
