"""`evenhand predict` and `evenhand explain`: what a model says of a resume, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from evenhand.cli import options as opt
from evenhand.cli.inputs import expand, open_inputs
from evenhand.cli.options import settings_from
from evenhand.cli.terminal import SOME_FAILED, bar, print_rich, write_json, write_stderr
from evenhand.errors import NothingToExplain
from evenhand.explain.paragraph import check_words, describe, fact_name, tidy
from evenhand.records.explanation import WordScore
from evenhand.rendering.cells import printable
from evenhand.settings import Settings
from evenhand.text.wording import sureness

if TYPE_CHECKING:
    from evenhand.explain.baseline_comparison import BaselineComparison, BaselineRow
    from evenhand.explain.run import ExplainedResume, Explainer
    from evenhand.mining.pipeline import MinedResume
    from evenhand.models.predict import PredictionResult


# A prediction in a few lines: the label, how sure the model is, and what else it thought of.

BAR, COLUMNS = "▆", 30
SHOWN_LABELS = 3
LABEL_WIDTH = 34
SILENT = "not sure enough to say"


def _prediction_rows(predicted: PredictionResult, outcome: str) -> Iterator[RenderableType]:
    from evenhand.models.predict import chosen_labels

    file = (printable(predicted.file or "(bytes)"), "bold")
    if predicted.prediction is None:
        failure = predicted.failure
        why = f"{printable(failure.message)} ({failure.code})" if failure else "not read"
        yield Text.assemble(file, "  ", (why, "red"))
        return
    chosen = chosen_labels(predicted.prediction, outcome=outcome)
    verdict = (", ".join(chosen), "green") if chosen else (SILENT, "yellow")
    yield Text.assemble(file, "  ", verdict)
    table = _bar_grid(LABEL_WIDTH, 4)
    for label in predicted.prediction.labels[: max(SHOWN_LABELS, len(chosen))]:
        table.add_row(
            "",
            Text(printable(label.label)),
            sureness(label.probability),
            Text(BAR * round(COLUMNS * label.probability), style="green"),
        )
    yield table


def _bar_grid(names: int, numbers: int) -> Table:
    """Rows of a name, a number and a bar, indented; the widths of the first two."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=2)
    table.add_column(width=names, no_wrap=True, overflow="ellipsis")
    table.add_column(width=numbers, justify="right", no_wrap=True)
    table.add_column(width=COLUMNS, no_wrap=True)
    return table


AbstainBelow = Annotated[
    float | None, opt.option("--abstain-below P", "Say nothing where no label is at least so probable, 0 to 1.")
]
NO_DECISION = "A prediction is a guess about a text, no decision about a person."


def predict(
    task: opt.TaskName,
    paths: opt.Files,
    job: opt.JobText = None,
    model: opt.ModelName = None,
    abstain_below: AbstainBelow = None,
    json: opt.AsJson = False,
    as_of: opt.AsOf = None,
    workers: opt.Workers = None,
    set_: opt.Set = None,
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
    from evenhand.models.predict import open_predictor, predict_many

    settings = settings_from(set_, workers)
    predictor = open_predictor(task, model=model, job=job, abstain_below=abstain_below, settings=settings)
    if predictor.classifier.note:
        write_stderr(predictor.classifier.note)
    inputs, empty = expand(paths)
    failed = 0
    with bar("Predicting", len(inputs)) as progress:
        for predicted in predict_many(open_inputs(inputs, settings), predictor, as_of=as_of, settings=settings):
            progress.advance()
            failed += predicted.prediction is None
            with progress.aside():
                if json:
                    write_json(predicted.to_json())
                else:
                    print_rich(Group(*_prediction_rows(predicted, predictor.manifest.outcome), Text("")))
    if not json:
        write_stderr(f"{NO_DECISION} Model: {predictor.manifest.name} {predictor.manifest.version}.")
    if failed or empty:
        raise typer.Exit(SOME_FAILED)


# An explanation in the terminal: a paragraph, the strongest words as bars, sections, and how far to trust it.

SHOWN_WORDS = 8  # words on each side
NAME_WIDTH = 28
MIN_SHARE = 0.02  # of the strongest word: what is weaker is no line worth
FOR, AGAINST = "blue", "dark_orange3"


def _explanation_rows(explained: ExplainedResume) -> Iterator[RenderableType]:
    explanation = explained.explanation
    yield Text.assemble((printable(explanation.file or "(bytes)"), "bold"), "  ", (explanation.target, "green"))
    sentences = describe(explanation, probability=explained.probability, is_said=explained.is_said)
    yield Text(printable(" ".join(sentences)))
    words = sorted(explanation.words, key=lambda word: (-word.score, word.start))
    yield from _side("Words for it", [word for word in words if word.score > 0][:SHOWN_WORDS], explanation.words, FOR)
    against = [word for word in reversed(words) if word.score < 0][:SHOWN_WORDS]
    yield from _side("Words against it", against, explanation.words, AGAINST)
    yield Text("\nSections", style="bold")
    yield _bars(
        [(part.type, part.score) for part in sorted(explanation.sections, key=lambda section: -section.score)], ""
    )
    if facts := sorted(explanation.facts, key=lambda fact: -abs(fact.score))[:SHOWN_WORDS]:
        yield Text("\nNumbers mined from the resume", style="bold")
        yield _bars(
            [
                (f"{fact_name(number)}: {'unknown' if number.value is None else f'{number.value:g}'}", number.score)
                for number in facts
            ],
            "",
        )
    yield Text("\nHow far to trust this", style="bold")
    for sentence in (*check_words(explanation), *explanation.warnings):
        yield Text(printable(f"- {sentence}"))
    steps = f", {explanation.steps} steps" if explanation.steps else ""
    how = (
        f"{explanation.method}, baseline {explanation.baseline}{steps}; output {explanation.output:.3f}, "
        f"of the baseline {explanation.baseline_output:.3f}, delta {explanation.delta:z.3f} (logits); "
        f"model {explanation.model.name} {explanation.model.version}."
    )
    yield Text(how, style="dim")


def _side(
    heading: str, words: Sequence[WordScore], every: Sequence[WordScore], colour: str
) -> Iterator[RenderableType]:
    largest = max(abs(word.score) for word in every)
    words = [word for word in words if abs(word.score) >= MIN_SHARE * largest]
    if words:
        yield Text(f"\n{heading}", style="bold")
        yield _bars([(tidy(word.text), word.score) for word in words], colour, largest=largest)


def _bars(rows: Sequence[tuple[str, float]], colour: str, *, largest: float | None = None) -> Table:
    table = _bar_grid(NAME_WIDTH, 7)
    whole = largest or max((abs(score) for _, score in rows), default=0.0)
    for name, score in rows:
        length = round(COLUMNS * abs(score) / whole) if whole else 0
        style = colour or (FOR if score >= 0 else AGAINST)
        table.add_row("", Text(printable(name)), f"{score:+.2f}", Text(BAR * length, style=style))
    return table


def comparison_table(comparison: BaselineComparison) -> Group:
    heading = f"{printable(comparison.file or '(bytes)')}  {comparison.target}  {comparison.method}"
    table = Table("Baseline", title="What the model says of each baseline")
    for name in ("F(x)", "F(x')", "delta", "no word", "adds up"):
        table.add_column(name, justify="right")
    for row in comparison.baselines:
        table.add_row(row.baseline, *_cells(row))
    pairs = Table("Baselines", title="How alike the explanations are")
    pairs.add_column("rank correlation", justify="right")
    pairs.add_column("same of the top 10", justify="right")
    for pair in comparison.pairs:
        correlation = "" if pair.correlation is None else f"{pair.correlation:.2f}"
        pairs.add_row(f"{pair.first}, {pair.second}", correlation, f"{pair.overlap:.0%}")
    return Group(Text(heading, style="bold"), table, pairs, Text(""))


def _cells(row: BaselineRow) -> list[str]:
    if row.message is not None:
        return [printable(row.message)]
    numbers = (row.output, row.baseline_output, row.delta, row.special)
    return [*(f"{number:z.3f}" for number in numbers if number is not None), "yes" if row.converged else "no"]


COMPARE = "compare"
One = Annotated[str, opt.argument("FILE", "A resume; - is standard input.")]
MethodName = Annotated[
    str | None, opt.option("--method M", "ig, lig, deeplift, conductance or occlusion; ig if not given.")
]
BaselineName = Annotated[
    str, opt.option("--baseline B", "pad, average, negatives or random; compare shows them side by side.")
]
Target = Annotated[str | None, opt.option("--target LABEL", "Label to explain; without it, what the model says.")]
Layer = Annotated[str | None, opt.option("--layer L", "For lig and conductance: a layer of the network.")]
Steps = Annotated[
    int | None, opt.option("--steps N", "Points along the path to begin with; more where they are too few.")
]
Fast = Annotated[bool, opt.option("--fast", "Fewer points: good for the order of words, not for sums.")]
UnitName = Annotated[str | None, opt.option("--unit U", "What occlusion takes away: word, line or section.")]
ReferenceFolder = Annotated[
    Path | None, opt.option("--reference DIR", "Resumes that baselines compare with; else generated ones.")
]
NoFaithfulness = Annotated[bool, opt.option("--no-faithfulness", "Do not check whether the words named really matter.")]
PngFile = Annotated[Path | None, opt.option("--png F", "Write the strongest words as bars.")]
SvgFile = Annotated[Path | None, opt.option("--svg F", "The same as SVG.")]


def explain(
    task: opt.TaskName,
    path: One,
    model: opt.ModelName = None,
    method: MethodName = None,
    baseline: BaselineName = "pad",
    target: Target = None,
    layer: Layer = None,
    job: opt.JobText = None,
    steps: Steps = None,
    fast: Fast = False,
    unit: UnitName = None,
    reference: ReferenceFolder = None,
    no_faithfulness: NoFaithfulness = False,
    json: opt.AsJson = False,
    html: opt.HtmlFile = None,
    png: PngFile = None,
    svg: SvgFile = None,
    as_of: opt.AsOf = None,
    set_: opt.Set = None,
) -> None:
    """Explain a prediction: which words of the resume made it, and what would have changed it.

    Every word has a score; the scores add up to what the model's output has more than for the baseline, and how far
    they miss it is shown. Words are then taken out to see whether the model really goes by them.
    A model that gives several labels has one explanation for each that it gives; --json then prints a list.

    Exit code: 0 explained, 1 the file cannot be read or has no words, 2 wrong usage.

    Examples:

    - evenhand explain occupation resume.pdf
    - evenhand explain occupation resume.pdf --target CHEF --html why.html --png why.png
    - evenhand explain occupation resume.pdf --model it-roles --json > why.json
    - evenhand explain occupation resume.pdf --baseline compare
    - evenhand explain fit resume.pdf --job job.txt --method occlusion --unit line
    """
    from evenhand.explain.run import open_explainer

    settings = settings_from(set_)
    explainer = open_explainer(
        task,
        model=model,
        job=job,
        method=method,
        baseline="pad" if baseline == COMPARE else baseline,
        layer=layer,
        steps=steps,
        fast=fast,
        unit=unit,
        reference=reference,
        settings=settings,
    )
    mined = mine_one(path, task, settings, as_of, json=json)
    try:
        if baseline == COMPARE:
            compare(explainer, mined, target, json=json)
            return
        explanations = explainer.explain(
            mined.document, mined.profile, target=target, faithful=not no_faithfulness, progress=bar
        )
    except NothingToExplain as error:
        raise refuse(mined.document.file, task, error.code, str(error), json=json) from None
    draw(explanations, html, png, svg)
    if json:
        write_one_or_all([explained.explanation.to_json() for explained in explanations])
    else:
        print_rich(*(Group(*_explanation_rows(explained), Text("")) for explained in explanations))


def mine_one(path: str, task: str, settings: Settings, as_of: str | None, *, json: bool) -> MinedResume:
    from evenhand.documents.reading import open_pool, read_or_fail
    from evenhand.mining.pipeline import MinedResume, mine, month_of

    month_of(as_of)  # refused before the work
    (source,) = open_inputs([path], settings)
    with open_pool(settings, workers=1) as pool:
        document = read_or_fail(source, settings=settings, pool=pool) if isinstance(source, str) else source
    mined = MinedResume(document, mine(document, as_of=as_of, settings=settings))
    if mined.failure:
        raise refuse(mined.document.file, task, mined.failure.code, mined.failure.message, json=json)
    return mined


def refuse(file: str | None, task: str, code: str, message: str, *, json: bool) -> typer.Exit:
    """The reason on stderr, and with --json as JSON too."""
    write_stderr(f"{file}: {message} ({code})" if not message.startswith(str(file)) else f"{message} ({code})")
    if json:
        error = {"code": code, "message": message}
        write_json({"file": file, "task": task, "error": error})
    return typer.Exit(SOME_FAILED)


def compare(explainer: Explainer, mined: MinedResume, target: str | None, *, json: bool) -> None:
    from evenhand.explain.baseline_comparison import compare_baselines

    comparisons = compare_baselines(explainer, mined.document, mined.profile, target=target)
    if json:
        write_one_or_all([comparison.to_json() for comparison in comparisons])
    else:
        print_rich(*map(comparison_table, comparisons))


def write_one_or_all(rows: Sequence[dict[str, Any]]) -> None:
    write_json(rows[0] if len(rows) == 1 else rows)


def draw(explanations: Sequence[ExplainedResume], html: Path | None, png: Path | None, svg: Path | None) -> None:
    """One page for all labels; a picture shows one, so several get the label into their names."""
    from evenhand.explain.pictures.page import write_bars, write_page

    if html:
        write_page(explanations, html)
    for file in (png, svg):
        if file:
            write_bars(explanations, file)
