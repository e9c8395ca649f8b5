"""`evenhand watch`: companies and universities that a screener wants to be told of."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.rank import names_in
from evenhand.cli.read import Set, flags
from evenhand.cli.terminal import write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.rendering.cells import printable
from evenhand.settings import load_settings

app = typer.Typer(
    help="Watch lists: no_hire companies and not_accredited universities. They flag, and never reject anyone.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

List = Annotated[str, typer.Argument(metavar="LIST", help="no_hire or not_accredited.")]
AnyList = Annotated[str | None, typer.Argument(metavar="[LIST]", help="Only this list.")]
Names = Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Names of companies or universities.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="As it stands on the list.")]
FromFile = Annotated[Path | None, typer.Option("--file", metavar="F", help="Names from a file, one per line.")]
Note = Annotated[str | None, typer.Option("--note", metavar="WORDS", help="Why it is on the list.")]


@app.command()
def add(list_: List, names: Names = None, file: FromFile = None, note: Note = None, set_: Set = None) -> None:
    """Put names on a list. Other spellings of them are found too: HP for Hewlett Packard.

    Examples:

    - evenhand watch add no_hire "Hewlett Packard India Pvt. Ltd."
    - evenhand watch add not_accredited --file universities.txt
    """
    from evenhand.screening.service import open_service

    wanted = [*(names or []), *names_in(file)]
    if not wanted:
        raise UsageError("Name a company or university, or a file of them with --file.")
    with open_service(load_settings(flags(None, set_)).settings) as service:
        who = getpass.getuser()
        new = sum(service.store.watchlist.add(list_, name, note=note, actor=who) for name in wanted)
    write_stdout(f"{new:,} new on {list_}, {len(wanted) - new:,} there before.\n")


@app.command("list")
def list_names(list_: AnyList = None, set_: Set = None) -> None:
    """Show what is on the lists."""
    from evenhand.screening.service import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        entries = service.store.watchlist.entries(list_)
    for entry in entries:
        write_stdout(f"{entry.list}\t{printable(entry.name)}{f'  ({printable(entry.note)})' if entry.note else ''}\n")
    if not entries:
        write_stderr("Nothing is on a watch list yet.")


@app.command()
def remove(list_: List, name: Name, set_: Set = None) -> None:
    """Take a name off a list."""
    from evenhand.screening.service import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        service.store.watchlist.remove(list_, name, actor=getpass.getuser())
