"""`evenhand lexicon`: a user's own entries come, are listed, are found in resumes, and go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenhand.cli.main import app
from evenhand.errors import UsageError
from evenhand.mining.pipeline import mine
from evenhand.settings import Settings
from tests.lab.training.documents import plain_document


@pytest.fixture
def runner(tmp_path: Path) -> CliRunner:
    return CliRunner(env={"COLUMNS": "100", "TERM": "dumb", "EVENHAND_DATA": str(tmp_path / "data")})


def ran(runner: CliRunner, *arguments: str) -> str:
    result = runner.invoke(app, ["lexicon", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.stdout


def test_an_entry_is_kept_and_takes_in_more_forms(runner: CliRunner, tmp_path: Path) -> None:
    path = tmp_path / "data" / "lexicon.tsv"
    assert ran(runner, "list") == f"No entries of your own in {path}.\n"
    assert ran(runner, "add", "skill", "Frobnication") == f"skill Frobnication: in {path}\n"
    told = ran(runner, "add", "skill", "frobnication", "--alias", "frob", "--alias", "frobbing")
    assert told == f"skill Frobnication, also written frob, frobbing: in {path}\n"
    ran(runner, "add", "degree:master", "Magister Artium")
    assert [json.loads(line) for line in ran(runner, "list", "--json").splitlines()] == [
        {"kind": "skill", "name": "Frobnication", "aliases": ["frob", "frobbing"], "type": None},
        {"kind": "degree", "name": "Magister Artium", "aliases": [], "type": "master"},
    ]
    cells = [[cell.strip() for cell in row.split("│")] for row in ran(runner, "list").splitlines() if "│" in row]
    assert [row[1:4] for row in cells] == [
        ["skill", "Frobnication", "frob, frobbing"],
        ["degree:master", "Magister Artium", ""],
    ]
    assert json.loads(ran(runner, "list", "degree", "--json"))["name"] == "Magister Artium"


def test_an_entry_is_removed_whole(runner: CliRunner) -> None:
    ran(runner, "add", "skill", "frobnication", "--alias", "frob")
    ran(runner, "add", "company", "Frobnication")
    assert ran(runner, "remove", "skill", "FROBNICATION") == "skill frobnication: removed\n"
    assert [json.loads(line)["kind"] for line in ran(runner, "list", "--json").splitlines()] == ["company"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("add", "skil", "x"), "There is no lexicon of 'skil'; there are: skill,"),
        (("add", "skill", " "), "must not be empty"),
        (("add", "degree", "Magister"), "A degree needs what it is, as in degree:"),
        (("list", "verbs"), "There is no lexicon of 'verbs'"),
        (("remove", "skill", "x"), "Your lexicon has no skill 'x'; evenhand lexicon list shows what it has."),
    ],
)
def test_wrong_usage_is_told(runner: CliRunner, arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        ran(runner, *arguments)


def test_a_damaged_lexicon_is_wrong_usage_for_mine(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text("skill\tfrob\nnonsense\n")
    with pytest.raises(UsageError, match=r"Line 2 of .*words\.tsv"):
        mine(b"Ada Example", settings=Settings(lexicon=str(path)))


def test_own_skills_are_mined(tmp_path: Path, runner: CliRunner) -> None:
    text = "Ada Example\n\nSkills\nPython, Frobnication\n\nExperience\nEngineer, Works Ltd.\n2015 - 2016\n- Frobbing.\n"
    settings = Settings(data=str(tmp_path / "data"))
    before = mine(plain_document(text), as_of="2026-10", settings=settings)
    ran(runner, "add", "skill", "frobnication", "--alias", "frobbing")
    after = mine(plain_document(text), as_of="2026-10", settings=settings)
    found = {skill.name: (skill.surfaces, skill.months) for skill in after.skills}
    assert found["frobnication"] == (("Frobnication", "Frobbing"), 24)
    assert "frobbing" not in {skill.name for skill in before.skills}
