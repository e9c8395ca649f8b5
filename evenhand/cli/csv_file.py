"""A ranking as a CSV file that spreadsheets open right, and in which nothing a candidate wrote is ever a formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evenhand.cli.ranking_table import missing_names
from evenhand.records.ranking import Match, Result
from evenhand.workflows.candidate_facts import CandidateFacts, Ranked
from evenhand.workflows.cells import BYTE_ORDER_MARK, Cell, csv_lines

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
    heads: list[Cell] = [
        *HEADS,
        *(CONTACT_HEADS if contact else ()),
        *(f"part: {name}" for name in part_names),
    ]
    rows: list[list[Cell]] = [heads]
    for result, facts in zip(results, ranked.facts, strict=True):
        addresses = (", ".join(facts.emails), ", ".join(facts.phones)) if contact else ()
        rows.append([*_cells(result, facts, ranked), *addresses, *_parts(result, part_names)])
    return BYTE_ORDER_MARK + "".join(csv_lines(rows))


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
