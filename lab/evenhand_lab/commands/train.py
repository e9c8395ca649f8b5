"""`evenhand train miner | occupation | roles`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli import options as opt
from evenhand.cli.terminal import bar, print_rich, write_json

if TYPE_CHECKING:
    from rich.table import Table

    from evenhand_lab.training.miner import TrainingReport
    from evenhand_lab.training.occupation import OccupationReport


Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Folder with annotated resumes; without it, generated ones alone."),
]
Generated = Annotated[
    int | None, typer.Option("--n", metavar="N", help="How many resumes are generated to learn from.")
]


def miner(
    data: Data = None,
    out: opt.OutFolder = Path("miner-models"),
    n: Generated = None,
    seed: opt.OptionalSeed = None,
    json: opt.AsJson = False,
) -> None:
    """Train the miner: tables, sections, employers and the like, skills.

    The same resumes give the same bytes. Nothing is kept that fewer than five resumes share. The setting
    miner_models names the folder from which evenhand mine takes its models.

    Examples:

    - evenhand train miner --out models
    - evenhand train miner --data annotated/ --out models
    - evenhand mine --set miner_models=models resume.pdf
    """
    from evenhand_lab.training.miner import train

    options = {name: value for name, value in (("generated", n), ("seed", seed)) if value is not None}
    report = train(data, out, **options, progress=bar)
    if json:
        write_json(report.to_json())
    else:
        print_rich(table(report), f"The models are in {out}.")


def table(report: TrainingReport) -> Table:
    from rich.table import Table

    title = f"Learned from {report.real} annotated and {report.generated} generated resumes"
    table = Table("Model", title=title, title_justify="left")
    for name in ("Labels", "Attributes"):
        table.add_column(name, justify="right")
    for name, about in report.models.items():
        table.add_row(name, *(number(about.get(key)) for key in ("labels", "attributes")))
    return table


def number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else ""


# `evenhand train occupation`.

OccupationData = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="Folder with the sets of labelled resumes.")
]
Name = Annotated[str, typer.Option("--model", metavar="NAME", help="occupation: one of 24; it-roles: any of ten.")]
Number = Annotated[int | None, typer.Option("--n", metavar="N", help="At most so many resumes, for a quick look.")]


def occupation(
    data: OccupationData = None,
    out: opt.OutFolder = Path("occupation-model"),
    model: Name = "occupation",
    n: Number = None,
    seed: opt.Seed = 0,
    json: opt.AsJson = False,
) -> None:
    """Train a model that says which occupation a resume belongs to.

    It is measured on resumes that it has not seen, and then learns from all. Nothing is kept that fewer than five
    resumes share. The same resumes give the same bytes.

    Examples:

    - evenhand train occupation --data public/ --out occupation-model
    - evenhand train occupation --model it-roles --data public/ --out roles-model
    - evenhand predict occupation --model occupation-model resume.pdf
    """
    from evenhand_lab.training.occupation import train_occupation

    report = train_occupation(data, out, model=model, n=n, seed=seed, progress=bar)
    if json:
        write_json(report.to_json())
    else:
        print_rich(occupation_table(report), f"The model is in {out}; its card.md has all figures.")


def occupation_table(report: OccupationReport) -> Table:
    from rich.table import Table

    evaluation = report.figures.evaluation
    figures = Table("Figure", "Value", title=f"{report.model}: {len(report.labels)} labels", title_justify="left")
    rows = [
        ("resumes, those learned from when it was measured", f"{report.resumes:,}, {report.learned:,}"),
        ("accuracy on the others", f"{evaluation.accuracy:.3f}"),
        ("macro-F1", f"{evaluation.macro_f1:.3f}"),
        ("micro-F1", f"{evaluation.micro_f1:.3f}"),
        ("calibration error (ECE)", f"{report.figures.ece:.3f}"),
        *((f"terms, {part}", f"{count:,}") for part, count in report.terms.items()),
    ]
    for figure, value in rows:
        figures.add_row(figure, value)
    return figures


# `evenhand train roles`.


def roles(
    data: Annotated[Path, typer.Option("--data", metavar="DIR", help="Folder with resumes, ads, O*NET and ESCO.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the vectors are written.")] = Path(
        "roles.npz"
    ),
    seed: opt.OptionalSeed = None,
    json: opt.AsJson = False,
) -> None:
    """Train the vectors of words that the role match of a score goes by.

    No labels are used: titles are learned against what stands under them, in resumes, ads, O*NET and ESCO. Words that
    fewer than five texts have are left out. Takes some three minutes.

    Examples:

    - evenhand train roles --data data --out roles.npz
    """
    from rich.table import Table

    from evenhand_lab.training.roles import train

    report = train(data, out, seed=seed or 0, progress=bar)
    if json:
        write_json(report.to_json())
        return
    table = Table("Figure", "Value", title="Role vectors", title_justify="left")
    for name, value in report.rows():
        table.add_row(name, value)
    print_rich(table, f"The vectors are in {out}.")
