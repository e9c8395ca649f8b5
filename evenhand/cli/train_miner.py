"""`evenhand train miner`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.terminal import bar, put, show

if TYPE_CHECKING:
    from rich.table import Table

    from evenhand.workflows.miner_training import TrainingReport

Data = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="Folder with annotated resumes; without it, generated ones alone."
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the models.")]
Generated = Annotated[
    int | None, typer.Option("--n", metavar="N", help="How many resumes are generated to learn from.")
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="S", help="Start of the random choices.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print what was learned from what, as JSON.")]


def miner(
    data: Data = None,
    out: Out = Path("miner-models"),
    n: Generated = None,
    seed: Seed = None,
    json: AsJson = False,
) -> None:
    """Train the miner: tables, sections, employers and the like, skills.

    The same resumes give the same bytes. Nothing is kept that fewer than five resumes share. The setting
    miner_models names the folder from which evenhand mine takes its models.

    Examples:

    - evenhand train miner --out models
    - evenhand train miner --data annotated/ --out models
    - evenhand mine --set miner_models=models resume.pdf
    """
    from evenhand.workflows.miner_training import train

    options = {name: value for name, value in (("generated", n), ("seed", seed)) if value is not None}
    report = train(data, out, **options, watch=bar)
    if json:
        from evenhand.records import canonical_json

        put(canonical_json(report.to_json()) + "\n")
    else:
        show(table(report), f"The models are in {out}.")


def table(report: TrainingReport) -> Table:
    from rich.table import Table

    title = f"Learned from {report.real} annotated and {report.generated} generated resumes"
    found = Table("Model", title=title, title_justify="left")
    for name in ("Labels", "Attributes"):
        found.add_column(name, justify="right")
    for name, about in report.models.items():
        found.add_row(name, *(number(about.get(key)) for key in ("labels", "attributes")))
    return found


def number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else ""
