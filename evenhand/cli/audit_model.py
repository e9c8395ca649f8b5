"""`evenhand audit model`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.audit_options import AsJson, FailOn, Html, Pdf, finish
from evenhand.cli.predict import ModelName, TaskName
from evenhand.cli.read import Set, flags
from evenhand.cli.terminal import bar, tell
from evenhand.settings import load_settings

Folder = Annotated[
    Path,
    typer.Argument(
        metavar="FOLDER",
        help="A generated corpus, or resumes with labels.csv (file, label) and groups.csv (file, variables).",
    ),
]
Variables = Annotated[
    list[str] | None,
    typer.Option("--variable", metavar="NAME", help="Only these columns of the groups; repeat it. Else all."),
]
Most = Annotated[
    int | None, typer.Option("--most", metavar="N", min=1, help="Read no more than N resumes, spread evenly.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Start of the random choices.")]
Card = Annotated[
    bool, typer.Option("--card", help="Write the figures by group into the model's card and manifest.")
]


def model(
    task: TaskName,
    folder: Folder,
    model: ModelName = None,
    variable: Variables = None,
    most: Most = None,
    seed: Seed = 0,
    card: Card = False,
    json: AsJson = False,
    html: Html = None,
    pdf: Pdf = None,
    fail_on: FailOn = None,
    set_: Set = None,
) -> None:
    """Audit a model on resumes whose labels and groups are known: gaps, confidence, leakage, and where it errs.

    The model judges every resume without knowing its groups. Then groups are compared among resumes with the same true
    label, and readers try to tell the groups from what the model sees. A finding is never called clear where the test
    could not have found anything.

    Exit code: 0 audited, 2 wrong usage, 3 a finding is as bad as --fail-on.

    Examples:

    - evenhand audit model occupation corpus/
    - evenhand audit model level corpus/ --variable gender --html level.html --pdf level.pdf
    - evenhand audit model fit labelled/ --model my-fit --json > fit.json
    - evenhand audit model level corpus/ --model my-level --card
    """
    from evenhand.workflows.auditing.model_audit import audit_model

    settings = load_settings(flags(None, set_)).settings
    report = audit_model(
        task, folder, model=model, variables=variable, most=most, seed=seed, settings=settings, watch=bar
    )
    if card:
        from evenhand.workflows.auditing.card_update import update_card

        manifest = update_card(report, task, model=model, settings=settings)
        tell(f"The card of {manifest.name} {manifest.version} tells what was found by group.")
    finish(report, json=json, html=html, pdf=pdf, fail_on=fail_on)
