"""Every change of an account is an event of the ledger, written with the change itself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from evenhand.records.event import Draft
from evenhand.store.appending import append
from evenhand.store.sealing import seal_actors

ACCOUNT = "account"


def record(
    connection: Connection,
    now: datetime,
    change: str,
    *,
    actor: str,
    user: str,
    job: str | None = None,
    body: Mapping[str, Any] | None = None,
    sealed: Mapping[str, Any] | None = None,
) -> None:
    """`body` is public; what names a person goes into `sealed`.

    The user is shown by the same seal as where she acts herself, so that her history can be followed.
    """
    public = {"change": change, "user": seal_actors(connection, [user])[user], **(body or {})}
    draft = Draft(ACCOUNT, actor=actor, job=job, body=public, sealed=sealed or {})
    append(connection, [draft], now)
