"""`evenhand search`, `export` and `decide`: what the screening page shows and does, in the terminal or for scripts."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from evenhand.cli import options as opt
from evenhand.cli.inputs import check_ranker, search_criteria
from evenhand.cli.options import actor_from, command_group, service_from, session_from, settings_from
from evenhand.cli.terminal import print_rich, write_json, write_stderr, write_stdout
from evenhand.errors import ConfirmationNeeded, UsageError
from evenhand.rendering.cells import printable
from evenhand.text.wording import count

if TYPE_CHECKING:
    from evenhand.screening.decisions import Decider
    from evenhand.search.screener import SearchResults
    from evenhand.search.service import Service
    from evenhand.store.decisions import BatchOutcome, SkippedApplication


ROWS = 20

Strict = Annotated[bool, opt.option("--strict-counts", "Apply every filter to every facet's counts, its own included.")]
First = Annotated[int, opt.option("--from RANK", "Begin at this rank.", min=1)]
Top = Annotated[int, opt.option("--limit --top N", "How many candidates to show.", min=1)]


def search(
    job: opt.OneJob,
    text: opt.SearchWords = "",
    facet: opt.Facets = None,
    skill: opt.Skills = None,
    ranker: opt.RankerName = "best",
    first: First = 1,
    top: Top = ROWS,
    strict_counts: Strict = False,
    why: opt.Why = None,
    json: opt.AsJson = False,
    set_: opt.Set = None,
) -> None:
    """Rank and filter a job's applicants, with counts by facet.

    Examples:

    - evenhand search --job ID
    - evenhand search --job ID "kubernetes" --facet degree=master --skill "java>=36"
    - evenhand search --job ID 'title:architect AND NOT php' --facet city=Berlin --facet city=Paris
    - evenhand search --job ID --json | python -m json.tool
    """
    from evenhand.cli.ranking_table import RankingTable, facet_lines, ranked_from, search_lines, why_table
    from evenhand.ledger.recording import RecordedScreener
    from evenhand.screening.service import open_service

    if json and why:
        raise UsageError("Give --why or --json, not both: JSON holds the parts of every score anyway.")
    check_ranker(ranker)
    settings = settings_from(set_)
    criteria = search_criteria(job, text, facet, skill, settings, ranker=ranker, strict_counts=strict_counts)
    with open_service(settings) as service, service.screener(job, ranker=ranker) as screener:
        recorded = RecordedScreener.of(screener)
        screen: SearchResults = recorded.screener.screen(criteria, first=first - 1, size=top)
        draft = recorded.draft(screen, settings, actor=getpass.getuser(), first=first - 1, size=top)
        service.store.ledger.append([draft])
        screen = service.with_alerts(screen)
    if json:
        write_json(screen.to_json())
        return
    reasons = [why_table(screen.ranking, *why)] if why else []
    print_rich(search_lines(screen), RankingTable(ranked_from(screen), top=top), facet_lines(screen), *reasons)


# `evenhand export`: the list of a job as a spreadsheet in which nothing is a formula.

XlsxFile = Annotated[Path | None, opt.option("--xlsx F", "Write XLSX.")]


def export(
    job: opt.OneJob,
    text: opt.SearchWords = "",
    facet: opt.Facets = None,
    skill: opt.Skills = None,
    ranker: opt.RankerName = "best",
    csv: opt.CsvFile = None,
    xlsx: XlsxFile = None,
    contact: opt.Contact = False,
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Write the list that evenhand search shows, up to 10,000 candidates, to a spreadsheet. Exports are logged.

    Examples:

    - evenhand export --job ID --csv list.csv
    - evenhand export --job ID "kubernetes" --facet degree=master --xlsx list.xlsx --contact
    """
    from evenhand.screening.exports import csv_bytes, prepare_export, write_xlsx

    if (csv is None) == (xlsx is None):
        raise UsageError("Say where to: --csv F or --xlsx F.")
    check_ranker(ranker)
    with session_from(set_, by) as work:
        settings = work.service.settings
        criteria = search_criteria(job, text, facet, skill, settings, ranker=ranker)
        made = prepare_export(
            work.service, work.recorder, work.viewer, criteria, form="csv" if csv else "xlsx", contact=contact
        )
        path = csv or xlsx
        if path is None:
            raise AssertionError
        path.touch(mode=0o600)
        with path.open("wb") as file:
            if csv:
                file.writelines(csv_bytes(made))
            else:
                write_xlsx(made, file)
    write_stderr(f"Written: {path} ({count(made.count, 'candidate')} of {made.total:,})")


# `evenhand decide`

app = command_group("Decisions on applications, made by people; each is recorded with who, when and why.")

Applications = Annotated[list[str], opt.argument("APPLICATION", "Ids, as evenhand search --json shows them.")]
Keep = Annotated[int, opt.option("--keep N", "The top N of the list are kept.", min=0)]
Batch = Annotated[str, opt.argument("BATCH", "The id that the decision printed.")]
UndoBatch = Annotated[str, opt.argument("BATCH", "The id that the undo printed.")]
Sure = Annotated[bool, opt.option("--yes", "Also if it is somebody else's or older.")]


def decide(applications: list[str], action: str, reason: str, by: str | None, set_: list[str] | None) -> None:
    with service_from(set_) as service:
        outcome = service.store.decisions.decide(applications, action, actor=actor_from(by), reason=reason)
        service.follow()
    write_outcome(outcome)


@app.command()
def screen(applications: Applications, reason: opt.Reason = "", by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Mark applications as screened."""
    decide(applications, "screen", reason, by, set_)


@app.command()
def shortlist(applications: Applications, reason: opt.Reason = "", by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Shortlist applications for interview.

    Example: evenhand decide shortlist ID ID --reason "ten years of it"
    """
    decide(applications, "shortlist", reason, by, set_)


@app.command()
def offer(applications: Applications, reason: opt.Reason = "", by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Record that a position was offered."""
    decide(applications, "offer", reason, by, set_)


@app.command()
def reject(applications: Applications, reason: opt.Reason, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Reject applications, with a reason.

    Example: evenhand decide reject ID --reason "no licence for the forklift"
    """
    if not reason.strip():
        raise UsageError("A rejection needs a reason.")
    decide(applications, "reject", reason, by, set_)


@app.command("reject-rest")
def reject_rest(
    job: opt.OneJob,
    reason: opt.Reason,
    keep: Keep = 0,
    text: opt.SearchWords = "",
    facet: opt.Facets = None,
    skill: opt.Skills = None,
    ranker: opt.RankerName = "best",
    yes: opt.Confirmed = False,
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Reject everyone on a list who is not shortlisted and not among its top N.

    The list is that of evenhand search with the same options. Without --yes it only prints how many would be rejected.
    It can be undone: evenhand decide undo BATCH.

    Examples:

    - evenhand decide reject-rest --job ID --keep 20 --reason "not among the best twenty"
    - evenhand decide reject-rest --job ID --facet degree=highschool --reason "degree needed" --yes
    """
    from evenhand.screening.decisions import REJECT, Decider, apply_plan, plan_bulk
    from evenhand.screening.service import open_service
    from evenhand.store.applications import STATUS_NAMES

    check_ranker(ranker)
    settings = settings_from(set_)
    criteria = search_criteria(job, text, facet, skill, settings, ranker=ranker)
    with open_service(settings) as service:
        decider = Decider(actor_from(by), job)
        plan = plan_bulk(service, decider, criteria, REJECT, keep=keep)
        write_stderr(plan.understood)
        for status, number in plan.left.items():
            write_stderr(f"Left as they are: {number:,} {STATUS_NAMES[status].lower()}.")
        if plan.unopened:
            write_stderr(f"{plan.unopened_words} Auditors see this number.")
        if not plan.changed:
            return
        if not yes:
            write_stderr("Nothing is done without --yes.")
            return
        version = plan.version
        outcome = apply_plan(service, decider, criteria, action=REJECT, keep=keep, version=version, reason=reason)
    write_outcome(outcome)


@app.command()
def undo(batch: Batch, reason: opt.Reason = "", yes: Sure = False, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Undo a decision: every application gets its previous status back.

    A decision of somebody else, or one that is older than a session lasts (session_hours), is undone with --yes.
    It can be redone: evenhand decide redo BATCH.
    """
    from evenhand.screening import decisions

    def act(service: Service, who: Decider) -> BatchOutcome:
        return decisions.undo(service, who, batch, reason=reason, confirmed=yes)

    _reverse("Undone", act, by, set_)


@app.command()
def redo(batch: UndoBatch, yes: Sure = False, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Decide again what was undone, for the same reason.

    What somebody else undid, or what was undone longer ago than a session lasts, is redone with --yes.
    """
    from evenhand.screening import decisions

    def act(service: Service, who: Decider) -> BatchOutcome:
        return decisions.redo(service, who, batch, confirmed=yes)

    _reverse("Redone", act, by, set_)


def _reverse(
    done: str, act: Callable[[Service, Decider], BatchOutcome], by: str | None, set_: list[str] | None
) -> None:
    from evenhand.screening.decisions import Decider, reversal_words
    from evenhand.search.visibility import OPEN

    with service_from(set_) as service:
        since = datetime.now(UTC) - timedelta(hours=service.settings.session_hours)
        try:
            outcome = act(service, Decider(actor_from(by), "", since=since))
        except ConfirmationNeeded as question:
            raise UsageError(f"{question} --yes does it.") from None
        write_stdout(reversal_words(service, OPEN, done, outcome))
    back = "redo" if done == "Undone" else "undo"
    write_stdout(f" To take it back: evenhand decide {back} {outcome.batch}\n" if outcome.changed else "\n")
    write_skipped(outcome.skipped)


@app.command()
def history(application: opt.ApplicationId, set_: opt.Set = None) -> None:
    """Every decision on an application: when, who, what and why."""
    from evenhand.store.applications import STATUS_NAMES

    with service_from(set_) as service:
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
    for skip in skipped:
        reasons[skip.reason] = reasons.get(skip.reason, 0) + 1
    for reason, number in reasons.items():
        write_stderr(f"Left as they are: {number:,}. {reason}")
