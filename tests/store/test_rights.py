"""Corrections, erasures, backups, holds and rules in the store, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select, text

from evenhand.errors import NotFound, UsageError
from evenhand.records import Failure, Profile
from evenhand.store.applications import Refusal
from evenhand.store.corrections import CorrectionDraft, StoredReading
from evenhand.store.database import OVERWRITTEN, REWRITTEN, VACUUMED
from evenhand.store.erasures import StoredErasure
from evenhand.store.mined import CorrectedReading, mined_digests, mined_profiles
from evenhand.store.store import Store
from tests.store.resumes import JOB, apply, arrive

ONE = "Java is what I know. Zebrafinch."
TWO = "Python is what I know."


@pytest.fixture
def job(store: Store) -> str:
    return store.jobs.add(JOB)


def renamed(reading: StoredReading, name: str) -> CorrectedReading:
    profile = reading.profile()
    assert profile.name is not None
    return CorrectedReading(replace(profile, name=replace(profile.name, value=name)), b"new digest", "2")


def fix(store: Store, application: str, name: str, *, actor: str = "ann") -> str:
    reading = store.corrections.reading(application)
    new = CorrectionDraft("name", {"value": name}, "Ada", name, "misread")
    return store.corrections.add([(reading, new, renamed(reading, name))], actor=actor)


def name_of(profile: Profile | None) -> str:
    assert profile is not None
    assert profile.name is not None
    return profile.name.value


def test_a_correction_replaces_facts_and_digest_and_keeps_what_was(store: Store, job: str) -> None:
    [id] = apply(store, job, ONE)
    document = store.applications.get(id).document
    before = store.applications.get(id)
    correction = fix(store, id, "Eva")
    assert name_of(store.applications.profile(id)) == "Eva"
    assert name_of(store.documents.profile(document)) == name_of(store.corrections.reading(id).profile()) == "Ada"
    [row] = list(store.changes.index_rows([id]))
    assert (row.digest, row.digest_version) == (b"new digest", "2")
    after = store.applications.get(id)
    assert after.content == after.revision > before.revision  # an index reads it anew
    [old] = store.documents.mined_versions([document])[document]
    assert (old.until, old.digest) == (before.revision, b"digest")
    assert old.application == id
    assert [each.id for each in store.corrections.active([document])[id]] == [correction]
    assert store.duplicates.sketches(compared=False)  # the file resembles what it resembled


def test_taking_the_last_one_back_forgets_the_reading(store: Store, job: str) -> None:
    [id] = apply(store, job, ONE)
    document = store.applications.get(id).document
    correction = fix(store, id, "Eva")
    reading = store.corrections.reading(id)
    store.corrections.undo(correction, of=reading, result=None, actor="bea", reason="no")
    assert name_of(store.applications.profile(id)) == "Ada"
    assert store.corrections.active([document]) == {}
    [kept] = store.corrections.of_application(id)
    assert (kept.undone_by, kept.actor, kept.reason) == ("bea", "ann", "misread")
    reading = store.corrections.reading(id)
    with pytest.raises(UsageError, match="already undone"):
        store.corrections.undo(correction, of=reading, result=renamed(reading, "x"), actor="bea")
    with pytest.raises(NotFound, match="no such correction"):
        store.corrections.undo("nothing", of=reading, result=None, actor="bea")
    with pytest.raises(NotFound, match="Nothing has been read"):
        store.corrections.reading("nobody")


def test_what_was_worked_out_from_an_older_state_is_refused(store: Store, job: str) -> None:
    [id] = apply(store, job, ONE)
    stale = store.corrections.reading(id)
    fix(store, id, "Eva")
    new = CorrectionDraft("name", {}, "Ada", "Ida", "")
    with pytest.raises(UsageError, match="in the meantime"):
        store.corrections.add([(stale, new, renamed(stale, "Ida"))], actor="bea")
    assert name_of(store.applications.profile(id)) == "Eva"


def test_erasing_one_of_two_with_the_same_file(store: Store, job: str) -> None:
    other = store.jobs.add(JOB)
    [first], [second] = apply(store, job, ONE), apply(store, other, ONE)
    document = store.applications.get(first).document
    correction = fix(store, first, "Eva")
    store.corrections.record_ranks(correction, first, {"before": {"rank": 1}})
    [held] = store.erasures.scope([first])
    assert (held.keeps_document, held.counts["sealed values"]) == (True, 7)
    done = store.erasures.begin([first], actor="ann", certificate={"ground": "request"})
    assert done.certificate["rows"] == {
        "applications": 1,
        "corrected facts": 1,
        "corrections": 1,
        "earlier facts": 1,
        "sealed values": 7,
        "seals": 1,
    }
    assert name_of(store.applications.profile(second)) == "Ada"
    assert store.corrections.of_application(first) == store.corrections.of_application(second) == []
    assert store.documents.mined_versions([document]) == {}
    assert store.files.size_bytes(document)
    assert store.documents.info([document])[0].file == store.applications.get(second).file
    assert [event.kind for event in store.ledger.of_application(second)] == ["ingest"]
    store.erasures.begin([second], actor="ann", certificate={})
    store.erasures.erase_files()
    assert store.files.size_bytes(document) is None


def test_all_or_none_and_nobody_twice(store: Store, job: str) -> None:
    one, two = apply(store, job, ONE, TWO)
    with pytest.raises(NotFound):
        store.erasures.begin([one, "nobody"], actor="ann", certificate={})
    assert store.erasures.present([one, two]) == {one, two}
    assert store.erasures.all() == []
    store.erasures.begin([one], actor="ann", certificate={})
    with pytest.raises(NotFound):
        store.erasures.begin([one], actor="ann", certificate={})


def test_an_erasure_from_beginning_to_end(store: Store, job: str) -> None:
    [one] = apply(store, job, ONE)
    begun = store.erasures.begin([one], actor="ann", certificate={"reason": "asked"})
    assert [each.id for each in store.erasures.all(unfinished=True)] == [begun.id]
    end = datetime(2031, 1, 1, tzinfo=UTC)
    done = store.erasures.finish(begun.id, {"signature": "x"}, hash="abc", finished=end)
    assert (
        store.erasures.get(begun.id)
        == done
        == StoredErasure(begun.id, begun.begun, end, "ann", (one,), {"signature": "x"})
    )
    assert store.erasures.all(unfinished=True) == []
    assert store.erasures.ids() == {begun.id}
    assert [event.body.get("hash") for event in store.ledger.events(kinds=["erasure"])] == [None, "abc"]
    with pytest.raises(NotFound, match="no such erasure"):
        store.erasures.get("nothing")


def test_an_erasure_that_a_database_has_forgotten_is_put_back_once(store: Store) -> None:
    lost = StoredErasure("e1", datetime(2030, 5, 1, tzinfo=UTC), None, "system", ("a1",), {"reason": "asked"})
    store.erasures.restore(lost)
    store.erasures.restore(replace(lost, actor="somebody else"))
    assert store.erasures.all() == [lost]


def test_refusals_of_the_same_file_for_other_jobs(store: Store, job: str) -> None:
    other = store.jobs.add(JOB)
    [one] = apply(store, job, ONE)
    document = store.applications.get(one).document
    refusals = [Refusal(each, "same.txt", document, Failure("parse_timeout", "Too slow.")) for each in (job, other)]
    store.applications.add([], refusals=refusals)
    [_] = apply(store, other, ONE)  # the file is kept for the other, and refused there no longer
    store.erasures.begin([one], actor="ann", certificate={})
    assert store.applications.refusals(job) == []


def test_names_in_forms_and_files(store: Store, job: str) -> None:
    arrival = replace(arrive(store, job, ONE), form={"full name": "Zoë Übel"}, file="inbox/Zoë 100%.pdf")
    [saved] = store.applications.add([arrival])
    assert store.applications.find_by_text("zoë ÜBEL", limit=5) == [saved.application]
    assert store.applications.find_by_text("100%", limit=5) == [saved.application]
    assert store.applications.find_by_text("1000", limit=5) == []
    assert store.applications.find_by_text("_", limit=5) == []


def test_what_lies_behind_a_seal(store: Store, job: str) -> None:
    [one] = apply(store, job, ONE)
    store.notes.add(one, "Called", actor="ann")
    opened = store.ledger.openings_of(one)
    assert [list(values) for values in opened.values()] == [["0"], ["text"]]
    assert [values["text"]["value"] for values in opened.values() if "text" in values] == ["Called"]
    assert store.ledger.salt_of(one)
    store.erasures.begin([one], actor="ann", certificate={})
    assert store.ledger.openings_of(one) == {}
    assert store.ledger.salt_of(one) is None


def test_backups(store: Store) -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    first = store.backups.add("  tape   1 ", actor="ann", made=now, expires=now + timedelta(days=9))
    second = store.backups.add("tape 2", actor="ann", made=now + timedelta(days=1))
    assert [(each.place, each.expires) for each in store.backups.all()] == [
        ("tape 2", None),
        ("tape 1", now + timedelta(days=9)),
    ]
    newest = store.backups.all()[0]
    assert newest.holds(now, now=now + timedelta(days=2))
    assert not newest.holds(now + timedelta(days=2), now=now + timedelta(days=3))
    store.backups.end(second)
    assert [each.id for each in store.backups.all()] == [first]
    assert [each.id for each in store.backups.all(gone=True)] == [second, first]
    with pytest.raises(NotFound):
        store.backups.end(second)
    with pytest.raises(UsageError, match="needs a place"):
        store.backups.add(" ", actor="ann")
    with pytest.raises(UsageError, match="cannot expire before"):
        store.backups.add("x", actor="ann", made=now, expires=now)


def test_scrubbing(store: Store, job: str, database_url: str) -> None:
    apply(store, job, ONE)
    store.documents.drop_mined()
    assert store.erasures.scrub() == REWRITTEN
    is_sqlite = database_url.startswith("sqlite")
    assert store.erasures.scrub(limit_bytes=0) == (OVERWRITTEN if is_sqlite else VACUUMED)
    if is_sqlite:
        path = Path(database_url.removeprefix("sqlite:///"))
        assert path.with_name(path.name + "-wal").stat().st_size == 0
    assert store.applications.count() == 1


def test_deleted_rows_are_overwritten_without_rewriting(
    store: Store, job: str, database_url: str, tmp_path: Path
) -> None:
    """What an older state of a row held is gone even where the file is too large to be written anew."""
    if not database_url.startswith("sqlite"):
        return
    ids = apply(store, job, *(f"Java number {number}. Zebrafinch{number}." for number in range(40)))
    for id in ids:
        store.notes.add(id, f"Quokkanote for {id} " * 30, actor="ann")
    for id in ids:
        [note] = store.notes.of_application(id)
        store.notes.remove(note.id, application=id, actor="ann")
        store.erasures.begin([id], actor="ann", certificate={})
    store.erasures.scrub(limit_bytes=0)
    raw = Path(database_url.removeprefix("sqlite:///")).read_bytes()
    assert b"Quokkanote" not in raw
    assert b"Zebrafinch" not in raw


def test_the_tables_are_empty_of_the_person_on_both_databases(store: Store, job: str, database_url: str) -> None:
    [one] = apply(store, job, ONE)
    fix(store, one, "Eva")
    store.erasures.begin([one], actor="ann", certificate={})
    engine = create_engine(database_url)
    with engine.connect() as connection:
        for table in (mined_profiles, mined_digests):
            assert connection.execute(select(table)).all() == []
        for name in (
            "corrections",
            "corrected_profiles",
            "mined_versions",
            "candidates",
            "documents",
            "seals",
            "openings",
        ):
            kept = connection.execute(text(f"SELECT * FROM {name}")).all()
            assert [row for row in kept if one in str(row) or "Eva" in str(row)] == []
    engine.dispose()
