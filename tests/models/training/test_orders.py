"""The published order of networks, where the data carries its cause."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from evenhand.models.architectures import ARCHITECTURES, Architecture
from evenhand.models.training.examples import TrainingExample
from evenhand.models.training.loop import Schedule, train_network
from tests.models.training.small_bert import chance_words, resume
from tests.models.training.tasks import FILLERS, FULL, Maker, accuracy, examples, placed_evidence


def tight(name: str) -> Architecture:
    return replace(ARCHITECTURES[name], whole_tokens=16, chunk_tokens=8)


def learn(folder: Path, architecture: Architecture, make: Maker, epochs: int) -> float:
    """Accuracy on resumes that were not seen."""
    schedule = Schedule(epochs=epochs, batch=16, rate=2e-3, head_rate=5e-3, patience=epochs, dropout=0)
    trained = train_network(
        architecture,
        examples(make, 240, 1),
        examples(make, 40, 2),
        labels=("no", "yes"),
        encoder=folder,
        tuning=FULL,
        schedule=schedule,
    )
    return accuracy(trained, examples(make, 120, 3))


def late_evidence(rng: np.random.Generator, label: int) -> TrainingExample:
    """30 words of work experience, of which the third before the last decides."""
    words = chance_words(rng, 30, FILLERS).split()
    words[27] = "ab"[label]
    return TrainingExample(resume((2, " ".join(words))), label)


def test_chunks_see_what_a_trimmed_resume_has_lost(small_bert: Path) -> None:
    whole = learn(small_bert, tight("Wr"), late_evidence, 5)
    chunked = learn(small_bert, tight("C"), late_evidence, 5)
    assert whole < 0.65
    assert chunked > 0.9
    assert chunked - whole >= 0.1


def test_section_vectors_tell_the_same_word_in_two_sections_apart(small_bert: Path) -> None:
    without = learn(small_bert, tight("C"), placed_evidence, 5)
    with_sections = learn(small_bert, tight("C+I"), placed_evidence, 5)
    assert without < 0.65
    assert with_sections > 0.9
    assert with_sections - without >= 0.1
