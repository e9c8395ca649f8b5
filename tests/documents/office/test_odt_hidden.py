"""Text of an ODT that a person does not see, each kind with its reason; and text that only looks suspicious."""

# ruff: noqa: E501 - markup is easier to read in one piece

from __future__ import annotations

import pytest

from tests.documents.office.docx_files import hidden, texts
from tests.documents.office.odt_files import frame, named_styles, odt, p, read, span, style, text_style

WHITE = text_style("W", 'fo:color="#ffffff"')


def fill(name: str, family: str, holder: str, color: str) -> str:
    return style(name, family, f'<style:{holder} fo:background-color="{color}"/>')


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ('text:display="none"', "hidden_style"),
        ('fo:color="#ffffff"', "background_color"),
        ('fo:color="#fdfdfa"', "background_color"),
        ('fo:color="#202020" fo:background-color="#1a1a1a"', "background_color"),
        ('fo:font-size="3pt"', "tiny"),
        ('fo:font-size="10%"', "tiny"),
        ('style:text-scale="1%"', "tiny"),
        ('fo:color="#000000" loext:opacity="0%"', "transparent"),
        ('fo:letter-spacing="-1cm"', "clipped"),
    ],
)
def test_spans_that_cannot_be_seen(properties: str, reason: str) -> None:
    draft = read(odt(p("open " + span("secret words", "H") + " end"), text_style("H", properties)))
    assert texts(draft) == ["open  end"]
    assert hidden(draft) == [(reason, "secret words")]


@pytest.mark.parametrize(
    "properties",
    [
        'text:display="true"',
        'fo:color="#d0d0d0"',
        'fo:color="#ffffff" fo:background-color="#1f4e79"',
        'fo:font-size="4pt"',
        'style:use-window-font-color="true" loext:opacity="0%"',
        'fo:color="#ffffff" style:use-window-font-color="true"',
        'style:text-position="super 58%"',
    ],
)
def test_spans_that_can_be_seen(properties: str) -> None:
    draft = read(odt(p(span("plain words", "H")), text_style("H", properties)))
    assert (texts(draft), hidden(draft)) == (["plain words"], [])


def test_hidden_fields_paragraphs_and_sections() -> None:
    body = (
        p('a<text:hidden-text text:is-hidden="true" text:string-value="never"/>')
        + p('<text:hidden-paragraph text:is-hidden="true"/>whole paragraph')
        + p('<text:hidden-paragraph text:is-hidden="false"/>shown paragraph')
        + f'<text:section text:display="none">{p("whole section")}</text:section>'
        + f'<text:section text:display="condition" text:is-hidden="true">{p("on condition")}</text:section>'
    )
    draft = read(odt(body))
    assert texts(draft) == ["a", "shown paragraph"]
    assert hidden(draft) == [
        ("hidden_style", "never"),
        ("hidden_style", "whole paragraph"),
        ("hidden_style", "whole section"),
        ("hidden_style", "on condition"),
    ]


def test_what_lies_behind_decides() -> None:
    styles = (
        WHITE
        + fill("P", "paragraph", "paragraph-properties", "#203040")
        + fill("C", "table-cell", "table-cell-properties", "#203040")
        + fill("S", "section", "section-properties", "#203040")
    )
    white = span("white", "W")
    body = (
        p(white + " on a dark paragraph", "P")
        + f'<table:table><table:table-row><table:table-cell table:style-name="C">{p(white + " in a dark cell")}'
        f"</table:table-cell><table:table-cell>{p(span('lost', 'W'))}</table:table-cell></table:table-row></table:table>"
        + f'<text:section text:style-name="S">{p(white + " in a dark section")}</text:section>'
    )
    draft = read(odt(body, styles))
    assert texts(draft) == ["white on a dark paragraph", "white in a dark cell", "white in a dark section"]
    assert hidden(draft) == [("background_color", "lost")]


def test_page_colour() -> None:
    layout = '<style:page-layout style:name="L"><style:page-layout-properties fo:background-color="#000000"/></style:page-layout>'
    master = '<style:master-page style:name="Standard" style:page-layout-name="L"/>'
    sheet = named_styles(automatic=layout, masters=master)
    black = text_style("K", 'fo:color="#000000"')
    draft = read(odt(p(span("white", "W") + span("black", "K")), WHITE + black, styles=sheet))
    assert (texts(draft), hidden(draft)) == (["white"], [("background_color", "black")])


def test_frames_off_the_page_or_without_height() -> None:
    def placed(text: str, where: str) -> str:
        return p(frame(f"<draw:text-box>{p(text)}</draw:text-box>", f'text:anchor-type="paragraph" {where}'))

    body = (
        placed("away", 'svg:x="-50cm" svg:y="0cm" svg:width="5cm" svg:height="2cm"')
        + placed("flat", 'svg:x="0cm" svg:y="0cm" svg:width="5cm" svg:height="0cm"')
        + placed("seen", 'svg:x="1cm" svg:y="3cm" svg:width="5cm" svg:height="2cm"')
    )
    draft = read(odt(body))
    assert texts(draft) == ["seen"]
    assert sorted(hidden(draft)) == [("clipped", "flat"), ("off_page", "away")]


def graphic(name: str, properties: str) -> str:
    return style(name, "graphic", f"<style:graphic-properties {properties}/>")


def test_the_fill_of_a_frame_decides() -> None:
    styles = WHITE + graphic("D", 'draw:fill="solid" draw:fill-color="#102030"') + graphic("N", 'draw:fill="none"')
    dark = frame(f"<draw:text-box>{p(span('on dark', 'W'))}</draw:text-box>", style_name="D")
    clear = frame(f"<draw:text-box>{p(span('on paper', 'W'))}</draw:text-box>", style_name="N")
    draft = read(odt(p(dark) + p("text" + clear), styles))
    assert (texts(draft), hidden(draft)) == (["on dark", "text"], [("background_color", "on paper")])


def test_white_text_over_a_dark_shape_is_seen() -> None:
    styles = WHITE + graphic("D", 'draw:fill="solid" draw:fill-color="#102030" style:run-through="background"')
    band = '<draw:rect draw:style-name="D" svg:width="21cm" svg:height="5cm"/>'
    draft = read(odt(p(band + span("Ann Example", "W")), styles))
    assert (texts(draft), hidden(draft)) == (["Ann Example"], [])


def test_text_under_an_opaque_shape() -> None:
    front = 'style:wrap="run-through" style:run-through="foreground"'
    styles = graphic("F", f'draw:fill="solid" draw:fill-color="#ffffff" {front}')
    cover = '<draw:rect draw:style-name="F" svg:x="0cm" svg:y="0cm" svg:width="18cm" svg:height="1cm"/>'
    draft = read(odt(p("nobody sees this" + cover) + p("") + p("") + p("far below"), styles))
    assert (texts(draft), hidden(draft)) == (["far below"], [("covered", "nobody sees this")])


def test_rows_and_lines_without_room() -> None:
    styles = (
        style("R", "table-row", '<style:table-row-properties style:row-height="0.01cm"/>')
        + style("L", "paragraph", '<style:paragraph-properties fo:line-height="0.01cm"/>')
        + style("M", "paragraph", '<style:paragraph-properties fo:margin-left="500cm"/>')
    )
    rows = (
        f'<table:table-row table:style-name="R"><table:table-cell>{p("flat row")}</table:table-cell></table:table-row>'
        f'<table:table-row table:visibility="collapse"><table:table-cell>{p("shut row")}</table:table-cell></table:table-row>'
    )
    draft = read(odt(f"<table:table>{rows}</table:table>" + p("flat line", "L") + p("far right", "M"), styles))
    assert texts(draft) == []
    assert hidden(draft) == [
        ("clipped", "flat row"),
        ("hidden_style", "shut row"),
        ("clipped", "flat line"),
        ("off_page", "far right"),
    ]


def test_bookmarks_that_hide_their_text() -> None:
    marks = '<text:bookmark-start text:name="B" loext:hidden="{}"/>{}<text:bookmark-end text:name="B"/>'
    body = p("open " + marks.format("true", "secret")) + p("open " + marks.format("false", "words"))
    draft = read(odt(body))
    assert texts(draft) == ["open", "open words"]
    assert hidden(draft) == [("hidden_style", "secret")]


@pytest.mark.parametrize(("place", "apart"), [("-60cm -40cm", ["secret"]), ("2cm 3cm", [])])
def test_drawings_placed_by_a_translation(place: str, apart: list[str]) -> None:
    size = f'svg:width="8cm" svg:height="2cm" draw:transform="rotate (0.1) translate ({place})"'
    draft = read(odt(p(f'<draw:rect text:anchor-type="paragraph" {size}><text:p>secret</text:p></draw:rect>')))
    assert [text for _, text in hidden(draft)] == apart
