"""Signing in, with exact waits; invitations, new passwords, and what a stranger can learn."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import pytest
from argon2 import PasswordHasher

from evenhand.accounts import sign_in
from evenhand.accounts.sign_in import check_password, hash_password, is_sample, verify_password
from evenhand.errors import NotFound, SignInRefused, UsageError
from evenhand.settings import Settings
from evenhand.store.accounts import UserAccount
from evenhand.store.store import Store

GOOD = "four green wagons ride"
OTHER = "three blue lanterns burn"
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
HERE = "192.0.2.1"
REFUSED = "The login or the password is not right."


@pytest.fixture
def store(database_url: str, tmp_path: Path) -> Iterator[Store]:
    with Store.open(database_url, files=tmp_path / "files") as opened:
        yield opened


@pytest.fixture
def ada(store: Store) -> UserAccount:
    return sign_in.add_with_password(store, "ada@example.com", "recruiter", GOOD, name="Ada", actor="root")


def refusal(store: Store, login: str, password: str, *, seconds: float = 0) -> tuple[str, int]:
    with pytest.raises(SignInRefused) as caught:
        sign_in.sign_in(store, login, password, address=HERE, now=NOON + timedelta(seconds=seconds))
    return str(caught.value), caught.value.wait_seconds


def test_the_right_password_opens_a_session(store: Store, ada: UserAccount) -> None:
    entered = sign_in.sign_in(store, " ADA@example.com", GOOD, address=HERE)
    assert entered.user == ada
    assert ada.has_password
    assert sign_in.who_is(store, entered.token, Settings()) == ada
    assert sign_in.who_is(store, entered.token, Settings(session_hours=1e-9)) is None
    store.sessions.close(entered.token)
    assert sign_in.who_is(store, entered.token, Settings()) is None


def test_a_stranger_is_told_the_same_whatever_is_wrong(store: Store, ada: UserAccount) -> None:
    store.accounts.add("nopassword", "", "recruiter", actor="root")
    bo = sign_in.add_with_password(store, "bo", "recruiter", GOOD, actor="root")
    store.accounts.disable(bo.id, actor="root")
    for login in ("ada@example.com", "nobody", "nopassword", "bo", ""):
        assert refusal(store, login, OTHER) == (REFUSED, 0)
    for login in ("nobody", "nopassword", "bo"):
        assert refusal(store, login, GOOD) == (REFUSED, 0)
    assert refusal(store, "ada@example.com", GOOD * 1000) == (REFUSED, 0)
    assert refusal(store, "ada@example.com", "\ud800") == (REFUSED, 0)
    assert SignInRefused.code == "sign_in_refused"


@pytest.mark.parametrize("login", ["ada@example.com", "nobody@example.com"])
def test_waits_are_the_same_for_logins_that_do_not_exist(store: Store, ada: UserAccount, login: str) -> None:
    for _ in range(5):
        assert refusal(store, login, OTHER) == (REFUSED, 0)
    wait = "Too many attempts have failed; try again in {}."
    assert refusal(store, login, GOOD) == (wait.format("5 seconds"), 5)
    assert refusal(store, login, GOOD, seconds=4.5) == (wait.format("1 second"), 1)
    assert refusal(store, login, OTHER, seconds=5) == (REFUSED, 0)
    assert refusal(store, login, GOOD, seconds=5) == (wait.format("10 seconds"), 10)
    if login == ada.login:
        entered = sign_in.sign_in(store, login, GOOD, address="192.0.2.9", now=NOON + timedelta(seconds=15))
        assert entered.user == ada
        assert refusal(store, login, OTHER, seconds=15) == (REFUSED, 0)


def test_it_takes_as_long_to_refuse_a_login_that_does_not_exist(store: Store, ada: UserAccount) -> None:
    """Without a hash to compare with, the refusal would come more than ten times faster."""

    def seconds(login: str) -> float:
        begun = time.process_time()  # argon2 works in threads of its own
        refusal(store, login, OTHER)
        return time.process_time() - begun

    known = median(seconds("ada@example.com") for _ in range(3))
    unknown = median(seconds("nobody@example.com") for _ in range(3))
    assert 0.4 < unknown / known < 2.5


def test_an_old_hash_is_renewed_when_its_password_comes_by(store: Store, ada: UserAccount) -> None:
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(GOOD)
    store.accounts.set_password_hash(ada.id, weak, actor="root")
    sign_in.sign_in(store, ada.login, GOOD, address=HERE)
    renewed = store.accounts.password_hash(ada.login)
    assert renewed is not None
    assert renewed.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    sign_in.sign_in(store, ada.login, GOOD, address=HERE)
    assert store.accounts.password_hash(ada.login) == renewed


def test_an_invitation_is_taken_up_once(store: Store) -> None:
    invitation = sign_in.invite(store, "bo@example.com", "auditor", actor="root")
    assert invitation.user.role == "auditor"
    with pytest.raises(UsageError, match="at least 12 characters"):
        sign_in.start_anew(store, invitation.token, sign_in.INVITATION, "short")  # does not use it up
    with pytest.raises(NotFound):
        sign_in.enter(store, invitation.token)
    entered = sign_in.start_anew(store, invitation.token, sign_in.INVITATION, GOOD)
    assert (entered.user.login, entered.user.has_password) == ("bo@example.com", True)
    assert store.sessions.user(entered.token) == entered.user
    with pytest.raises(NotFound, match="used already or has run out"):
        sign_in.start_anew(store, invitation.token, sign_in.INVITATION, OTHER)
    assert sign_in.sign_in(store, "bo@example.com", GOOD, address=HERE).user == entered.user
    with pytest.raises(UsageError, match=r"There is a user 'bo@example\.com' already"):
        sign_in.invite(store, "bo@example.com", "auditor", actor="root")


def test_a_sign_in_link_lets_in_who_has_to_wait(store: Store, ada: UserAccount) -> None:
    for _ in range(5):
        refusal(store, ada.login, OTHER)
    assert refusal(store, ada.login, GOOD)[1] == 5
    entered = sign_in.enter(store, store.links.make(sign_in.SIGN_IN, ada.id, 1))
    assert store.sessions.user(entered.token) == ada
    assert sign_in.sign_in(store, ada.login, GOOD, address=HERE, now=NOON).user == ada


def test_changing_the_password_ends_the_other_sessions(store: Store, ada: UserAccount) -> None:
    here, elsewhere = store.sessions.open(ada.id), store.sessions.open(ada.id)
    with pytest.raises(SignInRefused, match="not right"):
        sign_in.change_password(store, ada, OTHER, OTHER, address=HERE, token=here)
    with pytest.raises(UsageError, match="at least 12"):
        sign_in.change_password(store, ada, GOOD, "short", address=HERE, token=here)
    assert store.sessions.user(elsewhere) == ada
    sign_in.change_password(store, ada, GOOD, OTHER, address=HERE, token=here)
    assert (store.sessions.user(here), store.sessions.user(elsewhere)) == (ada, None)
    assert sign_in.sign_in(store, ada.login, OTHER, address=HERE).user == ada


def test_who_holds_a_session_cannot_guess_the_password_at_will(store: Store, ada: UserAccount) -> None:
    for number in range(6):
        with pytest.raises(SignInRefused) as caught:
            sign_in.change_password(store, ada, f"{OTHER} {number}", OTHER, address=HERE, now=NOON)
    assert caught.value.wait_seconds == 5


def test_a_first_password_needs_no_old_one(store: Store) -> None:
    bo = store.accounts.add("bo", "", "recruiter", actor="root")
    sign_in.change_password(store, bo, "", GOOD, address=HERE)
    assert sign_in.sign_in(store, "bo", GOOD, address=HERE).user.id == bo.id


def test_a_new_password_by_link_or_from_the_server_ends_all_sessions(store: Store, ada: UserAccount) -> None:
    old = store.sessions.open(ada.id)
    entered = sign_in.start_anew(store, store.links.make(sign_in.PASSWORD, ada.id, 24), sign_in.PASSWORD, OTHER)
    assert (store.sessions.user(old), store.sessions.user(entered.token)) == (None, ada)
    sign_in.set_password(store, ada, GOOD, actor="root")
    assert store.sessions.user(entered.token) is None
    assert sign_in.sign_in(store, ada.login, GOOD, address=HERE).user == ada


def test_links_begin_with_the_address_of_the_server() -> None:
    assert sign_in.link_address(Settings(), "abc") == "http://127.0.0.1:8000/enter/abc"
    assert (
        sign_in.link_address(Settings(address="https://hiring.example.com/"), "abc")
        == "https://hiring.example.com/enter/abc"
    )


@pytest.mark.parametrize(
    "password",
    [
        GOOD,
        "correct-Zebra-stairs",
        "secret garden of roses",
        "password of my dog Rex",
        "ünïcödé wörds",
        "x7#Kq9!mZp2&",
        " leading and trailing ",
        "y" * 12 + "abcdefgij" + "q" * 979,
    ],
)
def test_passwords_that_will_do(password: str) -> None:
    check_password(password, "ada@example.com")


@pytest.mark.parametrize(
    "password",
    [
        "changeme1234",
        "ChangeMe please, at once",
        "Ch4ng3me-now!!",
        "P@ssw0rd2024!!",
        "passwordpassword",
        "Admin-Admin-12",
        "your secret password",
        "letmein123456",
        "correct horse battery staple",
        "1qaz2wsx3edc",
        "qwertyuiop12",
        "123456789012",
        "194305112748",
        "aaaaaaaaaaaa",
        "abcabcabcabc",
        "1234abcd5678",
    ],
)
def test_passwords_that_strangers_try_first(password: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_password(password, "ada@example.com")
    assert str(caught.value) == "This password is among the first that strangers try; take another one."


@pytest.mark.parametrize("password", ["Ada.Brent@Example.com", "ada.brent1234", "ADA.BRENT2030!"])
def test_the_login_is_no_password(password: str) -> None:
    with pytest.raises(UsageError, match="must not be the login name"):
        check_password(password, "ada.brent@example.com")


def test_passwords_are_long_but_not_endless() -> None:
    with pytest.raises(UsageError, match=r"^A password has at least 12 characters; a few words"):
        check_password("elevenchars", "ada")
    with pytest.raises(UsageError, match=r"^A password has at most 1,000 characters\.$"):
        check_password("four green wagons " * 60, "ada")


def test_composed_and_decomposed_letters_are_the_same_password() -> None:
    composed, decomposed = "caf\u00e9 on the corner", "cafe\u0301 on the corner"
    kept = hash_password(composed)
    assert verify_password(kept, decomposed)
    assert not verify_password(kept, "cafe on the corner")
    assert not verify_password(None, composed)
    assert not verify_password("not a hash", composed)


def test_sample_secrets_are_told_from_real_ones() -> None:
    assert is_sample("changeme")
    assert is_sample("CHANGE-ME-in-production")
    assert not is_sample("GOCSPX-8f2k1LmQ0zYw")


@pytest.mark.parametrize("password", ["adminuser" * 22 + "q", "adminuser" * 110, "a" * 500 + "_1" * 250, "1_" * 500])
def test_no_password_takes_long_to_look_at(password: str) -> None:
    """Samples that are parts of each other fit together in 2**22 ways; the time of one look is far below a second."""
    started = time.process_time()
    with suppress(UsageError):
        check_password(password, "ada@example.com")
    assert time.process_time() - started < 2.0


def test_samples_in_a_row_are_a_sample_however_they_are_parted() -> None:
    assert is_sample("adminuser" * 22)
    assert is_sample("testtestersupersecret")
    assert not is_sample("adminuser" * 22 + "q")
    assert not is_sample("12345")


def test_a_new_password_is_looked_at_only_when_the_old_one_is_right(store: Store, ada: UserAccount) -> None:
    with pytest.raises(SignInRefused):
        sign_in.change_password(store, ada, OTHER, "short", address=HERE)
