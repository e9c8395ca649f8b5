"""`evenhand lexicon`: a user's own skills, titles and other names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.read import Set, flags
from evenhand.cli.terminal import print_rich, write_stdout
from evenhand.rendering.cells import printable
from evenhand.settings import Settings, load_settings

if TYPE_CHECKING:
    from evenhand.mining.lexicon.user_entries import UserEntry

KINDS = "skill, language, title, degree, field, university, company, certification or section"

app = typer.Typer(
    help="Your own skills, titles and other names, which evenhand mine then knows.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

Kind = Annotated[
    str,
    typer.Argument(metavar="KIND", help=f"{KINDS}; a degree with its level and a section with its type."),
]
AnyKind = Annotated[str | None, typer.Argument(metavar="[KIND]", help=f"Only these: {KINDS}.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name under which all forms are counted.")]
Aliases = Annotated[
    list[str] | None,
    typer.Option("--alias", metavar="FORM", help="Another way to write it; may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one entry per line, as JSON.")]


@app.command()
def add(kind: Kind, name: Name, alias: Aliases = None, set_: Set = None) -> None:
    """Add a name, or more forms of a name that was added before.

    Forms are found whole, never inside words, and in capitals or not. Entries are kept in lexicon.tsv in the data
    folder; the setting lexicon names another file.

    Examples:

    - evenhand lexicon add skill "kafka streams" --alias kstreams
    - evenhand lexicon add company "Acme Robotics" --alias Acme
    - evenhand lexicon add degree:master "Magister Artium" --alias M.A.
    - evenhand lexicon add section:experience "Where I have been"
    """
    from evenhand.mining.lexicon.user_entries import add_entry

    settings = settings_from(set_)
    entry = add_entry(settings.lexicon_path, kind, name, alias or [])
    forms = f", also written {', '.join(entry.aliases)}" if entry.aliases else ""
    write_stdout(f"{printable(f'{entry.kind} {entry.name}{forms}')}: in {printable(str(settings.lexicon_path))}\n")


@app.command("list")
def list_(kind: AnyKind = None, json: AsJson = False, set_: Set = None) -> None:
    """List your own entries.

    Examples:

    - evenhand lexicon list
    - evenhand lexicon list skill --json
    """
    from evenhand.mining.lexicon.user_entries import list_entries

    settings = settings_from(set_)
    entries = list_entries(settings.lexicon_path, kind)
    if json:
        from evenhand.records import canonical_json

        write_stdout("".join(canonical_json(to_json(entry)) + "\n" for entry in entries))
    elif entries:
        show_entries(entries)
    else:
        write_stdout(f"No entries of your own in {printable(str(settings.lexicon_path))}.\n")


@app.command()
def remove(kind: Kind, name: Name, set_: Set = None) -> None:
    """Remove an entry of yours with all its forms. What ships with Evenhand stays.

    Example:

    - evenhand lexicon remove skill "kafka streams"
    """
    from evenhand.mining.lexicon.user_entries import remove_entry

    entry = remove_entry(settings_from(set_).lexicon_path, kind, name)
    write_stdout(printable(f"{entry.kind} {entry.name}: removed") + "\n")


def settings_from(assignments: list[str] | None) -> Settings:
    return load_settings(flags(None, assignments)).settings


def to_json(entry: UserEntry) -> dict[str, object]:
    return {"kind": entry.kind, "name": entry.name, "aliases": list(entry.aliases), "type": entry.type}


def show_entries(entries: list[UserEntry]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table("Kind", "Name", "Also written")
    for entry in entries:
        kind = f"{entry.kind}:{entry.type}" if entry.type else entry.kind
        table.add_row(kind, Text(printable(entry.name)), Text(printable(", ".join(entry.aliases))))
    print_rich(table)
