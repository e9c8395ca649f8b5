"""`evenhand audit report`: what is shown, what is printed for programs, and when it ends with a failure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evenhand.cli.main import app
from evenhand.workflows.auditing.writing import write_report
from tests.audit.pages.reports import empty, hostile, outcomes, swaps


@pytest.fixture
def runner(tmp_path: Path) -> CliRunner:
    return CliRunner(env={"COLUMNS": "120", "TERM": "dumb", "EVENHAND_DATA": str(tmp_path)})


def report(runner: CliRunner, file: Path, *arguments: str) -> Result:
    result = runner.invoke(app, ["audit", "report", str(file), *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.parametrize(
    ("made", "fail_on", "code"),
    [
        (swaps, "concern", 3),
        (swaps, "watch", 3),
        (outcomes, "watch", 3),
        (outcomes, "concern", 0),
        (empty, "watch", 0),
    ],
)
def test_it_fails_on_what_is_as_bad(
    runner: CliRunner, tmp_path: Path, made: type, fail_on: str, code: int
) -> None:
    write_report(made(), json=tmp_path / "r.json")
    assert report(runner, tmp_path / "r.json", "--fail-on", fail_on).exit_code == code
    assert report(runner, tmp_path / "r.json").exit_code == 0


def test_json_alone_on_stdout_and_files_beside(runner: CliRunner, tmp_path: Path) -> None:
    write_report(swaps(), json=tmp_path / "r.json")
    result = report(runner, tmp_path / "r.json", "--json", "--html", str(tmp_path / "r.html"))
    assert json.loads(result.stdout) == swaps().to_json()
    assert (tmp_path / "r.html").is_file()


def test_people_see_findings_then_tables_then_pairs(runner: CliRunner, tmp_path: Path) -> None:
    write_report(swaps(), json=tmp_path / "r.json")
    shown = report(runner, tmp_path / "r.json").stdout
    places = [
        shown.index(words)
        for words in (
            "▲ One thing to act on",
            "▲ Act on this  Names move people down the list",
            "What to do: Use blind screening",
            "✓ Nothing found  A gap in employment",
            "Change by family",
            "Names by origin -3.1",
            "[Lakisha Washington]",
        )
    ]
    assert places == sorted(places)


def test_nothing_in_a_report_moves_the_terminal(runner: CliRunner, tmp_path: Path) -> None:
    write_report(hostile("\x1b[31mred [bold]x[/bold]\x07"), json=tmp_path / "r.json")
    shown = report(runner, tmp_path / "r.json").stdout
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[bold]x[/bold]" in shown
