"""Which model answers, what it is given, when it keeps silent, and that one bad file costs only itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.documents.reading import read
from evenhand.errors import ModelNotFound, ModelUnfit, UsageError
from evenhand.mining.pipeline import mine
from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.inference.loading import load_classifier
from evenhand.models.inputs import resume_input
from evenhand.models.predict import Predictor, chosen_labels, open_predictor, predict, predict_many
from evenhand.records import Document, ModelStamp
from evenhand.settings import Settings
from tests.explain.gradients.by_hand import LABELS, draw_network, small
from tests.models.encoder.tiny_bert import write_tiny_bert

NURSE = """\
Rosa Lindqvist
rosa@example.com

Experience
Ward Nurse, Harbour Clinic
March 2015 - March 2020
- nurse ward nurse java ( nurse )

Skills
java, ward
"""
CODER = NURSE.replace("Ward Nurse, Harbour Clinic", "Java Engineer, Fennick Tools Ltd.").replace(
    "nurse ward nurse", "java java engineer"
)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, encoder: Path) -> Path:
    """Models of a user's own, and a few files."""
    folder = tmp_path_factory.mktemp("data")
    draw_network(folder / "models" / "mine", encoder, small(ARCHITECTURES["C+I"]))
    draw_network(folder / "models" / "match", encoder, small(ARCHITECTURES["C+I+J+A"]), task="fit", outcome="single")
    draw_network(folder / "models" / "many", encoder, small(ARCHITECTURES["C"]), task="occupation", outcome="several")
    (folder / "nurse.txt").write_text(NURSE)
    (folder / "coder.txt").write_text(CODER)
    (folder / "empty.txt").write_text("")
    return folder


@pytest.fixture(scope="module")
def settings(folder: Path, encoder: Path) -> Settings:
    return Settings(data=str(folder), encoder=str(encoder), workers=1)


def test_one_resume(folder: Path, settings: Settings) -> None:
    found = predict(folder / "nurse.txt", "level", model="mine", as_of="2026-10", settings=settings)
    assert found.task == "level"
    assert found.model == ModelStamp("tiny", "1", "tiny")
    assert sorted(each.label for each in found.labels) == sorted(LABELS)
    probabilities = [each.probability for each in found.labels]
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) == pytest.approx(1, abs=2e-6)
    assert (found.label, found.abstained) == (found.labels[0].label, False)


def test_the_model_gets_the_mined_resume(folder: Path, settings: Settings) -> None:
    """By another way: read, mined and given to the judge by hand."""
    predictor = open_predictor("level", model="mine", settings=settings, precision="fp32")
    document = read(folder / "coder.txt", settings=settings)
    resume = resume_input(document, mine(document, as_of="2026-10", settings=settings))
    assert "rosa@example.com" not in resume.text  # who somebody is stays out
    judge = load_classifier(predictor.classifier.artefact, encoders=[Path(settings.encoder)])  # type: ignore[attr-defined]
    expected = np.sort(judge.predict([resume])[0])[::-1]
    (found,) = predict_many([document], predictor, as_of="2026-10", settings=settings)
    assert found.prediction is not None
    assert [each.probability for each in found.prediction.labels] == pytest.approx(expected.tolist(), abs=1e-6)


def test_a_bad_file_costs_only_itself(folder: Path, settings: Settings) -> None:
    predictor = open_predictor("level", model="mine", settings=settings)
    names = ["nurse.txt", "empty.txt", "missing.pdf", "coder.txt", "nurse.txt"]
    files = [str(folder / name) for name in names]
    found = list(predict_many(files, predictor, as_of="2026-10", settings=settings))
    assert [each.file for each in found] == files
    assert [each.failure and each.failure.code for each in found] == [
        *(None, "empty_document", "unreadable_file"),
        *(None, None),
    ]
    assert found[0].to_json() == found[4].to_json()
    failed = found[1].to_json()
    assert (failed["label"], failed["labels"], failed["abstained"]) == (None, [], True)
    assert failed["error"] == {"code": "empty_document", "message": "The file contains no text."}
    assert failed["model"] == {"name": "tiny", "version": "1", "encoder": "tiny"}


def test_silence_below_a_confidence(folder: Path, settings: Settings) -> None:
    for below, is_silent in ((0.0, False), (0.999, True)):
        found = predict(folder / "nurse.txt", "level", model="mine", abstain_below=below, settings=settings)
        assert found.abstained is is_silent
        assert (found.label is None) is is_silent
        assert len(found.labels) == 3  # what it thought of is told all the same


def test_several_labels(folder: Path, settings: Settings) -> None:
    found = predict(folder / "nurse.txt", "occupation", model="many", settings=settings)
    said = [each.label for each in found.labels if each.probability >= 0.5]
    assert list(chosen_labels(found, outcome="several")) == said
    assert found.label == (said[0] if said else None)
    assert found.abstained is (not said)
    single = predict(folder / "nurse.txt", "level", model="mine", settings=settings)
    assert chosen_labels(single, outcome="ordered") == (single.label,)


def test_fit_is_between_a_resume_and_a_job(folder: Path, settings: Settings) -> None:
    jobs = ("ward nurse ( java )\nnurse", "java java java\njava")
    first, second = (predict(folder / "nurse.txt", "fit", model="match", job=job, settings=settings) for job in jobs)
    assert first.labels != second.labels
    with pytest.raises(UsageError, match="compares resumes with a job"):
        open_predictor("fit", model="match", settings=settings)
    with pytest.raises(UsageError, match="level is about the resume alone"):
        open_predictor("level", model="mine", job=jobs[0], settings=settings)


def test_models_are_found_by_name_or_folder(folder: Path, settings: Settings) -> None:
    by_name = open_predictor("level", model="mine", settings=settings)
    by_folder = open_predictor("level", model=str(folder / "models" / "mine"), settings=settings)
    assert by_folder.classifier is by_name.classifier  # opened once
    with pytest.raises(ModelNotFound, match=r"There is no model 'yours': there are .*many, match, mine"):
        open_predictor("level", model="yours", settings=settings)
    with pytest.raises(ModelUnfit, match="The model match is for fit, not for level"):
        open_predictor("level", model="match", settings=settings)
    with pytest.raises(UsageError, match="There is no task 'hire'; there are occupation, level, fit"):
        open_predictor("hire", settings=settings)
    with pytest.raises(UsageError, match=r"1\.5 does not"):
        open_predictor("level", model="mine", abstain_below=1.5, settings=settings)


def test_a_file_that_cannot_be_read_is_told_to_who_asks_for_one(settings: Settings) -> None:
    with pytest.raises(UsageError, match="contains no text"):
        predict(b"", "level", model="mine", settings=settings)


def test_nothing_to_predict(folder: Path, settings: Settings) -> None:
    predictor: Predictor = open_predictor("level", model="mine", settings=settings)
    nothing: list[Document] = []
    assert list(predict_many(nothing, predictor, settings=settings)) == []
