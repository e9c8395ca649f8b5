"""`evenhand decide`: shortlist, reject, offer; one by one or the rest of a list, with a reason, and undone again."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.job import JobOption
from evenhand.cli.rank import RankerName, Skills, check_ranker, conditions_of
from evenhand.cli.read import Set, flags
from evenhand.cli.search import Facets, SearchWords, chosen
from evenhand.cli.terminal import write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.rendering.cells import printable
from evenhand.settings import load_settings
from evenhand.text.wording import count

if TYPE_CHECKING:
    from evenhand.store.decisions import BatchOutcome, SkippedApplication

app = typer.Typer(
    help="Decisions on applications. A person makes them; each is on record with who, when and why.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

Applications = Annotated[
    list[str], typer.Argument(metavar="APPLICATION", help="Ids, as evenhand search --json shows them.")
]
Application = Annotated[str, typer.Argument(metavar="APPLICATION", help="Its id.")]
Reason = Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why; kept with the decision.")]
Actor = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who decides; your user name if not given.")]
Keep = Annotated[int, typer.Option("--keep", metavar="N", min=0, help="The first N of the list are not rejected.")]
Sure = Annotated[bool, typer.Option("--yes", help="Do it; without, only tell what would be done.")]
Batch = Annotated[str, typer.Argument(metavar="BATCH", help="The id that the decision printed.")]


def decide(applications: list[str], action: str, reason: str, by: str | None, set_: list[str] | None) -> None:
    from evenhand.screening.service import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        outcome = service.store.decisions.decide(applications, action, actor=by or getpass.getuser(), reason=reason)
        service.follow()
    write_outcome(outcome)


@app.command()
def screen(applications: Applications, reason: Reason = "", by: Actor = None, set_: Set = None) -> None:
    """Mark applications as screened."""
    decide(applications, "screen", reason, by, set_)


@app.command()
def shortlist(applications: Applications, reason: Reason = "", by: Actor = None, set_: Set = None) -> None:
    """Shortlist applications for interview.

    Example: evenhand decide shortlist ID ID --reason "ten years of it"
    """
    decide(applications, "shortlist", reason, by, set_)


@app.command()
def offer(applications: Applications, reason: Reason = "", by: Actor = None, set_: Set = None) -> None:
    """Record that a position was offered."""
    decide(applications, "offer", reason, by, set_)


@app.command()
def reject(applications: Applications, reason: Reason, by: Actor = None, set_: Set = None) -> None:
    """Reject applications, with a reason.

    Example: evenhand decide reject ID --reason "no licence for the forklift"
    """
    if not reason.strip():
        raise UsageError("A rejection needs a reason.")
    decide(applications, "reject", reason, by, set_)


@app.command("reject-rest")
def reject_rest(
    job: JobOption,
    reason: Reason,
    keep: Keep = 0,
    text: SearchWords = "",
    facet: Facets = None,
    skill: Skills = None,
    ranker: RankerName = "best",
    yes: Sure = False,
    by: Actor = None,
    set_: Set = None,
) -> None:
    """Reject everyone on a list who is not shortlisted and not among its first N.

    The list is that of evenhand search with the same options. Without --yes only the number is told. What was done
    can be undone: evenhand decide undo BATCH.

    Examples:

    - evenhand decide reject-rest --job ID --keep 20 --reason "not among the best twenty"
    - evenhand decide reject-rest --job ID --facet degree=highschool --reason "degree needed" --yes
    """
    from evenhand.screening.service import open_service
    from evenhand.search.criteria import Criteria

    check_ranker(ranker)
    settings = load_settings(flags(None, set_)).settings
    criteria = Criteria(
        job=job,
        text=text,
        facets=chosen(facet or [], settings),
        skills=tuple(conditions_of(skill or (), settings)),
    )
    with open_service(settings) as service:
        with service.screener(job, ranker=ranker) as screener:
            listed = screener.ids(criteria)
        spared = service.spared(listed, keep=keep)
        if not yes:
            preview = service.store.decisions.preview_reject_rest(job, listed, spared)
            write_stderr(
                f"{count(preview.changed, 'application')} of {len(listed):,} would be rejected; --yes does it."
            )
            write_skipped(preview.skipped)
            return
        outcome = service.store.decisions.reject_rest(job, listed, spared, actor=by or getpass.getuser(), reason=reason)
        service.follow()
    write_outcome(outcome)


@app.command()
def undo(batch: Batch, reason: Reason = "", by: Actor = None, set_: Set = None) -> None:
    """Give every application of a decision its status from before."""
    from evenhand.screening.service import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        outcome = service.store.decisions.undo(batch, actor=by or getpass.getuser(), reason=reason)
        service.follow()
    write_outcome(outcome)


@app.command()
def history(application: Application, set_: Set = None) -> None:
    """Every decision on an application: when, who, what and why."""
    from evenhand.screening.service import open_service
    from evenhand.store.statuses import STATUS_NAMES

    with open_service(load_settings(flags(None, set_)).settings) as service:
        service.store.applications.get(application)
        made = service.store.decisions.of_application(application)
    for decision in made:
        why = f": {printable(decision.reason)}" if decision.reason else ""
        undone = " (undone)" if decision.undone_by else ""
        write_stdout(
            f"{decision.time:%Y-%m-%d %H:%M} {printable(decision.actor)}  {STATUS_NAMES[decision.from_status]}"
            f" -> {STATUS_NAMES[decision.to_status]}{why}{undone}  [{decision.batch}]\n"
        )
    if not made:
        write_stderr("Nothing has been decided yet.")


def write_outcome(outcome: BatchOutcome) -> None:
    write_stdout(f"{count(len(outcome.changed), 'application')} changed.")
    write_stdout(f" To take it back: evenhand decide undo {outcome.batch}\n" if outcome.changed else "\n")
    write_skipped(outcome.skipped)


def write_skipped(skipped: tuple[SkippedApplication, ...]) -> None:
    reasons: dict[str, int] = {}
    for each in skipped:
        reasons[each.reason] = reasons.get(each.reason, 0) + 1
    for reason, number in reasons.items():
        write_stderr(f"Left as they are: {number:,}. {reason}")
