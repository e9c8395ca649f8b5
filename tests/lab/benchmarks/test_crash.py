"""The bench of crashes: its accounting by hand, and a small run of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from random import Random

import pytest

from evenhand.settings import Settings
from evenhand.store.store import Store
from evenhand_lab.benchmarks import crash, ingest
from evenhand_lab.benchmarks.crash import Account, Ending, KillTime, choose
from evenhand_lab.benchmarks.crash_work import CrashTask, work
from evenhand_lab.benchmarks.postgres import children_of, kill, still_there
from tests.store.resumes import JOB, apply


def heard(*messages: tuple[str, object]) -> Account:
    account = Account()
    for message in messages:
        account.hear(message)
    return account


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(f"sqlite:///{tmp_path / 'evenhand.db'}", files=tmp_path / "files")


def test_what_was_acknowledged_must_be_there(store: Store) -> None:
    ids = apply(store, store.jobs.add(JOB), "Java one", "Java two", "Java three")
    assert list(heard(("added", ids)).settle(store)) == []
    assert list(heard(("added", [*ids, "lost"])).settle(store)) == [
        "The application lost was acknowledged and is gone."
    ]
    account = heard(("added", ids), ("deciding", {ids[0]: "screened"}), ("decided", None))
    assert account.acknowledged == 4
    assert list(account.settle(store)) == [f"The application {ids[0]} is new, acknowledged was screened."]


def test_what_was_begun_is_there_as_a_whole_or_not_at_all(store: Store) -> None:
    ids = apply(store, store.jobs.add(JOB), "Java one", "Java two", "Java three")
    assert list(heard(("adding", 3)).settle(store)) == []
    assert list(heard(("added", ids), ("adding", 2)).settle(store)) == []
    assert list(heard(("adding", 4)).settle(store)) == ["Of 4 applications added together 3 are there."]
    account = heard(("added", ids))
    assert list(account.settle(store)) == []
    account.hear(("deciding", dict.fromkeys(ids, "screened")))
    store.decisions.decide(ids[:2], "screen", actor="ann")  # two of three: as if a batch could come apart
    assert list(account.settle(store)) == ["Of 3 decisions made together 2 are there."]


def test_a_removal_counts_when_it_was_acknowledged(store: Store) -> None:
    ids = apply(store, store.jobs.add(JOB), "Java one", "Java two")
    account = heard(("added", ids))
    assert list(account.settle(store)) == []
    account.hear(("removing", ids[0]))
    assert list(account.settle(store)) == []
    account.hear(("removing", ids[0]))
    store.erasures.remove_application(ids[0])
    account.hear(("removed", ids[0]))
    assert list(account.settle(store)) == []


def test_moments_cover_the_whole_run() -> None:
    last = Ending(cut_off=False, silent=False, failure=None, crash=None, messages=9, seconds=4.0, orphans=0)
    rng = Random(1)
    chosen = [choose(rng, last) for _ in range(400)]
    timed = [moment.seconds for moment in chosen if moment.messages == 0]
    assert 150 < len(timed) < 250
    assert (min(timed) < 0.2, max(timed) > 3.8) == (True, True)
    assert {moment.messages for moment in chosen} == set(range(9))
    assert isinstance(choose(rng, None), KillTime)


def test_an_error_that_nobody_translated_is_reported(tmp_path: Path) -> None:
    listening, telling = Pipe(duplex=False)
    work(CrashTask("no such work", Settings(data=str(tmp_path)), "job", (), seed=1), telling)
    kind, text = listening.recv()
    assert kind == "crashed"
    assert text.startswith("Traceback")
    assert text.endswith("KeyError: 'no such work'\n")


def test_processes_of_a_process() -> None:
    """One that starts another one and waits; the second outlives the first."""
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE) as parent:
        while not (found := children_of(parent.pid)):
            pass
        assert children_of(os.getpid()).count(parent.pid) == 1
        kill(parent.pid, signal.SIGKILL)
        assert still_there(found, seconds=0.1) == found
        kill(found[0], signal.SIGKILL)
        assert still_there(found, seconds=30) == []
        kill(found[0], signal.SIGKILL)  # once more: there is none, and that is no error


@pytest.mark.slow
@pytest.mark.postgres
def test_killed_twelve_times_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash, "ALWAYS", 4)
    monkeypatch.setattr(crash, "NEW", 0)
    monkeypatch.setattr(crash, "KINDS", ("ingest", "decide", "index"))
    monkeypatch.setattr(crash, "FULL_DISKS", (20_000,))
    result = crash.run(n=12, seed=7)
    assert (result.findings, result.orphans) == ([], 0)
    assert {name: sum(kinds.values()) for name, kinds in result.kills.items()} == {"sqlite": 6, "postgresql": 6}
    assert (result.full_disks, len(result.told)) == (2, 2)
    assert result.acknowledged > 12
    assert result.table().row_count == len(result.rows())
    assert replace(result).to_json()["orphans"] == 0


@pytest.mark.long
def test_the_cost_of_taking_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "SHARES", (0.5, 1.0))
    result = ingest.run(n=4)
    assert [size.files for size in result.sizes] == [2, 4]
    assert all(size.taken_in.cpu_seconds > size.indexed.cpu_seconds > 0 for size in result.sizes)
    assert result.table().row_count == len(result.rows())
    assert result.to_json()["workers"] == 2
