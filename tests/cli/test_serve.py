"""`evenhand serve`: refuses in words what cannot work, and starts and stops cleanly."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from evenhand.cli.main import exit_code
from evenhand.cli.serve import check_port, reached_at, warnings
from evenhand.errors import UsageError
from evenhand.settings import LoadedSettings, load_settings
from evenhand.store.store import Store


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which another program listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def loaded(**flags: str) -> LoadedSettings:
    return load_settings(flags, environment={})


def refusal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the program says before it ends with the code for wrong usage."""
    monkeypatch.setattr(sys, "argv", ["evenhand", "serve", *arguments])
    assert exit_code() == 2
    return capsys.readouterr().err


def test_nobody_is_served_before_there_is_a_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    sentence = "Error: Nobody could sign in yet. Make the first user: evenhand user add LOGIN --role admin\n"
    assert refusal(monkeypatch, capsys, "--port", str(free_port())) == sentence
    with Store.open(f"sqlite:///{tmp_path / 'evenhand.db'}", files=tmp_path / "files") as store:
        user = store.accounts.add("bo", "Bo", "recruiter", actor="test")
        store.accounts.disable(user.id, actor="test")
    assert refusal(monkeypatch, capsys, "--port", str(free_port())) == sentence


def test_a_port_that_is_taken_is_told(
    taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "untouched"))
    assert refusal(monkeypatch, capsys, "--port", str(taken)) == (
        f"Error: Port {taken} on 127.0.0.1 is taken by another program; choose another one with --port.\n"
    )
    assert not (tmp_path / "untouched").exists()


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid", "a b", "x" * 300])
def test_a_host_that_is_not_here_is_told(host: str) -> None:
    with pytest.raises(UsageError, match="is no address of this machine"):
        check_port(host, free_port())


def test_single_sign_on_that_cannot_work_is_told_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    said = refusal(monkeypatch, capsys, "--port", str(free_port()), "--set", "oidc_issuer=https://login.example.com")
    assert said == "Error: Setting oidc_client_id is missing; the provider gives one for this Evenhand.\n"


def test_links_begin_with_where_the_server_listens_unless_somebody_says_otherwise() -> None:
    assert reached_at(loaded(), "127.0.0.1", 8080).origin == "http://127.0.0.1:8080"
    assert reached_at(loaded(), "::1", 8080).origin == "http://[::1]:8080"
    named = loaded(address="https://hiring.example.com/")
    assert reached_at(named, "0.0.0.0", 8080).origin == "https://hiring.example.com"


def test_who_listens_to_the_network_without_tls_is_warned() -> None:
    def said(host: str, **flags: str) -> list[str]:
        found = loaded(**flags)
        return [line.split(".")[0] for line in warnings(found, reached_at(found, host, 8000), host)]

    unprotected = "Warning: passwords and resumes will cross the network unprotected"
    assert said("127.0.0.1") == []
    assert said("localhost") == []
    tls = {"address": "https://hiring.example.com"}
    assert said("0.0.0.0", **tls, trusted_proxies="10.0.0.0/8") == []
    unnamed = "Warning: the setting trusted_proxies does not name the proxy in front of this server"
    assert said("0.0.0.0", **tls) == said("127.0.0.1", **tls) == [unnamed]
    assert said("0.0.0.0", address="http://hiring.example.com") == [unprotected]
    both = said("0.0.0.0")
    assert both[0] == unprotected
    assert both[1].startswith("Warning: the setting address does not say under which name")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_it_is_told_to_stop(tmp_path: Path, number: signal.Signals) -> None:
    with Store.open(f"sqlite:///{tmp_path / 'evenhand.db'}", files=tmp_path / "files") as store:
        store.accounts.add("ada", "Ada", "admin", actor="test")
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "evenhand", "serve", "--port", str(port)],
        env={**os.environ, "EVENHAND_DATA": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        answer = _wait_for(f"http://127.0.0.1:{port}/sign-in", process)
        assert answer.status_code == 200
        assert "server" not in answer.headers
        process.send_signal(number)
        _, said = process.communicate(timeout=30)
    finally:
        process.kill()
    assert said == f"Evenhand is at http://127.0.0.1:{port} (Ctrl-C stops it).\nStopped.\n"
    assert process.returncode == 0
    assert (tmp_path / "ledger" / "checkpoints.jsonl").exists()  # the ledger is signed off


def _wait_for(address: str, process: subprocess.Popen[str]) -> httpx.Response:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            return httpx.get(address)
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the server did not start")
