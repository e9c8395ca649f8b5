"""Invented reports of each kind, and one whose every text is hostile."""

from __future__ import annotations

from typing import Any

from evenhand.records.report import (
    Chart,
    Finding,
    MarkedText,
    Report,
    ReportParagraph,
    ReportSection,
    ReportTable,
    TextPair,
)

MADE = "2026-11-17T08:05:00+00:00"
RESUME = "{name}\nAccountant, Ledger & Sons, Marlow, 2016 - 2024\nMonthly closing, VAT returns, three audits.\n"


def swaps() -> Report:
    left, right = RESUME.format(name="Emily Walker"), RESUME.format(name="Lakisha Washington")
    return Report(
        kind="swaps",
        title="Do names, places or gaps move the ranking?",
        subject="Accountant, ranker best, 120 resumes",
        made=MADE,
        findings=(
            Finding("swap.gaps.best", "clear", "A gap in employment", "No change beyond harmless rewording."),
            Finding(
                "swap.names_origin.best",
                "concern",
                "Names move people down the list",
                "With a name more common among Black Americans a resume stands 3.1 places lower on average "
                "(95% interval 2.2 to 4.0). Harmless rewording moves it by 0.3 places.",
                "Use blind screening for this job until the ranker has been corrected, and look again at the 14 "
                "people who fell out of the first 20.",
                {"places": 3.1, "low": 2.2, "high": 4.0},
            ),
            Finding(
                "swap.schools.best",
                "watch",
                "Schools move the score a little",
                "The type of school moves the score by 0.4 of 100 (0.1 to 0.7).",
                "Run the audit again when 100 more people have applied.",
            ),
            Finding("swap.age.best", "unknown", "Age markers", "Only 6 resumes have one; 30 are needed."),
        ),
        sections=(
            ReportSection(
                "Names",
                (
                    ReportParagraph("Each resume was ranked again under 8 names of each group."),
                    ReportTable(
                        "Change by family",
                        ("Family", "Pairs", "Change of rank", "95% interval", "p (Holm)"),
                        (
                            ("Names, origin", "960", "-3.1", "-4.0 to -2.2", "< 0.001"),
                            ("Names, gender", "960", "-0.2", "-0.5 to 0.1", "0.61"),
                            ("Same group (placebo)", "960", "0.0", "-0.3 to 0.3", ""),
                        ),
                        numeric=frozenset({1, 2, 3, 4}),
                        note="Negative: further down the list.",
                    ),
                    Chart("Change of rank by family", bars(), "Names by origin -3.1, gender -0.2, placebo 0.0."),
                    TextPair(
                        "The pair that moved most",
                        MarkedText(left, ((0, 12),)),
                        MarkedText(right, ((0, 18),)),
                        "Rank 4 of 120, score 81.2",
                        "Rank 23 of 120, score 74.9",
                    ),
                ),
            ),
        ),
        method=("Every resume is ranked once as it is and once with one span exchanged.",),
        limits=("It does not tell why the ranker goes by names.", "It knows only the names that were tried."),
        facts=(("Seed", "0"), ("Ranker", "best 3"), ("Resumes", "120")),
        data={"pairs": 960, "change": -3.125},
    )


def outcomes() -> Report:
    return Report(
        kind="outcomes",
        title="How groups fared",
        subject="Registered nurse, decisions of 2026",
        made=MADE,
        findings=(
            Finding(
                "impact.sex.selection",
                "watch",
                "Fewer men were shortlisted",
                "12 of 60 men (20.0%) and 70 of 240 women (29.2%) were shortlisted: a ratio of 0.69.",
                "Read the reasons given for the 48 men who were rejected.",
            ),
        ),
        sections=(ReportSection("Selection", (wide_grid(), Chart("Selection rates", bars(), "Women 29%, men 20%."))),),
    )


def wide_grid() -> ReportTable:
    columns = ("Category", "Applicants", "Selected", "Rate", "Impact ratio", "95% interval", "Fisher p", "Reading")
    row = ("Female", "240", "70", "29.2%", "1.00", "", "", "the highest rate, to which others are compared")
    other = ("Male", "60", "12", "20.0%", "0.69", "0.39 to 1.16", "0.196", "under four fifths; may be chance")
    return ReportTable("Selection by sex", columns, (row, other) * 25, numeric=frozenset(range(1, 7)))


def empty() -> Report:
    return Report("model", "Nothing to say", "no model", "yesterday", (), ())


def hostile(text: str) -> Report:
    """The same text in every place that a stranger's words could reach."""
    finding = Finding(text, "concern", text, text, text, {text: text})
    chart = Chart(text, bars(text), text)
    grid = ReportTable(text, (text, text), ((text, text),), numeric=frozenset({1}), note=text)
    pair = TextPair(text, MarkedText(text, ((1, 3),)), MarkedText(text), text, text)
    section = ReportSection(text, (ReportParagraph(text), grid, chart, pair))
    return Report("swaps", text, text, text, (finding,), (section,), (text,), (text,), ((text, text),), {text: text})


def bars(label: str = "Names, origin") -> dict[str, Any]:
    rows = [
        {"family": label, "change": -3.1, "low": -4.0, "high": -2.2},
        {"family": "Names, gender", "change": -0.2, "low": -0.5, "high": 0.1},
        {"family": "Placebo", "change": 0.0, "low": -0.3, "high": 0.3},
    ]
    y = {"field": "family", "type": "nominal", "sort": None, "title": None}
    return {
        "width": 420,
        "height": {"step": 26},
        "title": label,
        "data": {"values": rows},
        "layer": [
            {"mark": "bar", "encoding": {"y": y, "x": {"field": "change", "type": "quantitative", "title": "places"}}},
            {
                "mark": "rule",
                "encoding": {"y": y, "x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}},
            },
        ],
    }
