"""What applicants said of their groups: kept apart, counted, replaced, removed, and erased with the person."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from evenhand.errors import NotFound
from evenhand.records import Job
from evenhand.records.groups import SavedGroups, SelfIdentification
from evenhand.store.self_identifications import SelfIdentificationStore, self_identifications
from evenhand.store.store import Store
from tests.store.resumes import apply


@pytest.fixture
def applications(store: Store) -> list[str]:
    """Two for one job, one for another."""
    baker, clerk = (store.jobs.add(Job(f"{title}.", title)) for title in ("Baker", "Clerk"))
    return [apply(store, job, f"Resume {number}")[0] for number, job in enumerate([baker, baker, clerk])]


def test_answers_are_kept_replaced_and_counted(store: Store, applications: list[str]) -> None:
    kept, (one, two, three) = SelfIdentificationStore(store.context), applications
    given = [
        SelfIdentification(one, {"sex": "female", "race": None}),
        SelfIdentification(two, {"sex": "male"}),
        SelfIdentification(three, {"sex": "female"}),
    ]
    assert kept.save(given, actor="ann") == SavedGroups(new=4, changed=0, same=0)
    assert kept.save(given, actor="ann") == SavedGroups(new=0, changed=0, same=4)
    given[1] = SelfIdentification(two, {"sex": None, "race": "White"})
    assert kept.save(given, actor="ann") == SavedGroups(new=1, changed=1, same=3)
    assert kept.read()[two] == SelfIdentification(two, {"race": "White", "sex": None})
    job = store.applications.get(one).job
    assert set(kept.read(job)) == {one, two}
    assert [each.to_json() for each in kept.counts()] == [
        {"variable": "race", "groups": {"White": 1}, "unknown": 1},
        {"variable": "sex", "groups": {"female": 2}, "unknown": 1},
    ]
    assert [each.known for each in kept.counts(job)] == [1, 1]


def test_the_ledger_learns_how_many_and_not_who(store: Store, applications: list[str]) -> None:
    kept, before = SelfIdentificationStore(store.context), store.ledger.head()[0]
    given = [SelfIdentification(applications[0], {"sex": "female", "race": None})]
    kept.save(given, actor="ann")
    kept.save(given, actor="ann")
    assert kept.remove(actor="ann", ids=[applications[1]]) == 0
    assert kept.remove(actor="ann") == 1
    events = list(store.ledger.walk(after=before))
    assert [event.kind for event in events] == ["groups", "groups"]
    bodies = [{name: event.body[name] for name in event.body if name != "revision"} for event in events]
    assert bodies[0] == {
        "action": "import",
        "count": 1,
        "new": 2,
        "changed": 0,
        "variables": {"race": 1, "sex": 1},
        "unknown": 1,
    }
    assert bodies[1] == {"action": "remove", "count": 1, "rows": 2}
    assert kept.read() == {}


def test_the_state_differs_when_answers_do(store: Store, applications: list[str]) -> None:
    kept, job = SelfIdentificationStore(store.context), store.applications.get(applications[0]).job
    states = [kept.state(job)]
    for value in ("female", "male"):
        kept.save([SelfIdentification(applications[0], {"sex": value})], actor="ann")
        states.append(kept.state(job))
    kept.save([SelfIdentification(applications[2], {"sex": "male"})], actor="ann")  # another job's
    assert kept.state(job) == states[-1]
    assert len(set(states)) == 3
    kept.remove(actor="ann", job=job)
    assert kept.state(job) == states[0] == (0, None)
    assert list(kept.read()) == [applications[2]]


def test_nobody_is_made_up(store: Store) -> None:
    with pytest.raises(NotFound, match="no application 'nobody'"):
        SelfIdentificationStore(store.context).save([SelfIdentification("nobody", {"sex": "female"})], actor="ann")


@pytest.mark.parametrize("by", ["erasure", "removal"])
def test_they_go_with_the_person(store: Store, applications: list[str], by: str) -> None:
    kept = SelfIdentificationStore(store.context)
    answers = {"sex": "female", "race": "White"}
    kept.save([SelfIdentification(id, answers) for id in applications[:2]], actor="ann")
    if by == "erasure":
        assert store.erasures.scope(applications[:1])[0].counts["groups"] == 2
        erased = store.erasures.begin(applications[:1], actor="ann", certificate={})
        assert erased.certificate["rows"]["groups"] == 2
    else:
        store.erasures.remove_application(applications[0])
    assert list(kept.read()) == [applications[1]]
    with store.context.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(self_identifications)).scalar_one() == 2
