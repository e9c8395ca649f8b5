"""The index follows the store: cheaply where only a status changed, anew where it cannot be trusted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, update

from evenhand.records import Demand
from evenhand.search import index_sync
from evenhand.search.index import writer as writer_module
from evenhand.search.index.reader import IndexReader, Snapshot
from evenhand.search.index.schema import IndexEntry
from evenhand.search.index.writer import IndexWriter, StatusChange
from evenhand.search.index_sync import catch_up, disagreements, rebuild
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.mined import mined_digests
from tests.screening.applicants import ASHA, BORIS, CLARA, FIVE, JAVA_JOB, take_in

pytestmark = pytest.mark.both_databases

THREE = (ASHA, BORIS, CLARA)


def entry(snapshot: Snapshot, application: str) -> IndexEntry:
    address = snapshot.find(application)
    assert address is not None
    return snapshot.entry(address)


def in_step(service: Service) -> bool:
    """And nothing wrong anywhere."""
    return list(disagreements(service.store, service.snapshot())) == []


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], list[str], list[str]]]:
    """What the index was told: entries written anew, removed ones, statuses."""
    told: list[tuple[list[str], list[str], list[str]]] = []
    real = IndexWriter.apply

    def apply(
        self: IndexWriter,
        entries: Iterable[IndexEntry],
        removed: Iterable[str],
        reached: int,
        *,
        statuses: Iterable[StatusChange] = (),
        settled: bool,
    ) -> tuple[str, ...]:
        anew, gone, decided = list(entries), list(removed), list(statuses)
        told.append(([each.application for each in anew], gone, [each.application for each in decided]))
        return real(self, anew, gone, reached, statuses=decided, settled=settled)

    monkeypatch.setattr(IndexWriter, "apply", apply)
    return told


def test_an_entry_holds_what_the_store_knows(service: Service) -> None:
    taken = take_in(service, *THREE)
    found = entry(service.snapshot(), taken.ids["Asha"])
    assert (found.job, found.source, found.status, found.revision) == (taken.job, "web", "new", 1)
    assert (found.degree, found.city, found.skills) == ("master", "Chennai", (("java", 40),))
    assert (found.total_months, found.relevant_months) == (40, 40)
    assert (found.titles, found.employers) == (("Software Developer",), ("Initech Ltd",))
    assert (found.universities, found.card.name) == (("Anna University",), "Asha Rao")
    assert found.text == ASHA.text.rstrip("\n")
    assert in_step(service)


def test_decisions_reach_the_index_as_statuses_only(
    service: Service, applied: list[tuple[list[str], list[str], list[str]]]
) -> None:
    taken = take_in(service, *THREE)
    asha, boris, clara = (taken.ids[name] for name in ("Asha", "Boris", "Clara"))
    applied.clear()
    service.store.decisions.decide([asha], "shortlist", actor="ann")
    assert service.follow() == 1
    assert applied == [([], [], [asha])]
    outcome = service.store.decisions.reject_rest(taken.job, [boris, asha, clara], [asha], actor="ann", reason="full")
    assert service.follow() == 2
    assert applied[1] == ([], [], [boris, clara])
    assert [entry(service.snapshot(), id).status for id in (asha, boris, clara)] == [
        "shortlisted",
        "rejected",
        "rejected",
    ]
    service.store.decisions.undo(outcome.batch, actor="ann")
    assert service.follow() == 2
    assert applied[2] == ([], [], [boris, clara])
    assert entry(service.snapshot(), boris).status == "new"
    assert in_step(service)
    assert service.follow() == 0
    assert len(applied) == 3  # nothing to do, nothing written


def test_a_decision_on_what_changed_otherwise_is_read_anew(
    service: Service, applied: list[tuple[list[str], list[str], list[str]]]
) -> None:
    taken = take_in(service, *THREE)
    applied.clear()
    service.store.jobs.change(taken.job, JAVA_JOB)
    service.store.decisions.decide([taken.ids["Asha"]], "reject", actor="ann")
    service.follow()
    assert applied == [([taken.ids["Boris"], taken.ids["Clara"], taken.ids["Asha"]], [], [])]
    assert in_step(service)


def test_a_removal_reaches_the_index(service: Service) -> None:
    taken = take_in(service, *THREE)
    service.store.erasures.remove_application(taken.ids["Boris"])
    assert service.follow() == 0  # no application changed, one is gone
    snapshot = service.snapshot()
    assert (snapshot.number, snapshot.find(taken.ids["Boris"])) == (2, None)
    assert in_step(service)


def test_requirements_that_changed_change_the_relevant_months(service: Service) -> None:
    taken = take_in(service, *THREE)
    ids = [taken.ids[name] for name in ("Asha", "Boris", "Clara")]
    assert [entry(service.snapshot(), id).relevant_months for id in ids] == [40, 30, 60]
    service.store.jobs.change(taken.job, replace(JAVA_JOB, demands=(Demand(("python",), True),)))
    assert service.follow() == 3
    assert [entry(service.snapshot(), id).relevant_months for id in ids] == [0, 0, 60]
    assert in_step(service)


def lose_state(folder: Path) -> None:
    (folder / "state.json").unlink()


def lose_all(folder: Path) -> None:
    shutil.rmtree(folder)


def cut_digests(folder: Path) -> None:
    data = (folder / "digests.bin").read_bytes()
    (folder / "digests.bin").write_bytes(data[:-1])


def lose_positions(folder: Path) -> None:
    for path in (folder / "tantivy").glob("*.pos"):
        path.unlink()


def cut_texts(folder: Path) -> None:
    for path in (folder / "tantivy").glob("*.store"):
        path.write_bytes(path.read_bytes()[:20])


def be_older(folder: Path) -> None:
    state = json.loads((folder / "state.json").read_text())
    (folder / "state.json").write_text(json.dumps({**state, "version": state["version"] - 1}))


def be_analysed_otherwise(folder: Path) -> None:
    state = json.loads((folder / "state.json").read_text())
    (folder / "state.json").write_text(json.dumps({**state, "analyzer": "another"}))


def be_ahead(folder: Path) -> None:
    with IndexWriter(folder) as writer:
        writer.apply((), (), writer.reached + 1000)


@pytest.mark.parametrize(
    "harm", [lose_state, lose_all, cut_digests, lose_positions, cut_texts, be_older, be_analysed_otherwise, be_ahead]
)
def test_an_index_that_cannot_be_trusted_is_built_anew(service: Service, harm: Callable[[Path], None]) -> None:
    taken = take_in(service, *THREE)
    service.store.decisions.decide([taken.ids["Clara"]], "screen", actor="ann")
    service.follow()
    harm(service.index)
    assert in_step(service)  # nothing has changed in the store: the search itself finds the damage
    harm(service.index)
    service.store.decisions.decide([taken.ids["Asha"]], "screen", actor="ann")
    assert in_step(service)


def test_another_process_may_go_ahead_while_this_one_waits_for_its_turn(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between looking at the store and opening the index, others change both: that is no store that was put back."""
    taken = take_in(service, *THREE)
    service.store.decisions.decide([taken.ids["Asha"]], "screen", actor="ann")
    claim = writer_module._claim
    cleared: list[int] = []
    monkeypatch.setattr(IndexWriter, "clear", lambda self: cleared.append(self.reached))

    def overtaken(file: object) -> None:
        monkeypatch.setattr(writer_module, "_claim", claim)
        service.store.decisions.decide([taken.ids["Boris"]], "screen", actor="ben")
        catch_up(service.store, service.index)
        claim(file)  # type: ignore[arg-type]

    monkeypatch.setattr(writer_module, "_claim", overtaken)
    catch_up(service.store, service.index)
    assert cleared == []
    assert in_step(service)


def test_while_another_process_writes_the_state_before_is_shown(service: Service) -> None:
    taken = take_in(service, *THREE)
    service.store.decisions.decide([taken.ids["Asha"]], "screen", actor="ann")
    with IndexWriter(service.index):
        assert service.follow() == 0
        assert entry(service.snapshot(), taken.ids["Asha"]).status == "new"
    assert entry(service.snapshot(), taken.ids["Asha"]).status == "screened"


def test_digests_of_another_version_are_made_anew(service: Service, settings: Settings) -> None:
    taken = take_in(service, *THREE)
    before = entry(service.snapshot(), taken.ids["Asha"]).digest
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        connection.execute(update(mined_digests).values(version="0", digest=b"EHDG old"))
    engine.dispose()
    assert rebuild(service.store, service.index) == 3
    assert entry(service.snapshot(), taken.ids["Asha"]).digest == before


def test_statuses_stay_true_while_mined_data_are_missing(service: Service) -> None:
    taken = take_in(service, *THREE)
    service.store.documents.drop_mined()
    service.store.decisions.decide([taken.ids["Asha"]], "reject", actor="ann")
    found = entry(service.snapshot(), taken.ids["Asha"])
    assert (found.status, found.skills) == ("rejected", (("java", 40),))
    assert service.snapshot().number == 3


def test_a_step_that_was_cut_off_is_done_again(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is in tantivy, and the process dies before it can write down how far it has come."""
    taken = take_in(service, *THREE)
    service.store.decisions.decide(list(taken.ids.values()), "screen", actor="ann")

    def dying(folder: Path, state: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(writer_module, "write_state", dying)
        with pytest.raises(KeyboardInterrupt):
            service.follow()
    cut_off = IndexReader(service.index).snapshot()
    assert (cut_off.revision, cut_off.ahead, cut_off.settled) == (3, True, False)  # and holds revision 6
    assert service.follow() == 3
    assert (service.snapshot().number, in_step(service)) == (3, True)
    assert (service.snapshot().ahead, service.snapshot().settled) == (False, True)


def test_many_steps(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evenhand.search.index_sync.STEP", 2)
    taken = take_in(service, *THREE)
    service.store.erasures.remove_application(taken.ids["Asha"])
    service.store.decisions.decide([taken.ids["Clara"], taken.ids["Boris"]], "reject", actor="ann")
    assert in_step(service)
    assert rebuild(service.store, service.index) == 2
    assert in_step(service)


def test_between_steps_the_index_is_of_no_one_moment(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = take_in(service, *FIVE)
    monkeypatch.setattr("evenhand.search.index_sync.STEP", 2)
    service.store.jobs.change(taken.job, replace(JAVA_JOB, title="Programmer"))
    seen: list[tuple[int, bool]] = []
    real = IndexWriter.apply

    def apply(self: IndexWriter, *arguments: Any, **options: Any) -> tuple[str, ...]:
        answer = real(self, *arguments, **options)
        snapshot = IndexReader(service.index).snapshot()
        seen.append((snapshot.revision, snapshot.settled))
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(IndexWriter, "apply", apply)
        service.follow()
    assert seen == [(7, False), (9, False), (10, True)]


def test_whoever_changes_again_while_the_index_follows_is_taken_as_one_moment_had_it(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asha is screened; when the index has asked who changed, she is shortlisted: both or neither are in it."""
    taken = take_in(service, *THREE)
    service.store.decisions.decide([taken.ids["Asha"]], "screen", actor="ann")
    real = index_sync._sorted_out

    def late(*arguments: Any) -> Any:
        if service.store.applications.get(taken.ids["Asha"]).status == "screened":
            service.store.decisions.decide([taken.ids["Asha"]], "shortlist", actor="ben")
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(index_sync, "_sorted_out", late)
        service.follow()
    snapshot = IndexReader(service.index).snapshot()
    assert (snapshot.revision, snapshot.settled, entry(snapshot, taken.ids["Asha"]).status) == (4, True, "screened")
    assert entry(service.snapshot(), taken.ids["Asha"]).status == "shortlisted"


def test_disagreements_are_named(service: Service) -> None:
    taken = take_in(service, *THREE)
    asha, boris = (service.store.applications.get(taken.ids[name]) for name in ("Asha", "Boris"))
    snapshot = service.snapshot()
    service.store.decisions.decide([asha.id], "screen", actor="ann")
    service.store.files.path(boris.document).write_bytes(b"other")
    assert list(disagreements(service.store, snapshot)) == [
        f"The file {boris.document} is damaged.",
        "The index is at revision 3, the store at 4.",
        f"The index holds another state of the application {asha.id}.",
    ]
    service.store.erasures.remove_application(boris.id)
    assert list(disagreements(service.store, snapshot)) == [
        "The index is at revision 3, the store at 5.",
        f"The index holds another state of the application {asha.id}.",
        "The index holds 3 entries for 2 applications.",
    ]


def test_an_empty_store_has_an_empty_index(service: Service) -> None:
    assert in_step(service)
    assert service.snapshot().number == 0
