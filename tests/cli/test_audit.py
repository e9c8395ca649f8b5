"""`evenhand audit`: reports shown and kept, exit codes, schedules, notices and the pack, as somebody types them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evenhand.cli.main import app
from evenhand.errors import NotFound, UsageError
from evenhand.records.groups import SelfIdentification
from evenhand.rendering.report_pdf import write_report
from evenhand.screening.service import open_service
from evenhand.settings import Settings
from evenhand.store.self_identifications import SelfIdentificationStore
from tests.cli.judged import JOB, judge, likes_degrees
from tests.rendering.reports import empty, hostile, outcomes, swaps


@pytest.fixture
def runner(tmp_path: Path) -> CliRunner:
    return CliRunner(env={"COLUMNS": "120", "TERM": "dumb", "EVENHAND_DATA": str(tmp_path)})


def report(runner: CliRunner, file: Path, *arguments: str) -> Result:
    return audit(runner, "report", str(file), *arguments)


def audit(runner: CliRunner, *arguments: str) -> Result:
    result = runner.invoke(app, ["audit", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.parametrize(
    ("made", "fail_on", "code"),
    [(swaps, "concern", 3), (swaps, "watch", 3), (outcomes, "watch", 3), (outcomes, "concern", 0), (empty, "watch", 0)],
)
def test_it_fails_on_what_is_as_bad(runner: CliRunner, tmp_path: Path, made: type, fail_on: str, code: int) -> None:
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
            "▲ Findings: one to act on",
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


def test_audits_are_kept_listed_shown_scheduled_and_packed(runner: CliRunner, tmp_path: Path) -> None:
    """Whoever has a degree is shortlisted, and only men have one."""
    with open_service(Settings(data=str(tmp_path))) as service:
        job = service.store.jobs.add(JOB)
        people = judge(service.store, job, "ann", 60, likes_degrees)
        said = [
            SelfIdentification(id, {"sex": "male" if at % 2 else "female"}) for at, id in enumerate(people.values())
        ]
        SelfIdentificationStore(service.store.context).save(said, actor="ann", job=job)
    ran = audit(runner, "run", "--job", job, "--kinds", "outcomes", "--fail-on", "concern", "--json")
    assert ran.exit_code == 3
    printed = json.loads(ran.stdout)
    assert printed["worst"] == "concern"
    [kept] = json.loads(audit(runner, "list", "--json").stdout)["audits"]
    assert (kept["job"], kept["kind"], kept["state"], kept["worst"]) == (job, "outcomes", "done", "concern")
    assert json.loads(audit(runner, "show", kept["id"], "--json").stdout) == printed
    assert audit(runner, "show", kept["id"], "--fail-on", "concern").exit_code == 3
    assert "is audited weekly, first on" in audit(runner, "run", "--job", job, "--schedule", "weekly").stdout
    assert "Scheduled weekly" in audit(runner, "list").stdout
    assert "scheduled any more" in audit(runner, "run", "--job", job, "--schedule", "off").stdout
    notice = tmp_path / "notice.txt"
    notice.write_text("A tool orders applications.")
    given = audit(runner, "notice", "--job", job, "--text-file", str(notice), "--channel", "e-mail")
    assert given.stdout.startswith("On record as event ")
    packed = audit(runner, "pack", "--job", job, "--out", str(tmp_path / "pack.zip"))
    assert "files in" in packed.stdout
    assert "race" in packed.stderr  # Local Law 144 cannot do without
    with zipfile.ZipFile(tmp_path / "pack.zip") as archive:
        assert {"manifest.json", "ll144/MISSING.txt", "notices/notices.md"} <= set(archive.namelist())


def test_wrong_wishes_are_told(runner: CliRunner) -> None:
    for arguments in (
        ("run",),
        ("run", "--kinds", "spells", "--schedule", "daily"),
        ("pack", "--job", "none", "--out", "x.zip"),
        ("show", "none"),
    ):
        with pytest.raises((UsageError, NotFound)):
            audit(runner, *arguments)


def test_a_report_made_elsewhere_is_kept_and_on_the_record(runner: CliRunner, tmp_path: Path) -> None:
    write_report(outcomes(), json=tmp_path / "r.json")
    kept = audit(runner, "keep", str(tmp_path / "r.json"))
    id = kept.stdout.split()[2].rstrip(".")
    shown = json.loads(audit(runner, "show", id, "--json").stdout)
    assert shown["findings"] == outcomes().to_json()["findings"]
    with open_service(Settings(data=str(tmp_path))) as service:
        (event,) = [each for each in service.store.ledger.events() if each.kind == "audit"]
        assert (event.body["audit"], event.job) == (id, None)
