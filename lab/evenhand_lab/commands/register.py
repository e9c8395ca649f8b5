"""The commands that the lab adds to `evenhand`: the demo, generated resumes, benchmarks, published experiments."""

from __future__ import annotations

import typer

from evenhand.cli.train import app as train
from evenhand_lab.commands.bench import bench, reproduce
from evenhand_lab.commands.corpus import app as corpus
from evenhand_lab.commands.demo import demo
from evenhand_lab.commands.train import miner, occupation


def register(app: typer.Typer) -> None:
    """Called by `evenhand` when it starts (entry point `evenhand.commands`)."""
    app.command()(demo)
    app.command()(reproduce)
    app.command()(bench)
    app.add_typer(corpus, name="corpus")
    train.command()(miner)
    train.command()(occupation)
