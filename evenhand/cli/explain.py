"""`evenhand explain`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.mine import AsOf, opened
from evenhand.cli.predict import JobFile, ModelName, TaskName
from evenhand.cli.read import SOME_FAILED, Set, flags
from evenhand.cli.terminal import bar, put, show, tell
from evenhand.errors import NothingToExplain
from evenhand.settings import Settings, load_settings

if TYPE_CHECKING:
    from evenhand.workflows.baseline_comparison import Comparison
    from evenhand.workflows.explaining import Explained, Explainer
    from evenhand.workflows.mining import Mined

COMPARE = "compare"
One = Annotated[str, typer.Argument(metavar="FILE", help="A resume; - is standard input.")]
MethodName = Annotated[
    str | None,
    typer.Option(
        "--method", metavar="M", help="ig, lig, deeplift, conductance or occlusion; ig if not given."
    ),
]
BaselineName = Annotated[
    str,
    typer.Option(
        "--baseline", metavar="B", help="pad, average, negatives or random; compare shows them side by side."
    ),
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
    typer.Option(
        "--steps", metavar="N", help="Points along the path to begin with; more where they are too few."
    ),
]
Fast = Annotated[
    bool, typer.Option("--fast", help="Fewer points: good for the order of words, not for sums.")
]
UnitName = Annotated[
    str | None, typer.Option("--unit", metavar="U", help="What occlusion takes away: word, line or section.")
]
ReferenceFolder = Annotated[
    Path | None,
    typer.Option(
        "--reference", metavar="DIR", help="Resumes that baselines compare with; else generated ones."
    ),
]
NoFaithfulness = Annotated[
    bool, typer.Option("--no-faithfulness", help="Do not check whether the words named really matter.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the explanation as JSON.")]
HtmlFile = Annotated[
    Path | None, typer.Option("--html", metavar="F", help="Write a page with the resume coloured.")
]
PngFile = Annotated[
    Path | None, typer.Option("--png", metavar="F", help="Write the strongest words as bars.")
]
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
    from evenhand.workflows.explaining import open_explainer

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
            mined.document, mined.profile, target=target, faithful=not no_faithfulness, watch=bar
        )
    except NothingToExplain as error:
        raise refuse(mined.document.file, task, error.code, str(error), json=json) from None
    draw(found, html, png, svg)
    put_json(found) if json else show_cards(found)


def mine_one(path: str, task: str, settings: Settings, as_of: str | None, *, json: bool) -> Mined:
    from evenhand.workflows.mining import Mined, mine, month_of
    from evenhand.workflows.reading import read_many

    month_of(as_of)  # refused before the work
    (source,) = opened([path], settings)
    (document,) = read_many([source], workers=1, settings=settings) if isinstance(source, str) else (source,)
    mined = Mined(document, mine(document, as_of=as_of, settings=settings))
    if mined.failure:
        raise refuse(mined.document.file, task, mined.failure.code, mined.failure.message, json=json)
    return mined


def refuse(file: str | None, task: str, code: str, message: str, *, json: bool) -> typer.Exit:
    """The reason on stderr, and with --json as JSON too."""
    from evenhand.records import canonical_json

    tell(f"{file}: {message} ({code})" if not message.startswith(str(file)) else f"{message} ({code})")
    if json:
        error = {"code": code, "message": message}
        put(canonical_json({"file": file, "task": task, "error": error}) + "\n")
    return typer.Exit(SOME_FAILED)


def compare(explainer: Explainer, mined: Mined, target: str | None, *, json: bool) -> None:
    from evenhand.workflows.baseline_comparison import compare_baselines

    found = compare_baselines(explainer, mined.document, mined.profile, target=target)
    if json:
        put_comparison(found)
    else:
        from evenhand.cli.explanation_card import comparison_table

        show(*(comparison_table(each) for each in found))


def put_comparison(found: Sequence[Comparison]) -> None:
    from evenhand.records import canonical_json

    rows = [each.to_json() for each in found]
    put(canonical_json(rows[0] if len(rows) == 1 else rows) + "\n")


def put_json(found: Sequence[Explained]) -> None:
    from evenhand.records import canonical_json

    rows = [each.explanation.to_json() for each in found]
    put(canonical_json(rows[0] if len(rows) == 1 else rows) + "\n")


def show_cards(found: Sequence[Explained]) -> None:
    from evenhand.cli.explanation_card import explanation_card

    show(*(explanation_card(each) for each in found))


def draw(found: Sequence[Explained], html: Path | None, png: Path | None, svg: Path | None) -> None:
    """One page for all labels; a picture shows one, so several get the label into their names."""
    from evenhand.workflows.explanation_pictures import write_bars, write_page

    if html:
        write_page(found, html)
    for file in (png, svg):
        if file:
            write_bars(found, file)
