"""`evenhand train occupation`: from a folder of labelled resumes to a model that predicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenhand.cli.main import app
from evenhand.records import canonical_json
from tests.lab.training.occupation_sets import write_roles

RUNNER = CliRunner(env={"COLUMNS": "120", "TERM": "dumb"})


@pytest.mark.long
def test_train_look_and_predict(tmp_path: Path) -> None:
    data, out = write_roles(tmp_path / "sets", each=16), tmp_path / "roles"
    told = RUNNER.invoke(app, ["train", "occupation", "--model", "it-roles", "--data", str(data), "--out", str(out)])
    assert told.exit_code == 0
    assert "card.md has all figures" in " ".join(told.stdout.split())
    assert "micro-F1" in told.stdout
    resume = tmp_path / "resume.txt"
    resume.write_text("Security Analyst\nMay 2011 to June 2013\nlooked for intrusions in logs\n")
    predicted = RUNNER.invoke(app, ["predict", "occupation", "--model", str(out), "--json", str(resume)])
    assert json.loads(predicted.stdout)["labels"][0]["label"] == "Security_Analyst"


def test_figures_as_json_are_those_of_the_card(tmp_path: Path) -> None:
    data, out = write_roles(tmp_path / "sets", each=16), tmp_path / "roles"
    arguments = ["train", "occupation", "--model", "it-roles", "--data", str(data), "--out", str(out), "--json"]
    report = json.loads(RUNNER.invoke(app, arguments).stdout)
    metrics = json.loads((out / "manifest.json").read_text())["metrics"]
    assert canonical_json(report["test"]) == canonical_json(metrics["test"])


def test_without_data_it_says_what_it_needs(tmp_path: Path) -> None:
    told = RUNNER.invoke(app, ["train", "occupation", "--out", str(tmp_path / "out")])
    assert told.exit_code != 0
    assert not (tmp_path / "out").exists()
