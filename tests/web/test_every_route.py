"""Every route, asked by everyone: who may use it is answered, who may not learns nothing, and both are recorded.

The routes come from the application, the rules they go by from a table: a route that is not in it, or whose rule has
changed, fails here until somebody has looked at it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute, iter_route_contexts
from httpx2 import Response

from evenhand.web.access import admin, rule_of
from tests.web.route_table import ROUTES, V1, Route, fill
from tests.web.world import ROLES, Place, World, open_world

ALLOWED = {
    "public": set(ROLES),
    "signed_in": {"owner", "stranger", "auditor", "admin"},
    "admin": {"admin"},
    "reviewer": {"auditor", "admin"},
    "auditing": {"auditor", "admin"},
    "screener": {"owner", "stranger", "admin"},
    "readable_job": {"owner", "auditor", "admin"},
    "writable_job": {"owner", "admin"},
    "readable_application": {"owner", "auditor", "admin"},
    "writable_application": {"owner", "admin"},
}
"""By rule, for things of the owner's job."""


IMPORTER = ("ingest", "refusal", "import")  # what it has to do since an earlier request

PARTS: dict[str, Callable[[Place], str]] = {
    "imports/{id}": lambda place: place.import_,
    "searches/{id}": lambda place: place.search,
    "searches/{search}": lambda place: place.search,
    "notes/{note}": lambda place: place.note,
    "tags/{key}": lambda place: place.tag_key,
    "flags/{key}": lambda place: "0" * 64,
    "correct/{correction}": lambda place: place.correction,
    "corrections/{correction}": lambda place: place.correction,
    "difference/{other}": lambda place: place.other,
    "members/{user}": lambda place: "nobody",
}
"""What belongs to a job or an application, by its place in an address."""

NAMED: dict[tuple[str, str], Callable[[World], dict[str, Any]]] = {
    ("POST", "/applications/{application}/tags/remove"): lambda world: {"tag": world.foreign.tag_key},
    ("POST", "/applications/{application}/flags/set-aside"): lambda world: {"flag": "0" * 64, "reason": "x"},
    ("POST", "/applications/{application}/flags/bring-back"): lambda world: {"flag": "0" * 64},
    ("POST", "/jobs/{job}/undo"): lambda world: {"batch": world.foreign.batch},
    ("POST", "/jobs/{job}/redo"): lambda world: {"batch": world.foreign.batch},
    ("POST", "/jobs/{job}/decisions"): lambda world: {
        "application": [world.own.application, world.foreign.application],
        "action": "screen",
    },
    ("POST", "/jobs/{job}/members/remove"): lambda world: {"user": world.people["stranger"].id},
    ("POST", "/account/sessions/end"): lambda world: {"id": session_of(world, "stranger")},
    ("POST", "/account/tokens/revoke"): lambda world: {"id": token_of(world, "stranger")},
    ("POST", f"{V1}/jobs/{{job}}/decisions"): lambda world: {
        "applications": [world.own.application, world.foreign.application],
        "action": "screen",
    },
    ("POST", f"{V1}/jobs/{{job}}/decisions/undo"): lambda world: {"batch": world.foreign.batch},
    ("POST", f"{V1}/jobs/{{job}}/decisions/redo"): lambda world: {"batch": world.foreign.batch},
    ("DELETE", f"{V1}/me/tokens/{{token}}"): lambda world: {"token": token_of(world, "stranger")},
    ("GET", "/jobs/{job}/why"): lambda world: {"above": world.own.application, "below": world.foreign.application},
    ("GET", f"{V1}/jobs/{{job}}/why"): lambda world: {"above": world.foreign.application},
    ("GET", "/jobs/{job}/compare"): lambda world: {"a": [world.own.application, world.foreign.application]},
    ("GET", f"{V1}/jobs/{{job}}/compare"): lambda world: {
        "application": [world.own.application, world.foreign.application]
    },
}
"""Requests that name what belongs to somebody else beside what is one's own."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("world")) as opened:
        yield opened


def test_the_table_lists_every_route_with_its_rule(world: World) -> None:
    served: dict[tuple[str, str], tuple[str, str]] = {}
    for found in iter_route_contexts(world.app.routes):
        if isinstance(found.original_route, APIRoute):
            rule = rule_of(found)
            assert rule
            direct = {each.call for each in found.dependant.dependencies}
            also = "admin" if admin in direct and rule is not admin else ""
            served |= {(method, str(found.path)): (rule.__name__, also) for method in found.methods or ()}
    assert served == {key: (listed.rule, listed.also) for key, listed in ROUTES.items()}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("key", ROUTES, ids=" ".join)
def test_route(world: World, key: tuple[str, str], role: str) -> None:
    """Of the owner's job: her own for her, a foreign one for the stranger."""
    listed = ROUTES[key]
    answer, before = ask(world, key, role, world.own)
    if role in ALLOWED[listed.rule] & ALLOWED[listed.also or "public"]:
        assert answer.status_code in listed.special.get(role, listed.answers), answer.text[:500]
        mend(world)
        return
    check_denied(answer, expected(key, listed, role))
    check_silent(answer, world.own)
    check_recorded(world, role, before)


@pytest.mark.parametrize("key", [key for key in ROUTES if "{job}" in key[1] or "{application}" in key[1]], ids=" ".join)
def test_what_belongs_to_another_recruiter(world: World, key: tuple[str, str]) -> None:
    """The other way round: the owner asks for the stranger's."""
    answer, before = ask(world, key, "owner", world.foreign)
    check_denied(answer, 403 if ROUTES[key].also else 404)
    check_silent(answer, world.foreign)
    check_recorded(world, "owner", before)


@pytest.mark.parametrize("role", ["owner", "admin"])
@pytest.mark.parametrize("key", [key for key in ROUTES if any(part in key[1] for part in PARTS)], ids=" ".join)
def test_parts_of_another_parent(world: World, key: tuple[str, str], role: str) -> None:
    """An address in which the parent is one's own, and the part is not: also for who may see both."""
    method, path = key
    for part, value in PARTS.items():
        path = path.replace(part, f"{part.partition('/')[0]}/{value(world.foreign)}")
    answer = send(world, method, fill(path, world, world.own, role), key, role)
    if role == "admin" and "difference" in path:
        assert answer.status_code == 200  # of two resumes that she may see
        return
    check_denied(answer, 404)
    check_silent(answer, world.foreign)


@pytest.mark.parametrize("role", ["owner", "admin"])
@pytest.mark.parametrize("key", NAMED, ids=" ".join)
def test_others_things_beside_ones_own(world: World, key: tuple[str, str], role: str) -> None:
    method, path = key
    named = NAMED[key](world)
    if "{token}" in path:
        path = path.replace("{token}", named.pop("token"))
    client = world.client(role)
    before = status_of(world)
    address = fill(path, world, world.own, role)
    way = "params" if method == "GET" else "json" if path.startswith(V1) else "data"
    sent: dict[str, Any] = {way: named} if named else {}
    answer = client.request(method, address, **sent)
    check_denied(answer, 404)
    assert status_of(world) == before


def test_secrets_of_others_do_not_let_in(world: World) -> None:
    """The session in a token's place, the token in a session's, the hash of either."""
    session = world.store.sessions.open(world.people["admin"].id)
    _, token = world.store.tokens.make(world.people["admin"].id, "mine", 5)
    assert world.client("anonymous", authorization=f"Bearer {token}").get(f"{V1}/users").status_code == 200
    wrong = [session, f"{token}x", token[:-1], token.removeprefix("evh_"), hashlib.sha256(token.encode()).hexdigest()]
    for secret in (*wrong, "", " ", "None", "%"):
        client = world.client("anonymous", authorization=f"Bearer {secret}")
        assert client.get(f"{V1}/users").status_code == 401
    client = world.client("anonymous")
    client.cookies.set("evenhand_session", token)
    assert client.get(f"{V1}/users").status_code == 401
    both = world.client("admin", authorization="Bearer wrong")
    assert both.get(f"{V1}/users").status_code == 401


def test_a_token_makes_no_other(world: World) -> None:
    _, token = world.store.tokens.make(world.people["owner"].id, "mine", 5)
    client = world.client("anonymous", authorization=f"Bearer {token}")
    refused = client.post(f"{V1}/me/tokens", json={"name": "another", "days": 30})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
    assert client.post("/account/tokens", data={"name": "another", "days": "30"}).status_code == 403


def session_of(world: World, role: str) -> str:
    found = world.store.sessions.id_of(world.store.sessions.open(world.people[role].id))
    assert found
    return found


def token_of(world: World, role: str) -> str:
    return world.store.tokens.make(world.people[role].id, "theirs", 5)[0]


def status_of(world: World) -> tuple[object, ...]:
    """What those requests would have changed."""
    store, place = world.store, world.foreign
    user = world.people["stranger"].id
    return (
        store.applications.get(place.application).status,
        store.applications.get(world.own.application).status,
        store.notes.tags([place.application]),
        [each.id for each in store.jobs.members(place.job)],
        len(store.tokens.of_user(user)),
        len(store.sessions.of_user(user)),
    )


def ask(world: World, key: tuple[str, str], role: str, place: Place) -> tuple[Response, int]:
    """What came back, and the last event before."""
    method, path = key
    listed = ROUTES[key]
    if listed.application:
        path = path.replace("{application}", listed.application(world, place))
    address = fill(path, world, place, role)
    sent = carried(world, key, role, place)
    client = world.client(role)
    before = world.store.ledger.head()[0]
    return client.request(method, address, **sent), before


def send(world: World, method: str, address: str, key: tuple[str, str], role: str) -> Response:
    return world.client(role).request(method, address, **carried(world, key, role, world.own))


def carried(world: World, key: tuple[str, str], role: str, place: Place) -> dict[str, Any]:
    listed = ROUTES[key]
    makers = {"data": listed.form, "json": listed.json, "params": listed.query, "files": listed.files}
    sent: dict[str, Any] = {name: make(world, place, role) for name, make in makers.items() if make}
    return sent if listed.content is None else {**sent, "content": listed.content}


def expected(key: tuple[str, str], listed: Route, role: str) -> int:
    method, path = key
    if role == "anonymous":
        return 303 if method == "GET" and not path.startswith(V1) else 401
    if listed.also and role not in ALLOWED[listed.also]:
        return 403
    if listed.rule == "auditing":
        return 404  # for those who screen there are no audits
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
    events = [event for event in world.store.ledger.events(after=before) if event.kind not in IMPORTER]
    if role == "anonymous":
        assert events == []
        return
    assert [event.kind for event in events] == ["denial"]
    assert world.store.ledger.unsealed([events[0].actor]) == {events[0].actor: world.people[role].id}


def mend(world: World) -> None:
    """What one request has closed the next one needs open."""
    for place in (world.own, world.foreign):
        if world.store.jobs.get(place.job).closed:
            world.store.jobs.reopen(place.job)
