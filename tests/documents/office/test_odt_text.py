"""The text of an ODT: order, blanks, lists, tables, frames, notes, changes, headers, pages, looks."""

# ruff: noqa: E501 - markup is easier to read in one piece

from __future__ import annotations

import pytest

from evenhand.documents.draft import ReadLimits
from evenhand.documents.office.odt.reader import read_fodt
from evenhand.errors import CorruptDocument
from evenhand.records.document import Table
from tests.documents.office.docx_files import joined, pack, texts
from tests.documents.office.odt_files import NAMESPACES, frame, named_styles, odt, p, read, span, style, text_style


def test_spans_do_not_part_words_and_blanks_collapse() -> None:
    body = p("  Da" + span("ta", "x") + "\n   Engineer ") + p("a" + span(" ", "x") + " b") + p("Berlin")
    assert texts(read(odt(body))) == ["Data Engineer", "a b", "Berlin"]


def test_spaces_tabs_and_line_breaks() -> None:
    body = p('a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d<text:s/>e')
    assert texts(read(odt(body))) == ["a   b\tc", "d e"]


def test_fields_and_links_show_their_text() -> None:
    body = p("<text:a>link</text:a> <text:page-number>3</text:page-number> <text:meta>m</text:meta>")
    body += p("<text:ruby><text:ruby-base>base</text:ruby-base><text:ruby-text>top</text:ruby-text></text:ruby>")
    assert texts(read(odt(body))) == ["link 3 m", "base"]


def test_comments_and_deleted_text_are_not_shown() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion>" + p("deleted")
        + "</text:deletion></text:changed-region></text:tracked-changes>"
        + p("<text:change text:change-id='c'/>kept<office:annotation>" + p("comment") + "</office:annotation> on"
            "<text:change-start/> added<text:change-end/>")
    )  # fmt: skip
    assert texts(read(odt(body))) == ["kept on added"]


def test_notes_come_last() -> None:
    note = f"<text:note><text:note-citation>1</text:note-citation><text:note-body>{p('the note')}</text:note-body></text:note>"
    assert texts(read(odt(p("word" + note + "s") + p("end")))) == ["words", "end", "the note"]


BULLETS = (
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" '
    'style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" '
    'text:display-levels="2"/><text:list-level-style-number text:level="3" style:num-format="I"/></text:list-style>'
    '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char="\uf0b7">'
    '<style:text-properties fo:font-family="Symbol"/></text:list-level-style-bullet>'
    '<text:list-level-style-bullet text:level="2" text:bullet-char="–"/>'
    '<text:list-level-style-image text:level="3"/></text:list-style>'
)


def listing(*items: str, attributes: str = 'text:style-name="L"') -> str:
    return f"<text:list {attributes}>{''.join(items)}</text:list>"


def item(*blocks: str, attributes: str = "") -> str:
    return (
        f"<text:list-item {attributes}>{''.join(p(b) if not b.startswith('<') else b for b in blocks)}</text:list-item>"
    )


def test_numbered_lists_by_level() -> None:
    inner = listing(item("b"), item("c", listing(item("d"), attributes="")), attributes="")
    body = listing(item("a", inner), item("e", "second paragraph"), item("f", attributes='text:start-value="9"'))
    assert texts(read(odt(body, BULLETS))) == [
        "1. a", "1.a) b", "1.b) c", "I d", "2. e", "second paragraph", "9. f",
    ]  # fmt: skip


def test_lists_start_again_unless_they_are_continued() -> None:
    on = 'text:style-name="L" text:continue-numbering="true"'
    linked = 'text:style-name="L" text:continue-list="first"'
    body = (
        listing(item("a"), attributes='text:style-name="L" xml:id="first"')
        + p("between")
        + listing(item("b"), attributes=on)
        + listing(item("c"))
        + listing(item("d"), attributes=linked)
    )
    assert texts(read(odt(body, BULLETS))) == ["1. a", "between", "2. b", "1. c", "3. d"]


def test_bullets_as_drawn_and_headers_without() -> None:
    deep = listing(item("z"), attributes="")
    body = listing(item("x", listing(item("y", deep), attributes="")), attributes='text:style-name="B"')
    body += f'<text:list text:style-name="B"><text:list-header>{p("head")}</text:list-header></text:list>'
    draft = read(odt(body, BULLETS))
    assert [(line.text, line.list) for line in draft.lines] == [
        ("• x", "•"),
        ("– y", "–"),
        ("• z", "•"),
        ("head", None),
    ]


def test_numbered_headings() -> None:
    outline = '<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/></text:outline-style>'
    body = '<text:h text:outline-level="1">Work</text:h>' + p("x") + '<text:h text:outline-level="1">Study</text:h>'
    draft = read(odt(body, styles=named_styles(outline)))
    assert joined(draft) == "1 Work\nx\n\n2 Study"


def cell(text: str, attributes: str = "") -> str:
    inner = text if text.startswith("<") else p(text) if text else ""
    return f"<table:table-cell {attributes}>{inner}</table:table-cell>"


def row(*cells: str, attributes: str = "") -> str:
    return f"<table:table-row {attributes}>{''.join(c if c.startswith('<table') else cell(c) for c in cells)}</table:table-row>"


def test_tables_with_spans_and_covered_cells() -> None:
    body = (
        "<table:table><table:table-column/><table:table-header-rows>" + row("Degree", "Year", "Place")
        + "</table:table-header-rows>"
        + row(cell("BSc", 'table:number-columns-spanned="2"'), "<table:covered-table-cell/>", "Ulm")
        + row(cell("MSc", 'table:number-rows-spanned="2"'), cell("", 'table:number-columns-repeated="1"'), "Bonn")
        + row("<table:covered-table-cell/>", "2012", "Köln") + "</table:table>"
    )  # fmt: skip
    draft = read(odt(p("before") + body + p("after")))
    assert joined(draft) == "before\n\nDegree\tYear\tPlace\nBSc\tUlm\nMSc\tBonn\n2012\tKöln\n\nafter"
    assert [line.table for line in draft.lines[1:-1]] == [
        (0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 0), (0, 1, 2), (0, 2, 0), (0, 2, 2), (0, 3, 1), (0, 3, 2),
    ]  # fmt: skip
    assert draft.tables == [Table(1, 4, 3, False)]


def test_ruled_and_nested_tables() -> None:
    ruled = style("C", "table-cell", '<style:table-cell-properties fo:border="0.5pt solid #000000"/>')
    inner = "<table:table>" + row(cell("a", 'table:style-name="C"'), "b") + row("c", "d") + "</table:table>"
    body = "<table:table>" + row(cell(p("left") + inner), "right") + "</table:table>"
    draft = read(odt(body, ruled))
    assert texts(draft) == ["left", "a", "b", "c", "d", "right"]
    assert draft.tables == [Table(1, 2, 2, True)]


def test_repeated_cells_are_bounded() -> None:
    body = "<table:table>" + row(cell("x", 'table:number-columns-repeated="99999999"'), "y") + "</table:table>"
    draft = read(odt(body), ReadLimits(table_cells=10))
    assert texts(draft) == ["x"] * 10
    assert draft.partial
    empty = row(cell("", 'table:number-columns-repeated="99999"'), attributes='table:number-rows-repeated="99999"')
    assert texts(read(odt(f"<table:table>{empty}</table:table>" + p("end")))) == ["end"]


def test_frames_shapes_and_groups_once() -> None:
    box = frame(f"<draw:text-box>{p('in a frame')}</draw:text-box><draw:image/><svg:title>title</svg:title>")
    replaced = frame(f"<draw:object/><draw:text-box>{p('replacement')}</draw:text-box>")
    shape = f"<draw:g><draw:custom-shape>{p('in a shape')}<draw:enhanced-geometry/></draw:custom-shape></draw:g>"
    draft = read(odt(p("text" + box) + p("more" + replaced) + p("end" + shape)))
    assert joined(draft) == "text\n\nin a frame\n\nmore\nend\n\nin a shape"


def test_frames_on_the_page_are_read_by_their_place() -> None:
    def placed(text: str, x: int, y: int, height: int) -> str:
        where = f'text:anchor-type="page" svg:x="{x}cm" svg:y="{y}cm" svg:width="5cm" svg:height="{height}cm"'
        return frame(f"<draw:text-box>{p(text)}</draw:text-box>", where)

    frames = placed("right", 10, 2, 9) + placed("left low", 1, 7, 4) + placed("left high", 1, 2, 4)
    assert texts(read(odt(frames + p("body")))) == ["left high", "left low", "right", "body"]


def test_sections_and_indexes() -> None:
    body = (
        f"<text:section>{p('in a section')}</text:section><text:table-of-content><text:table-of-content-source>"
        f"{p('template')}</text:table-of-content-source><text:index-body><text:index-title>{p('Contents')}"
        f"</text:index-title>{p('1 Work')}</text:index-body></text:table-of-content>"
    )
    assert texts(read(odt(body))) == ["in a section", "Contents", "1 Work"]


MASTERS = (
    '<style:master-page style:name="Standard"><style:header>{0}</style:header><style:footer>{1}</style:footer>'
    '<style:header-left style:display="false">{2}</style:header-left></style:master-page>'
    '<style:master-page style:name="First" style:next-style-name="Standard"><style:header>{3}</style:header>'
    '</style:master-page><style:master-page style:name="Unused"><style:header>{2}</style:header></style:master-page>'
).format(p("running head"), p("foot"), p("not shown"), p("first head"))


def test_headers_and_footers_once() -> None:
    draft = read(odt(p("text"), styles=named_styles(masters=MASTERS)))
    assert [(line.text, line.furniture) for line in draft.lines] == [
        ("running head", "header"),
        ("text", None),
        ("foot", "footer"),
    ]


def test_a_first_page_of_its_own() -> None:
    first = style("P1", "paragraph", attributes='style:master-page-name="First"')
    draft = read(odt(p("text", "P1"), first, styles=named_styles(masters=MASTERS)))
    assert texts(draft) == ["first head", "running head", "text", "foot"]
    assert draft.pages == 1


def test_pages() -> None:
    broken = style("B", "paragraph", '<style:paragraph-properties fo:break-before="page"/>')
    body = p("one") + "<text:soft-page-break/>" + p("two<text:soft-page-break/> words") + p("four", "B")
    draft = read(odt(body, broken))
    assert [line.page for line in draft.lines] == [1, 2, 4]
    assert draft.pages == 4


def test_looks_come_from_defaults_styles_and_spans() -> None:
    named = (
        '<style:default-style style:family="paragraph"><style:text-properties style:font-name="F" fo:font-size="11pt"/>'
        "</style:default-style>"
        + style("Base", "paragraph", '<style:text-properties fo:font-weight="bold" fo:color="#1f4e79"/>')
    )
    fonts = '<office:font-face-decls><style:font-face style:name="F" svg:font-family="\'Open Sans\'"/></office:font-face-decls>'
    automatic = style(
        "Big", "paragraph", '<style:text-properties fo:font-size="200%"/>', 'style:parent-style-name="Base"'
    ) + text_style("T", 'fo:font-weight="normal" fo:font-style="italic"')
    sheet = named_styles(named).replace("<office:styles>", fonts + "<office:styles>", 1)
    draft = read(odt(p("plain") + p("big", "Big") + p(span("slanted", "T"), "Big"), automatic, styles=sheet))
    assert [(x.font, x.size, x.bold, x.italic, x.color) for x in draft.lines] == [
        ("Open Sans", 11.0, False, False, "#000000"),
        ("Open Sans", 22.0, True, False, "#1f4e79"),
        ("Open Sans", 22.0, False, True, "#1f4e79"),
    ]


def test_joints() -> None:
    spaced = style("S", "paragraph", '<style:paragraph-properties fo:margin-top="0.5cm"/>')
    body = p("a") + p("b") + p("") + p("c") + p("d", "S") + '<text:h text:outline-level="1">H</text:h>' + p("e")
    assert joined(read(odt(body, spaced))) == "a\nb\n\nc\n\nd\n\nH\ne"


def test_a_flat_file() -> None:
    source = (
        f"<office:document {NAMESPACES}><office:automatic-styles>"
        + text_style("T", 'text:display="none"')
        + f"</office:automatic-styles><office:body><office:text>{p('flat ' + span('gone', 'T'))}"
        "</office:text></office:body></office:document>"
    )
    draft = read_fodt(source.encode(), ReadLimits())
    assert (draft.format, texts(draft)) == ("fodt", ["flat"])
    assert [(item.reason, item.text) for item in draft.hidden] == [("hidden_style", "gone")]


@pytest.mark.parametrize("parts", [{"a": "b"}, {"content.xml": "no"}, {"content.xml": f"<office:x {NAMESPACES}/>"}])
def test_without_text_the_file_is_corrupt(parts: dict[str, str]) -> None:
    with pytest.raises(CorruptDocument):
        read(pack(parts))


def test_broken_styles_make_the_draft_partial() -> None:
    draft = read(odt(p("text"), styles="broken"))
    assert texts(draft) == ["text"]
    assert draft.partial
    assert [warning.code for warning in draft.warnings] == ["damaged"]
