"""A model's two halves, one behind the other, say what the model says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.concept_removal import logits_from_rows, represent
from evenhand.models.encoder.loading import load_encoder
from evenhand.models.inference.loading import load_classifier, load_network
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.linear.model import LinearModel, VectorPart, VectorReading
from evenhand.models.linear.storing import LinearClassifier
from evenhand.models.registry import SHIPPED, load_artefact
from tests.explain.gradients.by_hand import JOB, RESUMES, draw_network, small
from tests.explain.small_joined import BODY, LABELS, TITLES
from tests.models.encoder.tiny_bert import write_tiny_bert
from tests.models.manifests import make_manifest

WRITTEN = [
    ResumeInput((SectionText("Work Experience", "fresh bread every ward and patients"),), ("Cook", "Nurse")),
    ResumeInput((SectionText("Skills", "ward ward bread"),), ()),
    ResumeInput(()),
]


@pytest.mark.parametrize("architecture", ["C+I", "C+I+J+A"])
def test_of_a_network(architecture: str, tmp_path: Path) -> None:
    encoder = write_tiny_bert(tmp_path / "tiny")
    artefact = draw_network(tmp_path / "model", encoder, small(ARCHITECTURES[architecture]), features=True)
    judge = load_network(artefact, encoders=(encoder,), precision="fp32", cache=None, threads=1)
    job_text = JOB if judge.architecture.needs_job else None
    rows = represent(judge, RESUMES, job_text=job_text)
    whole = judge.logits(RESUMES, job_text=job_text)
    np.testing.assert_allclose(logits_from_rows(judge, rows), whole, atol=1e-5)
    assert np.ptp(whole, axis=0).max() > 1e-3


def test_of_a_joined_model_with_words_and_vectors(tmp_path: Path) -> None:
    encoder = load_encoder(write_tiny_bert(tmp_path / "tiny"))
    rng = np.random.default_rng(0)
    reading = VectorReading("meaning", "body", 2.0)
    mean, weights = rng.normal(size=(2, encoder.dimension, 2)).astype(np.float32)
    part = VectorPart(reading, mean[:, 0], weights)
    model = LinearModel(LABELS, np.array([0.5, -0.25], np.float32), (BODY, TITLES), (part,))
    manifest = make_manifest(name="trades", task="occupation", labels=LABELS, kind="joined", outcome="single")
    judge = LinearClassifier(manifest, model, encoder)
    rows = represent(judge, WRITTEN)
    assert rows.shape == (3, 4 + 2 + encoder.dimension)
    np.testing.assert_allclose(logits_from_rows(judge, rows), judge.logits(WRITTEN), atol=1e-5)


@pytest.mark.parametrize("name", ["occupation", "it-roles"])
def test_of_the_models_of_occupation_that_ship(name: str) -> None:
    judge = load_classifier(load_artefact(SHIPPED / name))
    assert isinstance(judge, LinearClassifier)
    np.testing.assert_allclose(logits_from_rows(judge, represent(judge, WRITTEN)), judge.logits(WRITTEN), atol=1e-5)
