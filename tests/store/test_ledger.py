"""Every change is an event of a chain, in the same transaction; people are in it by seals, which erasure empties."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, delete, select, text, update

from evenhand.errors import NotFound, StoreError, UsageError
from evenhand.ledger.verify import verify
from evenhand.records import Failure, Job, canonical_json, content_hash
from evenhand.records.event import FIRST, ApplicationRef, EventDraft, LedgerEvent, OwnedValue
from evenhand.store import applications, decisions
from evenhand.store.applications import Refusal
from evenhand.store.ledger_append import ledger, mentions, openings, seals
from evenhand.store.mined import mined_versions
from evenhand.store.store import Store
from evenhand.store.tables import unpack
from evenhand.version import __version__
from tests.store.released import released_tables
from tests.store.resumes import JOB, apply, arrive, mine


def shown(event: LedgerEvent) -> dict[str, Any]:
    """The body without commitments and revision."""
    return {name: value for name, value in event.body.items() if name not in ("sealed", "revision")}


def rows(url: str, table: Any) -> list[Any]:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = list(connection.execute(select(table)))
    engine.dispose()
    return found


def test_the_hash_is_that_of_the_canonical_form_and_ties_to_the_event_before(store: Store) -> None:
    store.jobs.add(JOB, actor="ann")
    store.ledger.append([EventDraft("export", "ann", body={"count": 3}), EventDraft("denial", "bob")])
    previous = FIRST
    for number, event in enumerate(store.ledger.events(), start=1):
        value = event.to_json()
        found = value.pop("hash")
        assert found == hashlib.sha256(canonical_json(value).encode()).hexdigest()
        assert (event.sequence, event.previous) == (number, previous)
        previous = event.hash
    assert store.ledger.head() == (3, previous)
    assert store.ledger.get(1).time == "2030-01-01T00:01:00+00:00"


def test_people_are_sealed_and_texts_committed_to(store: Store, database_url: str) -> None:
    job = store.jobs.add(JOB)
    [id] = apply(store, job, "Java and more")
    store.decisions.decide([id], "reject", actor="Ann Lee", reason="Said she is ill.", seen=7)
    decided = store.ledger.events(kinds=["decision"])[0]
    (salt, seal), *_ = [(row.salt, row.seal) for row in rows(database_url, seals) if row.key == id]
    assert seal == hashlib.sha256((salt + id).encode()).hexdigest()
    assert shown(decided) == {
        "action": "reject",
        "batch": store.decisions.of_application(id)[0].batch,
        "bulk": False,
        "unopened": 1,
        "seen": 7,
        "moves": [[seal, "new", "rejected"]],
    }
    assert decided.actor == store.ledger.seal_of("actor", "Ann Lee") != "Ann Lee"
    [reason] = [row for row in rows(database_url, openings) if row.name == "reason"]
    assert unpack(reason.value) == '"Said she is ill."'
    committed = hashlib.sha256((reason.salt + '"Said she is ill."').encode()).hexdigest()
    assert decided.body["sealed"] == {"reason": committed}
    assert store.ledger.opening(decided.sequence) == {"reason": "Said she is ill."}
    everything = "".join(row.body + row.actor for row in rows(database_url, ledger))
    for secret in (id, "Ann", "ill", "Java.txt", store.applications.get(id).document):
        assert secret not in everything


def test_what_comes_in_is_an_event_with_source_and_versions(store: Store) -> None:
    job = store.jobs.add(JOB)
    batch = [arrive(store, job, text, source="agency") for text in ("Java one", "Java two")]
    refusal = Refusal(job, "bad.pdf", None, Failure("corrupt_document", "Damaged."))
    saved = store.applications.add(batch, refusals=[refusal, replace(refusal, file="b")], actor="ann")
    _, came, refused = store.ledger.events()
    sealed = [store.ledger.seal_of("application", each.application) for each in saved]
    assert (came.kind, came.job, came.body["revision"]) == ("ingest", job, 2)
    assert shown(came) == {
        "applications": sealed,
        "versions": {"evenhand": __version__, "miner": ["1"], "digest": ["1"]},
    }
    mined, _ = store.ledger.mined_hashes([each.application for each in saved])
    for number, arrival in enumerate(batch):
        value = store.ledger.opening(came.sequence)[str(number)]
        assert (value["sha256"], value["file"], value["source"]) == (arrival.sha256, "Java.txt", "agency")
        assert value["mined"] == mined[saved[number].application]
    assert (refused.kind, shown(refused)) == ("refusal", {"count": 2, "codes": {"corrupt_document": 2}})
    store.applications.add(batch)  # nothing new, nothing to record
    assert store.ledger.count() == 3


def test_decisions_and_their_undoing(store: Store) -> None:
    here, there = store.jobs.add(JOB), store.jobs.add(JOB)
    a, b = apply(store, here, "Java a", "Java b")
    [c] = apply(store, there, "Java c")
    made = store.decisions.decide([a, c, b], "shortlist", actor="ann")
    assert made.changed == (a, c, b)
    first, second = store.ledger.events(kinds=["decision"])
    name = store.ledger.seals_of("application", [a, b, c])
    assert (first.job, first.body["moves"]) == (
        here,
        [[name[a], "new", "shortlisted"], [name[b], "new", "shortlisted"]],
    )
    assert (second.job, second.body["moves"]) == (there, [[name[c], "new", "shortlisted"]])
    # The moves of an event have revisions in a row, of which the event has the last.
    revisions = {each.id: each.revision for each in store.applications.get_many([a, b, c])}
    assert (first.body["revision"], second.body["revision"]) == (5, 6)
    assert revisions == {a: 4, b: 5, c: 6}
    assert {one.application: one.sequence for one in store.decisions.batch(made.batch)} == {
        a: first.sequence,
        b: first.sequence,
        c: second.sequence,
    }
    undone = store.decisions.undo(made.batch, actor="bob")
    [back, _] = store.ledger.events(kinds=["undo"])
    assert back.body["undoes"] == made.batch
    assert back.body["batch"] == undone.batch
    assert back.body["moves"][0] == [name[a], "shortlisted", "new"]
    store.decisions.decide([a], "screen", actor="ann")
    before = store.ledger.count()
    store.decisions.decide([a], "screen", actor="ann")  # is there already
    assert store.ledger.count() == before


def test_many_at_once_are_events_of_bearable_size(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (decisions, applications):
        monkeypatch.setattr(module, "SUBJECTS", 10)
    job = store.jobs.add(JOB)
    ids = apply(store, job, *(f"Java {number}" for number in range(23)))
    store.decisions.reject_rest(job, ids, ids[:1], actor="ann", reason="Filled.")
    assert [len(event.body["applications"]) for event in store.ledger.events(kinds=["ingest"])] == [10, 10, 3]
    made = store.ledger.events(kinds=["decision"])
    sizes = [(len(event.body["moves"]), event.body["bulk"]) for event in made]
    assert sizes == [(10, True), (10, True), (2, True)]
    assert [event.body["revision"] for event in made] == [33, 43, 45]
    names = store.ledger.seals_of("application", ids[1:])
    assert [move[0] for event in made for move in event.body["moves"]] == [names[id] for id in ids[1:]]
    assert store.applications.get(ids[1]).revision == 24


def test_jobs_and_their_superseded_requirements(store: Store) -> None:
    id = store.jobs.add(JOB, actor="ann")
    apply(store, id, "Java one", "Java two")
    changed = Job(text=JOB.text, title="Java architect")
    store.jobs.change(id, changed, actor="bob")
    store.jobs.change(id, changed, actor="bob")
    store.jobs.close(id, actor="ann")
    store.jobs.reopen(id)
    events = store.ledger.events(kinds=["job"], job=id)
    old, new = content_hash(JOB.to_json()), content_hash(changed.to_json())
    assert [(event.body["action"], event.body.get("requirements")) for event in events] == [
        ("add", old),
        ("change", new),
        ("change", new),
        ("close", None),
        ("reopen", None),
    ]
    assert [event.body["revision"] for event in events[:3]] == [0, 4, 6]
    [version] = store.jobs.versions(id)
    assert (version.sequence, version.until, version.hash) == (events[1].sequence, 2, old)
    assert version.requirements == JOB
    with pytest.raises(NotFound):
        store.jobs.change("x", changed)


def test_watch_lists_are_recorded_without_names(store: Store) -> None:
    store.watchlist.add("no_hire", " Acme ", note="2029", actor="ann")
    store.watchlist.remove("no_hire", "Acme")
    added, removed = store.ledger.events()
    assert (shown(added), shown(removed)) == (
        {"action": "add", "list": "no_hire"},
        {"action": "remove", "list": "no_hire"},
    )
    assert store.ledger.opening(1) == {"name": "Acme", "note": "2029"}
    assert store.ledger.opening(2) == {"name": "Acme"}


def test_erasure_leaves_the_chain_and_nothing_that_leads_to_the_person(store: Store, database_url: str) -> None:
    job = store.jobs.add(JOB)
    gone, stays = apply(store, job, "Java one", "Java two")
    store.decisions.decide([gone], "reject", actor="ann", reason="No licence.")
    store.decisions.decide([stays], "reject", actor="ann", reason="Too far.")
    store.ledger.append([EventDraft("view", "ann", job, subjects=(gone,), sealed={"page": 1})])
    seal = store.ledger.seal_of("application", gone)
    chain = [event.hash for event in store.ledger.events()]
    assert [event.kind for event in store.ledger.of_application(gone)] == ["ingest", "decision", "view"]
    store.erasures.remove_application(gone, actor="cleo")
    erased = store.ledger.events()[-1]
    assert (erased.kind, erased.job, shown(erased)) == (
        "erasure",
        job,
        {"subjects": [seal], "rows": {"groups": 0}, "forgotten": []},
    )
    assert [event.hash for event in store.ledger.events()][:-1] == chain
    assert store.ledger.seal_of("application", gone) is None
    assert store.ledger.of_application(gone) == []
    assert store.ledger.unsealed([str(seal), str(store.ledger.seal_of("application", stays))]) == {
        store.ledger.seal_of("application", stays): stays
    }
    assert [(row.application, row.name) for row in rows(database_url, openings)] == [(stays, "1"), (stays, "reason")]
    assert {row.application for row in rows(database_url, mentions)} == {stays}


def test_events_of_one_kind_or_job_and_page_by_page(store: Store) -> None:
    one, two = store.jobs.add(JOB), store.jobs.add(JOB)
    store.jobs.close(one)
    store.ledger.append([EventDraft("view", job=two)] * 3)
    assert [event.sequence for event in store.ledger.events(job=two)] == [2, 4, 5, 6]
    assert [event.sequence for event in store.ledger.events(kinds=["job"])] == [1, 2, 3]
    assert [event.sequence for event in store.ledger.events(after=2, before=6, limit=2)] == [3, 4]
    assert [event.sequence for event in store.ledger.events(newest_first=True, limit=2)] == [6, 5]
    assert [event.sequence for event in store.ledger.walk(after=1, job=two)] == [2, 4, 5, 6]
    assert store.ledger.get(3).body["action"] == "close"
    assert store.ledger.count(kinds=["view"], job=two) == 3
    with pytest.raises(NotFound, match="no event 7"):
        store.ledger.get(7)
    with pytest.raises(UsageError, match="no kind of event 'party'"):
        store.ledger.append([EventDraft("party")])
    assert store.ledger.append([]) == []


def test_sealed_values_know_whose_they_are(store: Store, database_url: str) -> None:
    job = store.jobs.add(JOB)
    a, b = apply(store, job, "Java one", "Java two")
    body = {
        "listed": [[ApplicationRef(a), [["terms", 0.1]]], [ApplicationRef(b), []]],
        "nested": {"of": ApplicationRef(a)},
    }
    drafts = [
        EventDraft("ranking", "ann", job, body=body, sealed={"text": "x\0\ud800"}),
        EventDraft("correction", "ann", job, subjects=(a,), sealed={"old": None, "new": OwnedValue(b, [1.5])}),
    ]
    ranked, corrected = store.ledger.append(drafts)
    name = store.ledger.seals_of("application", [a, b])
    assert shown(ranked) == {"listed": [[name[a], [["terms", 0.1]]], [name[b], []]], "nested": {"of": name[a]}}
    assert corrected.body["subjects"] == [name[a]]
    assert store.ledger.opening(ranked.sequence) == {"text": "x\0\ud800"}
    assert store.ledger.opening(corrected.sequence) == {"old": None, "new": [1.5]}
    owners = {(row.sequence, row.name): row.application for row in rows(database_url, openings)}
    assert owners[ranked.sequence, "text"] is None
    assert (owners[corrected.sequence, "old"], owners[corrected.sequence, "new"]) == (a, b)
    assert [event.sequence for event in store.ledger.of_application(b)] == [2, ranked.sequence, corrected.sequence]


def test_what_is_recorded_late_of_somebody_erased_leads_nowhere(store: Store, database_url: str) -> None:
    """A list was shown with an applicant who was erased before the event could be written."""
    job = store.jobs.add(JOB)
    gone, stays = apply(store, job, "Java one", "Java two")
    seal = store.ledger.seal_of("application", gone)
    store.erasures.remove_application(gone)
    body = {"listed": [ApplicationRef(gone), ApplicationRef(stays)]}
    [event] = store.ledger.append(
        [EventDraft("ranking", "ann", job, body=body, sealed={"note": OwnedValue(gone, "x"), "n": 1})]
    )
    other, known = event.body["listed"]
    assert known == store.ledger.seal_of("application", stays)
    assert len(other) == 64
    assert other != seal
    assert store.ledger.unsealed([other]) == {}
    assert store.ledger.opening(event.sequence) == {"n": 1}
    assert gone not in {row.application for row in rows(database_url, mentions)}
    assert list(verify(store.ledger.chain(), tables=store.ledger)) == []


def test_a_change_that_fails_leaves_no_event(store: Store) -> None:
    job = store.jobs.add(JOB)
    apply(store, job, "Java one")
    before = store.ledger.head()
    for change in (
        lambda: store.decisions.decide(["x"], "reject", actor="ann"),
        lambda: store.watchlist.remove("no_hire", "Acme"),
        lambda: store.jobs.close("x"),
        lambda: store.applications.add([replace(arrive(store, job, "Java two"), candidate="x")]),
    ):
        with pytest.raises(NotFound):
            change()
    assert store.ledger.head() == before


def test_the_table_refuses_changes(store: Store, database_url: str) -> None:
    store.jobs.add(JOB)
    engine = create_engine(database_url)
    for change in (update(ledger).values(kind="view"), delete(ledger)):
        with pytest.raises(Exception, match="the ledger is appended to"), engine.begin() as connection:
            connection.execute(change)
    engine.dispose()
    assert store.ledger.get(1).kind == "job"


def test_mined_anew_with_another_result_the_old_one_is_kept(store: Store, database_url: str) -> None:
    job = store.jobs.add(JOB)
    apply(store, job, "Java one", "Java two")
    one, two = mine(b"Java one"), mine(b"Java two")
    store.documents.save_mined([replace(one, miner="2"), replace(two, digest=b"better")])  # revisions 3 and 4
    [old] = store.documents.mined_versions([one.document.sha256, two.document.sha256])[two.document.sha256]
    assert (old.until, old.text, old.digest, old.digest_version) == (2, "Java two", b"digest", "1")
    assert old.packed_profile
    assert one.profile
    event = store.ledger.events()[-1]
    assert (event.kind, shown(event)["changed"], event.body["revision"]) == ("mining", 1, 4)
    [row] = rows(database_url, mined_versions)
    assert two.profile
    profile = json.loads(unpack(row.profile))
    assert profile == json.loads(canonical_json(two.profile.to_json()))
    assert row.hash == content_hash(["Java two", unpack(row.profile), b"digest".hex()])
    store.documents.save_mined([replace(two, digest=b"best")])
    versions = store.documents.mined_versions([two.document.sha256])[two.document.sha256]
    assert [(each.until, each.digest) for each in versions] == [(2, b"digest"), (4, b"better")]


def test_dropped_and_mined_with_another_result(store: Store) -> None:
    job = store.jobs.add(JOB)
    apply(store, job, "Java one")
    one = mine(b"Java one")
    store.documents.drop_mined()  # revision 2
    [dropped] = store.documents.mined_versions([one.document.sha256])[one.document.sha256]
    assert (dropped.until, dropped.digest) == (None, b"digest")  # an index keeps what it has
    store.documents.save_mined([replace(one, digest=b"better")])
    [old] = store.documents.mined_versions([one.document.sha256])[one.document.sha256]
    assert (old.until, old.digest) == (2, b"digest")


def test_mined_later_than_it_came(store: Store) -> None:
    job = store.jobs.add(JOB)
    arrival = arrive(store, job, "Java one")
    store.applications.add([replace(arrival, mined=None)])
    store.applications.add([arrival])
    [nothing] = store.documents.mined_versions([arrival.sha256])[arrival.sha256]
    assert (nothing.until, nothing.text, nothing.packed_profile) == (1, None, None)


def test_what_is_kept_of_a_person_in_versions_goes_with_the_person(store: Store, database_url: str) -> None:
    [id] = apply(store, store.jobs.add(JOB), "Java one")
    store.documents.save_mined([mine(b"Java one", digest=b"better")])
    assert len(rows(database_url, mined_versions)) == 1
    store.erasures.remove_application(id)
    assert rows(database_url, mined_versions) == []


def test_a_database_whose_ledger_has_not_begun(bare_database_url: str, tmp_path: Path) -> None:
    moment = "'2030-01-01 00:00:00'"
    with released_tables(bare_database_url) as connection:
        requirements = canonical_json(JOB.to_json())
        for statement in (
            f"INSERT INTO jobs (id, text, requirements, created) VALUES ('j', 'x', '{requirements}', {moment})",
            f"INSERT INTO candidates (id, form, created) VALUES ('c', '{{}}', {moment})",
            f"INSERT INTO documents (sha256, size_bytes, received) VALUES ('d', 1, {moment})",
            "INSERT INTO applications (id, job, candidate, document, status, received, revision, content) "
            f"VALUES ('a', 'j', 'c', 'd', 'screened', {moment}, 1, 1)",
            "UPDATE counters SET value = 1",
        ):
            connection.execute(text(statement.replace(":", r"\:")))
    for _ in range(2):  # and only once
        with Store.open(bare_database_url, files=tmp_path / "files") as store:
            counts, job, applicants = store.ledger.events()
            assert {event.kind for event in store.ledger.events()} == {"genesis"}
            assert counts.body["counts"] == {
                "jobs": 1,
                "candidates": 1,
                "documents": 1,
                "applications": 1,
                "decisions": 0,
                "watch_entries": 0,
            }
            assert shown(job) == {"requirements": content_hash(JOB.to_json()), "open": True}
            assert shown(applicants) == {"applications": [[store.ledger.seal_of("application", "a"), "screened"]]}


def test_what_two_stores_append_is_one_chain(store: Store, database_url: str, tmp_path: Path) -> None:
    with Store.open(database_url, files=tmp_path / "files") as other:
        for number in range(4):
            (store, other)[number % 2].ledger.append([EventDraft("view", "ann")])
    events = store.ledger.events()
    assert [event.sequence for event in events] == [1, 2, 3, 4]
    assert [event.previous for event in events] == [FIRST, *(event.hash for event in events[:-1])]
    assert len({event.actor for event in events}) == 1


def test_an_error_of_the_database_is_told_in_words(store: Store, database_url: str) -> None:
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE mentions"))
    engine.dispose()
    job = store.jobs.add(JOB)
    with pytest.raises(StoreError, match="mentions"):
        apply(store, job, "Java one")
    assert store.applications.count() == 0  # no change without its event
