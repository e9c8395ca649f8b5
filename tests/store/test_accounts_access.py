"""Who may see which job; how long guesses have to wait; and what the ledger says of accounts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evenhand.errors import NotFound, UsageError
from evenhand.store.sign_in import PendingSignIn, wait_after
from evenhand.store.store import Store
from tests.store.processes import finish, start
from tests.store.resumes import JOB

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
HERE, THERE = "192.0.2.1", "192.0.2.2"


def test_recruiters_see_what_they_were_given_others_see_all(store: Store) -> None:
    first, second = store.jobs.add(JOB), store.jobs.add(JOB)
    ada, bo, cy, di = (
        store.accounts.add(login, "", role, actor="root").id
        for login, role in (("ada", "recruiter"), ("bo", "recruiter"), ("cy", "auditor"), ("di", "admin"))
    )
    assert store.jobs.grant_access(first, ada, actor="root")
    assert not store.jobs.grant_access(first, ada, actor="root")
    assert store.jobs.grant_access(second, bo, actor="root")
    assert store.jobs.grant_access(first, bo, actor="root")
    store.jobs.revoke_access(first, bo, actor="root")
    seen = {user: store.jobs.visible_to(user) for user in (ada, bo, cy, di)}
    assert seen == {ada: {first}, bo: {second}, cy: {first, second}, di: {first, second}}
    for user, jobs in seen.items():
        assert {job for job in (first, second) if store.jobs.is_visible_to(job, user)} == jobs
    assert [user.login for user in store.jobs.members(first)] == ["ada"]


def test_nothing_is_seen_that_is_not_there(store: Store) -> None:
    job = store.jobs.add(JOB)
    ada = store.accounts.add("ada", "", "recruiter", actor="root")
    di = store.accounts.add("di", "", "admin", actor="root")
    store.jobs.grant_access(job, ada.id, actor="root")
    assert not store.jobs.is_visible_to("x", di.id)
    assert not store.jobs.is_visible_to("a\0b", ada.id)
    assert not store.jobs.is_visible_to(job, "x")
    store.accounts.disable(ada.id, actor="root")
    assert not store.jobs.is_visible_to(job, ada.id)
    assert store.jobs.visible_to(ada.id) == set()
    assert store.jobs.members(job) == []
    store.accounts.enable(ada.id, actor="root")
    assert store.jobs.is_visible_to(job, ada.id)


def test_what_cannot_be_given_or_taken(store: Store) -> None:
    job = store.jobs.add(JOB)
    ada = store.accounts.add("ada", "", "recruiter", actor="root")
    for change in (store.jobs.grant_access, store.jobs.revoke_access):
        with pytest.raises(NotFound, match="no job 'x'"):
            change("x", ada.id, actor="root")
        with pytest.raises(NotFound, match="no user 'x'"):
            change(job, "x", actor="root")
    with pytest.raises(NotFound, match=f"The job {job} was not given to ada."):
        store.jobs.revoke_access(job, ada.id, actor="root")


def test_waits_double_from_the_fifth_failure_to_a_quarter_of_an_hour() -> None:
    waits = [int(wait_after(failures, 5).total_seconds()) for failures in range(1, 16)]
    assert waits == [0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900]
    assert wait_after(10**9, 5) == timedelta(minutes=15)


def test_five_guesses_then_waiting_by_login_wherever_from(store: Store) -> None:
    for number in range(5):
        assert store.throttle.count_attempt("ada", f"192.0.2.{number}", now=NOON) == timedelta()
    assert store.throttle.count_attempt(" ADA", THERE, now=NOON) == timedelta(seconds=5)
    later = NOON + timedelta(seconds=3)
    assert store.throttle.count_attempt("ada", THERE, now=later) == timedelta(seconds=2)  # asking costs nothing
    assert store.throttle.count_attempt("bo", THERE, now=later) == timedelta()
    later = NOON + timedelta(seconds=5)
    assert store.throttle.count_attempt("ada", THERE, now=later) == timedelta()
    assert store.throttle.count_attempt("ada", THERE, now=later) == timedelta(seconds=10)


def test_the_right_password_starts_a_login_anew(store: Store) -> None:
    for _ in range(4):
        store.throttle.count_attempt("ada", HERE, now=NOON)
    assert store.throttle.count_attempt("ada", HERE, now=NOON) == timedelta()
    store.throttle.forgive_attempt("ada", HERE, now=NOON)
    assert [store.throttle.count_attempt("ada", HERE, now=NOON) for _ in range(5)] == [timedelta()] * 5
    assert store.throttle.count_attempt("ada", HERE, now=NOON) == timedelta(seconds=5)
    store.throttle.forget_failures("ada")
    assert store.throttle.count_attempt("ada", HERE, now=NOON) == timedelta()


def test_one_address_cannot_try_many_logins(store: Store) -> None:
    tries = [store.throttle.count_attempt(f"user{number}", HERE, now=NOON) for number in range(20)]
    assert tries == [timedelta()] * 20
    assert store.throttle.count_attempt("another", HERE, now=NOON) == timedelta(seconds=5)
    assert store.throttle.count_attempt("another", THERE, now=NOON) == timedelta()


def test_an_own_account_does_not_wipe_out_guesses_at_others(store: Store) -> None:
    for number in range(19):
        store.throttle.count_attempt(f"user{number}", HERE, now=NOON)
    for _ in range(3):
        assert store.throttle.count_attempt("mine", HERE, now=NOON) == timedelta()
        store.throttle.forgive_attempt("mine", HERE, now=NOON)
    assert store.throttle.count_attempt("user20", HERE, now=NOON) == timedelta()
    assert store.throttle.count_attempt("user21", HERE, now=NOON) == timedelta(seconds=5)


def test_a_household_is_one_address(store: Store) -> None:
    for first, second, same in (
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8:1::1", "2001:db8:1:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("unix socket", "unix socket", True),
    ):
        for number in range(20):
            store.throttle.count_attempt(f"{first} {number}", first, now=NOON)
        waits = store.throttle.count_attempt(f"{second} another", second, now=NOON) > timedelta()
        assert waits == same


def test_failures_are_forgotten_after_a_day(store: Store) -> None:
    for _ in range(5):
        store.throttle.count_attempt("ada", HERE, now=NOON)
    assert store.throttle.count_attempt("ada", HERE, now=NOON + timedelta(seconds=5)) == timedelta()
    tomorrow = NOON + timedelta(days=1, seconds=6)
    assert [store.throttle.count_attempt("ada", HERE, now=tomorrow) for _ in range(5)] == [timedelta()] * 5


def guess(url: str, files: Path, told: Path) -> None:
    with Store.open(url, files=files) as store:
        waits = [store.throttle.count_attempt("ada", HERE, now=NOON) for _ in range(5)]
    told.write_text(str(waits.count(timedelta())))


def test_guesses_sent_at_once_are_counted_one_by_one(database_url: str, tmp_path: Path) -> None:
    Store.open(database_url, files=tmp_path / "files").close()
    told = [tmp_path / f"told-{number}" for number in range(4)]
    finish(*(start(guess, database_url, tmp_path / "files", path) for path in told))
    assert sum(int(path.read_text()) for path in told) == 5


def test_an_identity_belongs_to_one_user(store: Store) -> None:
    ada, bo = (store.accounts.add(login, "", "recruiter", actor="root") for login in ("ada", "bo"))
    store.identities.connect("https://login.example.com", "17", ada.id, actor="root")
    store.identities.connect("https://login.example.com", "17", ada.id, actor="root")
    assert store.identities.user("https://login.example.com", "17") == ada
    assert store.identities.user("https://other.example.com", "17") is None
    assert (store.identities.has_identity(ada.id), store.identities.has_identity(bo.id)) == (True, False)
    with pytest.raises(UsageError, match="connected to another user already"):
        store.identities.connect("https://login.example.com", "17", bo.id, actor="root")


def test_who_is_on_the_way_comes_back_once_and_in_the_same_browser(store: Store) -> None:
    going = PendingSignIn("https://login.example.com", "nonce", "verifier", None, "/jobs")
    store.identities.save_pending("state", "browser", going)
    assert store.identities.take_pending("state", "another browser") is None
    assert store.identities.take_pending("other", "browser") is None
    assert store.identities.take_pending("state", "browser") == going
    assert store.identities.take_pending("state", "browser") is None
    store.identities.save_pending("late", "browser", going)
    for _ in range(10):  # the clock goes on by a minute each
        store.jobs.visible_to(store.accounts.add(f"u{_}", "", "recruiter", actor="root").id)
    assert store.identities.take_pending("late", "browser") is None


def test_every_change_is_in_the_ledger_without_a_name(store: Store) -> None:
    job = store.jobs.add(JOB)
    ada = store.accounts.add("ada@example.com", "Ada Brent", "recruiter", actor="root at the shell")
    bo = store.accounts.add("bo@example.com", "Bo", "admin", actor="root at the shell")
    store.accounts.rename(ada.id, "Ada Lee", actor=bo.id)
    store.accounts.change_role(ada.id, "auditor", actor=bo.id)
    store.accounts.change_role(ada.id, "auditor", actor=bo.id)  # no change, no event
    store.links.make("invitation", ada.id, 72, actor=bo.id)
    store.accounts.set_password_hash(ada.id, "hash", actor=ada.id)
    token, _ = store.tokens.make(ada.id, "my script", 30)
    store.tokens.revoke(token, ada.id)
    store.jobs.grant_access(job, ada.id, actor=bo.id)
    store.jobs.revoke_access(job, ada.id, actor=bo.id)
    store.identities.connect("https://login.example.com", "17", ada.id, actor=ada.id)
    store.accounts.disable(ada.id, actor=bo.id)
    store.accounts.enable(ada.id, actor=bo.id)

    events = store.ledger.events(kinds=["account"])
    shell, admin, user = (store.ledger.seal_of("actor", key) for key in ("root at the shell", bo.id, ada.id))
    seen = [(event.body["change"], event.actor, event.body["user"], event.job) for event in events]
    assert seen == [
        ("created", shell, user, None),
        ("created", shell, admin, None),
        ("renamed", admin, user, None),
        ("role", admin, user, None),
        ("link", admin, user, None),
        ("password", user, user, None),
        ("token_made", user, user, None),
        ("token_revoked", user, user, None),
        ("job_given", admin, user, job),
        ("job_taken", admin, user, job),
        ("connected", user, user, None),
        ("disabled", admin, user, None),
        ("enabled", admin, user, None),
    ]
    assert (events[3].body["from"], events[3].body["role"]) == ("recruiter", "auditor")
    assert store.ledger.opening(events[0].sequence) == {"login": "ada@example.com", "name": "Ada Brent"}
    for event in events:
        shown = str(event.to_json())
        assert not any(word in shown for word in ("ada@", "Ada", "Brent", "shell", "script", "login.example"))
        assert ada.id not in shown
