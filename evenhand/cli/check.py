"""`evenhand check`: whether database, files and index agree."""

from __future__ import annotations

from typing import Annotated

import typer

from evenhand.cli.facts import count
from evenhand.cli.read import SOME_FAILED, Set, flags
from evenhand.cli.terminal import bar, printable, put
from evenhand.settings import load_settings

Rebuild = Annotated[
    bool, typer.Option("--rebuild-index", help="Build the search index anew from the database first.")
]


def check(rebuild_index: Rebuild = False, set_: Set = None) -> None:
    """Check that applications, kept files, decisions and the search index agree; name what does not.

    Exit code: 0 all agree, 1 something does not, 2 wrong usage.

    Examples:

    - evenhand check
    - evenhand check --rebuild-index
    """
    from evenhand.workflows.opening import open_service

    with open_service(load_settings(flags(None, set_)).settings) as service:
        if rebuild_index:
            service.rebuild(watch=bar)
        applications = service.store.count_applications()
        found = list(service.disagreements())
    for sentence in found:
        put(f"{printable(sentence)}\n")
    if found:
        raise typer.Exit(SOME_FAILED)
    put(f"{count(applications, 'application')}: database, files and index agree.\n")
