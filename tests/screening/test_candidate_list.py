"""The desk: what is shown is on record, decisions are a person's and need reasons, previews keep their word."""

from __future__ import annotations

import pytest

from evenhand.errors import ConfirmationNeeded, Conflict, NotFound, QueryError, UsageError
from evenhand.ledger.recording import Recorder
from evenhand.screening.candidate_history import FlagRow
from evenhand.screening.candidate_list import CandidateRow, ListPage, Viewer, explain_order, screen
from evenhand.screening.decisions import (
    BULK_ACTIONS,
    Decider,
    apply_plan,
    decide,
    names_of,
    plan_bulk,
    standing_bulk,
    undo,
    used_reasons,
)
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.service import Service
from evenhand.search.visibility import OPEN, Visibility, blind, pseudonym
from evenhand.store.decisions import BatchOutcome
from evenhand.store.notes import flag_key
from tests.screening.applicants import ASHA, FIVE, Taken, take_in

ANN, BEN = "ann", "ben"


@pytest.fixture
def taken(service: Service) -> Taken:
    return take_in(service, *FIVE)


def show(
    service: Service, taken: Taken, *, visibility: Visibility = OPEN, first: int = 0, size: int = 20, **asked: object
) -> ListPage:
    criteria = Criteria(job=taken.job, **asked)  # type: ignore[arg-type]
    recorder = Recorder(service.store, service.settings)
    viewer = Viewer(ANN, visibility, lambda job: job == taken.job)
    return screen(service, recorder, viewer, criteria, first=first, size=size)


def line_of(shown: ListPage, name: str) -> CandidateRow:
    [line] = [line for line in shown.lines if line.name == name]
    return line


def flag_of(line: CandidateRow, code: str) -> FlagRow:
    [flag] = [flag for flag in line.flags if flag.code == code]
    return flag


def by(taken: Taken, user: str = ANN, seen: int | None = None) -> Decider:
    return Decider(user, taken.job, seen)


def statuses(service: Service, taken: Taken) -> dict[str, str]:
    return {name: service.store.applications.get(id).status for name, id in taken.ids.items()}


def test_what_is_shown_is_on_record(service: Service, taken: Taken) -> None:
    shown = show(service, taken, text="trading", first=1, size=2)
    event = service.store.ledger.get(shown.sequence)
    assert (event.kind, event.job) == ("ranking", taken.job)
    kept = ("total", "ordered", "first", "size", "ranker")
    assert {name: event.body[name] for name in kept} == {
        "total": 5,
        "ordered": 5,
        "first": 1,
        "size": 2,
        "ranker": "best",
    }
    ids = [line.listed.entry.application for line in shown.lines]
    seals = service.store.ledger.seals_of("application", ids)
    assert [seal for seal, _ in event.body["listed"]] == [seals[id] for id in ids]
    assert "trading" not in str(event.body)
    assert service.store.ledger.opening(shown.sequence)["criteria"]["text"] == "trading"


def test_a_search_that_cannot_be_understood_is_not_recorded(service: Service, taken: Taken) -> None:
    before = service.store.ledger.count()
    with pytest.raises(QueryError):
        show(service, taken, text="(java")
    assert service.store.ledger.count() == before


def test_flags_tags_and_what_was_set_aside(service: Service, taken: Taken) -> None:
    store = service.store
    store.watchlist.add("no_hire", "Initech Limited")
    asha = taken.ids["Asha"]
    store.notes.add_tag(asha, "called", actor=ANN)
    line = line_of(show(service, taken), "Asha Rao")
    assert line.tags == ("called",)
    flag = flag_of(line, "no_hire")
    assert (flag.title, flag.set_aside) == ("On the no-hire list", None)
    store.notes.dismiss_flag(asha, flag.code, flag.message, actor=ANN, reason="Another Initech.")
    shown = show(service, taken)
    assert flag_of(line_of(shown, "Asha Rao"), "no_hire").set_aside == "Another Initech."
    assert flag_of(line_of(shown, "Boris Novak"), "no_hire").set_aside is None


def test_another_application_is_told_without_jobs_that_are_not_seen(service: Service, taken: Taken) -> None:
    """In this job too there are texts nearly like hers: all five were made to one pattern."""
    before = flag_of(line_of(show(service, taken), "Asha Rao"), "other_applications").message
    take_in(service, ASHA)
    told = flag_of(line_of(show(service, taken), "Asha Rao"), "other_applications").message
    assert told == before


def test_blind_masks_names_flags_and_what_people_wrote(service: Service, taken: Taken) -> None:
    store, asha = service.store, taken.ids["Asha"]
    store.watchlist.add("no_hire", "Initech Limited")
    message = flag_of(line_of(show(service, taken), "Asha Rao"), "no_hire").message
    store.notes.add_tag(asha, "Asha called", actor=ANN)
    store.notes.dismiss_flag(asha, "no_hire", message, actor=ANN, reason="Asha Rao explained it.")
    shown = show(service, taken, visibility=blind())
    [line] = [line for line in shown.lines if line.listed.entry.application == asha]
    assert line.name == pseudonym(asha)
    assert line.tags == ("[name] called",)
    flag = flag_of(line, "no_hire")
    assert flag.key == flag_key("no_hire", message)  # still the same finding
    assert flag.set_aside == "[name] explained it."
    said = [snippet.text for line in shown.lines for snippet in line.listed.result.snippets]
    for applicant in FIVE:
        assert not any(part in text for text in said for part in applicant.name.split())
    assert all(line.listed.entry.city is None for line in shown.lines)
    assert "city" not in [facet.name for facet in shown.screen.facets.facets]
    with pytest.raises(QueryError, match="masked here"):
        show(service, taken, visibility=blind(), text="city:Berlin")


def test_a_decision_with_what_was_seen(service: Service, taken: Taken) -> None:
    shown = show(service, taken)
    outcome = decide(service, by(taken, seen=shown.sequence), [taken.ids["Asha"]], "shortlist")
    assert outcome.changed == (taken.ids["Asha"],)
    assert statuses(service, taken)["Asha"] == "shortlisted"
    [made] = [decision for decision in service.store.decisions.batch(outcome.batch) if decision.action == "shortlist"]
    assert made.sequence is not None
    assert service.store.ledger.get(made.sequence).body["seen"] == shown.sequence
    listed = {line.name: line.listed.entry.status for line in show(service, taken).lines}
    assert listed["Asha Rao"] == "shortlisted"


@pytest.mark.parametrize("claimed", [10**9, 1])
def test_a_ranking_that_was_not_of_this_job_is_not_claimed(service: Service, taken: Taken, claimed: int) -> None:
    """Event 1 is no ranking, and there is no other."""
    outcome = decide(service, by(taken, seen=claimed), [taken.ids["Asha"]], "shortlist")
    sequence = service.store.decisions.batch(outcome.batch)[0].sequence
    assert sequence is not None
    assert service.store.ledger.get(sequence).body["seen"] is None


@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_a_rejection_needs_a_reason(service: Service, taken: Taken, reason: str) -> None:
    with pytest.raises(UsageError, match="A rejection needs a reason"):
        decide(service, by(taken), [taken.ids["Boris"]], "reject", reason=reason)
    assert set(statuses(service, taken).values()) == {"new"}
    decide(service, by(taken), [taken.ids["Boris"]], "reject", reason=" too  little Java ")
    assert service.store.decisions.of_application(taken.ids["Boris"])[-1].reason == "too little Java"


def test_of_several_those_who_cannot_be_moved_are_told(service: Service, taken: Taken) -> None:
    ids = taken.ids
    decide(service, by(taken), [ids["Boris"]], "reject", reason="No.")
    outcome = decide(service, by(taken), [ids["Asha"], ids["Boris"], ids["Asha"]], "shortlist")
    assert outcome.changed == (ids["Asha"],)
    sentence = "An application that is Rejected cannot become Shortlisted for Interview."
    assert [(each.application, each.reason) for each in outcome.skipped] == [(ids["Boris"], sentence)]
    with pytest.raises(UsageError, match="cannot become"):
        decide(service, by(taken), [ids["Boris"]], "shortlist")
    with pytest.raises(UsageError, match="Nobody is selected"):
        decide(service, by(taken), [], "shortlist")
    with pytest.raises(UsageError, match="no action 'fire'"):
        decide(service, by(taken), [ids["Asha"]], "fire")


def test_another_jobs_applications_do_not_exist_here(service: Service, taken: Taken) -> None:
    other = take_in(service, ASHA)
    with pytest.raises(NotFound):
        decide(service, by(taken), [taken.ids["Asha"], other.ids["Asha"]], "shortlist")
    assert statuses(service, taken)["Asha"] == "new"
    made = decide(service, by(other), [other.ids["Asha"]], "shortlist")
    with pytest.raises(NotFound):
        undo(service, by(taken), made.batch)
    with pytest.raises(NotFound):
        explain_order(service, Criteria(job=taken.job), taken.ids["Asha"], other.ids["Asha"])
    assert statuses(service, other)["Asha"] == "shortlisted"


def test_undo_restores(service: Service, taken: Taken) -> None:
    first = decide(service, by(taken), [taken.ids["Asha"]], "screen")
    second = decide(service, by(taken), [taken.ids["Asha"], taken.ids["Elena"]], "shortlist")
    decide(service, by(taken, BEN), [taken.ids["David"]], "shortlist")
    undone = undo(service, by(taken))  # Ann's newest, not Ben's
    assert set(undone.changed) == set(second.changed)
    assert (statuses(service, taken)["Asha"], statuses(service, taken)["Elena"]) == ("screened", "new")
    undo(service, by(taken), first.batch)
    assert statuses(service, taken) == {
        "Asha": "new",
        "Boris": "new",
        "Clara": "new",
        "David": "shortlisted",
        "Elena": "new",
    }
    with pytest.raises(UsageError, match="no decision of yours"):
        undo(service, by(taken))


def test_reasons_are_offered_again_to_who_gave_them(service: Service, taken: Taken) -> None:
    for name, reason in (("Asha", "Too far"), ("Boris", "Too little Java"), ("Clara", "Too little Java")):
        decide(service, by(taken), [taken.ids[name]], "reject", reason=reason)
    assert used_reasons(service.store.decisions.recent_batches(taken.job), ANN) == ["Too little Java", "Too far"]
    assert used_reasons(service.store.decisions.recent_batches(taken.job), BEN) == []


@pytest.mark.parametrize("keep", [0, 2, 9])
def test_the_rest_that_the_preview_told_is_rejected(service: Service, taken: Taken, keep: int) -> None:
    order = [line.listed.entry.application for line in show(service, taken).lines]
    decide(service, by(taken), [order[3]], "shortlist")
    decide(service, by(taken), [order[4]], "reject", reason="Before.")
    plan = plan_bulk(service, by(taken), Criteria(job=taken.job), "reject", keep=keep)
    expected = [id for rank, id in enumerate(order, 1) if rank > keep and rank <= 3]
    assert list(plan.changed) == expected
    assert (plan.listed, plan.first, plan.unordered) == (5, min(keep, 5), 0)
    left = {"shortlisted": int(keep < 4), "rejected": int(keep < 5)}
    assert dict(plan.left) == {status: number for status, number in left.items() if number}
    before = statuses(service, taken)
    if not expected:
        with pytest.raises(UsageError, match="nobody on this list"):
            _carry_out(service, taken, Criteria(job=taken.job), plan.version, keep=keep)
        return
    outcome = _carry_out(service, taken, Criteria(job=taken.job), plan.version, keep=keep)
    assert list(outcome.changed) == expected
    after = {name: "rejected" if id in expected else before[name] for name, id in taken.ids.items()}
    assert statuses(service, taken) == after
    bulk = standing_bulk(service.store.decisions.recent_batches(taken.job))
    assert bulk
    assert (bulk.id, bulk.standing, bulk.reason) == (outcome.batch, len(expected), "Filled.")
    with pytest.raises(ConfirmationNeeded):
        undo(service, by(taken, BEN), outcome.batch)
    undo(service, by(taken, BEN), outcome.batch, confirmed=True)
    assert statuses(service, taken) == before
    assert standing_bulk(service.store.decisions.recent_batches(taken.job)) is None


def test_only_the_list_that_was_asked_for_is_concerned(service: Service, taken: Taken) -> None:
    criteria = Criteria(job=taken.job, skills=(SkillCondition("java", 36),))
    plan = plan_bulk(service, by(taken), criteria, "reject", keep=0)
    assert sorted(taken.named(plan.changed)) == ["Asha", "David"]
    _carry_out(service, taken, criteria, plan.version, keep=0)
    rejected = {name for name, status in statuses(service, taken).items() if status == "rejected"}
    assert rejected == {"Asha", "David"}


def test_a_preview_that_is_out_of_date_does_nothing(service: Service, taken: Taken) -> None:
    criteria = Criteria(job=taken.job)
    plan = plan_bulk(service, by(taken), criteria, "reject", keep=1)
    decide(service, by(taken, BEN), [plan.changed[0]], "shortlist")
    before = statuses(service, taken)
    with pytest.raises(Conflict, match="the list has changed"):
        _carry_out(service, taken, criteria, plan.version, keep=1)
    with pytest.raises(Conflict, match="the list has changed"):
        _carry_out(service, taken, criteria, plan_bulk(service, by(taken), criteria, "reject", keep=3).version, keep=1)
    others = plan_bulk(service, by(taken, BEN), criteria, "reject", keep=1).version
    with pytest.raises(Conflict, match="not the plan of this request"):
        _carry_out(service, taken, criteria, others, keep=1)
    right = plan_bulk(service, by(taken), criteria, "reject", keep=1).version
    with pytest.raises(UsageError, match="needs a reason"):
        _carry_out(service, taken, criteria, right, keep=1, reason=" ")
    assert statuses(service, taken) == before


def test_the_first_of_a_list_are_shortlisted(service: Service, taken: Taken) -> None:
    order = [line.listed.entry.application for line in show(service, taken).lines]
    decide(service, by(taken), [order[0]], "reject", reason="Withdrew.")
    plan = plan_bulk(service, by(taken), Criteria(job=taken.job), "shortlist", keep=3)
    assert list(plan.changed) == order[1:3]
    assert dict(plan.left) == {"rejected": 1, "new": 2}
    outcome = _carry_out(service, taken, Criteria(job=taken.job), plan.version, keep=3, action="shortlist", reason="")
    assert list(outcome.changed) == order[1:3]
    assert all(made.bulk for made in service.store.decisions.batch(outcome.batch))
    assert names_of(service, OPEN, outcome.changed) == [
        line.name for line in show(service, taken).lines if line.listed.entry.application in outcome.changed
    ]
    assert names_of(service, blind(), [order[1]]) == [pseudonym(order[1])]
    assert set(BULK_ACTIONS) == {"reject", "shortlist"}


def _carry_out(
    service: Service,
    taken: Taken,
    criteria: Criteria,
    version: str,
    *,
    keep: int,
    action: str = "reject",
    reason: str = "Filled.",
) -> BatchOutcome:
    return apply_plan(service, by(taken), criteria, action=action, keep=keep, version=version, reason=reason)


@pytest.mark.parametrize("ranker", ["best", "bm25", "kl", "tfidf+skills"])
def test_why_one_stands_above_another(service: Service, taken: Taken, ranker: str) -> None:
    """Scored apart from the list, with the very numbers of the list."""
    shown = show(service, taken, text="trading", ranker=ranker)
    scores = {line.listed.entry.application: line.listed.result.score for line in shown.lines}
    order = list(scores)
    criteria = Criteria(job=taken.job, text="trading", ranker=ranker)
    for above, below in ((order[0], order[1]), (order[4], order[2])):
        found = explain_order(service, criteria, above, below)
        assert found.above.score == scores[found.above.entry.application]
        assert found.below.score == scores[found.below.entry.application]
        assert order.index(found.above.entry.application) < order.index(found.below.entry.application)
        difference = found.above.score.value - found.below.score.value
        assert found.comparison.value == pytest.approx(difference, abs=1e-9)
    following = explain_order(service, criteria, order[1])
    assert following.below.entry.application == order[2]
    with pytest.raises(UsageError, match="There is no candidate below the last one"):
        explain_order(service, criteria, order[4])
    with pytest.raises(UsageError, match="one and the same"):
        explain_order(service, criteria, order[0], order[0])
