"""Words, lines and sections taken away one at a time, and encodings that are not worked out twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from evenhand.explain import occlusion
from evenhand.explain.attribution import CachingEncoder, ScoringModel, centred, words_of
from evenhand.explain.occlusion import attribute_by_occlusion, units_of
from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.encoder.weights import Ids
from evenhand.models.inference.loading import load_network
from evenhand.models.inference.network import BATCH_TOKENS, EncodedSequences, NetworkClassifier, SequenceModel
from evenhand.models.registry import load_artefact
from tests.explain.gradients.by_hand import draw_network, small
from tests.explain.small_joined import place, placed_words, scoring_model
from tests.models.encoder.tiny_bert import write_tiny_bert


def test_a_word_is_worth_what_the_output_loses_without_it() -> None:
    placed, words = placed_words("bread and ward", "Cook")
    found = attribute_by_occlusion(scoring_model(), placed, words, 0)
    # bread 1 and ward 2, scaled to length 1: COOK gets (1 - 2) / sqrt 5; one alone is the whole row. The title stays.
    whole = (1 - 2) / sqrt(5)
    assert [each.score for each in found.scores] == pytest.approx([whole - -1, 0.0, whole - 1], abs=1e-6)
    assert found.output == pytest.approx(0.5 + 1.0 + whole)
    assert found.baseline_output == pytest.approx(0.5 + 1.0)
    assert found.delta == pytest.approx(2 * whole - whole, abs=1e-6)
    assert found.total == pytest.approx(found.output - found.baseline_output + found.delta)
    assert not found.converged
    assert "miss the whole difference by -0.45" in found.warnings[0]


def test_a_word_in_a_title_goes_there_too() -> None:
    placed, words = placed_words("Cook\nand so on", "Cook")
    found = attribute_by_occlusion(scoring_model(), placed, words, 0)
    assert [each.score for each in found.scores] == pytest.approx([1.0, 0, 0, 0])
    assert (found.converged, found.warnings) == (True, ())


def test_lines_and_sections_share_their_score_by_words() -> None:
    placed, words = placed_words("fresh bread\nward", "Cook")
    lines = attribute_by_occlusion(scoring_model(), placed, words, 0, unit="line")
    one, other, third = (each.score for each in lines.scores)
    without_ward = (1 + 0.5) / sqrt(2)
    whole = (1 + 0.5 - 2) / sqrt(6)
    assert one == other == pytest.approx((whole + 1) / 2, abs=1e-6)
    assert third == pytest.approx(whole - without_ward, abs=1e-6)
    sections = attribute_by_occlusion(scoring_model(), placed, words, 0, unit="section")
    assert [each.score for each in sections.scores] == pytest.approx([whole / 3] * 3, abs=1e-6)
    assert sections.converged


def test_units() -> None:
    _, words = placed_words("fresh bread\n\nward")
    assert [list(each) for each in units_of(words, "word")] == [[0], [1], [2]]
    assert [list(each) for each in units_of(words, "line")] == [[0, 1], [2]]
    assert [list(each) for each in units_of(words, "section")] == [[0, 1, 2]]


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> NetworkClassifier:
    folder = tmp_path_factory.mktemp("occlusion")
    encoder = write_tiny_bert(folder / "tiny")
    draw_network(folder / "mine", encoder, small(ARCHITECTURES["C+I"]))
    classifier = load_network(
        load_artefact(folder / "mine"), encoders=[encoder], precision="fp32", cache=None, threads=1
    )
    assert isinstance(classifier, NetworkClassifier)
    return classifier


TEXT = "the nurse cared for patients\nand wrote a report of it\nin the ward " * 3


def test_a_network_reads_only_what_changed_and_says_the_same(network: NetworkClassifier) -> None:
    placed = place(TEXT, "nurse")
    sequences = network.cut(placed.resume).sequences
    assert len(sequences) > 2
    counting = Counting(network.encoder)
    caching = CachingEncoder.of(counting, sequences)
    counting.read.clear()
    classifier = replace(network, encoder=caching)
    words = words_of(TEXT, placed)
    last = [placed.without([(span.start, span.end)]).resume for span in words.spans[-3:]]
    assert classifier.logits(last) == pytest.approx(network.logits(last), abs=1e-6)
    assert 0 < len(counting.read) <= 2 * len(last)  # never the chunks before
    counting.read.clear()
    assert classifier.logits([placed.resume] * 20) == pytest.approx(network.logits([placed.resume] * 20), abs=1e-6)
    assert counting.read == []


class Counting:
    """Keeps account of what is read."""

    def __init__(self, inner: SequenceModel) -> None:
        self.inner, self.output, self.hidden = inner, inner.output, inner.hidden
        self.read: list[Ids] = []

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[EncodedSequences]:
        self.read += list(sequences)
        return self.inner.run(sequences, batch_tokens=batch_tokens)


def test_occlusion_of_a_network_is_the_difference_of_its_outputs(network: NetworkClassifier) -> None:
    placed, words = place(TEXT, "nurse"), words_of(TEXT, place(TEXT, "nurse"))
    found = attribute_by_occlusion(ScoringModel(network), placed, words, 1, unit="line")
    (first, last) = words.line_words[0]
    span = (words.spans[first].start, words.spans[last].end)
    rows = centred(network.logits([placed.resume, placed.without([span]).resume]).astype(np.float64))[:, 1]
    lost = sum(each.score for each in found.scores[: last + 1])
    assert lost == pytest.approx(float(rows[0] - rows[1]), abs=1e-6)


def test_a_joined_model_has_nothing_to_remember() -> None:
    one = scoring_model()
    assert one.with_cache_of(place("bread").resume) is one


def test_a_text_far_longer_than_a_resume_is_taken_away_in_larger_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    placed, words = placed_words("bread and\nward\nand so on")
    monkeypatch.setattr(occlusion, "MAX_OCCLUSION_CHARACTERS", 3 * len(words.text))
    found = attribute_by_occlusion(scoring_model(), placed, words, 0)
    assert found.layer == "line"
    assert found.warnings[0] == "The text is far longer than a resume: lines were taken away instead of words."
    monkeypatch.setattr(occlusion, "MAX_OCCLUSION_CHARACTERS", 0)
    assert attribute_by_occlusion(scoring_model(), placed, words, 0).layer == "section"
