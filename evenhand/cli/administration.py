"""Commands that keep an installation in order: `check`, `reprocess`, `settings`, `backup`, `lexicon`, `watchlist`."""

from __future__ import annotations

import getpass
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from evenhand.cli import options as opt
from evenhand.cli.inputs import read_names
from evenhand.cli.options import command_group, service_from, session_from, settings_from
from evenhand.cli.terminal import SOME_FAILED, bar, print_rich, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.rendering.cells import printable
from evenhand.settings import SETTINGS, load_settings
from evenhand.text.wording import count

Full = Annotated[bool, opt.option("--full", "Read and hash every stored file, not only a sample.")]
Repair = Annotated[bool, opt.option("--repair", "Mend what can be mended; reads every file.")]
Copies = Annotated[Path | None, opt.option("--copies DIR", "Folder with good copies of files, such as a backup.")]
Rebuild = Annotated[bool, opt.option("--rebuild-index", "Rebuild the search index from the database first.")]


def check(
    full: Full = False,
    repair: Repair = False,
    copies: Copies = None,
    rebuild_index: Rebuild = False,
    set_: opt.Set = None,
) -> None:
    """Check that applications, stored files, decisions and the search index are undamaged and agree; list faults.

    SQLite checks its own file, the index its checksums; of the stored files 1,000 are read and hashed, or all with
    --full. Exit code: 0 no faults, 1 faults, 2 wrong usage.

    --repair rebuilds the index, moves damaged files to files/quarantine in the data folder, and restores files from
    --copies. A damaged database has to be restored from a backup.

    Examples:

    - evenhand check
    - evenhand check --full
    - evenhand check --repair --copies /mnt/backup/evenhand/files
    """
    if copies and not (repair and copies.is_dir()):
        raise UsageError("--copies names a folder, and needs --repair.")
    settings = settings_from(set_)
    from evenhand.documents.reading import find_confinement_gap

    find_confinement_gap(settings)  # logs it
    damage = database_damage(settings.database_url, repair=repair)
    if damage:
        for line in damage:
            write_stdout(f"database_damaged: {printable(line)}.\n")
        write_stderr("Restore the database from a backup; then run evenhand check --repair. Nothing else was checked.")
        raise typer.Exit(SOME_FAILED)
    with service_from(set_) as service:
        if rebuild_index:
            service.rebuild(progress=bar)
        applications = service.store.applications.count()
        report = service.check(full=full, repair=repair, copies=copies)
    for sentence in report.repairs:
        write_stdout(f"{printable(sentence)}\n")
    for fault in report.faults:
        write_stdout(f"{fault.code}: {printable(fault.sentence)}\n")
    if report.faults:
        raise typer.Exit(SOME_FAILED)
    write_stdout(f"{count(applications, 'application')}: database, files and index agree.\n")
    if report.files.hashed < report.files.stored:
        write_stdout(f"{report.files.hashed:,} of {report.files.stored:,} files were read; --full reads all.\n")


def database_damage(url: str, *, repair: bool) -> list[str]:
    from evenhand.store.database import Database, find_damage

    with closing(Database(url)) as database:
        return find_damage(database, repair=repair)


# Evenhand makes no backups; it has to know of them to say who is still in one.

backup = command_group("Backups made by other tools: certificates of erasure list those that still hold the person.")

Place = Annotated[str, opt.argument("PLACE", "Where it is stored, in words.")]
Expires = Annotated[str | None, opt.option("--expires DATE", "YYYY-MM-DD on which it expires.")]
Made = Annotated[str | None, opt.option("--made DATE", "YYYY-MM-DD; now if not given.")]
BackupId = Annotated[str, opt.argument("ID", "As evenhand backup list shows it.")]
Gone = Annotated[bool, opt.option("--all", "Include deleted ones.")]


@backup.command()
def note(place: Place, expires: Expires = None, made: Made = None, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Record that a backup was made. Call it from the script that makes it.

    Example: evenhand backup note "tape 12, safe" --expires 2030-06-30
    """
    with session_from(set_, by) as work:
        id = work.service.store.backups.add(place, actor=work.actor, made=day(made), expires=day(expires))
    write_stdout(f"{id}\n")


@backup.command("list")
def list_backups(all: Gone = False, set_: opt.Set = None) -> None:
    """List backups that are not known to be deleted."""
    with session_from(set_) as work:
        backups = work.service.store.backups.all(gone=all)
    for backup in backups:
        until = f"until {backup.expires:%Y-%m-%d}" if backup.expires else "no date"
        gone = f"  gone {backup.gone:%Y-%m-%d}" if backup.gone else ""
        write_stdout(f"{backup.id}  {backup.made:%Y-%m-%d}  {until}  {printable(backup.place)}{gone}\n")
    if not backups:
        write_stderr("No backup is known.")


@backup.command()
def done(id: BackupId, set_: opt.Set = None) -> None:
    """Record that a backup was deleted."""
    with session_from(set_) as work:
        work.service.store.backups.end(id)
    write_stdout("Gone.\n")


def day(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise UsageError(f"{text!r} is no date: write it as 2030-06-30.") from error


Everything = Annotated[bool, opt.option("--all", "Mine everything again, not only what is outdated.")]


def reprocess(
    all_: Everything = False, as_of: opt.AsOf = None, workers: opt.Workers = None, set_: opt.Set = None
) -> None:
    """Mine stored resumes again: after an update, or everything with --all.

    An interrupted run continues where it stopped. Jobs, applications and decisions are not touched.

    Examples:

    - evenhand reprocess
    - evenhand reprocess --all
    """
    from evenhand.screening.service import reprocess as reprocess_outdated

    with service_from(set_, workers) as service:
        if all_:
            service.store.documents.drop_mined()
        summary = reprocess_outdated(service, as_of=as_of, progress=bar)
    write_stdout(f"{count(summary.mined, 'resume')} mined.\n")
    for error in summary.errors:
        write_stdout(f"  {printable(error.file)}: {printable(error.failure.message)} ({error.failure.code})\n")
    if summary.errors:
        raise typer.Exit(SOME_FAILED)


def settings() -> None:
    """Show every setting: its value, where the value comes from, and what it does.

    A value comes from ~/.config/evenhand/evenhand.toml (or the file that EVENHAND_CONFIG names), then from a
    variable such as EVENHAND_WORKERS, then from a flag. The last one wins.

    Example:

    - EVENHAND_OCR=off evenhand settings
    """
    loaded = load_settings()
    table = Table("Setting", "Value", "From", "What it does", title_justify="left")
    for name, setting in SETTINGS.items():
        value, origin = str(getattr(loaded.settings, name)), loaded.origins[name]
        style = "" if origin == "default" else "bold green"
        table.add_row(name, Text(value, style), Text(printable(origin), style), setting.help)
    print_rich(table)


# `evenhand lexicon`

LEXICON_KINDS = "skill, language, title, degree, field, university, company, certification or section"

lexicon = command_group("Your own skills, titles and other names, for evenhand mine to recognize.")

Kind = Annotated[str, opt.argument("KIND", f"{LEXICON_KINDS}; a degree with its level and a section with its type.")]
AnyKind = Annotated[str | None, opt.argument("[KIND]", f"Only these: {LEXICON_KINDS}.")]
EntryName = Annotated[str, opt.argument("NAME", "The name under which all forms are counted.")]
Aliases = Annotated[list[str] | None, opt.option("--alias FORM", "Another way to write it; may be repeated.")]


@lexicon.command("add")
def add_entry(kind: Kind, name: EntryName, alias: Aliases = None, set_: opt.Set = None) -> None:
    """Add a name, or more forms of a name that was added before.

    Forms are found whole, never inside words, and in capitals or not. Entries are kept in lexicon.tsv in the data
    folder; the setting lexicon names another file.

    Examples:

    - evenhand lexicon add skill "kafka streams" --alias kstreams
    - evenhand lexicon add company "Acme Robotics" --alias Acme
    - evenhand lexicon add degree:master "Magister Artium" --alias M.A.
    - evenhand lexicon add section:experience "Where I have been"
    """
    from evenhand.mining.lexicon import user_entries

    settings = settings_from(set_)
    entry = user_entries.add_entry(settings.lexicon_path, kind, name, alias or [])
    forms = f", also written {', '.join(entry.aliases)}" if entry.aliases else ""
    write_stdout(f"{printable(f'{entry.kind} {entry.name}{forms}')}: in {printable(str(settings.lexicon_path))}\n")


@lexicon.command("list")
def list_entries(kind: AnyKind = None, json: opt.AsJson = False, set_: opt.Set = None) -> None:
    """List your own entries.

    Examples:

    - evenhand lexicon list
    - evenhand lexicon list skill --json
    """
    from evenhand.mining.lexicon import user_entries

    settings = settings_from(set_)
    entries = user_entries.list_entries(settings.lexicon_path, kind)
    if json:
        for entry in entries:
            write_json({"kind": entry.kind, "name": entry.name, "aliases": list(entry.aliases), "type": entry.type})
    elif entries:
        table = Table("Kind", "Name", "Also written")
        for entry in entries:
            kind = f"{entry.kind}:{entry.type}" if entry.type else entry.kind
            table.add_row(kind, Text(printable(entry.name)), Text(printable(", ".join(entry.aliases))))
        print_rich(table)
    else:
        write_stdout(f"No entries of your own in {printable(str(settings.lexicon_path))}.\n")


@lexicon.command("remove")
def remove_entry(kind: Kind, name: EntryName, set_: opt.Set = None) -> None:
    """Remove an entry of yours with all its forms. What ships with Evenhand stays.

    Example:

    - evenhand lexicon remove skill "kafka streams"
    """
    from evenhand.mining.lexicon import user_entries

    entry = user_entries.remove_entry(settings_from(set_).lexicon_path, kind, name)
    write_stdout(printable(f"{entry.kind} {entry.name}: removed") + "\n")


# `evenhand watchlist`

watchlist = command_group(
    "Watchlists: no_hire companies and not_accredited universities. They flag; they never reject anyone."
)

List = Annotated[str, opt.argument("LIST", "no_hire or not_accredited.")]
AnyList = Annotated[str | None, opt.argument("[LIST]", "Only this list.")]
Names = Annotated[list[str] | None, opt.argument("NAME", "Names of companies or universities.")]
ListedName = Annotated[str, opt.argument("NAME", "As it stands on the list.")]
FromFile = Annotated[Path | None, opt.option("--file F", "Names from a file, one per line.")]
Note = Annotated[str | None, opt.option("--note WORDS", "Why it is on the list.")]


@watchlist.command("add")
def add_names(list_: List, names: Names = None, file: FromFile = None, note: Note = None, set_: opt.Set = None) -> None:
    """Add names to a list. Other spellings are recognized too: HP for Hewlett Packard.

    Examples:

    - evenhand watchlist add no_hire "Hewlett Packard India Pvt. Ltd."
    - evenhand watchlist add not_accredited --file universities.txt
    """
    wanted = [*(names or []), *read_names(file)]
    if not wanted:
        raise UsageError("Name a company or university, or a file of them with --file.")
    with service_from(set_) as service:
        who = getpass.getuser()
        new = sum(service.store.watchlist.add(list_, name, note=note, actor=who) for name in wanted)
    write_stdout(f"{new:,} new on {list_}, {len(wanted) - new:,} there before.\n")


@watchlist.command("list")
def list_names(list_: AnyList = None, set_: opt.Set = None) -> None:
    """Show what is on the lists."""
    with service_from(set_) as service:
        entries = service.store.watchlist.entries(list_)
    for entry in entries:
        write_stdout(f"{entry.list}\t{printable(entry.name)}{f'  ({printable(entry.note)})' if entry.note else ''}\n")
    if not entries:
        write_stderr("Nothing is on a watch list yet.")


@watchlist.command("remove")
def remove_name(list_: List, name: ListedName, set_: opt.Set = None) -> None:
    """Remove a name from a list."""
    with service_from(set_) as service:
        service.store.watchlist.remove(list_, name, actor=getpass.getuser())
