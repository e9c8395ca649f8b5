"""`evenhand train`: models from labelled resumes, and the ranker's weights from decisions."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.decide import Actor
from evenhand.cli.read import Set, flags
from evenhand.cli.terminal import bar, put, show, tell
from evenhand.cli.train_competence import fit, level
from evenhand.errors import UsageError
from evenhand.settings import load_settings

if TYPE_CHECKING:
    from evenhand.workflows.service import Service

app = typer.Typer(help="Train models.", no_args_is_help=True, rich_markup_mode="markdown")

AsJson = Annotated[bool, typer.Option("--json", help="Print what was learned from what, as JSON.")]
OneJob = Annotated[
    str | None,
    typer.Option("--job", metavar="ID", help="Learn from this job's decisions only; without it, all."),
]
Adopt = Annotated[
    bool, typer.Option("--adopt", help="Rank by the new weights from now on; without it, nothing changes.")
]
RollBack = Annotated[
    bool,
    typer.Option("--roll-back", help="Put the weights of VERSION back, or those before the present ones."),
]
History = Annotated[
    bool, typer.Option("--history", help="Every version of the weights, and which is in force.")
]
Version = Annotated[
    int | None,
    typer.Argument(metavar="[VERSION]", min=0, help="With --roll-back: its number; 0, the defaults."),
]
REFUSED = 1


@app.callback()
def tasks() -> None:
    """Train models."""


@app.command()
def ranker(
    version: Version = None,
    job: OneJob = None,
    adopt: Adopt = False,
    roll_back: RollBack = False,
    history: History = False,
    by: Actor = None,
    json: AsJson = False,
    set_: Set = None,
) -> None:
    """Learn the weights of the ranker best from decisions, look at them, adopt them, or take them back.

    Who was shortlisted or offered should stand above whom the same person rejected for the same job. Rejections of the
    rest of a list teach nothing. No one's decisions count beyond the latest 50, and new weights are refused unless they
    order decisions that were held out better, by more than luck would.

    Examples:

    - evenhand train ranker
    - evenhand train ranker --job ID --adopt
    - evenhand train ranker --history
    - evenhand train ranker --roll-back
    - evenhand train ranker --roll-back 3
    """
    from evenhand.workflows.opening import open_service

    if adopt + roll_back + history > 1:
        raise UsageError("Give one of --adopt, --roll-back and --history.")
    if version is not None and not roll_back:
        raise UsageError("A version is for --roll-back only.")
    with open_service(load_settings(flags(None, set_)).settings) as service:
        if roll_back:
            restore_weights(service, version, by=by or getpass.getuser(), json=json)
        elif history:
            show_weights(service, json=json)
        else:
            learn(service, job, adopter=(by or getpass.getuser()) if adopt else None, json=json)


def learn(service: Service, job: str | None, *, adopter: str | None, json: bool) -> None:
    """Ends with 1 when there is somebody to adopt it and it is refused."""
    from evenhand.cli.weights_table import lesson_tables
    from evenhand.records import canonical_json
    from evenhand.workflows import ranker_learning

    lesson = ranker_learning.learn_from_decisions(service, job=job, watch=bar)
    version = None
    if adopter is not None and lesson.refusal is None:
        version = ranker_learning.adopt(service, lesson, by=adopter, time=datetime.now(UTC))
    if json:
        put(canonical_json({**lesson.to_json(), "adopted": version}) + "\n")
    else:
        show(*lesson_tables(lesson))
    if lesson.refusal is not None:
        tell(f"{lesson.refusal} Nothing has changed.")
        raise typer.Exit(REFUSED if adopter is not None else 0)
    if version is not None:
        tell(f"Version {version} is in force. To take it back: evenhand train ranker --roll-back")
    else:
        tell("Nothing has changed; --adopt puts the new weights in force.")


def restore_weights(service: Service, version: int | None, *, by: str, json: bool) -> None:
    from evenhand.records import canonical_json
    from evenhand.workflows import ranker_learning

    restored = ranker_learning.roll_back(service, version, by=by)
    if json:
        put(canonical_json(restored.to_json()) + "\n")
    elif restored.version:
        put(f"Version {restored.version} of the weights is in force again.\n")
    else:
        put("The default weights are in force again.\n")


def show_weights(service: Service, *, json: bool) -> None:
    from evenhand.cli.weights_table import history_table
    from evenhand.records import canonical_json

    entries, in_force = service.weights.entries(), service.weights.in_force()
    if json:
        put(canonical_json({"in_force": in_force.to_json(), "versions": entries}) + "\n")
    else:
        show(history_table(entries, in_force))


app.command()(level)
app.command()(fit)
