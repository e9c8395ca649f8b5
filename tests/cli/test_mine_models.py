"""`evenhand train` and `evenhand reproduce`: what they offer and what they refuse."""

from __future__ import annotations

from typer.testing import CliRunner

from evenhand.cli.main import app
from evenhand_lab.commands.train import table
from evenhand_lab.reproduce.registry import REPRODUCTIONS
from evenhand_lab.training.miner import TrainingReport

runner = CliRunner(env={"COLUMNS": "120", "TERM": "dumb"})


def test_reproduce_without_a_name_lists_all_with_a_sentence() -> None:
    result = runner.invoke(app, ["reproduce"])
    assert result.exit_code == 0
    cells = [[cell.strip() for cell in row.split("│")] for row in result.stdout.splitlines() if "│" in row]
    assert [row[1:3] for row in cells] == [[name, each.shows] for name, each in REPRODUCTIONS.items()]
    assert list(REPRODUCTIONS) == [
        *("segmenter", "recognizer", "tables", "experience", "ranking", "demands"),
        *("competence", "occupation", "attribution", "audit", "taco"),
    ]


def test_an_unknown_experiment_is_told() -> None:
    result = runner.invoke(app, ["reproduce", "nothing"])
    assert str(result.exception) == (
        "There is no experiment 'nothing'; there are segmenter, recognizer, tables, experience, ranking, "
        "demands, competence, occupation, attribution, audit, taco."
    )


def test_the_report_of_a_training_is_a_table() -> None:
    models = {"skills": {"labels": 3, "attributes": 12345}, "tables": {}}
    found = table(TrainingReport(2, 30, {}, {}, models))
    assert found.title == "Learned from 2 annotated and 30 generated resumes"
    assert [list(column.cells) for column in found.columns] == [["skills", "tables"], ["3", ""], ["12,345", ""]]
