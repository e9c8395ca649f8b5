"""A ranking as a CSV file that spreadsheets open right, and in which nothing a candidate wrote is ever a formula."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO

from evenhand.cli.ranking_table import missing_names
from evenhand.cli.terminal import printable
from evenhand.records.ranking import Match, Result
from evenhand.workflows.candidate_facts import CandidateFacts, Ranked

BYTE_ORDER_MARK = "\ufeff"  # without it Excel takes UTF-8 for the local code page
# A spreadsheet may cut at another separator than the comma, and drop spaces and quotes before it looks at the sign.
FORMULA = re.compile(r"(^|[,;|\t])(?=[\s\"'`´’“”«»]*[=+\-@＝＋－﹣−＠\t\r\n])")
Cell = str | int | float | None


HEADS = (
    "rank",
    "candidate",
    "file",
    "score",
    "must-haves met",
    "must-haves asked",
    "matched (months)",
    "missing",
    "flags",
    "latest job",
    "employer",
    "relevant months",
    "total months",
    "degree",
)
CONTACT_HEADS = ("e-mail", "phone")


def csv_text(ranked: Ranked, *, contact: bool = False) -> str:
    """One row per result. Text is quoted, numbers are not; e-mail addresses and phones only when asked for."""
    results = ranked.ranking.results
    part_names = list(dict.fromkeys(part.name for result in results for part in result.score.parts))
    heads = [*HEADS, *(CONTACT_HEADS if contact else ()), *(f"part: {name}" for name in part_names)]
    out = StringIO(newline="")
    rows = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    rows.writerow(map(safe, heads))
    for result, facts in zip(results, ranked.facts, strict=True):
        addresses = (", ".join(facts.emails), ", ".join(facts.phones)) if contact else ()
        parts = _parts(result, part_names)
        rows.writerow(map(safe, [*_cells(result, facts, ranked), *addresses, *parts]))
    return BYTE_ORDER_MARK + out.getvalue()


def safe(cell: Cell) -> str | int | float:
    """Numbers as they are; text on one line, with an apostrophe before what a spreadsheet would compute."""
    if isinstance(cell, int | float):
        return cell
    return FORMULA.sub(r"\1'", printable(cell or ""))


def _cells(result: Result, facts: CandidateFacts, ranked: Ranked) -> Iterator[Cell]:
    """In the order of HEADS."""
    yield from (result.rank, result.candidate, result.file, result.score.value)
    yield from (facts.musts_met, facts.musts_asked)
    yield "; ".join(map(_matched, result.matched))
    yield "; ".join(missing_names(result, ranked.ranking.job))
    yield "; ".join(f"{flag.code}: {flag.message}" for flag in result.flags)
    yield from (facts.title, facts.employer, facts.relevant_months, facts.total_months, facts.degree)


def _matched(match: Match) -> str:
    months = "not dated" if match.months is None else str(match.months)
    return f"{match.skill} ({months})"


def _parts(result: Result, names: Sequence[str]) -> Iterator[Cell]:
    values = {part.name: part.value for part in result.score.parts}
    return (values.get(name) for name in names)
