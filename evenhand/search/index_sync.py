"""Keeps the search index in step with the store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from evenhand import __version__
from evenhand.mining.pipeline import MinedResume
from evenhand.progress import Progress, ProgressBar, no_progress
from evenhand.records import Job, Profile
from evenhand.search.duplicates.index import DuplicateIndex, check_pairs
from evenhand.search.duplicates.sketch import Sketch, contact_spans, sketch, without_contact
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import VERSION
from evenhand.search.index.files import usable_state
from evenhand.search.index.reader import Snapshot
from evenhand.search.index.schema import EntryCard, IndexEntry
from evenhand.search.index.writer import IndexWriter, StatusChange
from evenhand.search.matching import copying_flags, facts_of, match_job, resume_flags, written
from evenhand.store.applications import Application
from evenhand.store.change_feed import IndexRow
from evenhand.store.decisions import Decision
from evenhand.store.mined import MiningResult as Kept
from evenhand.store.statuses import NEW
from evenhand.store.store import Store

# Finds the near duplicates among kept resumes: what is new against everything.


DUPLICATE_BATCH = 256  # resumes compared between two transactions
CACHE_SIZE = 1_000


def find_new_duplicates(store: Store, *, progress: Progress = no_progress) -> int:
    """Compares what has not been compared yet with everything; how many pairs were found.

    Every sketch is loaded and put into bands once (0.7 GB and seconds for a million), then each new one is looked
    up, so a night's batch costs as much as the batch is large. Cut off, the next run goes on where this one stopped.
    """
    fresh = dict(_sketches(store.duplicates.sketches(compared=False)))
    if not fresh:
        return 0
    index: DuplicateIndex[str] = DuplicateIndex()
    index.add_many(_sketches(store.duplicates.sketches()))
    found = 0
    with progress("Comparing", len(fresh)) as bar:
        waiting: dict[str, Sketch] = {}
        for sha256, sketch in fresh.items():
            waiting[sha256] = sketch
            if len(waiting) == DUPLICATE_BATCH:
                found += _compare(store, index, waiting)
                waiting = {}
            bar.advance()
        found += _compare(store, index, waiting)
    return found


def _compare(store: Store, index: DuplicateIndex[str], fresh: dict[str, Sketch]) -> int:
    candidates = {
        (min(sha256, other.key), max(sha256, other.key), other.estimate)
        for sha256, sketch in fresh.items()
        for other in index.find(sketch)
        if other.key != sha256
    }

    @lru_cache(CACHE_SIZE)
    def stripped(sha256: str) -> str:
        profile = store.documents.profile(sha256)
        text = store.documents.text(sha256)
        return without_contact(text, contact_spans(profile) if profile else ())

    near = list(check_pairs(sorted(candidates), stripped))
    store.duplicates.add([(pair.a, pair.b, pair.resemblance) for pair in near], compared=list(fresh))
    return len(near)


def _sketches(kept: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, Sketch]]:
    for sha256, data in kept:
        yield sha256, Sketch.from_bytes(data)


# What is worked out from one resume and kept: its document, profile, digest and sketch, each with its
# version.

FEATURES_VERSION = str(VERSION)


def to_mining_result(mined: MinedResume) -> Kept:
    """Everything the store keeps of a resume that was read and mined."""
    text, profile = mined.document.text, mined.profile
    return Kept(
        document=mined.document,
        profile=profile,
        miner=__version__,
        digest=extract_features(text, profile).to_bytes(),
        digest_version=FEATURES_VERSION,
        sketch=sketch(text, contact_spans(profile)).to_bytes(),
    )


def with_name(mined: MinedResume, name: str | None) -> MinedResume:
    """With the name under which the file came instead of the one under which it is kept."""
    source = replace(mined.profile.document, file=name)
    return MinedResume(replace(mined.document, file=name), replace(mined.profile, document=source))


STEP = 2_000  # applications between two commits of the index
PLACES = 3  # of a skill, kept for display


def catch_up(store: Store, folder: Path, *, progress: Progress = no_progress) -> int:
    """Bring the index to the store's newest revision; how many changed applications it took in.

    Whatever was cut off before is done again: an entry replaces the one of the same application. An index that is
    missing, damaged, of another version or ahead of the store (which was put back) is built anew.
    """
    if is_in_step(folder, store.changes.revision()):
        return 0
    with IndexWriter(folder) as writer:
        newest = (
            store.changes.revision()
        )  # asked while no one else writes the index, or it could be ahead of the answer
        if writer.reached > newest:
            writer.clear()
        return _sync(store, writer, newest, progress)


def rebuild(store: Store, folder: Path, *, progress: Progress = no_progress) -> int:
    """The index anew, whatever is there; how many applications it took in."""
    with IndexWriter(folder, anew=True) as writer:
        return _sync(store, writer, store.changes.revision(), progress)


def forget(store: Store, folder: Path, applications: Collection[str]) -> int:
    """The index in step, and not a byte of these applications left in it; how many entries were written anew."""
    with IndexWriter(folder) as writer:
        newest = store.changes.revision()
        if writer.reached > newest:
            writer.clear()
        _sync(store, writer, newest, no_progress)
        return writer.purge(applications)


def _sync(store: Store, writer: IndexWriter, newest: int, progress: Progress) -> int:
    total = store.changes.count_since(writer.reached)
    with progress("Indexing", total) as bar:
        # While there is much to do it is done in steps. Who changes again meanwhile is left for later, so that
        # what the index holds in between is of no one moment.
        while len(changed := store.changes.since(writer.reached, until=newest, limit=STEP)) == STEP:
            _take(store, writer, changed, changed[-1].revision, bar, settled=False)
        with store.at_one_moment() as now:
            newest = now.changes.revision()
            left = max(now.changes.count_since(writer.reached), 1)
            changed = now.changes.since(writer.reached, until=newest, limit=left)
            _take(now, writer, changed, newest, bar, settled=True)
    return total


def _take(
    store: Store, writer: IndexWriter, changed: Sequence[Application], reached: int, bar: ProgressBar, *, settled: bool
) -> None:
    removed = list(store.changes.removed_since(writer.reached, until=reached))
    decided, anew = _sorted_out(changed, writer, store)
    entries = EntryMaker(store).make(anew)
    writer.apply(entries, removed, reached, statuses=decided, settled=settled)
    for _ in changed:
        bar.advance()


def is_in_step(folder: Path, revision: int) -> bool:
    """Whether a usable index holds everything up to the revision, without opening it."""
    state = usable_state(folder)
    return state is not None and state.settled and state.revision == revision


def _sorted_out(
    changed: Sequence[Application], writer: IndexWriter, store: Store
) -> tuple[list[StatusChange], list[Application]]:
    """Those of which only the status changed, which is cheap, and those that are to be read anew.

    While mined data are missing, the index keeps what it has of an application, and its status stays true.
    """
    mined = store.documents.mined([application.document for application in changed])
    decided, anew = [], []
    for application in changed:
        facts = writer.facts(application.id) if application.content < application.revision else None
        is_same = facts is not None and facts["card"]["content"] == application.content
        if is_same or application.document not in mined:
            decided.append(StatusChange(application.id, application.status, application.revision))
        else:
            anew.append(application)
    return decided, anew


class EntryMaker:
    """What the index keeps of applications, from what the store knows of them; each job is looked up once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._jobs: dict[str, Job] = {}

    def make(self, applications: Sequence[Application]) -> Iterator[IndexEntry]:
        """Of those that have been mined; the others come when they are."""
        for row in self._store.changes.index_rows([application.id for application in applications]):
            profile = row.profile()
            if profile is not None:
                yield make_entry(row, features_of(row, profile), profile, self._job(row.application.job))

    def _job(self, id: str) -> Job:
        if id not in self._jobs:
            self._jobs[id] = self._store.jobs.get(id).requirements
        return self._jobs[id]


def features_of(row: IndexRow, profile: Profile) -> bytes:
    """One of another version is made anew: text and facts are there."""
    if row.digest is not None and row.digest_version == FEATURES_VERSION:
        return row.digest
    return extract_features(row.text or "", profile).to_bytes()


def make_entry(row: IndexRow, digest: bytes, profile: Profile, job: Job) -> IndexEntry:
    application = row.application
    facts = facts_of(profile, job, match_job(job, profile).matched)
    return IndexEntry(
        application=application.id,
        job=application.job,
        revision=application.revision,
        text=row.text or "",
        digest=digest,
        source=application.source,
        status=application.status,
        degree=profile.highest_degree,
        city=facts.city,
        total_months=profile.total_months,
        relevant_months=facts.relevant_months,
        skills=tuple((skill.name, skill.months) for skill in profile.skills),
        titles=tuple(dict.fromkeys(written(position.title for position in profile.positions))),
        employers=tuple(dict.fromkeys(written(position.employer for position in profile.positions))),
        universities=tuple(dict.fromkeys(written(study.university for study in profile.education))),
        card=_card(row, profile, facts.title, facts.employer),
        flags=tuple(flag.to_json() for flag in (*copying_flags(job, row.text or ""), *resume_flags(profile))),
    )


def _card(row: IndexRow, profile: Profile, title: str | None, employer: str | None) -> EntryCard:
    return EntryCard(
        document=row.application.document,
        content=row.application.content,
        name=profile.name.value if profile.name else row.form.get("name"),
        file=row.application.file,
        title=title,
        employer=employer,
        form=dict(row.form),
        places={skill.name: skill.evidence[:PLACES] for skill in profile.skills},
    )


# Whether store, files and index agree: every disagreement as a sentence.

SLICE = 250  # applications with their texts held in memory at once


def disagreements(store: Store, snapshot: Snapshot) -> Iterator[str]:
    """None if all is well. For an index that has just followed, while nobody writes."""
    yield from _about_files(store)
    yield from _about_applications(store, snapshot)


def _about_files(store: Store) -> Iterator[str]:
    found = store.check()
    for kind, names in (("is missing", found.missing), ("is damaged", found.damaged)):
        yield from (f"The file {name} {kind}." for name in names)
    yield from (f"The file {name} is none that was kept." for name in found.alien)


def _about_applications(store: Store, snapshot: Snapshot) -> Iterator[str]:
    newest = store.changes.revision()
    if snapshot.revision != newest:
        yield f"The index is at revision {snapshot.revision}, the store at {newest}."
    mined = 0
    for rows in _slices(store.changes.applications_since(0)):
        histories = store.decisions.histories([row.application.id for row in rows])
        for row in rows:
            yield from _about_decisions(row.application, histories.get(row.application.id, []))
            if row.profile() is None or row.digest is None:
                yield f"Nothing has been mined for the application {row.application.id}."
            else:
                mined += 1
                yield from _about_entry(snapshot, row)
    if snapshot.number != mined:
        yield f"The index holds {snapshot.number} entries for {mined} applications."


def _slices(rows: Iterator[IndexRow]) -> Iterator[list[IndexRow]]:
    while some := list(islice(rows, SLICE)):
        yield some


def _about_decisions(application: Application, history: Sequence[Decision]) -> Iterator[str]:
    """The status is what the decisions on record lead to, one after the other."""
    status = NEW
    for decision in history:
        if decision.from_status != status:
            yield f"The decision {decision.id} began at {decision.from_status}, not at {status}."
        status = decision.to_status
    if status != application.status:
        yield f"The application {application.id} is {application.status}, decided was {status}."


def _about_entry(snapshot: Snapshot, row: IndexRow) -> Iterator[str]:
    application = row.application
    address = snapshot.find(application.id)
    if address is None:
        yield f"The application {application.id} is not in the index."
        return
    entry = snapshot.entry(address)
    held = (entry.job, entry.status, entry.revision, entry.card.document, entry.text)
    kept = (application.job, application.status, application.revision, application.document, row.text)
    same_digest = row.digest_version != FEATURES_VERSION or entry.digest == row.digest
    if held != kept or not same_digest:
        yield f"The index holds another state of the application {application.id}."
