"""`evenhand train level | fit`: models of competence from generated applicants or from labels of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from evenhand.cli.terminal import bar, put, show, tell

if TYPE_CHECKING:
    from rich.table import Table

    from evenhand.workflows.competence_models import TrainedModel, Wish
    from evenhand.workflows.competence_training import CompetenceReport

SOME_UNREAD = 1

LabelsFile = Annotated[
    Path | None,
    typer.Option(
        "--labels-file",
        metavar="FILE",
        help="CSV or JSON Lines with file and label (fit: and job); without it, generated applicants.",
    ),
]
Levels = Annotated[
    str, typer.Option("--labels", metavar="LIST", help="Levels from the lowest to the highest, with commas.")
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the model.")]
Network = Annotated[
    str | None, typer.Option("--design", metavar="NAME", help="Which of the twelve networks, such as C+I.")
]
Number = Annotated[int, typer.Option("--n", metavar="N", help="How many applicants are generated.")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Start of the random choices.")]
Encoder = Annotated[
    str | None,
    typer.Option("--encoder", metavar="NAME", help="A folder or a hub name; without it, the one that ships."),
]
Layers = Annotated[
    int, typer.Option("--layers", metavar="K", min=0, help="How many of the encoder's upper layers learn.")
]
Full = Annotated[
    bool,
    typer.Option("--full", help="All weights of the encoder learn: slow, and the model is as large as it."),
]
Epochs = Annotated[int | None, typer.Option("--epochs", metavar="K", min=1, help="At most so many rounds.")]
NoFeatures = Annotated[
    bool, typer.Option("--no-features", help="The text alone, without months, degrees and certifications.")
]
Work = Annotated[
    Path | None, typer.Option("--work", metavar="DIR", help="Where a training that was stopped can go on.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
GENERATED = 1500


def level(
    out: Out = Path("level-model"),
    labels_file: LabelsFile = None,
    labels: Levels = "",
    design: Network = None,
    n: Number = GENERATED,
    seed: Seed = 0,
    encoder: Encoder = None,
    layers: Layers = 1,
    full: Full = False,
    epochs: Epochs = None,
    no_features: NoFeatures = False,
    work: Work = None,
    json: AsJson = False,
) -> None:
    """Train a model that says which competence level a resume shows.

    Without labels of your own it learns from generated applicants for clinical research posts. Names of files are
    relative to the folder of the labels.

    Examples:

    - evenhand train level --out level-model
    - evenhand train level --labels-file labels.csv --labels NQ,CRC1,CRC2,CRC3,CRC4 --out level-model
    - evenhand predict level --model level-model resume.pdf
    """
    from evenhand.workflows.competence_models import Wish

    order = tuple(filter(None, (label.strip() for label in labels.split(","))))
    wish = Wish(labels_file, order, n, seed, design, encoder, layers, full, epochs, not no_features, work)
    train("level", out, wish, json=json)


def fit(
    out: Out = Path("fit-model"),
    labels_file: LabelsFile = None,
    design: Network = None,
    n: Number = GENERATED,
    seed: Seed = 0,
    encoder: Encoder = None,
    layers: Layers = 1,
    full: Full = False,
    epochs: Epochs = None,
    no_features: NoFeatures = False,
    work: Work = None,
    json: AsJson = False,
) -> None:
    """Train a model that says whether a resume fits a job description.

    Your own labels have the columns file, job (a file with its text) and label (accept or reject). No applicant is
    learned from and measured on.

    Examples:

    - evenhand train fit --out fit-model
    - evenhand train fit --labels-file applications.csv --out fit-model
    - evenhand predict fit --model fit-model --job job.txt resume.pdf
    """
    from evenhand.workflows.competence_models import Wish

    wish = Wish(labels_file, (), n, seed, design, encoder, layers, full, epochs, not no_features, work)
    train("fit", out, wish, json=json)


def train(task: Literal["level", "fit"], out: Path, wish: Wish, *, json: bool) -> None:
    """Ends with 1 when files could not be read; the model has learned from the others."""
    from evenhand.records import canonical_json
    from evenhand.workflows.competence_models import train_model

    trained = train_model(task, out, wish, watch=bar)
    if json:
        put(canonical_json(trained.report.to_json()) + "\n")
    else:
        show(table(trained.report), f"The model is in {out}.")
    tell_unread(trained)


def tell_unread(trained: TrainedModel) -> None:
    for file, reason in trained.unread:
        tell(f"{file}: {reason}")
    if trained.unread:
        raise typer.Exit(SOME_UNREAD)


def table(report: CompetenceReport) -> Table:
    from rich.table import Table

    found = Table("Figure", "Value", title=f"{report.task}: network {report.design}", title_justify="left")
    train, dev, test = report.examples
    rows = [
        ("examples to learn from, to choose by, to measure on", f"{train:,}, {dev:,}, {test:,}"),
        ("accuracy on those to measure on", f"{report.test.accuracy:.3f}"),
        ("of always saying the commonest label", f"{report.majority:.3f}"),
        ("macro-F1", f"{report.test.macro_f1:.3f}"),
        ("calibration error (ECE)", f"{report.ece:.3f}"),
        ("epochs, the best of them", f"{report.epochs}, {report.best_epoch}"),
        ("seconds", f"{report.seconds:.0f}"),
    ]
    if report.test.ordered:
        rows.insert(4, ("within one level", f"{report.test.within_one:.3f}"))
    for figure, value in rows:
        found.add_row(figure, value)
    return found
