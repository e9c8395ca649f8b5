"""Every change of an account is an event of the ledger, written with the change itself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection


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
    """`body` is public; what names a person goes into `sealed`."""
