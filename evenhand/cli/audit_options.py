"""What every `evenhand audit` command has in common: where its report goes, and when it ends with a failure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from evenhand.records.report import Report

FAILED = 3  # a finding is as bad as --fail-on; 1 and 2 are faults and wrong usage
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON, and nothing else.")]
Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write the report as a page that needs no network."),
]
Pdf = Annotated[Path | None, typer.Option("--pdf", metavar="FILE", help="Write the report as a PDF.")]
FailOn = Annotated[
    Literal["concern", "watch"] | None,
    typer.Option(
        "--fail-on",
        help="End with exit code 3 when a finding is a concern; with watch, also when one is to be watched.",
    ),
]


def finish(
    report: Report,
    *,
    json: bool = False,
    html: Path | None = None,
    pdf: Path | None = None,
    fail_on: Literal["concern", "watch"] | None = None,
) -> None:
    """Print it, write what was asked for, and end with 3 when a finding is as bad as that."""
    from evenhand.cli.terminal import put, tell
    from evenhand.workflows.auditing.writing import json_bytes, write_report

    write_report(report, html=html, pdf=pdf)
    if json:
        put(json_bytes(report).decode("utf-8"))
    else:
        from evenhand.cli.report_card import show_report

        show_report(report)
    for file in (html, pdf):
        if file is not None:
            tell(f"The report is in {file}.")
    if is_failed(report, fail_on):
        raise typer.Exit(FAILED)


def is_failed(report: Report, fail_on: Literal["concern", "watch"] | None) -> bool:
    bad = {"concern": ("concern",), "watch": ("concern", "watch")}.get(fail_on or "", ())
    return any(finding.severity in bad for finding in report.findings)
