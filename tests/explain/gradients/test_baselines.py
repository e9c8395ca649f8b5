"""The four baselines of networks: what they are, what they add up to, and what they warn of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from evenhand.errors import UnknownBaseline, UsageError
from evenhand.explain.attribution import Attribution
from evenhand.explain.baselines import Reference
from evenhand.explain.gradients.baselines import cut_placed, make_baseline, predict_reference
from evenhand.explain.gradients.explain import explain_network
from evenhand.explain.gradients.networks import OpenNetwork
from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.inference.loading import load_network
from evenhand.models.inputs import ResumeInput, SectionText
from tests.explain.gradients.by_hand import JOB, RESUMES, small
from tests.explain.gradients.drawn import opened, place

RESUME = place(RESUMES[0])
REFERENCE = Reference(RESUMES, "three invented resumes")


@pytest.fixture(scope="module")
def network(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> OpenNetwork:
    return opened(tmp_path_factory.mktemp("network"), encoder, small(ARCHITECTURES["C+I"]))[1]


@pytest.mark.parametrize("baseline", ["pad", "average", "negatives", "random"])
def test_every_baseline_adds_up_and_leaves_special_tokens_alone(network: OpenNetwork, baseline: str) -> None:
    found = explain_network(network, RESUME, 0, baseline=baseline, reference=REFERENCE, draws=3)
    assert found.converged
    assert found.special == 0.0
    assert found.total == pytest.approx(found.output - found.baseline_output + found.delta, abs=1e-9)


def test_padding_keeps_first_and_last_in_place(network: OpenNetwork) -> None:
    (sequence, *_) = cut_placed(RESUME, network.architecture, network.rules).sequences
    (start,) = make_baseline("pad", network, [sequence], 0).starts
    words = network.network.encoder.words.weight
    torch.testing.assert_close(start.rows[0], words[[2, 0, 0, 0, 3]], rtol=0, atol=0)


def test_the_average_counts_every_token_as_often_as_it_is_written(network: OpenNetwork) -> None:
    """nurse ward | java: two thirds and a third, by hand."""
    reference = Reference(
        (ResumeInput((SectionText("Others", "nurse ward"),)), ResumeInput((SectionText("Others", "java"),))), "two"
    )
    (sequence, *_) = cut_placed(RESUME, network.architecture, network.rules).sequences
    (start,) = make_baseline("average", network, [sequence], 0, reference=reference).starts
    words = network.network.encoder.words.weight
    mean = (words[6] + words[9] + words[4]) / 3
    torch.testing.assert_close(start.rows[0][1:-1], mean.expand(3, -1), rtol=0, atol=1e-6)
    torch.testing.assert_close(start.rows[0][[0, -1]], words[[2, 3]], rtol=0, atol=0)


def test_the_reference_is_judged_as_judges_do(encoder: Path, tmp_path: Path) -> None:
    artefact, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I+J+A"]), features=True)
    judge = load_network(artefact, encoders=(encoder,), precision="fp32", cache=None, threads=1)
    np.testing.assert_allclose(
        predict_reference(network, REFERENCE, JOB), judge.predict(RESUMES, job_text=JOB), atol=1e-5
    )


def test_negatives_are_those_without_the_label_and_are_reported(encoder: Path, tmp_path: Path) -> None:
    """Of three resumes with a label each, two lack the first one's; the mean of their words is by hand."""
    _, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I"]))
    said = give_labels(network)
    found = explain_network(network, RESUME, said[0], baseline="negatives", reference=REFERENCE)
    lacking = [at for at in range(3) if said[at] != said[0]]
    assert f"mean of {len(lacking)} resumes without" in found.warnings[0]
    assert f"{len({said[at] for at in lacking})} of its 2 other labels" in found.warnings[0]
    assert "no resume that anybody wrote" in found.warnings[1]
    (sequence, *_) = cut_placed(RESUME, network.architecture, network.rules).sequences
    (start,) = make_baseline("negatives", network, [sequence], said[0], reference=REFERENCE).starts
    ids = [id for at in lacking for part in RESUMES[at].sections for id in network.rules.content(part.text)]
    mean = network.network.encoder.words.weight[ids].mean(0)
    torch.testing.assert_close(start.rows[0][1], mean, rtol=0, atol=1e-6)


def give_labels(network: OpenNetwork) -> list[int]:
    """Moves the decoder's biases to where the three resumes do not all get the same label."""
    logits = np.log(predict_reference(network, REFERENCE, None)) * 2.0  # the temperature
    network.network.decoder.bias.data -= torch.from_numpy(logits.mean(axis=0)).float()
    network.judged.clear()
    said: list[int] = predict_reference(network, REFERENCE, None).argmax(axis=1).tolist()
    assert len(set(said)) > 1
    return said


def test_negatives_warn_when_the_baseline_has_the_label_too(encoder: Path, tmp_path: Path) -> None:
    _, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I"]))
    bias = network.network.decoder.bias.data
    bias[1:] += 1000.0  # nobody is given the first label

    def explain() -> Attribution:
        return explain_network(network, RESUME, 0, baseline="negatives", reference=REFERENCE)

    for wanted in (-1.0, 1.0):
        bias[0] += wanted - explain().baseline_output
        found = explain()
        assert found.baseline_output == pytest.approx(wanted, abs=1e-3)
        leans = [warning for warning in found.warnings if "for the baseline already" in warning]
        assert len(leans) == (wanted > 0)


def test_the_reference_is_judged_once(encoder: Path, tmp_path: Path) -> None:
    _, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I"]))
    first = predict_reference(network, REFERENCE, None)
    network.network.decoder.bias.data[0] += 5.0
    np.testing.assert_array_equal(predict_reference(network, REFERENCE, "no matter"), first)
    other = Reference(RESUMES, "the same ones, asked for anew")
    assert (predict_reference(network, other, None)[:, 0] > first[:, 0]).all()


def test_chance_tells_its_progress_over_all_draws(network: OpenNetwork) -> None:
    told: list[tuple[int, int]] = []
    explain_network(
        network, RESUME, 0, baseline="random", draws=3, progress=lambda done, known: told.append((done, known))
    )
    assert {known for _, known in told} == {300}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == 300


def test_without_negatives_there_is_none(network: OpenNetwork) -> None:
    one = Reference(RESUMES[:1], "one invented resume")
    target = int(predict_reference(network, one, None)[0].argmax())
    with pytest.raises(UnknownBaseline, match="to all one invented resume"):
        make_baseline("negatives", network, [], target, reference=one)


@pytest.mark.parametrize("baseline", ["average", "negatives"])
def test_means_need_resumes(network: OpenNetwork, baseline: str) -> None:
    with pytest.raises(UsageError, match="needs resumes to compare with"):
        explain_network(network, RESUME, 0, baseline=baseline)


def test_chance_is_averaged_over_its_draws(network: OpenNetwork) -> None:
    """Each draw explained alone, by hand averaged."""
    found = explain_network(network, RESUME, 0, baseline="random", reference=REFERENCE, draws=4, seed=7)
    assert found.draws is not None
    assert found.draws.shape == (4, len(found.scores))
    scores = np.array([each.score for each in found.scores])
    np.testing.assert_allclose(scores, found.draws.mean(axis=0), atol=1e-12)
    assert found.draws.std(axis=0).max() > 0
    again = explain_network(network, RESUME, 0, baseline="random", reference=REFERENCE, draws=4, seed=7)
    assert again.scores == found.scores
    other = explain_network(network, RESUME, 0, baseline="random", reference=REFERENCE, draws=4, seed=8)
    assert other.scores != found.scores


@pytest.mark.parametrize("reference", [None, REFERENCE])
def test_chance_never_draws_a_special_token(network: OpenNetwork, reference: Reference | None) -> None:
    sequences = cut_placed(RESUME, network.architecture, network.rules).sequences
    words = network.network.encoder.words.weight
    for start in make_baseline("random", network, sequences, 0, reference=reference, draws=8).starts:
        for sequence, rows in zip(sequences, start.rows, strict=True):
            ids = (rows[:, None] == words).all(-1).int().argmax(1)
            assert ids[0] == 2
            assert ids[-1] == 3
            assert not set(ids[1:-1].tolist()) & {0, 1, 2, 3}
            assert len(ids) == len(sequence.ids)
