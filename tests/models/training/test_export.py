"""What training exports judges resumes without torch, and says the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.inference.loading import load_network
from evenhand.models.manifest import EncoderStamp
from evenhand.models.registry import load_artefact, save_artefact
from evenhand.models.training.encoders import Tuning
from evenhand.models.training.examples import TrainingExample
from evenhand.models.training.export import export
from evenhand.models.training.loop import Schedule, train_network
from tests.models.manifests import make_manifest
from tests.models.training.small_bert import WORDS, chance_words, resume

JOBS = ("a b c d e", "f g")


def some_examples(count: int) -> list[TrainingExample]:
    rng = np.random.default_rng(count)
    rows = []
    for number in range(count):
        texts = [(kind, chance_words(rng, int(rng.integers(1, 25)), WORDS)) for kind in (0, 2, 4)]
        features = {"months": float(rng.integers(0, 60))} if number % 3 else {}
        rows.append(TrainingExample(resume(*texts[: 1 + number % 3], **features), number % 2, number // 2 % 2))
    return rows


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_a_judge_says_what_the_trained_network_says(small_bert: Path, tmp_path: Path, name: str) -> None:
    architecture = replace(
        ARCHITECTURES[name],
        whole_tokens=20,
        chunk_tokens=6,
        heads=4,
        shared_attention=not name.startswith("P"),
        pooling="mean" if name == "C" else "sum",
    )
    rows = some_examples(40)
    trained = train_network(
        architecture,
        rows[:24],
        rows[24:],
        labels=("low", "high"),
        jobs=JOBS if architecture.needs_job else (),
        features=() if name == "C" else ("months",),
        encoder=small_bert,
        tuning=Tuning("full", None) if name == "P+I" else Tuning(rank=4, below_attention=name == "C+I+J+A"),
        schedule=Schedule(epochs=2, rate=5e-3, head_rate=2e-2),
    )
    exported = export(trained)
    encoder = EncoderStamp(**exported.settings.pop("encoder"))
    manifest = make_manifest(settings=exported.settings, encoder=encoder, temperature=1.0)
    save_artefact(tmp_path / "model", manifest, exported.tensors, "A card.")
    judge = load_network(
        load_artefact(tmp_path / "model"), encoders=(small_bert,), precision="fp32", cache=None, threads=1
    )
    for place, text in enumerate(JOBS):
        expected = trained.logits([replace(row, job=place) for row in rows])
        found = judge.logits([row.resume for row in rows], job_text=text)
        assert expected.std() > 0.02
        # Lost are half precision of states and arrays, and bytes in attention.
        np.testing.assert_allclose(found, expected, atol=0.03 * np.abs(expected).max())
