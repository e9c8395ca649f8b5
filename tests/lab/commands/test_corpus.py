"""`evenhand corpus` as a shell sees it: what is printed, what is left in the folder, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenhand.cli.main import app
from evenhand.errors import UsageError
from evenhand_lab.commands.corpus import counts_of, month_of

Finished = subprocess.CompletedProcess[str]
runner = CliRunner(env={"COLUMNS": "120", "TERM": "dumb"})


def corpus(*arguments: str | Path) -> Finished:
    command = [sys.executable, "-m", "evenhand", "corpus", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpora") / "made"
    wishes = ("--n", "8", "--kind", "mixed", "--formats", "txt, HTML", "--plant", "duplicates=1,stuffing=1")
    result = corpus("generate", "--out", out, *wishes)
    assert (result.returncode, result.stderr) == (0, "")
    words = " ".join(result.stdout.split())
    assert words.startswith("8 resumes, 2 of them with planted cases, are in ")
    return out


@pytest.mark.parametrize("command", ["generate", "describe", "check"])
def test_help_has_examples(command: str) -> None:
    result = runner.invoke(app, ["corpus", command, "--help"])
    assert result.exit_code == 0
    assert "Examples" in result.stdout
    assert f"evenhand corpus {command}" in result.stdout


def test_generate_writes_what_was_asked_for(made: Path) -> None:
    endings = {path.suffix for path in (made / "resumes").rglob("*.*")}
    assert endings == {".txt", ".html"}
    planted = (made / "planted.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(line)["kind"] for line in planted) == ["duplicates", "stuffing"]


def test_check_agrees(made: Path) -> None:
    result = corpus("check", made)
    assert (result.returncode, result.stdout, result.stderr) == (0, "8 resumes checked, 0 faults.\n", "")
    assert corpus("check", made, "--json").stdout == ""


def test_check_tells_what_is_wrong(tmp_path: Path) -> None:
    out = tmp_path / "out"
    corpus("generate", "--out", out, "--n", "2", "--kind", "mixed", "--formats", "txt")
    (out / "resumes/00/000001.txt").unlink()
    result = corpus("check", out)
    assert result.returncode == 1
    assert result.stderr == "1: resumes/00/000001.txt is missing\n"
    assert result.stdout == "2 resumes checked, 1 faults.\n"
    lines = corpus("check", out, "--json").stdout.splitlines()
    assert [json.loads(line) for line in lines] == [{"number": 1, "fault": "resumes/00/000001.txt is missing"}]


def test_describe(made: Path, tmp_path: Path) -> None:
    result = corpus("describe", made)
    assert result.returncode == 0
    assert result.stdout.startswith("8 resumes (8 mixed)")
    assert "Section orders" in result.stdout
    others = tmp_path / "others.jsonl"
    others.write_text(json.dumps({"text": "Ada Example " * 200}) + "\n", encoding="utf-8")
    described = json.loads(corpus("describe", made, "--compare", others, "--json").stdout)
    assert described["resumes"] == 8
    assert sum(described["designs"].values()) == 8
    assert described["comparison"]["resumes"] == [8, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("generate", "--n", "3"), "Missing option '--out'"),
        (("generate", "--out", "x", "--n", "3", "--kind", "actors"), "There is no kind 'actors'"),
        (("generate", "--out", "x", "--n", "3", "--plant", "scans"), "--plant takes CASE=COUNT, not 'scans'."),
        (("generate", "--out", "x", "--n", "3", "--as-of", "soon"), "--as-of takes a month like 2026-10"),
        (("check", "x"), "x holds no corpus."),
        (("describe", "x"), "x holds no corpus."),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = corpus(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_counts_and_months() -> None:
    assert counts_of(" duplicates=20, hidden = 5,") == {"duplicates": 20, "hidden": 5}
    assert counts_of("") == {}
    assert month_of("2026-10") == 2026 * 12 + 9
    with pytest.raises(UsageError):
        month_of("2026-13")
