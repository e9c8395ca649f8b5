"""A report as one HTML file: nothing is fetched, nothing runs, nothing of a resume is markup."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from evenhand.audit.pages.charts import chart_svg
from evenhand.audit.pages.wording import SYMBOLS, WORDS, day, kicker, pieces, told_together, verdict
from evenhand.records.report import Chart, Report
from evenhand.version import __version__

ChartAddress = Callable[[Chart, int], str]
"""Where the picture of a chart is to be had; the number counts all charts of the report from nought."""

NOTHING_ELSE = "base-uri 'none'; form-action 'none'"


def page_html(report: Report) -> str:
    """The whole page. The same report gives the same bytes."""
    style = resource("page.css") + resource("report.css")
    return (
        _environment()
        .get_template("page.html")
        .render(
            report=report,
            body=report_body(report, inside),
            kicker=kicker(report),
            # Only the style, two files of ours, is let through as it is.
            style=Markup(style),  # noqa: S704
            policy=f"default-src 'none'; style-src '{_hash(style)}'; img-src data:; {NOTHING_ELSE}",
            version=__version__,
        )
    )


def report_body(report: Report, chart_address: ChartAddress) -> Markup:
    """Findings, sections, method, limits and facts, for a page of whatever kind. Styled by report.css."""
    numbers = {id(chart): number for number, chart in enumerate(charts_of(report))}
    rendered = (
        _environment()
        .get_template("body.html")
        .render(
            report=report,
            told=told_together(report.findings),
            number_of=lambda chart: numbers[id(chart)],
            chart_address=chart_address,
            verdict=verdict(report),
            kicker=kicker(report),
            made=day(report.made),
            pieces=pieces,
            words=WORDS,
            symbols=SYMBOLS,
        )
    )
    return Markup(rendered)  # noqa: S704 - the template escapes


def charts_of(report: Report) -> list[Chart]:
    return [block for section in report.sections for block in section.blocks if isinstance(block, Chart)]


def inside(chart: Chart, _number: int) -> str:
    """The picture itself as an address. As an image it can neither run nor fetch anything, whatever it holds."""
    return "data:image/svg+xml;base64," + b64encode(chart_svg(chart).encode("utf-8")).decode("ascii")


@cache
def resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    return Environment(
        loader=FunctionLoader(resource),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _hash(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
