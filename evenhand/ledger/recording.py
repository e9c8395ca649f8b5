"""Recording what people were shown: the recorder, and the events of views, exports, denials and rankings."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evenhand.errors import UsageError
from evenhand.ledger.checkpoints import Checkpoint, last_checkpoint, make_checkpoint
from evenhand.records import content_hash
from evenhand.records.event import ApplicationRef, EventDraft, LedgerEvent
from evenhand.search.index.schema import MAX_EXPANSIONS, analyzer_signature
from evenhand.search.index.schema import VERSION as INDEX_VERSION
from evenhand.search.mining_results import FEATURES_VERSION
from evenhand.search.query_language import All, AnyOf, Node, Not, PhraseCondition, parse
from evenhand.search.screener import Screener, SearchResults
from evenhand.search.statistics import RecordingStatistics
from evenhand.settings import Settings
from evenhand.store.ledger_append import SUBJECTS
from evenhand.store.store import Store
from evenhand.version import __version__

SOON_SECONDS = 1.0
SOON_KINDS = ("decision", "undo", "override", "correction", "erasure")
"""After these a checkpoint does not wait for the next minute."""
LATE_SECONDS = 60.0


@dataclass(slots=True)
class _Waiting:
    """Drafts of one caller, until they are on the disk or could not be written."""

    drafts: tuple[EventDraft, ...]
    events: list[LedgerEvent] | None = None
    error: Exception | None = None


class Recorder:
    """Appends events for all threads of a process and signs checkpoints. What `record` returned for is on the disk.

    Callers who come at the same time share one transaction, and so one wait for the disk.
    """

    def __init__(self, store: Store, settings: Settings, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._writing = threading.Lock()
        self._pending: list[_Waiting] = []
        self._adding = threading.Lock()
        self._signing = threading.Lock()
        self._signed = 0  # the newest event with a checkpoint
        self._signed_at = float("-inf")
        if newest := last_checkpoint(settings.checkpoint_path):
            self._signed = newest.sequence

    def record(self, drafts: Sequence[EventDraft]) -> list[LedgerEvent]:
        """Whoever comes to write writes for all who wait."""
        if not drafts:
            return []
        mine = _Waiting(tuple(drafts))
        with self._adding:
            self._pending.append(mine)
        with self._writing:
            if mine.events is None and mine.error is None:
                self._write_pending()
        if mine.error is not None:
            raise mine.error
        return mine.events or []

    def checkpoint(self) -> Checkpoint | None:
        """Signs if it is time: a second after a decision or an erasure, else a minute after anything. Call it often."""
        if not self._signing.acquire(blocking=False):
            return None
        try:
            since = self._clock() - self._signed_at
            if since < SOON_SECONDS or (sequence := self._store.ledger.head()[0]) <= self._signed:
                return None
            if since < LATE_SECONDS and not self._store.ledger.events(after=self._signed, kinds=SOON_KINDS, limit=1):
                return None
            self._signed_at = self._clock()  # also when it fails: a command that hangs is not run without a break
            made = make_checkpoint(self._store, self._settings)
            self._signed = made.sequence if made else sequence
            return made
        finally:
            self._signing.release()

    def _write_pending(self) -> None:
        with self._adding:
            waiting, self._pending = self._pending, []
        try:
            events = iter(self._store.ledger.append([draft for caller in waiting for draft in caller.drafts]))
        except UsageError:
            for caller in waiting:  # one of them is no event; the others are not to suffer for it
                try:
                    caller.events = self._store.ledger.append(caller.drafts)
                except Exception as error:  # raised again for whoever waits for it
                    caller.error = error
            return
        except BaseException as error:
            for caller in waiting:
                caller.error = error if isinstance(error, Exception) else RuntimeError("The writer was stopped.")
            raise
        for caller in waiting:
            caller.events = [next(events) for _ in caller.drafts]


def view_draft(actor: str, job: str, application: str, *, what: str, seen: int | None = None) -> EventDraft:
    """Somebody opened an application; `what` of it: candidate, file, history."""
    return EventDraft("view", actor, job, subjects=(application,), body={"what": what, "seen": seen})


def export_drafts(actor: str, job: str, applications: Sequence[str], *, what: str) -> Iterator[EventDraft]:
    """Applications that left in a file (`what`: csv, xlsx, archive), in events of bearable size."""
    for start in range(0, max(len(applications), 1), SUBJECTS):
        some = tuple(applications[start : start + SUBJECTS])
        body = {"what": what, "count": len(some), "of": len(applications), "seen": None}
        yield EventDraft("export", actor, job, subjects=some, body=body)


def receipt_draft(actor: str, job: str, application: str, *, what: str) -> EventDraft:
    """Something was made for the applicant: a letter, an archive of their data, a certificate."""
    return EventDraft("receipt", actor, job, subjects=(application,), body={"what": what})


def denial_draft(actor: str, *, what: str, status: int, path: str, job: str | None = None) -> EventDraft:
    """Somebody asked for what they may not see or do. The path may hold anything, so it is sealed."""
    return EventDraft("denial", actor, job, body={"what": what, "status": status}, sealed={"path": path})


SETTINGS = ("encoder", "lexicon", "mined_characters", "miner_models", "ocr", "ocr_pages", "pages")
"""Those that can change what a resume or a search is understood as."""


@dataclass(frozen=True)
class RecordedScreener:
    """A screener that notes what it is told, for the ranking it makes. One for each page that is shown.

    What the ledger keeps of the ranking is enough to make it again, and names nobody.
    """

    screener: Screener
    statistics: RecordingStatistics
    skills: dict[str, str] = field(default_factory=dict)  # as typed, and what it was resolved to
    hidden: dict[str, list[str]] = field(default_factory=dict)  # words, and in whose resumes they are masked

    @classmethod
    def of(cls, screener: Screener) -> RecordedScreener:
        statistics = RecordingStatistics(screener.snapshot.statistics)
        skills: dict[str, str] = {}
        resolve = screener.resolve_skill

        def note(name: str) -> str:
            skills[name] = resolve(name) if resolve else name
            return skills[name]

        hidden: dict[str, list[str]] = {}
        recorded = replace(screener, statistics=statistics, resolve_skill=note if resolve else None, hidden=hidden)
        return cls(recorded, statistics, skills, hidden)

    def draft(self, screen: SearchResults, settings: Settings, *, actor: str, first: int, size: int) -> EventDraft:
        """Of what this screener has just shown."""
        job = screen.criteria.job
        if job is None:
            raise UsageError("A ranking is recorded for one job.")
        names = sorted({part.name for hit in screen.listed for part in hit.result.score.parts})
        return EventDraft(
            "ranking",
            actor,
            job,
            body={
                "requirements": content_hash(screen.job.to_json()),
                "ranker": self.screener.ranker.name,
                "weights": screen.weights.to_json() if screen.weights else None,
                "versions": versions(),
                "settings": content_hash({name: getattr(settings, name) for name in SETTINGS}),
                "state": self.screener.snapshot.revision,
                "settled": self.screener.snapshot.settled,
                "total": screen.total,
                "ordered": screen.ordered,
                "first": first,
                "size": size,
                "listed": _listed(screen, names),
                **({"looked_up": [ApplicationRef(hit.application) for hit in screen.people]} if screen.people else {}),
            },
            sealed={
                "criteria": screen.criteria.to_json(),
                "names": names,
                "told": {
                    "statistics": self.statistics.to_json(),
                    "skills": dict(self.skills),
                    "expansions": dict(self._expansions(screen.criteria.text)),
                    **({"hidden": dict(self.hidden)} if self.hidden else {}),
                },
                **({"proposed": list(screen.proposed)} if screen.proposed else {}),
            },
        )

    def _expansions(self, text: str) -> Iterator[tuple[str, list[str]]]:
        """Of prefixes that stand for more terms than are searched for: which ones are depends on all resumes."""
        if "*" not in text:
            return
        query = parse(text, resolve_skill=self.screener.resolve_skill)
        for words in prefixes((*query.wishes, *query.conditions)):
            terms = self.screener.snapshot.conditions.expansions(words)
            if len(terms) >= MAX_EXPANSIONS:
                yield expansion_key(words), terms


def versions() -> dict[str, Any]:
    return {
        "evenhand": __version__,
        "miner": __version__,
        "digest": FEATURES_VERSION,
        "index": INDEX_VERSION,
        "analyzer": analyzer_signature(),
    }


def prefixes(nodes: tuple[Node, ...]) -> Iterator[PhraseCondition]:
    for node in nodes:
        match node:
            case PhraseCondition():
                if node.prefix:
                    yield node
            case Not():
                yield from prefixes((node.node,))
            case All() | AnyOf():
                yield from prefixes(node.nodes)


def expansion_key(words: PhraseCondition) -> str:
    return f"{words.where or ''}:{words.text.casefold()}"


def _listed(screen: SearchResults, names: list[str]) -> list[Any]:
    """Names of parts hold words that were typed; here each is its place in the sealed list of them."""
    place: Mapping[str, int] = {name: at for at, name in enumerate(names)}
    return [
        [ApplicationRef(hit.entry.application), [[place[part.name], part.value] for part in hit.result.score.parts]]
        for hit in screen.listed
    ]
