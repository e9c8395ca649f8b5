"""What stands between strangers and the house: headers, origins, hosts, sizes, sessions, links, guesses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import MutableMapping
from typing import Any

import pytest
from fastapi.testclient import TestClient

from evenhand.store.base import utc_now
from evenhand.web.access import SESSION
from evenhand.web.app import make_app
from evenhand.web.security import POLICY
from tests.web.house import OWN_SITE, PASSWORD, House

pytest_plugins = ["tests.web.house_fixtures"]

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def test_no_policy_lets_a_page_do_more_than_it_has_to() -> None:
    assert POLICY.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in POLICY
    assert "frame-ancestors 'none'" in POLICY
    assert "form-action 'self'" in POLICY


def test_headers_are_on_every_kind_of_answer(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    bo = house.browser("bo")
    stylesheet = re.search(r'href="(/static/[^"]+\.css)"', bo.get("/").text)
    assert stylesheet
    answers = {
        "page": bo.get("/"),
        "sign-in": house.visitor().get("/sign-in"),
        "redirect": house.visitor().get("/"),
        "not found": bo.get("/nowhere"),
        "hidden": bo.get("/jobs/0000000000000000/requirements"),
        "forbidden": bo.get("/users"),
        "invalid": bo.get("/ledger/x"),
        "wrong method": bo.put("/"),
        "file": bo.get(stylesheet[1]),
        "another site": bo.post("/sign-out", headers={"sec-fetch-site": "cross-site"}),
        "another host": bo.get("/", headers={"host": "evil.example.com"}),
        "too large": bo.post("/account/name", data={"name": "x" * 1_100_000}),
        "api": bo.get("/api/v1/nowhere"),
    }

    def fail(*arguments: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(type(house.store.jobs), "members_by_job", fail)
    answers["fault"] = bo.get("/")
    statuses = {name: answer.status_code for name, answer in answers.items()}
    assert statuses == {
        "page": 200,
        "sign-in": 200,
        "redirect": 303,
        "not found": 404,
        "hidden": 404,
        "forbidden": 403,
        "invalid": 403,  # who may not read it is not told that there is no such number either
        "wrong method": 405,
        "file": 200,
        "another site": 403,
        "another host": 400,
        "too large": 413,
        "api": 404,
        "fault": 500,
    }
    for name, answer in answers.items():
        for header, value in HEADERS.items():
            assert answer.headers.get(header) == value, (name, header)
        assert ("immutable" in answer.headers["cache-control"]) == (name == "file"), name
        assert "server" not in answer.headers
    assert "secret detail" not in answers["fault"].text
    assert "Traceback" not in answers["fault"].text


def test_pages_hold_no_inline_script_or_style(house: House) -> None:
    ada = house.browser("ada")
    addresses = ["/", "/jobs/new", f"/jobs/{house.job}/requirements", f"/jobs/{house.job}/import", "/users"]
    addresses += ["/watch-lists", "/account", "/help/recruiter", "/ledger", "/ledger/1", "/ledger/verify"]
    for address in addresses:
        page = ada.get(address).text
        assert re.findall(r"<script(?![^>]*\bsrc=)", page) == [], address
        assert re.findall(r"<style|\sstyle=|\son\w+=", page) == [], address


ORIGINS: list[tuple[dict[str, str], bool]] = [
    ({"sec-fetch-site": "same-origin"}, True),
    ({"sec-fetch-site": "none"}, True),
    ({"sec-fetch-site": "cross-site"}, False),
    ({"sec-fetch-site": "same-site"}, False),
    ({"sec-fetch-site": "cross-site", "origin": "http://testserver"}, False),
    ({"origin": "http://testserver"}, True),
    ({"origin": "http://evil.example.com"}, False),
    ({"origin": "null"}, False),
    ({"origin": "http://testserver.evil.example.com"}, False),
    ({"origin": "http://testserver:81"}, False),
    ({}, False),  # an old browser that tells nothing, with a cookie
]


def test_requests_from_other_sites_change_nothing(house: House) -> None:
    client = TestClient(house.app, follow_redirects=False)
    client.cookies.set(SESSION, house.store.sessions.open(house.people["bo"].id))
    for number, (headers, is_ours) in enumerate(ORIGINS):
        name = f"Mallory {number}"
        answer = client.post("/account/name", data={"name": name}, headers=headers)
        assert answer.status_code == (303 if is_ours else 403), headers
        assert (house.store.accounts.get(house.people["bo"].id).name == name) == is_ours, headers


def test_a_script_without_cookies_needs_no_origin_but_a_token(house: House) -> None:
    client = TestClient(house.app, follow_redirects=False)
    assert client.post(f"/jobs/{house.job}/close").status_code == 401
    _, secret = house.store.tokens.make(house.people["bo"].id, "script", 1)
    answer = client.post(f"/jobs/{house.job}/close", headers={"authorization": f"Bearer {secret}"})
    assert answer.status_code == 303
    assert house.store.jobs.get(house.job).closed


def test_only_our_own_host_names_are_answered(house: House) -> None:
    """A stranger's name that points here would make the stranger's page one of ours."""
    ours = ["testserver", "127.0.0.1:8000", "localhost", "[::1]:8000"]
    others = ["evil.example.com", "127.0.0.1.evil.example.com", "testserver@evil.example.com", ""]
    for host in (*ours, *others):
        answer = house.visitor(host=host).get("/sign-in")
        assert answer.status_code == (200 if host in ours else 400), host


class Endless:
    """A browser that goes on sending a body of no stated length; it counts what the server takes."""

    def __init__(self, begin: bytes = b"") -> None:
        self.taken = 0
        self._begin = begin

    async def receive(self) -> dict[str, object]:
        await asyncio.sleep(0)
        chunk, self._begin = self._begin or b"x" * 10_000, b""
        self.taken += len(chunk)
        return {"type": "http.request", "body": chunk, "more_body": True}


def send_endlessly(house: House, path: str, kind: str, *, who: str | None, begin: bytes = b"") -> tuple[int, int]:
    """The status of the answer, and how many bytes the server had taken by then."""
    cookie = f"{SESSION}={house.store.sessions.open(house.people[who].id)}" if who else ""
    headers = {"host": "testserver", "content-type": kind, "cookie": cookie, **OWN_SITE}
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items() if value],
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
    }
    body, answers = Endless(begin), []

    async def send(message: MutableMapping[str, Any]) -> None:
        answers.append(message)

    asyncio.run(asyncio.wait_for(house.app(scope, body.receive, send), 20))
    return answers[0]["status"], body.taken


FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n'


def test_a_body_is_measured_while_it_comes_in(house: House) -> None:
    """The server stops reading where its limit is, whatever length was promised or not."""
    status, taken = send_endlessly(house, "/account/name", FORM, who="bo", begin=b"name=")
    assert (status, taken <= 1_010_005) == (413, True)
    assert house.store.accounts.get(house.people["bo"].id).name == "Bo Carden"
    limit = house.context.settings.upload_bytes
    form = f"/jobs/{house.job}/import/files"
    status, taken = send_endlessly(house, form, MULTIPART, who="bo", begin=PART)
    assert (status, limit < taken <= limit + 10_000) == (413, True)
    assert house.store.imports.of_job(house.job) == []
    id = house.store.imports.begin(house.job, actor="bo")
    one = f"/jobs/{house.job}/imports/{id}/files?name=a.pdf"
    status, taken = send_endlessly(house, one, "application/octet-stream", who="bo")
    file_limit = house.context.settings.file_bytes
    assert (status, file_limit < taken <= file_limit + 10_000) == (201, True)
    [file] = house.store.imports.get(id).files
    assert (file.file, file.state, file.code, file.sha256) == ("a.pdf", "refused", "too_large", None)


def test_a_length_that_lies_is_not_believed(house: House) -> None:
    headers = {"content-type": FORM, "content-length": "10"}
    answer = house.browser("bo").post("/account/name", content=b"x" * 1_100_000, headers=headers)
    assert answer.status_code == 413


def test_who_is_not_signed_in_cannot_fill_the_disk(house: House) -> None:
    """Nothing of a file is read before it is clear who sends it."""
    form = f"/jobs/{house.job}/import/files"
    assert send_endlessly(house, form, MULTIPART, who=None, begin=PART) == (401, 0)
    assert send_endlessly(house, "/jobs/new/files", MULTIPART, who="di", begin=PART) == (403, 0)
    assert send_endlessly(house, form, MULTIPART, who="cy", begin=PART) == (404, 0)


@pytest.mark.parametrize(
    ("address", "secure"), [("http://127.0.0.1:8000", False), ("https://hiring.example.com", True)]
)
def test_the_session_cookie_is_kept_from_scripts_and_other_sites(house: House, address: str, secure: bool) -> None:
    object.__setattr__(house.context.settings, "address", address)
    client = TestClient(make_app(house.context), headers=OWN_SITE, follow_redirects=False)
    answer = client.post("/sign-in", data={"login": "bo", "password": PASSWORD})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    assert "domain" not in cookie
    assert ("secure" in cookie) == secure
    assert cookie.startswith("__host-evenhand_session=") == secure
    assert ("strict-transport-security" in answer.headers) == secure


def test_over_https_only_cookies_that_this_host_set_are_taken(house: House) -> None:
    """A site of the same domain could otherwise set a session, as could whoever is between over plain http."""
    object.__setattr__(house.context.settings, "address", "https://hiring.example.com")
    client = TestClient(make_app(house.context), "https://testserver", headers=OWN_SITE, follow_redirects=False)
    client.cookies.set(SESSION, house.store.sessions.open(house.people["bo"].id))
    assert client.get("/account").status_code == 303
    client.post("/sign-in", data={"login": "bo", "password": PASSWORD})
    assert client.get("/account").status_code == 200
    client.post("/preferences/blind", data={"on": "1"})
    assert client.cookies["__Host-evenhand_blind"] == "1"
    client.post("/preferences/blind", data={"on": "0"})
    assert client.post("/sign-out").status_code == 303
    assert not [name for name in client.cookies if name.startswith("__Host-")]


def test_signing_in_leads_to_our_own_pages_only(house: House) -> None:
    own = ["/ledger?kind=view", "/%0d%0aSet-Cookie:x"]
    others = ["https://evil.example.com", "//evil.example.com", "/\\evil.example.com", "\\\\evil.example.com"]
    others += ["javascript:evil()", "/\t/evil.example.com", "/\r\nSet-Cookie: evil=1", ""]
    signed_in = house.browser("bo")
    for wanted in (*own, *others):
        led = wanted if wanted in own else "/"
        assert signed_in.get("/sign-in", params={"next": wanted}).headers["location"] == led, wanted
        assert "evil" not in house.visitor().get("/sign-in", params={"next": wanted}).text, wanted
    for wanted, led in ((own[0], own[0]), (others[1], "/")):
        answer = house.visitor().post("/sign-in", data={"login": "bo", "password": PASSWORD, "next": wanted})
        assert answer.headers["location"] == led


def test_who_has_to_sign_in_comes_back_to_the_page(house: House) -> None:
    answer = house.visitor().get("/ledger?kind=view&job=a%26b")
    assert answer.status_code == 303
    page = house.visitor().get(answer.headers["location"]).text
    assert 'name="next" value="/ledger?kind=view&amp;job=a%26b"' in page


def test_guessing_is_slowed_and_tells_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words for a login that exists and for one that does not; then a wait, for the right password too."""
    now = utc_now()
    monkeypatch.setattr(type(house.store.throttle), "_now", lambda _: now)  # on a busy machine guesses outlast the wait
    client = house.visitor()
    for login in ("bo", "nobody"):
        answers = [
            client.post("/sign-in", data={"login": login, "password": f"guess number {number}"}) for number in range(6)
        ]
        assert [answer.status_code for answer in answers] == [401] * 5 + [429]
        assert answers[5].headers["retry-after"] == "5"
        assert "The login or the password is not right." in answers[4].text
        assert "Too many attempts have failed; try again in 5 seconds." in answers[5].text
    right = client.post("/sign-in", data={"login": "BO", "password": PASSWORD})
    assert right.status_code == 429
    assert SESSION not in client.cookies
    own = house.browser("bo").post("/account/password", data={"old": PASSWORD, "new": "x", "again": "x"})
    assert own.status_code in (422, 429)  # too short, or too many attempts: whichever is looked at first
    link = house.store.links.make("sign_in", house.people["bo"].id, 1)
    assert house.visitor().post(f"/enter/{link}").status_code == 303  # a stranger cannot lock anybody out


def test_a_password_is_not_given_back(house: House) -> None:
    answer = house.visitor().post("/sign-in", data={"login": "bo", "password": "hunter2hunter2"})
    assert "hunter2" not in answer.text


def test_links_work_once(house: House) -> None:
    link = house.store.links.make("sign_in", house.people["bo"].id, 1)
    client = house.visitor()
    assert "This link signs you in once" in client.get(f"/enter/{link}").text
    assert client.get(f"/enter/{link}").status_code == 200  # looking does not use it up
    assert client.post(f"/enter/{link}").status_code == 303
    assert client.get("/account").status_code == 200
    assert house.visitor().post(f"/enter/{link}").status_code == 404
    assert house.visitor().get(f"/enter/{link}").status_code == 404
    older, newer = (house.store.links.make("sign_in", house.people["bo"].id, 1) for _ in range(2))
    assert house.visitor().post(f"/enter/{older}").status_code == 404
    assert house.visitor().post(f"/enter/{newer}").status_code == 303


def test_a_session_cannot_be_planted(house: House) -> None:
    """Whatever cookie was there before, signing in gives a new one; the old one opens nothing."""
    client = house.visitor()
    client.cookies.set(SESSION, "planted")
    answer = client.post("/sign-in", data={"login": "bo", "password": PASSWORD})
    token = answer.cookies[SESSION]
    assert token != "planted"
    stranger = house.visitor()
    stranger.cookies.set(SESSION, "planted")
    assert stranger.get("/").status_code == 303


def test_signing_out_ends_the_session_itself(house: House) -> None:
    client = house.browser("bo")
    token = client.cookies[SESSION]
    assert client.post("/sign-out").headers["location"] == "/sign-in"
    thief = house.visitor()
    thief.cookies.set(SESSION, token)
    assert thief.get("/").status_code == 303
    assert house.browser("bo").get("/sign-out").status_code == 405  # a link cannot sign anyone out


def test_who_is_disabled_loses_every_way_in_at_once(house: House) -> None:
    bo, id = house.browser("bo"), house.people["bo"].id
    _, secret = house.store.tokens.make(id, "script", 1)
    script = house.visitor(authorization=f"Bearer {secret}")
    link = house.store.links.make("sign_in", id, 1)
    assert (bo.get("/").status_code, script.get("/").status_code) == (200, 200)
    house.store.accounts.disable(id, actor="test")
    assert (bo.get("/").status_code, script.get("/").status_code) == (303, 303)
    assert house.visitor().post(f"/enter/{link}").status_code == 404
    assert bo.post("/account/name", data={"name": "X"}).status_code == 401


def test_who_lost_a_job_loses_it_with_the_next_page(house: House) -> None:
    bo = house.browser("bo")
    assert bo.get(f"/jobs/{house.job}/requirements").status_code == 200
    house.store.jobs.revoke_access(house.job, house.people["bo"].id, actor="test")
    assert bo.get(f"/jobs/{house.job}/requirements").status_code == 404


def test_static_files_stay_in_their_folder(house: House) -> None:
    client = house.visitor()
    folder = re.search(r'href="(/static/[^/]+)/', client.get("/sign-in").text)
    assert folder
    for path in ("../access.py", "..%2faccess.py", "%2e%2e/access.py", "/etc/passwd", "....//access.py", ""):
        assert client.get(f"{folder[1]}/{path}").status_code == 404
