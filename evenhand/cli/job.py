"""`evenhand job` and `evenhand ingest`: jobs, and resumes that become applications for them."""

from __future__ import annotations

import csv
import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from evenhand.cli import options as opt
from evenhand.cli.inputs import STDIN, JobOverrides, expand, override, read_job_file
from evenhand.cli.options import command_group, service_from, settings_from
from evenhand.cli.rank import present_job
from evenhand.cli.terminal import SOME_FAILED, bar, print_rich, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.rendering.cells import printable
from evenhand.text.wording import count

if TYPE_CHECKING:
    from evenhand.store.jobs import StoredJob


app = command_group("Jobs, their requirements and numbers of applications.")

All = Annotated[bool, opt.option("--all", "Closed jobs too.")]
ByDifference = Annotated[
    bool, opt.option("--different", "Skills that set this job's applicants apart, not the most common.")
]
Most = Annotated[int, opt.option("--limit --top N", "How many skills to show.", min=1)]


@app.command()
def add(
    file: opt.JobFile,
    must: opt.Musts = None,
    nice: opt.Wishes = None,
    drop: opt.Dropped = None,
    years: opt.Years = None,
    degree: opt.Degree = None,
    json: opt.AsJson = False,
    set_: opt.Set = None,
) -> None:
    """Add a job from its description; prints its id.

    The requirements read from it are shown. Options correct them at once, evenhand job change later.

    Examples:

    - evenhand job add job.txt
    - evenhand job add job.pdf --must java:36 --years 5
    """
    from evenhand.screening.service import open_service

    settings = settings_from(set_)
    understood = read_job_file(file, JobOverrides(must, nice, drop, years, degree), settings)
    with open_service(settings) as service:
        id = service.store.jobs.add(understood, actor=getpass.getuser())
    if json:
        write_json({"id": id, **understood.to_json()})
        return
    present_job(understood, json=False)
    write_stdout(f"{id}\n")


@app.command("list")
def list_(all_: All = False, json: opt.AsJson = False, set_: opt.Set = None) -> None:
    """List the jobs with the number of their applications."""
    with service_from(set_) as service:
        jobs = [(job, service.store.applications.count(job.id)) for job in service.store.jobs.all(closed=all_)]
    if json:
        for job, applications in jobs:
            write_json(summary(job, applications))
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


def jobs_table(jobs: list[tuple[StoredJob, int]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("ID", "Job", "Applications", "Since", ""):
        table.add_column(name, justify="right" if name == "Applications" else "left", no_wrap=name != "Job")
    for job, applications in jobs:
        title = Text(printable(job.title)) if job.title else Text("without a title", style="dim")
        closed = Text("closed", style="dim") if job.closed else ""
        table.add_row(job.id, title, f"{applications:,}", f"{job.created:%Y-%m-%d}", closed)
    return table


@app.command("show")
def show_(id: opt.JobId, json: opt.AsJson = False, set_: opt.Set = None) -> None:
    """Show the requirements of a job."""
    with service_from(set_) as service:
        present_job(service.store.jobs.get(id).requirements, json=json)


@app.command()
def change(
    id: opt.JobId,
    must: opt.Musts = None,
    nice: opt.Wishes = None,
    drop: opt.Dropped = None,
    years: opt.Years = None,
    degree: opt.Degree = None,
    set_: opt.Set = None,
) -> None:
    """Correct the requirements of a job; its applications are ranked by them from now on.

    Examples:

    - evenhand job change ID --must java:36 --drop "team player"
    - evenhand job change ID --years 5 --degree bachelor
    """
    with service_from(set_) as service:
        job = service.store.jobs.get(id).requirements
        changed = override(job, JobOverrides(must, nice, drop, years, degree), service.settings)
        service.store.jobs.change(id, changed, actor=getpass.getuser())
        service.follow(progress=bar)
    present_job(changed, json=False)


@app.command()
def close(id: opt.JobId, set_: opt.Set = None) -> None:
    """Close a job to new applications; evenhand job reopen undoes it."""
    with service_from(set_) as service:
        service.store.jobs.close(id, actor=getpass.getuser())


@app.command()
def reopen(id: opt.JobId, set_: opt.Set = None) -> None:
    """Reopen a closed job."""
    with service_from(set_) as service:
        service.store.jobs.reopen(id, actor=getpass.getuser())


@app.command()
def suggest(
    id: opt.JobId, different: ByDifference = False, top: Most = 20, json: opt.AsJson = False, set_: opt.Set = None
) -> None:
    """Skills that applicants have and the job does not name yet, with how many have them."""
    with service_from(set_) as service:
        suggestions = service.suggest_skills(id, by_difference=different, limit=top)
    if json:
        for suggestion in suggestions:
            write_json(suggestion.to_json())
    elif suggestions:
        for suggestion in suggestions:
            write_stdout(f"{suggestion.applicants:>7,}  {printable(suggestion.skill)}\n")
    else:
        write_stderr("There is nothing to suggest: no applicant has a skill that the job does not name.")


SourceName = Annotated[str | None, opt.option("--source NAME", "Source: agency, career portal, referral.")]
Forms = Annotated[
    Path | None,
    opt.option(
        "--forms CSV",
        'What applicants typed in: a CSV file with a column "file" that names the resume; other columns are kept.',
    ),
]


def ingest(
    paths: opt.Files,
    job: opt.OneJob,
    source: SourceName = None,
    forms: Forms = None,
    as_of: opt.AsOf = None,
    json: opt.AsJson = False,
    workers: opt.Workers = None,
    set_: opt.Set = None,
) -> None:
    """Import resumes as applications for a job: read, mine, store, find duplicates, index.

    Importing the same files again changes nothing. An interrupted run continues where it stopped. Files that cannot be
    read are listed, stored and recorded, but become no candidates.

    Exit code: 0 all were imported, 1 some could not be read (the others are imported), 2 wrong usage.

    Examples:

    - evenhand ingest inbox/ --job ID
    - evenhand ingest inbox/ --job ID --source "career portal" --forms forms.csv
    """
    from evenhand.screening.service import ingest_files, open_service

    settings = settings_from(set_, workers)
    inputs, empty = expand(paths)
    if STDIN in inputs:
        raise UsageError("Resumes are taken in from files or folders, not from standard input.")
    typed = read_forms(forms) if forms else {}
    if unmatched := len(typed.keys() - {Path(name).name for name in inputs}):
        write_stderr(f"{count(unmatched, 'row')} of the form data for files that were not given.")
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
        write_json(summary.to_json())
    else:
        write_stdout(f"{count(summary.added, 'new application')}, {summary.known:,} already imported")
        write_stdout(
            f", {count(summary.duplicates, 'pair')} of near duplicates found.\n" if summary.duplicates else ".\n"
        )
        if summary.errors:
            write_stdout(
                f"{count(len(summary.errors), 'file')} could not be taken in; what there was of them is kept:\n"
            )
        for error in summary.errors:
            write_stdout(f"  {printable(error.file)}: {printable(error.failure.message)} ({error.failure.code})\n")
    if summary.errors or empty:
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
