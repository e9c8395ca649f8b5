"""One's own account: name, password, sessions, tokens, and the wish to screen blind."""

from __future__ import annotations

import re

import pytest

from evenhand.web.access import BLIND, SESSION
from tests.web.house import PASSWORD, House
from tests.web.test_jobs import words

pytest_plugins = ["tests.web.house_fixtures"]

NEW = "seven quiet lamps"


def test_a_name_is_changed(house: House) -> None:
    bo = house.browser("bo")
    assert bo.post("/account/name", data={"name": "  Bo   C. "}).status_code == 303
    assert house.store.accounts.get(house.people["bo"].id).name == "Bo C."
    wrong = bo.post("/account/name", data={"name": " "})
    assert wrong.status_code == 422
    assert "A user needs a name." in wrong.text


def test_a_new_password_ends_other_sessions_and_not_this_one(house: House) -> None:
    here, elsewhere = house.browser("bo"), house.browser("bo")
    answer = here.post("/account/password", data={"old": PASSWORD, "new": NEW, "again": NEW})
    assert answer.headers["location"] == "/account?done=password"
    assert here.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 303
    visitor = house.visitor()
    assert visitor.post("/sign-in", data={"login": "bo", "password": PASSWORD}).status_code == 401
    assert visitor.post("/sign-in", data={"login": "bo", "password": NEW}).status_code == 303


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"old": "wrong wrong wrong", "new": NEW, "again": NEW}, "The old password is not right."),
        ({"old": "", "new": NEW, "again": NEW}, "The old password is not right."),
        ({"old": PASSWORD, "new": NEW, "again": NEW + "x"}, "The two new passwords are not the same."),
        ({"old": PASSWORD, "new": "short", "again": "short"}, "A password has at least 12 characters"),
    ],
)
def test_a_password_is_not_changed_by_a_mistake(house: House, typed: dict[str, str], sentence: str) -> None:
    answer = house.browser("bo").post("/account/password", data=typed)
    assert answer.status_code == 422
    assert sentence in answer.text
    signed_in = house.visitor().post("/sign-in", data={"login": "bo", "password": PASSWORD})
    assert signed_in.status_code == 303


def test_guessing_the_old_password_is_slowed_too(house: House) -> None:
    bo = house.browser("bo")
    typed = {"old": "wrong wrong wrong", "new": NEW, "again": NEW}
    answers = [bo.post("/account/password", data=typed).text for _ in range(6)]
    assert "The old password is not right." in answers[4]
    assert "Too many attempts have failed; try again in" in answers[5]


def test_sessions_are_listed_and_ended(house: House) -> None:
    here, second, third = (house.browser("bo") for _ in range(3))
    page = here.get("/account").text
    assert words(page).count("This browser") == 1
    others = re.findall(r'action="/account/sessions/end"><input type="hidden" name="id" value="(\w+)"', page)
    assert len(others) == 2
    here.post("/account/sessions/end", data={"id": others[0]})
    assert sorted([second.get("/").status_code, third.get("/").status_code]) == [200, 303]
    here.post("/account/sessions/end")
    assert [client.get("/").status_code for client in (here, second, third)] == [200, 303, 303]


def test_another_persons_session_is_not_found(house: House) -> None:
    cy = house.browser("cy")
    id = house.store.sessions.id_of(cy.cookies[SESSION])
    assert house.browser("bo").post("/account/sessions/end", data={"id": id}).status_code == 404
    assert cy.get("/").status_code == 200


def test_a_token_is_shown_once_works_and_is_revoked(house: House) -> None:
    bo = house.browser("bo")
    page = bo.post("/account/tokens", data={"name": "nightly", "days": "30"}).text
    found = re.search(r'id="secret" readonly value="(evh_[\w-]+)"', page)
    assert found
    assert found[1] not in bo.get("/account").text
    assert "nightly" in bo.get("/account").text
    script = house.visitor(authorization=f"Bearer {found[1]}")
    assert script.get("/").status_code == 200
    [token] = house.store.tokens.of_user(house.people["bo"].id)
    assert house.browser("cy").post("/account/tokens/revoke", data={"id": token.id}).status_code == 404
    assert bo.post("/account/tokens/revoke", data={"id": token.id}).status_code == 303
    assert script.get("/").status_code == 303


@pytest.mark.parametrize("typed", [{"name": "", "days": "30"}, {"name": "x", "days": "3650"}, {"name": "x"}])
def test_a_token_that_cannot_be_made_is_told(house: House, typed: dict[str, str]) -> None:
    assert house.browser("bo").post("/account/tokens", data=typed).status_code == 422
    assert house.store.tokens.of_user(house.people["bo"].id) == []


def test_blind_screening_is_a_choice_of_the_browser(house: House) -> None:
    bo = house.browser("bo")
    chosen = bo.post("/account/blind", data={"blind": "true"})
    assert chosen.cookies[BLIND] == "1"
    assert "HttpOnly" in chosen.headers["set-cookie"]
    assert "checked" in bo.get("/account").text.split('name="blind"')[1][:40]
    bo.post("/account/blind")
    assert BLIND not in bo.cookies
    assert "checked" not in bo.get("/account").text.split('name="blind"')[1][:40]


def test_there_is_no_single_sign_on_where_none_is_set(house: House) -> None:
    assert house.visitor().get("/sso").status_code == 404
    assert house.visitor().get("/sso/return?code=x&state=y").status_code == 404
    assert house.browser("bo").post("/sso/connect").status_code == 404
    assert "Company account" not in house.browser("bo").get("/account").text
