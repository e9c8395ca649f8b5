"""Checkpoints are lines of a file that only grows, and are handed to a command."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from evenhand.errors import StoreError
from evenhand.ledger.checkpoints import (
    Checkpoint,
    SigningKey,
    append_checkpoint,
    public_key_of,
    read_checkpoints,
    send_checkpoint,
)
from evenhand.ledger.verify import verify_ledger
from evenhand.screening.service import open_service
from evenhand.settings import Settings
from tests.ledger.chains import NOON
from tests.store.resumes import JOB


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    return SigningKey.load_or_make(tmp_path / "ledger" / "signing.key")


def test_the_key_is_made_once_and_private(tmp_path: Path, key: SigningKey) -> None:
    path = tmp_path / "ledger" / "signing.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert SigningKey.load_or_make(path).public == key.public == public_key_of(path)
    assert list(path.parent.iterdir()) == [path]
    assert public_key_of(tmp_path / "none") is None
    path.write_text("no key")
    with pytest.raises(StoreError, match="holds no key"):
        SigningKey.load_or_make(path)
    with pytest.raises(StoreError, match="cannot be read or made"):
        SigningKey.load_or_make(path / "below")


def test_lines_come_back_and_a_line_cut_off_costs_only_itself(tmp_path: Path, key: SigningKey) -> None:
    path = tmp_path / "elsewhere" / "checkpoints.jsonl"
    assert list(read_checkpoints(path)) == []
    points = [Checkpoint.make(number, "ab" * 32, time=NOON, key=key) for number in (1, 2, 3)]
    append_checkpoint(path, points[0])
    with path.open("a") as file:
        file.write('{"sequence": 2, "ha')
    append_checkpoint(path, points[1])
    append_checkpoint(path, points[2])
    assert list(read_checkpoints(path)) == [points[0], 2, points[1], points[2]]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    value = json.loads(path.read_text().splitlines()[0])
    assert {name: value[name] for name in ("sequence", "hash", "time", "key")} == {
        "sequence": 1,
        "hash": "ab" * 32,
        "time": "2030-01-01T12:00:00+00:00",
        "key": key.public,
    }
    with path.open("a") as file:
        file.write('[]\n{"sequence":"1","hash":"","time":"","key":"","signature":""}\n')
    assert list(read_checkpoints(path))[-2:] == [5, 6]


def test_a_command_gets_the_line(tmp_path: Path, key: SigningKey) -> None:
    point = Checkpoint.make(7, "ab" * 32, time=NOON, key=key)
    kept = tmp_path / "kept elsewhere"
    send_checkpoint(f"dd status=none of='{kept}'", point)
    assert kept.read_text() == point.line() + "\n"
    with pytest.raises(StoreError, match="failed with 1"):
        send_checkpoint("false", point)
    with pytest.raises(StoreError, match="cannot be run"):
        send_checkpoint("/no/such/command", point)
    with pytest.raises(StoreError, match="cannot be run"):
        send_checkpoint("  ", point)


def test_a_file_that_cannot_be_written(tmp_path: Path, key: SigningKey) -> None:
    point = Checkpoint.make(7, "ab" * 32, time=NOON, key=key)
    with pytest.raises(StoreError, match="cannot be written"):
        append_checkpoint(tmp_path, point)
    with pytest.raises(StoreError, match="cannot be read"):
        list(read_checkpoints(tmp_path))


def test_a_folder_gets_a_copy_that_verification_reads(tmp_path: Path) -> None:
    """Whoever rewrites the checkpoints beside the database does not reach it."""
    settings = Settings(data=str(tmp_path / "data"), checkpoint_folder=str(tmp_path / "share"))
    assert settings.keeps_checkpoints_elsewhere
    with open_service(settings) as service:
        service.store.jobs.add(JOB, actor="ann")
    copy = tmp_path / "share" / "checkpoints.jsonl"
    assert copy.read_text() == settings.checkpoint_path.read_text() != ""  # signed when the work ended
    settings.checkpoint_path.write_text("")
    with open_service(settings) as service:
        assert verify_ledger(service.store, settings).signed_until == 1
