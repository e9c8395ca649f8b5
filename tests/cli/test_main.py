"""The program as a whole: help, version, settings, benchmarks, demo."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import evenhand
from evenhand.cli.main import app
from evenhand.settings import SETTINGS
from evenhand_lab.benchmarks.measurements import MODULES

COMMANDS = [
    "read",
    "mine",
    "demo",
    "reproduce",
    "bench",
    "settings",
    "lexicon add",
    "train miner",
    "corpus generate",
]
runner = CliRunner(env={"COLUMNS": "120", "TERM": "dumb"})


def test_version() -> None:
    result = runner.invoke(app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"evenhand {evenhand.__version__}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    result = runner.invoke(app, [*command.split(), "--help"])
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert f"evenhand {command}" in result.stdout


def test_help_lists_the_commands() -> None:
    result = runner.invoke(app, ["--help"])
    assert result.exit_code == 0
    assert all(command.split()[0] in result.stdout for command in COMMANDS)


def test_help_loads_no_parser() -> None:
    heavy = ["numpy", "lxml", "pypdfium2", "PIL", "evenhand.documents.reading", "rich.progress"]
    code = f"import sys, evenhand.cli.main; print([name for name in {heavy} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


def test_settings_tell_where_a_value_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_OCR_PAGES", "7")
    result = runner.invoke(app, ["settings"])
    assert result.exit_code == 0
    rows = {
        cells[1].strip(): cells[2:4]
        for cells in (row.split("│") for row in result.stdout.splitlines())
        if len(cells) > 4
    }
    assert set(SETTINGS) <= set(rows)
    assert [cell.strip() for cell in rows["ocr_pages"]] == ["7", "EVENHAND_OCR_PAGES"]
    assert [cell.strip() for cell in rows["pages"]] == ["200", "default"]


def test_bench_without_a_name_lists_all_with_a_sentence() -> None:
    result = runner.invoke(app, ["bench"])
    assert result.exit_code == 0
    cells = [[cell.strip() for cell in row.split("│")] for row in result.stdout.splitlines() if "│" in row]
    listed = {row[1]: row[2] for row in cells if row[1]}
    assert list(listed) == list(MODULES)
    assert all(listed.values())


def test_a_benchmark_refuses_an_option_it_does_not_take() -> None:
    result = runner.invoke(app, ["bench", "hostile", "--seed", "3"])
    assert str(result.exception) == "The benchmark hostile takes no --seed."


def test_a_benchmark_prints_its_figures_as_json() -> None:
    result = runner.invoke(app, ["bench", "hostile", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["files"] == len(list((Path(evenhand.__file__).parent / "samples").iterdir()))


def test_the_demo_reads_every_sample_but_the_protected_one_and_ranks_them() -> None:
    result = runner.invoke(app, ["demo", "--terminal"])
    assert result.exit_code == 0
    assert result.stdout.count("  error ") == 1
    assert "password.pdf  error" in result.stdout
    ranked = [line.split() for line in result.stdout.rpartition("Candidate")[2].splitlines()]
    assert ranked[2][:3] == ["1", "Ilse", "Varga-Lindholm"]
