"""A model's part of a score: there when somebody weighs it, with its reason, and else not even opened."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.errors import ModelNotFound, ModelUnfit, UsageError
from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.predict import predict
from evenhand.records.job import Job
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.ranking import predicted_fit, rank
from evenhand.settings import Settings
from tests.explain.gradients.by_hand import LABELS, draw_network, small
from tests.models.encoder.tiny_bert import write_tiny_bert
from tests.models.test_predict import CODER, NURSE

JOB = Job("Ward nurse\nnurse ( ward ) java", title="Ward nurse")
AS_OF = "2026-10"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("fit")
    encoder = write_tiny_bert(folder / "tiny")
    architecture = small(ARCHITECTURES["C+I+J+A"])
    draw_network(folder / "models" / "match", encoder, architecture, task="fit", outcome="single")
    draw_network(folder / "models" / "mine", encoder, small(ARCHITECTURES["C"]))
    (folder / "nurse.txt").write_text(NURSE)
    (folder / "coder.txt").write_text(CODER)
    return Settings(data=str(folder), encoder=str(encoder), workers=1, fit_model="match", fit_weight=25.0)


def test_the_part_is_the_models_probability_times_its_weight(settings: Settings) -> None:
    files = [Path(settings.data, name) for name in ("nurse.txt", "coder.txt")]
    plain = rank(JOB, files, as_of=AS_OF, settings=replace(settings, fit_weight=0.0))
    found = rank(JOB, files, as_of=AS_OF, settings=settings)
    before = {result.file: result.score for result in plain.results}
    for result in found.results:
        parts = {part.name: part for part in result.score.parts}
        assert result.file is not None
        said = predict(result.file, "fit", model="match", job=JOB, as_of=AS_OF, settings=settings)
        likely = next(each.probability for each in said.labels if each.label == LABELS[-1])
        # The job asks for a role, words and experience: 62 points, and 25 for the model.
        share = 25 / 87
        assert parts["Predicted fit"].value == pytest.approx(100 * share * likely, abs=1e-3)
        assert parts["Predicted fit"].reason == f"a model holds a fit for {likely:.0%} likely"
        assert result.score.value == pytest.approx(sum(part.value for part in result.score.parts))
        rest = result.score.value - parts["Predicted fit"].value
        assert rest == pytest.approx(before[result.file].value * (1 - share), abs=1e-3)
    assert all("Predicted fit" not in {part.name for part in each.parts} for each in before.values())


def test_no_model_is_opened_without_a_weight(settings: Settings) -> None:
    assert predicted_fit("best", JOB, replace(settings, fit_weight=0.0, fit_model="nowhere")) is None
    assert predicted_fit("bm25", JOB, settings) is None


def test_a_model_that_cannot_be_used_is_said_before_the_work(settings: Settings) -> None:
    with pytest.raises(ModelNotFound, match="There is no model 'nowhere'"):
        predicted_fit("best", JOB, replace(settings, fit_model="nowhere"))
    with pytest.raises(ModelUnfit, match="The model mine is for level, not for fit"):
        predicted_fit("best", JOB, replace(settings, fit_model="mine"))
    weighed = predicted_fit("best", JOB, settings)
    assert weighed is not None
    with pytest.raises(UsageError, match="The ranker bm25 has no part for predictions"):
        weighed.join(make_ranker("bm25"), [], [])
