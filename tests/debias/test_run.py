"""Concept removal as a user meets it: a matrix or texts in, a removal and a report out."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evenhand.audit.outcomes.tables import OutcomeTable
from evenhand.debias.fitting import FittingPlan, compare
from evenhand.debias.heads import Protocol
from evenhand.debias.importance import ImportanceSettings
from evenhand.debias.learned_removal import load_removal
from evenhand.debias.probes import ProbeSettings
from evenhand.debias.report import findings_of, methods_grid
from evenhand.debias.run import (
    DebiasInput,
    DebiasOptions,
    DebiasResult,
    apply,
    fit,
    load_input,
    read_matrix,
    report,
    retrain_head,
)
from evenhand.debias.samples import Samples
from evenhand.debias.scoring import RecipeGrid
from evenhand.errors import ModelUnfit, UsageError
from evenhand.models.concept_removal import identity
from evenhand.models.registry import SHIPPED, load_artefact
from evenhand.settings import Settings
from tests.debias.planted import planted
from tests.models.encoder.tiny_bert import write_tiny_bert

PLAN = FittingPlan(
    RecipeGrid(ranks=(4,), most=1),
    ImportanceSettings(points=32, texts=20),
    ProbeSettings(seeds=(0, 1), protocol=Protocol(rates=(1e-2,), epochs=10), rbf_rows=200, rbf_costs=(1.0,)),
)
WISH = DebiasOptions("trade", ("gender",))
PEOPLE = planted(1600)  # half of them to fit on, half to come later


def write_rows(folder: Path, samples: Samples) -> tuple[Path, Path]:
    np.save(folder / "rows.npy", samples.rows.astype(np.float32))
    with (folder / "people.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["trade", "gender"])
        gender = samples.sensitive[0]
        writer.writerows(
            [samples.task.classes[task], gender.classes[group]]
            for task, group in zip(samples.task.codes, gender.codes, strict=True)
        )
    return folder / "rows.npy", folder / "people.csv"


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> DebiasInput:
    rows, labels = write_rows(tmp_path_factory.mktemp("given"), PEOPLE.take(np.arange(800)))
    return load_input(rows, labels=labels)


@pytest.fixture(scope="module")
def fitted(given: DebiasInput, tmp_path_factory: pytest.TempPathFactory) -> DebiasResult:
    return fit(given, WISH, out=tmp_path_factory.mktemp("out") / "removal", plan=PLAN, subject="planted rows")


def test_the_report_has_one_table_of_every_method_before_and_after(fitted: DebiasResult) -> None:
    found = fitted.report
    assert (found.kind, found.subject, found.worst) == ("debias", "planted rows", "clear")
    assert [finding.code for finding in found.findings] == [
        "debias.leak.gender",
        "debias.price",
        "debias.gap.gender",
        "debias.choice",
    ]
    table = found.to_json()["sections"][0]["blocks"][0]
    names = [row[0] for row in table["rows"]]
    assert names[:5] == ["A", "rank-4 UW", "LEACE", "INLP", "RLACE"]
    assert fitted.fitted.choice.recipe.name in names
    for probe in ("linear", "MLP", "RBF", "worse", "TPR gap"):
        assert f"gender: {probe}" in table["columns"]
    assert float(table["rows"][0][table["columns"].index("gender: worse")]) > 0.99
    leak = found.findings[0]
    assert leak.figures["before"] == pytest.approx(fitted.scores[0].worst_leak)
    assert "Less leak is not a fair outcome" in found.findings[2].sentence
    assert [section.title for section in found.sections] == ["Before and after", "Concepts", "Step by step"]
    assert len([block for block in found.sections[1].blocks if block.to_json()["type"] == "chart"]) == 3
    assert found.data["sweep"][1]["name"] == "rank-4 UW"


def test_what_was_written_is_applied_to_other_rows(fitted: DebiasResult, given: DebiasInput, tmp_path: Path) -> None:
    assert fitted.sha256 is not None
    after = apply(fitted.fitted.removal, given)
    assert after.shape == given.rows.shape
    np.testing.assert_allclose(after, fitted.fitted.removal.apply(given.rows))
    with pytest.raises(ModelUnfit, match="rows of a matrix, and these are of tiny"):
        apply(fitted.fitted.removal, replace(given, source="tiny 1"))


def test_a_removal_is_measured_on_rows_of_later(fitted: DebiasResult, tmp_path: Path) -> None:
    rows, labels = write_rows(tmp_path, PEOPLE.take(np.arange(800, 1600)))
    found = report(fitted.fitted.removal, load_input(rows, labels=labels), plan=PLAN)
    names = [row[0] for row in found.to_json()["sections"][0]["blocks"][0]["rows"]]
    assert names == ["A", "LEACE", "INLP", "RLACE", fitted.fitted.choice.recipe.name]
    assert found.findings[0].figures["after"] < 0.6  # type: ignore[operator]
    assert [finding.code for finding in found.findings][-1] == "debias.gap.gender"
    assert "fitted and chosen before" in found.method[0]
    assert fitted.report.method[0].endswith("trained afresh on what each method leaves.")


def test_a_gap_that_nobody_can_compare_is_unknown(fitted: DebiasResult) -> None:
    before, after = (replace(each, gaps=((),)) for each in fitted.scores[:2])
    found = findings_of(before, after, floors={"gender": 0.5})[2]
    assert (found.code, found.severity) == ("debias.gap.gender", "unknown")
    assert "is unknown: no class of the task has 5 test rows in each of two groups" in found.sentence
    assert found.figures == {"before": None, "after": None}
    table = methods_grid((before,), fitted.fitted.divided.test)
    assert table.rows[0][-1] == "-"


def test_neutral_rows_are_those_of_the_people_that_are_kept(fitted: DebiasResult, given: DebiasInput) -> None:
    table = OutcomeTable("people", ("trade", "gender"), (("a", "x"), ("", "y"), ("b", "y")))
    brought = DebiasInput(np.arange(6.0).reshape(3, 2), "tiny 1", table, ("one", "two", "three"))
    assert brought.texts_of("trade") == ("one", "three")
    np.testing.assert_array_equal(brought.samples("trade", ["gender"]).rows, [[0, 1], [4, 5]])
    with pytest.raises(ValueError, match="other texts has 801 rows for 800 people"):
        compare(fitted.fitted, PLAN.probing, others={"other texts": np.vstack([given.rows, given.rows[:1]])})


def test_the_head_is_learned_again_as_the_first_was(fitted: DebiasResult) -> None:
    unchanged = replace(fitted.fitted, removal=replace(fitted.fitted.removal, change=identity(24)))
    again, first = retrain_head(unchanged), fitted.fitted.heads.task
    np.testing.assert_array_equal(again.first, first.first)
    np.testing.assert_array_equal(again.second, first.second)


def test_texts_are_encoded_or_read_by_a_model(tmp_path: Path) -> None:
    settings = Settings(encoder=str(write_tiny_bert(tmp_path / "tiny")), data=str(tmp_path / "data"))
    table = tmp_path / "texts.csv"
    table.write_text("text,trade,gender\njava nurse,a,x\nward ward,b,y\n")
    found = load_input(table, settings=settings)
    assert found.rows.shape == (2, 32)
    assert found.texts == ("java nurse", "ward ward")
    assert found.source.startswith("tiny ")
    samples = found.samples("trade", ["gender"])
    assert (samples.task.classes, samples.sensitive[0].classes) == (("a", "b"), ("x", "y"))
    model = load_input(table, model="occupation", settings=settings)
    assert model.source.startswith("model occupation ")
    terms = load_artefact(SHIPPED / "occupation").texts["vocabulary.tsv"].splitlines()
    assert model.rows.shape[1] == len(terms)


def test_what_is_no_matrix_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.npy").write_text("no array")
    np.save(tmp_path / "objects.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    np.save(tmp_path / "cube.npy", np.zeros((2, 2, 2)))
    np.savez(tmp_path / "two.npz", a=np.zeros((2, 2)), b=np.zeros((2, 2)))
    np.savez(tmp_path / "one.npz", rows=np.ones((2, 2)), other=np.zeros(3))
    for name in ("text.npy", "objects.npy", "cube.npy", "two.npz", "none.npy"):
        with pytest.raises(UsageError):
            read_matrix(tmp_path / name)
    np.testing.assert_array_equal(read_matrix(tmp_path / "one.npz"), 1)
    np.save(tmp_path / "rows.npy", np.ones((3, 2)))
    with pytest.raises(UsageError, match="--labels"):
        load_input(tmp_path / "rows.npy").samples("trade", ["gender"])
    with pytest.raises(UsageError, match="--model"):
        load_input(tmp_path / "rows.npy", model="occupation")


def test_too_few_rows_and_wishes_that_do_not_fit_are_refused(given: DebiasInput) -> None:
    assert given.table is not None
    few = replace(given, rows=given.rows[:60], table=replace(given.table, rows=given.table.rows[:60]))
    with pytest.raises(UsageError, match="60 labelled rows are too few"):
        fit(few, WISH, plan=PLAN)
    rare = (("trade 9", "gender 0"), *given.table.rows[1:])
    with pytest.raises(UsageError, match="trade has 1 rows of 'trade 9'"):
        fit(replace(given, table=replace(given.table, rows=rare)), WISH, plan=PLAN)
    with pytest.raises(UsageError, match="no decomposition 'nmf'"):
        replace(WISH, decomposition="nmf").plan()
    with pytest.raises(UsageError, match="no column 'age'"):
        fit(given, DebiasOptions("trade", ("age",)), plan=PLAN)
    with pytest.raises(UsageError, match="--neutral needs texts"):
        fit(given, replace(WISH, neutral=True), plan=PLAN)
    with pytest.raises(UsageError):
        load_removal(Path("nowhere"))
