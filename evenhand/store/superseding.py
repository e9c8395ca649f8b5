"""Keeps what was mined before it is replaced, so that a ranking of that time can be worked out again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    delete,
    insert,
    literal,
    select,
    update,
)

from evenhand.records import content_hash
from evenhand.store.appending import head
from evenhand.store.columns import unpack
from evenhand.store.database import newest_revision
from evenhand.store.keeper import Keeper, slices
from evenhand.store.ledger_tables import mined_versions
from evenhand.store.mined_tables import mined_digests, mined_documents, mined_profiles
from evenhand.store.rows import MinedVersion
from evenhand.store.tables import applications

CONTENT = ("text", "profile", "digest_version", "digest")
"""What an index is made of; the same of another version of the miner is no other content."""

Content = Mapping[str, Any]
NOTHING: Content = dict.fromkeys(("miner", *CONTENT))


class Superseding(Keeper):
    def mined_versions(self, sha256s: Sequence[str]) -> dict[str, list[MinedVersion]]:
        """What was in force once, the oldest first, by document."""
        found: dict[str, list[MinedVersion]] = {}
        with self._database.reading() as connection:
            for some in slices(sorted(set(sha256s))):
                query = select(mined_versions).where(mined_versions.c.sha256.in_(some))
                for row in connection.execute(query.order_by(mined_versions.c.id)):
                    found.setdefault(row.sha256, []).append(_version(row))
        return found


def keep_superseded(connection: Connection, coming: Mapping[str, Content]) -> int:
    """Before what is `coming` (by document, columns as in `CONTENT`) replaces what is there; how many really change."""
    sequence, until = head(connection)[0], newest_revision(connection)
    changed = 0
    for some in slices(sorted(coming)):
        there = {row.sha256: row._asdict() for row in connection.execute(_there().where(_among(some)))}
        dropped = _dropped(connection, some)
        rows = []
        for sha256 in _applied(connection, some):
            old: Content = there.get(sha256) or dropped.get(sha256) or NOTHING
            if all(old[name] == coming[sha256].get(name) for name in CONTENT):
                continue
            changed += 1
            if sha256 not in dropped:
                rows.append({"sha256": sha256, "sequence": sequence, "until": until, **_kept(old)})
        if rows:
            connection.execute(insert(mined_versions), rows)
        _settle(connection, some, coming, dropped, sequence, until)
    return changed


def keep_dropped(connection: Connection) -> None:
    """Before everything is dropped. An index keeps what it has until something new comes, so this stays in force."""
    source = _there().add_columns(literal("").label("hash")).subquery()
    names = ["sha256", "hash", "miner", *CONTENT]
    chosen = select(*(source.c[name] for name in names))
    connection.execute(insert(mined_versions).from_select(names, chosen))


def forget_versions(connection: Connection, sha256: str) -> None:
    connection.execute(delete(mined_versions).where(mined_versions.c.sha256 == sha256))


def _there() -> Select[Any]:
    return (
        select(
            mined_documents.c.sha256,
            mined_documents.c.text,
            mined_profiles.c.miner,
            mined_profiles.c.profile,
            mined_digests.c.version.label("digest_version"),
            mined_digests.c.digest,
        )
        .outerjoin(mined_profiles, mined_profiles.c.sha256 == mined_documents.c.sha256)
        .outerjoin(mined_digests, mined_digests.c.sha256 == mined_documents.c.sha256)
    )


def _among(sha256s: Sequence[str]) -> ColumnElement[bool]:
    return mined_documents.c.sha256.in_(sha256s)


def _dropped(connection: Connection, sha256s: Sequence[str]) -> dict[str, Any]:
    query = select(mined_versions).where(
        mined_versions.c.sha256.in_(sha256s), mined_versions.c.until.is_(None)
    )
    return {row.sha256: row._asdict() for row in connection.execute(query)}


def _applied(connection: Connection, sha256s: Sequence[str]) -> Iterator[str]:
    """Those that somebody has applied with: nobody was ever ranked by the others."""
    query = select(applications.c.document).where(applications.c.document.in_(sha256s)).distinct()
    yield from sorted(connection.scalars(query))


def _kept(content: Content) -> dict[str, Any]:
    return {"hash": _hash(content), "miner": content["miner"], **{name: content[name] for name in CONTENT}}


def _hash(content: Content) -> str:
    """Of text, facts and digest in the clear: how they are packed may change."""
    values = [unpack(content[name]) if content[name] is not None else None for name in ("text", "profile")]
    digest = content["digest"]
    return content_hash([*values, None if digest is None else digest.hex()])


def _settle(
    connection: Connection,
    sha256s: Sequence[str],
    coming: Mapping[str, Content],
    dropped: Mapping[str, Content],
    sequence: int,
    until: int,
) -> None:
    """What was dropped has come again as it was, and was never superseded, or is superseded now."""
    for sha256, old in dropped.items():
        row = mined_versions.c.id == old["id"]
        if all(old[name] == coming[sha256].get(name) for name in CONTENT):
            connection.execute(delete(mined_versions).where(row))
        else:
            values = {"sequence": sequence, "until": until, "hash": _hash(old)}
            connection.execute(update(mined_versions).where(row).values(values))


def _version(row: Row[Any]) -> MinedVersion:
    return MinedVersion(
        row.until,
        None if row.text is None else unpack(row.text),
        row.profile,
        row.digest,
        row.digest_version,
    )
