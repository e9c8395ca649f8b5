"""Rules of retention: who is due, who is not, and that nothing is erased by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from evenhand.applicants.retention import find_due, run_retention
from evenhand.errors import NotFound, UsageError
from evenhand.search.criteria import Criteria
from evenhand.search.service import Service
from tests.screening.applicants import FIVE, JAVA_JOB, Taken, take_in


def in_days(days: float) -> datetime:
    return datetime.now(UTC) + timedelta(days=days)


def due_names(service: Service, taken: Taken, days: float) -> list[str]:
    return taken.named(kept.application for kept in find_due(service, now=in_days(days)).due)


def test_without_a_rule_nobody_is_ever_due(service: Service) -> None:
    take_in(service, *FIVE)
    assert find_due(service, now=in_days(100_000)).due == ()


def test_days_count_from_the_decision_that_led_to_the_status(service: Service) -> None:
    taken = take_in(service, *FIVE)
    service.store.decisions.decide([taken.ids["Boris"]], "reject", actor="ann", reason="no licence")
    service.store.retention.set_rule("rejected", 180, actor="ann")
    assert due_names(service, taken, 179) == []
    assert due_names(service, taken, 181) == ["Boris"]
    [kept] = service.store.retention.periods([taken.ids["Boris"]])
    [*_, decision] = service.store.decisions.of_application(taken.ids["Boris"])
    assert (kept.since, kept.until) == (decision.time, decision.time + timedelta(days=180))
    [other] = service.store.retention.periods([taken.ids["Asha"]])
    assert (other.status, other.until, other.rule) == ("new", None, None)


def test_a_decision_that_is_undone_begins_anew(service: Service) -> None:
    taken = take_in(service, *FIVE)
    outcome = service.store.decisions.decide([taken.ids["Boris"]], "reject", actor="ann", reason="no licence")
    service.store.retention.set_rule("rejected", 10, actor="ann")
    service.store.decisions.undo(outcome.batch, actor="ann")
    assert due_names(service, taken, 11) == []


def test_what_is_new_counts_from_its_arrival(service: Service) -> None:
    taken = take_in(service, *FIVE)
    service.store.retention.set_rule("new", 30, actor="ann")
    assert due_names(service, taken, 29) == []
    assert len(due_names(service, taken, 31)) == 5


def test_a_job_may_have_rules_of_its_own(service: Service) -> None:
    first, second = take_in(service, *FIVE[:2]), take_in(service, *FIVE[2:])
    service.store.retention.set_rule("new", 30, actor="ann")
    service.store.retention.set_rule("new", 90, job=second.job, actor="ann")
    assert sorted(due_names(service, first, 40)) == ["Asha", "Boris"]
    both = find_due(service, now=in_days(91)).due
    assert len(both) == 5
    assert [kept.job for kept in find_due(service, job=second.job, now=in_days(91)).due] == [second.job] * 3
    service.store.retention.set_rule("new", None, job=second.job, actor="ann")
    assert len(find_due(service, now=in_days(31)).due) == 5
    assert [(rule.job, rule.status, rule.days) for rule in service.store.retention.rules()] == [(None, "new", 30)]


def test_a_run_erases_who_is_due_and_spares_who_is_held(service: Service) -> None:
    taken = take_in(service, *FIVE)
    ids = [taken.ids[name] for name in ("Boris", "Clara", "David")]
    service.store.decisions.decide(ids, "reject", actor="ann", reason="others fit better")
    service.store.retention.set_rule("rejected", 1, actor="ann")
    service.store.retention.hold(taken.ids["Clara"], "case 7", actor="ann")
    assert run_retention(service, actor="ann").erased == 0  # not due yet
    run = run_retention(service, actor="ann", now=in_days(2))
    assert (run.erased, run.held, len(run.erasures)) == (2, 1, 1)
    [certificate] = [each.certificate for each in run.erasures]
    assert (certificate["ground"], certificate["applications"]) == ("retention", 2)
    with service.screener(taken.job, ranker="best") as screener:
        left = taken.named(screener.ids(Criteria(job=taken.job)))
    assert sorted(left) == ["Asha", "Clara", "Elena"]
    events = service.store.ledger.events(kinds=["retention"])
    assert [event.body["action"] for event in events] == ["rule", "hold", "run", "run"]
    assert {name: events[-1].body[name] for name in ("erased", "held", "certificates")} == {
        "erased": 2,
        "held": 1,
        "certificates": [run.erasures[0].id],
    }


def test_a_list_that_has_changed_is_to_be_looked_at_again(service: Service) -> None:
    take_in(service, *FIVE)
    service.store.retention.set_rule("new", 1, actor="ann")
    with pytest.raises(UsageError, match="5 are due now, not 4"):
        run_retention(service, actor="ann", expected=4, now=in_days(2))
    assert service.store.applications.count() == 5


def test_what_is_refused(service: Service) -> None:
    taken = take_in(service, *FIVE[:1], job=JAVA_JOB)
    with pytest.raises(UsageError, match="no status 'gone'"):
        service.store.retention.set_rule("gone", 5, actor="ann")
    with pytest.raises(UsageError, match="1 to 36,500 days"):
        service.store.retention.set_rule("rejected", 0, actor="ann")
    with pytest.raises(NotFound, match="no rule"):
        service.store.retention.set_rule("rejected", None, actor="ann")
    with pytest.raises(NotFound):
        service.store.retention.set_rule("rejected", 5, job="nosuchjob", actor="ann")
    with pytest.raises(UsageError, match="needs a reason"):
        service.store.retention.hold(taken.ids["Asha"], " ", actor="ann")
    with pytest.raises(NotFound, match="no hold"):
        service.store.retention.lift_hold(taken.ids["Asha"], actor="ann")
    with pytest.raises(NotFound):
        service.store.retention.hold("nobody", "why", actor="ann")
