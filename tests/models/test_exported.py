"""What was trained with torch judges without it: the same logits from the exported arrays, for every kind of design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evenhand.models.architectures import ARCHITECTURES, Architecture
from evenhand.models.inference.loading import load_network
from evenhand.models.manifest import EncoderStamp, write_card
from evenhand.models.registry import Artefact, load_artefact, save_artefact
from evenhand.models.training.encoders import Tuning
from evenhand.models.training.examples import TrainingExample
from evenhand.models.training.export import export
from evenhand.models.training.loop import Schedule, TrainedNetwork, train_network
from tests.explain.gradients.by_hand import FEATURES, JOB, LABELS, RESUMES, small
from tests.models.encoder.tiny_bert import write_tiny_bert_for_transformers
from tests.models.manifests import make_manifest
from tests.models.tiny_roberta import write_roberta

CASES: dict[str, tuple[Architecture, Tuning, Sequence[str]]] = {
    "Wr": (small(ARCHITECTURES["Wr"]), Tuning(), ()),
    "P+I": (replace(small(ARCHITECTURES["P+I"]), whole_tokens=6), Tuning(rank=2), ()),
    "C+I, features": (small(ARCHITECTURES["C+I"]), Tuning(layers=2), FEATURES),
    "C, full": (small(ARCHITECTURES["C"]), Tuning("full", layers=1), ()),
    "Wr+b": (small(ARCHITECTURES["Wr+b"]), Tuning(), ()),
    "C+I+J, features": (small(ARCHITECTURES["C+I+J"]), Tuning(), FEATURES),
    "C+I+J+A": (small(ARCHITECTURES["C+I+J+A"]), Tuning(), ()),
    "C+I+J+A-E, two blocks": (small(ARCHITECTURES["C+I+J+A-E"], shared_attention=False), Tuning(), FEATURES),
}


@pytest.fixture(scope="module")
def roberta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_roberta(tmp_path_factory.mktemp("encoder") / "tiny-roberta")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert_for_transformers(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.mark.parametrize("case", CASES)
def test_the_same_logits(case: str, encoder: Path, tmp_path: Path) -> None:
    assert_same_logits(*CASES[case], encoder, tmp_path)


@pytest.mark.parametrize("case", ["C+I, features", "C, full", "C+I+J+A"])
def test_the_same_logits_on_a_roberta(case: str, roberta: Path, tmp_path: Path) -> None:
    assert_same_logits(*CASES[case], roberta, tmp_path)


def assert_same_logits(
    architecture: Architecture, tuning: Tuning, features: Sequence[str], encoder: Path, folder: Path
) -> None:
    job = 0 if architecture.needs_job else None
    examples = [TrainingExample(resume, label, job) for label, resume in enumerate(RESUMES)]
    trained = train_network(
        architecture,
        examples,
        examples,
        labels=LABELS,
        jobs=(JOB,) if architecture.needs_job else (),
        features=features,
        encoder=encoder,
        tuning=tuning,
        schedule=Schedule(epochs=8, rate=0.02, head_rate=0.1, feature_rate=0.1, dropout=0.0, blind=0.0),
    )
    artefact = saved(trained, folder)
    judge = load_network(artefact, encoders=(encoder,), precision="fp32", cache=None, threads=1)
    found = judge.logits(RESUMES, job_text=JOB if architecture.needs_job else None)
    expected = trained.logits(examples)
    assert np.ptp(expected, axis=0).max() > 0.5  # it has learned to tell them apart
    # Half precision keeps three digits of what is added to the encoder and of the head.
    np.testing.assert_allclose(found, expected, atol=0.01, rtol=0.005)


def saved(trained: TrainedNetwork, folder: Path) -> Artefact:
    exported = export(trained)
    stamp = EncoderStamp(**exported.settings["encoder"])
    manifest = make_manifest(labels=LABELS, settings=exported.settings, encoder=stamp)
    save_artefact(folder, manifest, exported.tensors, write_card(manifest))
    return load_artefact(folder)
