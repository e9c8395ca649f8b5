"""Reports as pages: findings first, nothing of a stranger's text is markup, charts fetch nothing."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

import pytest
from selectolax.lexbor import LexborHTMLParser

from evenhand.records.report import Finding, MarkedText, Report, Severity
from evenhand.rendering.charts import chart_svg
from evenhand.rendering.report_page import (
    AROUND,
    GAP,
    charts_of,
    day,
    group_findings,
    in_order,
    page_html,
    pieces,
    report_body,
    verdict,
)
from tests.rendering.reports import empty, hostile, outcomes, swaps
from tests.web.payloads import MARK, SCRIPTS


def with_findings(*severities: Severity) -> Report:
    findings = tuple(Finding(f"f{at}", each, "", "") for at, each in enumerate(severities))
    return Report("swaps", "", "", "", findings, ())


def test_the_worst_finding_comes_first() -> None:
    codes = [finding.code for finding in in_order(swaps().findings)]
    assert codes == ["swap.names_origin.best", "swap.schools.best", "swap.age.best", "swap.gaps.best"]


def test_many_that_nobody_has_to_act_on_share_a_place() -> None:
    told = group_findings(with_findings("clear", "concern", "clear", "unknown", "unknown", "concern", "clear").findings)
    codes = [[finding.code for finding in each.findings] for each in told]
    assert codes == [["f1"], ["f5"], ["f3"], ["f4"], ["f0", "f2", "f6"]]


@pytest.mark.parametrize(
    ("severities", "said"),
    [
        ((), "This audit came to no finding, which does not mean that nothing is there."),
        (("clear",), "Findings: one with no effect found."),
        (("concern", "clear", "concern"), "Findings: two to act on, and one with no effect found."),
        (("unknown",) * 12 + ("watch",), "Findings: one to keep watching, and 12 inconclusive."),
    ],
)
def test_one_sentence_over_all_findings(severities: tuple[Severity, ...], said: str) -> None:
    assert verdict(with_findings(*severities)) == said


def test_days_are_told_in_utc() -> None:
    assert day("2026-11-17T01:30:00+02:00") == "16 November 2026, 23:30 UTC"
    assert day("yesterday") == "yesterday"


def test_a_page_has_findings_then_sections_then_method() -> None:
    tree = LexborHTMLParser(page_html(swaps()))
    headings = [node.text() for node in tree.css("h1, h2")]
    assert headings == [
        "Do names, places or gaps move the ranking?",
        "Names move people down the list",
        "Schools move the score a little",
        "Age markers",
        "A gap in employment",
        "Names",
        "How it was measured",
        "What this cannot tell",
        "For the record",
    ]
    assert [node.text() for node in tree.css("mark")] == ["Emily Walker", "Lakisha Washington"]
    assert len(tree.css("td.number")) == 12
    assert not tree.css("script, link, iframe")


def test_the_same_report_gives_the_same_bytes() -> None:
    assert page_html(outcomes()) == page_html(outcomes())
    assert "no finding" in page_html(empty())


@pytest.mark.parametrize("payload", SCRIPTS[::4])
def test_no_text_becomes_markup(payload: str) -> None:
    body = str(report_body(hostile(payload), lambda chart, number: f"/charts/{number}"))
    nodes = LexborHTMLParser(body).css("*")
    assert not [node.html for node in nodes if MARK in node.attributes or node.tag in ("script", "iframe")]
    assert not [name for node in nodes for name in node.attributes if name.startswith("on") or name == "style"]


def test_a_picture_holds_hostile_names_as_text_only() -> None:
    """Parsed as XML, as a browser does with a picture; NUL is no XML and becomes a sign of its own."""
    label = "</text><script evh>alert(1)</script>\x00\u2028"
    svg = Xml.fromstring(chart_svg(charts_of(hostile(label))[0]))
    tags = {element.tag.rpartition("}")[2] for element in svg.iter()}
    assert "script" not in tags
    assert "foreignObject" not in tags
    texts = [element.text or "" for element in svg.iter() if element.tag.endswith("text")]
    assert any("<script evh>" in text and "\ufffd" in text for text in texts)
    assert not [name for element in svg.iter() for name in element.attrib if "href" in name or name[:2] == "on"]


def test_of_a_long_text_what_is_marked_is_shown() -> None:
    text = "a" * 2_000 + "NAME" + "b" * 2_000
    shown = pieces(MarkedText(text, ((2_000, 2_004),)))
    assert shown == [(GAP, False), ("a" * AROUND, False), ("NAME", True), ("b" * AROUND, False), (GAP, False)]


def test_marks_may_overlap_and_lie_outside() -> None:
    assert pieces(MarkedText("abcdef", ((3, 99), (1, 2), (1, 4), (-5, 0)))) == [("a", False), ("bcdef", True)]
    assert pieces(MarkedText("", ((0, 3),))) == []
