"""Mining processes: what a resume does to one of them is a warning in its own Profile and nothing else."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from evenhand.errors import EvenhandError
from evenhand.mining.in_process import is_failed, shortened
from evenhand.mining.process_pool import MiningPool, profile_from
from evenhand.records import Document, Profile, Source
from evenhand.settings import Settings
from tests.lab.training.documents import plain_document

TROUBLED = "troubled_miner"  # beside this file


@pytest.fixture(autouse=True)
def module_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package called tests may be installed; the mining process is to find ours."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))


@pytest.fixture
def pool() -> Iterator[MiningPool]:
    with MiningPool(Settings(wall_seconds=2.0), miner=TROUBLED) as pool:
        yield pool


def mined(pool: MiningPool, text: str) -> Profile:
    return pool.mine(plain_document(text), as_of="2026-10")


def test_a_profile_comes_back_as_it_was(pool: MiningPool) -> None:
    profile = mined(pool, "Ada Example")
    assert profile.name is not None
    assert (profile.name.value, profile.as_of) == ("Ada Example", "2026-10")
    assert profile.document == Source.of(plain_document("Ada Example"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("die", "This resume ended the mining process; there are no facts."),
        ("hang", "Mining took too long and was stopped; there are no facts."),
        ("raise", "Mining stopped at a fault (KeyError); there are no facts."),
        ("recurse", "Mining stopped at a fault (RecursionError); there are no facts."),
    ],
)
def test_trouble_is_a_warning_and_the_next_one_is_mined(pool: MiningPool, text: str, message: str) -> None:
    profile = mined(pool, text)
    assert [(warning.code, warning.message) for warning in profile.warnings] == [("mining_failed", message)]
    assert is_failed(profile)
    assert (profile.document.status, profile.name) == ("parsed", None)
    assert not is_failed(mined(pool, "Bo Sample"))


def test_a_mining_process_writes_no_files(pool: MiningPool) -> None:
    assert is_failed(mined(pool, "write"))
    assert not Path("/tmp/evenhand-must-not-exist").exists()


def test_a_closed_pool_leaves_no_processes_and_takes_no_more() -> None:
    pool = MiningPool(Settings(), miner=TROUBLED)
    mined(pool, "Ada Example")
    pids = pool.pids()
    assert len(pids) == 1
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
    with pytest.raises(EvenhandError, match="closed"):
        mined(pool, "Bo Sample")


def test_a_miner_that_cannot_be_loaded_is_told() -> None:
    told = pytest.raises(EvenhandError, match=r"The mining process does not start: .*no_miner")
    with MiningPool(Settings(), miner="no_miner") as pool, told:
        mined(pool, "Ada Example")


class Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("true",)


@pytest.mark.parametrize("value", [Evil(), "text", plain_document("x"), print])
def test_a_reply_that_is_no_profile_is_refused(value: object) -> None:
    with pytest.raises((ValueError, pickle.UnpicklingError)):
        profile_from(pickle.dumps(value))
    with pytest.raises((ValueError, pickle.UnpicklingError)):
        profile_from(b"")


def test_a_long_text_is_cut_between_lines() -> None:
    document = plain_document("Ada Example\nEngineer\nPilot")
    part, warnings = shortened(document, 21)
    assert (part.text, len(part.lines)) == ("Ada Example\nEngineer", 2)
    message = "Only the first 20 of 26 characters were mined."
    assert [(warning.code, warning.message) for warning in warnings] == [("mined_in_part", message)]
    assert shortened(document, 26) == (document, ())


def test_a_first_line_that_is_too_long_leaves_nothing() -> None:
    part, warnings = shortened(plain_document("Ada Example"), 5)
    assert isinstance(part, Document)
    assert (part.text, part.lines, len(warnings)) == ("", (), 1)
