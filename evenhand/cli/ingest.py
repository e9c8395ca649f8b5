"""`evenhand ingest`: resume files become applications for a job."""

from __future__ import annotations

import csv
import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.facts import count
from evenhand.cli.inputs import STDIN, expand
from evenhand.cli.mine import AsOf
from evenhand.cli.read import SOME_FAILED, Files, Set, Workers, flags
from evenhand.cli.terminal import bar, printable, put, tell
from evenhand.errors import UsageError
from evenhand.settings import load_settings

if TYPE_CHECKING:
    from evenhand.workflows.ingesting import Summary

JobOption = Annotated[
    str, typer.Option("--job", metavar="ID", help="The job they apply for: evenhand job list.")
]
SourceName = Annotated[
    str | None,
    typer.Option("--source", metavar="NAME", help="Where they come from: agency, career portal, referral."),
]
Forms = Annotated[
    Path | None,
    typer.Option(
        "--forms",
        metavar="CSV",
        help='What applicants typed in: a CSV file with a column "file" that names the resume; other columns are kept.',
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]


def ingest(
    paths: Files,
    job: JobOption,
    source: SourceName = None,
    forms: Forms = None,
    as_of: AsOf = None,
    json: AsJson = False,
    workers: Workers = None,
    set_: Set = None,
) -> None:
    """Take resumes in as applications for a job: read, mine, keep, compare with those there are, index.

    Again with the same files changes nothing. Stopped at any moment, the next run goes on where this one was. Files
    that cannot be read are named, kept and on record; no candidate is made of them.

    Exit code: 0 all were taken in, 1 some could not be read (the others are in), 2 wrong usage.

    Examples:

    - evenhand ingest inbox/ --job ID
    - evenhand ingest inbox/ --job ID --source "career portal" --forms forms.csv
    """
    from evenhand.records import canonical_json
    from evenhand.workflows.opening import ingest_files, open_service

    settings = load_settings(flags(workers, set_)).settings
    inputs, barren = expand(paths)
    if STDIN in inputs:
        raise UsageError("Resumes are taken in from files or folders, not from standard input.")
    typed = read_forms(forms) if forms else {}
    if unmatched := len(typed.keys() - {Path(name).name for name in inputs}):
        tell(f"{count(unmatched, 'row')} of the form data for files that were not given.")
    for folder in barren:
        tell(f"{folder}: the folder holds no files.")
    with open_service(settings) as service:
        summary = ingest_files(
            service,
            inputs,
            job,
            total=len(inputs),
            source=source,
            forms=typed,
            as_of=as_of,
            actor=getpass.getuser(),
            watch=bar,
        )
    if json:
        put(canonical_json(summary.to_json()) + "\n")
    else:
        tell_summary(summary)
    if summary.errors or barren:
        raise typer.Exit(SOME_FAILED)


def read_forms(path: Path) -> dict[str, dict[str, str]]:
    """Each row by the name of its resume; empty cells are left out."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except UnicodeDecodeError as error:
        raise UsageError(f"The form data {path} cannot be read: it is not UTF-8 text.") from error
    except (OSError, csv.Error) as error:
        raise UsageError(
            f"The form data {path} cannot be read: {getattr(error, 'strerror', None) or error}."
        ) from error
    if rows and "file" not in rows[0]:
        raise UsageError(f'The form data {path} have no column "file".')
    return {
        Path(row["file"]).name: {
            name: value
            for name, value in row.items()
            if name and name != "file" and isinstance(value, str) and value
        }
        for row in rows
        if row["file"]
    }


def tell_summary(summary: Summary) -> None:
    put(f"{count(summary.added, 'application')} new, {summary.known:,} known before")
    put(f", {count(summary.duplicates, 'pair')} of near duplicates found.\n" if summary.duplicates else ".\n")
    if summary.errors:
        put(f"{count(len(summary.errors), 'file')} could not be taken in; what there was of them is kept:\n")
    for error in summary.errors:
        put(f"  {printable(error.file)}: {printable(error.failure.message)} ({error.failure.code})\n")
