"""`evenhand job`: the jobs that applications come in for."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.rank import (
    Degree,
    Dropped,
    JobFile,
    Musts,
    Typed,
    Wishes,
    Years,
    edited,
    present_job,
    understand,
)
from evenhand.cli.read import Set, flags
from evenhand.cli.terminal import bar, printable, put, show, tell
from evenhand.settings import load_settings

if TYPE_CHECKING:
    from rich.console import RenderableType

    from evenhand.store import KeptJob


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
    from evenhand.workflows.opening import open_service

    settings = load_settings(flags(None, set_)).settings
    understood = understand(file, Typed(must, nice, drop, years, degree), settings)
    with open_service(settings) as service:
        id = service.store.add_job(understood, actor=getpass.getuser())
    if json:
        put(canonical_json({"id": id, **understood.to_json()}) + "\n")
        return
    present_job(understood, json=False)
    put(f"{id}\n")


@app.command("list")
def list_(all_: All = False, json: AsJson = False, set_: Set = None) -> None:
    """List the jobs with the number of their applications."""
    from evenhand.records import canonical_json
    from evenhand.workflows.opening import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        jobs = [(job, service.store.count_applications(job.id)) for job in service.store.jobs(closed=all_)]
    if json:
        for job, applications in jobs:
            put(canonical_json(summary(job, applications)) + "\n")
    elif jobs:
        show(jobs_table(jobs))
    else:
        tell("There are no jobs yet. Add one: evenhand job add FILE")


def summary(job: KeptJob, applications: int) -> dict[str, object]:
    return {
        "id": job.id,
        "title": job.title,
        "applications": applications,
        "created": job.created.isoformat(),
        "closed": job.closed.isoformat() if job.closed else None,
    }


def jobs_table(jobs: list[tuple[KeptJob, int]]) -> RenderableType:
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
    from evenhand.workflows.opening import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        present_job(service.store.job(id).requirements, json=json)


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
    from evenhand.workflows.opening import open_service

    settings = load_settings(flags(None, set_)).settings
    with open_service(settings) as service:
        job = service.store.job(id).requirements
        changed = edited(job, Typed(must, nice, drop, years, degree), settings)
        service.store.change_job(id, changed, actor=getpass.getuser())
        service.follow(watch=bar)
    present_job(changed, json=False)


@app.command()
def close(id: JobId, set_: Set = None) -> None:
    """Take no more applications for a job; evenhand job reopen undoes it."""
    from evenhand.workflows.opening import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        service.store.close_job(id, actor=getpass.getuser())


@app.command()
def reopen(id: JobId, set_: Set = None) -> None:
    """Take applications for a closed job again."""
    from evenhand.workflows.opening import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        service.store.reopen_job(id, actor=getpass.getuser())


@app.command()
def suggest(
    id: JobId, different: ByDifference = False, top: Most = 20, json: AsJson = False, set_: Set = None
) -> None:
    """Skills that applicants have and the job does not name yet, with how many have them."""
    from evenhand.records import canonical_json
    from evenhand.workflows.opening import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        found = service.suggest_skills(id, by_difference=different, limit=top)
    if json:
        for suggestion in found:
            put(canonical_json(suggestion.to_json()) + "\n")
    elif found:
        for suggestion in found:
            put(f"{suggestion.applicants:>7,}  {printable(suggestion.skill)}\n")
    else:
        tell("There is nothing to suggest: no applicant has a skill that the job does not name.")
