"""A real server and what comes through its sockets: requests that do not arrive, floods, and proxies."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest
import uvicorn

from evenhand.accounts import sign_in
from evenhand.errors import SignInRefused, UsageError
from evenhand.settings import Settings
from evenhand.store.repeatable_answers import RepeatableAnswerStore
from evenhand.web import app as web_app
from evenhand.web import idempotency, security
from evenhand.web.access import MAX_CONCURRENT
from evenhand.web.pages import exports
from evenhand.web.security import PatientProtocol
from tests.web.house import OWN_SITE, House

pytest_plugins = ["tests.web.house_fixtures"]

BEGUN = b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n"
FORM = BEGUN + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5019\r\n\r\n"


@contextmanager
def served(app: object, **options: object) -> Iterator[int]:
    """The port it listens to."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", lifespan="off", **options)  # type: ignore[arg-type]
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join()


def is_ended(connection: socket.socket) -> bool:
    """By the server, within a time that it needs by no means."""
    connection.settimeout(20)
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


@pytest.mark.parametrize("sent", [b"", BEGUN, FORM, FORM + b"login="], ids=["nothing", "headers", "no body", "body"])
def test_a_request_that_does_not_arrive_ends_its_connection(
    house: House, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(security, "HEADER_SECONDS", 0.2)
    monkeypatch.setattr(security, "BODY_SECONDS", 0.2)
    with served(house.app, http=PatientProtocol) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(sent)
        assert is_ended(connection)


def test_a_slow_body_goes_on_while_enough_arrives(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BODY_SECONDS", 2.0)
    monkeypatch.setattr(security, "MIN_BYTES_PER_SECOND", 1)
    with served(house.app, http=PatientProtocol) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        fields = b"login=ann&password="
        connection.sendall(FORM + fields)
        for _ in range(25):
            time.sleep(0.1)
            connection.sendall(b"x" * 200)
        connection.settimeout(20)
        assert connection.recv(12) == b"HTTP/1.1 401"


def test_attempts_to_sign_in_keep_nobody_else_waiting(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread that answers others is taken: with every attempt held up, pages are still served."""
    held = threading.Event()

    def hold(*arguments: object) -> bool:
        held.wait(60)
        return False

    monkeypatch.setattr(sign_in, "verify_password", hold)
    cookies = dict(house.browser("bo").cookies)
    with served(house.app, http=PatientProtocol) as port, ThreadPoolExecutor(100) as attackers:
        address = f"http://127.0.0.1:{port}"

        def attempt(number: int) -> httpx.Response:
            data = {"login": f"bo{number}", "password": "guess"}
            return httpx.post(f"{address}/sign-in", data=data, headers=OWN_SITE, timeout=60)

        attempts = [attackers.submit(attempt, number) for number in range(100)]
        try:
            deadline = time.monotonic() + 60
            while not any(attempt.done() for attempt in attempts) and time.monotonic() < deadline:
                time.sleep(0.01)  # until the queue is full, and somebody is sent away
            page = httpx.get(f"{address}/account", cookies=cookies, timeout=20)
        finally:
            held.set()
        assert page.status_code == 200
        answers = [attempt.result() for attempt in attempts]
    busy = [answer for answer in answers if "Many people are signing in" in answer.text]
    assert {(answer.status_code, answer.headers["retry-after"]) for answer in busy} == {(429, "5")}
    assert len(answers) - len(busy) >= sign_in.MAX_WAITING


def test_one_users_requests_keep_nobody_else_waiting(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are 40 threads that answer: with sixty exports of one user held up, others still get their pages."""
    held, begun = threading.Event(), []

    def hold(*arguments: object) -> bytes:
        begun.append(True)
        held.wait(60)
        return b""

    monkeypatch.setattr(exports, "csv_bytes", hold)
    bo, cy = (dict(house.browser(who).cookies) for who in ("bo", "cy"))
    with served(house.app, http=PatientProtocol) as port, ThreadPoolExecutor(60) as users:
        address = f"http://127.0.0.1:{port}"

        def export(_: int) -> int:
            return httpx.get(f"{address}/jobs/{house.job}/export.csv", cookies=bo, timeout=120).status_code

        answers = [users.submit(export, number) for number in range(60)]
        try:
            deadline = time.monotonic() + 60
            while len(begun) < MAX_CONCURRENT and time.monotonic() < deadline:
                time.sleep(0.01)
            page = httpx.get(f"{address}/account", cookies=cy, timeout=20)
            at_once = len(begun)
        finally:
            held.set()
        assert page.status_code == 200
        assert at_once == MAX_CONCURRENT
        assert {answer.result() for answer in answers} == {200}


def test_waiting_for_the_answer_to_an_earlier_request_keeps_nobody_from_writing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that was cut off leaves its key taken; whoever sends it again only reads while they wait."""
    monkeypatch.setattr(idempotency, "WAIT_SECONDS", 0.2)
    monkeypatch.setattr(RepeatableAnswerStore, "finish", lambda *arguments: None)
    bo, address = house.browser("bo"), f"/api/v1/applications/{house.ids['Asha']}/notes"

    def send() -> int:
        return bo.post(address, json={"text": "Call."}, headers={idempotency.HEADER: "key"}).status_code

    assert send() == 201
    with ThreadPoolExecutor(1) as again, house.store.context.database.writing():
        assert again.submit(send).result() == 409


def test_the_queue_of_hashes_has_an_end_and_gives_places_back() -> None:
    pool, held = sign_in.HashingPool(1, 2), threading.Event()
    waiting = [pool.submit(held.wait) for _ in range(3)]
    with pytest.raises(SignInRefused) as refused:
        pool.submit(held.wait)
    assert refused.value.wait_seconds == 5
    held.set()
    assert [future.result() for future in waiting] == [True] * 3
    while True:  # a place is given back a moment after the result
        try:
            assert pool.submit(lambda: 7).result() == 7
            break
        except SignInRefused:
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("proxies", "client"),
    [("", "127.0.0.1"), ("10.0.0.0/8", "127.0.0.1"), ("127.0.0.1", "203.0.113.7"), ("127.0.0.0/8 ::1", "203.0.113.7")],
)
def test_only_a_trusted_proxy_says_who_comes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object, proxies: str, client: str
) -> None:
    """What the server is started with decides; what stands first in the header is the stranger's own."""
    started: dict[str, object] = {}
    monkeypatch.setattr(uvicorn, "run", lambda *_, **options: started.update(options))
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    monkeypatch.delenv(web_app.HANDED_DOWN, raising=False)
    web_app.serve(Settings(data=str(tmp_path), trusted_proxies=proxies), host="127.0.0.1", port=0)

    async def app(scope: dict[str, object], receive: Callable[..., object], send: Callable[..., object]) -> None:
        body = str(scope["client"][0]).encode()  # type: ignore[index]
        await send({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[misc]
        await send({"type": "http.response.body", "body": body})  # type: ignore[misc]

    kept = {name: started[name] for name in ("http", "proxy_headers", "forwarded_allow_ips")}
    with served(app, **kept) as port:
        headers = {"x-forwarded-for": "198.51.100.1, 203.0.113.7"}
        assert httpx.get(f"http://127.0.0.1:{port}/", headers=headers).text == client


def test_a_proxy_that_is_no_address_is_told() -> None:
    with pytest.raises(UsageError, match="trusted_proxies"):
        _ = Settings(trusted_proxies="10.0.0").proxy_networks
