"""Keeps the search index in step with the store."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from evenhand.records import Evidence, Job, Profile
from evenhand.search.digest import make_digest
from evenhand.search.index import Entry, IndexWriter, StatusChange
from evenhand.search.index.folder import usable_state
from evenhand.store import Application, Indexed, Store
from evenhand.workflows.candidate_facts import facts_of
from evenhand.workflows.flags import copying_flags, resume_flags
from evenhand.workflows.matching import match_job
from evenhand.workflows.mined_data import DIGEST_VERSION
from evenhand.workflows.watching import Bar, Watch, unwatched
from evenhand.workflows.watchlists import written

STEP = 2_000  # applications between two commits of the index
PLACES = 3  # of a skill, kept for display


def catch_up(store: Store, folder: Path, *, watch: Watch = unwatched) -> int:
    """Bring the index to the store's newest revision; how many changed applications it took in.

    Whatever was cut off before is done again: an entry replaces the one of the same application. An index that is
    missing, damaged, of another version or ahead of the store (which was put back) is built anew.
    """
    if is_in_step(folder, store.revision()):
        return 0
    with IndexWriter(folder) as writer:
        newest = (
            store.revision()
        )  # asked while no one else writes the index, or it could be ahead of the answer
        if writer.reached > newest:
            writer.clear()
        return _follow(store, writer, newest, watch)


def rebuild(store: Store, folder: Path, *, watch: Watch = unwatched) -> int:
    """The index anew, whatever is there; how many applications it took in."""
    with IndexWriter(folder, anew=True) as writer:
        return _follow(store, writer, store.revision(), watch)


def forget(store: Store, folder: Path, applications: Collection[str]) -> int:
    """The index in step, and not a byte of these applications left in it; how many entries were written anew."""
    with IndexWriter(folder) as writer:
        newest = store.revision()
        if writer.reached > newest:
            writer.clear()
        _follow(store, writer, newest, unwatched)
        return writer.purge(applications)


def _follow(store: Store, writer: IndexWriter, newest: int, watch: Watch) -> int:
    total = store.count_changes(writer.reached)
    with watch("Indexing", total) as bar:
        # While there is much to do it is done in steps. Who changes again meanwhile is left for later, so that
        # what the index holds in between is of no one moment.
        while len(changed := store.changes_since(writer.reached, until=newest, limit=STEP)) == STEP:
            _take(store, writer, changed, changed[-1].revision, bar, settled=False)
        with store.at_one_moment() as now:
            newest = now.revision()
            left = max(now.count_changes(writer.reached), 1)
            changed = now.changes_since(writer.reached, until=newest, limit=left)
            _take(now, writer, changed, newest, bar, settled=True)
    return total


def _take(
    store: Store,
    writer: IndexWriter,
    changed: Sequence[Application],
    reached: int,
    bar: Bar,
    *,
    settled: bool,
) -> None:
    removed = list(store.removed_since(writer.reached, until=reached))
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
    mined = store.mined([application.document for application in changed])
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

    def make(self, applications: Sequence[Application]) -> Iterator[Entry]:
        """Of those that have been mined; the others come when they are."""
        for row in self._store.indexed([application.id for application in applications]):
            profile = row.profile()
            if profile is not None:
                yield make_entry(row, digest_of(row, profile), profile, self._job(row.application.job))

    def _job(self, id: str) -> Job:
        if id not in self._jobs:
            self._jobs[id] = self._store.job(id).requirements
        return self._jobs[id]


def digest_of(row: Indexed, profile: Profile) -> bytes:
    """One of another version is made anew: text and facts are there."""
    if row.digest is not None and row.digest_version == DIGEST_VERSION:
        return row.digest
    return make_digest(row.text or "", profile).to_bytes()


def make_entry(row: Indexed, digest: bytes, profile: Profile, job: Job) -> Entry:
    application = row.application
    facts = facts_of(profile, job, match_job(job, profile).matched)
    return Entry(
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


def _card(row: Indexed, profile: Profile, title: str | None, employer: str | None) -> dict[str, Any]:
    """What a list shows of a candidate, with the places of each skill, so that no profile need be opened for it."""
    return {
        "name": profile.name.value if profile.name else row.form.get("name"),
        "file": row.application.file,
        "document": row.application.document,
        "content": row.application.content,
        "form": dict(row.form),
        "title": title,
        "employer": employer,
        "places": {skill.name: [_place(at) for at in skill.evidence[:PLACES]] for skill in profile.skills},
    }


def _place(evidence: Evidence) -> list[Any]:
    return [evidence.start, evidence.end, evidence.page, evidence.method, evidence.confidence]
