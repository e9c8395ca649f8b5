"""`evenhand predict` as a shell sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evenhand.cli.main import exit_code
from evenhand.models.architectures import ARCHITECTURES
from evenhand.records import canonical_json
from tests.explain.gradients.by_hand import draw_network, small
from tests.models.encoder.tiny_bert import write_tiny_bert
from tests.models.test_predict import NURSE

Finished = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("predict")
    encoder = write_tiny_bert(folder / "tiny")
    draw_network(folder / "mine", encoder, small(ARCHITECTURES["C+I"]))
    (folder / "nurse.txt").write_text(NURSE)
    (folder / "empty.txt").write_text("")
    return folder


def evenhand(folder: Path, *arguments: str, stdin: str = "") -> Finished:
    environment = {"COLUMNS": "80", "EVENHAND_DATA": str(folder / "data"), "EVENHAND_ENCODER": str(folder / "tiny")}
    return subprocess.run(
        [sys.executable, "-m", "evenhand", "predict", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | environment,
        timeout=120,
        check=False,
    )


def test_json_is_one_canonical_prediction_per_line_in_input_order(folder: Path) -> None:
    names = ["nurse.txt", "empty.txt", "-"]
    result = evenhand(folder, "level", "--model", "./mine", "--json", *names, stdin=NURSE)
    assert (result.returncode, result.stderr) == (1, "")
    lines = result.stdout.splitlines()
    found = [json.loads(line) for line in lines]
    assert [canonical_json(each) for each in found] == lines
    assert [each["file"] for each in found] == names
    assert set(found[0]) == {"file", "task", "label", "labels", "model", "abstained"}
    assert set(found[0]["labels"][0]) == {"label", "probability"}
    assert found[0]["label"] == found[0]["labels"][0]["label"]
    assert found[1]["error"]["code"] == "empty_document"
    assert found[2]["labels"] == found[0]["labels"]


def test_a_readable_table(folder: Path) -> None:
    result = evenhand(folder, "level", "--model", "./mine", "--abstain-below", "0.99", "nurse.txt", "empty.txt")
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "nurse.txt  not sure enough to say"
    assert [line.split()[0] for line in lines[1:4]] == [
        each.split()[0] for each in sorted(lines[1:4], key=lambda line: -int(line.split()[1].strip("%")))
    ]
    assert all("▆" in line for line in lines[1:2])
    assert lines[5] == "empty.txt  The file contains no text. (empty_document)"
    assert result.stderr == "A prediction is a guess about a text, no decision about a person. Model: tiny 1.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("hire", "nurse.txt"), "There is no task 'hire'; there are occupation, level, fit."),
        (("fit", "nurse.txt"), "The task fit compares resumes with a job: name it with --job."),
        (("level", "--model", "./nowhere", "nurse.txt"), "There is no model nowhere: it is not a folder."),
        (("level", "--model", "./spoiled", "nurse.txt"), "card.md of the model "),
    ],
)
def test_wrong_usage_says_so_before_anything_is_read(
    arguments: tuple[str, ...],
    sentence: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if "./spoiled" in arguments:
        draw_network(folder / "spoiled", folder / "tiny", small(ARCHITECTURES["C"]))
        (folder / "spoiled" / "card.md").write_text("The best model there is.")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("EVENHAND_DATA", str(folder / "data"))
    monkeypatch.setattr(sys, "argv", ["evenhand", "predict", *arguments])
    assert exit_code() == 2
    shown = capfd.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"Error: {sentence}")
