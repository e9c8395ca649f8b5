"""`evenhand debias`: fit, apply and report from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from evenhand.cli.main import app
from evenhand.errors import ModelUnfit, UsageError
from tests.debias.planted import planted
from tests.debias.test_run import write_rows

RUNNER = CliRunner(env={"COLUMNS": "120", "TERM": "dumb"})


def test_fit_apply_and_report(tmp_path: Path) -> None:
    rows, labels = write_rows(tmp_path, planted(240, 12))
    out, page = tmp_path / "removal", tmp_path / "page.html"
    options = ["--labels", str(labels), "--task", "trade", "--sensitive", "gender"]
    fitted = RUNNER.invoke(
        app, ["debias", "fit", str(rows), *options, "--rank", "2", "--out", str(out), "--html", str(page), "--json"]
    )
    assert fitted.exit_code == 0, fitted.output
    told = json.loads(fitted.stdout)
    assert told["kind"] == "debias"
    assert told["data"]["methods"][0]["name"] == "A"
    assert "gender" in page.read_text(encoding="utf-8")
    after = tmp_path / "after.npy"
    applied = RUNNER.invoke(app, ["debias", "apply", str(out), str(rows), "--out", str(after), "--json"])
    assert json.loads(applied.stdout) == {
        "columns": 12,
        "out": str(after),
        "removal": told["data"]["recipe"]["name"],
        "rows": 240,
    }
    assert np.load(after).shape == (240, 12)
    reported = RUNNER.invoke(app, ["debias", "report", str(out), str(rows), "--labels", str(labels)])
    assert reported.exit_code == 0, reported.output
    assert "Information about gender in the rows" in reported.stdout


def test_wrong_usage_is_told(tmp_path: Path) -> None:
    rows, labels = write_rows(tmp_path, planted(120, 12))
    options = ["--labels", str(labels), "--task", "trade"]
    unknown = RUNNER.invoke(app, ["debias", "fit", str(rows), *options, "--sensitive", "age"])
    assert isinstance(unknown.exception, UsageError)
    strange = RUNNER.invoke(
        app, ["debias", "fit", str(rows), *options, "--sensitive", "gender", "--decomposition", "nmf"]
    )
    assert isinstance(strange.exception, UsageError)
    assert RUNNER.invoke(app, ["debias", "fit", str(rows)]).exit_code == 2
    nowhere = RUNNER.invoke(app, ["debias", "apply", str(tmp_path / "none"), str(rows)])
    assert isinstance(nowhere.exception, UsageError)
    assert not isinstance(nowhere.exception, ModelUnfit)


def test_help_has_examples() -> None:
    for command in ("fit", "apply", "report"):
        said = RUNNER.invoke(app, ["debias", command, "--help"]).stdout
        assert f"evenhand debias {command}" in said
