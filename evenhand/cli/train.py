"""`evenhand train`: models from labelled resumes, and the ranker's weights from decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape

from evenhand.cli import options as opt
from evenhand.cli.options import actor_from, command_group, service_from
from evenhand.cli.terminal import bar, print_rich, text_table, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.rendering.cells import printable
from evenhand.text.wording import count

if TYPE_CHECKING:
    from rich.table import Table

    from evenhand.models.competence import CompetenceReport, TrainingOptions
    from evenhand.screening.ranker_training import RankerTrainingResult, SetAside
    from evenhand.search.rankers.weights import LabelTally, WeightsInForce
    from evenhand.search.service import Service


# What was learned of the ranker's weights, as tables: the weights, how well they order, who taught, every
# version.


def weights_table(lesson: RankerTrainingResult) -> Table:
    from evenhand.search.rankers.best import NAMES

    proposal = lesson.proposal
    before, after = proposal.start.to_json(), proposal.weights.to_json()
    rows = (
        (words, f"{before[name]:.1f}", f"{after[name]:.1f}", f"{after[name] - before[name]:+.1f}")
        for name, words in NAMES.items()
        if before[name] or after[name]
    )
    heads = ("Weight", f">In force ({named(lesson.before.version)})", ">Learned", ">Change")
    where = "this job" if lesson.job else "all jobs"
    taught = f"{proposal.shortlisted} shortlisted or offered and {proposal.rejected} rejected of {where}"
    weights = text_table(heads, rows, title=f"Learned from {taught}")
    weights.add_section()
    weights.add_row(
        f"right order, of {count(proposal.held_out, 'held-out pair')}",
        share(proposal.accuracy_before),
        share(proposal.accuracy_after),
        "" if proposal.chance is None else f"luck: {proposal.chance:.1%}",
    )
    return weights


def users_table(users: Sequence[LabelTally]) -> Table:
    heads = ("Decided by", ">Decisions", ">Above the cap", ">Learned from", ">Held out")
    rows = (
        (
            escape(printable(tally.user)),
            *(f"{number:,}" for number in (tally.given, tally.capped, tally.learned, tally.held_out)),
        )
        for tally in users
    )
    return text_table(heads, rows, title="Whose decisions")


def left_out(set_aside: SetAside) -> Iterator[str]:
    if set_aside.rejected_with_the_rest:
        yield f"{count(set_aside.rejected_with_the_rest, 'application')} rejected with the rest of a list."
    if set_aside.rejected_after_shortlist:
        yield f"{count(set_aside.rejected_after_shortlist, 'application')} rejected after the shortlist."


def history_table(entries: Sequence[Mapping[str, Any]], in_force: WeightsInForce) -> Table:
    from evenhand.search.rankers.best import Weights

    rows = [(mark(0, in_force), "", "", "", "", "", points(Weights().to_json()))]
    rows += (
        (
            mark(entry["version"], in_force),
            str(entry["time"])[:16].replace("T", " "),
            escape(printable(str(entry["by"]))),
            str(entry["shortlisted"] + entry["rejected"]),
            share(entry["accuracy_before"]),
            share(entry["accuracy_after"]),
            points(entry["weights"]),
        )
        for entry in entries
    )
    heads = ("Version", "Adopted", "By", ">Decisions", ">Right before", ">Right after", "Weights")
    return text_table(heads, rows, title="Weights of the ranker best")


def mark(version: int, in_force: WeightsInForce) -> str:
    return f"{named(version)}{' (in force)' if version == in_force.version else ''}"


def named(version: int) -> str:
    return str(version) if version else "defaults"


def points(weights: Mapping[str, float]) -> str:
    from evenhand.search.rankers.best import NAMES

    return ", ".join(f"{words} {value:.1f}" for name, words in NAMES.items() if (value := weights[name]))


def share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


# `evenhand train level | fit`: models of competence from generated applicants or from labels of one's own.

SOME_UNREAD = 1

LabelsFile = Annotated[
    Path | None,
    opt.option(
        "--labels-file FILE", "CSV or JSON Lines with file and label (fit: and job); without it, generated applicants."
    ),
]
Levels = Annotated[str, opt.option("--labels LIST", "Levels from the lowest to the highest, with commas.")]
Network = Annotated[str | None, opt.option("--design NAME", "Network architecture, such as C+I.")]
Encoder = Annotated[str | None, opt.option("--encoder NAME", "A folder or a hub name; without it, the one that ships.")]
Layers = Annotated[int, opt.option("--layers K", "How many upper layers of the encoder to fine-tune.", min=0)]
Full = Annotated[
    bool, opt.option("--full", "Fine-tune all weights of the encoder: slow, and the model is as large as the encoder.")
]
Epochs = Annotated[int | None, opt.option("--epochs K", "Maximum number of epochs.", min=1)]
NoFeatures = Annotated[
    bool, opt.option("--no-features", "Use the text only, without months, degrees and certifications.")
]
GENERATED = 1500


def level(
    out: opt.OutFolder = Path("level-model"),
    labels_file: LabelsFile = None,
    labels: Levels = "",
    design: Network = None,
    n: opt.GeneratedCount = GENERATED,
    seed: opt.Seed = 0,
    encoder: Encoder = None,
    layers: Layers = 1,
    full: Full = False,
    epochs: Epochs = None,
    no_features: NoFeatures = False,
    work: opt.WorkFolder = None,
    json: opt.AsJson = False,
) -> None:
    """Train a model that says which competence level a resume shows.

    Without labels of your own it learns from generated applicants for clinical research posts. Names of files are
    relative to the folder of the labels.

    Examples:

    - evenhand train level --out level-model
    - evenhand train level --labels-file labels.csv --labels NQ,CRC1,CRC2,CRC3,CRC4 --out level-model
    - evenhand predict level --model level-model resume.pdf
    """
    from evenhand.models.competence import TrainingOptions

    order = tuple(filter(None, (label.strip() for label in labels.split(","))))
    wish = TrainingOptions(labels_file, order, n, seed, design, encoder, layers, full, epochs, not no_features, work)
    train("level", out, wish, json=json)


def fit(
    out: opt.OutFolder = Path("fit-model"),
    labels_file: LabelsFile = None,
    design: Network = None,
    n: opt.GeneratedCount = GENERATED,
    seed: opt.Seed = 0,
    encoder: Encoder = None,
    layers: Layers = 1,
    full: Full = False,
    epochs: Epochs = None,
    no_features: NoFeatures = False,
    work: opt.WorkFolder = None,
    json: opt.AsJson = False,
) -> None:
    """Train a model that says whether a resume fits a job description.

    Your own labels have the columns file, job (a file with its text) and label (accept or reject). No applicant is
    learned from and measured on.

    Examples:

    - evenhand train fit --out fit-model
    - evenhand train fit --labels-file applications.csv --out fit-model
    - evenhand predict fit --model fit-model --job job.txt resume.pdf
    """
    from evenhand.models.competence import TrainingOptions

    wish = TrainingOptions(labels_file, (), n, seed, design, encoder, layers, full, epochs, not no_features, work)
    train("fit", out, wish, json=json)


def train(task: Literal["level", "fit"], out: Path, wish: TrainingOptions, *, json: bool) -> None:
    """Ends with 1 when files could not be read; the model has learned from the others."""
    from evenhand.models.competence import train_model

    trained = train_model(task, out, wish, progress=bar)
    if json:
        write_json(trained.report.to_json())
    else:
        print_rich(table(trained.report), f"The model is in {out}.")
    for file, reason in trained.unread:
        write_stderr(f"{file}: {reason}")
    if trained.unread:
        raise typer.Exit(SOME_UNREAD)


def table(report: CompetenceReport) -> Table:
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
    return text_table(("Figure", "Value"), rows, title=f"{report.task}: network {report.architecture}")


app = command_group("Train models.")

Adopt = Annotated[bool, opt.option("--adopt", "Rank by the new weights from now on; without it, nothing changes.")]
RollBack = Annotated[bool, opt.option("--roll-back", "Restore the weights of VERSION, or the previous ones.")]
History = Annotated[bool, opt.option("--history", "Every version of the weights, and which is in force.")]
Version = Annotated[int | None, opt.argument("[VERSION]", "With --roll-back: its number; 0, the defaults.", min=0)]
REFUSED = 1


@app.callback()
def tasks() -> None:
    """Train models."""


@app.command()
def ranker(
    version: Version = None,
    job: opt.AnyJob = None,
    adopt: Adopt = False,
    roll_back: RollBack = False,
    history: History = False,
    by: opt.Actor = None,
    json: opt.AsJson = False,
    set_: opt.Set = None,
) -> None:
    """Learn the weights of the default ranker from decisions; show, adopt or roll them back.

    Who was shortlisted or offered should stand above whom the same person rejected for the same job. Rejections of the
    rest of a list teach nothing. No one's decisions count beyond the latest 50, and new weights are refused unless they
    order decisions that were held out better, by more than luck would.

    Examples:

    - evenhand train ranker
    - evenhand train ranker --job ID --adopt
    - evenhand train ranker --history
    - evenhand train ranker --roll-back
    - evenhand train ranker --roll-back 3
    """
    if adopt + roll_back + history > 1:
        raise UsageError("Give one of --adopt, --roll-back and --history.")
    if version is not None and not roll_back:
        raise UsageError("A version is for --roll-back only.")
    with service_from(set_) as service:
        if roll_back:
            from evenhand.screening import ranker_training

            restored = ranker_training.roll_back(service, version, by=actor_from(by))
            if json:
                write_json(restored.to_json())
            elif restored.version:
                write_stdout(f"Version {restored.version} of the weights is in force again.\n")
            else:
                write_stdout("The default weights are in force again.\n")
        elif history:
            entries, in_force = service.weights.entries(), service.weights.in_force()
            if json:
                write_json({"in_force": in_force.to_json(), "versions": entries})
            else:
                print_rich(history_table(entries, in_force))
        else:
            learn(service, job, adopter=(actor_from(by)) if adopt else None, json=json)


def learn(service: Service, job: str | None, *, adopter: str | None, json: bool) -> None:
    """Ends with 1 when there is somebody to adopt it and it is refused."""
    from evenhand.screening import ranker_training

    lesson = ranker_training.learn_from_decisions(service, job=job, progress=bar)
    version = None
    if adopter is not None and lesson.refusal is None:
        version = ranker_training.adopt(service, lesson, by=adopter, time=datetime.now(UTC))
    if json:
        write_json({**lesson.to_json(), "adopted": version})
    else:
        users = lesson.proposal.users
        set_aside = (f"Set aside: {sentence}" for sentence in left_out(lesson.set_aside))
        print_rich(weights_table(lesson), *([users_table(users)] if users else []), *set_aside)
    if lesson.refusal is not None:
        write_stderr(f"{lesson.refusal} Nothing has changed.")
        raise typer.Exit(REFUSED if adopter is not None else 0)
    if version is not None:
        write_stderr(f"Version {version} is in force. To take it back: evenhand train ranker --roll-back")
    else:
        write_stderr("Nothing has changed; --adopt puts the new weights in force.")


app.command()(level)
app.command()(fit)
