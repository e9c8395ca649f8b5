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

COMMANDS = ["read", "mine", "demo", "reproduce", "bench", "settings", "lexicon add", "train miner", "corpus generate"]
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


def test_former_names_of_commands_work_and_are_not_listed() -> None:
    for former, name in {
        "subject": "applicant",
        "subject take-back": "applicant undo-correction",
        "remine": "reprocess",
        "watch": "watchlist",
    }.items():
        texts = []
        for words in (former, name):
            result = runner.invoke(app, [*words.split(), "--help"])
            assert result.exit_code == 0
            texts.append([line for line in result.stdout.splitlines() if line.strip() and "Usage:" not in line])
        assert texts[0] == texts[1]
        *group, last = former.split()
        assert f"│ {last} " not in runner.invoke(app, [*group, "--help"]).stdout


def test_a_usage_error_points_to_the_help_of_its_command() -> None:
    for arguments, path in ((["rank", "--nothing"], "rank"), (["audit", "swaps", "--seed", "x"], "audit swaps")):
        result = subprocess.run(
            [sys.executable, "-m", "evenhand", *arguments], capture_output=True, text=True, check=False
        )
        assert result.returncode == 2
        assert result.stderr.endswith(f" Try: evenhand {path} --help\n")


WITHOUT_LAB = """
import importlib.metadata, sys
found = importlib.metadata.entry_points
importlib.metadata.entry_points = lambda **wanted: [] if wanted["group"] == "evenhand.commands" else found(**wanted)
sys.argv = ["evenhand", *sys.argv[1:]]
from evenhand.cli.main import run
run()
"""


@pytest.mark.parametrize(
    "arguments", [["bench"], ["bench", "read", "--json"], ["corpus", "generate", "--n", "5"], ["reproduce"], ["demo"]]
)
def test_without_the_lab_its_commands_name_the_package_to_install(arguments: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-c", WITHOUT_LAB, *arguments], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        f"Error: evenhand {arguments[0]} is part of the package evenhand-lab, which is not installed: "
        "pip install evenhand-lab\n"
    )


def test_without_the_lab_help_lists_its_commands_and_the_others_work() -> None:
    listed = subprocess.run([sys.executable, "-c", WITHOUT_LAB, "--help"], capture_output=True, text=True, check=True)
    assert all(f" {name} " in listed.stdout for name in ("demo", "corpus", "bench", "reproduce", "mine"))
    assert listed.stdout.count("evenhand-lab") == 4
    one = subprocess.run(
        [sys.executable, "-c", WITHOUT_LAB, "bench", "--help"], capture_output=True, text=True, check=True
    )
    assert "Needs the package evenhand-lab." in " ".join(one.stdout.split())


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


def test_a_benchmark_whose_peer_is_not_installed_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasketch", None)
    monkeypatch.delitem(sys.modules, MODULES["duplicates"], raising=False)
    install = 'To install all peers: pip install "evenhand-lab[peers]"'
    result = runner.invoke(app, ["bench", "duplicates"])
    sentence = f"duplicates compares with the package datasketch, which is not installed. {install}"
    assert str(result.exception) == sentence
    listed = runner.invoke(app, ["bench"])
    assert listed.exit_code == 0
    assert "duplicates" in listed.stdout
    [note] = listed.stderr.splitlines()
    assert note.startswith("Peers that are not installed: ")
    assert "datasketch" in note
    assert note.endswith(install)


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
