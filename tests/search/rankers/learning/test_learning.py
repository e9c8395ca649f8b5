"""A planted taste is learned, one loud teacher cannot undo it, worse weights stay out, and there is a way back."""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from evenhand.search.rankers.best import Weights
from evenhand.search.rankers.learning import Feedback, Label, WeightsHistory, learn_weights
from evenhand.search.rankers.learning.training import LEARNABLE, measure_accuracy

TASTE = {"experience": 70.0, "words": 20.0, "education": 10.0}
"""What the screeners of these tests go by."""


def give(user: str, job: str, n: int, *, seed: int, taste: Mapping[str, float] = TASTE) -> list[Label]:
    """Labels of resumes with random shares: the better half by the taste is shortlisted."""
    rng = random.Random(seed)
    shares = [{name: round(rng.random(), 6) for name in LEARNABLE if name != "meaning"} for _ in range(n)]
    worth = [sum(points * each[name] for name, points in taste.items()) for each in shares]
    middle = sorted(worth)[n // 2]
    return [
        Label(user, job, f"{user}-{job}-{at}", worth[at] >= middle, each) for at, each in enumerate(shares)
    ]


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
    assert proposal.adopted
    assert right(Weights()) < 0.85
    assert right(learned) > 0.95
    assert learned.experience > learned.words > max(learned.title, learned.must_haves, learned.nice_to_haves)
    assert sum(learned.to_json().values()) == pytest.approx(sum(Weights().to_json().values()), abs=1e-3)
    assert min(learned.to_json().values()) >= 0


def test_a_taste_against_a_feature_ends_at_0() -> None:
    labels = [
        label for user in "ab" for label in give(user, "job", 50, seed=7, taste={"words": -50, "title": 50})
    ]
    assert learn_weights(Feedback(tuple(labels))).weights.words == 0


def test_one_user_with_many_labels_cannot_turn_it_round() -> None:
    flood = give("mallory", "job m", 600, seed=9, taste=REVERSED)
    feedback = Feedback((*HONEST, *flood))
    assert right(learn_weights(feedback).weights) > 0.9
    # It is the cap that holds: without it the flood decides.
    assert right(learn_weights(feedback, labels_per_user=10_000).weights) < 0.5


def test_labels_given_again_replace_and_count_once() -> None:
    first, second = give("a", "job", 2, seed=3)
    changed = Label("a", "job", first.resume, not first.shortlisted, first.shares)
    assert Feedback((first, second, changed)).capped(50).labels == (second, changed)
    assert Feedback((first, second)).capped(1).labels == (second,)


def test_pairs_are_of_one_user_and_one_job() -> None:
    labels = [
        Label("a", "x", "1", True, {}),
        Label("a", "x", "2", False, {}),
        Label("a", "x", "3", False, {}),
        Label("a", "y", "4", False, {}),
        Label("b", "x", "5", False, {}),
    ]
    pairs = Feedback(tuple(labels)).pairs()
    assert [(pair.better.resume, pair.worse.resume, pair.weight) for pair in pairs] == [
        ("1", "2", 2.0),
        ("1", "3", 2.0),
    ]


def test_institutions_are_learned_only_when_allowed() -> None:
    labels = [
        Label("a", "job", f"r{at}", bool(at % 2), {"institutions": float(at % 2), "words": 0.5})
        for at in range(40)
    ]
    feedback = Feedback(tuple(labels))
    assert learn_weights(feedback).weights.institutions == 0
    assert learn_weights(feedback, learn_institutions=True).weights.institutions > 1


def contradicting() -> Feedback:
    """What is held out says the opposite of what is learned from."""
    labels = []
    for at in range(80):
        words = at % 2
        is_held_out = zlib.crc32(f"r{at}".encode()) % 4 == 0
        labels.append(
            Label("a", "job", f"r{at}", bool(words) is is_held_out, {"words": float(words), "title": 0.5})
        )
    return Feedback(tuple(labels))


def test_the_gate_refuses_weights_that_do_worse(tmp_path: Path) -> None:
    proposal = learn_weights(contradicting())
    assert proposal.accuracy_before == 1.0
    assert proposal.accuracy_after is not None
    assert proposal.accuracy_after < 1.0
    assert not proposal.adopted
    history = WeightsHistory(tmp_path)
    with pytest.raises(ValueError, match="not adopted"):
        history.adopt(proposal)
    assert history.current() == Weights()
    assert history.versions() == []


def test_nothing_is_adopted_unseen() -> None:
    proposal = learn_weights(Feedback(()))
    assert proposal.weights == Weights()
    assert not proposal.adopted


def test_rolling_back_restores_the_bytes(tmp_path: Path) -> None:
    history = WeightsHistory(tmp_path / "weights")
    first = learn_weights(Feedback(tuple(HONEST)))
    assert history.adopt(first) == 1
    before = (tmp_path / "weights" / "current.json").read_bytes()
    more = (*HONEST, *give("e", "job e", 40, seed=2))
    second = learn_weights(Feedback(more), start=history.current())
    assert history.adopt(second) == 2
    assert history.current() == second.weights != first.weights
    assert history.roll_back(1) == first.weights
    assert (tmp_path / "weights" / "current.json").read_bytes() == before
    assert (history.current_version(), history.versions()) == (1, [1, 2])
    assert history.roll_back(0) == Weights() == history.current()
    with pytest.raises(ValueError, match="no version 7"):
        history.roll_back(7)


def test_the_same_labels_give_the_same_version_and_weights() -> None:
    once, again = (learn_weights(Feedback(tuple(HONEST))) for _ in range(2))
    assert once == again
    assert once.labels == Feedback(tuple(HONEST)).version != Feedback(tuple(HONEST[1:])).version
