"""Networks explained: scores that add up at their places, whatever the method, the baseline, the design, the length."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from evenhand.errors import UnknownBaseline, UsageError
from evenhand.explain.attribution import Attribution, centred, gate
from evenhand.explain.baselines import Reference
from evenhand.explain.gradients.explain import FAST, METHODS, explain_network
from evenhand.explain.gradients.networks import OpenNetwork, open_network
from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.inference.loading import load_network
from evenhand.models.registry import Artefact
from tests.explain.gradients.by_hand import JOB, RESUMES, small
from tests.explain.gradients.drawn import draw, long_resume, opened, place, ranks

RESUME = place(RESUMES[0])
REFERENCE = Reference(RESUMES, "three invented resumes")


@pytest.fixture(scope="module")
def network(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> OpenNetwork:
    folder = tmp_path_factory.mktemp("network")
    return opened(folder, encoder, small(ARCHITECTURES["C+I"]), features=True)[1]


@pytest.fixture(scope="module")
def artefact(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Artefact:
    """The same network, as it is judged."""
    return draw(tmp_path_factory.mktemp("judged"), encoder, small(ARCHITECTURES["C+I"]), features=True)


def logits(artefact: Artefact, encoder: Path, resumes: object = RESUMES, **options: str) -> np.ndarray:
    judge = load_network(artefact, encoders=(encoder,), precision="fp32", cache=None, threads=1)
    found = judge.logits(resumes, **options)  # type: ignore[arg-type]
    return found if artefact.manifest.outcome == "several" else centred(found)


def values(found: Attribution) -> np.ndarray:
    return np.array([each.score for each in found.scores])


def is_whole(found: Attribution) -> None:
    """Whatever was stored as missed is what is missed."""
    difference = found.output - found.baseline_output
    assert found.delta == pytest.approx(found.total - difference, abs=1e-9)
    assert found.converged == (abs(found.delta) <= gate(found.output, found.baseline_output))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("method", ["ig", "lig", "conductance"])
def test_every_design_is_explained_completely(architecture: str, method: str, encoder: Path, tmp_path: Path) -> None:
    chosen = small(ARCHITECTURES[architecture])
    artefact, network = opened(tmp_path, encoder, chosen, features="C" in architecture)
    job_text = JOB if chosen.needs_job else None
    found = explain_network(network, RESUME, 2, job_text=job_text, method=method)
    is_whole(found)
    assert found.converged
    options = {"job_text": job_text} if job_text else {}
    assert found.output == pytest.approx(float(logits(artefact, encoder, RESUMES[:1], **options)[0, 2]), abs=1e-4)


def test_the_baseline_is_first_token_padding_last_token(
    network: OpenNetwork, artefact: Artefact, encoder: Path
) -> None:
    """Row 4 of the defects: an empty text padded at its end would have [SEP] at the second place.

    Words that no tokenizer knows the padding by: the judge is given the sequences themselves.
    """
    found = explain_network(network, RESUME, 1)
    judge = load_network(artefact, encoders=(encoder,), precision="fp32", cache=None, threads=1)
    lengths = [len(ids) for ids in judge.cut(RESUMES[0]).sequences]
    kinds = judge.cut(RESUMES[0]).kinds
    total = 0.0
    tensors = {name: array.astype(np.float64) for name, array in artefact.tensors.items()}
    weight, bias = centred(tensors["decoder.weight"].T).T, centred(tensors["decoder.bias"])
    for length, kind in zip(lengths, kinds, strict=True):
        ids = np.array([2, *[0] * (length - 2), 3], np.int32)
        (encoded,) = judge.encoder.run([ids])
        row = torch.from_numpy(encoded.values[0] + tensors["sections"][kind])
        total += float(torch.nn.functional.gelu(row).numpy() @ weight[1, :32])
    hidden = np.maximum(tensors["features.hidden.bias"], 0)
    total += float(weight[1, 32:] @ hidden + bias[1])
    assert found.baseline_output == pytest.approx(total, abs=1e-4)


def test_special_tokens_get_exactly_nothing_from_padding(encoder: Path, tmp_path: Path) -> None:
    """Row 10: nor are they ranked among words. With no features, nothing else is special."""
    _, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I"]))
    found = explain_network(network, RESUME, 1)
    assert found.special == 0.0
    assert len(found.scores) == found.tokens == 15


def test_word_pieces_stand_at_their_places(network: OpenNetwork) -> None:
    """Row 1: every score is paired with its own token."""
    resume = place(long_resume(9, seed=5))
    found = explain_network(network, resume, 0)
    document = resume.sections[0].text
    pieces = [document[each.start : each.end] for each in found.scores]
    ids = network.rules.content(document)
    expected = [(network.rules.tokenizer.id_to_token(id) or "").removeprefix("##") for id in ids]
    assert pieces == expected
    assert "er" in pieces


def test_at_the_word_embeddings_lig_is_ig(network: OpenNetwork) -> None:
    ig = explain_network(network, RESUME, 1)
    lig = explain_network(network, RESUME, 1, method="lig", layer="word_embeddings")
    np.testing.assert_allclose(values(lig), values(ig), atol=1e-5)


@pytest.mark.parametrize("layer", ["embeddings", "encoder.layer.0", "encoder.layer.1"])
def test_at_a_later_layer_lig_sums_to_the_same_difference(network: OpenNetwork, layer: str) -> None:
    ig = explain_network(network, RESUME, 1)
    lig = explain_network(network, RESUME, 1, method="lig", layer=layer)
    assert lig.output - lig.baseline_output == pytest.approx(ig.output - ig.baseline_output, abs=1e-5)
    assert lig.total == pytest.approx(ig.total, abs=0.02)
    assert lig.layer == layer
    assert np.abs(values(lig) - values(ig)).max() > 1e-3  # another path, other numbers: the layer is recorded


def test_conductance_at_the_embeddings_is_ig_by_token(network: OpenNetwork) -> None:
    """There a token's vector depends on its own word alone, so that all of its score flows through it."""
    ig = explain_network(network, RESUME, 1)
    found = explain_network(network, RESUME, 1, method="conductance", layer="embeddings", steps=400)
    np.testing.assert_allclose(values(found), values(ig), atol=2e-3)
    assert len(found.neurons) == 32
    assert sum(found.neurons) == pytest.approx(values(found).sum() + found.special - facts(found), abs=1e-6)


def facts(found: Attribution) -> float:
    return sum(each.score for each in found.facts)


def test_deeplift_shows_its_gap(network: OpenNetwork) -> None:
    every = [explain_network(network, RESUME, target, method="deeplift") for target in range(3)]
    found = max(every, key=lambda each: abs(each.delta))
    is_whole(found)
    assert abs(found.delta) > 0.02
    assert not found.converged
    assert f"{found.delta:+.3f}" in found.warnings[0]
    assert (found.steps, found.layer) == (0, None)


def test_features_are_scored_exactly_and_a_missing_one_not_at_all(encoder: Path, tmp_path: Path) -> None:
    """Against a sum over many small steps of the hidden layer, by numpy."""
    artefact, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I"]), features=True)
    found = explain_network(network, RESUME, 2)
    tensors = {name: array.astype(np.float64) for name, array in artefact.tensors.items()}
    given = np.array([(30 - 12) / 6, (2 - 1) / 2])
    weight, bias = tensors["features.hidden.weight"], tensors["features.hidden.bias"]
    shares = (np.arange(20_000) + 0.5) / 20_000
    is_on = (np.outer(shares, weight @ given) + bias > 0).mean(axis=0)
    decoder = centred(tensors["decoder.weight"].T).T
    expected = given * ((decoder[2, 32:] * is_on) @ weight)
    assert [each.name for each in found.facts] == ["months", "degree"]
    assert [each.score for each in found.facts] == pytest.approx(expected.tolist(), abs=1e-3)
    lacking = explain_network(network, place(RESUMES[1]), 2)
    assert (lacking.facts[1].value, lacking.facts[1].score) == (None, 0.0)


def test_another_target_has_other_scores(network: OpenNetwork) -> None:
    """Rows 2 and 7: the label that is asked for, its logit, and no other."""
    found = [explain_network(network, RESUME, target) for target in range(3)]
    assert len({round(each.output, 6) for each in found}) == 3
    assert sum(each.output for each in found) == pytest.approx(0, abs=1e-4)  # what all share explains nothing
    assert all(
        np.abs(values(one) - values(other)).max() > 1e-3
        for one, other in ((found[0], found[1]), (found[1], found[2]), (found[0], found[2]))
    )
    with pytest.raises(UsageError, match="low, middle, high"):
        explain_network(network, RESUME, 3)


def test_outputs_are_logits_before_the_temperature(network: OpenNetwork, artefact: Artefact, encoder: Path) -> None:
    expected = logits(artefact, encoder)[0]
    found = [explain_network(network, RESUME, target).output for target in range(3)]
    assert found == pytest.approx(expected.tolist(), abs=1e-4)


def test_every_label_of_a_model_of_several_adds_up(encoder: Path, tmp_path: Path) -> None:
    _, network = opened(tmp_path, encoder, small(ARCHITECTURES["C"]), outcome="several")
    found = {label: explain_network(network, RESUME, at) for at, label in enumerate(network.manifest.labels)}
    assert set(found) == {"low", "middle", "high"}
    for each in found.values():
        is_whole(each)
        assert each.converged


def test_padding_in_a_batch_changes_no_score(network: OpenNetwork) -> None:
    """Rows 3 and 11: the short section is computed beside a long one, alone, and one point at a time."""
    alone = explain_network(network, place(replace(RESUMES[0], sections=RESUMES[0].sections[:1])), 1)
    beside = explain_network(network, RESUME, 1)
    np.testing.assert_allclose(values(beside)[:3], values(alone), atol=1e-5)


def test_a_text_of_one_token_is_explained(network: OpenNetwork) -> None:
    """Row 11: no dimension is lost on the way."""
    found = explain_network(network, place(RESUMES[1]), 0)
    assert len(found.scores) == 1
    assert found.converged


def test_a_resume_without_words_is_its_own_baseline(network: OpenNetwork) -> None:
    found = explain_network(network, place(replace(RESUMES[0], sections=(), features={})), 0)
    assert (found.scores, found.tokens, found.total) == ((), 0, 0.0)
    assert found.output == pytest.approx(found.baseline_output, abs=1e-5)


def test_three_thousand_tokens_are_all_covered(network: OpenNetwork) -> None:
    """Row 5: longer than the encoder reads at once, and nothing is cut off."""
    resume = place(long_resume(2400))
    text = resume.sections[0].text
    assert len(network.rules.content(text)) > 3000
    found = explain_network(network, resume, 1, fast=True)
    assert found.tokens == len(found.scores) == len(network.rules.content(text))
    assert found.unread == 0
    covered = np.zeros(len(text), np.bool_)
    for each in found.scores:
        covered[each.start : each.end] = True
    assert "".join(character for character, seen in zip(text, covered, strict=True) if not seen).strip() == ""
    assert found.converged


def test_what_was_never_read_is_told(encoder: Path, tmp_path: Path) -> None:
    _, network = opened(tmp_path, encoder, small(ARCHITECTURES["Wr"]))
    found = explain_network(network, place(long_resume(40)), 1)
    assert found.tokens == 14
    assert f"{found.unread:,} of the resume's {found.unread + 14:,} tokens" in found.warnings[0]


def test_steps_double_until_the_gate_passes(network: OpenNetwork) -> None:
    """Row 6: from one step on; delta and steps are stored."""
    found = explain_network(network, RESUME, 2, steps=1, fast=True)
    is_whole(found)
    assert found.converged
    assert found.steps > 1


def test_fast_is_marked_and_orders_words_alike(network: OpenNetwork) -> None:
    full, fast = (explain_network(network, RESUME, 2, fast=fast) for fast in (False, True))
    assert FAST in fast.warnings
    assert FAST not in full.warnings
    assert fast.steps <= full.steps
    assert np.corrcoef(ranks(values(full).tolist()), ranks(values(fast).tolist()))[0, 1] > 0.95


@pytest.mark.parametrize("method", ["lig", "conductance"])
def test_other_methods_are_fast_too(network: OpenNetwork, method: str) -> None:
    full, fast = (explain_network(network, RESUME, 2, method=method, fast=fast) for fast in (False, True))
    assert FAST in fast.warnings
    assert fast.steps < full.steps


def test_everything_is_on_one_device_and_comes_back_as_plain_numbers(network: OpenNetwork) -> None:
    """Row 8."""
    held = [*network.network.parameters(), *network.network.buffers()]
    assert {each.device.type for each in held} == {"cpu"}
    found = explain_network(network, RESUME, 2)
    assert all(type(each.score) is float for each in found.scores)


def test_the_same_bytes_twice(encoder: Path, tmp_path: Path) -> None:
    """Though the second time what padding gives is remembered."""
    artefact, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I"]))
    first, second = (explain_network(network, RESUME, 1) for _ in range(2))
    assert network.remembered
    fresh = explain_network(open_network(artefact, encoders=(encoder,)), RESUME, 1)
    assert first.scores == second.scores == fresh.scores


def test_progress_reaches_its_end(network: OpenNetwork) -> None:
    told: list[tuple[int, int]] = []
    explain_network(network, RESUME, 1, progress=lambda done, known: told.append((done, known)))
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.parametrize("method", METHODS)
def test_an_unknown_layer_or_baseline_is_refused_in_plain_words(network: OpenNetwork, method: str) -> None:
    with pytest.raises(UsageError, match=r"encoder\.layer\.0 to encoder\.layer\.1|begins at the word_embeddings"):
        explain_network(network, RESUME, 1, method=method, layer="encoder.layer.2")
    with pytest.raises(UnknownBaseline, match="pad, average, negatives, random"):
        explain_network(network, RESUME, 1, method=method, baseline="zero")


def test_an_unknown_method_is_refused(network: OpenNetwork) -> None:
    with pytest.raises(UsageError, match="ig, lig, conductance, deeplift"):
        explain_network(network, RESUME, 1, method="lime")


def test_a_network_from_other_numbers_is_explained_otherwise(encoder: Path, tmp_path: Path) -> None:
    """The sanity check: scores that did not depend on what was learned would stay the same."""
    _, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I"]))
    resume = place(long_resume(60, seed=2))
    learned = values(explain_network(network, resume, 1))
    torch.manual_seed(0)
    for layer in network.network.encoder.layers:
        for parameter in layer.parameters():
            if parameter.dim() == 2:
                parameter.data = torch.randn_like(parameter) * parameter.std()
    network.network.decoder.weight.data = torch.randn_like(network.network.decoder.weight) * 0.1
    network.remembered.clear()
    scrambled = values(explain_network(network, resume, 1))
    correlation = np.corrcoef(ranks(np.abs(learned).tolist()), ranks(np.abs(scrambled).tolist()))[0, 1]
    assert abs(correlation) < 0.5
