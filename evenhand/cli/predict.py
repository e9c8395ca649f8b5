"""`evenhand predict`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from evenhand.cli.mine import AsOf, opened
from evenhand.cli.read import SOME_FAILED, Files, Set, Workers, flags
from evenhand.cli.terminal import bar, expand, print_rich, write_stderr, write_stdout
from evenhand.records.prediction import LabelProbability, Prediction
from evenhand.rendering.cells import printable
from evenhand.settings import Settings, load_settings
from evenhand.text.wording import sureness

if TYPE_CHECKING:
    from evenhand.models.predict import PredictionResult, Predictor


# A prediction in a few lines: the label, how sure the model is, and what else it thought of.

SHOWN = 3
NAMES = 34
BAR, COLUMNS = "▆", 30
SILENT = "not sure enough to say"


def prediction_card(predicted: PredictionResult, chosen: tuple[str, ...]) -> Group:
    return Group(*_rows(predicted, chosen), Text(""))


def _rows(predicted: PredictionResult, chosen: tuple[str, ...]) -> Iterator[RenderableType]:
    file = (printable(predicted.file or "(bytes)"), "bold")
    if predicted.prediction is None:
        failure = predicted.failure
        why = f"{printable(failure.message)} ({failure.code})" if failure else "not read"
        yield Text.assemble(file, "  ", (why, "red"))
        return
    said = (", ".join(chosen), "green") if chosen else (SILENT, "yellow")
    yield Text.assemble(file, "  ", said)
    yield _bars(predicted.prediction, max(SHOWN, len(chosen)))


def _bars(prediction: Prediction, shown: int) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=2)
    table.add_column(width=NAMES, no_wrap=True, overflow="ellipsis")
    table.add_column(width=4, justify="right", no_wrap=True)
    table.add_column(width=COLUMNS, no_wrap=True)
    for each in prediction.labels[:shown]:
        table.add_row("", Text(printable(each.label)), sureness(each.probability), _bar(each))
    return table


def _bar(each: LabelProbability) -> Text:
    return Text(BAR * round(COLUMNS * each.probability), style="green")


TaskName = Annotated[str, typer.Argument(metavar="TASK", help="occupation, level or fit.")]
JobFile = Annotated[
    str | None,
    typer.Option("--job", metavar="JOB", help="For fit: file with the job's text, or the text itself."),
]
ModelName = Annotated[
    str | None,
    typer.Option("--model", metavar="NAME", help="A model by its name, or a folder; without it, the one that ships."),
]
AbstainBelow = Annotated[
    float | None,
    typer.Option("--abstain-below", metavar="P", help="Say nothing where no label is at least so probable, 0 to 1."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one prediction per line, as JSON.")]
NO_DECISION = "A prediction is a guess about a text, no decision about a person."


def predict(
    task: TaskName,
    paths: Files,
    job: JobFile = None,
    model: ModelName = None,
    abstain_below: AbstainBelow = None,
    json: AsJson = False,
    as_of: AsOf = None,
    workers: Workers = None,
    set_: Set = None,
) -> None:
    """Predict from resumes: their occupation, their competence level, or whether they fit a job.

    Every label comes with its probability and the name and version of the model. Below a confidence that you choose,
    the model says nothing. A prediction decides nothing; see evenhand rank for scores that can be taken apart.

    Exit code: 0 all were predicted, 1 some files could not be read (the others are printed), 2 wrong usage.

    Examples:

    - evenhand predict occupation resume.pdf
    - evenhand predict occupation --model it-roles --json inbox/ > roles.jsonl
    - evenhand predict level --abstain-below 0.6 inbox/
    - evenhand predict fit --job job.txt inbox/
    """
    from evenhand.models.predict import open_predictor

    settings = load_settings(flags(workers, set_)).settings
    predictor = open_predictor(task, model=model, job=job, abstain_below=abstain_below, settings=settings)
    if predictor.classifier.note:
        write_stderr(predictor.classifier.note)
    inputs, barren = expand(paths)
    for folder in barren:
        write_stderr(f"{folder}: the folder holds no files.")
    failed = present_all(inputs, predictor, settings, as_of, write_json if json else card_shower(predictor))
    if not json:
        write_stderr(f"{NO_DECISION} Model: {predictor.manifest.name} {predictor.manifest.version}.")
    if failed or barren:
        raise typer.Exit(SOME_FAILED)


def present_all(
    inputs: list[str],
    predictor: Predictor,
    settings: Settings,
    as_of: str | None,
    present: Callable[[PredictionResult], None],
) -> int:
    """Predict and present in order; returns how many files could not be read."""
    from evenhand.models.predict import predict_many

    failed = 0
    with bar("Predicting", len(inputs)) as progress:
        for predicted in predict_many(opened(inputs, settings), predictor, as_of=as_of, settings=settings):
            progress.advance()
            failed += predicted.prediction is None
            with progress.aside():
                present(predicted)
    return failed


def write_json(predicted: PredictionResult) -> None:
    from evenhand.records import canonical_json

    write_stdout(canonical_json(predicted.to_json()) + "\n")


def card_shower(predictor: Predictor) -> Callable[[PredictionResult], None]:
    from evenhand.models.predict import chosen_labels

    def present(predicted: PredictionResult) -> None:
        found = predicted.prediction
        chosen = chosen_labels(found, outcome=predictor.manifest.outcome) if found else ()
        print_rich(prediction_card(predicted, chosen))

    return present
