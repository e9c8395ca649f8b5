"""`evenhand explain`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from evenhand.cli.mine import AsOf, opened
from evenhand.cli.predict import JobFile, ModelName, TaskName
from evenhand.cli.read import SOME_FAILED, Set, flags
from evenhand.cli.terminal import bar, print_rich, write_stderr, write_stdout
from evenhand.errors import NothingToExplain
from evenhand.explain.paragraph import check_words, describe, fact_name, tidy
from evenhand.records.explanation import FactScore, SectionScore, WordScore
from evenhand.rendering.cells import printable
from evenhand.settings import Settings, load_settings

if TYPE_CHECKING:
    from evenhand.explain.baseline_comparison import BaselineComparison, BaselineRow
    from evenhand.explain.run import ExplainedResume, Explainer
    from evenhand.mining.pipeline import MinedResume


# An explanation in the terminal: a paragraph, the strongest words as bars, sections, and how far to trust it.

SHOWN = 8  # words on each side
NAMES, COLUMNS = 28, 30
BAR = "▆"
MIN_SHARE = 0.02  # of the strongest word: what is weaker is no line worth
FOR, AGAINST = "blue", "dark_orange3"


def explanation_card(explained: ExplainedResume) -> Group:
    return Group(*_rows(explained), Text(""))


def _rows(explained: ExplainedResume) -> Iterator[RenderableType]:
    found = explained.explanation
    yield Text.assemble((printable(found.file or "(bytes)"), "bold"), "  ", (found.target, "green"))
    told = describe(found, probability=explained.probability, is_said=explained.is_said)
    yield Text(printable(" ".join(told)))
    words = sorted(found.words, key=lambda word: (-word.score, word.start))
    yield from _side("Words for it", [word for word in words if word.score > 0][:SHOWN], found.words, FOR)
    against = [word for word in reversed(words) if word.score < 0][:SHOWN]
    yield from _side("Words against it", against, found.words, AGAINST)
    yield Text("\nSections", style="bold")
    yield _bars([(each.type, each.score) for each in _ordered(found.sections)], "")
    if facts := sorted(found.facts, key=lambda fact: -abs(fact.score))[:SHOWN]:
        yield Text("\nNumbers mined from the resume", style="bold")
        yield _bars([(_fact(each), each.score) for each in facts], "")
    yield Text("\nHow far to trust this", style="bold")
    for sentence in (*check_words(found), *found.warnings):
        yield Text(printable(f"- {sentence}"))
    yield Text(_how(explained), style="dim")


def _side(
    heading: str, words: Sequence[WordScore], every: Sequence[WordScore], colour: str
) -> Iterator[RenderableType]:
    largest = max(abs(word.score) for word in every)
    words = [word for word in words if abs(word.score) >= MIN_SHARE * largest]
    if words:
        yield Text(f"\n{heading}", style="bold")
        yield _bars([(tidy(word.text), word.score) for word in words], colour, largest=largest)


def _fact(fact: FactScore) -> str:
    return f"{fact_name(fact)}: {'unknown' if fact.value is None else f'{fact.value:g}'}"


def _ordered(sections: Sequence[SectionScore]) -> list[SectionScore]:
    return sorted(sections, key=lambda section: -section.score)


def _bars(rows: Sequence[tuple[str, float]], colour: str, *, largest: float | None = None) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=2)
    table.add_column(width=NAMES, no_wrap=True, overflow="ellipsis")
    table.add_column(width=7, justify="right", no_wrap=True)
    table.add_column(width=COLUMNS, no_wrap=True)
    whole = largest or max((abs(score) for _, score in rows), default=0.0)
    for name, score in rows:
        length = round(COLUMNS * abs(score) / whole) if whole else 0
        style = colour or (FOR if score >= 0 else AGAINST)
        table.add_row("", Text(printable(name)), f"{score:+.2f}", Text(BAR * length, style=style))
    return table


def _how(explained: ExplainedResume) -> str:
    found = explained.explanation
    steps = f", {found.steps} steps" if found.steps else ""
    return (
        f"{found.method}, baseline {found.baseline}{steps}; output {found.output:.3f}, of the baseline "
        f"{found.baseline_output:.3f}, delta {found.delta:z.3f} (logits); "
        f"model {found.model.name} {found.model.version}."
    )


def comparison_table(comparison: BaselineComparison) -> Group:
    heading = f"{printable(comparison.file or '(bytes)')}  {comparison.target}  {comparison.method}"
    return Group(Text(heading, style="bold"), _baselines(comparison), _pairs(comparison), Text(""))


def _baselines(comparison: BaselineComparison) -> Table:
    table = Table("Baseline", title="What the model says of each baseline")
    for name in ("F(x)", "F(x')", "delta", "no word", "adds up"):
        table.add_column(name, justify="right")
    for row in comparison.baselines:
        table.add_row(row.baseline, *_cells(row))
    return table


def _cells(row: BaselineRow) -> list[str]:
    if row.message is not None:
        return [printable(row.message)]
    numbers = (row.output, row.baseline_output, row.delta, row.special)
    return [*(f"{number:z.3f}" for number in numbers if number is not None), "yes" if row.converged else "no"]


def _pairs(comparison: BaselineComparison) -> Table:
    table = Table("Baselines", title="How alike the explanations are")
    table.add_column("rank correlation", justify="right")
    table.add_column("same of the top 10", justify="right")
    for pair in comparison.pairs:
        correlation = "" if pair.correlation is None else f"{pair.correlation:.2f}"
        table.add_row(f"{pair.first}, {pair.second}", correlation, f"{pair.overlap:.0%}")
    return table


COMPARE = "compare"
One = Annotated[str, typer.Argument(metavar="FILE", help="A resume; - is standard input.")]
MethodName = Annotated[
    str | None,
    typer.Option("--method", metavar="M", help="ig, lig, deeplift, conductance or occlusion; ig if not given."),
]
BaselineName = Annotated[
    str,
    typer.Option("--baseline", metavar="B", help="pad, average, negatives or random; compare shows them side by side."),
]
Target = Annotated[
    str | None,
    typer.Option("--target", metavar="LABEL", help="Label to explain; without it, what the model says."),
]
Layer = Annotated[
    str | None, typer.Option("--layer", metavar="L", help="For lig and conductance: a layer of the network.")
]
Steps = Annotated[
    int | None,
    typer.Option("--steps", metavar="N", help="Points along the path to begin with; more where they are too few."),
]
Fast = Annotated[bool, typer.Option("--fast", help="Fewer points: good for the order of words, not for sums.")]
UnitName = Annotated[
    str | None, typer.Option("--unit", metavar="U", help="What occlusion takes away: word, line or section.")
]
ReferenceFolder = Annotated[
    Path | None,
    typer.Option("--reference", metavar="DIR", help="Resumes that baselines compare with; else generated ones."),
]
NoFaithfulness = Annotated[
    bool, typer.Option("--no-faithfulness", help="Do not check whether the words named really matter.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the explanation as JSON.")]
HtmlFile = Annotated[Path | None, typer.Option("--html", metavar="F", help="Write a page with the resume coloured.")]
PngFile = Annotated[Path | None, typer.Option("--png", metavar="F", help="Write the strongest words as bars.")]
SvgFile = Annotated[Path | None, typer.Option("--svg", metavar="F", help="The same as SVG.")]


def explain(
    task: TaskName,
    path: One,
    model: ModelName = None,
    method: MethodName = None,
    baseline: BaselineName = "pad",
    target: Target = None,
    layer: Layer = None,
    job: JobFile = None,
    steps: Steps = None,
    fast: Fast = False,
    unit: UnitName = None,
    reference: ReferenceFolder = None,
    no_faithfulness: NoFaithfulness = False,
    json: AsJson = False,
    html: HtmlFile = None,
    png: PngFile = None,
    svg: SvgFile = None,
    as_of: AsOf = None,
    set_: Set = None,
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

    settings = load_settings(flags(None, set_)).settings
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
        found = explainer.explain(
            mined.document, mined.profile, target=target, faithful=not no_faithfulness, progress=bar
        )
    except NothingToExplain as error:
        raise refuse(mined.document.file, task, error.code, str(error), json=json) from None
    draw(found, html, png, svg)
    write_json(found) if json else show_cards(found)


def mine_one(path: str, task: str, settings: Settings, as_of: str | None, *, json: bool) -> MinedResume:
    from evenhand.documents.reading import read_many
    from evenhand.mining.pipeline import MinedResume, mine, month_of

    month_of(as_of)  # refused before the work
    (source,) = opened([path], settings)
    (document,) = read_many([source], workers=1, settings=settings) if isinstance(source, str) else (source,)
    mined = MinedResume(document, mine(document, as_of=as_of, settings=settings))
    if mined.failure:
        raise refuse(mined.document.file, task, mined.failure.code, mined.failure.message, json=json)
    return mined


def refuse(file: str | None, task: str, code: str, message: str, *, json: bool) -> typer.Exit:
    """The reason on stderr, and with --json as JSON too."""
    from evenhand.records import canonical_json

    write_stderr(f"{file}: {message} ({code})" if not message.startswith(str(file)) else f"{message} ({code})")
    if json:
        error = {"code": code, "message": message}
        write_stdout(canonical_json({"file": file, "task": task, "error": error}) + "\n")
    return typer.Exit(SOME_FAILED)


def compare(explainer: Explainer, mined: MinedResume, target: str | None, *, json: bool) -> None:
    from evenhand.explain.baseline_comparison import compare_baselines

    found = compare_baselines(explainer, mined.document, mined.profile, target=target)
    if json:
        write_comparison(found)
    else:
        print_rich(*(comparison_table(each) for each in found))


def write_comparison(found: Sequence[BaselineComparison]) -> None:
    from evenhand.records import canonical_json

    rows = [each.to_json() for each in found]
    write_stdout(canonical_json(rows[0] if len(rows) == 1 else rows) + "\n")


def write_json(found: Sequence[ExplainedResume]) -> None:
    from evenhand.records import canonical_json

    rows = [each.explanation.to_json() for each in found]
    write_stdout(canonical_json(rows[0] if len(rows) == 1 else rows) + "\n")


def show_cards(found: Sequence[ExplainedResume]) -> None:
    print_rich(*(explanation_card(each) for each in found))


def draw(found: Sequence[ExplainedResume], html: Path | None, png: Path | None, svg: Path | None) -> None:
    """One page for all labels; a picture shows one, so several get the label into their names."""
    from evenhand.explain.pictures.page import write_bars, write_page

    if html:
        write_page(found, html)
    for file in (png, svg):
        if file:
            write_bars(found, file)
