"""Level and fit trained on a small BERT of random numbers: what is reported, what is written, what is kept."""

from __future__ import annotations

import json
from dataclasses import astuple, replace
from pathlib import Path

import numpy as np
import pytest

from evenhand.errors import UsageError
from evenhand.models.competence import train_competence
from evenhand.models.inference.loading import load_classifier
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.labelled_resumes import CompetenceData, CompetenceExample, fit_data, level_data
from evenhand.models.registry import load_artefact
from evenhand.models.training.encoders import StateCache, Tuning, load_pretrained, tune
from evenhand.models.training.loop import Schedule
from evenhand.progress import no_progress
from evenhand_lab.corpora.kinds.crc_applications import Stages
from evenhand_lab.reproduce.competence import Competence
from evenhand_lab.reproduce.competence_runs import (
    BEYOND,
    LEVEL_IDS,
    LONG_WORDS,
    MEANING,
    PLAIN,
    SENTENCES,
    WITH_FEATURES,
    CauseFigure,
    CompetenceRun,
    Runner,
    RunRequest,
    figure_of,
    planted_data,
)
from evenhand_lab.training.competence import CrcData, Sectioning
from tests.models.training.small_bert import write_small_bert

LABELS = ("low", "middle", "high")
MONTHS = {"low": 2.0, "middle": 20.0, "high": 60.0}
QUICK = Schedule(epochs=2, batch=8)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_bert(tmp_path_factory.mktemp("encoder"))


def resume(number: int, label: str) -> ResumeInput:
    """Words by number, so that no two are the same; the level stands in the mined months alone."""
    words = " ".join("abcdefghijklmnop"[(number >> bit) & 1 or 2 + bit] for bit in range(8))
    section = SectionText("Work Experience", f"{words} {'q ' * (number % 3)}")
    return ResumeInput((section, SectionText("Skills", words[::-1])), (), {"months": MONTHS[label]})


@pytest.fixture(scope="module")
def levels() -> CompetenceData:
    examples = [
        CompetenceExample(str(number), resume(number, LABELS[number % 3]), LABELS[number % 3]) for number in range(120)
    ]
    return level_data(examples, labels=LABELS, description="120 resumes made up for a test", seed=1)


@pytest.fixture(scope="module")
def fits(levels: CompetenceData) -> CompetenceData:
    examples = [
        replace(example, label="accept" if example.label == job else "reject", job=job)
        for part in (levels.split.train, levels.split.dev, levels.split.test)
        for example in part
        for job in ("low", "high")
    ]
    texts = {"low": "a b", "high": "c d"}
    return fit_data(examples, texts, description="240 applications made up for a test", seed=1)


def test_features_are_learned_and_the_model_can_be_loaded(
    levels: CompetenceData, encoder: Path, tmp_path: Path
) -> None:
    """The text says nothing, the months everything."""
    training = train_competence(
        "level",
        data=levels,
        out=tmp_path / "model",
        architecture="C",
        features=("months",),
        encoder=encoder,
        schedule=Schedule(epochs=25, batch=8, head_rate=1e-2),
    )
    report = training.report
    assert report.examples == (90, 12, 18)
    assert report.majority == pytest.approx(1 / 3)
    assert report.test.accuracy == 1.0
    assert report.to_json()["test"]["within_one"] == 1.0
    manifest = load_artefact(tmp_path / "model").manifest
    assert (manifest.task, manifest.labels, manifest.outcome) == ("level", LABELS, "ordered")
    assert manifest.settings["features"] == ["months"]
    assert manifest.metrics["test"]["accuracy"] == 1.0
    assert manifest.data.startswith("120 resumes made up for a test. 90 examples to learn from, 12 to choose")
    judge = load_classifier(load_artefact(tmp_path / "model"), encoders=(encoder,))
    rows = judge.predict([example.resume for example in levels.split.test])
    assert [LABELS[place] for place in rows.argmax(axis=1)] == [each.label for each in levels.split.test]


def test_the_same_seed_gives_the_same_bytes(levels: CompetenceData, encoder: Path, tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("two", 3), ("other", 4)):
        train_competence(
            "level",
            data=levels,
            out=tmp_path / name,
            architecture="C+I",
            seed=seed,
            features=(),
            encoder=encoder,
            schedule=QUICK,
        )
    one, two, other = ((tmp_path / name / "weights.safetensors").read_bytes() for name in ("one", "two", "other"))
    assert one == two
    assert one != other


def test_networks_are_for_their_task(levels: CompetenceData, fits: CompetenceData) -> None:
    with pytest.raises(UsageError, match=r"The network C\+I is not for the task fit"):
        train_competence("fit", data=fits, architecture="C+I")
    with pytest.raises(UsageError, match="The data are for the task level, not fit"):
        train_competence("fit", data=levels)
    with pytest.raises(UsageError, match="There is no network 'X'"):
        train_competence("level", data=levels, architecture="X")


@pytest.fixture
def runner(levels: CompetenceData, fits: CompetenceData, encoder: Path, tmp_path: Path) -> Runner:
    readable = load_pretrained(encoder)
    tune(readable.encoder, Tuning())
    crc = CrcData(levels, fits, Stages((), (), ()), 0)
    states = StateCache(readable)
    return Runner(crc, tmp_path, QUICK, Tuning(), states, no_progress, encoder=encoder, features=("months",))


def test_a_finished_training_is_not_done_again(runner: Runner, tmp_path: Path) -> None:
    order = RunRequest("fit", "C+I+J", LEVEL_IDS, 0)
    first = runner.run(order)
    assert (first.task, first.design, first.variant, first.seed) == astuple(order)
    assert first.labels == ("reject", "accept")
    kept = json.loads((tmp_path / order.file).read_text())
    assert kept["test_accuracy"] == first.test.accuracy
    (tmp_path / order.file).write_text(json.dumps({**kept, "seconds": 123.0}))
    assert runner.run(order) == replace(first, seconds=123.0)


def made_run(task: str, architecture: str, variant: str, seed: int, right: int) -> CompetenceRun:
    """Ten resumes, of which so many are right."""
    confusion = ((right - 1, 10 - right), (0, 1))
    names = (task, architecture, variant, seed)
    return CompetenceRun(*names, right / 10, ("low", "high"), confusion, 0.6, 0.05, 3, 2.0, 1.5)  # type: ignore[arg-type]


def test_means_and_deviations_over_seeds() -> None:
    figure = figure_of([made_run("level", "C", PLAIN, seed, right) for seed, right in enumerate((6, 7, 8))])
    assert figure.test == pytest.approx(70)
    assert figure.test_deviation == pytest.approx(10)
    assert figure.best_run.seed == 2
    assert figure_of([made_run("level", "C", PLAIN, 0, 6)]).test_deviation == 0
    assert np.array_equal(figure.runs[0].test.confusion, [[5, 4], [0, 1]])


def test_published_figures_stand_beside_ours() -> None:
    figures = [
        figure_of([made_run("level", "C", PLAIN, 0, 7)]),
        figure_of([made_run("level", "C", WITH_FEATURES, 0, 9)]),
        figure_of([made_run("fit", "Wr+b", PLAIN, 0, 8)]),
    ]
    result = Competence(
        resumes=10,
        left_out=0,
        stages=(30, 20, 10),
        examples={"level": (7, 1, 2), "fit": (15, 2, 3)},
        majority={"level": 0.6, "fit": 0.6},
        ceiling=0.8,
        figures=figures,
        causes=[CauseFigure(BEYOND, "C", "Wr", 90.0, 50.0, 10.0)],
        lengths=[],
        presence=dict.fromkeys(("Profile", "Education", "Work Experience", "Activities", "Skills", "Others"), 0.5),
        sectioning=Sectioning(10, 9, 40, 39, 1000, 990),
        checks=[],
        training_seconds=360.0,
        training_cpu_seconds=180.0,
        seconds=7.0,
    )
    rows = dict(result.rows())
    assert rows["level: C"] == "published 70.36±0.34, 72.35±0.24; here 70.00±0.00, 70.00±0.00 (DEV, TST; n = 1)"
    assert rows["level: C, with mined features"] == "here 90.00±0.00, 90.00±0.00 (DEV, TST; n = 1)"
    assert rows["level: always the commonest label, test"] == "60.0; published 58.5"
    assert rows["level: best run of C, with mined features"].startswith(
        "90.00 (predicted: true low, high) low: 80.00 10.00"
    )
    assert result.to_json()["figures"][2]["published_test"] == [77.70, 0.59]
    assert rows["trainings on one thread: wall time, processor time"] == "6.0 min, 3.0 min"
    assert rows[f"planted: {BEYOND}"] == "C 90.00, Wr 50.00"
    assert result.table().row_count == len(result.rows())


def test_planted_evidence_is_where_it_should_be() -> None:
    resumes = [ResumeInput((SectionText("Profile", f"word{number} and some more"),)) for number in range(20)]
    beyond = planted_data(resumes, BEYOND, seed=0)
    assert sum(map(len, (beyond.split.train, beyond.split.dev, beyond.split.test))) == 20
    for example in beyond.split.train:
        (section,) = example.resume.sections
        assert section.text.endswith(SENTENCES[example.label])
        assert len(section.text.removesuffix(SENTENCES[example.label]).split()) == LONG_WORDS
    for example in planted_data(resumes, MEANING, seed=0).split.train:
        work, activity = example.resume.sections
        assert (work.kind, activity.kind) == ("Work Experience", "Activities")
        assert work.text.startswith(SENTENCES[example.label])
        assert SENTENCES[example.label] not in activity.text
    assert not CauseFigure(MEANING, "C+I", "C", 50.0, 50.0, 0.0).holds
