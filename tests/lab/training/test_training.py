"""Learning: agreement with the library that learns, what is kept, and what is saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pycrfsuite
import pytest

from evenhand.mining.crf import Crf, load, save
from evenhand_lab.training.crf import LabelledSequence, TrainingSettings, common_attributes, train

WEATHER = [
    LabelledSequence("a", [["wet"], ["wet", "cold"], ["dry"]], ["rain", "rain", "sun"]),
    LabelledSequence("b", [["dry"], ["dry", "cold"]], ["sun", "sun"]),
    LabelledSequence("c", [["cold"], ["wet"], ["dry", "warm"], ["warm"]], ["rain", "rain", "sun", "sun"]),
]


def random_model(seed: int = 0) -> Crf:
    """With weights of float64, which finite differences need."""
    rng = np.random.default_rng(seed)
    attributes = {name: row for row, name in enumerate(("wet", "dry", "cold", "warm"))}
    weights, transitions = rng.normal(size=(4, 3)), rng.normal(size=(3, 3))
    return Crf(("cloud", "rain", "sun"), attributes, weights, transitions, {})  # type: ignore[arg-type]


def test_labels_and_probabilities_are_those_of_the_library(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    words = [f"w{number}" for number in range(12)]
    sequences = [
        LabelledSequence(
            str(number),
            [[str(word) for word in rng.choice(words, 3)] for _ in range(6)],
            [str(label) for label in rng.choice(["B", "I", "O"], 6)],
        )
        for number in range(30)
    ]
    model = train(sequences, TrainingSettings(l2=0.1, iterations=30))
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.0, "c2": 0.1, "max_iterations": 30, "feature.possible_transitions": True})
    for sequence in sequences:
        trainer.append(sequence.attributes, sequence.labels)
    trainer.train(str(tmp_path / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    for sequence in sequences:
        labels, chances = model.tag(sequence.attributes)
        assert labels == tagger.tag(sequence.attributes)
        shares = [tagger.marginal(label, place) for place, label in enumerate(labels)]
        assert chances == pytest.approx(shares, abs=1e-5)
        together, all_chances = model.decode(model.scores(sequence.attributes), [6])
        assert together == labels
        chosen = [all_chances[place, model.labels.index(label)] for place, label in enumerate(labels)]
        assert chosen == pytest.approx(shares, abs=1e-4)


def test_an_attribute_of_few_resumes_is_not_learned() -> None:
    sequences = [
        LabelledSequence(str(number), [["common", "shared"] if number < 4 else ["common"]], ["x" if number else "y"])
        for number in range(6)
    ]
    sequences.append(LabelledSequence("0", [["shared"]], ["x"]))  # again the first resume, which counts once
    assert common_attributes(sequences, 5) == {"common"}
    assert set(train(sequences, TrainingSettings(documents=5)).attributes) == {"common"}
    assert set(train(sequences, TrainingSettings(documents=4)).attributes) == {"common", "shared"}


def test_unknown_attributes_and_empty_places_count_nothing() -> None:
    model = random_model()
    scores = model.scores([["wet", "never seen"], [], ["wet", "wet"]])
    wet = model.weights[0].astype(np.float32)
    np.testing.assert_allclose(scores, [wet, np.zeros(3), 2 * wet], rtol=1e-6)
    assert model.tag([]) == ([], [])


def test_saved_and_loaded_is_the_same_and_gives_the_same_bytes(tmp_path: Path) -> None:
    model = train(WEATHER, TrainingSettings(l2=0.5, iterations=50))
    save(model, tmp_path / "first.crf")
    loaded = load(tmp_path / "first.crf")
    save(loaded, tmp_path / "second.crf")
    assert (tmp_path / "first.crf").read_bytes() == (tmp_path / "second.crf").read_bytes()
    assert (loaded.labels, loaded.attributes, loaded.about) == (model.labels, model.attributes, model.about)
    np.testing.assert_array_equal(loaded.transitions, model.transitions)
    np.testing.assert_allclose(loaded.weights, model.weights, atol=1e-3)  # saved with half the digits


def test_the_same_resumes_give_the_same_model(tmp_path: Path) -> None:
    for name in ("one", "two"):
        save(train(WEATHER, TrainingSettings()), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
