"""`evenhand check`: whether database, files and index agree."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from evenhand.cli.applicant import Actor, opened
from evenhand.cli.mine import AsOf
from evenhand.cli.read import SOME_FAILED, Set, Workers, flags
from evenhand.cli.terminal import bar, print_rich, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.rendering.cells import printable
from evenhand.settings import SETTINGS, load_settings
from evenhand.text.wording import count

Rebuild = Annotated[bool, typer.Option("--rebuild-index", help="Build the search index anew from the database first.")]


def check(rebuild_index: Rebuild = False, set_: Set = None) -> None:
    """Check that applications, kept files, decisions and the search index agree; name what does not.

    Exit code: 0 all agree, 1 something does not, 2 wrong usage.

    Examples:

    - evenhand check
    - evenhand check --rebuild-index
    """
    from evenhand.screening.service import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        if rebuild_index:
            service.rebuild(progress=bar)
        applications = service.store.applications.count()
        found = list(service.disagreements())
    for sentence in found:
        write_stdout(f"{printable(sentence)}\n")
    if found:
        raise typer.Exit(SOME_FAILED)
    write_stdout(f"{count(applications, 'application')}: database, files and index agree.\n")


# `evenhand backup`: where copies lie. Evenhand makes none; it has to know of them to tell who is still in
# one.

app = typer.Typer(
    help="Backups that were made elsewhere: certificates of erasure name those that still hold somebody.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

Place = Annotated[str, typer.Argument(metavar="PLACE", help="Where it lies, in words.")]
Expires = Annotated[str | None, typer.Option("--expires", metavar="DATE", help="YYYY-MM-DD by which it will be gone.")]
Made = Annotated[str | None, typer.Option("--made", metavar="DATE", help="YYYY-MM-DD; now if not given.")]
BackupId = Annotated[str, typer.Argument(metavar="ID", help="As evenhand backup list shows it.")]
Gone = Annotated[bool, typer.Option("--all", help="With those that are gone.")]


@app.command()
def note(place: Place, expires: Expires = None, made: Made = None, by: Actor = None, set_: Set = None) -> None:
    """Note that a backup was made. Call it from the script that makes it.

    Example: evenhand backup note "tape 12, safe" --expires 2030-06-30
    """
    with opened(set_, by) as work:
        id = work.service.store.backups.add(place, actor=work.actor, made=day(made), expires=day(expires))
    write_stdout(f"{id}\n")


@app.command("list")
def list_backups(all: Gone = False, set_: Set = None) -> None:
    """Those that are not known to be gone."""
    with opened(set_, None) as work:
        found = work.service.store.backups.all(gone=all)
    for backup in found:
        until = f"until {backup.expires:%Y-%m-%d}" if backup.expires else "no date"
        gone = f"  gone {backup.gone:%Y-%m-%d}" if backup.gone else ""
        write_stdout(f"{backup.id}  {backup.made:%Y-%m-%d}  {until}  {printable(backup.place)}{gone}\n")
    if not found:
        write_stderr("No backup is known.")


@app.command()
def done(id: BackupId, set_: Set = None) -> None:
    """A backup is gone."""
    with opened(set_, None) as work:
        work.service.store.backups.end(id)
    write_stdout("Gone.\n")


def day(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise UsageError(f"{text!r} is no date: write it as 2030-06-30.") from error


# `evenhand remine`: what was mined, made anew from the kept files.

Everything = Annotated[
    bool, typer.Option("--all", help="Drop all that was mined first; jobs, applications and decisions stay.")
]


def remine(all_: Everything = False, as_of: AsOf = None, workers: Workers = None, set_: Set = None) -> None:
    """Mine kept resumes again: after an update, or everything with --all.

    Stopped at any moment, the next run goes on with the rest. Jobs, applications and decisions are not touched.

    Examples:

    - evenhand remine
    - evenhand remine --all
    """
    from evenhand.screening.service import open_service, reprocess

    with open_service(load_settings(flags(workers, set_)).settings) as service:
        if all_:
            service.store.documents.drop_mined()
        summary = reprocess(service, as_of=as_of, progress=bar)
    write_stdout(f"{count(summary.mined, 'resume')} mined.\n")
    for error in summary.errors:
        write_stdout(f"  {printable(error.file)}: {printable(error.failure.message)} ({error.failure.code})\n")
    if summary.errors:
        raise typer.Exit(SOME_FAILED)


# `evenhand settings`: the table, with the values in force and where they come from.


def settings() -> None:
    """Show every setting: its value, where the value comes from, and what it does.

    A value comes from ~/.config/evenhand/evenhand.toml (or the file that EVENHAND_CONFIG names), then from a
    variable such as EVENHAND_WORKERS, then from a flag. The last one wins.

    Example:

    - EVENHAND_OCR=off evenhand settings
    """
    from rich.table import Table
    from rich.text import Text

    loaded = load_settings()
    table = Table("Setting", "Value", "From", "What it does", title_justify="left")
    for name, setting in SETTINGS.items():
        value, origin = str(getattr(loaded.settings, name)), loaded.origins[name]
        style = "" if origin == "default" else "bold green"
        table.add_row(name, Text(value, style), Text(printable(origin), style), setting.help)
    print_rich(table)
