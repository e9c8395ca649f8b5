"""Reports written to files: a page, a PDF, and JSON for programs."""

from __future__ import annotations

import json as json_form
from pathlib import Path

from evenhand.audit.pages.page import page_html
from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand.records.report import Report
from evenhand.records.report_reading import report_from_json


def write_report(
    report: Report, *, html: Path | None = None, pdf: Path | None = None, json: Path | None = None
) -> None:
    """Those that are named; nothing else. A file that cannot be written is a usage error."""
    if html is not None:
        _write(html, html_bytes(report))
    if pdf is not None:
        _write(pdf, pdf_bytes(report))
    if json is not None:
        _write(json, json_bytes(report))


def html_bytes(report: Report) -> bytes:
    return page_html(report).encode("utf-8", "backslashreplace")


def pdf_bytes(report: Report) -> bytes:
    from evenhand.workflows.auditing.report_pdf import report_pdf  # noqa: PLC0415 - fonts, for those who print

    return report_pdf(report)


def json_bytes(report: Report) -> bytes:
    return (canonical_json(report.to_json()) + "\n").encode("utf-8", "backslashreplace")


def read_report(file: Path) -> Report:
    """A report that was written as JSON before."""
    try:
        return report_from_json(json_form.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{file} is not the JSON of an audit report.") from error


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from error
