"""The page: the whole resume coloured, nothing of it markup, nothing fetched, nothing run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog

from evenhand.explain.attribution import find_spans
from evenhand.explain.pictures.page import level_of, page_html, stretches_of
from evenhand.records.explanation import Counterfactual, FactScore, WordScore
from tests.browser.visiting import open_browser
from tests.explain.pictures.made import make, show
from tests.web.payloads import MARK, SCRIPTS

TEXT = "Ada Brent\nBread and\nward"


def unread(text: str) -> list[tuple[str, bool]]:
    found = make("Bread and\nward", [2.0, 0.0, -0.5])
    moved = tuple(replace(word, start=word.start + 10, end=word.end + 10) for word in found.words)
    return [
        (piece.text, piece.is_unread)
        for line in stretches_of(replace(found, words=moved), text)
        for piece in line.pieces
    ]


def test_all_of_the_text_is_shown_and_what_was_not_read_is_marked() -> None:
    assert unread(TEXT) == [
        ("Ada Brent\n", True),
        ("Bread", False),
        (" ", False),
        ("and", False),
        ("\n", False),
        ("ward", False),
    ]


def test_colours_are_symmetric_around_nothing() -> None:
    assert [level_of(score, 4.0) for score in (4.0, -4.0, 1.0, -1.0, 0.0, 0.04)] == [8, 8, 4, 4, 0, 1]
    assert level_of(1.0, 0.0) == 0


def test_lines_that_decide_are_framed_whole() -> None:
    text = "bread and\nward\nmore"
    line = WordScore("bread and", 0, 9, 1.0)
    found = make(text, [1.0, 0.0, -1.0, 0.0], change=Counterfactual((line,), ("NURSE",)))
    stretches = stretches_of(found, text)
    assert "".join(piece.text for stretch in stretches for piece in stretch.pieces) == text
    framed = ["".join(piece.text for piece in each.pieces) for each in stretches if each.is_deciding]
    assert framed == ["bread and"]


class Tags(HTMLParser):
    """Opening and closing tags fit, and which attributes there are."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attributes]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def hostile_page() -> str:
    """Every payload in the text, as a file name, a label, a model, a warning, a fact."""
    pages = []
    text = "\n".join(SCRIPTS[::2])
    scores = [(-1) ** at * 0.1 * (at % 7) for at in range(len(find_spans(text)))]
    for payload in SCRIPTS[::25]:
        found = make(
            text,
            scores,
            file=payload,
            target=payload,
            warnings=(payload,),
            layer=payload,
            facts=(FactScore(payload, 1.0, 0.5),),
            change=Counterfactual((WordScore(payload, 0, len(SCRIPTS[0]), 1.0),), (payload,)),
        )
        stamp = replace(found.model, name=payload, version=payload)
        pages.append(show(replace(found, model=stamp), text))
    return page_html(pages)


def test_payloads_stay_text() -> None:
    page = hostile_page()
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    names = {name for _, name, _ in tags.attributes}
    assert MARK not in names
    assert not [name for name in names if name.startswith("on")]
    assert names.isdisjoint({"src", "href", "action", "srcdoc", "style"})
    assert not re.search(r"<script|<img|<iframe", page, re.IGNORECASE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.mark.browser
def test_nothing_runs_and_nothing_is_fetched_even_without_the_policy(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "why.html"
    file.write_text(hostile_page(), encoding="utf-8")
    with browser.new_context(bypass_csp=True) as context:
        page = context.new_page()
        alarms: list[str] = []

        def dismiss(dialog: Dialog) -> None:
            alarms.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", dismiss)
        page.on("request", lambda request: alarms.append(request.url))
        page.on("pageerror", lambda error: alarms.append(str(error)))
        page.goto(file.as_uri())
        page.mouse.move(300, 300)
        page.keyboard.press("Tab")
        assert alarms == [file.as_uri()]
        assert page.evaluate("window.hit") is None
        assert page.locator(f"[{MARK}]").count() == 0
        assert page.locator("script").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_reads_without_barriers_in_both_schemes(browser: Browser, tmp_path: Path, scheme: str) -> None:
    text = "bread and soup\nward\nmore"
    change = Counterfactual((WordScore("bread and soup", 0, 14, 1.0),), ("NURSE",))
    found = make(text, [1.0, 0.0, 0.3, -1.0, 0.0], change=change)
    file = tmp_path / "why.html"
    file.write_text(page_html([show(found, text)]), encoding="utf-8")
    with browser.new_context(color_scheme=scheme, viewport={"width": 400, "height": 800}) as context:  # type: ignore[arg-type]
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda said: complaints.append(said.text))
        page.goto(file.as_uri())
        assert complaints == []  # the policy allows all that the page needs
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        colour = page.locator(".resume .for").first.evaluate("each => getComputedStyle(each).backgroundColor")
        assert colour.startswith("rgba(0, 114, 178" if scheme == "light" else "rgba(70, 160, 230")
        assert page.locator("h1").inner_text() == "Why the model says COOK"
    with browser.new_context(color_scheme=scheme, bypass_csp=True) as context:  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(file.as_uri())
        found_barriers = Axe().run(page)
        assert found_barriers.violations_count == 0, found_barriers.generate_report()


def test_what_did_not_converge_is_grey_and_says_so() -> None:
    found = make("bread", [1.0], delta=0.7, converged=False)
    page = page_html([show(found, "bread")])
    assert '<article class="grey">' in page
    assert "Not converged." in page
    by_occlusion = page_html([show(replace(found, method="occlusion"), "bread")])
    assert '<article class="grey">' not in by_occlusion
    assert "These scores do not add up." in by_occlusion


def test_the_same_explanation_gives_the_same_bytes() -> None:
    found = make("bread", [1.0])
    assert page_html([show(found, "bread")]) == page_html([show(found, "bread")])
