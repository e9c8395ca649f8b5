"""What the twelve networks compute: invariances, shapes, sizes, and the short cuts against the long way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from evenhand.errors import UsageError
from evenhand.models.architectures import ARCHITECTURES, Architecture
from evenhand.models.inputs import ResumeInput
from evenhand.models.training.encoders import StateCache, Tuning, load_pretrained, shape_of, token_tensors, tune
from evenhand.models.training.examples import Preparation, TrainingExample, make_batch
from evenhand.models.training.layers import TrainableEncoder, attend, pack
from evenhand.models.training.loop import be_exact
from evenhand.models.training.network import CrossAttention, Network
from tests.models.training.small_bert import HIDDEN, chance_words, resume

WORDS = tuple("abcdefghijklmnopqrst")
JOBS = ("a b c d", "e f g")
BERT_BASE = {
    "model_type": "bert",
    "vocab_size": 30522,
    "hidden_size": 768,
    "num_attention_heads": 12,
    "num_hidden_layers": 12,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}


def small_design(name: str) -> Architecture:
    return replace(ARCHITECTURES[name], whole_tokens=20, chunk_tokens=6, heads=4)


class Bench:
    """A network with everything about it drawn by chance, and examples for it."""

    def __init__(self, folder: Path, architecture: Architecture, tuning: Tuning | None = None) -> None:
        be_exact(5)
        self.readable = load_pretrained(folder)
        tune(self.readable.encoder, tuning or Tuning("full", None))
        self.network = Network(architecture, self.readable.encoder, 3).eval()
        with torch.no_grad():
            for name, parameter in self.network.named_parameters():
                if not name.startswith("encoder.") or name.endswith(("up", "down")):
                    parameter.normal_(0, 0.15)
        self.preparation = Preparation(architecture, self.readable.rules, None, JOBS)

    def logits(self, resumes: Sequence[ResumeInput], *, states: StateCache | None = None) -> Tensor:
        rows = self.preparation.prepare([TrainingExample(row, 0, place % 2) for place, row in enumerate(resumes)])
        jobs = self.preparation.job_sequences()
        with torch.no_grad():
            found: Tensor = self.network(make_batch(rows, jobs, states))
        return found


def some_resumes() -> list[ResumeInput]:
    rng = np.random.default_rng(3)
    return [
        resume(*((kind, chance_words(rng, int(rng.integers(1, 30)), WORDS)) for kind in (0, 2, 4)[:count]))
        for count in (3, 1, 2, 3, 2)
    ]


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_batch_mates_do_not_change_logits(small_bert: Path, name: str) -> None:
    bench, resumes = Bench(small_bert, small_design(name)), some_resumes()
    together = bench.logits(resumes)
    assert together.std() > 0.01
    for place in (0, 2, 4):  # each of them applies for the first job when alone, too
        torch.testing.assert_close(bench.logits([resumes[place]])[0], together[place], atol=1e-5, rtol=0)


def test_chunks_are_summed_whatever_their_order(small_bert: Path) -> None:
    bench = Bench(small_bert, small_design("C"))
    there, back = resume((0, "a b c"), (2, "d e f g")), resume((2, "d e f g"), (0, "a b c"))
    torch.testing.assert_close(bench.logits([there]), bench.logits([back]), atol=1e-6, rtol=0)


def test_with_section_vectors_it_matters_which_chunk_has_which_section(small_bert: Path) -> None:
    one, other = resume((0, "a b c"), (2, "d e f g")), resume((2, "a b c"), (0, "d e f g"))
    bound = Bench(small_bert, small_design("C+I"))
    assert (bound.logits([one]) - bound.logits([other])).abs().max() > 0.01
    # By the letter of the published formula the sum is the same; a section more or less changes it all the same.
    letter = Bench(small_bert, replace(small_design("C+I"), binding="none"))
    torch.testing.assert_close(letter.logits([one]), letter.logits([other]), atol=1e-6, rtol=0)
    moved = resume((0, "a b c"), (0, "d e f g"))
    assert (letter.logits([one]) - letter.logits([moved])).abs().max() > 0.01


def test_the_mean_of_two_equal_chunks_is_that_of_one(small_bert: Path) -> None:
    once, twice = resume((0, "a b c d e f")), resume((0, "a b c d e f a b c d e f"))
    mean = Bench(small_bert, replace(small_design("C"), pooling="mean"))
    torch.testing.assert_close(mean.logits([once]), mean.logits([twice]), atol=1e-6, rtol=0)
    total = Bench(small_bert, small_design("C"))
    bias = total.network.decoder.bias
    torch.testing.assert_close(2 * (total.logits([once]) - bias), total.logits([twice]) - bias, atol=1e-5, rtol=0)


@pytest.mark.parametrize("cut", ["P", "C"])
def test_without_embeddings_and_attention_only_the_layout_is_left(small_bert: Path, cut: str) -> None:
    one, other = resume((0, "a b c"), (2, "d e f g")), resume((0, "h i"), (2, "j k l m n"))
    for name, differs in ((f"{cut}+I+J+A-E", False), (f"{cut}+I+J+A", True)):
        bench = Bench(small_bert, small_design(name))
        block = bench.network.attention["shared"]
        assert isinstance(block, CrossAttention)
        torch.nn.init.zeros_(block.output.weight)
        torch.nn.init.zeros_(block.output.bias)
        gap = (bench.logits([one]) - bench.logits([other])).abs().max()
        assert (gap > 0.01) == differs
        if not differs:
            assert gap == 0


@pytest.mark.parametrize(
    ("name", "concat_job", "width"),
    [
        ("Wr", False, 768),
        ("P+I", False, 768),
        ("C", False, 768),
        ("Wr+b", False, 768),
        ("C+I+J", False, 1536),
        ("P+I+J+A", False, 768),
        ("C+I+J+A-E", False, 768),
        ("C+I+J+A", True, 1536),
    ],
)
def test_the_decoder_sees_768_numbers_or_1536(name: str, concat_job: bool, width: int) -> None:
    with torch.device("meta"):
        encoder = TrainableEncoder(replace(shape_of(BERT_BASE), layers=1))
        network = Network(replace(ARCHITECTURES[name], concat_job=concat_job), encoder, 2)
    assert network.decoder.in_features == width


def test_short_cuts_give_what_the_long_way_gives() -> None:
    torch.manual_seed(0)
    attention = CrossAttention(HIDDEN, 4)
    for linear in (attention.query, attention.key, attention.value, attention.output):
        torch.nn.init.normal_(linear.bias)
        linear.adapt(2)
        assert linear.up is not None
        torch.nn.init.normal_(linear.up)
    packing = pack([7, 6, 2])
    rows, queries = torch.randn(packing.tokens, HIDDEN), torch.randn(5, HIDDEN)
    few = attention.first(queries, rows, packing)
    many = attention.over_each(queries, rows, packing)
    assert few.shape == (3, 5, HIDDEN)
    torch.testing.assert_close(few, many, atol=1e-5, rtol=0)
    for place, states in enumerate(torch.split(rows, list(packing.lengths))):
        keys, values = (linear(states).unsqueeze(0) for linear in (attention.key, attention.value))
        plain = attention.output(attend(attention.query(queries).unsqueeze(0), keys, values, 4, None))
        torch.testing.assert_close(few[place], plain[0], atol=1e-5, rtol=0)


@pytest.mark.parametrize("tuning", [Tuning("full", None), Tuning("lora", 1, 2), Tuning("lora", 2, 2), Tuning("frozen")])
def test_the_last_layer_at_first_tokens_is_the_last_layer(small_bert: Path, tuning: Tuning) -> None:
    encoder = Bench(small_bert, small_design("C"), tuning).readable.encoder
    sequences = [np.arange(2, 2 + length, dtype=np.int32) for length in (12, 12, 11, 5, 2)]
    ids, places = token_tensors(sequences)
    packing = pack([len(row) for row in sequences])
    rows = encoder.lower(ids, places, packing)
    everything = encoder.upper(rows, packing)
    assert encoder.frozen == {"full": 0, "frozen": 2}.get(tuning.method, 2 - (tuning.layers or 0))
    torch.testing.assert_close(encoder.upper_first(rows, packing), everything[packing.starts], atol=1e-5, rtol=0)


@pytest.mark.parametrize("name", ["C+I", "Wr+b", "C+I+J+A"])
def test_kept_states_lose_only_what_half_precision_loses(small_bert: Path, tmp_path: Path, name: str) -> None:
    bench, resumes = Bench(small_bert, small_design(name), Tuning("lora", 1, 2)), some_resumes()
    expected = bench.logits(resumes)
    rows = bench.preparation.prepare([TrainingExample(row, 0, place % 2) for place, row in enumerate(resumes)])
    sequences = [ids for row in rows for ids in row.cut.sequences] + bench.preparation.job_sequences()
    tokens = sum(len(ids) for ids in {ids.tobytes(): ids for ids in sequences}.values())
    told: list[tuple[int, int]] = []
    for folder in (None, tmp_path, tmp_path):  # in memory, written, read again
        states = StateCache(bench.readable, folder=folder)
        states.fill(sequences, lambda done, total: told.append((done, total)))
        torch.testing.assert_close(bench.logits(resumes, states=states), expected, atol=0.02, rtol=0)
        states.close()
    assert told == [(tokens, tokens)] * 2


def test_a_torn_file_of_states_costs_only_what_was_torn(small_bert: Path, tmp_path: Path) -> None:
    bench = Bench(small_bert, small_design("C"), Tuning("lora", 1, 2))
    sequences = [np.arange(2, 2 + length, dtype=np.int32) for length in (9, 5)]
    states = StateCache(bench.readable, folder=tmp_path)
    states.fill(sequences)
    expected = states.rows(sequences)
    states.close()
    (file,) = tmp_path.glob("*.f16")
    for torn in (file, file.with_suffix(".index")):
        with torn.open("ab") as tail:
            tail.write(b"torn")
    again, reader = (StateCache(bench.readable, folder=tmp_path) for _ in range(2))
    assert torch.equal(again.rows(sequences), expected)
    assert torch.equal(reader.rows(sequences), expected)  # who comes second reads all the same, but writes nothing
    for states in (again, reader):
        states.fill([np.arange(2, 5, dtype=np.int32)])
    assert file.stat().st_size == (9 + 5 + 3) * HIDDEN * 2
    again.close()


@pytest.mark.parametrize(
    ("name", "shared", "millions"),
    [
        ("Wr", True, 109.49),
        ("P", True, 109.49),
        ("C", True, 109.49),
        ("C+I+J+A", True, 111.85),
        ("C+I+J+A", False, 114.22),
    ],
)
def test_the_networks_on_bert_base_have_the_published_sizes(name: str, shared: bool, millions: float) -> None:
    with torch.device("meta"):
        network = Network(
            replace(ARCHITECTURES[name], shared_attention=shared), TrainableEncoder(shape_of(BERT_BASE)), 5
        )
    assert round(sum(parameter.numel() for parameter in network.parameters()) / 1e6, 2) == millions


def test_heads_must_divide_the_width() -> None:
    with pytest.raises(UsageError, match="5 heads do not divide vectors of 32 numbers"):
        CrossAttention(32, 5)
