"""Keeps the search index in step with the store."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

from evenhand.errors import IndexBusy, StoreError
from evenhand.masking.masks import KINDS, without_masks
from evenhand.masking.stored import MASKS_VERSION, ResumeMasks, StoredMasker
from evenhand.mining.corrections import METHOD
from evenhand.progress import Progress, ProgressBar, no_progress
from evenhand.records import Fact, Job, Profile
from evenhand.search.evidence import complete_for_job, marked_places
from evenhand.search.feature_extraction import extract_features, with_skills_of
from evenhand.search.features import ResumeFeatures
from evenhand.search.index.files import damaged_segments, usable_state
from evenhand.search.index.reader import IndexReader, Snapshot
from evenhand.search.index.schema import VERSION, EntryCard, IndexEntry
from evenhand.search.index.writer import IndexWriter, StatusChange
from evenhand.search.matching import facts_of, form_rows, licence_flags, match_job, resume_flags, stated_facts, written
from evenhand.search.mining_results import FEATURES_VERSION
from evenhand.search.padding import features_for_job, is_padded, padding_flags
from evenhand.search.people import person_keys
from evenhand.store.applications import NEW, Application
from evenhand.store.base import slices
from evenhand.store.change_feed import IndexRow, StoredMasks
from evenhand.store.decisions import Decision
from evenhand.store.files import SHA256, FileStore
from evenhand.store.store import Fault, FileCheck, Store

STEP = 2_000  # applications between two commits of the index
PLACES = 3  # of a skill, kept for display
CANNOT_OPEN = (
    "The search index in {folder} cannot be opened where nothing can be written, since readers take a lock. Copy the "
    "whole data folder to a place that can be written."
)


def catch_up(store: Store, folder: Path, *, progress: Progress = no_progress) -> int:
    """Bring the index to the store's newest revision; how many changed applications it took in.

    Whatever was cut off before is done again: an entry replaces the one of the same application. An index that is
    missing, damaged, of another version or ahead of the store (which was put back) is built anew.
    """
    state = usable_state(folder)
    if state is not None and state.settled and state.revision == store.changes.revision():
        return 0
    with IndexWriter(folder) as writer:
        return _sync(store, writer, progress)


def rebuild(store: Store, folder: Path, *, progress: Progress = no_progress) -> int:
    """The index anew, whatever is there; how many applications it took in."""
    with IndexWriter(folder, anew=True) as writer:
        return _sync(store, writer, progress)


def forget(store: Store, folder: Path, applications: Collection[str]) -> int:
    """The index in step, and not a byte of these applications left in it; how many entries were written anew."""
    with IndexWriter(folder) as writer:
        _sync(store, writer, no_progress)
        return writer.purge(applications)


def _sync(store: Store, writer: IndexWriter, progress: Progress) -> int:
    newest = store.changes.revision()  # asked while no one else writes the index, or it could be ahead of the answer
    if writer.reached > newest:
        writer.clear()
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
    writer.apply(_entries(store, anew), removed, reached, statuses=decided, settled=settled)
    for _ in changed:
        bar.advance()


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


def _entries(store: Store, applications: Sequence[Application]) -> Iterator[IndexEntry]:
    """Of those that have been mined; the others come when they are."""
    requirements: Callable[[str], Job] = cache(lambda job: store.jobs.get(job).requirements)
    for some in slices(applications, SLICE):
        ids = [application.id for application in some]
        masks = store.masks.load(ids)
        for row in store.changes.index_rows(ids):
            profile = row.profile()
            if profile is not None:
                entry = make_entry(row, profile, requirements(row.application.job))
                yield with_masks(entry, profile, masks.get(entry.application))


_WITHOUT_PADDING = 3
"""From this version of the index on a text that pads is not counted."""


def features_of(row: IndexRow, mined: Profile, completed: Profile, padded: Job | None) -> bytes:
    """Those of another version are made anew: text and facts are there. `padded`: the job, if the text pads for it."""
    if padded is not None:
        return features_for_job(row.text or "", completed, padded).to_bytes()
    if row.digest is None or row.digest_version != FEATURES_VERSION:
        return extract_features(row.text or "", completed).to_bytes()
    if completed is mined:
        return row.digest
    return with_skills_of(ResumeFeatures.from_bytes(row.digest), completed).to_bytes()


def make_entry(row: IndexRow, mined: Profile, job: Job, *, version: int = VERSION) -> IndexEntry:
    """As this version of the index has it: the first one did not look up in the text what the job asks for, and did not
    count what forms state."""
    application, is_first = row.application, version == 1
    profile = mined if is_first else complete_for_job(mined, row.text or "", job)
    padded = job if version >= _WITHOUT_PADDING and is_padded(job, row.text or "") else None
    stated = None if is_first else stated_facts(row.form)
    matching = match_job(job, profile)
    facts = facts_of(profile, job, matching.matched, stated)
    about = (*licence_flags(job, matching), *padding_flags(job, row.text or ""), *resume_flags(profile))
    return IndexEntry(
        application=application.id,
        job=application.job,
        revision=application.revision,
        text=row.text or "",
        digest=features_of(row, mined, profile, padded),
        source=application.source,
        status=application.status,
        degree=facts.degree,
        city=facts.city,
        total_months=facts.total_months,
        stated=facts.stated,
        relevant_months=facts.relevant_months,
        skills=tuple((skill.name, skill.months) for skill in profile.skills),
        titles=tuple(dict.fromkeys(written(position.title for position in profile.positions))),
        employers=tuple(dict.fromkeys(written(position.employer for position in profile.positions))),
        universities=tuple(dict.fromkeys(written(study.university for study in profile.education))),
        contacts=(
            *(fact.value for fact in (*profile.emails, *profile.phones)),
            *(value for _, value in form_rows(row.form) if person_keys((), [value])),
        ),
        card=EntryCard(
            document=application.document,
            content=application.content,
            name=profile.name.value if profile.name else row.form.get("name"),
            file=application.file,
            title=facts.title,
            employer=facts.employer,
            form=dict(row.form),
            places={skill.name: marked_places(profile, skill.evidence)[:PLACES] for skill in profile.skills},
        ),
        flags=tuple(flag.to_json() for flag in about),
    )


def with_masks(entry: IndexEntry, profile: Profile, stored: StoredMasks | None) -> IndexEntry:
    """With what is masked for who screens blind, schools too; without masks of this content nothing is open."""
    if stored is None or stored.version != MASKS_VERSION or stored.content != entry.card.content:
        return entry
    masks = ResumeMasks.from_bytes(stored.masks)
    masker = StoredMasker(entry.text, masks, frozenset(KINDS))
    contacts = StoredMasker(entry.text, masks, frozenset({"contact"})).masks
    others = StoredMasker(entry.text, masks, frozenset(KINDS) - {"contact"}).masks

    def shown(facts: Iterable[Fact | None]) -> tuple[str, ...]:
        """Without tokens, which would be words themselves. What a person has put in need not stand in the text."""
        cut = [
            without_masks(spelled, masker.mask_text(spelled).masks)
            if fact.evidence.method == METHOD
            else without_masks(entry.text, masker.masks, fact.evidence.start, fact.evidence.end)
            for fact in facts
            if fact
            for spelled in written([fact])
        ]
        return tuple(dict.fromkeys(cut))

    return replace(
        entry,
        masked=tuple((mask.start, mask.end) for mask in masker.masks),
        open_titles=shown(position.title for position in profile.positions),
        open_employers=shown(position.employer for position in profile.positions),
        contact_masked=tuple((mask.start, mask.end) for mask in contacts),
        named=tuple(filter(None, (without_masks(entry.text, contacts, mask.start, mask.end) for mask in others))),
    )


# Whether store, files and index agree, and are undamaged: every fault with its code.

SLICE = 250  # applications with their texts held in memory at once
SAMPLED_FILES = 1_000  # read and hashed unless all are to be


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What is wrong now, and what a repair has done about it."""

    faults: tuple[Fault, ...]
    repairs: tuple[str, ...]
    files: FileCheck


def check(
    store: Store, folder: Path, *, full: bool = False, repair: bool = False, copies: Path | None = None
) -> CheckReport:
    """For a store that can be opened, while nobody writes.

    With `repair` the index is rebuilt where it has faults, and files are restored from those in the folder `copies`
    that have the right hash.
    """
    faults, files = _examine(store, folder, full=full or repair)
    if not (repair and faults):
        return CheckReport(tuple(faults), (), files)
    repairs = list(_restore_files(store.files, files, copies))
    codes = {fault.code for fault in faults}
    if any(code.startswith("index_") for code in codes) and "data_damaged" not in codes:
        rebuild(store, folder)
        repairs.append("The search index was rebuilt from the database.")
    faults, files = _examine(store, folder, full=True)
    return CheckReport(tuple(faults), tuple(repairs), files)


def _examine(store: Store, folder: Path, *, full: bool) -> tuple[list[Fault], FileCheck]:
    files = store.check(sample=None if full else SAMPLED_FILES)
    faults = list(files.faults())
    damaged = damaged_segments(folder)
    faults += (Fault("index_damaged", f"The file {name} of the search index is damaged.") for name in damaged)
    snapshot: Snapshot | None = None
    try:
        if store.is_read_only:
            faults.append(Fault("index_unchecked", CANNOT_OPEN.format(folder=folder)))
        elif not damaged:  # reading a damaged segment could end the process
            with contextlib.suppress(IndexBusy):
                catch_up(store, folder)
            snapshot = IndexReader(folder).snapshot()
    except StoreError as error:
        faults.append(Fault("index_damaged", str(error)))
    try:
        faults += _row_faults(store, snapshot)
    except (StoreError, ValueError, KeyError, TypeError) as error:
        sentence = str(error) if isinstance(error, StoreError) else f"A row of the database cannot be read: {error!r}."
        faults.append(Fault("data_damaged", sentence))
    return faults, files


def _restore_files(files: FileStore, checked: FileCheck, copies: Path | None) -> Iterator[str]:
    """Damaged files go to quarantine; a copy is recognised by its hash, whatever its name and folder."""
    for name in checked.damaged:
        files.quarantine(name)
        yield f"The damaged file {name} was moved to quarantine."
    wanted = {*checked.missing, *checked.damaged}
    for path in sorted(copies.rglob("*")) if copies else ():
        if not wanted:
            return
        # A file store names its files by their hash: those of others need not be read.
        if (SHA256.fullmatch(path.name) and path.name not in wanted) or path.is_symlink() or not path.is_file():
            continue
        with contextlib.suppress(OSError):
            data = path.read_bytes()
            name = hashlib.sha256(data).hexdigest()
            if name in wanted:
                wanted.remove(files.save(data))
                yield f"The file {name} was restored from a copy."


def disagreements(store: Store, snapshot: Snapshot) -> Iterator[str]:
    """As sentences; none if all is well. For an index that has just followed, while nobody writes."""
    yield from (fault.sentence for fault in store.check().faults())
    yield from (fault.sentence for fault in _row_faults(store, snapshot))


def _row_faults(store: Store, snapshot: Snapshot | None) -> Iterator[Fault]:
    """In what rows, their decisions and the index differ; without a snapshot only the rows are read."""
    newest = store.changes.revision()
    if snapshot and snapshot.revision != newest:
        yield Fault("index_outdated", f"The index is at revision {snapshot.revision}, the store at {newest}.")
    mined = 0
    requirements: Callable[[str], Job] = cache(lambda job: store.jobs.get(job).requirements)
    everything = store.changes.applications_since(0)
    while rows := list(islice(everything, SLICE)):
        histories = store.decisions.histories([row.application.id for row in rows])
        for row in rows:
            yield from _about_decisions(row.application, histories.get(row.application.id, []))
            if row.profile() is None or row.digest is None:
                yield Fault("not_mined", f"Nothing has been mined for the application {row.application.id}.")
            else:
                mined += 1
                if snapshot:
                    yield from _about_entry(snapshot, row, requirements(row.application.job))
    if snapshot and snapshot.number != mined:
        yield Fault("index_differs", f"The index holds {snapshot.number} entries for {mined} applications.")


def _about_decisions(application: Application, history: Sequence[Decision]) -> Iterator[Fault]:
    """The status is what the decisions on record lead to, one after the other."""
    status = NEW
    for decision in history:
        if decision.from_status != status:
            sentence = f"The decision {decision.id} began at {decision.from_status}, not at {status}."
            yield Fault("decision_differs", sentence)
        status = decision.to_status
    if status != application.status:
        sentence = f"The application {application.id} is {application.status}, decided was {status}."
        yield Fault("decision_differs", sentence)


def _about_entry(snapshot: Snapshot, row: IndexRow, job: Job) -> Iterator[Fault]:
    application = row.application
    address = snapshot.find(application.id)
    if address is None:
        yield Fault("index_differs", f"The application {application.id} is not in the index.")
        return
    try:
        entry = snapshot.entry(address)
    except Exception:  # bytes that are no features can fail in any way
        yield Fault("index_damaged", f"The entry of the application {application.id} in the index cannot be read.")
        return
    held = (entry.job, entry.status, entry.revision, entry.card.document, entry.text, entry.digest)
    kept = (application.job, application.status, application.revision, application.document, row.text)
    profile = row.profile()
    digest = None
    if profile:
        padded = job if is_padded(job, row.text or "") else None
        digest = features_of(row, profile, complete_for_job(profile, row.text or "", job), padded)
    if held != (*kept, digest):
        yield Fault("index_differs", f"The index holds another state of the application {application.id}.")
