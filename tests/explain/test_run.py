"""Why models said what they said, from a file to an explanation: shipped models on samples, networks, and refusals."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from math import fsum
from pathlib import Path

import numpy as np
import pytest

from evenhand.errors import (
    GradientsUnavailable,
    NothingToExplain,
    UnknownBaseline,
    UnknownMethod,
    UnknownTarget,
    UsageError,
)
from evenhand.explain import baselines, run
from evenhand.explain.attribution import words_of
from evenhand.explain.baseline_comparison import compare_baselines, spearman
from evenhand.explain.baselines import find_reference
from evenhand.explain.linear import attribute_linear
from evenhand.explain.places import placed_text
from evenhand.explain.run import Explainer, ExplanationProgress, explain, mine_source, open_explainer
from evenhand.mining.pipeline import MinedResume
from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.linear.storing import LinearClassifier
from evenhand.models.predict import predict
from evenhand.records import Job
from evenhand.records.explanation import Explanation
from evenhand.settings import Settings
from tests.explain.gradients.by_hand import draw_network, small
from tests.models.encoder.tiny_bert import write_tiny_bert

SAMPLES = Path(__file__).parents[2] / "evenhand" / "samples"
READABLE = (
    "accountant.rtf",
    "data-engineer.pdf",
    "designer-side-bar.pdf",
    "ksiegowa.txt",
    "project-manager.docx",
    "research-coordinator.odt",
    "support-hidden-keywords.pdf",
    "web-developer.html",
)
AS_OF = "2026-10"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("explaining")
    encoder = write_tiny_bert(folder / "tiny")
    draw_network(folder / "data" / "models" / "mine", encoder, small(ARCHITECTURES["C+I"]), features=False)
    fitting = folder / "data" / "models" / "fitting"
    draw_network(fitting, encoder, small(ARCHITECTURES["C+I+J+A"]), task="fit")
    return Settings(data=str(folder / "data"), encoder=str(encoder))


@pytest.fixture(scope="module")
def samples() -> dict[str, MinedResume]:
    return {name: mine_source(SAMPLES / name, as_of=AS_OF, settings=Settings()) for name in READABLE}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resumes to compare with, made in a second."""
    monkeypatch.setattr(baselines, "NUMBERS", {"mixed": 6, "crc": 2})
    baselines._generated.cache_clear()


def completes(found: Explanation, text: str) -> bool:
    assert all(text[word.start : word.end] == word.text for word in found.words)
    assert [word.start for word in found.words] == sorted(word.start for word in found.words)
    total = fsum([*(word.score for word in found.words), found.special])
    assert total == pytest.approx(found.output - found.baseline_output + found.delta, abs=1e-12)
    assert fsum(section.score for section in found.sections) == pytest.approx(
        fsum(word.score for word in found.words), abs=1e-12
    )
    return found.converged


@pytest.mark.parametrize("model", ["occupation", "it-roles"])
def test_shipped_models_complete_exactly_on_samples(
    model: str, samples: dict[str, MinedResume], settings: Settings
) -> None:
    explainer = open_explainer("occupation", model=model, settings=settings)
    for mined in samples.values():
        for each in explainer.explain(mined.document, mined.profile, faithful=False, changes=False):
            found = each.explanation
            assert completes(found, mined.document.text)
            assert abs(found.delta) < 1e-9
            assert (found.steps, found.unread, found.special) == (0, 0, 0.0)
            placed = placed_text(mined.document.text, mined.profile)
            covered = {at for word in found.words for at in range(word.start, word.end)}
            read = {at for at, is_read in enumerate(placed.is_read.tolist()) if is_read}
            assert read <= covered


def test_the_default_target_is_what_is_predicted(samples: dict[str, MinedResume], settings: Settings) -> None:
    file = SAMPLES / "accountant.rtf"
    (found,) = explain(file, "occupation", as_of=AS_OF, settings=settings)
    prediction = predict(file, "occupation", as_of=AS_OF, settings=settings)
    assert found.target == prediction.label == "ACCOUNTANT"
    assert found.faithfulness is not None
    assert found.faithfulness.beats_random
    assert found.change is not None
    assert found.target not in found.change.labels
    (other,) = explain(file, "occupation", target="chef", as_of=AS_OF, settings=settings)
    assert other.target == "CHEF"
    assert [word.score for word in other.words] != [word.score for word in found.words]
    assert [word.text for word in other.words] == [word.text for word in found.words]


def test_every_label_has_scores_of_its_own(samples: dict[str, MinedResume], settings: Settings) -> None:
    """No index is built in: the output explained is that of the label asked for, for each of them."""
    explainer = open_explainer("occupation", settings=settings)
    mined = samples["web-developer.html"]
    placed = placed_text(mined.document.text, mined.profile)
    logits = explainer.opened.model.logits([placed])[0]
    for at, label in enumerate(explainer.manifest.labels):
        (found,) = explainer.explain(mined.document, mined.profile, target=label, faithful=False, changes=False)
        assert found.explanation.target == label
        assert found.explanation.output == pytest.approx(logits[at], abs=1e-6)


def test_several_labels_have_one_explanation_each(samples: dict[str, MinedResume], settings: Settings) -> None:
    explainer = open_explainer("occupation", model="it-roles", settings=settings)
    mined = samples["web-developer.html"]
    found = explainer.explain(mined.document, mined.profile)
    said = [each.label for each in found[0].prediction.labels if each.probability >= 0.5]
    assert [each.explanation.target for each in found] == said
    assert len(said) > 1
    assert all(each.is_said and completes(each.explanation, mined.document.text) for each in found)
    nothing = samples["research-coordinator.odt"]
    (alone,) = explainer.explain(nothing.document, nothing.profile)
    assert alone.explanation.target == alone.prediction.labels[0].label
    assert not alone.is_said


@pytest.mark.parametrize("method", ["lig", "conductance", "deeplift"])
def test_methods_that_complete_agree_on_a_sum_of_terms(
    method: str, samples: dict[str, MinedResume], settings: Settings
) -> None:
    mined = samples["accountant.rtf"]
    found = [
        open_explainer("occupation", method=name, settings=settings)
        .explain(mined.document, mined.profile, faithful=False, changes=False)[0]
        .explanation
        for name in ("ig", method)
    ]
    assert found[0].words == found[1].words
    assert (found[1].method, found[1].layer, found[1].steps) == (method, "terms", 0)
    assert f"{method} gives the same as ig" in found[1].warnings[0]


@pytest.mark.usefixtures("few")
def test_baselines_are_compared(samples: dict[str, MinedResume], settings: Settings) -> None:
    explainer = open_explainer("occupation", settings=settings)
    mined = samples["accountant.rtf"]
    (found,) = compare_baselines(explainer, mined.document, mined.profile)
    assert [row.baseline for row in found.baselines] == ["pad", "average", "negatives", "random"]
    assert all(row.converged for row in found.baselines)
    pad, average, negatives, random = (row.baseline_output for row in found.baselines)
    assert len({pad, average, random}) == 3
    assert average == pytest.approx(negatives)  # none of the eight is an accountant
    assert len(found.pairs) == 6
    for pair in found.pairs:
        assert pair.correlation is not None
        assert -1 <= pair.correlation <= 1
        assert 0 <= pair.overlap <= 1
    assert found.to_json()["target"] == "ACCOUNTANT"
    by_occlusion = open_explainer("occupation", method="occlusion", settings=settings)
    with pytest.raises(UnknownBaseline, match="no baselines to compare"):
        compare_baselines(by_occlusion, mined.document, mined.profile)


def test_spearman_by_hand() -> None:
    assert spearman(np.array([1.0, 2, 3]), np.array([10.0, 20, 15])) == pytest.approx(0.5)
    assert spearman(np.array([1.0, 1, 3]), np.array([2.0, 2, 9])) == pytest.approx(1.0)
    assert spearman(np.zeros(3), np.array([1.0, 2, 3])) is None


def test_as_many_generated_resumes_ship_as_are_compared_with() -> None:
    assert len(list(baselines._shipped())) == sum(baselines.NUMBERS.values())


@pytest.mark.usefixtures("few")
def test_generated_resumes_to_compare_with_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(data=str(tmp_path))
    made = find_reference(None, settings)
    assert made.about == "8 generated resumes"
    (kept,) = (tmp_path / "explain").iterdir()
    baselines._generated.cache_clear()
    monkeypatch.setattr(baselines, "_shipped", lambda: pytest.fail("made again"))
    assert find_reference(None, settings).inputs == made.inputs
    kept.write_text("{broken")
    baselines._generated.cache_clear()
    with pytest.raises(pytest.fail.Exception):
        find_reference(None, settings)


def test_a_folder_of_ones_own_to_compare_with(tmp_path: Path, settings: Settings) -> None:
    folder = tmp_path / "ours"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"Cook\nBaked bread number {number}\n")
    (folder / "empty.txt").write_text("")
    found = find_reference(folder, settings)
    assert found.about == "3 resumes in ours"
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "1.txt").write_text("Cook\n")
    with pytest.raises(UsageError, match="fewer than 2 resumes that can be read"):
        find_reference(tmp_path / "one", settings)
    with pytest.raises(UsageError, match="There is no folder"):
        find_reference(folder / "none", settings)


def network_explainer(settings: Settings, method: str | None = None) -> Explainer:
    return open_explainer("level", model="mine", method=method, settings=settings)


def test_a_network_is_explained_by_gradients(samples: dict[str, MinedResume], settings: Settings) -> None:
    pytest.importorskip("torch")
    mined = samples["ksiegowa.txt"]
    (found,) = network_explainer(settings).explain(mined.document, mined.profile)
    assert (found.explanation.method, found.explanation.converged) == ("ig", True)
    assert found.explanation.steps > 0
    assert completes(found.explanation, mined.document.text)
    placed = placed_text(mined.document.text, mined.profile)
    model = network_explainer(settings).opened.model
    target = model.manifest.labels.index(found.explanation.target)
    assert found.explanation.output == pytest.approx(float(model.logits([placed])[0, target]), abs=1e-3)


def test_a_bar_hears_of_every_hundredth(samples: dict[str, MinedResume], settings: Settings) -> None:
    counted = Counted()
    mined = samples["accountant.rtf"]
    explainer = open_explainer("level", model="mine", settings=settings)
    explainer.explain(mined.document, mined.profile, faithful=False, changes=False, progress=counted.progress)
    assert (counted.label, counted.done, counted.total) == ("explaining", 100, 100)
    steps = ExplanationProgress(counted)
    steps.hear(1, 2)
    steps.hear(2, 8)  # more turned out to be needed: it waits
    assert steps.done == 35


class Counted:
    label, done, total = "", 0, 0

    def progress(self, label: str, total: int) -> AbstractContextManager[Counted]:
        self.label, self.total = label, total
        return nullcontext(self)

    def advance(self) -> None:
        self.done += 1


def test_without_torch_lines_are_taken_away_and_it_says_so(
    samples: dict[str, MinedResume], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "find_spec", lambda name: None)
    mined = samples["ksiegowa.txt"]
    (found,) = network_explainer(settings).explain(mined.document, mined.profile, faithful=False, changes=False)
    assert (found.explanation.method, found.explanation.layer) == ("occlusion", "line")
    assert "torch, which is not installed (`make models` installs it)" in found.explanation.warnings[0]
    completes(found.explanation, mined.document.text)
    with pytest.raises(GradientsUnavailable, match="--method occlusion does without"):
        network_explainer(settings, "ig")
    open_explainer("occupation", method="ig", settings=settings)  # exact scores need none


def test_scores_are_those_of_the_model_and_not_of_the_text(samples: dict[str, MinedResume], settings: Settings) -> None:
    """With its coefficients dealt to other terms the model is another, and so is what explains it."""
    explainer = open_explainer("occupation", settings=settings)
    classifier = explainer.opened.model.classifier
    assert isinstance(classifier, LinearClassifier)
    rng = np.random.default_rng(0)
    parts = tuple(replace(part, coefficients=rng.permutation(part.coefficients)) for part in classifier.model.terms)
    dealt = replace(classifier.model, terms=parts)
    found = []
    for mined in samples.values():
        placed = placed_text(mined.document.text, mined.profile)
        words = words_of(mined.document.text, placed)
        rows = [words.gather(attribute_linear(model, placed, 0))[0] for model in (classifier.model, dealt)]
        found.append(spearman(*(row[(rows[0] != 0) & (rows[1] != 0)] for row in rows)) or 0.0)
    assert abs(np.mean(found)) < 0.2
    assert max(map(abs, found)) < 0.6


def test_fit_is_explained_for_the_job_that_it_was_asked_about(
    samples: dict[str, MinedResume], settings: Settings
) -> None:
    pytest.importorskip("torch")
    mined = samples["ksiegowa.txt"]
    outputs = []
    for text in ("ward nurse", "java java java"):
        for method in ("ig", "occlusion"):
            explainer = open_explainer("fit", model="fitting", job=Job(text=text), method=method, settings=settings)
            (found,) = explainer.explain(mined.document, mined.profile, target="high", faithful=False, changes=False)
            completes(found.explanation, mined.document.text)
            outputs.append(found.explanation.output)
    assert outputs[0] == pytest.approx(outputs[1], abs=1e-3)
    assert outputs[2] == pytest.approx(outputs[3], abs=1e-3)
    assert outputs[0] != pytest.approx(outputs[2], abs=1e-3)
    with pytest.raises(UsageError, match="compares resumes with a job"):
        open_explainer("fit", model="fitting", settings=settings)


def test_what_cannot_be_explained_says_why(samples: dict[str, MinedResume], settings: Settings) -> None:
    file = SAMPLES / "accountant.rtf"
    with pytest.raises(UnknownTarget, match="has no label 'PIRATE'; it has ACCOUNTANT, ADVOCATE") as unknown:
        explain(file, "occupation", target="PIRATE", as_of=AS_OF, settings=settings)
    assert unknown.value.code == "unknown_target"
    with pytest.raises(UnknownMethod, match="there are ig, lig, deeplift, conductance, occlusion"):
        explain(file, "occupation", method="shap", settings=settings)
    with pytest.raises(UnknownBaseline, match="there are pad, average, negatives, random"):
        explain(file, "occupation", baseline="zero", settings=settings)
    with pytest.raises(UnknownBaseline, match="no other baseline than pad"):
        explain(file, "occupation", method="occlusion", baseline="random", settings=settings)
    with pytest.raises(UsageError, match="word, line, section can be taken away"):
        explain(file, "occupation", method="occlusion", unit="page", settings=settings)
    with pytest.raises(UsageError, match="by --method occlusion only"):
        explain(file, "occupation", unit="line", settings=settings)
    with pytest.raises(UsageError, match="one step at least"):
        explain(file, "occupation", steps=0, settings=settings)
    with pytest.raises(UsageError, match="protected by a password"):
        explain(SAMPLES / "password.pdf", "occupation", settings=settings)
    with pytest.raises(UsageError, match="The file contains no text"):
        explain(b"", "occupation", settings=settings)
    empty = replace(samples["ksiegowa.txt"].document, text=" \n", lines=())
    nobody = replace(
        samples["ksiegowa.txt"].profile, sections=(), positions=(), name=None, emails=(), phones=(), links=()
    )
    with pytest.raises(NothingToExplain, match="reads no word of it"):
        open_explainer("occupation", settings=settings).explain(empty, nobody)


def test_layers_of_a_model_without_any_are_not_used(samples: dict[str, MinedResume], settings: Settings) -> None:
    mined = samples["accountant.rtf"]
    explainer = open_explainer("occupation", layer="encoder.layer.3", settings=settings)
    (found,) = explainer.explain(mined.document, mined.profile, faithful=False, changes=False)
    assert "'encoder.layer.3' was not used" in found.explanation.warnings[0]
