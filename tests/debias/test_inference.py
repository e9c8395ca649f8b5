"""Removal inside an encoder and inside a model: what it takes away is away, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.debias.decomposition import decompose
from evenhand.debias.erasers import RemovalRecipe
from evenhand.debias.learned_removal import ConceptRemoval, save_removal
from evenhand.errors import ModelUnfit
from evenhand.models.concept_removal import (
    DebiasedClassifier,
    LinearMap,
    classifier_without_concepts,
    debias_classifier,
    debias_encoder,
    identity,
    represent,
    subtract,
)
from evenhand.models.encoder.loading import encoder_for, load_encoder
from evenhand.models.inference.loading import load_classifier
from evenhand.models.registry import SHIPPED, load_artefact
from evenhand.search.ranking import encoder_of
from evenhand.settings import Settings
from tests.models.encoder.tiny_bert import write_tiny_bert
from tests.models.test_classifiers import WRITTEN

TEXTS = ["fresh bread every morning", "patients on the ward", ""]


def removal(change: LinearMap, source: str) -> ConceptRemoval:
    rows = np.random.default_rng(0).normal(size=(40, change.dimension))
    found = decompose(rows, rank=2, method="svd")
    return ConceptRemoval(
        change, found, (), RemovalRecipe("svd", 2, 1), "occupation", ("gender",), source, "chosen by hand"
    )


def test_vectors_lose_the_direction_and_keep_their_length(tmp_path: Path) -> None:
    encoder = load_encoder(write_tiny_bert(tmp_path / "tiny"))
    direction = np.zeros((encoder.dimension, 1))
    direction[3] = 1.0
    erased = debias_encoder(encoder, removal(subtract(direction), f"{encoder.name} {encoder.version}"))
    before, after = encoder.encode(TEXTS), erased.encode(TEXTS)
    np.testing.assert_allclose(after[:, 3], 0.0, atol=1e-7)
    np.testing.assert_allclose(np.linalg.norm(after, axis=1), [1.0, 1.0, 0.0], atol=1e-6)
    kept = np.delete(before[:2], 3, axis=1)
    np.testing.assert_allclose(
        np.delete(after[:2], 3, axis=1), kept / np.linalg.norm(kept, axis=1, keepdims=True), atol=1e-6
    )
    assert erased.windows("one two") == encoder.windows("one two")


def test_a_removal_for_something_else_is_refused(tmp_path: Path) -> None:
    encoder = load_encoder(write_tiny_bert(tmp_path / "tiny"))
    with pytest.raises(ModelUnfit, match="for rows of another 1"):
        debias_encoder(encoder, removal(identity(encoder.dimension), "another 1"))


def test_a_model_without_a_term_does_not_hear_it() -> None:
    judge = load_classifier(load_artefact(SHIPPED / "occupation"))
    source = f"model {judge.manifest.name} {judge.manifest.version}"
    width = represent(judge, WRITTEN[:1]).shape[1]
    unchanged = debias_classifier(judge, removal(identity(width), source))
    np.testing.assert_allclose(unchanged.predict(WRITTEN), judge.predict(WRITTEN), atol=1e-9)
    nothing = LinearMap(False, np.zeros((width, 1)), np.zeros((1, width)), np.zeros(width))
    deaf = debias_classifier(judge, removal(nothing, source))
    said = deaf.predict(WRITTEN)
    np.testing.assert_allclose(said, said[:1].repeat(len(said), axis=0), atol=1e-9)
    assert not np.allclose(judge.predict(WRITTEN)[0], said[0])


def test_settings_put_it_where_it_belongs(tmp_path: Path) -> None:
    tiny = write_tiny_bert(tmp_path / "tiny")
    encoder = encoder_for(Settings(data=str(tmp_path / "data"), encoder=str(tiny)))
    assert encoder is not None
    direction = np.eye(encoder.dimension)[:, :1]
    save_removal(tmp_path / "gone", removal(subtract(direction), f"{encoder.name} {encoder.version}"))
    settings = Settings(data=str(tmp_path / "data"), encoder=str(tiny), removal=str(tmp_path / "gone"))
    ranking = encoder_of("semantic", settings)
    assert ranking is not None
    np.testing.assert_allclose(ranking.encode(TEXTS[:1])[:, 0], 0.0, atol=1e-7)
    judge = load_classifier(load_artefact(SHIPPED / "occupation"))
    assert classifier_without_concepts(judge, settings.removal) is judge  # fitted on the encoder


def test_a_removal_from_another_version_is_refused_and_one_from_another_model_is_not_for_this_one(
    tmp_path: Path,
) -> None:
    judge = load_classifier(load_artefact(SHIPPED / "occupation"))
    width = represent(judge, WRITTEN[:1]).shape[1]
    for folder, source in (
        ("own", f"model occupation {judge.manifest.version}"),
        ("older", "model occupation 0"),
        ("other", "model level 1"),
    ):
        save_removal(tmp_path / folder, removal(identity(width), source))

    def put_in(folder: str) -> object:
        return classifier_without_concepts(judge, str(tmp_path / folder))

    assert isinstance(put_in("own"), DebiasedClassifier)
    assert put_in("other") is judge
    with pytest.raises(ModelUnfit, match="for rows of model occupation 0, and these are of model occupation"):
        put_in("older")
