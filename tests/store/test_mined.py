"""What was mined is apart from the master data: it comes back as it was, can be dropped, and filled again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import create_engine, select

from evenhand.store.change_feed import IndexRow
from evenhand.store.mined import MINED, MiningResult, mined_versions
from evenhand.store.store import Store
from evenhand.store.tables import MASTER, counters
from tests.store.resumes import JOB, apply, arrive, mine


def rows_of(url: str, tables: Any) -> dict[str, list[Any]]:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = {table.name: sorted(map(tuple, connection.execute(select(table))), key=repr) for table in tables}
    engine.dispose()
    return found


def facets(rows: list[IndexRow]) -> list[tuple[str, object]]:
    return [(row.application.id, row.profile()) for row in rows]


def test_dropped_and_mined_again_everything_is_as_before(store: Store, database_url: str) -> None:
    job = store.jobs.add(JOB)
    texts = ["Java one", "Python two", "Rust three"]
    ids = apply(store, job, *texts)
    store.decisions.decide([ids[1]], "reject", actor="ann")
    before = facets(list(store.changes.applications_since(0)))
    moving = {"counters", "applications", "ledger", "seals", "openings", "mentions", "job_versions", "mined_versions"}
    master = [table for table in MASTER.sorted_tables if table.name not in moving]
    kept, mined = rows_of(database_url, master), rows_of(database_url, MINED.sorted_tables)
    statuses = [application.status for application in store.applications.get_many(ids)]

    store.documents.drop_mined()
    assert all(not rows for rows in rows_of(database_url, MINED.sorted_tables).values())
    assert rows_of(database_url, master) == kept
    assert [application.status for application in store.applications.get_many(ids)] == statuses
    hashes = list(store.documents.unmined())
    assert len(hashes) == 3

    store.documents.save_mined([mine(store.files.read(sha256)) for sha256 in hashes])
    assert rows_of(database_url, MINED.sorted_tables) == mined
    assert rows_of(database_url, [mined_versions]) == {"mined_versions": []}  # nothing was superseded
    assert rows_of(database_url, master) == kept
    assert sorted(facets(list(store.changes.applications_since(0)))) == sorted(before)


def test_an_index_that_follows_takes_everything_anew_after_a_drop(store: Store) -> None:
    job = store.jobs.add(JOB)
    ids = apply(store, job, "Java one", "Python two")
    reached = store.changes.revision()
    assert list(store.changes.applications_since(reached)) == []
    store.documents.drop_mined()
    emptied = list(store.changes.applications_since(reached))
    assert [(row.application.id, row.application.revision) for row in emptied] == [(ids[0], 3), (ids[1], 4)]
    assert [(row.text, row.profile(), row.digest) for row in emptied] == [(None, None, None)] * 2
    store.documents.save_mined([mine(b"Python two")])
    [again] = store.changes.applications_since(4)
    assert (again.application.id, again.application.revision, again.text) == (ids[1], 5, "Python two")


def test_document_and_profile_come_back_whole(store: Store) -> None:
    job = store.jobs.add(JOB)
    arrival = arrive(store, job, "Java and more")
    store.applications.add([arrival])
    assert arrival.mined
    assert store.documents.get(arrival.sha256) == arrival.mined.document
    assert store.documents.profile(arrival.sha256) == arrival.mined.profile
    [row] = store.changes.applications_since(0)
    assert row.profile() == arrival.mined.profile
    assert (row.digest, row.digest_version, row.document_status) == (b"digest", "1", "parsed")
    assert row.warnings == (("hidden_text", "A word is hidden."),)


def test_arrivals_do_not_replace_what_was_mined(store: Store) -> None:
    job = store.jobs.add(JOB)
    arrival = arrive(store, job, "Java and more")
    store.applications.add([arrival])
    assert arrival.mined
    store.applications.add([replace(arrival, mined=replace(arrival.mined, digest=b"other"))])
    [row] = store.changes.applications_since(0)
    assert (row.digest, row.application.revision) == (b"digest", 1)


def test_documents_mined_by_another_version_are_named(store: Store) -> None:
    job = store.jobs.add(JOB)
    apply(store, job, "Java one", "Python two")
    java, python = mine(b"Java one"), mine(b"Python two")
    failed: MiningResult = replace(
        python, document=replace(python.document, status="error"), profile=None, digest=None, sketch=None
    )
    both = sorted([java.document.sha256, python.document.sha256])
    assert list(store.documents.unmined(miner="1", digest_version="1")) == []
    assert list(store.documents.unmined(miner="2")) == both
    assert list(store.documents.unmined(digest_version="2")) == both
    store.documents.save_mined([replace(java, miner="2")])
    assert list(store.documents.unmined(miner="2")) == [python.document.sha256]
    store.documents.save_mined([failed])  # cannot be read: no version of the miner will do better
    assert list(store.documents.unmined(miner="2", digest_version="1")) == []


def test_near_duplicates_are_kept_and_looked_for_once(store: Store) -> None:
    job = store.jobs.add(JOB)
    apply(store, job, "Java one", "Java two", "Java three")
    one, two, three = (mine(text).document.sha256 for text in (b"Java one", b"Java two", b"Java three"))
    assert {sha256 for sha256, sketch in store.duplicates.sketches(compared=False)} == {one, two, three}
    assert list(store.duplicates.sketches(compared=True)) == []
    store.duplicates.add([(two, one, 0.75), (one, three, 0.875)], compared=[one, two])
    assert list(store.duplicates.sketches(compared=False)) == [(three, b"sketch")]
    assert {sha256 for sha256, sketch in store.duplicates.sketches(compared=True)} == {one, two}
    assert len(list(store.duplicates.sketches())) == 3
    store.duplicates.add([(one, two, 0.5)], compared=[three])  # again, measured anew
    assert store.duplicates.of_document(one) == [(three, 0.875), (two, 0.5)]
    assert store.duplicates.of_document(two) == [(one, 0.5)]
    store.documents.save_mined([mine(b"Java one")])
    assert store.duplicates.of_document(two) == []
    assert list(store.duplicates.sketches(compared=False)) == [(one, b"sketch")]


def test_only_the_counter_moves_with_a_drop(store: Store, database_url: str) -> None:
    store.jobs.add(JOB)
    before = rows_of(database_url, [counters])
    store.documents.drop_mined()
    assert rows_of(database_url, [counters]) == before == {"counters": [("revision", 0)]}
