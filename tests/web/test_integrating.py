"""Another system that sends applicants and decisions: its own ids, repeated requests, forms with files, and plans."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from evenhand.ledger.verify import verify_ledger
from evenhand.store.jobs import JobSettings, saved_searches
from evenhand.store.repeatable_answers import KEPT, repeatable_answers
from evenhand.web.app import make_app, open_context
from tests.web.house import House

pytest_plugins = ["tests.web.house_fixtures"]
V1 = "/api/v1"
AD = {"text": "Group Accountant\n\nRequirements:\n- Excel, 3 years or more\n"}
RESUME = b"Wilhelmina Quill\nquill@example.com\n\nSKILLS\n\nJava\n"
OTHER = b"Peregrine Nib\nnib@example.com\n\nSKILLS\n\nPython\n"


def token_client(house: House, who: str = "bo", **headers: str) -> TestClient:
    _, token = house.store.tokens.make(house.people[who].id, "program", 5)
    return house.visitor(authorization=f"Bearer {token}", **headers)


@pytest.fixture
def program(house: House) -> TestClient:
    return token_client(house)


@pytest.fixture
def batch(house: House, program: TestClient) -> str:
    """The address of an import that has begun."""
    id = program.post(f"{V1}/jobs/{house.job}/imports", json={"source": "portal"}).json()["id"]
    return f"{V1}/jobs/{house.job}/imports/{id}"


def finished(program: TestClient, batch: str) -> list[dict[str, Any]]:
    """What became of the files, once the server has looked at all of them."""
    program.post(f"{batch}/seal")
    answer = program.get(batch).json()
    while not answer["finished"]:
        time.sleep(0.1)
        answer = program.get(batch).json()
    items: list[dict[str, Any]] = answer["files"]["items"]
    return items


# --- plans of decisions on many


def plan_of(program: TestClient, house: House, **body: Any) -> dict[str, Any]:
    answer = program.post(f"{V1}/jobs/{house.job}/decisions/many", json={"action": "reject", "keep": 0, **body})
    assert answer.status_code == 200
    plan: dict[str, Any] = answer.json()["plan"]
    return plan


def test_a_plan_says_what_was_understood(house: House, program: TestClient) -> None:
    assert plan_of(program, house)["understood"] == "Reject 5 of 5 applications: no filter."
    narrow = plan_of(program, house, query="degree=master&months=java%3E%3D36")
    assert narrow["understood"] == (
        f"Reject {narrow['changed']} of 5 applications: Highest degree: Master's degree; Skill: java at least 3 years."
    )
    first = plan_of(program, house, keep=2, query="q=trading")
    assert first["understood"] == (
        "Reject 3 of 5 applications: no filter (the words “trading” only order the list); "
        "all but the first 2 of the list."
    )


def test_a_plan_is_carried_out_only_as_it_was_shown(house: House, program: TestClient) -> None:
    query = "degree=master"
    plan = plan_of(program, house, query=query)
    assert plan["changed"] == 2
    right = {"action": "reject", "keep": 0, "query": query, "version": plan["version"], "reason": "Filled"}
    wrong: list[dict[str, Any]] = [
        {"query": ""},
        {"query": "degree=bachelor"},
        {"query": f"{query}&ranker=bm25"},
        {"action": "shortlist", "keep": 2},
        {"keep": 1},
        {"version": "0" * 32},
    ]
    address = f"{V1}/jobs/{house.job}/decisions/many"
    for change in wrong:
        answer = program.post(address, json={**right, **change})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict"), change
    assert token_client(house, "ada").post(address, json=right).status_code == 409  # it was shown to somebody else
    house.store.decisions.decide([house.ids["Clara"]], "screen", actor="test")
    house.context.service.follow()
    assert program.post(address, json=right).status_code == 409  # one of them is at another place by now
    assert house.store.jobs.status_counts([house.job])[house.job] == {"new": 4, "screened": 1}
    again = plan_of(program, house, query=query)
    outcome = program.post(address, json={**right, "version": again["version"]}).json()["outcome"]
    assert len(outcome["changed"]) == 2
    assert house.store.jobs.status_counts([house.job])[house.job] == {"new": 3, "rejected": 2}


def test_an_old_saved_search_that_cannot_be_run_says_so(house: House, program: TestClient) -> None:
    bo = house.people["bo"].id
    for name, query in (("good", "degree=master"), ("old", "degree=phd&utm_source=mail")):
        house.store.searches.save(house.job, name, query, actor=bo)
    listed = program.get(f"{V1}/jobs/{house.job}/searches").json()["items"]
    problems = {search["name"]: search["problem"] for search in listed}
    assert problems["good"] is None
    assert problems["old"].startswith("Unknown parameter 'utm_source'")
    page = house.browser("bo").get(f"/jobs/{house.job}")
    assert page.status_code == 200
    assert "cannot be run: Unknown parameter" in page.text
    with house.store.context.database.reading() as connection:
        assert len(connection.execute(select(saved_searches)).all()) == 2


# --- external ids


def test_a_job_has_an_external_id_of_its_own(house: House, program: TestClient) -> None:
    made = program.post(f"{V1}/jobs", json={**AD, "external_id": "REQ-17"})
    assert (made.status_code, made.json()["external_id"]) == (201, "REQ-17")
    again = program.post(f"{V1}/jobs", json={**AD, "external_id": "REQ-17"})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "conflict")
    found = program.get(f"{V1}/jobs", params={"external_id": "REQ-17"}).json()
    assert [(job["id"], job["external_id"]) for job in found["items"]] == [(made.json()["id"], "REQ-17")]
    assert program.get(f"{V1}/jobs", params={"external_id": "req-17"}).json()["total"] == 0
    assert program.get(f"{V1}/jobs/{house.job}").json()["external_id"] is None
    for wrong in ("", " ", "x" * 201, "a\nb"):
        assert program.post(f"{V1}/jobs", json={**AD, "external_id": wrong}).status_code == 422
    assert verify_ledger(house.store, house.context.settings).findings == ()


def test_files_become_applications_that_can_be_found_again(house: House, program: TestClient, batch: str) -> None:
    for content, id in ((RESUME, "C-1"), (OTHER, "C-2")):
        sent = program.post(f"{batch}/files", params={"name": "a.txt", "external_id": id}, content=content)
        assert sent.status_code == 201
    taken = program.post(f"{batch}/files", params={"external_id": "C-1"}, content=OTHER)
    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "conflict")
    assert program.post(f"{batch}/files", params={"external_id": "C-1"}, content=RESUME).status_code == 201
    items = finished(program, batch)
    assert [(item["external_id"], item["state"]) for item in items] == [
        ("C-1", "added"),
        ("C-2", "added"),
        ("C-1", "known"),
    ]
    first, second, repeated = (item["application"] for item in items)
    assert first == repeated != second
    found = program.get(f"{V1}/jobs/{house.job}/applications", params={"external_id": "C-1"}).json()
    assert [(line["id"], line["external_id"]) for line in found["items"]] == [(first, "C-1")]
    assert program.get(f"{V1}/jobs/{house.job}/applications").json()["total"] == 7
    assert program.get(f"{V1}/applications/{first}").json()["external_id"] == "C-1"
    assert verify_ledger(house.store, house.context.settings).findings == ()


def test_whoever_is_masked_is_not_known_by_an_external_id(house: House, program: TestClient, batch: str) -> None:
    program.post(f"{batch}/files", params={"name": "a.txt", "external_id": "C-1"}, content=RESUME)
    [item] = finished(program, batch)
    house.store.job_settings.change(house.job, JobSettings(blind=True), actor="test")
    [masked] = program.get(batch).json()["files"]["items"]
    assert (masked["application"], masked["external_id"]) == (None, None)
    assert program.get(f"{V1}/applications/{item['application']}").json()["external_id"] is None
    address = f"{V1}/jobs/{house.job}/applications"
    assert {line["external_id"] for line in program.get(address).json()["items"]} == {None}
    assert program.get(address, params={"external_id": "C-1"}).status_code == 422


# --- uploads


def kept(house: House, batch: str) -> list[tuple[str, bytes]]:
    files = house.store.imports.get(batch.rpartition("/")[2]).files
    return [(file.file, house.store.files.read(file.sha256 or "")) for file in files]


def test_a_form_is_taken_apart(house: House, program: TestClient, batch: str) -> None:
    sent = program.post(
        f"{batch}/files", files={"file": ("quill.txt", RESUME, "text/plain")}, data={"external_id": "C-9"}
    )
    assert sent.status_code == 201
    named = program.post(f"{batch}/files", files={"file": ("b.txt", OTHER)}, data={"name": "nib.txt"})
    assert named.status_code == 201
    assert kept(house, batch) == [("quill.txt", RESUME), ("nib.txt", OTHER)]
    assert house.store.imports.get(batch.rpartition("/")[2]).files[0].external_id == "C-9"


def test_what_is_no_file_is_refused_and_not_kept(house: House, program: TestClient, batch: str) -> None:
    envelope = b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n' + RESUME + b"\r\n--x--\r\n"
    for media_type, content, status in (
        ("multipart/mixed; boundary=x", envelope, 415),
        ("application/octet-stream", envelope, 415),
        ("multipart/form-data", envelope, 400),
        ("multipart/form-data; boundary=y", envelope, 400),
    ):
        answer = program.post(f"{batch}/files", content=content, headers={"content-type": media_type})
        assert answer.status_code == status, media_type
        assert answer.json()["error"]["code"] == f"http_{status}"
    two = program.post(f"{batch}/files", files=[("file", ("a.txt", RESUME)), ("file", ("b.txt", OTHER))])
    assert two.status_code == 400
    other = program.post(f"{batch}/files", files={"resume": ("a.txt", RESUME)})
    assert (other.status_code, other.json()["error"]["code"]) == (422, "unknown_parameter")
    assert program.post(f"{batch}/files", data={"file": "text"}, files={"x": b""}).status_code == 422
    page = f"/jobs/{house.job}/imports/{batch.rpartition('/')[2]}/files"
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert house.browser("bo").post(page, content=envelope, headers=headers).status_code == 415
    assert kept(house, batch) == []


# --- requests that are sent again

KEY = {"idempotency-key": "b6c1f0aa-1"}


def number_of_jobs(house: House) -> int:
    return len(house.store.jobs.all(closed=True))


def test_the_same_request_again_has_no_second_effect(house: House, program: TestClient) -> None:
    first = program.post(f"{V1}/jobs", json=AD, headers=KEY)
    second = program.post(f"{V1}/jobs", json=AD, headers=KEY)
    assert (first.status_code, second.status_code, number_of_jobs(house)) == (201, 201, 2)
    assert first.json() == second.json()
    assert (first.headers.get("idempotency-replayed"), second.headers["idempotency-replayed"]) == (None, "true")
    assert second.headers["content-type"] == first.headers["content-type"]
    other = program.post(f"{V1}/jobs", json={"text": AD["text"] + "- SAP\n"}, headers=KEY)
    assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_key_reused")
    # Another person, another key, and no key at all are other requests.
    assert token_client(house, "ada").post(f"{V1}/jobs", json=AD, headers=KEY).json()["id"] != first.json()["id"]
    assert program.post(f"{V1}/jobs", json=AD, headers={"idempotency-key": "2"}).json()["id"] != first.json()["id"]
    assert program.post(f"{V1}/jobs", json=AD).json()["id"] != first.json()["id"]
    assert number_of_jobs(house) == 5
    for wrong in ("", "a b", "x" * 256):
        answer = program.post(f"{V1}/jobs", json=AD, headers={"idempotency-key": wrong})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid_idempotency_key")


def test_every_post_of_the_api_takes_a_key(house: House, program: TestClient, batch: str) -> None:
    described = program.get(f"{V1}/openapi.json").json()["paths"]
    posts = [operations["post"] for operations in described.values() if "post" in operations]
    assert len(posts) > 15
    for operation in posts:
        assert "Idempotency-Key" in [parameter["name"] for parameter in operation["parameters"]]
    note = f"{V1}/applications/{house.ids['Asha']}/notes"
    assert (
        program.post(note, json={"text": "x"}, headers=KEY).json()
        == program.post(note, json={"text": "x"}, headers=KEY).json()
    )
    assert program.get(note).json()["total"] == 1
    # Each client separates the parts of a form in its own way, anew each time.
    files = {"file": ("quill.txt", RESUME)}
    numbers = [program.post(f"{batch}/files", files=files, headers=KEY).json()["number"] for _ in range(2)]
    assert numbers == [1, 1]
    member = {"user": house.people["cy"].id}
    for _ in range(2):  # an answer without content
        answer = program.post(f"{V1}/jobs/{house.job}/members", json=member, headers=KEY)
        assert (answer.status_code, answer.content) == (204, b"")


def test_of_two_at_once_one_takes_effect(house: House, program: TestClient) -> None:
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: program.post(f"{V1}/jobs", json=AD, headers=KEY), range(6)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert number_of_jobs(house) == 2


def test_a_refused_request_leaves_its_key_free(house: House, program: TestClient) -> None:
    address = f"{V1}/jobs/{house.job}/decisions"
    body = {"action": "reject", "applications": [house.ids["Asha"]]}
    refused = program.post(address, json=body, headers=KEY)
    assert (refused.status_code, refused.json()["error"]["message"]) == (422, "A rejection needs a reason.")
    assert program.post(address, json={**body, "reason": "Filled"}, headers=KEY).status_code == 200
    assert house.visitor().post(f"{V1}/jobs", json=AD, headers=KEY).status_code == 401


def test_a_request_that_was_cut_off_is_not_repeated(
    house: House, program: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server stopped after the effect and before the answer: only a person can tell what is right."""
    monkeypatch.setattr("evenhand.web.idempotency.WAIT_SECONDS", 0.2)
    program.post(f"{V1}/jobs", json=AD, headers=KEY)
    with house.store.context.database.writing() as connection:
        connection.execute(update(repeatable_answers).values(answer=None))
    again = program.post(f"{V1}/jobs", json=AD, headers=KEY)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "idempotency_key_in_use")
    assert number_of_jobs(house) == 2


def answers_kept(house: House) -> list[bytes]:
    with house.store.context.database.reading() as connection:
        return list(connection.scalars(select(repeatable_answers.c.answer)))


def test_answers_are_kept_encrypted_and_forgotten(house: House, program: TestClient) -> None:
    browser = house.browser("bo")
    secret = browser.post(f"{V1}/me/tokens", json={"name": "x", "days": 5}, headers=KEY).json()["secret"]
    assert browser.post(f"{V1}/me/tokens", json={"name": "x", "days": 5}, headers=KEY).json()["secret"] == secret
    [answer] = answers_kept(house)
    assert secret.encode() not in answer
    old = datetime.now(UTC) - KEPT - timedelta(minutes=1)
    with house.store.context.database.writing() as connection:
        connection.execute(update(repeatable_answers).values(begun=old))
    program.post(f"{V1}/jobs", json=AD, headers=KEY)
    assert len(answers_kept(house)) == 1


@pytest.fixture
def restarted(house: House) -> Iterator[House]:
    """Another server on the same folder."""
    with open_context(house.context.settings) as context:
        app = make_app(context)
        with TestClient(app):
            yield House(context, house.job, house.ids, house.people, app)


def test_a_restart_forgets_nothing(house: House, program: TestClient, restarted: House, tmp_path: Path) -> None:
    first = program.post(f"{V1}/jobs", json=AD, headers=KEY)
    again = token_client(restarted).post(f"{V1}/jobs", json=AD, headers=KEY)
    assert (again.status_code, again.json()) == (201, first.json())
    assert number_of_jobs(restarted) == 2
