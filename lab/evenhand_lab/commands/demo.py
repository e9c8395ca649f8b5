"""`evenhand demo`: a pool of invented applicants, six jobs, and the screening application on them, signed in."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli import options as opt
from evenhand.cli.inputs import expand
from evenhand.cli.read import present_documents, show_card
from evenhand.cli.terminal import SOME_FAILED, bar, print_rich, write_stderr
from evenhand.settings import Settings, load_settings

if TYPE_CHECKING:
    from evenhand_lab.demo.pool import Demo

UNREADABLE = {"password.pdf"}  # the sample that shows what an error looks like
SHOWN = 5
LOCAL = "127.0.0.1"

InTerminal = Annotated[
    bool, typer.Option("--terminal", help="Read and rank a few sample resumes here instead of serving pages.")
]


def demo(port: opt.Port = 8000, terminal: InTerminal = False) -> None:
    """Show Evenhand at work: more than 600 invented applicants for six jobs, in a browser.

    The pool is built at the first start (a minute or two) and is there in seconds afterwards. It lies in a folder of
    its own under the data folder and never touches what you keep. The printed link signs you in once.

    Examples:

    - evenhand demo
    - evenhand demo --port 8080
    - evenhand demo --terminal
    """
    settings = load_settings().settings
    if terminal:
        show_samples(settings)
    else:
        serve_demo(settings, port)


def serve_demo(settings: Settings, port: int) -> None:
    from dataclasses import replace

    from evenhand.cli.serve import check_port
    from evenhand.web.app import serve
    from evenhand_lab.demo.pool import build_demo

    check_port(LOCAL, port)
    write_stderr("Preparing the demo: invented resumes, really read, mined and ranked ...")
    demo = build_demo(replace(settings, address=f"http://{LOCAL}:{port}"), progress=bar)
    for line in greeting(demo):
        write_stderr(line)
    serve(demo.settings, host=LOCAL, port=port)


def greeting(demo: Demo) -> list[str]:
    from evenhand_lab.demo.pool import make_sign_in_links

    links = make_sign_in_links(demo)
    return [
        f"{demo.applications:,} applications for {len(demo.jobs)} jobs are ready at {demo.settings.address}",
        "",
        "Open one of these links; each signs you in once:",
        f"  everything             {links['admin']}",
        f"  as a recruiter         {links['robin']}",
        f"  as an auditor          {links['auditor']}",
        "",
        "Stop it with Ctrl-C; the next start takes seconds.",
    ]


def show_samples(settings: Settings) -> None:
    with as_file(files("evenhand") / "samples") as folder:
        inputs, _ = expand([str(folder)])
        failed = present_documents(inputs, settings, show_card)
        unexpected = sorted({Path(name).name for name in failed} - UNREADABLE)
        if unexpected:
            write_stderr(f"These samples should have been read: {', '.join(unexpected)}.")
            raise typer.Exit(SOME_FAILED)
        print_rich(
            f"Read {len(inputs)} sample resumes; {len(failed)} cannot be read, on purpose, and its card says why."
        )
        rank_samples(inputs, settings)


def rank_samples(inputs: list[str], settings: Settings) -> None:
    from evenhand.cli.ranking_table import RankingTable, job_card
    from evenhand.mining.pipeline import read_job
    from evenhand.search.ranking import rank_with_facts

    with as_file(files("evenhand") / "sample_jobs" / "data-engineer.txt") as path:
        job = read_job(path, settings)
    print_rich("Now a job, as it was understood, and who fits it best:")
    print_rich(job_card(job))
    print_rich(RankingTable(rank_with_facts(job, inputs, settings=settings, progress=bar), top=SHOWN))
