"""`evenhand backup`: where copies lie. Evenhand makes none; it has to know of them to tell who is still in one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from evenhand.cli.read import Set
from evenhand.cli.subject import Actor, opened
from evenhand.cli.terminal import printable, put, tell
from evenhand.errors import UsageError

app = typer.Typer(
    help="Backups that were made elsewhere: certificates of erasure name those that still hold somebody.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

Place = Annotated[str, typer.Argument(metavar="PLACE", help="Where it lies, in words.")]
Expires = Annotated[
    str | None, typer.Option("--expires", metavar="DATE", help="YYYY-MM-DD by which it will be gone.")
]
Made = Annotated[str | None, typer.Option("--made", metavar="DATE", help="YYYY-MM-DD; now if not given.")]
BackupId = Annotated[str, typer.Argument(metavar="ID", help="As evenhand backup list shows it.")]
Gone = Annotated[bool, typer.Option("--all", help="With those that are gone.")]


@app.command()
def note(
    place: Place, expires: Expires = None, made: Made = None, by: Actor = None, set_: Set = None
) -> None:
    """Note that a backup was made. Call it from the script that makes it.

    Example: evenhand backup note "tape 12, safe" --expires 2030-06-30
    """
    with opened(set_, by) as work:
        id = work.service.store.note_backup(place, actor=work.actor, made=day(made), expires=day(expires))
    put(f"{id}\n")


@app.command("list")
def list_backups(all: Gone = False, set_: Set = None) -> None:
    """Those that are not known to be gone."""
    with opened(set_, None) as work:
        found = work.service.store.backups(gone=all)
    for backup in found:
        until = f"until {backup.expires:%Y-%m-%d}" if backup.expires else "no date"
        gone = f"  gone {backup.gone:%Y-%m-%d}" if backup.gone else ""
        put(f"{backup.id}  {backup.made:%Y-%m-%d}  {until}  {printable(backup.place)}{gone}\n")
    if not found:
        tell("No backup is known.")


@app.command()
def done(id: BackupId, set_: Set = None) -> None:
    """A backup is gone."""
    with opened(set_, None) as work:
        work.service.store.end_backup(id)
    put("Gone.\n")


def day(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise UsageError(f"{text!r} is no date: write it as 2030-06-30.") from error
