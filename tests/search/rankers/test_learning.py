"""A planted taste is learned, one loud teacher cannot undo it, worse weights stay out, and there is a way back."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from evenhand.errors import StoreError, UsageError
from evenhand.search.rankers.best import Weights
from evenhand.search.rankers.weight_training import (
    LEARNABLE,
    Feedback,
    FeedbackLabel,
    learn_weights,
    measure_accuracy,
    measure_chance,
)
from evenhand.search.rankers.weights import LabelTally, WeightsHistory, WeightsInForce

TASTE = {"experience": 70.0, "role": 20.0, "education": 10.0}
"""What the screeners of these tests go by."""


def give(user: str, job: str, n: int, *, seed: int, taste: Mapping[str, float] = TASTE) -> list[FeedbackLabel]:
    """Labels of resumes with random shares: the better half by the taste is shortlisted."""
    rng = random.Random(seed)
    shares = [{name: round(rng.random(), 6) for name in LEARNABLE} for _ in range(n)]
    worth = [sum(points * each[name] for name, points in taste.items()) for each in shares]
    middle = sorted(worth)[n // 2]
    return [FeedbackLabel(user, job, f"{user}-{job}-{at}", worth[at] >= middle, each) for at, each in enumerate(shares)]


HONEST = [label for user in "abcd" for label in give(user, f"job {user}", 40, seed=ord(user))]
FRESH = Feedback(tuple(give("judge", "another job", 60, seed=1))).pairs()
REVERSED = {name: -points for name, points in TASTE.items()}


def right(weights: Weights) -> float:
    found = measure_accuracy(weights, FRESH)
    assert found is not None
    return found


def test_a_planted_taste_is_learned() -> None:
    proposal = learn_weights(Feedback(tuple(HONEST)))
    learned = proposal.weights
    assert proposal.refusal is None
    assert right(Weights()) < 0.85
    assert right(learned) > 0.95
    assert learned.experience > learned.role > max(learned.words, learned.requirements, learned.desirable)
    assert sum(learned.to_json().values()) == pytest.approx(sum(Weights().to_json().values()), abs=1e-3)
    assert min(learned.to_json().values()) >= 0


def test_a_taste_against_a_feature_ends_at_0() -> None:
    labels = [label for user in "ab" for label in give(user, "job", 50, seed=7, taste={"words": -50, "role": 50})]
    assert learn_weights(Feedback(tuple(labels))).weights.words == 0


def test_what_no_job_asked_for_keeps_its_points() -> None:
    labels = [
        FeedbackLabel("a", "job", str(at), at % 2 == 1, {"words": at % 3 / 2, "education": float(at % 2)})
        for at in range(60)
    ]
    learned = learn_weights(Feedback(tuple(labels))).weights
    assert learned.education > learned.words
    assert learned.education + learned.words == pytest.approx(19)
    assert (learned.requirements, learned.experience, learned.role) == (20.0, 8.0, 40.0)


def test_one_user_with_many_labels_cannot_turn_it_round() -> None:
    flood = give("mallory", "job m", 600, seed=9, taste=REVERSED)
    feedback = Feedback((*HONEST, *flood))
    assert right(learn_weights(feedback).weights) > 0.9
    # It is the cap that holds: without it the flood decides.
    assert right(learn_weights(feedback, labels_per_user=10_000).weights) <= right(Weights())


def test_labels_given_again_replace_and_count_once() -> None:
    first, second = give("a", "job", 2, seed=3)
    changed = FeedbackLabel("a", "job", first.resume, not first.shortlisted, first.shares)
    assert Feedback((first, second, changed)).capped(50).labels == (second, changed)


def test_the_cap_keeps_the_latest_of_either_kind() -> None:
    """Of three shortlisted and five rejected after them, four: two and two; of one and five, one and three."""
    labels = [FeedbackLabel("a", "job", str(at), at < 3, {}) for at in range(8)]

    def kept(some: list[FeedbackLabel]) -> list[str]:
        return [label.resume for label in Feedback(tuple(some)).capped(4).labels]

    assert kept(labels) == ["1", "2", "6", "7"]
    assert kept(labels[2:]) == ["2", "5", "6", "7"]
    assert kept(labels[3:]) == ["4", "5", "6", "7"]
    assert kept(labels[:4]) == ["0", "1", "2", "3"]


def test_pairs_are_of_one_user_and_one_job() -> None:
    labels = [
        FeedbackLabel("a", "x", "1", True, {}),
        FeedbackLabel("a", "x", "2", False, {}),
        FeedbackLabel("a", "x", "3", False, {}),
        FeedbackLabel("a", "y", "4", False, {}),
        FeedbackLabel("b", "x", "5", False, {}),
    ]
    pairs = Feedback(tuple(labels)).pairs()
    assert [(pair.better.resume, pair.worse.resume, pair.weight) for pair in pairs] == [
        ("1", "2", 2.0),
        ("1", "3", 2.0),
    ]


def contradicting() -> Feedback:
    """What is held out says the opposite of what is learned from."""
    labels = []
    for at in range(80):
        words = at % 2
        is_held_out = zlib.crc32(f"r{at}".encode()) % 4 == 0
        shares = {"role": float(words), "words": 1.0 - words}
        labels.append(FeedbackLabel("a", "job", f"r{at}", bool(words) is is_held_out, shares))
    return Feedback(tuple(labels))


def test_the_gate_refuses_weights_that_do_worse(tmp_path: Path) -> None:
    proposal = learn_weights(contradicting())
    assert proposal.accuracy_before == 1.0
    assert proposal.accuracy_after is not None
    assert proposal.accuracy_after < 1.0
    history = WeightsHistory(tmp_path)
    with pytest.raises(UsageError, match=r"Not adopted\. No better on decisions held out"):
        history.adopt(proposal, about={})
    assert history.in_force() == WeightsInForce(0, Weights())
    assert history.versions() == []


def test_nothing_is_adopted_unseen() -> None:
    proposal = learn_weights(Feedback(()))
    assert proposal.weights == Weights()
    assert proposal.refusal == (
        "Too few decisions to learn from: 0 shortlisted or offered and 0 rejected, by people who did both for the "
        "same job; 20 of each are needed."
    )
    enough_but_all_learned_from = [
        FeedbackLabel("a", "job", resume, at % 2 == 0, {"words": at % 2})
        for at, resume in enumerate([name for name in map(str, range(99)) if zlib.crc32(name.encode()) % 4][:48])
    ]
    assert (
        learn_weights(Feedback(tuple(enough_but_all_learned_from))).refusal
        == "None of the decisions could be held out to judge by."
    )


OTHER_TASTE = {"role": 60.0, "desirable": 40.0}
CHANGED = [label for user in "abcd" for label in give(user, f"new {user}", 50, seed=ord(user), taste=OTHER_TASTE)]


def test_rolling_back_restores_the_bytes(tmp_path: Path) -> None:
    history = WeightsHistory(tmp_path / "weights")
    first = learn_weights(Feedback(tuple(HONEST)))
    assert history.adopt(first, about={"by": "ann"}) == 1
    before = (tmp_path / "weights" / "current.json").read_bytes()
    second = learn_weights(Feedback((*HONEST, *CHANGED)), start=first.weights)
    assert history.adopt(second, about={"by": "bob"}) == 2
    assert history.in_force() == WeightsInForce(2, second.weights)
    assert second.weights != first.weights
    assert history.roll_back(1) == WeightsInForce(1, first.weights)
    assert (tmp_path / "weights" / "current.json").read_bytes() == before
    assert (history.in_force().version, history.versions()) == (1, [1, 2])
    assert [(entry["version"], entry["before"], entry["by"]) for entry in history.entries()] == [
        (1, 0, "ann"),
        (2, 1, "bob"),
    ]
    assert history.roll_back(0) == WeightsInForce(0, Weights()) == history.in_force()
    with pytest.raises(UsageError, match="no version 7"):
        history.roll_back(7)


def test_without_a_number_the_way_back_is_the_way_it_came(tmp_path: Path) -> None:
    history = WeightsHistory(tmp_path)
    first = learn_weights(Feedback(tuple(HONEST)))
    history.adopt(first, about={})
    history.adopt(learn_weights(Feedback((*HONEST, *CHANGED)), start=first.weights), about={})
    history.roll_back(0)
    history.adopt(first, about={})  # 3, which came after the defaults and not after 2
    assert history.roll_back() == WeightsInForce(0, Weights())
    with pytest.raises(UsageError, match="nothing to go back from"):
        history.roll_back()
    history.roll_back(2)
    assert history.roll_back() == WeightsInForce(1, first.weights)


def test_weights_adopted_meanwhile_are_not_overruled(tmp_path: Path) -> None:
    history = WeightsHistory(tmp_path)
    first = learn_weights(Feedback(tuple(HONEST)))
    history.adopt(first, about={})
    with pytest.raises(UsageError, match="adopted meanwhile"):
        history.adopt(first, about={})
    assert history.versions() == [1]


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"version":1,"before":0,"weights":{"words":-1}}'])
def test_damaged_weights_order_nobody(tmp_path: Path, damage: bytes) -> None:
    history = WeightsHistory(tmp_path)
    history.adopt(learn_weights(Feedback(tuple(HONEST))), about={})
    (tmp_path / "current.json").write_bytes(damage)
    with pytest.raises(StoreError, match="are damaged"):
        history.in_force()
    assert history.roll_back(1).version == 1


def test_who_taught_how_much() -> None:
    """Of mallory's 60 the latest 50 count; carl said the same of all, which tells nothing."""
    labels = [*give("ann", "x", 20, seed=1), *give("mallory", "y", 60, seed=2)]
    labels += [FeedbackLabel("carl", "x", f"carl-{at}", True, {"words": 1.0}) for at in range(9)]
    ann, mallory = learn_weights(Feedback(tuple(labels))).users
    held_out = sum(zlib.crc32(label.resume.encode()) % 4 == 0 for label in labels[:20])
    assert ann == LabelTally("ann", 20, 0, 20 - held_out, held_out)
    assert (mallory.user, mallory.given, mallory.capped) == ("mallory", 60, 10)
    assert mallory.learned + mallory.held_out == 50


def test_chance_by_hand() -> None:
    """Two of four are shortlisted, the two with a degree: of the 6 ways to deal that out only this gains as much."""
    labels = [FeedbackLabel("a", "job", str(at), at < 2, {"education": float(at < 2), "words": 0.5}) for at in range(4)]
    chance = measure_chance(Weights(education=0), Weights(), Feedback(tuple(labels)))
    assert chance == pytest.approx(1 / 6, abs=0.03)
    assert measure_chance(Weights(), Weights(), Feedback(tuple(labels))) == 1.0


def test_noise_passes_no_more_often_than_allowed() -> None:
    """Labels drawn by lot, 100 times: 5 % may pass; 12 of 100 or more would in fewer than 1 of 200 such tests."""
    passed = 0
    for seed in range(100):
        rng = random.Random(seed)
        labels = [
            FeedbackLabel(label.user, label.job, f"{seed}-{label.resume}", rng.random() < 0.5, label.shares)
            for label in HONEST
        ]
        passed += learn_weights(Feedback(tuple(labels))).refusal is None
    assert passed < 12


def test_the_same_labels_give_the_same_version_and_weights() -> None:
    once, again = (learn_weights(Feedback(tuple(HONEST))) for _ in range(2))
    assert once == again
    assert once.labels == Feedback(tuple(HONEST)).version != Feedback(tuple(HONEST[1:])).version


def test_weights_learned_for_the_parts_of_an_earlier_ranker_are_not_in_force(tmp_path: Path) -> None:
    entry = {"version": 1, "before": 0, "weights": {"words": 60.0, "must_haves": 40.0}}
    for name in ("0001.json", "current.json"):
        (tmp_path / name).write_text(json.dumps(entry))
    history = WeightsHistory(tmp_path)
    assert history.in_force() == WeightsInForce(0, Weights())
    assert [one["version"] for one in history.entries()] == [1]
    with pytest.raises(UsageError, match="earlier ranker"):
        history.roll_back(1)
