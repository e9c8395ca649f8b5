"""`evenhand rank`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from evenhand.cli.mine import AsOf
from evenhand.cli.read import SOME_FAILED, Set, Workers, flags
from evenhand.cli.terminal import STDIN, bar, expand, print_rich, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.records.ranking import Match, Result
from evenhand.rendering.cells import BYTE_ORDER_MARK, Cell, csv_lines
from evenhand.settings import Settings, load_settings

if TYPE_CHECKING:
    from evenhand.records import Job
    from evenhand.search.criteria import SkillCondition
    from evenhand.search.matching import CandidateFacts, RankingWithFacts, Watchlists


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


def _cells(result: Result, facts: CandidateFacts, ranked: RankingWithFacts) -> Iterator[Cell]:
    from evenhand.cli.ranking_table import missing_names

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


TABLE_ROWS = 20
REPORT_ROWS = 200  # a page of thousands opens in no browser

JobFile = Annotated[
    str,
    typer.Argument(
        metavar="JOB",
        help="File with the job's text, in any format that resumes may have; - is standard input.",
    ),
]
Resumes = Annotated[
    list[str] | None,
    typer.Argument(metavar="PATH", help="Resumes: files or folders (all files inside)."),
]
Top = Annotated[
    int | None,
    typer.Option("--top", metavar="N", min=1, help="Only the first N; else the table shows 20, JSON and CSV all."),
]
RankerName = Annotated[
    str, typer.Option("--ranker", metavar="NAME", help="bm25, tfidf, kl, tfidf+skills, semantic or best.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the ranking as JSON.")]
Csv = Annotated[Path | None, typer.Option("--csv", metavar="F", help="Also write a CSV file for spreadsheets.")]
Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="F", help="Also write a report: one HTML file that needs nothing else."),
]
Why = Annotated[
    tuple[str, str] | None,
    typer.Option("--why", metavar="A B", help="Why A stands above B; each a rank, a file or a name."),
]
Skills = Annotated[
    list[str] | None,
    typer.Option("--skill", metavar="NAME>=MONTHS", help="Only resumes with this skill; also <=MONTHS, =FIRST-LAST."),
]
Musts = Annotated[
    list[str] | None,
    typer.Option("--must", metavar="SKILL[:MONTHS]", help="A must-have, whatever the job's text says."),
]
Wishes = Annotated[
    list[str] | None,
    typer.Option("--nice", metavar="SKILL[:MONTHS]", help="Nice to have, whatever the text says."),
]
Dropped = Annotated[
    list[str] | None, typer.Option("--drop", metavar="SKILL", help="Not asked for, whatever the text says.")
]
Years = Annotated[
    float | None,
    typer.Option("--years", metavar="N", help="Years of experience the job asks for; 0 for none."),
]
Degree = Annotated[
    str | None,
    typer.Option("--degree", metavar="LEVEL", help="The least degree: highschool, ..., doctorate, or none."),
]
JobOnly = Annotated[bool, typer.Option("--job-only", help="Only show what was understood of the job.")]
NoHire = Annotated[
    Path | None,
    typer.Option("--no-hire", metavar="F", help="Companies, one per line: who worked there is flagged, never removed."),
]
NotAccredited = Annotated[
    Path | None,
    typer.Option("--not-accredited", metavar="F", help="Universities, one per line: who studied there is flagged."),
]
Contact = Annotated[bool, typer.Option("--contact", help="E-mail addresses and phones in the CSV file too.")]


def rank(
    job: JobFile,
    paths: Resumes = None,
    top: Top = None,
    ranker: RankerName = "best",
    json: AsJson = False,
    csv: Csv = None,
    html: Html = None,
    as_of: AsOf = None,
    why: Why = None,
    skill: Skills = None,
    must: Musts = None,
    nice: Wishes = None,
    drop: Dropped = None,
    years: Years = None,
    degree: Degree = None,
    job_only: JobOnly = False,
    contact: Contact = False,
    no_hire: NoHire = None,
    not_accredited: NotAccredited = None,
    workers: Workers = None,
    set_: Set = None,
) -> None:
    """Rank resumes for a job: who first, with the parts of every score, and what is met and missing.

    What was understood of the job is shown first and can be put right with --must, --nice, --drop, --years and
    --degree. Nothing is kept and nobody is rejected: the order says whom to read first.

    Exit code: 0 all were ranked, 1 some files could not be read (the others are ranked), 2 wrong usage.

    Examples:

    - evenhand rank job.txt inbox/
    - evenhand rank job.txt inbox/ --top 10 --html report.html --csv ranking.csv
    - evenhand rank job.txt inbox/ --must java:36 --nice docker --years 5
    - evenhand rank job.txt inbox/ --why 1 4
    - evenhand rank job.txt inbox/ --json | python -m json.tool
    """
    from evenhand.search.ranking import rank_with_facts

    if json and why:
        raise UsageError("Give --why or --json, not both: JSON holds the parts of every score anyway.")
    settings = load_settings(flags(workers, set_)).settings
    check_ranker(ranker)
    check_writable(csv, html)
    understood = understand(job, JobOverrides(must, nice, drop, years, degree), settings)
    if job_only:
        present_job(understood, json=json)
        return
    inputs, barren = resumes_of(paths or [], apart_from=[job, csv, html, no_hire, not_accredited])
    conditions = conditions_of(skill or (), settings)
    lists = lists_of(no_hire, not_accredited)
    if not json:
        write_job(understood)
    ranked = rank_with_facts(
        understood,
        inputs,
        ranker=ranker,
        top=None if why else top or needed_rows(json=json, csv=csv, html=html),
        as_of=as_of,
        skills=conditions,
        lists=lists,
        settings=settings,
        progress=bar,
    )
    write_files(ranked, csv=csv, html=html, rows=top or REPORT_ROWS, contact=contact)
    present(ranked, why, json=json, rows=top or TABLE_ROWS, hint=not html)
    if ranked.ranking.errors or barren:
        raise typer.Exit(SOME_FAILED)


class JobOverrides(NamedTuple):
    """What was typed to put the job right."""

    musts: list[str] | None
    wishes: list[str] | None
    dropped: list[str] | None
    years: float | None
    degree: str | None


def check_ranker(name: str) -> None:
    from evenhand.search.rankers.registry import RANKERS

    if name not in RANKERS:
        close = get_close_matches(name, RANKERS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(RANKERS)}."
        raise UsageError(f"There is no ranker {name!r}; {hint}")


def check_writable(*outs: Path | None) -> None:
    """What would fail after the work is said before it."""
    for out in filter(None, outs):
        if not out.absolute().parent.is_dir():
            raise UsageError(f"There is no folder {out.parent} to write {out.name} to.")
        if out.is_dir():
            raise UsageError(f"{out} is a folder, not a file.")


def understand(job: str, typed: JobOverrides, settings: Settings) -> Job:
    """The job as it was read and put right."""
    from evenhand.documents.reading import read
    from evenhand.mining.pipeline import read_job, understand_text

    if job == STDIN:
        document = read(sys.stdin.buffer.read(settings.file_bytes + 1), name=STDIN, settings=settings)
        if document.error:
            raise UsageError(f"The job on standard input: {document.error.message}")
        understood = understand_text(document.text, settings)
    else:
        understood = read_job(Path(job), settings)
    return edited(understood, typed, settings)


def edited(understood: Job, typed: JobOverrides, settings: Settings) -> Job:
    from evenhand.mining.pipeline import vocabulary_for
    from evenhand.screening.jobs import Edits, edit_job

    musts, wishes, dropped = (tuple(skills or ()) for skills in typed[:3])
    edits = Edits(musts, wishes, dropped, typed.years, typed.degree)
    return edit_job(understood, edits, canonical=vocabulary_for(settings).canonical_skill)


def resumes_of(paths: list[str], *, apart_from: Iterable[str | Path | None]) -> tuple[list[str], list[str]]:
    """Files, and folders without any. The job, lists and what is written here are no resumes, wherever they lie."""
    if not paths:
        raise UsageError("Name the resumes: files or folders.")
    inputs, barren = expand(paths)
    if STDIN in inputs:
        raise UsageError("Resumes are ranked from files or folders; only the job may come on standard input.")
    others = {os.path.realpath(path) for path in apart_from if path}
    inputs = [name for name in inputs if os.path.realpath(name) not in others]
    for folder in barren:
        write_stderr(f"{folder}: the folder holds no files.")
    if not inputs:
        raise UsageError("There are no files to rank.")
    return inputs, barren


def conditions_of(typed: Iterable[str], settings: Settings) -> list[SkillCondition]:
    from evenhand.mining.pipeline import vocabulary_for
    from evenhand.search.criteria import parse_skill

    return [parse_skill(each, canonical=vocabulary_for(settings).canonical_skill) for each in typed]


def lists_of(no_hire: Path | None, not_accredited: Path | None) -> Watchlists:
    from evenhand.search.matching import Watchlists

    return Watchlists(names_in(no_hire), names_in(not_accredited))


def names_in(path: Path | None) -> list[str]:
    """One per line."""
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"The list {path} cannot be read: {reason}.") from error
    return [line.strip() for line in lines if line.strip()]


def needed_rows(*, json: bool, csv: Path | None, html: Path | None) -> int | None:
    """How many results are worth describing; None means all."""
    if json or csv:
        return None
    return REPORT_ROWS if html else TABLE_ROWS


def present_job(job: Job, *, json: bool) -> None:
    from evenhand.cli.ranking_table import job_card
    from evenhand.records import canonical_json

    if json:
        write_stdout(canonical_json(job.to_json()) + "\n")
    else:
        print_rich(job_card(job))


def write_job(job: Job) -> None:
    """On stderr, so that the table alone can be piped on."""
    from rich.console import Console

    from evenhand.cli.ranking_table import job_card

    Console(stderr=True).print(job_card(job))


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
    from evenhand.records import canonical_json

    if json:
        write_stdout(canonical_json(ranked.ranking.to_json()) + "\n")
        return
    reasons = [why_table(ranked.ranking, *why)] if why else []
    print_rich(RankingTable(ranked, top=rows), *reasons)
    if hint:
        write_stderr("--html F writes a report: the parts of every score, months of skills, passages.")
