"""The card shows all that was understood of a job, and says what was not."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from evenhand.cli.ranking_table import job_card
from evenhand.records.job import Demand, Job


def shown(job: Job) -> list[str]:
    console = Console(width=90, color_system=None, record=True, file=StringIO())
    console.print(job_card(job))
    rows = console.export_text().splitlines()
    return [rows[0].strip("╭─╮ "), *(" ".join(row.strip("│ ").split()) for row in rows[1:-1])]


def test_everything_understood_is_shown() -> None:
    job = Job(
        text="",
        title="Billing Clerk",
        demands=(
            Demand(("java", ".net"), must=True, months=36, most_months=60),
            Demand(("excel",), must=True, months=18),
            Demand(("sap",), must=False),
        ),
        months=60,
        degree="bachelor",
        fields=("accounting", "finance"),
        city="Leeds",
        country="United Kingdom",
    )
    assert shown(job) == [
        "Billing Clerk",
        "Must have java or .net (3 to 5 years), excel (1 year 6 months or more)",
        "Nice to have sap",
        "Experience 5 years or more",
        "Degree bachelor in accounting or finance",
        "Place Leeds, United Kingdom",
    ]


def test_what_is_unknown_is_said_and_control_characters_are_harmless() -> None:
    assert shown(Job(text="", title="Clerk\x1b[2J")) == [
        "Clerk\\x1b[2J",
        "Must have none found",
        "Nice to have none found",
        "Experience not stated",
        "Degree not stated",
        "Place not stated",
    ]
