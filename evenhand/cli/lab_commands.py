"""The commands that the lab adds to `evenhand`: the demo, generated resumes, benchmarks, published experiments."""

from __future__ import annotations

import typer

from evenhand.cli.bench import bench
from evenhand.cli.corpus import app as corpus
from evenhand.cli.demo import demo
from evenhand.cli.reproduce import reproduce
from evenhand.cli.train import app as train
from evenhand.cli.train_miner import miner
from evenhand.cli.train_occupation import occupation


def register(app: typer.Typer) -> None:
    """Called by `evenhand` when it starts (entry point `evenhand.commands`)."""
    app.command()(demo)
    app.command()(reproduce)
    app.command()(bench)
    app.add_typer(corpus, name="corpus")
    train.command()(miner)
    train.command()(occupation)
