"""What admins keep: users and watch lists."""

from __future__ import annotations

import re

import pytest

from tests.web.house import PASSWORD, House
from tests.web.test_jobs import words

pytest_plugins = ["tests.web.house_fixtures"]

LINK = re.compile(r'id="link" readonly value="http://127\.0\.0\.1:8000(/enter/[\w-]+)"')


@pytest.mark.parametrize("who", ["bo", "di"])
def test_users_are_an_admins_business(house: House, who: str) -> None:
    client = house.browser(who)
    cy = house.people["cy"].id
    assert client.get("/users").status_code == 403
    role, kind = {"role": "admin"}, {"kind": "sign_in"}
    sent = {"": role, f"/{cy}/role": role, f"/{cy}/disable": {}, f"/{cy}/enable": {}, f"/{cy}/link": kind}
    for address, fields in sent.items():
        assert client.post(f"/users{address}", data=fields).status_code == 403
    assert house.store.accounts.get(cy) == house.people["cy"]


def test_an_invitation_is_shown_once_and_lets_one_person_in(house: House) -> None:
    client = house.browser("ada")
    page = client.post("/users", data={"login": "Eva@example.com", "name": "Eva Frost", "role": "recruiter"}).text
    found = LINK.search(page)
    assert found
    assert LINK.search(client.get("/users").text) is None
    newcomer = house.visitor()
    assert "Choose a password for" in newcomer.get(found[1]).text
    secret = "seven quiet lamps"
    assert newcomer.post(found[1], data={"password": secret, "again": "seven quiet lampz"}).status_code == 422
    assert newcomer.post(found[1], data={"password": secret, "again": secret}).status_code == 303
    assert newcomer.get("/").status_code == 200
    assert newcomer.post(found[1], data={"password": secret, "again": secret}).status_code == 404
    eva = house.store.accounts.by_login("eva@example.com")
    assert eva
    assert (eva.name, eva.role, eva.has_password) == ("Eva Frost", "recruiter", True)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"login": "bo", "role": "recruiter"}, "There is a user &#39;bo&#39; already"),
        ({"login": "no good", "role": "recruiter"}, "A login is a name or an e-mail address without spaces."),
        ({"login": "eva", "role": "king"}, "There is no role &#39;king&#39;"),
    ],
)
def test_an_invitation_that_cannot_be_made_is_told(house: House, typed: dict[str, str], sentence: str) -> None:
    answer = house.browser("ada").post("/users", data=typed)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert len(house.store.accounts.all()) == 4


def test_a_role_counts_with_the_next_page(house: House) -> None:
    ada, cy = house.browser("ada"), house.browser("cy")
    assert cy.get("/ledger").status_code == 403
    address = f"/users/{house.people['cy'].id}/role"
    asked = words(ada.post(address, data={"role": "auditor"}).text)
    assert "Make Cy Dunmore auditor instead of recruiter? Auditors read everything but contact data" in asked
    ada.post(address, data={"role": "auditor", "instead_of": "admin"})  # agreed to another change than this
    assert cy.get("/ledger").status_code == 403
    done = words(ada.post(address, data={"role": "auditor", "instead_of": "recruiter"}).text)
    assert "Cy Dunmore is now auditor (was recruiter)." in done
    assert cy.get("/ledger").status_code == 200
    again = words(ada.post(address, data={"role": "auditor", "instead_of": "recruiter"}).text)
    assert "Cy Dunmore is auditor already. Nothing was changed." in again


def test_who_is_disabled_is_out_at_once_and_can_come_back(house: House) -> None:
    ada, bo = house.browser("ada"), house.browser("bo")
    id = house.people["bo"].id
    assert bo.get("/").status_code == 200
    ada.post(f"/users/{id}/disable")
    assert bo.get("/").status_code == 303  # to the sign-in
    assert bo.post("/sign-in", data={"login": "bo", "password": PASSWORD}).status_code == 401
    assert ada.post(f"/users/{id}/link", data={"kind": "sign_in"}).status_code == 422
    ada.post(f"/users/{id}/enable")
    assert bo.get("/").status_code == 303  # the old session does not come back
    assert bo.post("/sign-in", data={"login": "bo", "password": PASSWORD}).status_code == 303


def test_the_last_admin_stays(house: House) -> None:
    ada = house.browser("ada")
    id = house.people["ada"].id
    for address, data in (("disable", {}), ("role", {"role": "auditor"})):
        answer = ada.post(f"/users/{id}/{address}", data=data)
        assert answer.status_code == 422
        assert "The last admin cannot" in answer.text


@pytest.mark.parametrize(("kind", "says"), [("sign_in", "sign in once"), ("password", "choose a new password")])
def test_links_for_those_who_forgot(house: House, kind: str, says: str) -> None:
    page = house.browser("ada").post(f"/users/{house.people['cy'].id}/link", data={"kind": kind}).text
    assert f"With it cy can {says}, once" in words(page)
    assert LINK.search(page)


def test_the_list_tells_who_has_which_job(house: House) -> None:
    page = words(house.browser("ada").get("/users").text)
    assert "Bo Carden bo Role of Bo Carden recruiter auditor admin Set Java Developer" in page
    assert "Cy Dunmore cy Role of Cy Dunmore recruiter auditor admin Set none" in page


def test_a_token_does_not_keep_house(house: House) -> None:
    """A secret that leaked from a script must not make users or other tokens."""
    _, secret = house.store.tokens.make(house.people["ada"].id, "script", 1)
    client = house.visitor(authorization=f"Bearer {secret}")
    assert client.get("/").status_code == 200
    assert client.post("/users", data={"login": "eve", "role": "admin"}).status_code == 403
    assert client.post("/account/tokens", data={"name": "more", "days": "30"}).status_code == 403
    assert len(house.store.accounts.all()) == 4


def test_names_are_put_on_a_list_by_the_line(house: House) -> None:
    ada = house.browser("ada")
    pasted = "Fennick Tools\r\n\r\n  Initech Limited \tsued us\nFennick Tools"
    answer = ada.post("/watch-lists", data={"list": "no_hire", "names": pasted, "note": "board, May"})
    assert answer.headers["location"] == "/watch-lists?added=2&known=1"
    assert [(each.name, each.note) for each in house.store.watchlist.entries("no_hire")] == [
        ("Fennick Tools", "board, May"),
        ("Initech Limited", "sued us"),
    ]
    page = words(ada.get(answer.headers["location"]).text)
    assert "2 names new, 1 already on the list." in page
    assert "Fennick Tools board, May – Remove" in page
    assert "Initech Limited sued us 5 Remove" in page  # all five worked for Initech Ltd


def test_a_removal_can_be_taken_back_without_script(house: House) -> None:
    ada = house.browser("ada")
    ada.post("/watch-lists", data={"list": "not_accredited", "names": "Anna University", "note": "why not"})
    gone = ada.post("/watch-lists/remove", data={"list": "not_accredited", "name": "Anna University"})
    assert house.store.watchlist.entries() == ()
    page = ada.get(gone.headers["location"]).text
    assert "Removed Anna University." in page
    fields = dict(
        re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.split("Removed Anna University.")[1])[:3]
    )
    ada.post("/watch-lists", data=fields)
    [entry] = house.store.watchlist.entries()
    assert (entry.list, entry.name, entry.note) == ("not_accredited", "Anna University", "why not")


def test_watch_lists_are_read_by_auditors_and_kept_by_admins(house: House) -> None:
    house.store.watchlist.add("no_hire", "Initech Ltd")
    di, bo = house.browser("di"), house.browser("bo")
    page = di.get("/watch-lists").text
    assert "Initech Ltd" in page
    assert "Remove" not in words(page)
    assert bo.get("/watch-lists").status_code == 403
    for client in (di, bo):
        assert client.post("/watch-lists", data={"list": "no_hire", "names": "X"}).status_code == 403
        gone = client.post("/watch-lists/remove", data={"list": "no_hire", "name": "Initech Ltd"})
        assert gone.status_code == 403
    assert len(house.store.watchlist.entries()) == 1


def test_wrong_lists_and_names_are_told(house: House) -> None:
    ada = house.browser("ada")
    assert "Type at least one name." in ada.post("/watch-lists", data={"list": "no_hire", "names": " \n"}).text
    long = ada.post("/watch-lists", data={"list": "no_hire", "names": "x" * 501, "note": "kept"})
    assert long.status_code == 422
    assert "at most 500 characters" in long.text
    assert 'value="kept"' in long.text  # what was typed stays
    assert ada.post("/watch-lists", data={"list": "other", "names": "X"}).status_code == 422
    many = ada.post("/watch-lists", data={"list": "no_hire", "names": "x\n" * 1_001})
    assert "Paste at most 1,000 lines at once." in many.text
    assert ada.post("/watch-lists/remove", data={"list": "no_hire", "name": "X"}).status_code == 404
