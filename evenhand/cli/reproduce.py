"""`evenhand reproduce`: finds a published table or figure by name, runs its protocol, prints both."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evenhand.cli.bench import missing_peer
from evenhand.cli.terminal import bar, put, show
from evenhand.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from evenhand.workflows.reproduction import Reproduction

Name = Annotated[
    str | None, typer.Argument(metavar="[NAME]", help="What to reproduce; without a name they are listed.")
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="Folder with annotated resumes, measured beside generated ones."
    ),
]
Number = Annotated[int | None, typer.Option("--n", metavar="N", help="How many resumes are generated.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="S", help="Start of the random choices.")]
Seeds = Annotated[
    int | None,
    typer.Option("--seeds", metavar="K", min=1, help="Trainings of each network, each from its own seed."),
]
Small = Annotated[
    bool, typer.Option("--small", help="Only show that the whole experiment runs; its figures mean nothing.")
]
Work = Annotated[
    Path | None,
    typer.Option("--work", metavar="DIR", help="Where long experiments keep what is done, and go on from."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]


def reproduce(
    name: Name = None,
    data: Data = None,
    n: Number = None,
    seed: Seed = None,
    seeds: Seeds = None,
    small: Small = False,
    work: Work = None,
    json: AsJson = False,
) -> None:
    """Repeat a published experiment by its protocol, and print its figures beside ours.

    Examples:

    - evenhand reproduce
    - evenhand reproduce segmenter
    - evenhand reproduce recognizer --data annotated/ --json
    - evenhand reproduce competence --seeds 1 --work runs/
    """
    from evenhand.workflows.reproduction import REPRODUCTIONS

    if name is None:
        show(listed(REPRODUCTIONS))
        return
    if name not in REPRODUCTIONS:
        raise UsageError(f"There is no experiment {name!r}; there are {', '.join(REPRODUCTIONS)}.")
    options = {"data": data, "n": n, "seed": seed, "seeds": seeds, "small": small or None, "work": work}
    given: dict[str, Any] = {option: value for option, value in options.items() if value is not None}
    try:
        result = REPRODUCTIONS[name].run(**given, watch=bar)
    except ModuleNotFoundError as error:
        raise missing_peer(name, error) from error
    if json:
        from evenhand.records import canonical_json

        put(canonical_json(result.to_json()) + "\n")
    else:
        show(result.table())


def listed(reproductions: dict[str, Reproduction]) -> Table:
    from rich.table import Table

    table = Table("Name", "What it repeats")
    for name, reproduction in reproductions.items():
        table.add_row(name, reproduction.shows)
    return table
