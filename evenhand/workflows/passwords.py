"""Passwords: which are good enough, and how they are kept. argon2id, with the parameters of RFC 9106."""

from __future__ import annotations

import re
import secrets
import threading
import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from evenhand.errors import UsageError

LEAST, MOST = 12, 1_000  # characters
FEWEST_DIFFERENT = 5
AT_ONCE = 4  # hashes being worked out; each takes 64 MiB, so strangers could otherwise fill the memory

HASHER = PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
_gate = threading.BoundedSemaphore(AT_ONCE)

SAMPLES = """
abc abcd abcdef abcdefgh admin administrator adminuser asdf asdfgh asdfghjkl baseball batman changeit changeme
changethis correcthorsebatterystaple default demo dragon dummy edc enter evenhand example foobar football guest hello
hiring iloveyou insert letmein login master monkey mypassword pass passphrase passwd password passwort placeholder
princess qaz qwert qwerty qwertyuiop qwertz recruiter recruiting replaceme resume rfv root sample secret sesame start
starwars summer sunshine superman supersecret superuser system temp temporary test tester testing todo trustno user
username welcome whatever winter wsx xsw xxx your yxcvbnm zaq zxcvbnm
"""
"""What people write where a password is to be filled in, and the words that lists of stolen ones begin with."""

_SAMPLES_ONLY = re.compile("(?:" + "|".join(sorted(SAMPLES.split(), key=len, reverse=True)) + ")+")
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
    bare = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", secret.casefold())
    return any(
        letters.startswith("changeme") or _SAMPLES_ONLY.fullmatch(letters)
        for letters in (_letters(bare), _letters(bare.translate(_LOOKALIKES)))
    )


def hash_password(password: str) -> str:
    with _gate:
        return HASHER.hash(_bytes(password))


def verify_password(hash: str | None, password: str) -> bool:
    """Takes as long for a login that does not exist (no hash) as for one that does."""
    nobody = _nobody()  # not only when it is needed: the first time would be told by the time it takes
    if len(password) > MOST:
        return False
    try:
        with _gate:
            return HASHER.verify(hash or nobody, _bytes(password)) and hash is not None
    except (VerificationError, InvalidHashError):
        return False


def needs_new_hash(hash: str) -> bool:
    """Whether it was made with other parameters than today's."""
    return HASHER.check_needs_rehash(hash)


@cache
def _nobody() -> str:
    """A hash that no password has; made once, with the parameters that all others have."""
    return HASHER.hash(secrets.token_bytes(32))


def _bytes(password: str) -> bytes:
    """The same letters typed on two keyboards may arrive composed or not."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def _is_login(text: str, login: str) -> bool:
    plain, name = text.casefold(), login.casefold()
    bare = re.sub(r"[\W\d_]+$", "", plain)
    return bool({plain, bare} & {name, name.partition("@")[0]} - {""})


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _is_pattern(text: str) -> bool:
    """Few different characters, digits only, one piece over and over, or a walk along the keyboard."""
    plain = text.casefold()
    if (
        plain.isdigit()
        or len(set(plain)) < FEWEST_DIFFERENT
        or re.fullmatch(r"(.{1,6})\1+.{0,5}", plain, re.DOTALL)
    ):
        return True
    return not _without_runs(plain)


def _without_runs(plain: str) -> str:
    """What is left when all walks of four keys and more are taken out."""
    left = plain
    for run in _RUNS:
        for length in range(len(run), 3, -1):
            for start in range(len(run) - length + 1):
                left = left.replace(run[start : start + length], "")
    return left
