"""The text of a DOCX: order, runs, fields, tracked changes, notes, headers, pages, looks and joints."""

# ruff: noqa: E501 - markup is easier to read in one piece

from __future__ import annotations

import pytest

from evenhand.documents.draft import ReadLimits
from evenhand.errors import CorruptDocument
from tests.documents.office.docx_files import (
    NAMESPACES,
    docx,
    joined,
    p,
    pack,
    r,
    read,
    relationships,
    row,
    settings,
    styles,
    table,
    texts,
)


def test_runs_of_one_word_are_not_parted_and_paragraphs_are() -> None:
    assert texts(read(docx(p("Da", "ta ", "Engi", "neer") + p("Berlin")))) == ["Data Engineer", "Berlin"]


def test_tabs_breaks_hyphens_and_symbols() -> None:
    body = p(
        "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t>"
        "<w:softHyphen/><w:t>s</w:t><w:cr/></w:r>",
        '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:t xml:space="preserve"> done</w:t></w:r>',
        '<w:r><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>\uf0b7</w:t></w:r>',
    )
    assert texts(read(docx(body))) == ["a\tb", "co-ops", "✓ done•"]


def test_line_breaks_of_the_source_are_blanks() -> None:
    assert texts(read(docx("<w:p><w:r><w:t>\n  two\n  words\n</w:t></w:r></w:p>"))) == ["two words"]


def test_wrappers_are_transparent() -> None:
    body = (
        f"<w:sdt><w:sdtPr/><w:sdtContent>{p('block control')}</w:sdtContent></w:sdt>"
        f"<w:customXml>{p('custom')}</w:customXml>"
        "<w:p><w:hyperlink r:id='x'>" + r("link") + "</w:hyperlink><w:smartTag>" + r(" tag") + "</w:smartTag>"
        "<w:sdt><w:sdtContent>" + r(" inline") + "</w:sdtContent></w:sdt></w:p>"
        "<w:p><w:r><w:ruby><w:rt>" + r("kana") + "</w:rt><w:rubyBase>" + r("base") + "</w:rubyBase></w:ruby></w:r>"
        "<m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath></w:p>"
    )
    assert texts(read(docx(body))) == ["block control", "custom", "link tag inline", "basex+1"]


def test_tracked_changes_are_shown_as_accepted() -> None:
    body = (
        p("kept ", f"<w:ins>{r('new')}</w:ins>", "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>")
        + p(f"<w:moveFrom>{r('away')}</w:moveFrom>", f"<w:moveTo>{r('here')}</w:moveTo>")
        + p("joined ", properties="<w:rPr><w:del/></w:rPr>")
        + p("on")
        + table(row("gone", properties="<w:del/>"), row("stays"))
    )
    assert texts(read(docx(body))) == ["kept new", "here", "joined on", "stays"]


def field(instruction: str, result: str, *, data: str = "") -> str:
    return (
        f'<w:r><w:fldChar w:fldCharType="begin">{data}</w:fldChar></w:r>'
        f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
        + (f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{r(result)}' if result else "")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def test_fields_show_their_result() -> None:
    inner = field("PAGE", "7")
    nested = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>'
        + inner
        + r(" never shown")
        + f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{r("yes")}'
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    simple = f'<w:fldSimple w:instr="AUTHOR">{r("Ann")}</w:fldSimple>'
    checked = "<w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData>"
    listed = '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/><w:listEntry w:val="yes"/></w:ddList></w:ffData>'
    body = (
        p("page ", inner)
        + p(nested)
        + p(simple)
        + p(field("FORMCHECKBOX", "", data=checked), field("FORMCHECKBOX", ""))
        + p(field("FORMDROPDOWN", "", data=listed))
        + p(field("MACROBUTTON NoMacro Click here", ""))
    )
    assert texts(read(docx(body))) == ["page 7", "yes", "Ann", "☒☐", "yes", "Click here"]


def test_a_field_that_never_ends_does_not_swallow_the_text() -> None:
    body = p('<w:r><w:fldChar w:fldCharType="begin"/></w:r>', "still here") + p("and here")
    assert texts(read(docx(body))) == ["still here", "and here"]


def test_notes_come_after_the_text_and_comments_not_at_all() -> None:
    notes = (
        f"<w:footnotes {NAMESPACES}><w:footnote w:type='separator' w:id='0'>{p('line')}</w:footnote>"
        f"<w:footnote w:id='2'>{p('the note')}</w:footnote><w:footnote w:id='3'>{p('unused')}</w:footnote></w:footnotes>"
    )
    comments = f"<w:comments {NAMESPACES}><w:comment>{p('hire her')}</w:comment></w:comments>"
    body = p("word", '<w:r><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/></w:r>') + p("end")
    data = docx(body, parts={"footnotes.xml": notes, "comments.xml": comments})
    assert texts(read(data)) == ["word", "end", "the note"]


def test_headers_and_footers_once() -> None:
    def part(kind: str, text: str) -> str:
        return f"<w:{kind} {NAMESPACES}>{p(text)}</w:{kind}>"

    reference = '<w:{0}Reference w:type="{1}" r:id="{2}"/>'
    first = reference.format("header", "default", "h1") + reference.format("header", "first", "h2")
    second = reference.format("header", "default", "h3") + reference.format("footer", "default", "f1")
    body = (
        p("one", properties=f"<w:sectPr>{first}</w:sectPr>")
        + p("two")
        + f"<w:sectPr>{second}{reference.format('header', 'even', 'h4')}</w:sectPr>"
    )
    names = ("h1", "header"), ("h2", "header"), ("h3", "header"), ("h4", "header"), ("f1", "footer")
    targets = tuple((name, kind, f"{name}.xml") for name, kind in names)
    parts = {
        "h1.xml": part("hdr", "Ann Example"),
        "h2.xml": part("hdr", "title page only, but no title page is asked for"),
        "h3.xml": part("hdr", "Ann Example"),
        "h4.xml": part("hdr", "even pages, which are not told apart"),
        "f1.xml": part("ftr", "Page 1"),
    }
    draft = read(docx(body, parts=parts, relations=targets))
    assert [(line.text, line.furniture) for line in draft.lines] == [
        ("Ann Example", "header"),
        ("one", None),
        ("two", None),
        ("Page 1", "footer"),
    ]


def test_pages_from_the_breaks_that_word_noted() -> None:
    body = p("one") + p("<w:r><w:lastRenderedPageBreak/></w:r>", "two") + p('<w:r><w:br w:type="page"/></w:r>')
    draft = read(docx(body + p("<w:r><w:lastRenderedPageBreak/></w:r>", "three")))
    assert [(line.text, line.page) for line in draft.lines] == [("one", 1), ("two", 2), ("three", 3)]
    assert draft.pages == 3


def test_pages_from_explicit_breaks_when_there_are_no_others() -> None:
    body = p("one", '<w:r><w:br w:type="page"/></w:r>', "two") + p("three", properties="<w:pageBreakBefore/>")
    assert [line.page for line in read(docx(body)).lines] == [1, 2, 3]


def test_a_row_that_breaks_over_pages_counts_once() -> None:
    broken = p("x", "<w:r><w:lastRenderedPageBreak/></w:r>", "y")
    draft = read(docx(table(row(f"<w:tc>{broken}</w:tc>", f"<w:tc>{broken}</w:tc>")) + p("after")))
    assert draft.lines[-1].page == 2


def test_looks_come_from_defaults_styles_and_runs() -> None:
    sheet = styles(
        '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial"/><w:sz w:val="22"/></w:rPr></w:rPrDefault>'
        "</w:docDefaults>"
        '<w:style w:type="paragraph" w:styleId="Base"><w:rPr><w:b/><w:color w:val="1F4E79"/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Big"><w:basedOn w:val="Base"/><w:rPr><w:sz w:val="40"/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Strong"><w:rPr><w:b/><w:i/></w:rPr></w:style>'
    )
    body = (
        p("plain")
        + p("big", properties='<w:pStyle w:val="Big"/>')
        + p(r("toggled", '<w:rStyle w:val="Strong"/>'), properties='<w:pStyle w:val="Big"/>')
        + p(r("direct", '<w:b w:val="0"/><w:sz w:val="17"/>'), properties='<w:pStyle w:val="Big"/>')
        + p(r("Label: ", "<w:b/>"), "the longer rest of the line")
    )
    lines = read(docx(body, parts={"styles.xml": sheet})).lines
    assert [(line.font, line.size, line.bold, line.italic, line.color) for line in lines] == [
        ("Arial", 11.0, False, False, "#000000"),
        ("Arial", 20.0, True, False, "#1f4e79"),
        ("Arial", 20.0, False, True, "#1f4e79"),
        ("Arial", 8.5, False, False, "#1f4e79"),
        ("Arial", 11.0, False, False, "#000000"),
    ]


def test_theme_colours_and_fonts() -> None:
    drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    theme = (
        f'<a:theme {drawing}><a:themeElements><a:clrScheme><a:dk1><a:sysClr val="windowText" lastClr="101010"/></a:dk1>'
        '<a:accent1><a:srgbClr val="4472C4"/></a:accent1></a:clrScheme><a:fontScheme><a:minorFont>'
        '<a:latin typeface="Calibri"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>'
    )
    body = p(r("a", '<w:rFonts w:asciiTheme="minorHAnsi"/><w:color w:val="0" w:themeColor="accent1"/>')) + p(
        r("b", '<w:color w:themeColor="text1"/>')
    )
    lines = read(docx(body, parts={"word/theme/theme1.xml": theme})).lines
    assert [(line.font, line.color) for line in lines] == [("Calibri", "#4472c4"), (None, "#101010")]


def test_joints_tell_gaps_from_lines() -> None:
    sheet = styles(
        '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="S"><w:pPr><w:spacing w:after="200"/><w:contextualSpacing/></w:pPr></w:style>'
    )
    spaced = '<w:spacing w:before="240"/>'
    close = '<w:pStyle w:val="S"/>'
    body = (
        p("a") + p("b") + p() + p("c") + p("Head", properties='<w:pStyle w:val="H"/>') + p("d")
        + p("e", properties=spaced) + p("f", properties=close) + p("g", properties=close) + p("h")
    )  # fmt: skip
    assert joined(read(docx(body, parts={"styles.xml": sheet}))) == "a\nb\n\nc\n\nHead\nd\n\ne\nf\ng\n\nh"


def test_a_drop_cap_joins_its_word() -> None:
    body = p("J", properties='<w:framePr w:dropCap="drop"/>') + p("ava developer")
    assert texts(read(docx(body))) == ["Java developer"]


def test_strict_files_and_unusual_main_parts() -> None:
    strict = (
        '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body><w:p><w:r><w:rPr>'
        '<w:sz w:val="14pt"/></w:rPr><w:t>strict</w:t></w:r></w:p></w:body></w:document>'
    )
    kind = "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"
    relation = f'<Relationship Id="a" Type="{kind}" Target="/doc/main2.xml"/>'
    rels = relationships().replace("></Relationships>", f">{relation}</Relationships>")
    draft = read(pack({"_rels/.rels": rels, "doc/main2.xml": strict}))
    assert [(line.text, line.size) for line in draft.lines] == [("strict", 14.0)]


def test_only_the_main_part_is_needed() -> None:
    data = pack({"word/document.xml": f"<w:document {NAMESPACES}><w:body>{p('alone')}</w:body></w:document>"})
    draft = read(data)
    assert (texts(draft), draft.partial) == (["alone"], False)


@pytest.mark.parametrize(
    "parts",
    [
        {"a.txt": "no document"},
        {"word/document.xml": "not XML"},
        {"word/document.xml": f"<w:document {NAMESPACES}/>"},
        {"word/document.xml": ""},
    ],
)
def test_without_a_body_the_file_is_corrupt(parts: dict[str, str]) -> None:
    with pytest.raises(CorruptDocument):
        read(pack(parts))


def test_broken_helper_parts_make_the_draft_partial() -> None:
    draft = read(docx(p("text"), parts={"styles.xml": "broken", "numbering.xml": "<w:numbering"}))
    assert texts(draft) == ["text"]
    assert draft.partial
    assert [warning.code for warning in draft.warnings] == ["damaged"]


def test_a_cut_off_file_keeps_the_text_before_the_cut() -> None:
    body = "".join(p(f"paragraph {number} {number * 7919 % 1000}") for number in range(300))
    data = docx(body)
    draft = read(data[: data.find(b"word/_rels/document.xml.rels") - 300])
    assert draft.partial
    assert texts(draft)[:2] == ["paragraph 0 0", "paragraph 1 919"]
    assert 10 < len(draft.lines) < 300


def test_an_empty_document_is_an_empty_draft() -> None:
    draft = read(docx(p()))
    assert (draft.lines, draft.hidden, draft.pages) == ([], [], 1)


def test_limits_cut_the_text_short() -> None:
    body = p("0123456789") * 10
    draft = read(docx(body), ReadLimits(characters=25))
    assert texts(draft) == ["0123456789", "0123456789", "01234"]
    assert draft.partial
    assert [warning.code for warning in draft.warnings] == ["truncated"]
    paged = p('<w:r><w:br w:type="page"/></w:r>', "x") * 10
    assert len(read(docx(paged), ReadLimits(pages=3)).lines) == 2


def test_nesting_beyond_the_limit_is_left_out() -> None:
    body = "deep"
    for _ in range(6):
        body = table(row(f"<w:tc>{body if body.startswith('<') else p(body)}</w:tc>"))
    assert texts(read(docx(body))) == ["deep"]
    draft = read(docx(body + p("after")), ReadLimits(nesting=4))
    assert texts(draft) == ["after"]
    assert draft.partial


def test_even_page_headers_when_the_settings_tell_them_apart() -> None:
    header = f"<w:hdr {NAMESPACES}>{p('even')}</w:hdr>"
    body = p("x") + '<w:sectPr><w:headerReference w:type="even" r:id="h"/></w:sectPr>'
    parts = {"h.xml": header, "settings.xml": settings("<w:evenAndOddHeaders/>")}
    assert texts(read(docx(body, parts=parts, relations=(("h", "header", "h.xml"),)))) == ["even", "x"]
