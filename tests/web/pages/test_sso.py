"""Signing in with a company account through the pages, at a provider that really runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient

from evenhand.web.access import SESSION
from evenhand.web.pages.sign_in import BROWSER
from tests.accounts.provider import CLIENT, SECRET, LocalProvider, serving, visit
from tests.web.house import House

pytest_plugins = ["tests.web.house_fixtures"]


@pytest.fixture(scope="module")
def running() -> Iterator[LocalProvider]:
    with serving() as provider:
        yield provider


@pytest.fixture
def provider(running: LocalProvider) -> LocalProvider:
    running.person = {"sub": "17", "email": "eva@example.com", "email_verified": True, "name": "Eva Frost"}
    return running


@pytest.fixture
def house_settings(provider: LocalProvider, tmp_path: Path) -> dict[str, object]:
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    return {
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret_file": str(secret),
        "oidc_default_role": "recruiter",
    }


def sent_back(client: TestClient, wanted: str = "/") -> str:
    """The address at which the browser comes back from the provider."""
    going = client.get("/sso", params={"next": wanted})
    assert going.status_code == 303
    cookie = going.headers["set-cookie"].lower()
    assert BROWSER in cookie
    assert "httponly" in cookie
    assert "path=/;" in cookie
    return f"/sso/return?{urlencode(visit(going.headers['location']))}"


def test_somebody_new_comes_in_and_to_the_page_that_was_asked_for(house: House) -> None:
    client = house.visitor()
    assert "Sign in with your company account" in client.get("/sign-in").text
    arrived = client.get(sent_back(client, "/help/recruiter"))
    assert (arrived.status_code, arrived.headers["location"]) == (303, "/help/recruiter")
    assert "Eva Frost" in client.get("/").text
    user = house.store.accounts.by_login("eva@example.com")
    assert user
    assert (user.role, user.has_password) == ("recruiter", False)
    assert BROWSER not in client.cookies


def test_only_to_our_own_pages(house: House) -> None:
    client = house.visitor()
    assert client.get(sent_back(client, "//evil.example.com")).headers["location"] == "/"


def test_an_answer_works_once_and_in_the_browser_that_asked(house: House) -> None:
    client = house.visitor()
    back = sent_back(client)
    thief = house.visitor().get(back)
    assert thief.status_code == 401
    assert "begun in another browser or too long ago" in thief.text
    assert SESSION not in thief.cookies
    assert client.get(back).status_code == 303
    assert client.get(back).status_code == 401
    assert client.get("/sso/return?error=access_denied&state=nonsense").status_code == 401


def test_an_account_is_connected_by_who_is_signed_in(house: House) -> None:
    bo = house.browser("bo")
    page = bo.post("/sso/connect")
    assert page.status_code == 200
    address = re.search(r'content="0;url=([^"]+)"', page.text)
    assert address
    arrived = bo.get(f"/sso/return?{urlencode(visit(unescape(address[1])))}")
    assert arrived.headers["location"] == "/account"
    assert "Connected: you can sign in with it." in bo.get("/account").text
    later = house.visitor()
    later.get(sent_back(later))
    assert "Bo Carden" in later.get("/").text
    assert len(house.store.accounts.all()) == 4


def test_who_is_not_signed_in_connects_nothing(house: House) -> None:
    assert house.visitor().post("/sso/connect").status_code == 401
