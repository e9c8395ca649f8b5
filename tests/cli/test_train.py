"""`evenhand train ranker`: look, adopt, be refused, see the history, go back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evenhand.cli.main import app
from evenhand.errors import UsageError
from evenhand.screening.service import open_service
from evenhand.settings import Settings
from tests.cli.judged import JOB, PROBES, arrive, judge, likes_degrees


@pytest.fixture
def runner(tmp_path: Path) -> CliRunner:
    return CliRunner(env={"COLUMNS": "120", "TERM": "dumb", "EVENHAND_DATA": str(tmp_path)})


def fill(folder: Path, number: int) -> str:
    """Two people decide on so many each; the job's id."""
    with open_service(Settings(data=str(folder))) as service:
        job = service.store.jobs.add(JOB)
        arrive(service.store, job, PROBES)
        for user in ("ann", "[b]bob"):
            judge(service.store, job, user, number, likes_degrees)
    return job


def train(runner: CliRunner, *arguments: str, code: int = 0) -> Result:
    result = runner.invoke(app, ["train", "ranker", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code
    return result


def page(runner: CliRunner, job: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        runner.invoke(app, ["search", "--job", job, "--facet", "status=new", "--json"]).stdout
    )
    return found


def test_learn_look_adopt_and_take_back(runner: CliRunner, tmp_path: Path) -> None:
    job = fill(tmp_path, 36)
    before = page(runner, job)
    looked = train(runner)
    assert "36 shortlisted or offered and 36 rejected of all jobs" in looked.stdout
    assert "In force (defaults)" in looked.stdout
    assert "[b]bob" in looked.stdout
    [education] = [line.split("│") for line in looked.stdout.splitlines() if "Education" in line]
    assert education[2].strip() == "5.0"
    assert float(education[3]) > 25
    assert ["Requirements", "20.0", "20.0", "+0.0"] in [
        line.strip("│ ").replace("│", " ").split() for line in looked.stdout.splitlines()
    ]
    [right] = [line.split("│") for line in looked.stdout.splitlines() if "right order" in line]
    assert right[3].strip() == "100.0%"
    assert looked.stderr == "Nothing has changed; --adopt puts the new weights in force.\n"
    assert page(runner, job) == before

    adopted = train(runner, "--job", job, "--adopt", "--by", "admin", "--json")
    found = json.loads(adopted.stdout)
    assert (found["adopted"], found["refusal"], found["before"], found["job"]) == (1, None, 0, job)
    assert "To take it back: evenhand train ranker --roll-back" in adopted.stderr
    after = page(runner, job)
    assert after["weights"] == {"version": 1, "values": found["weights"]}
    files = [[result["file"] for result in shown["results"]] for shown in (before, after)]
    assert files == [["worded.txt", "learned.txt", "neither.txt"], ["learned.txt", "worded.txt", "neither.txt"]]

    history = json.loads(train(runner, "--history", "--json").stdout)
    assert history["in_force"] == after["weights"]
    assert [(entry["version"], entry["by"]) for entry in history["versions"]] == [(1, "admin")]
    assert "1 (in force)" in train(runner, "--history").stdout

    assert train(runner, "--roll-back").stdout == "The default weights are in force again.\n"
    assert page(runner, job) == before
    assert train(runner, "--roll-back", "1").stdout == "Version 1 of the weights is in force again.\n"
    assert page(runner, job) == after
    restored = json.loads(train(runner, "--roll-back", "0", "--json").stdout)
    assert restored == before["weights"]


def test_too_few_decisions(runner: CliRunner, tmp_path: Path) -> None:
    fill(tmp_path, 4)
    sentence = (
        "Too few decisions to learn from: 4 shortlisted or offered and 4 rejected, by people who did both for the "
        "same job; 20 of each are needed. Nothing has changed.\n"
    )
    assert train(runner).stderr == sentence
    refused = train(runner, "--adopt", "--json", code=1)
    assert refused.stderr == sentence
    assert json.loads(refused.stdout)["adopted"] is None
    assert not (tmp_path / "weights").exists()


def test_nothing_was_decided_yet(runner: CliRunner) -> None:
    assert "0 shortlisted or offered and 0 rejected" in train(runner).stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--adopt", "--roll-back"), "Give one of"),
        (("--history", "--adopt"), "Give one of"),
        (("3",), "for --roll-back only"),
        (("--roll-back",), "nothing to go back from"),
        (("--roll-back", "3"), "no version 3"),
    ],
)
def test_what_does_not_go_together(runner: CliRunner, arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        train(runner, *arguments)
