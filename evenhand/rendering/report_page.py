"""A report as one HTML file: nothing is fetched, nothing runs, nothing of a resume is markup."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from markupsafe import Markup

from evenhand.records.report import WORST_FIRST, Chart, Finding, MarkedText, Report, Severity
from evenhand.rendering.charts import chart_svg
from evenhand.rendering.html import render, resource, source_hash
from evenhand.version import __version__

# How a report is put to people: which finding first, in which words, and how much of a long text is shown.

WORDS: dict[Severity, str] = {
    "concern": "Act on this",
    "watch": "Monitor",
    "unknown": "Inconclusive",
    "clear": "Nothing found",
}
SYMBOLS: dict[Severity, str] = {"concern": "▲", "watch": "●", "unknown": "?", "clear": "✓"}
KINDS = {
    "audit": "Bias audit",
    "swaps": "Bias audit: does a change of words move the result",
    "outcomes": "Bias audit: do groups fare differently",
    "model": "Bias audit: the model",
    "debias": "Concepts removed from a model",
    "summary": "Evenhand",  # figures that speak for themselves
}
CALM = ("unknown", "clear")
MIN_LISTED_FINDINGS = 3  # findings that are worth a list
MAX_TEXT_LENGTH = 1_400  # characters of a text that are shown whole
AROUND = 220  # characters on either side of what is marked
GAP = " […] "


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """The worst first; of equals as they were given."""
    return sorted(findings, key=lambda finding: WORST_FIRST.index(finding.severity))


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings that are told together: one, or several of which nobody has to act on any."""

    severity: Severity
    findings: tuple[Finding, ...]
    action: str | None


def group_findings(findings: Iterable[Finding]) -> list[FindingGroup]:
    """So that what is to be done is not lost among what is not: those below it share a place if they are many."""
    groups: list[FindingGroup] = []
    for finding in in_order(findings):
        last = groups[-1] if groups else None
        if last and finding.severity in CALM and (last.severity, last.action) == (finding.severity, finding.action):
            groups[-1] = FindingGroup(last.severity, (*last.findings, finding), last.action)
        else:
            groups.append(FindingGroup(finding.severity, (finding,), finding.action))
    listed: list[FindingGroup] = []
    for group in groups:
        if len(group.findings) < MIN_LISTED_FINDINGS:
            listed += [FindingGroup(group.severity, (finding,), group.action) for finding in group.findings]
        else:
            listed.append(group)
    return listed


def kicker(report: Report) -> str:
    return KINDS.get(report.kind, KINDS["audit"])


def verdict(report: Report) -> str:
    """One sentence over all findings; none over what does not judge."""
    if report.kind == "summary":
        return ""
    counts = {severity: sum(finding.severity == severity for finding in report.findings) for severity in WORST_FIRST}
    counted = [words.format(_number(counts[severity])) for severity, words in _COUNTED.items() if counts[severity]]
    if not counted:
        return "This audit came to no finding, which does not mean that nothing is there."
    return f"Findings: {_joined(counted)}."


_COUNTED: dict[Severity, str] = {
    "concern": "{} to act on",
    "watch": "{} to keep watching",
    "unknown": "{} inconclusive",
    "clear": "{} with no effect found",
}
_SMALL = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _number(count: int) -> str:
    return _SMALL[count] if count < len(_SMALL) else f"{count:,}"


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def day(made: str) -> str:
    """ "17 November 2026, 08:05 UTC"; what is no time is left as it stands."""
    try:
        time = datetime.fromisoformat(made)
    except ValueError:
        return made
    if time.tzinfo is not None:
        time = time.astimezone(UTC)
    return f"{time.day} {time:%B %Y, %H:%M} UTC"


def pieces(stretch: MarkedText) -> list[tuple[str, bool]]:
    """The text in pieces that are marked or not. Of a long text only what is near a mark."""
    return [piece for piece in _pieces(stretch) if piece[0]]


def _pieces(stretch: MarkedText) -> Iterator[tuple[str, bool]]:
    text, marks = stretch.text, merged(stretch.marks, len(stretch.text))
    stretches = windows(marks, len(text))
    for number, (start, end) in enumerate(stretches):
        if number or start:
            yield GAP, False
        at = start
        for first, last in marks:
            if first < start or last > end:
                continue
            yield text[at:first], False
            yield text[first:last], True
            at = last
        yield text[at:end], False
    if stretches[-1][1] < len(text):
        yield GAP, False


def merged(marks: Iterable[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """In order, inside the text, and none over another."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted((max(start, 0), min(end, length)) for start, end in marks):
        if start >= end:
            continue
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def windows(marks: list[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Which parts of a text are shown: all of a short one, else what is around the marks."""
    if length <= MAX_TEXT_LENGTH:
        return [(0, length)]
    if not marks:
        return [(0, MAX_TEXT_LENGTH)]
    stretches: list[tuple[int, int]] = []
    for start, end in marks:
        first, last = max(start - AROUND, 0), min(end + AROUND, length)
        if stretches and first <= stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], last)
        else:
            stretches.append((first, last))
    return stretches


ChartAddress = Callable[[Chart, int], str]
"""Where the picture of a chart is to be had; the number counts all charts of the report from nought."""

NOTHING_ELSE = "base-uri 'none'; form-action 'none'"


def page_html(report: Report) -> str:
    """The whole page. The same report gives the same bytes."""
    style = resource(__package__, "page.css") + resource(__package__, "report.css")
    return render(
        __package__,
        "page.html",
        report=report,
        body=report_body(report, inside),
        kicker=kicker(report),
        # Only the style, two files of ours, is let through as it is.
        style=Markup(style),  # noqa: S704
        policy=f"default-src 'none'; style-src '{source_hash(style)}'; img-src data:; {NOTHING_ELSE}",
        version=__version__,
    )


def report_body(report: Report, chart_address: ChartAddress) -> Markup:
    """Findings, sections, method, limits and facts, for a page of whatever kind. Styled by report.css."""
    numbers = {id(chart): number for number, chart in enumerate(charts_of(report))}
    rendered = render(
        __package__,
        "body.html",
        report=report,
        told=group_findings(report.findings),
        number_of=lambda chart: numbers[id(chart)],
        chart_address=chart_address,
        verdict=verdict(report),
        kicker=kicker(report),
        made=day(report.made),
        pieces=pieces,
        words=WORDS,
        symbols=SYMBOLS,
    )
    return Markup(rendered)  # noqa: S704 - the template escapes


def charts_of(report: Report) -> list[Chart]:
    return [block for section in report.sections for block in section.blocks if isinstance(block, Chart)]


def inside(chart: Chart, _number: int) -> str:
    """The picture itself as an address. As an image it can neither run nor fetch anything, whatever it holds."""
    return "data:image/svg+xml;base64," + b64encode(chart_svg(chart).encode("utf-8")).decode("ascii")
