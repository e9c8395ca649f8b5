"""Administrators read on every page that the machine does not confine the processes that read files."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from starlette.testclient import TestClient

from evenhand.web.access import SESSION
from evenhand.web.app import HANDED_DOWN, make_served_app
from tests.web.house import OWN_SITE, House

pytest_plugins = ["tests.unconfined", "tests.web.house_fixtures"]
SENTENCE = "This system does not confine the processes that read files (Landlock and seccomp)"


@pytest.mark.usefixtures("unconfined")
def test_administrators_are_told_and_others_are_not(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HANDED_DOWN, json.dumps(asdict(house.context.settings)))
    app = make_served_app()
    with TestClient(app, headers=OWN_SITE) as client:
        app.state.confinement_gap.result(60)
        pages = {}
        for who in ("ada", "bo"):
            client.cookies.set(SESSION, house.store.sessions.open(house.people[who].id))
            pages[house.people[who].role] = client.get("/").text
    assert SENTENCE in pages.pop("admin")
    assert all(SENTENCE not in page for page in pages.values())
