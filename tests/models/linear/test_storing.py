"""A joined model saved, read back, refused when its files do not fit, and judging as before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evenhand.errors import ModelMalformed, ModelUnfit
from evenhand.models.encoder.weights import find_source
from evenhand.models.inference.loading import load_classifier
from evenhand.models.linear.model import LinearModel, VectorPart, VectorReading
from evenhand.models.linear.storing import VOCABULARY, from_artefact
from evenhand.models.manifest import EncoderStamp, Manifest
from evenhand.models.registry import load_artefact, save_artefact
from evenhand_lab.training.linear import compact, fit, prepare, to_bytes, to_settings, to_tensors, to_vocabulary
from tests.models.encoder.tiny_bert import write_tiny_bert
from tests.models.linear.made_resumes import LABELS, RECIPE, resumes
from tests.models.manifests import make_manifest


@pytest.fixture(scope="module")
def model() -> LinearModel:
    made, gold = resumes()
    prepared = prepare(made, RECIPE, allowed=lambda term: True)
    return compact(fit(prepared, gold, LABELS, RECIPE, chosen=range(20), seed=0))


def manifest_of(model: LinearModel, **changes: object) -> Manifest:
    plain = {"kind": "joined", "task": "occupation", "outcome": "single", "labels": LABELS, "encoder": None}
    return make_manifest(**{**plain, "settings": to_settings(model), "temperature": 0.5, **changes})


def save(model: LinearModel, folder: Path, **changes: object) -> Path:
    texts = {VOCABULARY: to_vocabulary(model)}
    save_artefact(folder, manifest_of(model, **changes), to_tensors(model), "card", texts=texts)
    return folder


def test_one_byte_is_off_by_half_a_step_at_most() -> None:
    coefficients = np.array([[1.0, -0.3], [0.1, 0.0], [-2.54, 0.2]], np.float32)
    scale, small = to_bytes(coefficients)
    assert scale.tolist() == pytest.approx([0.02, 0.3 / 127])
    assert small[:, 0].tolist() == [50, 5, -127]
    assert (np.abs(small * scale - coefficients) <= scale / 2 + 1e-7).all()


def test_a_model_is_read_back_as_it_was(model: LinearModel, tmp_path: Path) -> None:
    made, _ = resumes()
    back = from_artefact(load_artefact(save(model, tmp_path)))
    assert back.terms[1].terms == model.terms[1].terms
    assert np.abs(back.logits(made) - model.logits(made)).max() < 1e-6


def test_the_same_model_gives_the_same_bytes(model: LinearModel, tmp_path: Path) -> None:
    first, second = save(model, tmp_path / "a"), save(model, tmp_path / "b")
    for path in sorted(first.iterdir()):
        assert path.read_bytes() == (second / path.name).read_bytes()


def test_a_judge_gives_calibrated_probabilities_whatever_the_batch(model: LinearModel, tmp_path: Path) -> None:
    made, _ = resumes()
    judge = load_classifier(load_artefact(save(model, tmp_path)))
    together = judge.predict(made)
    logits = model.logits(made[:1])[0]
    odds = np.exp((logits[0] - logits[1]) / 0.5)
    assert together[0, 0] == pytest.approx(odds / (1 + odds), abs=1e-6)
    assert together.sum(axis=1).tolist() == pytest.approx([1.0] * 20)
    alone = np.concatenate([judge.predict([one]) for one in made])
    assert np.abs(alone - together).max() < 1e-9
    assert judge.note == ""


def test_several_labels_have_a_probability_each(model: LinearModel, tmp_path: Path) -> None:
    made, _ = resumes()
    judge = load_classifier(load_artefact(save(model, tmp_path, outcome="several", temperature=1.0)))
    expected = 1 / (1 + np.exp(-model.logits(made[:2])))
    assert np.abs(judge.predict(made[:2]) - expected).max() < 1e-6


def test_a_neural_part_is_judged_with_the_very_encoder(model: LinearModel, tmp_path: Path) -> None:
    made, _ = resumes()
    folder = write_tiny_bert(tmp_path / "bert")
    part = VectorPart(VectorReading("meaning", "titles", 1.0), np.zeros(32, np.float32), np.ones((32, 2), np.float32))
    whole = replace(model, vectors=(part,))
    stamp = EncoderStamp("tiny", dict(find_source(folder).sha256))
    artefact = load_artefact(save(whole, tmp_path / "model", encoder=stamp))
    assert load_classifier(artefact, encoders=[folder]).predict(made[:1]).shape == (1, 2)
    other = write_tiny_bert(tmp_path / "other", seed=1)
    with pytest.raises(ModelUnfit, match="tiny"):
        load_classifier(artefact, encoders=[other])


@pytest.mark.parametrize(
    ("spoil", "words"), [("a line of another kind\n", "no part and term"), ("body\tbread\n", "size")]
)
def test_terms_that_do_not_fit_the_weights_are_refused(
    model: LinearModel, tmp_path: Path, spoil: str, words: str
) -> None:
    save_artefact(tmp_path, manifest_of(model), to_tensors(model), "card", texts={VOCABULARY: spoil})
    with pytest.raises(ModelMalformed, match=words):
        from_artefact(load_artefact(tmp_path))


def test_an_unknown_source_is_refused(model: LinearModel, tmp_path: Path) -> None:
    settings = to_settings(model)
    settings["terms"][0]["source"] = "photo"
    save(model, tmp_path, settings=settings)
    with pytest.raises(ModelMalformed, match="photo"):
        from_artefact(load_artefact(tmp_path))
