"""The `evenhand` program: its commands, and what becomes of errors."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from evenhand import __version__
from evenhand.cli.applicant import app as subject
from evenhand.cli.applicant import retention_app as retention
from evenhand.cli.audit import app as audit
from evenhand.cli.debias import app as debias
from evenhand.cli.decide import app as decide
from evenhand.cli.explain import explain
from evenhand.cli.job import app as job
from evenhand.cli.job import ingest
from evenhand.cli.ledger import app as ledger
from evenhand.cli.lexicon import app as lexicon
from evenhand.cli.maintenance import app as backup
from evenhand.cli.maintenance import check, remine, settings
from evenhand.cli.mine import mine
from evenhand.cli.predict import predict
from evenhand.cli.rank import rank
from evenhand.cli.read import read
from evenhand.cli.search import export, search
from evenhand.cli.serve import serve
from evenhand.cli.terminal import write_stderr
from evenhand.cli.train import app as train
from evenhand.cli.user import app as user
from evenhand.cli.watchlist import app as watch
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
# Alone they work on files; then on what is kept; then on Evenhand itself.
app.command()(read)
app.command()(mine)
app.command()(rank)
app.command()(predict)
app.command()(explain)
app.add_typer(job, name="job")
app.command()(ingest)
app.command()(remine)
app.command()(check)
app.command()(search)
app.command()(export)
app.add_typer(decide, name="decide")
app.add_typer(watch, name="watch")
app.add_typer(audit, name="audit")
app.add_typer(debias, name="debias")
app.add_typer(subject, name="subject")
app.add_typer(retention, name="retention")
app.add_typer(backup, name="backup")
app.add_typer(ledger, name="ledger")
app.add_typer(user, name="user")
app.command()(serve)
app.command()(settings)
app.add_typer(lexicon, name="lexicon")
app.add_typer(train, name="train")


def missing(name: str, shows: str) -> None:
    """Stands in for a command of the lab where the lab is not installed: it says so instead of being unknown."""

    @app.command(name, help=shows, context_settings={"ignore_unknown_options": True})
    def explain_missing(arguments: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
        raise UsageError(f"`evenhand {name}` comes with the package evenhand-lab: pip install evenhand-lab")


COMMANDS = load_group("evenhand.commands")
for register in COMMANDS.values():
    register(app)
if "lab" not in COMMANDS:
    missing("demo", "A pool of invented applicants to try Evenhand on (package evenhand-lab).")
    missing("corpus", "Generate resumes whose truth is known (package evenhand-lab).")
    missing("bench", "Measure Evenhand against its peers (package evenhand-lab).")
    missing("reproduce", "Repeat published experiments (package evenhand-lab).")


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evenhand {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=print_version, is_eager=True)
    ] = False,
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
            write_stderr(f"Error: {error.format_message()} Try: evenhand --help")
        return error.exit_code
    except EvenhandError as error:
        write_stderr(f"Error: {error}")
        return FAULT
    except OSError as error:
        write_stderr(f"Error: {error.strerror or error}")
        return FAULT
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        write_stderr(f"Evenhand failed, which is a fault in Evenhand: {type(error).__name__}: {error}")
        write_stderr("Please report it; python -X dev -m evenhand shows where it happened.")
        return FAULT
