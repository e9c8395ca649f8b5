"""The screening service: the store, the files and the index that the settings name, and what is done on them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from threading import BoundedSemaphore

from evenhand.errors import IndexBusy, StoreError, UsageError
from evenhand.mining.pipeline import vocabulary_for
from evenhand.progress import Progress, no_progress
from evenhand.records import Flag, Score
from evenhand.records.conversion import JsonRecord
from evenhand.search.criteria import Criteria
from evenhand.search.facets import SkillSuggestion, count_skills, suggest
from evenhand.search.features import ResumeFeatures
from evenhand.search.index.reader import IndexReader, Snapshot
from evenhand.search.index_sync import CANNOT_OPEN, CheckReport, catch_up, check, disagreements, rebuild
from evenhand.search.masks import ApplicationMasks
from evenhand.search.matching import NO_HIRE, NOT_ACCREDITED, Watchlists
from evenhand.search.rankers.background import load_background
from evenhand.search.rankers.best import Best
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.rankers.weights import WeightsHistory
from evenhand.search.screener import OrderedCandidates, Screener, SearchHit, SearchRequest, SearchResults
from evenhand.settings import Settings
from evenhand.store.applications import OFFERED, SHORTLISTED
from evenhand.store.store import Store

RANKING_CONCURRENCY = 1  # lists ranked by one process
COUNTING = 4  # threads that count facets while others rank; tantivy counts without Python's lock


@dataclass(frozen=True, slots=True)
class Service:
    store: Store
    index: Path
    settings: Settings
    opened: OpenIndex
    masks: ApplicationMasks = field(init=False)
    executor: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(COUNTING, "evenhand-facets"))
    turns: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(RANKING_CONCURRENCY))
    """For who ranks a list: many at once would only take the processor from each other, and all be late."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "masks", ApplicationMasks(self.store, self.settings, self.index))

    def follow(self, *, progress: Progress = no_progress) -> int:
        """Bring the index to the state of the store; how many applications had changed.

        While another process does so there is nothing to do here: whoever searches next follows again.
        """
        if not self.masks.find_missing(progress=progress):
            return 0
        try:
            return catch_up(self.store, self.index, progress=progress)
        except IndexBusy:
            return 0

    def rebuild(self, *, progress: Progress = no_progress) -> None:
        """The index anew, whatever state it is in."""
        self.masks.find_missing(progress=progress)
        rebuild(self.store, self.index, progress=progress)

    def check(self, *, full: bool = False, repair: bool = False, copies: Path | None = None) -> CheckReport:
        """Every fault of database, files and index; with `repair` what could be mended is."""
        return check(self.store, self.index, full=full, repair=repair, copies=copies)

    def disagreements(self) -> Iterator[str]:
        """Everything in which database, files and index differ, as sentences."""
        yield from disagreements(self.store, self.snapshot())

    def snapshot(self) -> Snapshot:
        """The newest state of the index; one that turns out to be damaged is built anew. StoreError where nothing can
        be written."""
        if self.store.is_read_only:
            raise StoreError(CANNOT_OPEN.format(folder=self.index))
        self.follow()
        try:
            return self.opened.snapshot()
        except StoreError:
            self.opened.forget()
            rebuild(self.store, self.index)
            return self.opened.snapshot()

    @contextmanager
    def screener(self, job: str, *, ranker: str) -> Iterator[Screener]:
        """For one job on the newest state, with the watch lists of this moment."""
        if ranker == Semantic.name:
            raise UsageError("The ranker semantic compares whole resumes, of which no vectors are kept: rank a folder.")
        snapshot = self.snapshot()
        weights = self.weights.in_force() if ranker == Best.name else None
        yield Screener(
            snapshot,
            self.store.jobs.get(job).requirements,
            make_ranker(ranker, weights=weights.weights if weights else None),
            self.watch_lists(),
            self.executor,
            resolve_skill=lambda name: vocabulary_for(self.settings).canonical_skill(name),
            weights=weights,
        )

    def status_counts(self, job: str) -> dict[str, int]:
        """How many of a job's applications are where; counted once for each state of the store."""
        return self.snapshot().remember(("statuses", job), lambda: self.store.jobs.status_counts([job]).get(job, {}))

    def rejected_unopened(self, job: str | None = None) -> dict[str, tuple[int, int]]:
        """By job with any, how many are rejected and how many of them when nobody had opened their resume.

        Counted once for each state of the store: to open somebody later changes nothing.
        """
        counts = self.snapshot().remember(("unopened",), self.store.decisions.rejected_unopened)
        return {id: numbers for id, numbers in counts.items() if numbers[1] and job in (None, id)}

    def with_alerts(self, screen: SearchResults) -> SearchResults:
        """With a flag for everyone on the page who applied before, here or elsewhere, under this name or another."""
        alerts = self.store.duplicates.alerts([listed.entry.application for listed in screen.listed])
        listed = tuple(
            hit.flagged([Flag(alert.code, alert.message) for alert in alerts[hit.entry.application]])
            for hit in screen.listed
        )
        return replace(screen, listed=listed)

    def spared(self, listed: Sequence[str], *, keep: int) -> list[str]:
        """Those of a list whom a rejection of the rest leaves alone: its first ones, and who has got further."""
        further = [
            application.id
            for application in self.store.applications.get_many(listed)
            if application.status in (SHORTLISTED, OFFERED)
        ]
        return list(dict.fromkeys([*listed[:keep], *further]))

    def suggest_skills(self, job: str, *, by_difference: bool, limit: int) -> list[SkillSuggestion]:
        """Skills the job does not name, by how many of its applicants have them, or by how they set them apart."""
        snapshot = self.snapshot()
        counts, applicants = count_skills(snapshot, job)
        own_counts, own_applicants = count_skills(snapshot)
        at_large = load_background()
        all_counts = {name: number + at_large.skills.get(name, 0) for name, number in own_counts.items()}
        all_applicants = own_applicants + at_large.size.resumes
        return suggest(
            self.store.jobs.get(job).requirements,
            counts,
            applicants=applicants,
            all_counts=all_counts,
            all_applicants=all_applicants,
            mode="kl" if by_difference else "count",
            limit=limit,
        )

    @property
    def weights(self) -> WeightsHistory:
        """Of the ranker best: those in force here, and all that ever were."""
        return WeightsHistory(self.settings.data_path / "weights")

    def watch_lists(self) -> Watchlists:
        entries = self.store.watchlist.entries()
        return _prepared(
            tuple(entry.name for entry in entries if entry.list == NO_HIRE),
            tuple(entry.name for entry in entries if entry.list == NOT_ACCREDITED),
        )

    def close(self) -> None:
        self.executor.shutdown(cancel_futures=True)


class OpenIndex:
    """The index kept open between searches, so that what one search has counted the next one need not."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._reader: IndexReader | None = None

    def snapshot(self) -> Snapshot:
        """Raises StoreError where there is no index that can be used."""
        if self._reader is None:
            self._reader = IndexReader(self.folder)
        return self._reader.snapshot()

    def forget(self) -> None:
        self._reader = None


@lru_cache(maxsize=4)
def _prepared(no_hire: tuple[str, ...], not_accredited: tuple[str, ...]) -> Watchlists:
    """Prepared once while the lists stay the same: names that were looked up are remembered with them."""
    return Watchlists(no_hire, not_accredited)


@contextmanager
def open_data_folder(settings: Settings) -> Iterator[Service]:
    """Makes or upgrades what is not there yet. Erasures that were interrupted stay so: `open_service` finishes them."""
    with Store.open(settings.database_url, files=settings.data_path / "files") as store:
        index = settings.data_path / "index"
        service = Service(store, index, settings, OpenIndex(index))
        try:
            yield service
        finally:
            service.close()


# Everyone who applied for a job in the order of the default ranker, however many they are, and where one stands.


@dataclass(frozen=True, slots=True)
class ListRank(JsonRecord):
    """Where somebody stands in the list of a job: None where the application is not in the index."""

    rank: int | None
    total: int
    score: float | None


@dataclass(frozen=True)
class FullRanking:
    """One order of one state of the index."""

    screener: Screener
    asked: SearchRequest
    ordered: OrderedCandidates

    @classmethod
    def take(cls, service: Service, job: str) -> FullRanking:
        criteria = Criteria(job=job)
        with service.screener(job, ranker=criteria.ranker) as screener:
            asked = screener.ask(criteria)
            total = screener.snapshot.count(asked.filter.query())
            return cls(screener, asked, screener.order(asked, depth=max(screener.depth, total)))

    @property
    def total(self) -> int:
        return len(self.ordered.rows)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {self.ordered.keys[row]: at for at, row in enumerate(self.ordered.rows)}

    @cached_property
    def _falling(self) -> list[float]:
        """The scores as keys to look up in: the best first, and so negative."""
        totals = self.ordered.table.totals()
        return [-totals[row] for row in self.ordered.rows]

    def rank(self, application: str) -> ListRank:
        at = self._places.get(application)
        if at is None:
            return ListRank(None, self.total, None)
        return ListRank(at + 1, self.total, self.ordered.table.score(self.ordered.rows[at]).value)

    def listed(self, application: str) -> SearchHit | None:
        at = self._places.get(application)
        if at is None:
            return None
        [found] = self.screener.page(self.asked, self.ordered, first=at, size=1)
        return found

    def score(self, resume: ResumeFeatures) -> Score:
        """What another resume would score in this list."""
        return self.screener.ranker.rank(self.asked.query, [resume], self.screener.snapshot.statistics)[0]

    def rank_with(self, application: str, score: float) -> int:
        """Where the application would stand with this score; the score it has does not stand in its own way."""
        at = self._places.get(application)
        above = bisect_left(self._falling, -score)
        return above + (0 if at is not None and self._falling[at] < -score else 1)


def rank_of(service: Service, job: str, application: str) -> ListRank:
    return FullRanking.take(service, job).rank(application)
