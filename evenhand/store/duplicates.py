"""Sketches of documents, and the pairs that were found to be nearly the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection, delete, insert, or_, select, update

from evenhand.store.keeper import SLICE, Keeper, slices
from evenhand.store.mined_tables import mined_duplicates, mined_sketches

Pair = tuple[str, str, float]
"""Two documents and the resemblance of their texts, 0 to 1."""


class Duplicates(Keeper):
    def sketches(self, *, compared: bool | None = None) -> Iterator[tuple[str, bytes]]:
        """(SHA-256, sketch) in order of the hash: all, or only those compared, or not yet compared, with others."""
        after = ""
        while True:
            query = (
                select(mined_sketches.c.sha256, mined_sketches.c.sketch)
                .where(mined_sketches.c.sha256 > after)
                .order_by(mined_sketches.c.sha256)
                .limit(SLICE)
            )
            if compared is not None:
                query = query.where(mined_sketches.c.compared == compared)
            with self._database.reading() as connection:
                rows = connection.execute(query).all()
            if not rows:
                return
            yield from ((row.sha256, row.sketch) for row in rows)
            after = rows[-1].sha256

    def add_duplicates(self, pairs: Iterable[Pair], *, compared: Iterable[str]) -> None:
        """Keeps the pairs and, in the same transaction, that these documents need not be compared again."""
        found = {(min(a, b), max(a, b)): resemblance for a, b, resemblance in pairs if a != b}
        rows = [{"first": a, "second": b, "resemblance": value} for (a, b), value in sorted(found.items())]
        with self._database.writing() as connection:
            for some in slices(rows):
                _forget_pairs(connection, [(row["first"], row["second"]) for row in some])
                connection.execute(insert(mined_duplicates), list(some))
            for hashes in slices(sorted(set(compared))):
                connection.execute(
                    update(mined_sketches).where(mined_sketches.c.sha256.in_(hashes)).values(compared=True)
                )

    def duplicates_of(self, sha256: str) -> list[tuple[str, float]]:
        """(SHA-256, resemblance) of nearly the same documents, the most similar first."""
        with self._database.reading() as connection:
            pairs = select_pairs(connection, [sha256])
        others = [(b if a == sha256 else a, resemblance) for a, b, resemblance in pairs]
        return sorted(others, key=lambda other: (-other[1], other[0]))


def select_pairs(connection: Connection, sha256s: Sequence[str]) -> list[Pair]:
    """Every pair of which one is among the documents."""
    pairs: set[Pair] = set()
    for some in slices(sha256s):
        query = select(mined_duplicates).where(
            or_(mined_duplicates.c.first.in_(some), mined_duplicates.c.second.in_(some))
        )
        pairs |= {(row.first, row.second, row.resemblance) for row in connection.execute(query)}
    return sorted(pairs)


def _forget_pairs(connection: Connection, pairs: Sequence[tuple[object, object]]) -> None:
    known = set(pairs)
    firsts = sorted({str(first) for first, _ in pairs})
    query = select(mined_duplicates.c.first, mined_duplicates.c.second)
    rows = connection.execute(query.where(mined_duplicates.c.first.in_(firsts))).all()
    for first, second in rows:
        if (first, second) in known:
            connection.execute(
                delete(mined_duplicates).where(
                    mined_duplicates.c.first == first, mined_duplicates.c.second == second
                )
            )
