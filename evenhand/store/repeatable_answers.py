"""Answers to requests that a program may send again under the same key: the second one gets the first one's answer.

A row is there from before the request takes effect, so that of two at once one waits, and a request that was cut off is
never taken for one that did not happen. Answers may hold secrets and personal data: each is encrypted with the key that
the program chose, which is not kept.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Column, LargeBinary, Row, String, Table, delete, insert, select, update

from evenhand.store.base import StoreBase
from evenhand.store.tables import MASTER, UtcTime

KEPT = timedelta(hours=48)
NONCE_BYTES = 12

repeatable_answers = Table(
    "repeatable_answers",
    MASTER,
    Column("id", String(64), primary_key=True),  # a hash of user, address and key
    Column("request", String(64), nullable=False),  # a hash of all that was sent
    Column("begun", UtcTime, nullable=False, index=True),
    Column("answer", LargeBinary),  # None while the request is under way, or was cut off
)


@dataclass(frozen=True, slots=True)
class RepeatKey:
    """Whose request it is, where it goes, and the key they chose."""

    user: str
    address: str
    key: str

    @property
    def id(self) -> str:
        return self._hash("id").hex()

    def encrypt(self, answer: bytes) -> bytes:
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + AESGCM(self._hash("answer")).encrypt(nonce, answer, None)

    def decrypt(self, kept: bytes) -> bytes:
        return AESGCM(self._hash("answer")).decrypt(kept[:NONCE_BYTES], kept[NONCE_BYTES:], None)

    def _hash(self, purpose: str) -> bytes:
        return hashlib.sha256("\0".join((purpose, self.user, self.address, self.key)).encode()).digest()


@dataclass(frozen=True, slots=True)
class EarlierRequest:
    """`answer` is None while it is under way, or when it was cut off."""

    is_same: bool
    answer: bytes | None


class RepeatableAnswerStore(StoreBase):
    def begin(self, key: RepeatKey, request: str) -> EarlierRequest | None:
        """None for the first of its key, which is then under way; else the one before. Forgets what is too old."""
        now = self._now()
        query = select(repeatable_answers).where(repeatable_answers.c.id == key.id)
        # Whoever waits for an answer asks again and again: that must not keep others from writing.
        row = self._row(query.where(repeatable_answers.c.begun >= now - KEPT))
        if row is not None:
            return _earlier(key, row, request)
        with self._database.writing() as connection:
            connection.execute(delete(repeatable_answers).where(repeatable_answers.c.begun < now - KEPT))
            row = connection.execute(query).one_or_none()
            if row is None:
                connection.execute(insert(repeatable_answers).values(id=key.id, request=request, begun=now))
                return None
        return _earlier(key, row, request)

    def finish(self, key: RepeatKey, answer: bytes) -> None:
        same = repeatable_answers.c.id == key.id
        with self._database.writing() as connection:
            connection.execute(update(repeatable_answers).where(same).values(answer=key.encrypt(answer)))

    def release(self, key: RepeatKey) -> None:
        """The request was refused and changed nothing: it may be sent again."""
        with self._database.writing() as connection:
            connection.execute(delete(repeatable_answers).where(repeatable_answers.c.id == key.id))


def _earlier(key: RepeatKey, row: Row[Any], request: str) -> EarlierRequest:
    return EarlierRequest(row.request == request, None if row.answer is None else key.decrypt(row.answer))
