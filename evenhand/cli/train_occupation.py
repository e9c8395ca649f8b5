"""`evenhand train occupation`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.terminal import bar, put, show

if TYPE_CHECKING:
    from rich.table import Table

    from evenhand.workflows.occupation_training import OccupationReport

Data = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="Folder with the sets of labelled resumes.")
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the model.")]
Name = Annotated[
    str,
    typer.Option("--model", metavar="NAME", help="occupation: one of 24; it-roles: any of ten."),
]
Number = Annotated[
    int | None, typer.Option("--n", metavar="N", help="At most so many resumes, for a quick look.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Start of the random choices.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]


def occupation(
    data: Data = None,
    out: Out = Path("occupation-model"),
    model: Name = "occupation",
    n: Number = None,
    seed: Seed = 0,
    json: AsJson = False,
) -> None:
    """Train a model that says which occupation a resume belongs to.

    It is measured on resumes that it has not seen, and then learns from all. Nothing is kept that fewer than five
    resumes share. The same resumes give the same bytes.

    Examples:

    - evenhand train occupation --data public/ --out occupation-model
    - evenhand train occupation --model it-roles --data public/ --out roles-model
    - evenhand predict occupation --model occupation-model resume.pdf
    """
    from evenhand.records import canonical_json
    from evenhand.workflows.occupation_training import train_occupation

    report = train_occupation(data, out, model=model, n=n, seed=seed, watch=bar)
    if json:
        put(canonical_json(report.to_json()) + "\n")
    else:
        show(table(report), f"The model is in {out}; its card.md has all figures.")


def table(report: OccupationReport) -> Table:
    from rich.table import Table

    found = report.figures.evaluation
    shown = Table(
        "Figure", "Value", title=f"{report.model}: {len(report.labels)} labels", title_justify="left"
    )
    rows = [
        ("resumes, those learned from when it was measured", f"{report.resumes:,}, {report.learned:,}"),
        ("accuracy on the others", f"{found.accuracy:.3f}"),
        ("macro-F1", f"{found.macro_f1:.3f}"),
        ("micro-F1", f"{found.micro_f1:.3f}"),
        ("calibration error (ECE)", f"{report.figures.ece:.3f}"),
        *((f"terms, {part}", f"{count:,}") for part, count in report.terms.items()),
    ]
    for figure, value in rows:
        shown.add_row(figure, value)
    return shown
