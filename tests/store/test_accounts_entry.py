"""Sessions, one-time links and tokens: how long they last, and that a link opens once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evenhand.errors import NotFound, UsageError
from evenhand.store.accounts import UserAccount
from evenhand.store.sign_in import AccessToken, SessionInfo
from evenhand.store.store import Store
from tests.store.processes import finish, start

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **length: float) -> None:
        self.now += timedelta(**length)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(database_url: str, tmp_path: Path, clock: Clock) -> Iterator[Store]:
    with Store.open(database_url, files=tmp_path / "files", clock=clock) as opened:
        yield opened


@pytest.fixture
def ada(store: Store) -> UserAccount:
    return store.accounts.add("ada", "Ada", "recruiter", actor="root")


def test_a_session_ends_after_eight_idle_hours(store: Store, clock: Clock, ada: UserAccount) -> None:
    token = store.sessions.open(ada.id)
    clock.advance(hours=7, minutes=59)
    assert store.sessions.user(token) == ada  # and is seen, so it lasts on
    clock.advance(hours=7, minutes=59)
    assert store.sessions.user(token) == ada
    clock.advance(hours=8)
    assert store.sessions.user(token) is None
    assert store.sessions.user("nonsense \ud800") is None


def test_a_session_ends_after_seven_days_however_busy(store: Store, clock: Clock, ada: UserAccount) -> None:
    token = store.sessions.open(ada.id)
    for _ in range(27):
        clock.advance(hours=6)
        assert store.sessions.user(token) == ada
    clock.advance(hours=6)
    assert store.sessions.user(token) is None


def test_limits_can_be_set(store: Store, clock: Clock, ada: UserAccount) -> None:
    token = store.sessions.open(ada.id)
    clock.advance(hours=1)
    assert store.sessions.user(token, idle_hours=1) is None
    assert store.sessions.user(token, days=1 / 24) is None
    assert store.sessions.user(token, idle_hours=1.1, days=0.1) == ada


def test_last_seen_is_written_once_a_minute(store: Store, clock: Clock, ada: UserAccount) -> None:
    token = store.sessions.open(ada.id)
    [opened] = store.sessions.of_user(ada.id)
    clock.advance(seconds=59)
    store.sessions.user(token)
    assert store.sessions.of_user(ada.id) == [SessionInfo(opened.id, ada.id, NOON, NOON)]
    clock.advance(seconds=1)
    store.sessions.user(token)
    assert store.sessions.of_user(ada.id) == [SessionInfo(opened.id, ada.id, NOON, NOON + timedelta(minutes=1))]


def test_a_changed_role_is_in_force_in_open_sessions(store: Store, ada: UserAccount) -> None:
    token = store.sessions.open(ada.id)
    store.accounts.change_role(ada.id, "auditor", actor="root")
    found = store.sessions.user(token)
    assert found is not None
    assert found.role == "auditor"


def test_sessions_are_closed_one_by_one_or_all(store: Store, ada: UserAccount) -> None:
    bo = store.accounts.add("bo", "", "recruiter", actor="root")
    tokens = [store.sessions.open(ada.id) for _ in range(4)]
    other = store.sessions.open(bo.id)
    store.sessions.close(tokens[0])
    store.sessions.close(tokens[0])
    id = store.sessions.id_of(tokens[1])
    assert id is not None
    with pytest.raises(NotFound, match="This session has ended already"):
        store.sessions.close_by_id(id, bo.id)  # not hers
    store.sessions.close_by_id(id, ada.id)
    assert [store.sessions.user(token) for token in tokens] == [None, None, ada, ada]
    assert store.sessions.close_all(ada.id, except_token=tokens[2]) == 1
    assert [store.sessions.user(token) for token in tokens] == [None, None, ada, None]
    assert store.sessions.close_all(ada.id) == 1
    assert store.sessions.user(other) == bo


def test_a_new_password_ends_all_sessions_but_the_one_in_use(store: Store, ada: UserAccount) -> None:
    tokens = [store.sessions.open(ada.id) for _ in range(3)]
    other = store.sessions.open(store.accounts.add("bo", "", "recruiter", actor="root").id)
    store.accounts.set_password_hash(ada.id, "hash", actor=ada.id, except_token=tokens[1])
    assert [store.sessions.user(token) is not None for token in tokens] == [False, True, False]
    store.accounts.set_password_hash(ada.id, "hash", actor=ada.id)
    assert store.sessions.user(tokens[1]) is None
    assert store.sessions.user(other) is not None


def test_sessions_that_ran_out_are_not_listed(store: Store, clock: Clock, ada: UserAccount) -> None:
    store.sessions.open(ada.id)
    clock.advance(hours=5)
    store.sessions.open(ada.id)
    clock.advance(hours=4)
    assert len(store.sessions.of_user(ada.id)) == 1


def test_a_link_opens_its_own_door_once(store: Store, ada: UserAccount) -> None:
    token = store.links.make("invitation", ada.id, 72)
    with pytest.raises(NotFound, match=r"^This link has been used already or has run out; ask for a new one"):
        store.links.use(token, "sign_in")
    shown = store.links.get(token)
    assert shown is not None
    assert (shown.kind, shown.user, shown.expires) == ("invitation", ada, NOON + timedelta(hours=72))
    assert store.links.use(token, "invitation") == ada
    assert store.links.get(token) is None
    with pytest.raises(NotFound):
        store.links.use(token, "invitation")


def test_a_link_runs_out_to_the_second(store: Store, clock: Clock, ada: UserAccount) -> None:
    token = store.links.make("sign_in", ada.id, 1)
    clock.advance(minutes=60)
    assert store.links.get(token) is None
    with pytest.raises(NotFound):
        store.links.use(token, "sign_in")
    token = store.links.make("sign_in", ada.id, 1)
    clock.advance(seconds=3599)
    assert store.links.use(token, "sign_in") == ada


def test_a_newer_link_voids_the_older_of_its_kind(store: Store, ada: UserAccount) -> None:
    old, other, new = (store.links.make(kind, ada.id, 1) for kind in ("sign_in", "password", "sign_in"))
    assert store.links.get(old) is None
    assert store.links.use(new, "sign_in") == store.links.use(other, "password") == ada


def test_wrong_links_are_refused(store: Store, ada: UserAccount) -> None:
    with pytest.raises(UsageError, match="no kind of link 'door'; there are invitation, sign_in, password"):
        store.links.make("door", ada.id, 1)
    for hours in (0.0, 721.0, float("nan")):
        with pytest.raises(UsageError, match="A link lasts up to 720 hours"):
            store.links.make("sign_in", ada.id, hours)


def use(url: str, files: Path, token: str, told: Path) -> None:
    with Store.open(url, files=files) as store:
        told.write_text("ready")
        while not (told.parent / "go").exists():
            time.sleep(0.001)
        try:
            told.write_text(store.links.use(token, "sign_in").login)
        except NotFound:
            told.write_text("refused")


def test_of_many_who_use_a_link_at_the_same_moment_one_gets_in(database_url: str, tmp_path: Path) -> None:
    with Store.open(database_url, files=tmp_path / "files") as store:
        ada = store.accounts.add("ada", "", "recruiter", actor="root")
        token = store.links.make("sign_in", ada.id, 1)
    told = [tmp_path / f"told-{number}" for number in range(6)]
    running = [start(use, database_url, tmp_path / "files", token, path) for path in told]
    while not all(path.exists() for path in told):
        running[0].join(0.01)
    (tmp_path / "go").touch()
    finish(*running)
    assert sorted(path.read_text() for path in told) == ["ada", *["refused"] * 5]


def test_tokens_last_until_their_day_and_can_be_revoked(store: Store, clock: Clock, ada: UserAccount) -> None:
    bo = store.accounts.add("bo", "", "recruiter", actor="root")
    first, secret = store.tokens.make(ada.id, "nightly  export", 30)
    clock.advance(days=1)
    second, other = store.tokens.make(ada.id, "report", 366)
    assert secret.startswith("evh_")
    assert store.tokens.user(secret) == ada
    made = AccessToken(first, ada.id, "nightly export", NOON, NOON + timedelta(days=30), used=NOON + timedelta(days=1))
    later = NOON + timedelta(days=1)
    assert store.tokens.of_user(ada.id) == [
        made,
        AccessToken(second, ada.id, "report", later, NOON + timedelta(days=367), None),
    ]
    with pytest.raises(NotFound, match="There is no such token"):
        store.tokens.revoke(second, bo.id)
    store.tokens.revoke(second, ada.id)
    assert store.tokens.user(other) is None
    clock.advance(days=29)
    assert store.tokens.user(secret) is None
    assert store.tokens.user("evh_guess") is None


def test_wrong_tokens_are_refused(store: Store, ada: UserAccount) -> None:
    for name in (" ", "x" * 101):
        with pytest.raises(UsageError, match="A token needs a name of at most 100 characters"):
            store.tokens.make(ada.id, name, 1)
    for days in (0.0, 367.0, float("nan")):
        with pytest.raises(UsageError, match="A token lasts up to 366 days"):
            store.tokens.make(ada.id, "script", days)
