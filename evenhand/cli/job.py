"""`evenhand job`: the jobs that applications come in for."""

from __future__ import annotations

import csv
import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.mine import AsOf
from evenhand.cli.rank import (
    Degree,
    Dropped,
    JobFile,
    JobOverrides,
    Musts,
    Wishes,
    Years,
    edited,
    present_job,
    understand,
)
from evenhand.cli.read import SOME_FAILED, Files, Set, Workers, flags
from evenhand.cli.terminal import STDIN, bar, expand, print_rich, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.rendering.cells import printable
from evenhand.settings import load_settings
from evenhand.text.wording import count

if TYPE_CHECKING:
    from rich.console import RenderableType

    from evenhand.screening.ingest import Summary
    from evenhand.store.jobs import StoredJob


app = typer.Typer(
    help="Jobs: what they ask for, and who has applied.", no_args_is_help=True, rich_markup_mode="markdown"
)

JobId = Annotated[str, typer.Argument(metavar="ID", help="The job's id, as evenhand job list shows it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
All = Annotated[bool, typer.Option("--all", help="Closed jobs too.")]
ByDifference = Annotated[
    bool,
    typer.Option("--different", help="Skills that set this job's applicants apart, not the most common."),
]
Most = Annotated[int, typer.Option("--top", metavar="N", min=1, help="How many.")]


@app.command()
def add(
    file: JobFile,
    must: Musts = None,
    nice: Wishes = None,
    drop: Dropped = None,
    years: Years = None,
    degree: Degree = None,
    json: AsJson = False,
    set_: Set = None,
) -> None:
    """Add a job from its description; prints its id.

    What was understood is shown. Options put it right at once, evenhand job change does later.

    Examples:

    - evenhand job add job.txt
    - evenhand job add job.pdf --must java:36 --years 5
    """
    from evenhand.records import canonical_json
    from evenhand.screening.service import open_service

    settings = load_settings(flags(None, set_)).settings
    understood = understand(file, JobOverrides(must, nice, drop, years, degree), settings)
    with open_service(settings) as service:
        id = service.store.jobs.add(understood, actor=getpass.getuser())
    if json:
        write_stdout(canonical_json({"id": id, **understood.to_json()}) + "\n")
        return
    present_job(understood, json=False)
    write_stdout(f"{id}\n")


@app.command("list")
def list_(all_: All = False, json: AsJson = False, set_: Set = None) -> None:
    """List the jobs with the number of their applications."""
    from evenhand.records import canonical_json
    from evenhand.screening.service import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        jobs = [(job, service.store.applications.count(job.id)) for job in service.store.jobs.all(closed=all_)]
    if json:
        for job, applications in jobs:
            write_stdout(canonical_json(summary(job, applications)) + "\n")
    elif jobs:
        print_rich(jobs_table(jobs))
    else:
        write_stderr("There are no jobs yet. Add one: evenhand job add FILE")


def summary(job: StoredJob, applications: int) -> dict[str, object]:
    return {
        "id": job.id,
        "title": job.title,
        "applications": applications,
        "created": job.created.isoformat(),
        "closed": job.closed.isoformat() if job.closed else None,
    }


def jobs_table(jobs: list[tuple[StoredJob, int]]) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("ID", "Job", "Applications", "Since", ""):
        table.add_column(name, justify="right" if name == "Applications" else "left", no_wrap=name != "Job")
    for job, applications in jobs:
        title = Text(printable(job.title)) if job.title else Text("without a title", style="dim")
        closed = Text("closed", style="dim") if job.closed else ""
        table.add_row(job.id, title, f"{applications:,}", f"{job.created:%Y-%m-%d}", closed)
    return table


@app.command("show")
def show_(id: JobId, json: AsJson = False, set_: Set = None) -> None:
    """Show what a job asks for."""
    from evenhand.screening.service import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        present_job(service.store.jobs.get(id).requirements, json=json)


@app.command()
def change(
    id: JobId,
    must: Musts = None,
    nice: Wishes = None,
    drop: Dropped = None,
    years: Years = None,
    degree: Degree = None,
    set_: Set = None,
) -> None:
    """Put right what was understood of a job; its applications are ranked by that from now on.

    Examples:

    - evenhand job change ID --must java:36 --drop "team player"
    - evenhand job change ID --years 5 --degree bachelor
    """
    from evenhand.screening.service import open_service

    settings = load_settings(flags(None, set_)).settings
    with open_service(settings) as service:
        job = service.store.jobs.get(id).requirements
        changed = edited(job, JobOverrides(must, nice, drop, years, degree), settings)
        service.store.jobs.change(id, changed, actor=getpass.getuser())
        service.follow(progress=bar)
    present_job(changed, json=False)


@app.command()
def close(id: JobId, set_: Set = None) -> None:
    """Take no more applications for a job; evenhand job reopen undoes it."""
    from evenhand.screening.service import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        service.store.jobs.close(id, actor=getpass.getuser())


@app.command()
def reopen(id: JobId, set_: Set = None) -> None:
    """Take applications for a closed job again."""
    from evenhand.screening.service import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        service.store.jobs.reopen(id, actor=getpass.getuser())


@app.command()
def suggest(id: JobId, different: ByDifference = False, top: Most = 20, json: AsJson = False, set_: Set = None) -> None:
    """Skills that applicants have and the job does not name yet, with how many have them."""
    from evenhand.records import canonical_json
    from evenhand.screening.service import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        found = service.suggest_skills(id, by_difference=different, limit=top)
    if json:
        for suggestion in found:
            write_stdout(canonical_json(suggestion.to_json()) + "\n")
    elif found:
        for suggestion in found:
            write_stdout(f"{suggestion.applicants:>7,}  {printable(suggestion.skill)}\n")
    else:
        write_stderr("There is nothing to suggest: no applicant has a skill that the job does not name.")


# `evenhand ingest`: resume files become applications for a job.

JobOption = Annotated[str, typer.Option("--job", metavar="ID", help="The job they apply for: evenhand job list.")]
SourceName = Annotated[
    str | None,
    typer.Option("--source", metavar="NAME", help="Where they come from: agency, career portal, referral."),
]
Forms = Annotated[
    Path | None,
    typer.Option(
        "--forms",
        metavar="CSV",
        help='What applicants typed in: a CSV file with a column "file" that names the resume; other columns are kept.',
    ),
]
SummaryAsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]


def ingest(
    paths: Files,
    job: JobOption,
    source: SourceName = None,
    forms: Forms = None,
    as_of: AsOf = None,
    json: SummaryAsJson = False,
    workers: Workers = None,
    set_: Set = None,
) -> None:
    """Take resumes in as applications for a job: read, mine, keep, compare with those there are, index.

    Again with the same files changes nothing. Stopped at any moment, the next run goes on where this one was. Files
    that cannot be read are named, kept and on record; no candidate is made of them.

    Exit code: 0 all were taken in, 1 some could not be read (the others are in), 2 wrong usage.

    Examples:

    - evenhand ingest inbox/ --job ID
    - evenhand ingest inbox/ --job ID --source "career portal" --forms forms.csv
    """
    from evenhand.records import canonical_json
    from evenhand.screening.service import ingest_files, open_service

    settings = load_settings(flags(workers, set_)).settings
    inputs, barren = expand(paths)
    if STDIN in inputs:
        raise UsageError("Resumes are taken in from files or folders, not from standard input.")
    typed = read_forms(forms) if forms else {}
    if unmatched := len(typed.keys() - {Path(name).name for name in inputs}):
        write_stderr(f"{count(unmatched, 'row')} of the form data for files that were not given.")
    for folder in barren:
        write_stderr(f"{folder}: the folder holds no files.")
    with open_service(settings) as service:
        summary = ingest_files(
            service,
            inputs,
            job,
            total=len(inputs),
            source=source,
            forms=typed,
            as_of=as_of,
            actor=getpass.getuser(),
            progress=bar,
        )
    if json:
        write_stdout(canonical_json(summary.to_json()) + "\n")
    else:
        write_summary(summary)
    if summary.errors or barren:
        raise typer.Exit(SOME_FAILED)


def read_forms(path: Path) -> dict[str, dict[str, str]]:
    """Each row by the name of its resume; empty cells are left out."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except UnicodeDecodeError as error:
        raise UsageError(f"The form data {path} cannot be read: it is not UTF-8 text.") from error
    except (OSError, csv.Error) as error:
        raise UsageError(
            f"The form data {path} cannot be read: {getattr(error, 'strerror', None) or error}."
        ) from error
    if rows and "file" not in rows[0]:
        raise UsageError(f'The form data {path} have no column "file".')
    return {
        Path(row["file"]).name: {
            name: value for name, value in row.items() if name and name != "file" and isinstance(value, str) and value
        }
        for row in rows
        if row["file"]
    }


def write_summary(summary: Summary) -> None:
    write_stdout(f"{count(summary.added, 'application')} new, {summary.known:,} known before")
    write_stdout(f", {count(summary.duplicates, 'pair')} of near duplicates found.\n" if summary.duplicates else ".\n")
    if summary.errors:
        write_stdout(f"{count(len(summary.errors), 'file')} could not be taken in; what there was of them is kept:\n")
    for error in summary.errors:
        write_stdout(f"  {printable(error.file)}: {printable(error.failure.message)} ({error.failure.code})\n")
