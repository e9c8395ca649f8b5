"""The bench of predictions: the peer computes the same, and figures worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.inference.loading import load_network
from evenhand_lab.benchmarks.plain_transformers import open_plain
from evenhand_lab.benchmarks.predict import Predicting, TimedPrediction, compared
from tests.explain.gradients.by_hand import RESUMES, draw_network, small
from tests.models.encoder.tiny_bert import write_tiny_bert_for_transformers


@pytest.mark.parametrize("size", [1, 3])
def test_the_peer_computes_the_same(tmp_path: Path, size: int) -> None:
    encoder = write_tiny_bert_for_transformers(tmp_path / "tiny")
    artefact = draw_network(tmp_path / "model", encoder, small(ARCHITECTURES["C+I"]))
    judge = load_network(artefact, encoders=(encoder,), precision="fp32", cache=None, threads=1)
    sequences = [sequence for resume in RESUMES for sequence in judge.cut(resume).sequences]
    ours, peers = (np.zeros((len(sequences), 32), np.float32) for _ in range(2))
    for encoded in judge.encoder.run(sequences):
        ours[encoded.places] = encoded.values
    for encoded in open_plain(artefact, encoder, size=size).run(sequences):
        peers[encoded.places] = encoded.values
    np.testing.assert_allclose(ours, peers, atol=1e-5)


def test_figures_by_hand() -> None:
    expected = np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.8, 0.2]])
    found = np.array([[0.8, 0.2], [0.6, 0.4], [0.3, 0.7], [0.8, 0.2]])
    ours = compared("int8", 2.0, found, expected)
    assert (ours.agreement, round(ours.difference, 6)) == (0.75, 0.2)
    peers = (TimedPrediction("1 chunk at once", 8.0, 1.0, 0.0), TimedPrediction("8 chunks at once", 7.0, 1.0, 0.0))
    bench = Predicting(
        "level 1 (C+I)", 14, 20, 1400, (ours, ours), peers, TimedPrediction("its pipeline", 9.0, 1.0, 0.0)
    )
    assert bench.ratio == 3.5  # of the faster peer
    assert ("Evenhand, int8", "7.00 resumes/s, 700 tokens/s") in bench.rows()
    assert ("times as fast as the pipeline", "4.50 (at least 3)") in bench.rows()
    assert ("times as fast as the fastest of all", "3.50") in bench.rows()
    assert (bench.to_json()["ratio"], bench.to_json()["pipeline_ratio"]) == (3.5, 4.5)
