"""`evenhand ledger`: the record of everything that happened, its verification, and replayed rankings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli import options as opt
from evenhand.cli.options import command_group, service_from
from evenhand.cli.terminal import SOME_FAILED, bar, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.records.event import KINDS
from evenhand.rendering.cells import printable
from evenhand.text.wording import count

if TYPE_CHECKING:
    from evenhand.ledger.replay import ReplayResult
    from evenhand.ledger.wording import EventLine

app = command_group(
    "The ledger: every ingest, ranking, view, decision, export and erasure, in a chain that cannot be "
    "altered unnoticed."
)

OfKind = Annotated[list[str] | None, opt.option("--kind K", "Only events of this kind; again for more.")]
Limit = Annotated[int, opt.option("--limit N", "How many of the newest events.", min=1)]
Key = Annotated[
    str | None, opt.option("--key HEX", "Public key that checkpoints must be signed with, from your own notes.")
]
Replayable = Annotated[int | None, opt.argument("[EVENT]", "The number of a ranking, as ledger show has it.")]
Everything = Annotated[bool, opt.option("--all", "Every ranking there is.")]
Checkpoints = Annotated[Path | None, opt.option("--checkpoints F", "Your own copy of the checkpoints.")]


@app.command()
def verify(json: opt.AsJson = False, key: Key = None, checkpoints: Checkpoints = None, set_: opt.Set = None) -> None:
    """Check every event, every sealed value, the tables that events are about and the signed checkpoints.

    Finds events that were altered, taken out, put in, moved, cut off or rewritten. Events after the newest checkpoint
    are tied to one another only: evenhand ledger checkpoint ties them to a signature.

    Exit code: 0 the ledger is intact, 1 it is not, 2 wrong usage.

    Examples:

    - evenhand ledger verify
    - evenhand ledger verify --checkpoints copy.jsonl --key 9f2c...
    """
    from evenhand.ledger.verify import verify_ledger

    if checkpoints and not checkpoints.is_file():
        raise UsageError(f"There is no file {checkpoints} with checkpoints.")
    with service_from(set_) as service:
        done = verify_ledger(service.store, service.settings, checkpoints=checkpoints, key=key, progress=bar)
        is_kept = bool(checkpoints) or service.settings.keeps_checkpoints_elsewhere
    if json:
        write_json(done.to_json())
    else:
        for finding in done.findings:
            write_stdout(f"{printable(finding.message)}\n")
        if done.sound:
            write_stdout(f"{count(done.events, 'event')}: the ledger is whole.\n")
        if done.sound and done.signed_until < done.events:
            write_stderr(
                f"{count(done.events - done.signed_until, 'event')} not signed yet: evenhand ledger checkpoint"
            )
        if not is_kept:
            write_stderr(
                "No copy of the checkpoints is kept on another machine: set checkpoint_folder or checkpoint_command."
            )
    if not done.sound:
        raise typer.Exit(SOME_FAILED)


@app.command()
def checkpoint(set_: opt.Set = None) -> None:
    """Sign where the ledger stands, append that to the checkpoint file, and send copies where the settings say.

    Keep copies where nobody who can change the database can reach them. The line holds the public key; note it down.

    Example: evenhand ledger checkpoint
    """
    from evenhand.ledger.checkpoints import make_checkpoint

    with service_from(set_) as service:
        made = make_checkpoint(service.store, service.settings)
    if made:
        write_stdout(made.line() + "\n")
    else:
        write_stderr("Nothing has happened since the last checkpoint.")


@app.command()
def show(
    job: opt.AnyJob = None, kind: OfKind = None, limit: Limit = 50, json: opt.AsJson = False, set_: opt.Set = None
) -> None:
    """Show the newest events, the oldest of them first. People are shown by the first signs of their seal.

    Examples:

    - evenhand ledger show
    - evenhand ledger show --job ID --kind decision --kind undo --limit 200
    - evenhand ledger show --json | python -m json.tool --json-lines
    """
    from evenhand.ledger.wording import lines

    for name in kind or ():
        if name not in KINDS:
            raise UsageError(f"There is no kind of event {name!r}; the kinds are {', '.join(KINDS)}.")
    with service_from(set_) as service:
        events = service.store.ledger.events(kinds=kind or None, job=job, limit=limit, newest_first=True)[::-1]
        shown = [] if json else lines(service.store, events)
    for event in events if json else ():
        write_json(event.to_json())
    for line in shown:
        write_stdout(printed(line))
    if not events:
        write_stderr("The ledger has no such event.")


@app.command()
def replay(
    event: Replayable = None,
    all_: Everything = False,
    job: opt.AnyJob = None,
    json: opt.AsJson = False,
    set_: opt.Set = None,
) -> None:
    """Replay a ranking as it was shown, from stored data, and compare: who, in which order, with which parts.

    Later decisions, changes of the job, corrections and new applicants make no difference. Applicants who have been
    erased since are left out of the comparison.

    Exit code: 0 all are as recorded, 1 some are not, 2 wrong usage.

    Examples:

    - evenhand ledger replay 1204
    - evenhand ledger replay --all --job ID
    """
    from evenhand.ledger import replay

    if (event is None) == (not all_) or (job and not all_):
        raise UsageError("Name one event, or give --all, for one job with --job.")
    differs = total = 0
    with service_from(set_) as service:
        if event is not None:
            rankings = iter([replay.replay(service, event)])
        else:
            rankings = replay.replay_all(service, job=job, progress=bar)
        for ranking in rankings:
            total += 1
            differs += bool(ranking.differences)
            if json:
                write_json(ranking.to_json())
            else:
                write_stdout(outcome(ranking))
    if not json:
        write_stderr(f"{count(total, 'ranking')} made again, {differs:,} of them with differences.")
    if differs:
        raise typer.Exit(SOME_FAILED)


def outcome(replayed: ReplayResult) -> str:
    gone = f" ({count(replayed.erased, 'applicant')} erased since)" if replayed.erased else ""
    if replayed.identical:
        return f"{replayed.sequence:>6}  the same: {replayed.listed:,} listed{gone}\n"
    if replayed.impossible:
        return f"{replayed.sequence:>6}  not possible: {replayed.impossible}\n"
    lines = "".join(f"        {printable(difference)}\n" for difference in replayed.differences)
    return f"{replayed.sequence:>6}  not the same{gone}:\n{lines}"


def printed(line: EventLine) -> str:
    event = line.event
    about = f"  [job {event.job}]" if event.job else ""
    when = event.time[:19].replace("T", " ")
    return f"{event.sequence:>6}  {when}  {event.kind:<10}  {printable(line.who)}  {printable(line.words)}{about}\n"
