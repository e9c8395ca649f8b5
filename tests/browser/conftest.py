"""The small demo pool, built once for all browser tests, served anew for each file of them; real Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from evenhand.settings import Settings
from evenhand_lab.demo.pool import Demo, build_demo
from tests.browser.served import Served, serving
from tests.browser.visiting import WAIT_MS, Visits, open_browser

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """Processes that test side by side share one: whoever comes second waits for the first."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    return build_demo(Settings(data=str(folder / "pool")), size="small")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed after each file: while Playwright runs in a thread, no other loop can."""
    expect.set_options(timeout=WAIT_MS)
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def served(pool: Demo, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served") / "data"
    shutil.copytree(pool.settings.data_path, folder)
    with serving(folder, pool.jobs, pool.staff) as opened:
        yield opened


@pytest.fixture(scope="module")
def arrived(browser: Browser, served: Served) -> Visits:
    """Who has come in already, for all tests of a file."""
    return Visits(browser, served, states={})


@pytest.fixture
def visits(arrived: Visits) -> Iterator[Visits]:
    """No page may break, complain, fail to load something or ask something that the test does not mean it to."""
    own = replace(arrived, faults=[], expected=set(), asked=[], agrees=False, contexts=[])
    yield own
    own.close()
    assert own.faults == []
