"""The HTML report: one file that fetches nothing, shows what was ranked, and takes no markup from a resume."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from evenhand.cli.report.page import report_html
from evenhand.records.document import Failure
from evenhand.records.ranking import Flag, Part, Score, Snippet, Unread
from evenhand.search.matching import RankingWithFacts
from tests.cli.rankings import ANA, FACTS, JOB, RANKED, with_first

LOADING = {"src", "srcset", "data", "action", "formaction", "poster", "background", "xlink:href", "style"}
VOID = {"meta", "input", "br", "hr", "img", "link"}
WICKED = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "<!--",
    "]]>",
    "{{ 7 * 7 }}{% raw %}",
    "javascript:alert(1)",
    '" onmouseover="alert(1)" x="',
    "&lt;script&gt;",
    "<base href=//evil.example>",
    "\x00<script\x00>",
    "<\u200bscript>",
    "Ana\n</article></main><script>",
]


class Page(HTMLParser):
    """Elements, attributes and text, as a browser takes them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.open: list[str] = []
        self.words: dict[str, list[str]] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):  # type: ignore[union-attr]
            self.open.append(tag)
            self.words.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open and tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.words[tag][-1] += data


HTML = report_html(RANKED, shown=9)
PLAIN = Page(HTML)


def test_it_shows_what_was_understood_and_ranked() -> None:
    text = " ".join(PLAIN.words["body"][0].split())
    for shown in (
        "3 resumes ranked, 1 file could not be read · ranker tfidf · “present” is 2026-10",
        "java or kotlin 3 years or more",
        "bachelor's degree or higher in computer science",
        "Backend Developer at Fennick Tools",
        "✓ java 4 years, 3 years required",
        "↓ kotlin 2 years, 3 years required",
        "✗ sql missing",
        "✗ java or kotlin missing, 3 years required",
        "– docker nice not mentioned",
        "! Nearly the same text as cara.txt (0.91). duplicate",
        "words in common java, sql 3.000",
        "inbox/locked.pdf The file is protected by a password. encrypted_document",
    ):
        assert shown in text
    assert PLAIN.words["title"][0] == "Ranking: Java Developer"


def test_marks_come_from_offsets() -> None:
    assert PLAIN.words["mark"] == ["Java", "Kotlin", "SQL", "Docker", "Java", "SQL"]
    assert PLAIN.words["blockquote"] == ["Four years of Java and SQL."]
    assert JOB.text in PLAIN.words["p"]


def test_bars_are_as_long_as_the_parts() -> None:
    """4 = 3 + 1 is the best, 2 = 1.5 + 0.5 half of it; 48, 24 and 6 months lie on a scale of 48, 36 are asked."""
    rects = re.findall(r'<rect class="part part(\d)" x="([^"]+)" width="([^"]+)"', HTML)
    first = [("0", "0.00%", "75.00%"), ("1", "75.00%", "25.00%")]
    second = [("0", "0.00%", "37.50%"), ("1", "37.50%", "12.50%")]
    assert rects == first + second
    assert re.findall(r'<rect class="part0" width="([^"]+)"', HTML) == ["100.0%", "50.0%", "0.0%"]  # overview
    assert re.findall(r'class="have" width="([^"]+)"', HTML) == ["100.0%", "50.0%", "12.5%"]
    assert set(re.findall(r'class="asked" x1="([^"]+)"', HTML)) == {"75.0%"}


def test_nothing_is_fetched_and_only_its_own_style_and_script_run() -> None:
    assert not [found for found in PLAIN.attributes if found[1] in LOADING or found[1].startswith("on")]
    assert not {"link", "img", "iframe", "object", "embed", "base"} & set(PLAIN.tags)
    hrefs = {value for _, name, value in PLAIN.attributes if name == "href"}
    assert hrefs == {"#candidate-1", "#candidate-2", "#candidate-3"}
    style, script = (own_hash(PLAIN.words[tag][0]) for tag in ("style", "script"))
    policy = next(value for tag, name, value in PLAIN.attributes if tag == "meta" and value and "-src" in value)
    assert policy == (
        f"default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"
    )
    assert "url(" not in PLAIN.words["style"][0]
    assert "@import" not in PLAIN.words["style"][0]


def own_hash(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()


def wicked(payload: str) -> RankingWithFacts:
    """The ranking with the payload wherever a stranger's words can get."""
    result = replace(
        ANA,
        candidate=payload,
        file=payload,
        score=Score((Part(payload, 3.0, payload), Part("must-haves", 1.0))),
        matched=(replace(ANA.matched[0], skill="java"),),
        flags=(Flag("no_hire", payload),),
        snippets=(Snippet(payload, ((0, 3),), 0),),
    )
    facts = replace(FACTS[0], title=payload, employer=payload, city=payload, degree=payload)
    ranked = with_first(result, facts)
    job = replace(JOB, title=payload, text="x" * 80 + payload, city=payload, fields=(payload,))
    errors = (Unread(payload, Failure("corrupt_document", payload)),)
    return replace(ranked, ranking=replace(ranked.ranking, job=job, errors=errors))


@pytest.mark.parametrize("payload", WICKED, ids=ascii)
def test_no_markup_comes_from_a_resume(payload: str) -> None:
    page = Page(report_html(wicked(payload), shown=9))
    harmless = Page(report_html(wicked("harmless"), shown=9))
    assert page.tags == harmless.tags
    assert [name for _, name, _ in page.attributes] == [name for _, name, _ in harmless.attributes]
    assert page.words["script"] == harmless.words["script"]
    assert page.words["blockquote"][0] == payload


def test_the_same_ranking_gives_the_same_bytes() -> None:
    assert report_html(RANKED, shown=9) == HTML


def test_points_of_a_hundred() -> None:
    best = replace(RANKED, ranking=replace(RANKED.ranking, ranker="best"))
    html = report_html(replace(best, facts=(replace(FACTS[0], musts_undated=1), *FACTS[1:])), shown=9)
    assert "<b>4.0</b><span>of 100</span>" in html
    assert "2 of 2 <small>1 more with unknown duration</small>" in html
    assert "the 100 points of a perfect fit" in html


def test_candidates_beyond_those_shown_are_counted() -> None:
    page = Page(report_html(RANKED, shown=1))
    assert page.tags.count("article") == 1
    assert "2 more are ranked below these and not in this file." in page.words["body"][0]


def test_many_parts_are_gathered() -> None:
    """Ten parts: seven with a colour of their own, three together."""
    parts = tuple(Part(f"word {at}", float(10 - at)) for at in range(10))
    text = report_html(with_first(replace(ANA, score=Score(parts))), shown=9)
    assert "3 further parts: 6.00" in text
    assert "<title>3 other parts 6.00</title>" in text


def test_scores_that_are_logs_have_one_bar() -> None:
    results = tuple(
        replace(result, score=Score((Part("words", value),)))
        for result, value in zip(RANKED.ranking.results, (-1.0, -2.0, -3.0), strict=True)
    )
    ranking = replace(RANKED.ranking, results=results, ranker="kl")
    text = report_html(replace(RANKED, ranking=ranking), shown=9)
    bars = re.findall(r'<rect class="part part(\d)" width="([^"]+)" height="100%"/>', text)
    assert bars == [("0", "100.0%"), ("0", "50.0%"), ("0", "0.0%")]
