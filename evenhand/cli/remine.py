"""`evenhand remine`: what was mined, made anew from the kept files."""

from __future__ import annotations

from typing import Annotated

import typer

from evenhand.cli.facts import count
from evenhand.cli.mine import AsOf
from evenhand.cli.read import SOME_FAILED, Set, Workers, flags
from evenhand.cli.terminal import bar, printable, put
from evenhand.settings import load_settings

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
    from evenhand.workflows.opening import open_service, reprocess

    with open_service(load_settings(flags(workers, set_)).settings) as service:
        if all_:
            service.store.drop_mined()
        summary = reprocess(service, as_of=as_of, watch=bar)
    put(f"{count(summary.mined, 'resume')} mined.\n")
    for error in summary.errors:
        put(f"  {printable(error.file)}: {printable(error.failure.message)} ({error.failure.code})\n")
    if summary.errors:
        raise typer.Exit(SOME_FAILED)
