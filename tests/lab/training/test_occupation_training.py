"""Training a model of occupation end to end, from invented resumes in the form of a public set."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score

from evenhand.errors import UsageError
from evenhand.models.inference.loading import load_classifier
from evenhand.models.registry import load_artefact
from evenhand.progress import no_progress
from evenhand_lab.reproduce.occupation import JOINED, TFIDF, Occupations, compare_views, run
from evenhand_lab.training.occupation import divide, evaluate_several, label_all, train_occupation
from evenhand_lab.training.occupation_data import IT_ROLES, allowed_terms, one_section
from tests.lab.training.occupation_sets import ROLES, write_roles


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_roles(tmp_path_factory.mktemp("sets"), each=16)


@pytest.fixture(scope="module")
def model(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("model")
    train_occupation(data, out, model="it-roles")
    return out


def test_what_is_learned_is_reported_saved_and_judges(data: Path, tmp_path: Path) -> None:
    report = train_occupation(data, tmp_path, model="it-roles", seed=1)
    assert report.labels == tuple(sorted(ROLES))
    assert report.resumes == 48
    assert report.figures.evaluation.micro_f1 == 1.0
    assert report.to_json()["test"]["micro_f1"] == 1.0
    artefact = load_artefact(tmp_path)
    assert (artefact.manifest.outcome, artefact.manifest.encoder) == ("several", None)
    judge = load_classifier(artefact)
    (row,) = judge.predict([one_section("Security Analyst May 2011 to June 2013 looked for intrusions in logs")])
    assert [probability > 0.5 for probability in row] == [False, False, True]


def test_the_same_seed_gives_the_same_bytes(data: Path, model: Path, tmp_path: Path) -> None:
    train_occupation(data, tmp_path, model="it-roles")
    assert {path.name for path in tmp_path.iterdir()} == {
        "manifest.json",
        "weights.safetensors",
        "card.md",
        "vocabulary.tsv",
    }
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (model / path.name).read_bytes()


def test_without_data_or_with_an_unknown_model_it_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--data"):
        train_occupation(None, tmp_path)
    with pytest.raises(UsageError, match="occupation, it-roles"):
        train_occupation(tmp_path, tmp_path, model="surgeons")
    with pytest.raises(UsageError, match="--data"):
        run(None)


def test_views_and_peers_are_measured_on_the_same_resumes(data: Path) -> None:
    labelled = label_all(IT_ROLES.read(data, n=None, progress=no_progress))
    parts = divide(labelled.examples, seed=0)
    measured = list(compare_views(IT_ROLES, labelled, parts, encoder=None, seed=0, progress=no_progress))
    assert [(each.view, each.method) for each in measured] == [
        ("titles readable", JOINED),
        ("body only", JOINED),
        ("body only", TFIDF),
        ("titles masked", JOINED),
        ("titles masked", TFIDF),
    ]
    assert {each.figures.evaluation.total for each in measured} == {len(parts.test)}
    result = Occupations({"it-roles": (len(parts.learned), len(parts.test))}, measured, [], 60.0)
    assert ("wall time", "1.0 min") in result.rows()
    assert result.table().row_count == 1 + len(measured) + len(labelled.labels) + 1


def test_names_are_never_learned_and_common_words_are() -> None:
    texts = ["Amara Okafor taught yoga in Springfield using SAP and Xylotron"] * 6 + ["grant writing for HR"] * 5
    allowed = allowed_terms([*texts, "GRANT ADA"] * 1)
    found = {term for term in ("taught", "yoga", "sap", "hr", "grant", "grant writing") if allowed(term)}
    assert found == {"taught", "yoga", "sap", "hr", "grant", "grant writing"}
    assert not any(allowed(term) for term in ("amara", "okafor", "springfield", "xylotron", "taught amara"))


def test_a_name_that_some_forget_to_capitalise_is_still_a_name() -> None:
    texts = ["worked with Xenia at Wellsby"] * 40 + ["xenia and wellsby"] * 6 + ["the mark of quality", "Mark"] * 8
    allowed = allowed_terms(texts)
    assert [allowed(word) for word in ("xenia", "wellsby", "mark", "quality")] == [False, False, True, True]


def test_several_labels_each_as_scikit_learn_has_it() -> None:
    rng = np.random.default_rng(8)
    gold, predicted = rng.integers(0, 2, (100, 3)), rng.integers(0, 2, (100, 3))
    found = evaluate_several(predicted, gold, ("a", "b", "c"))
    assert found.micro_f1 == pytest.approx(f1_score(gold, predicted, average="micro"))
    assert found.macro_f1 == pytest.approx(f1_score(gold, predicted, average="macro"))
    assert found.accuracy == pytest.approx((gold == predicted).all(axis=1).mean())


def test_unequal_tables_of_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="a column for every label"):
        evaluate_several([[0]], [[0]], ("a", "b"))
