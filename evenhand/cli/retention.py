"""`evenhand retention`: how long applications are kept. Nothing is erased but by a command or a timer that gives it."""

from __future__ import annotations

from typing import Annotated

import typer

from evenhand.cli.facts import count
from evenhand.cli.read import Set
from evenhand.cli.subject import Actor, ApplicationId, opened
from evenhand.cli.terminal import printable, put, tell

app = typer.Typer(
    help="How long applications are kept, by status; who must be kept; erasing who was kept long enough.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

Status = Annotated[
    str, typer.Argument(metavar="STATUS", help="new, screened, shortlisted, rejected or offered.")
]
Days = Annotated[
    int,
    typer.Argument(metavar="DAYS", min=0, help="After the decision that led there; 0 takes the rule away."),
]
OneJob = Annotated[str | None, typer.Option("--job", metavar="ID", help="For this job only.")]
Sure = Annotated[bool, typer.Option("--yes", help="Erase; without, only tell who is due.")]
Reason = Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why it must be kept.")]


@app.command("set")
def set_rule(status: Status, days: Days, job: OneJob = None, by: Actor = None, set_: Set = None) -> None:
    """Keep applications of a status for so many days; a job's own rule goes before the general one.

    Example: evenhand retention set rejected 180
    """
    with opened(set_, by) as work:
        work.service.store.set_retention(status, days or None, job=job, actor=work.actor)
    where = f" for the job {job}" if job else ""
    put(f"{status}{where}: {count(days, 'day')}.\n" if days else f"{status}{where}: no rule any more.\n")


@app.command("list")
def list_rules(set_: Set = None) -> None:
    """The rules, and who is on hold."""
    with opened(set_, None) as work:
        rules, holds = work.service.store.retention_rules(), work.service.store.holds()
    for rule in rules:
        put(f"{rule.status:12} {rule.days:6,} days  {rule.job or 'every job'}\n")
    for hold in holds:
        put(f"on hold      {hold.application}  since {hold.time:%Y-%m-%d}: {printable(hold.reason)}\n")
    if not rules:
        tell("There are no rules: nobody is ever due.")


@app.command()
def run(job: OneJob = None, yes: Sure = False, by: Actor = None, set_: Set = None) -> None:
    """Who has been kept long enough; erase them with --yes. In a timer, this is the schedule.

    Examples:

    - evenhand retention run
    - evenhand retention run --yes
    """
    from evenhand.store import STATUS_NAMES
    from evenhand.workflows.retaining import find_due, run_retention

    with opened(set_, by) as work:
        found = find_due(work.service, job=job)
        for kept in found.held:
            tell(f"On hold, and kept: {kept.application}, due since {kept.until:%Y-%m-%d}.")
        if not yes:
            for kept in found.due:
                put(f"{kept.application}  {STATUS_NAMES[kept.status]} since {kept.since:%Y-%m-%d}")
                put(f", due since {kept.until:%Y-%m-%d}\n")
            tell(f"{count(len(found.due), 'application')} due. --yes erases; it cannot be undone.")
            return
        done = run_retention(work.service, actor=work.actor, job=job)
    put(f"Erased: {count(done.erased, 'application')}.\n")
    for erasure in done.erasures:
        put(f"Certificate {erasure.id}\n")


@app.command()
def hold(application: ApplicationId, reason: Reason, by: Actor = None, set_: Set = None) -> None:
    """Keep an application whatever the rules say, such as while a court has to decide.

    Example: evenhand retention hold ID --reason "case 7 before the labour court"
    """
    with opened(set_, by) as work:
        work.service.store.hold(application, reason, actor=work.actor)
    put("On hold.\n")


@app.command()
def release(application: ApplicationId, by: Actor = None, set_: Set = None) -> None:
    """Lift a hold."""
    with opened(set_, by) as work:
        work.service.store.lift_hold(application, actor=work.actor)
    put("Released.\n")
