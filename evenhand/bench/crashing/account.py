"""What a process was heard to acknowledge, held against what the store knows after it was killed."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import create_engine, text

from evenhand.bench.crashing.work import EVERYONE, Message
from evenhand.settings import Settings
from evenhand.store import Application, Store

UNREFERENCED = {
    "candidates": "SELECT count(*) FROM candidates WHERE id NOT IN (SELECT candidate FROM applications)",
    "documents": "SELECT count(*) FROM documents WHERE sha256 NOT IN (SELECT document FROM applications)",
    "mined documents": "SELECT count(*) FROM mined_documents WHERE sha256 NOT IN (SELECT sha256 FROM documents)",
}


class Account:
    """Nothing acknowledged may be missing; what was only begun is there as a whole or not at all."""

    def __init__(self) -> None:
        self.acknowledged = 0  # applications and decisions, in all
        self._statuses: dict[str, str | None] = {}  # None: acknowledged, and not looked up yet
        self._adding = 0
        self._deciding: dict[str, str] = {}
        self._removing: str | None = None

    def hear(self, message: Message) -> None:
        kind, value = message
        match kind:
            case "adding":
                self._adding = value
            case "added":
                self._adding = 0
                self.acknowledged += len(value)
                for id in value:
                    self._statuses.setdefault(id, None)
            case "deciding":
                self._deciding = value
            case "decided":
                self.acknowledged += len(self._deciding)
                self._statuses |= self._deciding
                self._deciding = {}
            case "removing":
                self._removing = value
            case "removed":
                self.acknowledged += 1
                del self._statuses[value]
                self._removing = None

    def settle(self, store: Store) -> Iterator[str]:
        """What is wrong, as sentences. From here on what the store says is what is known."""
        kept = {each.id: each for each in store.changes_since(0, until=store.revision(), limit=EVERYONE)}
        yield from self._lost(kept)
        yield from self._unexpected(kept)
        yield from self._half_decided(kept)
        self._statuses = {id: each.status for id, each in kept.items()}
        self._adding, self._deciding, self._removing = 0, {}, None

    def _lost(self, kept: dict[str, Application]) -> Iterator[str]:
        for id, status in self._statuses.items():
            if id not in kept:
                if id != self._removing:
                    yield f"The application {id} was acknowledged and is gone."
            elif status is not None and id not in self._deciding and kept[id].status != status:
                yield f"The application {id} is {kept[id].status}, acknowledged was {status}."

    def _unexpected(self, kept: dict[str, Application]) -> Iterator[str]:
        unheard = [id for id in kept if id not in self._statuses]
        if len(unheard) not in (0, self._adding):
            yield f"Of {self._adding} applications added together {len(unheard)} are there."
        pairs = {(each.job, each.document) for each in kept.values()}
        if len(pairs) != len(kept):
            yield f"{len(kept) - len(pairs)} applications are there twice."

    def _half_decided(self, kept: dict[str, Application]) -> Iterator[str]:
        made = [kept[id].status == status for id, status in self._deciding.items()]
        before = [kept[id].status == self._statuses[id] for id in self._deciding]
        if not all(made) and not all(before):
            yield f"Of {len(made)} decisions made together {sum(made)} are there."


def unreferenced(settings: Settings) -> Iterator[str]:
    """Rows that nothing refers to."""
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        for name, query in UNREFERENCED.items():
            if count := connection.execute(text(query)).scalar_one():
                yield f"{count} {name} belong to no application."
    engine.dispose()
