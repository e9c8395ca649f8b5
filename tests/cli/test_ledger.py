"""The ledger from the command line: shown, signed, verified, and its rankings made again."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from typer.testing import CliRunner

from evenhand.errors import NotFound, UsageError
from evenhand.screening import ingest
from evenhand.store.store import MIGRATIONS, VERSION_TABLE
from tests.cli.test_service import JOB, RESUMES, ran, runner_in
from tests.ledger.chains import Tampered


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a job, its applicants, a search and a decision; each test gets a copy."""
    folder = tmp_path_factory.mktemp("ledger")
    (folder / "inbox").mkdir()
    for name, text in RESUMES.items():
        (folder / "inbox" / name).write_text(text)
    (folder / "job.txt").write_text(JOB)
    runner = runner_in(folder)
    id = ran(runner, "job", "add", str(folder / "job.txt")).splitlines()[-1]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ingest, "BATCH_SECONDS", 600.0)  # one event, on a busy machine too
        ran(runner, "ingest", str(folder / "inbox"), "--job", id, "--source", "portal")
    found = json.loads(ran(runner, "search", "--job", id, "kubernetes", "--json"))
    best = found["results"][0]["application"]
    ran(runner, "decide", "shortlist", best, "--reason", "knows it all", "--by", "Ann")
    return folder, id


@pytest.fixture
def folder(worked: tuple[Path, str], tmp_path: Path) -> Path:
    shutil.copytree(worked[0], tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def runner(folder: Path) -> CliRunner:
    return runner_in(folder)


@contextmanager
def tampered(folder: Path) -> Iterator[Tampered]:
    with closing(Tampered(folder / "data" / "evenhand.db")) as opened:
        yield opened


def test_what_happened_in_words(runner: CliRunner, worked: tuple[Path, str]) -> None:
    id = worked[1]
    lines = ran(runner, "ledger", "show").splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4"]
    kinds = [line.split()[3] for line in lines]
    assert kinds == ["job", "ingest", "ranking", "decision"]
    assert lines[1].endswith(f"3 applications imported from portal  [job {id}]")
    assert lines[2].endswith(f"1 to 3 of 3 shown, ranked by best  [job {id}]")
    assert "Ann  shortlist: 1 application" in lines[3]
    [decision] = ran(runner, "ledger", "show", "--kind", "decision", "--json").splitlines()
    event = json.loads(decision)
    assert (event["sequence"], event["kind"], event["job"]) == (4, "decision", id)
    assert "Ann" not in decision
    assert "knows it all" not in decision
    assert ran(runner, "ledger", "show", "--limit", "1").split()[0] == "4"
    assert ran(runner, "ledger", "show", "--job", "none") == ""
    with pytest.raises(UsageError, match="no kind of event 'party'"):
        ran(runner, "ledger", "show", "--kind", "party")


def test_signed_verified_and_found_altered(runner: CliRunner, folder: Path) -> None:
    assert ran(runner, "ledger", "verify") == "4 events: the ledger is whole.\n"
    # Each command has signed what it did.
    point = json.loads((folder / "data" / "ledger" / "checkpoints.jsonl").read_text().splitlines()[-1])
    assert point["sequence"] == 4
    assert ran(runner, "ledger", "checkpoint") == ""
    assert json.loads(ran(runner, "ledger", "verify", "--json")) == {
        "sound": True,
        "events": 4,
        "checkpoints": 4,
        "signed_until": 4,
        "key": point["key"],
        "findings": [],
    }
    with tampered(folder) as file:
        rows = file.original["ledger"]
        file.put({"ledger": rows[:-1]})
        shortened = ran(runner, "ledger", "verify", code=1)
        assert f"The ledger ends with event 3, but at {point['time']} it had 4" in shortened
        found = json.loads(ran(runner, "ledger", "verify", "--json", code=1))
        codes = [each["code"] for each in found["findings"]]
        assert {"shortened", "unknown_opening", "unrecorded_decision"} <= set(codes)
        file.restore()
    own = folder / "copy.jsonl"
    own.write_text(json.dumps(point) + "\n")
    ran(runner, "ledger", "verify", "--checkpoints", str(own), "--key", point["key"])
    told = ran(runner, "ledger", "verify", "--checkpoints", str(own), "--key", "00" * 32, code=1)
    assert "was signed with another key" in told


def test_rankings_made_again(runner: CliRunner, worked: tuple[Path, str], folder: Path) -> None:
    assert ran(runner, "ledger", "replay", "3") == "     3  the same: 3 listed\n"
    [line] = ran(runner, "ledger", "replay", "--all", "--job", worked[1], "--json").splitlines()
    assert json.loads(line) == {
        "sequence": 3,
        "job": worked[1],
        "identical": True,
        "listed": 3,
        "erased": 0,
        "differences": [],
        "impossible": None,
    }
    with tampered(folder) as file:
        rows = list(file.original["ledger"])
        forged = rows[2][5].replace('"total":3', '"total":4')
        file.put({"ledger": [*rows[:2], (*rows[2][:5], forged, *rows[2][6:]), rows[3]]})
    assert ran(runner, "ledger", "replay", "--all", code=1) == (
        "     3  not the same:\n        4 matched by the record, 3 when it is made again.\n"
    )


def test_wrong_usage(runner: CliRunner) -> None:
    for arguments in ((), ("3", "--all"), ("3", "--job", "x")):
        with pytest.raises(UsageError, match="Name one event, or give --all"):
            ran(runner, "ledger", "replay", *arguments)
    with pytest.raises(UsageError, match="Event 1 is no ranking"):
        ran(runner, "ledger", "replay", "1")
    with pytest.raises(NotFound):
        ran(runner, "ledger", "replay", "77")


def read_only(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command on a folder where nothing can be written: not even by root, who leaves that power behind."""

    def without_override() -> None:
        for capability in (
            1,
            2,
        ):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH; refused, and not needed, where we are not root
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP

    everything = [folder / "data", *(folder / "data").rglob("*")]
    for path in everything:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        return subprocess.run(
            [sys.executable, "-m", "evenhand", *arguments],
            env=os.environ | {"EVENHAND_DATA": str(folder / "data"), "COLUMNS": "100"},
            preexec_fn=without_override,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        for path in everything:
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_data_folder_on_read_only_media_can_be_read_and_verified(folder: Path, worked: tuple[Path, str]) -> None:
    before = sorted(str(path) for path in (folder / "data").rglob("*"))
    verified = read_only(folder, "ledger", "verify")
    assert (verified.returncode, verified.stdout) == (0, "4 events: the ledger is whole.\n")
    listed = read_only(folder, "job", "list", "--json")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert json.loads(listed.stdout)["id"] == worked[1]
    refused = read_only(folder, "job", "close", worked[1])
    assert refused.returncode == 1
    assert refused.stderr.endswith("cannot be changed: it lies where nothing can be written.\n")
    assert sorted(str(path) for path in (folder / "data").rglob("*")) == before


def test_an_index_on_read_only_media_is_not_called_damaged(folder: Path, worked: tuple[Path, str]) -> None:
    checked = read_only(folder, "check")
    assert checked.returncode == 1
    [fault] = checked.stdout.splitlines()
    assert fault.startswith("index_unchecked: The search index in ")
    assert "cannot be opened where nothing can be written" in fault
    refused = read_only(folder, "search", "--job", worked[1], "kubernetes")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "Copy the whole data folder to a place that can be written." in " ".join(refused.stderr.split())
    assert "damaged" not in refused.stderr


def test_read_only_media_with_an_unfinished_log_or_an_older_database_are_told(folder: Path) -> None:
    """Changes that lie in the log alone would be missed, and an older database cannot be migrated."""
    database = folder / "data" / "evenhand.db"
    log = database.with_name("evenhand.db-wal")
    log.write_bytes(b"x" * 64)
    unfinished = read_only(folder, "ledger", "verify")
    assert unfinished.returncode == 1
    assert "its newest changes still lie in evenhand.db-wal. Copy the whole folder" in unfinished.stderr
    log.unlink()
    first = min(ScriptDirectory(str(MIGRATIONS)).walk_revisions(), key=lambda script: script.revision).revision
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = ?", (first,))
    older = read_only(folder, "job", "list")
    assert older.returncode == 1
    assert f"is of an older Evenhand (its tables are at {first}) and cannot be brought up to date" in older.stderr


def test_checkpoints_that_are_not_there_are_not_passed_over(runner: CliRunner, folder: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no file .*copy\.jsonl with checkpoints"):
        ran(runner, "ledger", "verify", "--checkpoints", str(folder / "copy.jsonl"))
