"""`python -m evenhand`."""

from evenhand.cli.main import run

run()
