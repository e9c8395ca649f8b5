"""What people can do in a served house: the object that tests of pages work with."""

from __future__ import annotations

from dataclasses import dataclass, field

from fastapi import FastAPI
from fastapi.testclient import TestClient

from evenhand.store.accounts import UserAccount
from evenhand.store.store import Store
from evenhand.web.access import SESSION
from evenhand.web.context import Context

PASSWORD = "violet kettle march otter"
PEOPLE = {
    "ada": ("admin", "Ada Brent"),
    "bo": ("recruiter", "Bo Carden"),
    "cy": ("recruiter", "Cy Dunmore"),
    "di": ("auditor", "Di Eames"),
}
OWN_SITE = {"sec-fetch-site": "same-origin"}


@dataclass(frozen=True)
class House:
    """`job` is bo's; `ids` are its applications by first name."""

    context: Context
    job: str
    ids: dict[str, str]
    people: dict[str, UserAccount]
    app: FastAPI = field(repr=False)

    @property
    def store(self) -> Store:
        return self.context.store

    def visitor(self, **headers: str) -> TestClient:
        """Somebody's browser, on our own pages; nobody is signed in. The server runs while the test does."""
        return TestClient(self.app, headers={**OWN_SITE, **headers}, follow_redirects=False)

    def browser(self, who: str) -> TestClient:
        """Of somebody who is signed in."""
        client = self.visitor()
        client.cookies.set(SESSION, self.store.sessions.open(self.people[who].id))
        return client
