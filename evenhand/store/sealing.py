"""The names that people have in the ledger, and how they lose their meaning when somebody is erased."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, delete, insert, select

from evenhand.records.event import SYSTEM, seal
from evenhand.store.columns import clean
from evenhand.store.keeper import slices
from evenhand.store.ledger_tables import mentions, openings, seals
from evenhand.store.tables import applications

APPLICATION = "application"
ACTOR = "actor"
SALT_BYTES = 16


def seal_applications(connection: Connection, ids: Iterable[str]) -> tuple[dict[str, str], set[str]]:
    """The seal of each, and who of them is there no longer: those get one that leads nowhere, and leave no trace."""
    wanted = list(dict.fromkeys(ids))
    found = known_seals(connection, APPLICATION, wanted)
    there: set[str] = set()
    for some in slices([id for id in wanted if id not in found]):
        query = select(applications.c.id).where(applications.c.id.in_(some))
        there |= set(connection.scalars(query))
    found |= seal_all(connection, APPLICATION, sorted(there))
    gone = {id for id in wanted if id not in found}
    return found | {id: seal(new_salt(), id) for id in gone}, gone


def seal_all(connection: Connection, kind: str, keys: Iterable[str]) -> dict[str, str]:
    """The seal of each, by its key; who has none yet gets one."""
    wanted = list(keys)
    found = known_seals(connection, kind, wanted)
    new: dict[str, dict[str, str]] = {}
    for key in wanted:
        if key not in found:
            salt, kept = new_salt(), clean(key)
            new.setdefault(kept, {"kind": kind, "key": kept, "salt": salt, "seal": seal(salt, kept)})
            found[key] = new[kept]["seal"]
    if new:
        connection.execute(insert(seals), list(new.values()))
    return found


def seal_actors(connection: Connection, keys: Iterable[str]) -> dict[str, str]:
    found = seal_all(connection, ACTOR, (key for key in keys if key != SYSTEM))
    return {**found, SYSTEM: SYSTEM}


def known_seals(connection: Connection, kind: str, keys: Sequence[str]) -> dict[str, str]:
    """By key; those who have none are left out."""
    found: dict[str, str] = {}
    for some in slices(sorted({clean(key) for key in keys})):
        query = select(seals.c.key, seals.c.seal).where(seals.c.kind == kind, seals.c.key.in_(some))
        found |= {row.key: row.seal for row in connection.execute(query)}
    return {key: found[clean(key)] for key in keys if clean(key) in found}


def forget_subject(connection: Connection, application: str) -> None:
    """What the ledger says of this application can no longer be connected with anyone; the chain stays whole."""
    connection.execute(delete(seals).where(seals.c.kind == APPLICATION, seals.c.key == application))
    connection.execute(delete(openings).where(openings.c.application == application))
    connection.execute(delete(mentions).where(mentions.c.application == application))


def new_salt() -> str:
    return secrets.token_hex(SALT_BYTES)
