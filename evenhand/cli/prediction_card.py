"""A prediction in a few lines: the label, how sure the model is, and what else it thought of."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from evenhand.cli.terminal import printable
from evenhand.records.prediction import LabelProbability, Prediction
from evenhand.workflows.predicting import Predicted
from evenhand.workflows.wording import sureness

SHOWN = 3
NAMES = 34
BAR, COLUMNS = "▆", 30
SILENT = "not sure enough to say"


def prediction_card(predicted: Predicted, chosen: tuple[str, ...]) -> Group:
    return Group(*_rows(predicted, chosen), Text(""))


def _rows(predicted: Predicted, chosen: tuple[str, ...]) -> Iterator[RenderableType]:
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
