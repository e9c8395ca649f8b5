"""Users: how they are made, changed and disabled, and that an admin is always left."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from evenhand.errors import NotFound, UsageError
from evenhand.store.accounts import ROLES, UserAccount
from evenhand.store.store import Store
from tests.store.processes import finish, start


def at(minute: int) -> datetime:
    return datetime(2030, 1, 1, 0, minute, tzinfo=UTC)


def test_a_user_comes_back_as_made(store: Store) -> None:
    ada = store.accounts.add(" Ada@Example.COM ", "Ada  Brent", "admin", actor="root")
    assert ada == UserAccount(ada.id, "ada@example.com", "Ada Brent", "admin", False, False, at(1))
    assert store.accounts.get(ada.id) == ada
    assert store.accounts.by_login("ADA@example.com") == ada
    assert store.accounts.by_login("ada") is None
    assert ROLES == ("recruiter", "auditor", "admin")


def test_users_are_listed_by_login_and_named_by_id(store: Store) -> None:
    zoe = store.accounts.add("zoe", "", "auditor", actor="root")
    ada = store.accounts.add("ada", "Ada", "admin", actor="root")
    assert [user.login for user in store.accounts.all()] == ["ada", "zoe"]
    names = store.accounts.names([zoe.id, "mo at the shell", ada.id, "a\0b", zoe.id])
    assert names == {zoe.id: "zoe", "mo at the shell": "mo at the shell", ada.id: "Ada", "a\0b": "a\0b"}


def test_wrong_users_are_refused_in_words(store: Store) -> None:
    store.accounts.add("ada", "", "recruiter", actor="root")
    no_login = "A login is a name or an e-mail address without spaces."
    for login, name, role, sentence in (
        ("bo", "", "boss", "There is no role 'boss'; the roles are recruiter, auditor, admin."),
        ("", "", "admin", no_login),
        ("a b", "", "admin", no_login),
        ("a\u200bb", "", "admin", no_login),
        ("x" * 201, "", "admin", "A login has at most 200 characters."),
        ("bo", "x" * 201, "admin", "The name of a user has at most 200 characters."),
        ("ADA", "", "admin", "There is a user 'ada' already."),
        ("ａｄａ", "", "admin", "There is a user 'ada' already."),
    ):
        with pytest.raises(UsageError) as caught:
            store.accounts.add(login, name, role, actor="root")
        assert str(caught.value) == sentence
    assert len(store.accounts.all()) == 1


def test_roles_and_names_change(store: Store) -> None:
    ada = store.accounts.add("ada", "Ada", "recruiter", actor="root")
    store.accounts.change_role(ada.id, "auditor", actor="root")
    store.accounts.rename(ada.id, "Ada Brent", actor="root")
    assert (store.accounts.get(ada.id).role, store.accounts.get(ada.id).name) == ("auditor", "Ada Brent")
    with pytest.raises(UsageError, match="no role 'boss'"):
        store.accounts.change_role(ada.id, "boss", actor="root")
    with pytest.raises(UsageError, match="needs a name"):
        store.accounts.rename(ada.id, " ", actor="root")


def test_a_user_that_is_not_there(store: Store) -> None:
    changes: list[Callable[[], object]] = [
        lambda: store.accounts.get("x"),
        lambda: store.accounts.get("a\0b"),
        lambda: store.accounts.change_role("x", "admin", actor="root"),
        lambda: store.accounts.rename("x", "X", actor="root"),
        lambda: store.accounts.disable("x", actor="root"),
        lambda: store.accounts.enable("x", actor="root"),
        lambda: store.accounts.set_password_hash("x", "hash", actor="root"),
        lambda: store.sessions.open("x"),
        lambda: store.links.make("sign_in", "x", 1),
        lambda: store.tokens.make("x", "script", 1),
    ]
    for change in changes:
        with pytest.raises(NotFound, match=r"no user '.*'; `evenhand user list`"):
            change()


def test_disabling_ends_every_way_in(store: Store) -> None:
    store.accounts.add("root", "", "admin", actor="root")
    ada = store.accounts.add("ada", "", "admin", actor="root")
    store.accounts.set_password_hash(ada.id, "hash", actor="root")
    session = store.sessions.open(ada.id)
    link = store.links.make("sign_in", ada.id, 1)
    _, secret = store.tokens.make(ada.id, "script", 30)
    assert store.sessions.user(session) == store.tokens.user(secret) == store.accounts.get(ada.id)

    store.accounts.disable(ada.id, actor="root")
    assert store.accounts.get(ada.id).disabled
    assert store.accounts.password_hash("ada") is None
    for _ in range(2):  # enabling does not bring back what was ended
        assert store.sessions.user(session) is None
        assert store.tokens.user(secret) is None
        assert (store.tokens.of_user(ada.id), store.sessions.of_user(ada.id)) == ([], [])
        with pytest.raises(NotFound, match="used already or has run out"):
            store.links.use(link, "sign_in")
        store.accounts.enable(ada.id, actor="root")
    assert not store.accounts.get(ada.id).disabled
    assert store.accounts.password_hash("ada") == "hash"


def test_a_disabled_user_is_given_nothing(store: Store) -> None:
    ada = store.accounts.add("ada", "", "recruiter", actor="root")
    store.accounts.disable(ada.id, actor="root")
    for request in (
        lambda: store.sessions.open(ada.id),
        lambda: store.links.make("sign_in", ada.id, 1),
        lambda: store.tokens.make(ada.id, "script", 1),
    ):
        with pytest.raises(UsageError, match=r"^The user ada is disabled\.$"):
            request()


def test_the_last_admin_stays(store: Store) -> None:
    ada = store.accounts.add("ada", "", "admin", actor="root")
    bo = store.accounts.add("bo", "", "admin", actor="root")
    store.accounts.disable(bo.id, actor="root")
    with pytest.raises(UsageError, match=r"^The last admin cannot be disabled; make another admin first\.$"):
        store.accounts.disable(ada.id, actor="root")
    with pytest.raises(UsageError, match=r"^The last admin cannot be given another role; make another admin"):
        store.accounts.change_role(ada.id, "auditor", actor="root")
    store.accounts.change_role(bo.id, "recruiter", actor="root")  # disabled, so no admin is lost
    store.accounts.enable(bo.id, actor="root")
    store.accounts.change_role(bo.id, "admin", actor="root")
    store.accounts.disable(ada.id, actor="root")
    assert [(user.login, user.disabled) for user in store.accounts.all()] == [("ada", True), ("bo", False)]


def disable(url: str, files: Path, id: str) -> None:
    with Store.open(url, files=files) as store:
        store.accounts.disable(id, actor="other")


def test_two_admins_cannot_disable_each_other_at_once(database_url: str, tmp_path: Path) -> None:
    with Store.open(database_url, files=tmp_path / "files") as store:
        ids = [store.accounts.add(login, "", "admin", actor="root").id for login in ("ada", "bo")]
    running = [start(disable, database_url, tmp_path / "files", id) for id in ids]
    assert sorted(map(bool, finish(*running))) == [False, True]
    with Store.open(database_url, files=tmp_path / "files") as store:
        assert sorted(user.disabled for user in store.accounts.all()) == [False, True]


def test_passwords_are_kept_as_given_and_renewed_only_if_unchanged(store: Store) -> None:
    ada = store.accounts.add("ada", "", "recruiter", actor="root")
    assert store.accounts.password_hash("ada") is None
    assert not store.accounts.get(ada.id).has_password
    store.accounts.set_password_hash(ada.id, "one", actor="root")
    assert store.accounts.password_hash(" ADA") == "one"
    assert store.accounts.get(ada.id).has_password
    store.accounts.renew_password_hash(ada.id, "one", "one again")
    store.accounts.renew_password_hash(ada.id, "one", "too late")
    assert store.accounts.password_hash("ada") == "one again"
    assert store.accounts.password_hash("nobody") is None


def test_a_new_password_voids_links(store: Store) -> None:
    ada = store.accounts.add("ada", "", "recruiter", actor="root")
    links = [(kind, store.links.make(kind, ada.id, 1)) for kind in ("invitation", "sign_in", "password")]
    store.accounts.set_password_hash(ada.id, "hash", actor="root")
    for kind, token in links:
        with pytest.raises(NotFound):
            store.links.use(token, kind)


def test_nothing_that_lets_anyone_in_lies_in_the_database(store: Store, database_url: str) -> None:
    ada = store.accounts.add("ada", "", "recruiter", actor="root")
    _, secret = store.tokens.make(ada.id, "script", 30)
    secrets = [store.sessions.open(ada.id), store.links.make("sign_in", ada.id, 1), secret]
    store.throttle.count_attempt("a password typed as login", "192.0.2.7")
    assert all(len(secret.removeprefix("evh_")) == 43 for secret in secrets)  # 256 bits in base64
    engine = create_engine(database_url)
    with engine.connect() as connection:
        kept = [
            str(value)
            for table in ("sessions", "links", "tokens", "throttle", "ledger")
            for row in connection.execute(text(f"SELECT * FROM {table}"))
            for value in row
        ]
    engine.dispose()
    for told in (*secrets, "a password typed as login", "192.0.2.7"):
        assert not any(told in value for value in kept)
