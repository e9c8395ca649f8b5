"""`evenhand explain` as a shell sees it."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from evenhand.cli.main import exit_code
from evenhand.explain import baselines, run
from evenhand.records import canonical_json

SAMPLES = Path(__file__).parents[2] / "evenhand" / "samples"
CONTRACT = {
    "file",
    "task",
    "target",
    "method",
    "baseline",
    "layer",
    "output",
    "baseline_output",
    "delta",
    "steps",
    "converged",
    "words",
    "sections",
    "special",
    "faithfulness",
    "seconds",
}


@dataclass(frozen=True)
class Finished:
    returncode: int
    stdout: str
    stderr: str


class Shell(Protocol):
    def __call__(self, *arguments: str) -> Finished: ...


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run."""
    shutil.copy(SAMPLES / "accountant.rtf", tmp_path)
    shutil.copy(SAMPLES / "web-developer.html", tmp_path / "web.html")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "nobody.txt").write_text("ada@example.com\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def evenhand(folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """In this process, which loads the miner once for all tests."""

    def run(*arguments: str) -> Finished:
        monkeypatch.setattr(sys, "argv", ["evenhand", "explain", *arguments])
        code = exit_code()
        shown = capfd.readouterr()
        return Finished(code, shown.out, shown.err)

    return run


def explained(evenhand: Shell, *arguments: str) -> Any:
    result = evenhand(*arguments, "--json", "--as-of", "2026-10")
    assert (result.returncode, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert canonical_json(found) + "\n" == result.stdout
    return found


def test_json_is_what_was_promised(evenhand: Shell) -> None:
    found = explained(evenhand, "occupation", "accountant.rtf")
    assert set(found) >= CONTRACT
    assert set(found["faithfulness"]) >= {"comprehensiveness", "sufficiency", "random_comprehensiveness"}
    assert (found["file"], found["task"], found["target"]) == ("accountant.rtf", "occupation", "ACCOUNTANT")
    total = sum(word["score"] for word in found["words"]) + found["special"]
    assert total == pytest.approx(found["output"] - found["baseline_output"] + found["delta"], abs=1e-9)
    assert set(found["words"][0]) == {"text", "start", "end", "score"}
    assert found["change"]["labels"] == ["FINANCE"]


def test_several_labels_are_a_list(evenhand: Shell) -> None:
    several = ("occupation", "web.html", "--model", "it-roles", "--no-faithfulness")
    found = explained(evenhand, *several)
    assert [each["target"] for each in found] == ["Software_Developer", "Front_End_Developer", "Web_Developer"]
    assert found[0]["faithfulness"] is None
    one = explained(evenhand, *several, "--target", "web_developer")
    assert (one["file"], one["target"]) == ("web.html", "Web_Developer")


def test_the_readable_view_and_the_pictures(evenhand: Shell, folder: Path) -> None:
    files = ("--html", "why.html", "--png", "why.png", "--svg", "why.svg")
    result = evenhand("occupation", "accountant.rtf", *files, "--as-of", "2026-10")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "accountant.rtf  ACCOUNTANT"
    assert lines[1].startswith("The model says ACCOUNTANT and gives it a probability of more than 99%.")
    for heading in ("Words for it", "Sections", "How far to trust this"):
        assert heading in lines
    assert "Accountant                     +0.94 ▆▆▆▆▆" in result.stdout
    assert "- The scores add up to the difference they explain (+1.82) exactly." in lines
    assert (folder / "why.html").read_text().count("<article") == 1
    assert (folder / "why.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "why.svg").read_text().startswith("<svg")


def test_pictures_of_several_labels_have_names_of_their_own(evenhand: Shell, folder: Path) -> None:
    files = ("--svg", "roles.svg", "--html", "roles.html")
    assert evenhand("occupation", "web.html", "--model", "it-roles", "--no-faithfulness", *files).returncode == 0
    assert sorted(path.name for path in folder.glob("roles-*.svg")) == [
        "roles-Front_End_Developer.svg",
        "roles-Software_Developer.svg",
        "roles-Web_Developer.svg",
    ]
    assert (folder / "roles.html").read_text().count("<article") == 3


def test_baselines_side_by_side(evenhand: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baselines, "NUMBERS", {"mixed": 3})
    arguments = ("occupation", "accountant.rtf", "--baseline", "compare")
    found = explained(evenhand, *arguments)
    assert [row["baseline"] for row in found["baselines"]] == ["pad", "average", "negatives", "random"]
    pairs = {(pair["first"], pair["second"]) for pair in found["pairs"]}
    assert pairs >= {("pad", "average"), ("negatives", "random")}
    shown = evenhand(*arguments)
    assert shown.returncode == 0
    for words in ("F(x')", "rank correlation", "same of the top 10", "pad, average"):
        assert words in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--target", "PIRATE"], "Error: The model occupation has no label 'PIRATE'; it has ACCOUNTANT,"),
        (["--method", "shap"], "Error: There is no method 'shap'; there are ig, lig,"),
        (["--baseline", "zero"], "Error: There is no baseline 'zero'; there are pad,"),
        (["--model", "nowhere"], "Error: There is no model 'nowhere'"),
        (["--job", "job.txt"], "Error: A job is for the task fit only"),
        (["--html", "none/why.html"], "Error: none/why.html cannot be written"),
    ],
)
def test_wrong_usage(evenhand: Shell, arguments: list[str], words: str) -> None:
    result = evenhand("occupation", "accountant.rtf", "--no-faithfulness", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(words)


@pytest.mark.parametrize(
    ("file", "code"),
    [("empty.txt", "empty_document"), ("missing.pdf", "unreadable_file"), ("nobody.txt", "nothing_to_explain")],
)
def test_a_file_that_cannot_be_explained(evenhand: Shell, file: str, code: str) -> None:
    result = evenhand("occupation", file, "--json")
    assert result.returncode == 1
    found = json.loads(result.stdout)
    assert (found["file"], found["error"]["code"]) == (file, code)
    assert result.stderr.count("\n") == 1
    assert f"({code})" in result.stderr


def test_help_has_examples(evenhand: Shell) -> None:
    result = evenhand("--help")
    assert "evenhand explain occupation resume.pdf --baseline compare" in result.stdout
    for name in run.METHODS:
        assert name in result.stdout
