"""Mined data can be dropped and come back from the kept files alone, the same to the last facet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, select, update

from evenhand.documents.reading import PathLike
from evenhand.mining.pipeline import MinedResume
from evenhand.records import Failure, Unread, Warning
from evenhand.screening import ingest
from evenhand.screening.ingest import LOST, ReprocessResult, mine_outdated
from evenhand.screening.service import ingest_files, reprocess
from evenhand.search.criteria import Criteria
from evenhand.search.index_sync import disagreements
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.mined import MINED, mined_profiles
from evenhand.store.tables import MASTER
from evenhand_lab.corpora.generate import CorpusRequest, make
from tests.screening.applicants import AS_OF, ASHA, BORIS, CLARA, FIVE, JAVA_JOB, take_in
from tests.screening.service_fixtures import mine_here

REVISIONS = ("revision", "content")


def mined(settings: Settings) -> dict[str, list[Any]]:
    """Without the number of the state that masks were found for."""
    return rows(settings, MINED.sorted_tables, without=("content",))


def rows(settings: Settings, tables: Any, *, without: tuple[str, ...] = ()) -> dict[str, list[Any]]:
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        found = {
            table.name: sorted(
                (
                    tuple(value for name, value in row._mapping.items() if name not in without)
                    for row in connection.execute(select(table))
                ),
                key=repr,
            )
            for table in tables
        }
    engine.dispose()
    return found


def master(settings: Settings) -> dict[str, list[Any]]:
    """Everything but the numbers by which an index follows, and the record that something was done."""
    moving = {"counters", "ledger", "seals", "openings", "mentions", "job_versions", "mined_versions"}
    tables = [table for table in MASTER.sorted_tables if table.name not in moving]
    return rows(settings, tables, without=REVISIONS)


def facets(service: Service, job: str) -> list[tuple[str, list[tuple[str, int]]]]:
    with service.screener(job, ranker="bm25") as screener:
        found = screener.screen(Criteria(job=job)).facets
    return [(facet.name, [(each.value, each.count) for each in facet.values]) for facet in found.facets]


def test_dropped_and_mined_again_master_data_and_facets_are_as_before(
    service: Service, settings: Settings, tmp_path: Path
) -> None:
    order = CorpusRequest(seed=6, kind="it", formats=("txt",))
    job = service.store.jobs.add(JAVA_JOB)
    paths = []
    for number in range(12):
        paths.append(tmp_path / f"{number}.txt")
        paths[-1].write_bytes(make(order, number).files[0].data)
    ingest_files(service, paths, job, total=12, source="fair")  # "present" is this month
    ids = [each.id for each in service.store.applications.of_job(job)]
    service.store.decisions.decide(ids[:3], "reject", actor="ann", reason="too far")
    for path in paths:  # only the copies are left
        path.unlink()
    before = (master(settings), mined(settings), facets(service, job))

    service.store.documents.drop_mined()
    assert all(not found for found in rows(settings, MINED.sorted_tables).values())
    assert master(settings) == before[0]
    assert reprocess(service) == ReprocessResult(mined=12)
    assert (master(settings), mined(settings), facets(service, job)) == before
    assert list(disagreements(service.store, service.snapshot())) == []
    assert reprocess(service) == ReprocessResult()


def test_only_what_another_version_mined_is_mined_again(service: Service, settings: Settings) -> None:
    taken = take_in(service, ASHA, BORIS, CLARA)
    old = service.store.applications.get(taken.ids["Boris"])
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        connection.execute(update(mined_profiles).where(mined_profiles.c.sha256 == old.document).values(miner="0.0.1"))
    engine.dispose()
    before = service.store.changes.revision()
    assert reprocess(service, as_of=AS_OF) == ReprocessResult(mined=1)
    assert [each.application.id for each in service.store.changes.applications_since(before)] == [old.id]
    assert reprocess(service) == ReprocessResult()


def test_cut_off_it_goes_on_with_the_rest(
    service: Service, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(service, *FIVE)
    service.store.documents.drop_mined()
    monkeypatch.setattr(ingest, "REPROCESS_BATCH", 2)

    def dying(sources: Iterable[PathLike], **options: Any) -> Iterator[MinedResume]:
        for number, mined in enumerate(mine_here(sources, **options)):
            if number == 3:
                raise KeyboardInterrupt
            yield mined

    with monkeypatch.context() as patch:
        patch.setattr(ingest, "mine_with_documents", dying)
        with pytest.raises(KeyboardInterrupt):
            mine_outdated(service.store, settings=settings, as_of=AS_OF)
    assert len(list(service.store.documents.unmined())) == 3
    assert reprocess(service, as_of=AS_OF) == ReprocessResult(mined=3)
    assert list(disagreements(service.store, service.snapshot())) == []


def test_a_kept_file_that_was_harmed_is_told(service: Service) -> None:
    taken = take_in(service, ASHA, BORIS)
    boris = service.store.applications.get(taken.ids["Boris"])
    service.store.documents.drop_mined()
    service.store.files.path(boris.document).write_bytes(ASHA.text.encode())
    summary = reprocess(service, as_of=AS_OF)
    assert (summary.mined, summary.errors) == (1, [Unread(boris.file or "", LOST)])
    assert list(service.store.documents.unmined()) == [boris.document]


def test_who_cannot_be_mined_again_stays_on_the_list(
    service: Service, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the facts of before if there are any, without facts but flagged if not."""
    taken = take_in(service, ASHA)
    [application] = service.store.applications.of_job(taken.job)
    message = "Mining took too long and was stopped; there are no facts."

    def failing(sources: Iterable[PathLike], **options: Any) -> Iterator[MinedResume]:
        for mined in mine_here(sources, **options):
            profile = type(mined.profile)(mined.profile.document, AS_OF, warnings=(Warning("mining_failed", message),))
            yield MinedResume(mined.document, profile)

    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        connection.execute(update(mined_profiles).values(miner="0.0.1"))
    engine.dispose()
    expected = ReprocessResult(errors=[Unread(application.file or "", Failure("mining_failed", message))])
    with monkeypatch.context() as patch:
        patch.setattr(ingest, "mine_with_documents", failing)
        assert reprocess(service) == expected
        assert listed(service, taken.job) == [(application.id, (("java", 40),), ())]
        service.store.documents.drop_mined()
        assert reprocess(service) == expected
        # The text is there, and names what the job asks for.
        assert listed(service, taken.job) == [(application.id, (("java", None),), ("mining_failed",))]
    assert reprocess(service, as_of=AS_OF) == ReprocessResult(mined=1)
    assert listed(service, taken.job) == [(application.id, (("java", 40),), ())]


def listed(service: Service, job: str) -> list[tuple[str, tuple[tuple[str, int | None], ...], tuple[str, ...]]]:
    with service.screener(job, ranker="bm25") as screener:
        found = screener.screen(Criteria(job=job)).listed
    return [
        (each.entry.application, each.entry.skills, tuple(flag.code for flag in each.result.flags)) for each in found
    ]
