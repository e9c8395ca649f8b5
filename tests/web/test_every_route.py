"""Every route, asked by everyone: who may use it is answered, who may not learns nothing, and both are on record.

The routes come from the application, the rules they go by from a table: a route that is not in it, or whose rule has
changed, fails here until somebody has looked at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute, iter_route_contexts
from httpx2 import Response

from evenhand.web.access import rule_of
from tests.web.route_table import ROUTES, V1, Route, fill
from tests.web.world import ROLES, Place, World, open_world

ALLOWED = {
    "public": set(ROLES),
    "signed_in": {"owner", "stranger", "auditor", "admin"},
    "admin": {"admin"},
    "reviewer": {"auditor", "admin"},
    "screener": {"owner", "stranger", "admin"},
    "readable_job": {"owner", "auditor", "admin"},
    "writable_job": {"owner", "admin"},
    "readable_application": {"owner", "auditor", "admin"},
    "writable_application": {"owner", "admin"},
}
"""By rule, for things of the owner's job."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("world")) as opened:
        yield opened


def test_the_table_lists_every_route_with_its_rule(world: World) -> None:
    served: dict[tuple[str, str], str] = {}
    for found in iter_route_contexts(world.app.routes):
        if isinstance(found.original_route, APIRoute):
            rule = rule_of(found)
            assert rule
            served |= {(method, found.path): rule.__name__ for method in found.methods or ()}
    assert served == {key: listed.rule for key, listed in ROUTES.items()}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("key", ROUTES, ids=" ".join)
def test_route(world: World, key: tuple[str, str], role: str) -> None:
    """Of the owner's job: her own for her, a foreign one for the stranger."""
    listed = ROUTES[key]
    answer, before = ask(world, key, role, world.own)
    if role in ALLOWED[listed.rule]:
        assert answer.status_code in listed.special.get(role, listed.answers), answer.text[:500]
        mend(world)
        return
    check_denied(answer, expected(key, listed, role))
    check_silent(answer, world.own)
    check_recorded(world, role, before)


@pytest.mark.parametrize(
    "key", [key for key in ROUTES if "{job}" in key[1] or "{application}" in key[1]], ids=" ".join
)
def test_what_belongs_to_another_recruiter(world: World, key: tuple[str, str]) -> None:
    """The other way round: the owner asks for the stranger's."""
    answer, before = ask(world, key, "owner", world.foreign)
    check_denied(answer, 404)
    check_silent(answer, world.foreign)
    check_recorded(world, "owner", before)


def ask(world: World, key: tuple[str, str], role: str, place: Place) -> tuple[Response, int]:
    """What came back, and the last event before."""
    method, path = key
    listed = ROUTES[key]
    address = fill(path, world, place, role)
    sent: dict[str, Any] = {}
    if listed.form:
        sent["data"] = listed.form(world, place, role)
    if listed.json:
        sent["json"] = listed.json(world, place, role)
    if listed.query:
        sent["params"] = listed.query(world, place, role)
    if listed.files:
        sent["files"] = listed.files(world, place, role)
    if listed.content is not None:
        sent["content"] = listed.content
    client = world.client(role)
    before = world.store.ledger_head()[0]
    return client.request(method, address, **sent), before


def expected(key: tuple[str, str], listed: Route, role: str) -> int:
    method, path = key
    if role == "anonymous":
        return 303 if method == "GET" and not path.startswith(V1) else 401
    return 404 if role == "stranger" and ("_job" in listed.rule or "_application" in listed.rule) else 403


def check_denied(answer: Response, status: int) -> None:
    assert answer.status_code == status, answer.text[:500]
    if status == 303:
        assert answer.headers["location"].startswith("/sign-in?next=")
    assert "evenhand_session" not in answer.headers.get("set-cookie", "")


def check_silent(answer: Response, place: Place) -> None:
    """Nothing of the place but what whoever asks has named."""
    address = str(answer.request.url)
    said = (answer.text + repr(sorted(answer.headers.items()))).lower()
    for secret in (*place.secrets, *place.ids):
        if secret not in address:
            assert secret.lower() not in said


def check_recorded(world: World, role: str, before: int) -> None:
    """One event: the denial. Nothing else has happened."""
    events = world.store.events(after=before)
    if role == "anonymous":
        assert events == []
        return
    assert [event.kind for event in events] == ["denial"]
    assert world.store.unsealed([events[0].actor]) == {events[0].actor: world.people[role].id}


def mend(world: World) -> None:
    """What one request has closed the next one needs open."""
    for place in (world.own, world.foreign):
        if world.store.job(place.job).closed:
            world.store.reopen_job(place.job)
