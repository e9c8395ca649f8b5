"""`evenhand rank`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from evenhand.cli import options as opt
from evenhand.cli.inputs import (
    JobOverrides,
    check_ranker,
    check_writable,
    read_job_file,
    read_names,
    resume_files,
    skill_conditions,
)
from evenhand.cli.options import settings_from
from evenhand.cli.terminal import SOME_FAILED, bar, print_rich, write_json, write_stderr
from evenhand.errors import UsageError
from evenhand.records.ranking import Result
from evenhand.rendering.cells import BYTE_ORDER_MARK, Cell, csv_lines

if TYPE_CHECKING:
    from evenhand.records import Job
    from evenhand.search.matching import CandidateFacts, RankingWithFacts


# A ranking as a CSV file that spreadsheets open right, and in which nothing a candidate wrote is ever a
# formula.

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


def csv_text(ranked: RankingWithFacts, *, contact: bool = False) -> str:
    """One row per result. Text is quoted, numbers are not; e-mail addresses and phones only when asked for."""
    results = ranked.ranking.results
    part_names = list(dict.fromkeys(part.name for result in results for part in result.score.parts))
    heads: list[Cell] = [*HEADS, *(CONTACT_HEADS if contact else ()), *(f"part: {name}" for name in part_names)]
    rows: list[list[Cell]] = [heads]
    for result, facts in zip(results, ranked.facts, strict=True):
        addresses = (", ".join(facts.emails), ", ".join(facts.phones)) if contact else ()
        values = {part.name: part.value for part in result.score.parts}
        rows.append([*_cells(result, facts, ranked), *addresses, *(values.get(name) for name in part_names)])
    return BYTE_ORDER_MARK + "".join(csv_lines(rows))


def _cells(result: Result, facts: CandidateFacts, ranked: RankingWithFacts) -> Iterator[Cell]:
    """In the order of HEADS."""
    from evenhand.screening.exports import matched_words, missing_names

    yield from (result.rank, result.candidate, result.file, result.score.value)
    yield from (facts.musts_met, facts.musts_asked)
    yield "; ".join(map(matched_words, result.matched))
    yield "; ".join(missing_names(result, ranked.ranking.job))
    yield "; ".join(f"{flag.code}: {flag.message}" for flag in result.flags)
    yield from (facts.title, facts.employer, facts.relevant_months, facts.total_months, facts.degree)


TABLE_ROWS = 20
REPORT_ROWS = 200  # a page of thousands opens in no browser

Resumes = Annotated[list[str] | None, opt.argument("PATH", "Resumes: files or folders (all files inside).")]
Top = Annotated[
    int | None, opt.option("--limit --top N", "Only the top N; else the table shows 20, JSON and CSV all.", min=1)
]
JobOnly = Annotated[bool, opt.option("--job-only", "Only show the requirements read from the job.")]
NoHire = Annotated[
    Path | None,
    opt.option("--no-hire F", "Companies, one per line: people who worked there are flagged, never removed."),
]
NotAccredited = Annotated[
    Path | None, opt.option("--not-accredited F", "Universities, one per line: people who studied there are flagged.")
]


def rank(
    job: opt.JobFile,
    paths: Resumes = None,
    top: Top = None,
    ranker: opt.RankerName = "best",
    json: opt.AsJson = False,
    csv: opt.CsvFile = None,
    html: opt.HtmlFile = None,
    as_of: opt.AsOf = None,
    why: opt.Why = None,
    skill: opt.Skills = None,
    must: opt.Musts = None,
    nice: opt.Wishes = None,
    drop: opt.Dropped = None,
    years: opt.Years = None,
    degree: opt.Degree = None,
    job_only: JobOnly = False,
    contact: opt.Contact = False,
    no_hire: NoHire = None,
    not_accredited: NotAccredited = None,
    workers: opt.Workers = None,
    set_: opt.Set = None,
) -> None:
    """Rank resumes for a job, with the parts of every score and which requirements are met.

    The requirements read from the job are shown first; correct them with --must, --nice, --drop, --years and --degree.
    Nothing is stored and nobody is rejected.

    Exit code: 0 all were ranked, 1 some files could not be read (the others are ranked), 2 wrong usage.

    Examples:

    - evenhand rank job.txt inbox/
    - evenhand rank job.txt inbox/ --top 10 --html report.html --csv ranking.csv
    - evenhand rank job.txt inbox/ --must java:36 --nice docker --years 5
    - evenhand rank job.txt inbox/ --why 1 4
    - evenhand rank job.txt inbox/ --json | python -m json.tool
    """
    from evenhand.cli.ranking_table import job_card
    from evenhand.search.matching import Watchlists
    from evenhand.search.ranking import rank_with_facts

    if json and why:
        raise UsageError("Give --why or --json, not both: JSON holds the parts of every score anyway.")
    settings = settings_from(set_, workers)
    check_ranker(ranker)
    check_writable(csv, html)
    understood = read_job_file(job, JobOverrides(must, nice, drop, years, degree), settings)
    if job_only:
        present_job(understood, json=json)
        return
    inputs, empty = resume_files(paths or [], apart_from=[job, csv, html, no_hire, not_accredited])
    conditions = skill_conditions(skill, settings)
    lists = Watchlists(read_names(no_hire), read_names(not_accredited))
    if not json:  # on stderr, so that the table alone can be piped on
        Console(stderr=True).print(job_card(understood))
    # How many results are worth describing; None means all.
    needed = None if json or csv else REPORT_ROWS if html else TABLE_ROWS
    ranked = rank_with_facts(
        understood,
        inputs,
        ranker=ranker,
        top=None if why else top or needed,
        as_of=as_of,
        skills=conditions,
        lists=lists,
        settings=settings,
        progress=bar,
    )
    write_files(ranked, csv=csv, html=html, rows=top or REPORT_ROWS, contact=contact)
    present(ranked, why, json=json, rows=top or TABLE_ROWS, hint=not html)
    if ranked.ranking.errors or empty:
        raise typer.Exit(SOME_FAILED)


def present_job(job: Job, *, json: bool) -> None:
    from evenhand.cli.ranking_table import job_card

    if json:
        write_json(job.to_json())
    else:
        print_rich(job_card(job))


def write_files(ranked: RankingWithFacts, *, csv: Path | None, html: Path | None, rows: int, contact: bool) -> None:
    if csv:
        write(csv, csv_text(ranked, contact=contact))
    if html:
        from evenhand.cli.report.page import report_html

        write(html, report_html(ranked, shown=rows))


def write(path: Path, text: str) -> None:
    """As UTF-8, line ends as they are; half a character, from a file name, becomes its escape."""
    path.write_bytes(text.encode("utf-8", "backslashreplace"))
    write_stderr(f"Written: {path}")


def present(ranked: RankingWithFacts, why: tuple[str, str] | None, *, json: bool, rows: int, hint: bool) -> None:
    from evenhand.cli.ranking_table import RankingTable, why_table

    if json:
        write_json(ranked.ranking.to_json())
        return
    reasons = [why_table(ranked.ranking, *why)] if why else []
    print_rich(RankingTable(ranked, top=rows), *reasons)
    if hint:
        write_stderr("--html F writes a report: the parts of every score, months of skills, passages.")
