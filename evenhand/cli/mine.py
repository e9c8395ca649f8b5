"""`evenhand mine`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.inputs import STDIN, expand
from evenhand.cli.read import SOME_FAILED, Files, Set, Workers, flags
from evenhand.cli.terminal import bar, put, show, tell
from evenhand.errors import UsageError
from evenhand.settings import Settings, load_settings

if TYPE_CHECKING:
    from evenhand.records import Document
    from evenhand.workflows.mining import Mined

AsJson = Annotated[bool, typer.Option("--json", help="Print one Profile per line, as JSON.")]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", metavar="YYYY-MM", help='The month that "present" means; this month if not given.'
    ),
]
Places = Annotated[
    bool, typer.Option("--evidence", help="Show below each card where in the resume its facts stand.")
]


def mine(
    paths: Files,
    json: AsJson = False,
    as_of: AsOf = None,
    evidence: Places = False,
    workers: Workers = None,
    set_: Set = None,
) -> None:
    """Mine resumes: who, which jobs when, which skills for how many months, each fact with its place.

    Without --json every file gets a card. Months that the resume does not tell are not dated, never zero.
    Lines that --evidence names are those of evenhand read --text.

    Exit code: 0 all were mined, 1 some could not be (the others are printed), 2 wrong usage.

    Examples:

    - evenhand mine resume.pdf
    - evenhand mine --evidence resume.pdf
    - evenhand mine --json --as-of 2026-10 inbox/ > profiles.jsonl
    """
    if json and evidence:
        raise UsageError("Give --evidence or --json, not both: JSON holds all evidence anyway.")
    settings = load_settings(flags(workers, set_)).settings
    inputs, barren = expand(paths)
    for folder in barren:
        tell(f"{folder}: the folder holds no files.")
    present = put_json if json else show_card_with_evidence if evidence else show_card
    failed = present_all(inputs, settings, as_of, present)
    if failed or barren:
        raise typer.Exit(SOME_FAILED)


def present_all(
    inputs: list[str], settings: Settings, as_of: str | None, present: Callable[[Mined], None]
) -> int:
    """Mine and present in order; returns how many could not be mined."""
    from evenhand.workflows.mining import mine_with_documents

    failed = 0
    with bar("Mining", len(inputs)) as progress:
        for mined in mine_with_documents(opened(inputs, settings), as_of=as_of, settings=settings):
            progress.advance()
            failed += mined.is_failed
            with progress.aside():
                present(mined)
    return failed


def opened(inputs: list[str], settings: Settings) -> Iterator[str | Document]:
    """Names of files, and what came on standard input as a Document."""
    from evenhand.workflows.reading import read

    for name in inputs:
        if name == STDIN:
            data = sys.stdin.buffer.read(settings.file_bytes + 1)
            yield read(data, name=STDIN, settings=settings)
        else:
            yield name


def put_json(mined: Mined) -> None:
    from evenhand.records import canonical_json

    put(canonical_json(mined.profile.to_json()) + "\n")


def show_card(mined: Mined) -> None:
    from evenhand.cli.profile_card import profile_card

    show(profile_card(mined.profile))


def show_card_with_evidence(mined: Mined) -> None:
    from evenhand.cli.evidence import evidence_table

    show_card(mined)
    if not mined.is_failed:
        show(evidence_table(mined.profile, mined.document))
