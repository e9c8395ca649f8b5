"""How people get in: with a password, by a one-time link, by taking up an invitation; and how they change that."""

from __future__ import annotations

import logging
import math
import os
import re
import secrets
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from evenhand.errors import NotFound, SignInRefused, UsageError
from evenhand.settings import Settings
from evenhand.store.accounts import UserAccount, check_role, normal_login
from evenhand.store.sign_in import check_link, used_up
from evenhand.store.store import Store

T = TypeVar("T")

# Passwords: which are good enough, and how they are kept. argon2id, with the parameters of RFC 9106.

LEAST, MOST = 12, 1_000  # characters
MIN_DISTINCT_CHARACTERS = 5
# Each hash takes 64 MiB and four threads of its own for a tenth of a second: strangers who try passwords must leave
# memory and half of the processors to those who work.
HASH_CONCURRENCY = max(1, min(4, (os.cpu_count() or 1) // 2))
MAX_WAITING = 60  # to be hashed; who comes when so many wait is asked to come back, before anything is looked at
BUSY_SECONDS = 5
BUSY = f"Many people are signing in at this moment; try again in {BUSY_SECONDS} seconds."

HASHER = PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)


class HashingPool:
    """Few threads for what hashes a password, and a queue with an end.

    In the threads that answer requests, a few hundred attempts to sign in would keep everybody else waiting.
    """

    def __init__(self, concurrency: int, waiting: int) -> None:
        self._threads = ThreadPoolExecutor(concurrency, "evenhand-sign-in")
        self._places = threading.BoundedSemaphore(concurrency + waiting)

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """SignInRefused, with the time to wait, where too many wait already."""
        if not self._places.acquire(blocking=False):
            raise SignInRefused(BUSY, wait_seconds=BUSY_SECONDS)
        future = self._threads.submit(work)
        future.add_done_callback(lambda _: self._places.release())
        return future


hashing_pool = HashingPool(HASH_CONCURRENCY, MAX_WAITING)

SAMPLES = """
abc abcd abcdef abcdefgh admin administrator adminuser asdf asdfgh asdfghjkl baseball batman changeit changeme
changethis correcthorsebatterystaple default demo dragon dummy edc enter evenhand example foobar football guest hello
hiring iloveyou insert letmein login master monkey mypassword pass passphrase passwd password passwort placeholder
princess qaz qwert qwerty qwertyuiop qwertz recruiter recruiting replaceme resume rfv root sample secret sesame start
starwars summer sunshine superman supersecret superuser system temp temporary test tester testing todo trustno user
username welcome whatever winter wsx xsw xxx your yxcvbnm zaq zxcvbnm
"""
"""What people write where a password is to be filled in, and the words that lists of stolen ones begin with."""

_SAMPLES = tuple(SAMPLES.split())
_LOOKALIKES = str.maketrans("@4301$57!", "aaeoissti")
_RUNS = ("1234567890", "0987654321", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm")


def check_password(password: str, login: str) -> None:
    """A UsageError, in words, for one that a stranger would try early."""
    text = unicodedata.normalize("NFC", password)
    if len(text) < LEAST:
        raise UsageError(f"A password has at least {LEAST} characters; a few words in a row make a good one.")
    if len(text) > MOST:
        raise UsageError(f"A password has at most {MOST:,} characters.")
    if _is_login(text, login):
        raise UsageError("A password must not be the login name.")
    if is_sample(text) or _is_pattern(text):
        raise UsageError("This password is among the first that strangers try; take another one.")


def is_sample(secret: str) -> bool:
    """Made of words like changeme or secret and little else; also for secrets that come in files."""
    bare = re.sub(r"^[\W\d_]++|(?<![\W\d_])[\W\d_]++$", "", secret.casefold())
    return any(
        letters.startswith("changeme") or _is_made_of_samples(letters)
        for letters in (_letters(bare), _letters(bare.translate(_LOOKALIKES)))
    )


def _is_made_of_samples(letters: str) -> bool:
    """Whether samples in a row make it. Not a pattern: it would try every way to part the letters, of 2**n."""
    ends = {0}
    for at in range(len(letters)):
        if at in ends:
            ends.update(at + len(sample) for sample in _SAMPLES if letters.startswith(sample, at))
    return letters != "" and len(letters) in ends


def hash_password(password: str) -> str:
    return HASHER.hash(_bytes(password))


def verify_password(hash: str | None, password: str) -> bool:
    """Takes as long for a login that does not exist (no hash) as for one that does."""
    nobody = _nobody()  # not only when it is needed: the first time would be told by the time it takes
    if len(password) > MOST:
        return False
    try:
        return HASHER.verify(hash or nobody, _bytes(password)) and hash is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobody() -> str:
    """A hash that no password has; made once, with the parameters that all others have."""
    return HASHER.hash(secrets.token_bytes(32))


def _bytes(password: str) -> bytes:
    """The same letters typed on two keyboards may arrive composed or not."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def _is_login(text: str, login: str) -> bool:
    plain, name = text.casefold(), login.casefold()
    bare = re.sub(r"(?<![\W\d_])[\W\d_]++$", "", plain)
    return bool({plain, bare} & {name, name.partition("@")[0]} - {""})


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _is_pattern(text: str) -> bool:
    """Few different characters, digits only, one piece over and over, or a walk along the keyboard."""
    plain = text.casefold()
    if (
        plain.isdigit()
        or len(set(plain)) < MIN_DISTINCT_CHARACTERS
        or re.fullmatch(r"(.{1,6})\1+.{0,5}", plain, re.DOTALL)
    ):
        return True
    # What is left when all walks of four keys and more are taken out.
    left = plain
    for run in _RUNS:
        for length in range(len(run), 3, -1):
            for start in range(len(run) - length + 1):
                left = left.replace(run[start : start + length], "")
    return not left


INVITATION, SIGN_IN, PASSWORD = "invitation", "sign_in", "password"
INVITATION_HOURS = 72.0
SIGN_IN_HOURS = 1.0
PASSWORD_HOURS = 24.0
ENTER_PATH = "/enter/"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SignInResult:
    """Somebody is in: the token is for their browser's cookie, and nobody else's eyes."""

    token: str
    user: UserAccount


@dataclass(frozen=True, slots=True)
class Invitation:
    user: UserAccount
    token: str


def sign_in(store: Store, login: str, password: str, *, address: str, now: datetime | None = None) -> SignInResult:
    """The same answer, as late, for a login that does not exist, is disabled, or has another password."""
    _prove(store, login, password, address=address, now=now)
    user = store.accounts.by_login(login)
    if user is None or user.disabled:  # in the moment between
        raise SignInRefused
    return SignInResult(store.sessions.open(user.id), user)


def who_is(store: Store, token: str, settings: Settings) -> UserAccount | None:
    """Who sent a request with this session."""
    return store.sessions.user(token, idle_hours=settings.session_hours, days=settings.session_days)


def enter(store: Store, token: str) -> SignInResult:
    """By a one-time sign-in link."""
    user = store.links.use(token, SIGN_IN)
    store.throttle.forget_failures(user.login)
    return SignInResult(store.sessions.open(user.id), user)


def change_password(
    store: Store,
    user: UserAccount,
    old: str,
    new: str,
    *,
    address: str,
    token: str | None = None,
    now: datetime | None = None,
) -> None:
    """By the users themselves. All their sessions end but that of `token`; who had no password needs no old one."""
    if user.has_password:  # first: nobody makes the server work who does not know it
        _prove(store, user.login, old, address=address, now=now)
    check_password(new, user.login)
    store.accounts.set_password_hash(user.id, hash_password(new), actor=user.id, except_token=token)


def set_password(store: Store, user: UserAccount, password: str, *, actor: str) -> None:
    """By somebody who has the server: no old password is asked for, and all sessions end."""
    check_password(password, user.login)
    store.accounts.set_password_hash(user.id, hash_password(password), actor=actor)
    store.throttle.forget_failures(user.login)


def add_with_password(store: Store, login: str, role: str, password: str, *, name: str = "", actor: str) -> UserAccount:
    check_password(password, login)
    hash = hash_password(password)
    user = store.accounts.add(login, name, role, actor=actor)
    store.accounts.set_password_hash(user.id, hash, actor=actor)
    return store.accounts.get(user.id)


def invite(
    store: Store, login: str, role: str, *, name: str = "", hours: float = INVITATION_HOURS, actor: str
) -> Invitation:
    """A new user, and the link by which they choose their password; not the one without the other."""
    check_link(INVITATION, hours)
    user = store.accounts.add(login, name, role, actor=actor)
    return Invitation(user, store.links.make(INVITATION, user.id, hours, actor=actor))


def check_new_user(store: Store, login: str, role: str) -> None:
    """Before a password is asked for: nobody likes to type one twice for nothing."""
    check_role(role)
    if store.accounts.by_login(normal_login(login)):
        raise UsageError(f"There is a user {login!r} already.")


def by_login(store: Store, login: str) -> UserAccount:
    """For those who administer; never for those who sign in."""
    user = store.accounts.by_login(login)
    if user is None:
        raise NotFound(f"There is no user {login!r}; `evenhand user list` shows those there are.")
    return user


def link_address(settings: Settings, token: str) -> str:
    return f"{settings.origin}{ENTER_PATH}{token}"


def _prove(store: Store, login: str, password: str, *, address: str, now: datetime | None) -> None:
    wait = store.throttle.count_attempt(login, address, now=now)
    if wait:
        log.warning("Sign-in: too many attempts, the last from %s.", address)
        seconds = math.ceil(wait.total_seconds())
        message = f"Too many attempts have failed; try again in {_in_words(seconds)}."
        raise SignInRefused(message, wait_seconds=seconds)
    hash = store.accounts.password_hash(login)
    if not verify_password(hash, password) or hash is None:
        log.info("Sign-in: refused, from %s.", address)  # not the login: people type passwords there
        raise SignInRefused
    store.throttle.forgive_attempt(login, address, now=now)
    # A hash may have been made with other parameters than today's.
    if HASHER.check_needs_rehash(hash) and (user := store.accounts.by_login(login)):
        store.accounts.renew_password_hash(user.id, hash, hash_password(password))


def start_anew(store: Store, token: str, kind: str, password: str) -> SignInResult:
    """By an invitation, or a one-time link for a new password: all sessions of the old one end.

    The password is looked at first: a link is not used up by one that is too short.
    """
    link = store.links.get(token)
    if link is None or link.kind != kind:
        raise used_up()
    check_password(password, link.user.login)
    hash = hash_password(password)
    user = store.links.use(token, kind)
    store.accounts.set_password_hash(user.id, hash, actor=user.id)
    store.throttle.forget_failures(user.login)
    return SignInResult(store.sessions.open(user.id), store.accounts.get(user.id))


def _in_words(seconds: int) -> str:
    if seconds < 60:
        return f"{seconds} second{'s' if seconds > 1 else ''}"
    minutes = math.ceil(seconds / 60)
    return f"{minutes} minute{'s' if minutes > 1 else ''}"
