"""A served house with four people and one job with five applicants, made once and copied for each test."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from fastapi.testclient import TestClient
from playwright.sync_api import Browser

from evenhand.accounts.sign_in import add_with_password
from evenhand.screening import ingest
from evenhand.screening.service import open_service
from evenhand.settings import Settings
from evenhand.store.accounts import UserAccount
from evenhand.store.store import Store
from evenhand.web.app import make_app, open_context
from tests.browser.visiting import open_browser
from tests.screening.applicants import FIVE, take_in
from tests.screening.service_fixtures import mine_here
from tests.web.house import PASSWORD, PEOPLE, House


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder to copy, and the id of its job."""
    folder = tmp_path_factory.mktemp("house")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ingest, "mine_with_documents", mine_here)
        with open_service(Settings(data=str(folder))) as service:
            for login, (role, name) in PEOPLE.items():
                add_with_password(service.store, login, role, PASSWORD, name=name, actor="test")
            taken = take_in(service, *FIVE)
            bo = service.store.accounts.by_login("bo")
            assert bo
            service.store.jobs.grant_access(taken.job, bo.id, actor="test")
    return folder, taken.job


@pytest.fixture
def house_settings() -> dict[str, object]:
    """A test module may have others."""
    return {}


@pytest.fixture
def house(
    built: tuple[Path, str], house_settings: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    """Resumes are mined in this process: the same facts, without starting others."""
    monkeypatch.setattr(ingest, "mine_with_documents", mine_here)
    folder, job = built
    shutil.copytree(folder, tmp_path / "house")
    settings = Settings(data=str(tmp_path / "house"), **house_settings)  # type: ignore[arg-type]
    with open_context(settings) as context:
        applications = list(context.store.applications.of_job(job))
        ids = {Path(each.file or "").stem.capitalize(): each.id for each in applications}
        people = {login: _user(context.store, login) for login in PEOPLE}
        app = make_app(context)
        with TestClient(app):  # starts and stops what the server starts and stops
            yield House(context, job, ids, people, app)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real one, closed after each file: while Playwright runs in a thread, no other loop can."""
    with open_browser() as opened:
        yield opened


@pytest.fixture
def address(house: House) -> Iterator[str]:
    """The house, on a port of its own."""
    server = uvicorn.Server(uvicorn.Config(house.app, host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


def _user(store: Store, login: str) -> UserAccount:
    user = store.accounts.by_login(login)
    assert user
    return user
