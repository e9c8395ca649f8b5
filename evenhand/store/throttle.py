"""How soon somebody may try to sign in again: by the login that is tried and by the address it is tried from.

An attempt is counted before the password is looked at and taken back when it was right. Counted afterwards, a
thousand guesses sent at the same moment would all find the door open.
"""

from __future__ import annotations

import ipaddress
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from evenhand.store.account_tables import throttle
from evenhand.store.accounts import fold
from evenhand.store.bearer import hashed
from evenhand.store.keeper import Keeper

LOGIN, ADDRESS = "login", "address"
FREE = {LOGIN: 5, ADDRESS: 20}
"""Failures before waits begin. Behind one address there may be an office of people who mistype."""
FIRST_WAIT = timedelta(seconds=5)
LONGEST_WAIT = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(days=1)
Key = tuple[str, str]


class Throttle(Keeper):
    def count_attempt(self, login: str, address: str, *, now: datetime | None = None) -> timedelta:
        """How long to wait; zero lets the attempt be made, which counts as a failure until it is forgiven."""
        moment = now or self._now()
        with self._database.writing() as connection:
            connection.execute(delete(throttle).where(throttle.c.last <= moment - FORGOTTEN_AFTER))
            rows = {key: _row(connection, key) for key in _keys(login, address)}
            wait = max(((row.until - moment) for row in rows.values() if row), default=timedelta())
            if wait > timedelta():
                return wait
            for key, row in rows.items():
                _count(connection, key, (row.failures if row else 0) + 1, moment)
        return timedelta()

    def forgive_attempt(self, login: str, address: str, *, now: datetime | None = None) -> None:
        """The password was right: the login starts anew. The address only loses this attempt, or who has an
        account could wipe out the traces of guessing at others."""
        moment = now or self._now()
        of_login, of_address = _keys(login, address)
        with self._database.writing() as connection:
            connection.execute(delete(throttle).where(_same(of_login)))
            connection.execute(
                update(throttle)
                .where(_same(of_address), throttle.c.failures > 0)
                .values(failures=throttle.c.failures - 1, until=moment)
            )

    def forget_failures(self, login: str) -> None:
        """For somebody who has proved in another way who she is."""
        with self._database.transaction() as connection:
            connection.execute(delete(throttle).where(_same(_keys(login, "")[0])))


def wait_after(failures: int, free: int) -> timedelta:
    """None for the first few, then twice as long each time."""
    if failures < free:
        return timedelta()
    doublings = min(failures - free, 20)  # a number of any size must not become a time of any length
    return min(FIRST_WAIT * (1 << doublings), LONGEST_WAIT)


def _keys(login: str, address: str) -> tuple[Key, Key]:
    return (LOGIN, hashed(fold(login))), (ADDRESS, hashed(_network(address)))


def _network(address: str) -> str:
    """A household has 2^64 addresses of IPv6, and can try from another one each time."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6 and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed.ipv4_mapped or parsed) if parsed.version == 6 else str(parsed)


def _row(connection: Connection, key: Key) -> Row[Any] | None:
    return connection.execute(select(throttle).where(_same(key))).one_or_none()


def _same(key: Key) -> Any:
    return (throttle.c.kind == key[0]) & (throttle.c.hash == key[1])


def _count(connection: Connection, key: Key, failures: int, now: datetime) -> None:
    values = {"failures": failures, "last": now, "until": now + wait_after(failures, FREE[key[0]])}
    if connection.execute(update(throttle).where(_same(key)).values(values)).rowcount == 0:
        connection.execute(insert(throttle).values(kind=key[0], hash=key[1], **values))
