"""`evenhand demo`: what Evenhand makes of the resumes and the job that come with it."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import typer

from evenhand.cli.inputs import expand
from evenhand.cli.read import SOME_FAILED, present_all, show_card
from evenhand.cli.terminal import bar, show, tell
from evenhand.settings import Settings, load_settings

UNREADABLE = {"password.pdf"}  # the sample that shows what an error looks like
SHOWN = 5


def demo() -> None:
    """Read the sample resumes that come with Evenhand, good and bad ones, and rank them for a sample job.

    Example:

    - evenhand demo
    """
    settings = load_settings().settings
    with as_file(files("evenhand") / "samples") as folder:
        inputs, _ = expand([str(folder)])
        failed = present_all(inputs, settings, show_card)
        unexpected = sorted({Path(name).name for name in failed} - UNREADABLE)
        if unexpected:
            tell(f"These samples should have been read: {', '.join(unexpected)}.")
            raise typer.Exit(SOME_FAILED)
        show(
            f"Read {len(inputs)} sample resumes; {len(failed)} cannot be read, on purpose, and its card says why."
        )
        rank_samples(inputs, settings)


def rank_samples(inputs: list[str], settings: Settings) -> None:
    from evenhand.cli.job_card import job_card
    from evenhand.cli.ranking_table import RankingTable
    from evenhand.workflows.job_reading import read_job
    from evenhand.workflows.ranking import rank_with_facts

    with as_file(files("evenhand") / "sample_jobs" / "data-engineer.txt") as path:
        job = read_job(path, settings)
    show("Now a job, as it was understood, and who fits it best:")
    show(job_card(job))
    show(RankingTable(rank_with_facts(job, inputs, settings=settings, watch=bar), top=SHOWN))
