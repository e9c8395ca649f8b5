"""Decisions teach the ranker: a taste that people share moves the order; floods, noise and lists do not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evenhand.errors import NotFound, StoreError, UsageError
from evenhand.records import canonical_json
from evenhand.screening.ranker_training import (
    RelevanceLabel,
    SetAside,
    adopt,
    collect_labels,
    labels_of,
    learn_from_decisions,
)
from evenhand.screening.service import open_service
from evenhand.search.criteria import Criteria
from evenhand.search.rankers.best import Best, Weights
from evenhand.search.rankers.weight_training import Feedback, learn_weights
from evenhand.search.rankers.weights import LabelTally
from evenhand.search.screener import Screener, SearchResults
from evenhand.search.service import Service
from evenhand.settings import Settings
from tests.cli.judged import JOB, PROBES, Person, arrive, dislikes_degrees, judge, likes_degrees, noise, people

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with open_service(Settings(data=str(tmp_path / "data"))) as opened:
        yield opened


@pytest.fixture
def job(service: Service) -> str:
    return service.store.jobs.add(JOB)


@pytest.fixture
def probes(service: Service, job: str) -> dict[str, str]:
    return arrive(service.store, job, PROBES)


def screen(service: Service, job: str, *, ranker: str = "best") -> SearchResults:
    with service.screener(job, ranker=ranker) as screener:
        return screener.screen(Criteria(job=job, facets={"status": ("new",)}, ranker=ranker))


def order(service: Service, job: str) -> list[str]:
    return [str(listed.result.file).removesuffix(".txt") for listed in screen(service, job).listed]


def teach(service: Service, job: str, by: str = "admin") -> int:
    return adopt(service, learn_from_decisions(service, job=job), by=by, time=NOW)


def test_a_taste_that_two_share_is_learned_and_moves_the_order(
    service: Service, job: str, probes: dict[str, str]
) -> None:
    for user in ("ann", "bob"):
        judge(service.store, job, user, 36, likes_degrees)
    assert order(service, job) == ["worded", "learned", "neither"]
    lesson = learn_from_decisions(service)
    learned = lesson.proposal
    assert (learned.shortlisted, learned.rejected, lesson.refusal) == (36, 36, None)
    assert [(tally.user, tally.given, tally.capped) for tally in learned.users] == [("ann", 36, 0), ("bob", 36, 0)]
    assert all(tally.learned + tally.held_out == 36 and tally.held_out > 4 for tally in learned.users)
    assert learned.accuracy_before is not None
    assert learned.accuracy_before < 0.8
    assert learned.accuracy_after == 1.0
    assert learned.weights.education > learned.weights.words
    # The job asks for no skills, so nothing was learned of them.
    assert learned.weights.requirements == 20.0
    assert order(service, job) == ["worded", "learned", "neither"]  # nothing changes by looking
    assert adopt(service, lesson, by="admin", time=NOW) == 1
    assert order(service, job) == ["learned", "worded", "neither"]


def test_one_user_with_500_decisions_cannot_turn_it_round(service: Service, job: str, probes: dict[str, str]) -> None:
    for user in ("ann", "bob"):
        judge(service.store, job, user, 50, likes_degrees)
    judge(service.store, job, "mallory", 500, dislikes_degrees)
    lesson = learn_from_decisions(service)
    assert [(each.user, each.given, each.capped) for each in lesson.proposal.users] == [
        ("ann", 50, 0),
        ("bob", 50, 0),
        ("mallory", 500, 450),
    ]
    assert lesson.proposal.weights.education > Weights().education
    # It is the cap that holds: without it the flood decides.
    snapshot, kept = service.snapshot(), service.store.jobs.get(job)
    found = labels_of(collect_labels(service.store, job)[0], kept, service.store, snapshot, ranker=Best())
    feedback = Feedback(tuple(label for _, label in found))
    assert learn_weights(feedback, labels_per_user=10_000).weights.education == 0


def test_who_floods_after_others_were_heard_changes_nothing(service: Service, job: str, probes: dict[str, str]) -> None:
    for user in ("ann", "bob"):
        judge(service.store, job, user, 50, likes_degrees)
    teach(service, job)
    judge(service.store, job, "mallory", 120, dislikes_degrees)
    judge(service.store, job, " Mallory ", 120, dislikes_degrees)  # one person under two spellings
    lesson = learn_from_decisions(service)
    assert [(each.user, each.given) for each in lesson.proposal.users][-1] == ("mallory", 240)
    assert lesson.refusal is not None
    with pytest.raises(UsageError, match="Not adopted"):
        adopt(service, lesson, by="mallory", time=NOW)
    assert service.weights.versions() == [1]
    assert order(service, job) == ["learned", "worded", "neither"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_gate_refuses_noise(service: Service, job: str, seed: int) -> None:
    for user in ("ann", "bob"):
        judge(service.store, job, user, 50, noise(seed))
    lesson = learn_from_decisions(service)
    assert lesson.refusal is not None
    assert "on decisions held out" in lesson.refusal
    with pytest.raises(UsageError, match="on decisions held out"):
        adopt(service, lesson, by="admin", time=NOW)
    assert service.weights.in_force().weights == Weights()


def test_rolling_back_restores_the_page_byte_by_byte(service: Service, job: str, probes: dict[str, str]) -> None:
    for user in ("ann", "bob"):
        judge(service.store, job, user, 36, likes_degrees)
    before = canonical_json(screen(service, job).to_json())
    teach(service, job)
    learned = canonical_json(screen(service, job).to_json())
    assert learned != before
    service.weights.roll_back()
    assert canonical_json(screen(service, job).to_json()) == before
    service.weights.roll_back(1)
    assert canonical_json(screen(service, job).to_json()) == learned


def test_a_page_can_be_made_again_with_the_weights_on_it(service: Service, job: str, probes: dict[str, str]) -> None:
    for user in ("ann", "bob"):
        judge(service.store, job, user, 36, likes_degrees)
    assert screen(service, job).to_json()["weights"] == {"version": 0, "values": Weights().to_json()}
    teach(service, job)
    kept = screen(service, job).to_json()
    assert kept["weights"]["version"] == 1
    service.weights.roll_back(0)
    ranker = Best(weights=Weights(**kept["weights"]["values"]))
    again = Screener(service.snapshot(), JOB, ranker).screen(Criteria(job=job, facets={"status": ("new",)}))
    assert again.to_json()["results"] == kept["results"]
    assert screen(service, job, ranker="bm25").to_json()["weights"] is None


def test_too_few_decisions_change_nothing(service: Service, job: str) -> None:
    judge(service.store, job, "ann", 6, likes_degrees)
    judge(service.store, job, "bob", 5, lambda _: True)  # tells no one apart
    lesson = learn_from_decisions(service)
    assert lesson.refusal == (
        "Too few decisions to learn from: 3 shortlisted or offered and 3 rejected, by people who did both for the "
        "same job; 20 of each are needed."
    )
    with pytest.raises(UsageError, match="20 of each are needed"):
        adopt(service, lesson, by="ann", time=NOW)
    assert service.weights.in_force().version == 0


def test_which_decisions_teach(service: Service, job: str) -> None:
    """Not those undone, not the rest of a list, not a rejection after the shortlist, not a mere look."""
    store = service.store
    a, b, c, d, e, f, g = arrive(store, job, people("p", 7)).values()
    store.decisions.decide([a], "shortlist", actor="Ann")
    store.decisions.decide([a], "offer", actor="Bob")
    store.decisions.undo(store.decisions.decide([b], "reject", actor="Ann").batch, actor="Ann")
    store.decisions.decide([c], "shortlist", actor="Ann")
    store.decisions.decide([c], "reject", actor="Bob")
    store.decisions.decide([d], "screen", actor="Ann")
    store.decisions.decide([e], "reject", actor="ann ", reason="no degree")
    store.decisions.reject_rest(job, [a, d, e, f], [a], actor="Ann", reason="position filled")
    store.labels.add(g, user="Bob", label="irrelevant")
    store.labels.add(g, user="Bob", label="relevant")
    judgements, set_aside = collect_labels(store, job)
    assert [(each.user, each.application, each.shortlisted) for each in judgements] == [
        ("ann", a, True),
        ("bob", a, True),
        ("ann", c, True),
        ("ann", e, False),
        ("bob", g, True),
    ]
    assert set_aside == SetAside(rejected_with_the_rest=2, rejected_after_shortlist=1)


def test_shares_are_those_the_ranker_sees(service: Service, job: str) -> None:
    """A high school is three levels below a master. Role, words and education have 40, 14 and 5 points of 59."""
    ids = arrive(service.store, job, [Person("all", 8, "master"), Person("none", 0, "highschool")])
    judgements = [RelevanceLabel("ann", id, True, NOW) for id in (*ids.values(), "gone")]
    found = labels_of(judgements, service.store.jobs.get(job), service.store, service.snapshot(), ranker=Best())
    shares = [dict(label.shares) for _, label in found]
    assert [each["education"] for each in shares] == [1.0, 0.0]
    assert shares[0]["words"] > shares[1]["words"]
    scores = [listed.result.score for listed in screen(service, job).listed]
    assert [{part.name: part.value for part in score.parts} for score in scores] == [
        pytest.approx(
            {
                "Role match": 4000 / 59 * each["role"],
                "Match with job ad": 1400 / 59 * each["words"],
                "Education": 500 / 59 * each["education"],
            },
            abs=1e-6,
        )
        for each in shares
    ]


def test_one_job_or_all(service: Service, job: str) -> None:
    other = service.store.jobs.add(JOB)
    judge(service.store, job, "ann", 24, likes_degrees)
    judge(service.store, other, "bob", 20, likes_degrees)
    service.store.jobs.close(other)
    assert [each.user for each in learn_from_decisions(service).proposal.users] == ["ann", "bob"]
    [only] = learn_from_decisions(service, job=other).proposal.users
    assert (only.user, only.given) == ("bob", 20)
    with pytest.raises(NotFound):
        learn_from_decisions(service, job="x")


def test_the_record_tells_who_adopted_what(service: Service, job: str) -> None:
    for user in ("ann", "bob"):
        judge(service.store, job, user, 36, likes_degrees)
    lesson = learn_from_decisions(service, job=job)
    adopt(service, lesson, by="admin", time=NOW)
    [entry] = service.weights.entries()
    assert (entry["by"], entry["time"], entry["job"], entry["before"], entry["labels"]) == (
        "admin",
        "2030-01-01T00:00:00+00:00",
        job,
        0,
        lesson.proposal.labels,
    )
    assert [LabelTally(**user) for user in entry["users"]] == list(lesson.proposal.users)


def test_damaged_weights_are_told_and_not_ranked_by(service: Service, job: str) -> None:
    folder = service.settings.data_path / "weights"
    folder.mkdir()
    (folder / "current.json").write_text("{")
    with pytest.raises(StoreError, match="--roll-back"):
        screen(service, job)
    screen(service, job, ranker="bm25")
