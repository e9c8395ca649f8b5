"""Applications arrive once, however often they are sent, and everything about them comes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import create_engine, func, select

from evenhand.errors import NotFound, StoreError, UsageError
from evenhand.store.applications import Application, Arrival, ArrivalOutcome
from evenhand.store.mined import MINED
from evenhand.store.store import Store
from evenhand.store.tables import MASTER
from tests.store.resumes import JOB, apply, arrive, mine


def count_rows(url: str) -> dict[str, int]:
    engine = create_engine(url)
    with engine.connect() as connection:
        tables = [*MASTER.sorted_tables, *MINED.sorted_tables]
        counts = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables
        }
    engine.dispose()
    return counts


def test_fifty_resumes_twice_are_fifty_and_one_more_is_fifty_one(store: Store, database_url: str) -> None:
    job = store.jobs.add(JOB)
    batch = [arrive(store, job, f"Java programmer number {number}") for number in range(50)]
    first = store.applications.add(batch)
    assert [saved.new for saved in first] == [True] * 50
    counted = count_rows(database_url)
    again = store.applications.add(batch)
    assert again == [replace(saved, new=False) for saved in first]
    assert count_rows(database_url) == counted
    for table in ("applications", "candidates", "documents", "mined_documents", "mined_profiles", "mined_digests"):
        assert counted[table] == 50, table
    store.applications.add([*batch, arrive(store, job, "Java programmer, the next night")])
    assert store.applications.count() == store.applications.count(job) == 51
    assert count_rows(database_url)["mined_profiles"] == 51


def test_an_application_comes_back_as_it_was(store: Store) -> None:
    job = store.jobs.add(JOB)  # at 00:01
    arrival = arrive(store, job, "Java and more", source="agency")
    [saved] = store.applications.add([arrival])
    assert saved.new
    assert store.applications.get(saved.application) == Application(
        id=saved.application,
        job=job,
        candidate=saved.candidate,
        document=arrival.sha256,
        source="agency",
        status="new",
        file="Java.txt",
        received=datetime(2030, 1, 1, 0, 2, tzinfo=UTC),
        revision=1,
        content=1,
    )


def test_the_same_file_twice_in_one_batch(store: Store) -> None:
    job = store.jobs.add(JOB)
    arrival = arrive(store, job, "Java and more")
    first, second = store.applications.add([arrival, arrival])
    assert first.new
    assert second == ArrivalOutcome(first.application, first.candidate, new=False)


def test_the_same_file_for_two_jobs_is_one_candidate(store: Store) -> None:
    here, there = store.jobs.add(JOB), store.jobs.add(JOB)
    [first] = store.applications.add([arrive(store, here, "Java and more")])
    [second] = store.applications.add([arrive(store, there, "Java and more")])
    assert second.new
    assert second.application != first.application
    assert second.candidate == first.candidate


def test_form_data_tell_candidates_with_the_same_file_apart(store: Store) -> None:
    jobs = [store.jobs.add(JOB) for _ in range(4)]
    ada, eve = {"name": "Ada", "years": None}, {"name": "Eve"}
    forms: list[dict[str, Any]] = [ada, eve, dict(ada), {}]
    batch = [replace(arrive(store, job, "Java and more"), form=form) for job, form in zip(jobs, forms, strict=True)]
    by_ada, by_eve, by_ada_again, without = [store.applications.add([one])[0].candidate for one in batch]
    assert by_ada_again == by_ada != by_eve
    assert without == by_ada  # the first who sent it
    assert store.applications.form(by_ada) == ada
    assert store.applications.form(by_eve) == eve


def test_a_candidate_who_is_known_may_send_another_file(store: Store) -> None:
    job = store.jobs.add(JOB)
    [first] = store.applications.add([arrive(store, job, "Java and more")])
    [second] = store.applications.add([replace(arrive(store, job, "Python by now"), candidate=first.candidate)])
    assert second.new
    assert second.candidate == first.candidate


def test_a_file_that_could_not_be_read_is_an_application_too(store: Store) -> None:
    job = store.jobs.add(JOB)
    arrival = arrive(store, job, "Java and more")
    assert arrival.mined
    failed = replace(arrival.mined.document, status="error", text="", lines=())
    [saved] = store.applications.add([replace(arrival, mined=replace(mine(b"x y"), document=failed, profile=None))])
    assert saved.new
    assert store.documents.get(arrival.sha256) == failed
    assert store.documents.profile(arrival.sha256) is None


def test_text_that_a_database_cannot_hold(store: Store) -> None:
    job = store.jobs.add(JOB)
    form = {"name": "A\0da \udc80"}
    arrival = replace(arrive(store, job, "Java \0 and more"), file="r\udcffsum\0.txt", source="a\0b", form=form)
    [saved] = store.applications.add([arrival])
    kept = store.applications.get(saved.application)
    assert (kept.file, kept.source) == ("r\ufffdsum\ufffd.txt", "a\ufffdb")
    assert store.applications.form(saved.candidate) == form
    assert store.documents.get(arrival.sha256).text == "Java \0 and more"  # places in it stay true


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"job": "nowhere"}, NotFound, "no job 'nowhere'"),
        ({"candidate": "nobody"}, NotFound, "no candidate 'nobody'"),
        ({"sha256": "0" * 64, "mined": None}, StoreError, "files come before applications"),
        ({"sha256": "../../etc/passwd", "mined": None}, NotFound, "is not a SHA-256"),
        ({"mined": mine(b"another one")}, UsageError, "What was mined from"),
    ],
)
def test_one_wrong_arrival_and_none_is_taken(
    store: Store, change: dict[str, Any], error: type[Exception], message: str
) -> None:
    job = store.jobs.add(JOB)
    good = arrive(store, job, "Java and more")
    bad = replace(arrive(store, job, "Python by now"), **change)
    with pytest.raises(error, match=message):
        store.applications.add([good, bad])
    assert store.applications.count() == 0
    assert store.changes.revision() == 0


def test_a_closed_job_takes_no_more(store: Store) -> None:
    job = store.jobs.add(JOB)
    store.jobs.close(job)
    with pytest.raises(UsageError, match="is closed"):
        store.applications.add([arrive(store, job, "Java and more")])
    store.jobs.reopen(job)
    assert store.applications.add([arrive(store, job, "Java and more")])[0].new


def test_applications_of_a_job(store: Store) -> None:
    here, there = store.jobs.add(JOB), store.jobs.add(JOB)
    ids = apply(store, here, "Java one", "Java two", "Java three")
    apply(store, there, "Java four")
    assert {application.id for application in store.applications.of_job(here)} == set(ids)
    assert [application.id for application in store.applications.get_many(ids[::-1])] == ids[::-1]
    with pytest.raises(NotFound, match="no application 'x'"):
        store.applications.get_many([ids[0], "x"])


def test_removing_the_last_application_erases_the_person(store: Store, database_url: str) -> None:
    here, there = store.jobs.add(JOB), store.jobs.add(JOB)
    [first] = apply(store, here, "Java and more")
    [second] = apply(store, there, "Java and more")
    sha256 = store.applications.get(first).document
    store.labels.add(first, user="ann", label="relevant")
    store.erasures.remove_application(first)
    assert store.files.read(sha256) == b"Java and more"
    assert store.documents.mined([sha256]) == {sha256}
    store.erasures.remove_application(second)
    assert store.files.size_bytes(sha256) is None
    counted = count_rows(database_url)
    assert {name for name, count in counted.items() if count} == {"counters", "jobs", "ledger", "removed"}
    assert list(store.changes.removed_since(0)) == [first, second]
    assert store.check().sound


def test_an_empty_batch(store: Store) -> None:
    assert store.applications.add([]) == []


def test_an_arrival_without_anything_mined(store: Store) -> None:
    job = store.jobs.add(JOB)
    sha256 = store.files.save(b"Java and more")
    store.applications.add([Arrival(job=job, sha256=sha256)])
    assert list(store.documents.unmined()) == [sha256]
    store.applications.add([arrive(store, job, "Java and more")])  # the next run brings the rest
    assert list(store.documents.unmined()) == []
    assert [row.text for row in store.changes.applications_since(1)] == ["Java and more"]
