"""The encoder in small integers: near the full one, the same for every batch, kept, and refused when it strays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from evenhand.models.encoder.graph import quantise_columns
from evenhand.models.encoder.loading import SENTENCES, Encoder, VectorAgreement, load_encoder, measure_agreement
from evenhand.models.encoder.weights import shipped_folder
from tests.models.encoder.tiny_bert import write_tiny_bert

TEXTS = ["java engineer", "", "nurse", "ward nurse (java) engineer javascript", "java (nurse)"]
shipped = pytest.mark.skipif(shipped_folder() is None, reason="the weights are not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_tiny_bert(tmp_path / "tiny")


def spoil(folder: Path) -> None:
    """One input that is always zero gets weights so large that in small integers nothing is left of the others."""
    arrays = load_file(folder / "model.safetensors")
    for norm in ("embeddings.LayerNorm", "encoder.layer.0.output.LayerNorm"):
        arrays[f"{norm}.weight"][0] = arrays[f"{norm}.bias"][0] = 0
    for layer in range(2):
        for part in ("query", "key", "value"):
            arrays[f"encoder.layer.{layer}.attention.self.{part}.weight"][:, 0] = 1000
    save_file(arrays, folder / "model.safetensors")


def test_columns_become_steps_of_at_most_63() -> None:
    steps, scales = quantise_columns(np.array([[6.3, 0.0, -1.26], [-3.1, 0.0, 0.63]], np.float32))
    assert steps.tolist() == [[63, 0, -63], [-31, 0, 32]]  # 31.5 goes to the even 32
    np.testing.assert_allclose(scales, [0.1, 0, 0.02], atol=1e-7)


def test_compact_vectors_do_not_depend_on_the_texts_beside_them(folder: Path) -> None:
    encoder = load_encoder(folder, precision="int8")
    assert (encoder.precision, encoder.note) == ("int8", "")
    together = encoder.encode(TEXTS)
    alone = np.vstack([encoder.encode([text]) for text in TEXTS])
    np.testing.assert_allclose(alone, together, atol=1e-5)
    full = load_encoder(folder).encode(TEXTS)
    cosines = (full * together).sum(axis=1)
    assert cosines[1] == 0
    assert 0.99 < cosines[[0, 2, 3, 4]].min() < 1 - 1e-6  # near, and not the same computation


def test_made_once_and_kept(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    made = load_encoder(folder, precision="int8", cache=cache)
    assert sorted(path.name for path in cache.iterdir()) == [f"{made.version}.json", f"{made.version}.onnx"]

    def forbidden(*_: object, **__: object) -> bytes:
        raise AssertionError

    monkeypatch.setattr("evenhand.models.encoder.loading.build_graph", forbidden)
    kept = load_encoder(folder, precision="int8", cache=cache)
    assert kept.version == made.version
    assert kept.encode(TEXTS).tobytes() == made.encode(TEXTS).tobytes()


@pytest.mark.parametrize("damage", ["cut", "flip", "note"])
def test_made_again_when_damaged(folder: Path, tmp_path: Path, damage: str) -> None:
    cache = tmp_path / "cache"
    made = load_encoder(folder, precision="int8", cache=cache)
    model, note = cache / f"{made.version}.onnx", cache / f"{made.version}.json"
    whole = model.read_bytes()
    if damage == "note":
        note.write_text("{}")
    else:
        model.write_bytes(whole[:-100] if damage == "cut" else whole[:-1] + bytes([whole[-1] ^ 1]))
    again = load_encoder(folder, precision="int8", cache=cache)
    assert again.encode(TEXTS).tobytes() == made.encode(TEXTS).tobytes()
    assert model.read_bytes() == whole
    assert "sha256" in note.read_text()


def test_works_where_nothing_can_be_kept(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way of the folder")
    encoder = load_encoder(folder, precision="int8", cache=tmp_path / "file")
    assert encoder.precision == "int8"


def test_full_precision_is_given_when_small_integers_stray(folder: Path, tmp_path: Path) -> None:
    spoil(folder)
    full = load_encoder(folder)
    for _ in ("made", "kept"):
        given = load_encoder(folder, precision="int8", cache=tmp_path / "cache")
        assert (given.precision, given.version) == ("fp32", full.version)
        assert given.note.startswith("int8 was not used: its vectors have cosine 0.")
        assert given.encode(TEXTS).tobytes() == full.encode(TEXTS).tobytes()


@pytest.mark.parametrize(
    ("agreement", "accepted"), [((0.98, 0.98), True), ((0.979, 1.0), False), ((1.0, 0.979), False)]
)
def test_both_figures_must_reach_the_bound(agreement: tuple[float, float], accepted: bool) -> None:
    assert (VectorAgreement(*agreement).objection == "") is accepted


def test_agreement_is_mean_cosine_and_spearman_of_pairs(folder: Path, tmp_path: Path) -> None:
    full, other = load_encoder(folder), load_encoder(write_tiny_bert(tmp_path / "other", seed=1))
    sentences = ["java", "nurse", "ward", "java engineer", "(nurse)"]
    left, right = full.encode(sentences), other.encode(sentences)
    pairs = [(row, column) for row in range(5) for column in range(row)]
    ranks = [_ranks([float(side[a] @ side[b]) for a, b in pairs]) for side in (left, right)]
    distances = sum((one - two) ** 2 for one, two in zip(*ranks, strict=True))
    expected = 1 - 6 * distances / (10 * 99)  # Spearman's formula for ten pairs without ties
    found = measure_agreement(full, other, sentences)
    assert found.correlation == pytest.approx(expected, abs=1e-6)
    assert found.cosine == pytest.approx(np.mean([a @ b for a, b in zip(left, right, strict=True)]), abs=1e-5)


def _ranks(values: list[float]) -> list[int]:
    return [sorted(values).index(value) for value in values]


@shipped
def test_the_shipped_encoder_keeps_its_meaning_in_small_integers() -> None:
    full, compact = load_encoder(), load_encoder(precision="int8")
    assert compact.precision == "int8"
    agreement = measure_agreement(full, compact)
    assert agreement.cosine > 0.99
    assert agreement.correlation > 0.99
    _batches_agree(compact)


def _batches_agree(encoder: Encoder) -> None:
    np.testing.assert_allclose(
        encoder.encode(SENTENCES, batch_tokens=1), encoder.encode(SENTENCES, batch_tokens=4096), atol=1e-5
    )
