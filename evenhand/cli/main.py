"""The `evenhand` program: its commands, and what becomes of errors."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from evenhand import __version__
from evenhand.cli.administration import backup, check, lexicon, reprocess, settings, watchlist
from evenhand.cli.applicant import app as applicant
from evenhand.cli.applicant import retention_app as retention
from evenhand.cli.audit import app as audit
from evenhand.cli.debias import app as debias
from evenhand.cli.job import app as job
from evenhand.cli.job import ingest
from evenhand.cli.ledger import app as ledger
from evenhand.cli.options import option
from evenhand.cli.predict import explain, predict
from evenhand.cli.rank import rank
from evenhand.cli.read import mine, read
from evenhand.cli.screening import app as decide
from evenhand.cli.screening import export, search
from evenhand.cli.serve import serve
from evenhand.cli.terminal import write_stderr
from evenhand.cli.train import app as train
from evenhand.cli.user import app as user
from evenhand.errors import EvenhandError, NotFound, UsageError
from evenhand.plugins import load_group

FAULT = 1
WRONG_USAGE = 2
INTERRUPTED = 130

app = typer.Typer(
    help="Resume screening that can be checked.",
    epilog="Start with: evenhand demo",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
READ, SCREEN, FAIR = "Read and rank", "Screening", "Audit and fairness"
MODELS, ADMINISTER, RESEARCH = "Models", "Administration", "Research"

for panel, commands in (
    (READ, (read, mine, rank)),
    (SCREEN, (ingest, search, export)),
    (MODELS, (predict, explain)),
    (ADMINISTER, (serve, check, reprocess, settings)),
):
    for command in commands:
        app.command(rich_help_panel=panel)(command)
for panel, groups in (
    (SCREEN, {"job": job, "decide": decide, "watchlist": watchlist}),
    (FAIR, {"audit": audit, "debias": debias, "applicant": applicant, "retention": retention, "ledger": ledger}),
    (MODELS, {"train": train}),
    (ADMINISTER, {"user": user, "backup": backup, "lexicon": lexicon}),
):
    for name, group in groups.items():
        app.add_typer(group, name=name, rich_help_panel=panel)
# Former names, for one release.
app.add_typer(applicant, name="subject", hidden=True)
app.add_typer(watchlist, name="watch", hidden=True)
app.command("remine", hidden=True)(reprocess)

LAB_COMMANDS = {
    "demo": "Show Evenhand at work on a pool of generated applicants.",
    "corpus": "Generate resumes with ground truth, and label your own.",
    "bench": "Measure Evenhand, each figure against a named peer or floor.",
    "reproduce": "Repeat published experiments by their protocols.",
}


def add_placeholder(name: str, summary: str) -> None:
    """Instead of a command of the lab that is not installed: says which package to install, whatever is typed."""

    @app.command(
        name,
        help=f"{summary} Needs the package evenhand-lab.",
        rich_help_panel=RESEARCH,
        context_settings={"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]},
    )
    def refuse(arguments: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
        raise UsageError(
            f"evenhand {name} is part of the package evenhand-lab, which is not installed: pip install evenhand-lab"
        )


def add_plugin_commands() -> None:
    """What other distributions register in the group `evenhand.commands`; placeholders for the lab's without it."""
    registered = load_group("evenhand.commands")
    for name, register in registered.items():
        try:
            register(app)
        except Exception as error:  # the code is not ours: the other commands go on working
            write_stderr(f"The plug-in {name} could not add its commands ({type(error).__name__}: {error}).")
    if "lab" not in registered:
        for name, summary in LAB_COMMANDS.items():
            add_placeholder(name, summary)


add_plugin_commands()


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evenhand {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[bool, option("--version", "Print the version.", callback=print_version, is_eager=True)] = False,
) -> None:
    """Resume screening that can be checked."""


def run() -> None:
    """Entry point: every outcome is an exit code and a sentence, never a stack trace."""
    sys.exit(exit_code())


def exit_code() -> int:
    try:
        code = app(standalone_mode=False) or 0
        if code == INTERRUPTED:  # typer has turned Ctrl-C into its exit code
            write_stderr("Stopped.")
        return code
    except (UsageError, NotFound) as error:
        write_stderr(f"Error: {error}")
        return WRONG_USAGE
    except typer.TyperException as error:
        if error.format_message():  # empty when the help was already printed
            write_stderr(f"Error: {error.format_message()} Try: {_command_path(error)} --help")
        return error.exit_code
    except EvenhandError as error:
        write_stderr(f"Error: {error}")
        return FAULT
    except OSError as error:
        file = f"{os.fsdecode(error.filename)}: " if error.filename and not isinstance(error.filename, int) else ""
        write_stderr(f"Error: {file}{error.strerror or error}.")
        return FAULT
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        write_stderr(f"Evenhand failed, which is a fault in Evenhand: {type(error).__name__}: {error}")
        write_stderr("Please report it; python -X dev -m evenhand shows where it happened.")
        return FAULT


def _command_path(error: typer.TyperException) -> str:
    """The command that was called wrongly, as it is typed."""
    words: list[str] = []
    context = getattr(error, "ctx", None)
    while context and context.parent:
        words.insert(0, context.info_name)
        context = context.parent
    return " ".join(["evenhand", *words])
