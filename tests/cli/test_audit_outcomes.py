"""`evenhand audit outcomes` and `evenhand audit groups`: what they print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evenhand.cli.main import app
from evenhand.errors import UsageError
from evenhand.screening import ingest
from evenhand.screening.service import open_service
from evenhand.settings import Settings
from tests.screening.applicants import FIVE, Taken, take_in
from tests.screening.service_fixtures import mine_here


@pytest.fixture
def runner(tmp_path: Path) -> CliRunner:
    return CliRunner(env={"COLUMNS": "120", "TERM": "dumb", "EVENHAND_DATA": str(tmp_path / "data")})


def audit(runner: CliRunner, *arguments: str) -> Result:
    result = runner.invoke(app, ["audit", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """50 of 100 women hired and 80 of 100 men: 0.625."""
    rows = ["f;yes"] * 50 + ["f;no"] * 50 + ["m;yes"] * 80 + ["m;no"] * 20
    (tmp_path / "hires.csv").write_text("\n".join(["sex;hired", *rows]), encoding="utf-8-sig")
    return tmp_path / "hires.csv"


def test_a_table(runner: CliRunner, table: Path) -> None:
    result = audit(runner, "outcomes", "--table", str(table), "--outcome", "hired", "--group", "sex", "--json")
    report = json.loads(result.stdout)
    assert (report["kind"], report["worst"]) == ("outcomes", "concern")
    assert report["findings"][0]["figures"]["ratio"] == 0.625
    assert not (table.parent / "data").exists()  # no store was made


def test_it_can_fail_and_write(runner: CliRunner, table: Path) -> None:
    page = table.parent / "r.html"
    options = ("--table", str(table), "--outcome", "hired", "--group", "sex", "--html", str(page))
    result = audit(runner, "outcomes", *options, "--fail-on", "concern")
    assert result.exit_code == 3
    assert "The impact ratio is 0.62" in " ".join(result.stdout.split())
    assert "Do groups fare differently?" in page.read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--group", "sex"), "go with --table"),
        (("--table", "x.csv", "--job", "1"), "--table stands alone"),
        (("--ll144", "x.csv"), "--ll144 and --distributed go together"),
        (("--table", "x.csv", "--leave-out", "sex"), "should be VARIABLE=GROUP=WHY"),
    ],
)
def test_wrong_usage(runner: CliRunner, options: tuple[str, ...], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        audit(runner, "outcomes", *options)


@pytest.fixture
def taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Taken:
    monkeypatch.setattr(ingest, "mine_with_documents", mine_here)
    with open_service(Settings(data=str(tmp_path / "data"))) as service:
        return take_in(service, *FIVE)


def test_groups_from_import_to_removal(runner: CliRunner, taken: Taken, tmp_path: Path) -> None:
    survey = tmp_path / "survey.csv"
    survey.write_text("file,sex,race\nasha.txt,f,asian\nboris.txt,m,\nnobody.txt,f,white\n")
    result = audit(runner, "groups", "import", str(survey), "--job", taken.job)
    assert result.exit_code == 1
    assert result.stdout.startswith("2 applications matched by file: 4 answers new, 0 changed, 0 known already.")
    assert "Without an application: 1 row (4)." in result.stderr
    again = audit(runner, "groups", "import", str(survey), "--json")
    assert json.loads(again.stdout)["same"] == 4
    shown = json.loads(audit(runner, "groups", "show", "--json").stdout)
    assert shown == [
        {"variable": "race", "groups": {"Asian": 1}, "unknown": 1},
        {"variable": "sex", "groups": {"female": 1, "male": 1}, "unknown": 0},
    ]
    assert "         1  female\n" in audit(runner, "groups", "show", "--job", taken.job).stdout

    figures = tmp_path / "ll144.json"
    options = ("--job", taken.job, "--ll144", str(figures), "--distributed", "2026-01-31")
    assert json.loads(audit(runner, "outcomes", *options, "--json").stdout)["worst"] == "unknown"
    assert json.loads(figures.read_text())["unknown"] == {"sex": 3, "race": 4, "sex x race": 4}

    assert "would be removed" in audit(runner, "groups", "remove").stderr
    removed = audit(runner, "groups", "remove", "--application", taken.ids["Asha"], "--yes")
    assert removed.stdout == "Removed: what 1 application had said.\n"
    audit(runner, "groups", "remove", "--yes")
    assert "Nobody's group is known" in audit(runner, "groups", "show").stderr
