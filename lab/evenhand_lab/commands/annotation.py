"""`evenhand corpus agreement | sample | adjudicate`: the rounds by which people label resumes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli import options as opt
from evenhand.cli.terminal import print_rich, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from evenhand_lab.corpora.annotation import AnnotationBatch, ContestedItem
    from evenhand_lab.corpora.annotation_files import AgreementReport

OPEN = 1  # exit code: some items are still contested
SHOWN = 20

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...", help="CSV or JSON Lines with item and label; annotator and round where a file has several."
    ),
]
Labels = Annotated[
    str, typer.Option("--labels", metavar="LIST", help="The labels from the lowest to the highest, with commas.")
]
Pool = Annotated[
    Path, typer.Argument(metavar="POOL", help="CSV or JSON Lines of all resumes: item, and what --by names.")
]
Annotated_ = Annotated[
    list[Path] | None,
    typer.Option("--annotated", metavar="FILE", help="Annotations there are; may be given several times."),
]
Size = Annotated[int, typer.Option("--size", metavar="N", help="How many resumes.")]
By = Annotated[
    str, typer.Option("--by", metavar="COLUMN", help="What is to be represented: a level applied for, a prediction.")
]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="CSV file to write; without it, stdout.")]
Resolved = Annotated[
    Path | None,
    typer.Option("--resolved", metavar="FILE", help="The list of the contested, with its column resolved filled in."),
]


def agreement(files: Files, labels: Labels = "", json: opt.AsJson = False) -> None:
    """How far annotators agree beyond chance: Fleiss' kappa by label and overall, round by round.

    n/a stands where kappa has no meaning: nobody chose the label, or no more than two ratings did. How many ratings
    chose it stands beside.

    Examples:

    - evenhand corpus agreement ada.csv bo.csv cy.csv --labels NQ,CRC1,CRC2,CRC3,CRC4
    - evenhand corpus agreement annotations.jsonl --json
    """
    from evenhand_lab.corpora.annotation_files import measure_agreement

    report = measure_agreement(files, listed(labels))
    if json:
        write_json(report.to_json())
    else:
        print_rich(agreement_table(report))


def sample(
    pool: Pool, annotated: Annotated_ = None, size: Size = 50, by: By = "stratum", seed: opt.Seed = 0, out: Out = None
) -> None:
    """The next resumes to label: none that is labelled already, every stratum by its share of the pool.

    The sheet has the columns item and label, in chance order, and does not tell the stratum: who knows what a model
    said is led by it.

    Examples:

    - evenhand corpus sample pool.csv --by applied --size 50 --out round1.csv
    - evenhand corpus sample pool.csv --by prediction --annotated round1.csv --out round2.csv
    """
    from evenhand_lab.corpora.annotation_files import batch_csv, sample_next

    batch = sample_next(pool, annotated or [], size=size, by=by, seed=seed)
    write(batch_csv(batch.candidates), out)
    write_stderr(batch_sentence(batch))


def adjudicate(files: Files, labels: Labels = "", resolved: Resolved = None, out: Out = None) -> None:
    """Without --resolved, the list of what annotators differ on, the most contested first, as CSV.

    Somebody fills in its column resolved. With --resolved, the labels that stand: unanimous ones, those that only one
    person gave, and what was resolved. What is still open is left out and told.

    Exit code: 0 nothing is open, 1 something is, 2 wrong usage.

    Examples:

    - evenhand corpus adjudicate ada.csv bo.csv --labels NQ,CRC1,CRC2,CRC3,CRC4 --out contested.csv
    - evenhand corpus adjudicate ada.csv bo.csv --resolved contested.csv --out labels.csv
    """
    from evenhand_lab.corpora.annotation_files import contested_csv, finals_csv, list_contested, settle

    if resolved is None:
        found = list_contested(files, listed(labels))
        write(contested_csv(found), out)
        write_stderr(contested_sentence(found))
        return
    standing, still_open = settle(files, resolved, listed(labels))
    write(finals_csv(standing), out)
    write_stderr(f"{len(standing)} labels stand.")
    if still_open:
        more = f" and {len(still_open) - SHOWN} more" if len(still_open) > SHOWN else ""
        write_stderr(f"{len(still_open)} are still contested: {', '.join(still_open[:SHOWN])}{more}.")
        raise typer.Exit(OPEN)


def listed(labels: str) -> tuple[str, ...]:
    found = tuple(filter(None, (label.strip() for label in labels.split(","))))
    if len(set(found)) < len(found):
        raise UsageError("--labels names a label twice.")
    return found


def write(text: str, out: Path | None) -> None:
    if out is None:
        write_stdout(text)
    else:
        out.write_text(text, encoding="utf-8", newline="")


def agreement_table(report: AgreementReport) -> Table:
    """Labels by rounds, kappa with the number of ratings behind it."""
    from rich.table import Table

    table = Table("Label", title="Fleiss' kappa (ratings)", title_justify="left")
    for each in report.rounds:
        table.add_column(f"Round {each.round}" if each.round else "Kappa", justify="right")
    for label in report.labels:
        shown = [f"{number(each.kappa(label))} ({each.support(label)})" for each in report.rounds]
        table.add_row(label, *shown)
    table.add_section()
    overall = [each.agreement.kappa if each.agreement else None for each in report.rounds]
    table.add_row("overall", *map(number, overall))
    table.add_row("items", *(str(each.agreement.items if each.agreement else 0) for each in report.rounds))
    table.add_row("raters", *(str(each.agreement.raters if each.agreement else 0) for each in report.rounds))
    if any(each.left_out for each in report.rounds):
        table.add_row("left out", *(str(each.left_out) for each in report.rounds))
    return table


def number(kappa: float | None) -> str:
    return "n/a" if kappa is None else f"{kappa:.3f}"


def batch_sentence(batch: AnnotationBatch) -> str:
    strata = ", ".join(f"{name}: {count}" for name, count in batch.counts().items())
    return f"{len(batch.candidates)} resumes ({strata}); {batch.left} are left in the pool."


def contested_sentence(found: list[ContestedItem]) -> str:
    if not found:
        return "Nothing is contested."
    tied = sum(each.majority is None for each in found)
    return f"{len(found)} resumes are contested, {tied} of them without a majority."
