"""HTML text that a browser does not show is set apart with its reason."""

from __future__ import annotations

import pytest

from evenhand.documents.draft import ReadLimits
from evenhand.documents.html.reader import read_html


def hidden(markup: str) -> tuple[list[str], list[tuple[str, str]]]:
    draft = read_html(f"<p>shown</p>{markup}".encode(), ReadLimits())
    return [line.text for line in draft.lines], [(item.text, item.reason) for item in draft.hidden]


def styled(style: str) -> str:
    return f'<div style="{style}">secret</div>'


@pytest.mark.parametrize(
    ("style", "reason"),
    [
        ("display:none", "hidden_style"),
        ("d\\69splay:/**/none", "hidden_style"),
        ("visibility:hidden", "hidden_style"),
        ("content-visibility:hidden", "hidden_style"),
        ("opacity:0", "transparent"),
        ("opacity:0.05", "transparent"),
        ("filter:opacity(0)", "transparent"),
        ("color:transparent", "transparent"),
        ("color:rgba(0,0,0,0)", "transparent"),
        ("color:white", "background_color"),
        ("color:#fdfdfd", "background_color"),
        ("background:#000;color:#000", "background_color"),
        ("color:hsl(0,0%,99%)", "background_color"),
        ("font-size:1px", "tiny"),
        ("font-size:0", "tiny"),
        ("font:2pt serif", "tiny"),
        ("font-size:0.1em", "tiny"),
        ("transform:scale(0)", "tiny"),
        ("zoom:0.01", "tiny"),
        ("position:absolute;left:-9999px", "off_page"),
        ("position:fixed;top:-100em", "off_page"),
        ("position:absolute;left:300vw", "off_page"),
        ("text-indent:-9999px", "off_page"),
        ("margin-left:-2000px", "off_page"),
        ("margin:0 0 0 -2000px", "off_page"),
        ("transform:translateX(-5000px)", "off_page"),
        ("height:0;overflow:hidden", "clipped"),
        ("max-height:0;overflow:hidden", "clipped"),
        ("width:1px;height:1px;overflow:hidden", "clipped"),
        ("position:absolute;clip:rect(0,0,0,0)", "clipped"),
        ("position:absolute;clip:rect(1px 1px 1px 1px)", "clipped"),
        ("clip-path:inset(100%)", "clipped"),
        ("clip-path:circle(0)", "clipped"),
    ],
)
def test_hidden_by_its_own_style(style: str, reason: str) -> None:
    assert hidden(styled(style)) == (["shown"], [("secret", reason)])


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<p hidden>secret", "hidden_style"),
        ("<dialog>secret</dialog>", "hidden_style"),
        ("<font color=white>secret</font>", "background_color"),
        ("<table><tr bgcolor=black><td><font color='#000000'>secret</font></table>", "background_color"),
        ("<style>.a .b{color:#fff}</style><div class=a><p>mo<p class=b>secret</div>", "background_color"),
        ("<style>#z{display:none!important}</style><p id=z style='display:block'>secret", "hidden_style"),
        ("<style>@media screen{p.q{display:none}}</style><p class=q>secret", "hidden_style"),
        ("<div style='background:#eee'><div style='position:absolute;z-index:-1'>secret</div></div>", "covered"),
        ("<div style='display:none'><p style='display:block'>secret</div>", "hidden_style"),
        ("<div style='background:navy;color:navy'><b>secret</b></div>", "background_color"),
    ],
)
def test_hidden_by_what_is_around_it(markup: str, reason: str) -> None:
    lines, found = hidden(markup)
    assert lines[0] == "shown"
    assert found == [("secret", reason)]


@pytest.mark.parametrize(
    "markup",
    [
        styled("background:#123;color:#fff"),
        "<div style='background-color:#000'><p style='color:white'>secret</p></div>",
        "<body style='background:black;color:white'><p>secret",
        "<body bgcolor=black text=white><p>secret",
        "<table><tr bgcolor='#003366'><td style='color:#fff'>secret</table>",
        "<div style='background:url(x.png)'><p style='color:white'>secret</p></div>",
        "<div style='background:linear-gradient(#000,#333);color:#fff'>secret</div>",
        styled("color:yellow"),
        styled("color:#bbb"),
        "<style>@media print{p{display:none}}</style><p>secret",
        "<style>p{color:white}</style><style>p{color:black}</style><p>secret",
        "<style>p{display:none} p.on{display:block}</style><p class=on>secret",
        "<p aria-hidden=true>secret",
        "<div style='visibility:hidden'><p style='visibility:visible'>secret</div>",
        "<div style='font-size:0'><p style='font-size:12px'>secret</div>",
        styled("position:absolute;left:-5px"),
        styled("height:0"),
        styled("background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent"),
        "<style>p:hover{display:none}</style><p>secret",
        "<style>@media (max-width:600px){p{display:none}}</style><p>secret",
    ],
)
def test_what_can_be_seen_is_seen(markup: str) -> None:
    draft = read_html(markup.encode(), ReadLimits())
    assert ([line.text for line in draft.lines], draft.hidden) == (["secret"], [])


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<style>html{font-size:2px} h1{font-size:20px}</style><p style='font-size:1rem'>secret", "tiny"),
        ("<details name=a open>seen</details><details name=a open>secret</details>", "hidden_style"),
    ],
)
def test_what_depends_on_the_rest_of_the_page(markup: str, reason: str) -> None:
    assert ("secret", reason) in [(item.text, item.reason) for item in read_html(markup.encode(), ReadLimits()).hidden]


def test_sizes_of_a_page_with_a_size_of_its_own_are_right() -> None:
    markup = "<style>html{font-size:62.5%} p{font-size:1.6rem;margin:calc(1rem + 2px)}</style><p>seen"
    draft = read_html(markup.encode(), ReadLimits())
    assert ([(line.text, line.size) for line in draft.lines], draft.hidden) == ([("seen", 12.0)], [])


def test_a_calculated_value_where_a_word_should_stand_is_not_understood() -> None:
    draft = read_html(b"<p>seen<p style='--x:1;content:calc(var(--x))'>secret", ReadLimits())
    assert [(item.text, item.reason) for item in draft.hidden] == [("secret", "unknown_style")]


def test_text_for_paper_is_neither_shown_nor_suspicious() -> None:
    markup = "<style>.p{display:none} @media print{.p{display:block}}</style><p class=p>latest version: online"
    assert hidden(markup) == (["shown"], [])


@pytest.mark.parametrize(("effect", "apart"), [("blur(60px)", [("secret", "covered")]), ("none", [])])
def test_text_behind_frosted_glass(effect: str, apart: list[tuple[str, str]]) -> None:
    glass = f"<div style='position:absolute;inset:0;backdrop-filter:{effect}'></div>"
    assert hidden(f"<div style='position:relative'><p>secret</p>{glass}</div>")[1] == apart
