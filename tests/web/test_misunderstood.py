"""What is not understood is refused and changes nothing: every parameter of every route, with typos, wrong types and
values that nothing has."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select

from evenhand.screening.search_url import PARAMETERS, REPEATED
from evenhand.search.criteria import FACETS
from evenhand.store.tables import MASTER
from tests.web.route_table import PAGES, ROUTES, V1, fill
from tests.web.world import Place, World, open_world

NOT_STATE = ("sessions", "throttle", "tokens", "counters")  # that somebody was there
OPEN_FACETS = ("source", "city", "skill")  # as they were written: a value that nobody has finds nobody
WRONG_QUERIES = [
    "degre=master",
    "degree=phd",
    "degree=",
    "degree",
    "master",
    "months=java>=abc",
    "months=java%3E%3Dabc",
    "months=java=60-24",
    "total_years=3 to 5",
    "status=fired",
    "ranker=magic",
    "strict=maybe",
    "q=titel:engineer",
    "q=(java",
    "q=a&q=b",
    "page=0",
    "degree=master&degre=master",
    "add_least=12",
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("world")) as opened:
        yield opened


@pytest.fixture(scope="module")
def described(world: World) -> dict[str, Any]:
    paths: dict[str, Any] = world.client("admin").get(f"{V1}/openapi.json").json()["paths"]
    return paths


def dump(world: World) -> tuple[tuple[int, str], str]:
    """The end of the ledger, and a hash of every row of every table."""
    hashed = hashlib.sha256()
    with world.store.context.database.reading() as connection:
        for name, table in sorted(MASTER.tables.items()):
            if name not in NOT_STATE:
                rows = sorted(map(repr, connection.execute(select(table))))
                hashed.update(f"{name} {rows}\n".encode())
    return world.store.ledger.head(), hashed.hexdigest()


@dataclass(frozen=True)
class Asked:
    """A request that is answered, as whoever may do the most sends it: about things that exist."""

    client: TestClient
    method: str
    address: str
    query: list[tuple[str, str]]
    body: dict[str, Any]

    @classmethod
    def of(cls, world: World, key: tuple[str, str]) -> Asked:
        address = fill(key[1], world, world.own, "admin")
        client = world.client("admin", accept="application/json")
        return cls(client, key[0], address, own_query(world, key), body_of(world, key, world.own))

    def with_(self, name: str, value: str) -> Response:
        """In place of what it has under this name."""
        query = [*(pair for pair in self.query if pair[0] != name), (name, value)]
        return self.client.request(self.method, self.address, params=tuple(query), **self.body)

    def sending(self, **body: Any) -> Response:
        return self.client.request(self.method, self.address, params=tuple(self.query), **body)


def own_query(world: World, key: tuple[str, str]) -> list[tuple[str, str]]:
    """What the route needs to be answered at all."""
    make = ROUTES[key].query
    given = make(world, world.own, "admin") if make else {}
    lists = {name: value if isinstance(value, list) else [value] for name, value in given.items()}
    return [(name, str(value)) for name, values in lists.items() for value in values]


def body_of(world: World, key: tuple[str, str], place: Place) -> dict[str, Any]:
    listed = ROUTES[key]
    ways = {"data": listed.form, "json": listed.json, "files": listed.files}
    made: dict[str, Any] = {way: make(world, place, "admin") for way, make in ways.items() if make}
    return made | ({"content": listed.content} if listed.content else {})


@pytest.mark.parametrize("key", [key for key in ROUTES if key != ("GET", "/sso/return")], ids=" ".join)
def test_an_unknown_parameter_of_any_route(world: World, key: tuple[str, str]) -> None:
    asked = Asked.of(world, key)
    before = dump(world)
    for name in ("degre", "First"):
        answer = asked.with_(name, "1")
        assert answer.status_code == 422, f"{name}: {answer.status_code}"
        error = answer.json()["error"]
        assert (error["code"], repr(name) in error["message"]) == ("unknown_parameter", True)
        assert "accepted here: " in error["message"] or "none is accepted here" in error["message"]
    assert dump(world) == before


def test_the_answer_of_another_site_may_have_any_parameter(world: World) -> None:
    assert world.client("admin").get("/sso/return?anything=1").status_code == 404  # no provider is set up


@pytest.mark.parametrize("key", [key for key in PAGES if ROUTES[key].form], ids=" ".join)
def test_an_unknown_field_of_a_form(world: World, key: tuple[str, str]) -> None:
    if key in ((("POST", "/jobs/new/files")), ("POST", "/applications/{application}/correct")):
        return  # files come in the one, and rows of any number in the other: they are read by the page itself
    asked = Asked.of(world, key)
    before = dump(world)
    answer = asked.sending(data={**asked.body["data"], "nonsense": "1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "unknown_parameter")
    assert dump(world) == before


def wrong_values(name: str, schema: dict[str, Any]) -> Iterator[str]:
    """That no parameter of this name and kind can have."""
    kinds = [schema, *schema.get("anyOf", [])]
    types = {kind.get("type") for kind in kinds}
    if name == "months":
        yield from ("java>=abc", "java>36", "java=60-24", "java=abc-def", ">=3", "")
    elif name in FACETS:
        yield from ("",) if name in OPEN_FACETS else ("", "phd2", "Mastr", "-1", "null")
    elif name == "q":
        yield from ("titel:x", "(java", '"', "java>=", "x" * 2_000)
    elif "integer" in types or "number" in types:
        yield from ("abc", "-1", "1.5", "", "99999999999999999999")
    elif "boolean" in types:
        yield from ("maybe", "", "2")
    elif any("enum" in kind for kind in kinds):
        yield from ("nonsense", "BEST", " ")
    for kind in kinds:
        if "maxLength" in kind:
            yield "x" * (kind["maxLength"] + 1)
        if kind.get("minLength"):
            yield ""


def test_wrong_values_of_every_described_parameter(world: World, described: dict[str, Any]) -> None:
    tried = 0
    for address, operations in described.items():
        for method, operation in operations.items():
            key = method.upper(), address
            asked = Asked.of(world, key)
            before = dump(world)
            for parameter in operation.get("parameters", ()):
                if parameter["in"] != "query":
                    continue
                name = parameter["name"]
                for value in wrong_values(name, parameter["schema"]):
                    answer = asked.with_(name, value)
                    assert answer.status_code == 422, f"{key} {name}={value!r}: {answer.status_code}"
                    assert answer.json()["error"]["message"].endswith(".")
                    tried += 1
            assert dump(world) == before, key
    assert tried > 400


def test_wrong_bodies_of_every_operation(world: World, described: dict[str, Any]) -> None:
    for address, operations in described.items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" not in content:
                continue
            key = method.upper(), address
            asked = Asked.of(world, key)
            body = asked.body.get("json", {})
            before = dump(world)
            wrong: list[Any] = [{**body, "nonsense": 1}, [body], "text", None]
            wrong += [{**body, name: {"a": [1]}} for name in body]
            for value in wrong:
                answer = asked.sending(json=value)
                assert answer.status_code == 422, f"{key} {value!r}: {answer.status_code}"
            assert dump(world) == before, key


SEARCHED = [
    *(("GET", f"{V1}/jobs/{{job}}/{end}") for end in ("screen", "export.csv", "export.xlsx", "why", "compare")),
    ("GET", f"{V1}/applications/{{application}}"),
    *(("GET", f"/jobs/{{job}}{end}") for end in ("", "/export.csv", "/export.xlsx", "/why", "/compare", "/many")),
    ("GET", "/applications/{application}"),
]


@pytest.mark.parametrize("query", WRONG_QUERIES)
def test_a_search_that_is_not_understood_anywhere(world: World, query: str) -> None:
    """In the address of a list, and sent as a text."""
    job = world.own.job
    before = dump(world)
    client = world.client("owner", accept="application/json")
    for action in ("reject", "shortlist"):
        for version in ("", "0" * 32):
            body = {"action": action, "keep": 0, "query": query, "reason": "Filled", "version": version}
            assert client.post(f"{V1}/jobs/{job}/decisions/many", json=body).status_code == 422
            assert client.post(f"/jobs/{job}/many", data={**body, "keep": "0"}).status_code == 422
    assert client.post(f"{V1}/jobs/{job}/searches", json={"name": "x", "query": query}).status_code == 422
    assert client.post(f"/jobs/{job}/searches", data={"name": "x", "query": query}).status_code == 422
    if "=" in query:
        for key in SEARCHED:
            address = fill(key[1], world, world.own, "owner")
            needed = "&".join(f"{name}={value}" for name, value in own_query(world, key))
            answer = client.get(f"{address}?{needed}&{query}" if needed else f"{address}?{query}")
            assert answer.status_code == 422, f"{key}: {answer.status_code}"
            page = client.get(f"{address}?{query}", headers={"accept": "text/html"})
            assert page.status_code == 422
            assert world.own.secrets[0] not in page.text
    assert dump(world) == before


def test_every_name_of_a_search_is_known_to_its_parser() -> None:
    assert {*FACETS, "q", "months", "ranker", "strict", "page", "size"} < set(PARAMETERS)


def test_a_second_value_of_a_parameter_that_takes_one(world: World, described: dict[str, Any]) -> None:
    """Either of the two would be passed over."""
    tried = 0
    for address, operations in described.items():
        for method, operation in operations.items():
            asked = Asked.of(world, (method.upper(), address))
            before = dump(world)
            for parameter in operation.get("parameters", ()):
                values = dict(asked.query)
                name = parameter["name"]
                if parameter["in"] != "query" or parameter["schema"].get("type") == "array" or name in REPEATED:
                    continue
                value = values.get(name, "1")
                query = [*(pair for pair in asked.query if pair[0] != name), (name, value), (name, value)]
                answer = asked.client.request(asked.method, asked.address, params=tuple(query), **asked.body)
                assert answer.status_code == 422, f"{address} {name}: {answer.status_code}"
                tried += 1
            assert dump(world) == before, address
    assert tried > 50


def test_what_is_refused_names_what_is_accepted(world: World) -> None:
    client, job = world.client("owner", accept="application/json"), world.own.job
    decisions = f"{V1}/jobs/{job}/decisions"

    def message(answer: Response) -> str:
        assert answer.status_code == 422
        return str(answer.json()["error"]["message"])

    start = "Something in the request is missing or wrong: "
    assert message(client.get(f"{V1}/jobs?size=1000")) == f"{start}size must be less than or equal to 100."
    assert message(client.post(decisions, json={})) == f"{start}action is required; applications is required."
    body = {"action": "screen", "applications": [world.own.application], "colour": 1}
    assert message(client.post(decisions, json=body)) == f"{start}colour is unknown."
    assert "'shortlist'" in message(client.post(decisions, json={**body, "action": "hire"}))
    broken = client.post(decisions, content=b'{"action": ', headers={"content-type": "application/json"})
    assert message(broken).startswith(f"{start}the body is no JSON (")
    plain = client.post(decisions, content=b"{}", headers={"content-type": "text/plain"})
    assert message(plain) == f"{start}the body must be a JSON object, sent with Content-Type: application/json."


def test_a_body_where_none_is_taken(world: World) -> None:
    client, job = world.client("owner", accept="application/json"), world.own.job
    before = dump(world)
    answer = client.post(f"{V1}/jobs/{job}/close", json={"reason": "Filled."})
    assert (answer.status_code, answer.json()["error"]["message"]) == (422, "This request takes no body.")
    assert dump(world) == before


@pytest.mark.parametrize("path", ["ledger", "audits"])
def test_a_filter_by_a_job_that_does_not_exist(world: World, path: str) -> None:
    """An empty list would say that nothing has happened."""
    assert world.client("auditor", accept="application/json").get(f"{V1}/{path}?job=nope").status_code == 404


def test_a_field_written_twice_or_with_nul_is_refused(world: World) -> None:
    """Of two values a parser would take the last one, and nobody would know which was meant."""
    before = dump(world)
    application, client = world.own.application, world.client("owner", accept="application/json")
    headers = {"Content-Type": "application/json"}
    twice = client.post(
        f"{V1}/applications/{application}/notes", content=b'{"text": "hire", "text": "reject"}', headers=headers
    )
    assert (twice.status_code, twice.json()["error"]["message"]) == (422, "The body has the field text more than once.")
    with_nul = client.post(f"{V1}/applications/{application}/notes", json={"text": "good\0bad"})
    assert with_nul.status_code == 422
    assert "The field text contains the character NUL." in with_nul.text
    in_list = client.post(f"{V1}/jobs/{world.own.job}/decisions", json={"action": "shortlist", "applications": ["a\0"]})
    assert in_list.status_code == 422
    page = client.post(f"/applications/{application}/notes", data={"text": "good\0bad"})
    assert page.status_code == 422
    assert "A note contains characters that cannot be kept" in page.text
    assert dump(world) == before


def test_every_operation_says_in_words_what_it_does(described: dict[str, Any]) -> None:
    """Clients that are made from the description show the summaries; the names of our functions say nothing to them."""
    summaries = [operation["summary"] for operations in described.values() for operation in operations.values()]
    assert len(summaries) == len(set(summaries))
    assert described[f"{V1}/jobs/{{job}}/why"]["get"]["summary"] == "Explain why one candidate ranks above another"
    assert all(len(words.split()) > 1 and not words.istitle() for words in summaries)
