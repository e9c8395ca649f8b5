"""The commands that the lab adds to `evenhand`: the demo, generated resumes, benchmarks, published experiments."""

from __future__ import annotations

import typer

from evenhand.cli.train import app as train
from evenhand_lab.commands.bench import bench, reproduce
from evenhand_lab.commands.corpus import app as corpus
from evenhand_lab.commands.demo import demo
from evenhand_lab.commands.train import miner, occupation, roles

PANEL = "Research"


def register(app: typer.Typer) -> None:
    """Called by `evenhand` when it starts (entry point `evenhand.commands`)."""
    app.command(rich_help_panel=PANEL)(demo)
    app.command(rich_help_panel=PANEL)(reproduce)
    app.command(rich_help_panel=PANEL)(bench)
    app.add_typer(corpus, name="corpus", rich_help_panel=PANEL)
    train.command()(miner)
    train.command()(occupation)
    train.command()(roles)
