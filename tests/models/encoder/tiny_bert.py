"""A BERT small enough to write from random numbers, and BERT worked out text by text with numpy alone."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "java", "##script", "nurse", "engine", "##er", "ward", "(", ")"]
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "max_position_embeddings": 16,
    "layer_norm_eps": 1e-12,
}
Array = NDArray[np.float64]


def write_tiny_bert(folder: Path, *, seed: int = 0) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 12}))
    save_file(_random_arrays(np.random.default_rng(seed)), folder / "model.safetensors")
    tokenizer = Tokenizer(WordPiece({word: place for place, word in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.add_special_tokens(["[CLS]", "[SEP]"])
    specials = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=specials)
    tokenizer.enable_padding(length=16)  # as published tokenizers come: with settings an encoder must undo
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def write_tiny_bert_for_transformers(folder: Path) -> Path:
    """With the sizes that transformers would take for BERT's own otherwise."""
    write_tiny_bert(folder)
    (folder / "config.json").write_text(json.dumps(CONFIG | {"vocab_size": len(VOCABULARY), "type_vocab_size": 2}))
    return folder


def _random_arrays(rng: np.random.Generator) -> dict[str, NDArray[np.float32]]:
    arrays: dict[str, NDArray[np.float32]] = {}

    def draw(name: str, *shape: int) -> None:
        arrays[name] = rng.normal(0, 0.3, shape).astype(np.float32)

    def norm(name: str) -> None:
        draw(f"{name}.weight", 32)
        draw(f"{name}.bias", 32)

    draw("embeddings.word_embeddings.weight", len(VOCABULARY), 32)
    draw("embeddings.position_embeddings.weight", 16, 32)
    draw("embeddings.token_type_embeddings.weight", 2, 32)
    norm("embeddings.LayerNorm")
    for layer in range(2):
        name = f"encoder.layer.{layer}"
        places = [f"attention.self.{part}" for part in ("query", "key", "value")]
        sizes = dict.fromkeys([*places, "attention.output.dense"], (32, 32))
        sizes |= {"intermediate.dense": (64, 32), "output.dense": (32, 64)}
        for place, (rows, columns) in sizes.items():
            draw(f"{name}.{place}.weight", rows, columns)
            draw(f"{name}.{place}.bias", rows)
        norm(f"{name}.attention.output.LayerNorm")
        norm(f"{name}.output.LayerNorm")
    return arrays


class NumpyBert:
    """Attention Is All You Need by the letter, in float64, one text at a time: no batch, no mask, no padding."""

    def __init__(self, folder: Path) -> None:
        self.config = json.loads((folder / "config.json").read_text())
        self.arrays = {
            name: array.astype(np.float64) for name, array in load_file(folder / "model.safetensors").items()
        }

    def vector(self, ids: list[int]) -> Array:
        mean: Array = self.states(ids).mean(axis=0)
        return mean / math.sqrt(float(mean @ mean))

    def states(self, ids: list[int]) -> Array:
        hidden: Array = self.arrays["embeddings.word_embeddings.weight"][ids]
        hidden = hidden + self.arrays["embeddings.position_embeddings.weight"][: len(ids)]
        hidden = hidden + self.arrays["embeddings.token_type_embeddings.weight"][0]
        hidden = self._norm("embeddings.LayerNorm", hidden)
        for layer in range(self.config["num_hidden_layers"]):
            hidden = self._layer(f"encoder.layer.{layer}", hidden)
        return hidden

    def _layer(self, name: str, hidden: Array) -> Array:
        attended = self._linear(f"{name}.attention.output.dense", self._attend(f"{name}.attention.self", hidden))
        hidden = self._norm(f"{name}.attention.output.LayerNorm", attended + hidden)
        wide = self._linear(f"{name}.intermediate.dense", hidden)
        wide = wide * 0.5 * (1 + np.vectorize(math.erf)(wide / math.sqrt(2)))
        return self._norm(f"{name}.output.LayerNorm", self._linear(f"{name}.output.dense", wide) + hidden)

    def _attend(self, name: str, hidden: Array) -> Array:
        query, key, value = (self._linear(f"{name}.{part}", hidden) for part in ("query", "key", "value"))
        size = hidden.shape[1] // self.config["num_attention_heads"]
        mixed = np.empty_like(hidden)
        for start in range(0, hidden.shape[1], size):
            head = slice(start, start + size)
            scores = np.exp(query[:, head] @ key[:, head].T / math.sqrt(size))
            mixed[:, head] = scores / scores.sum(axis=1, keepdims=True) @ value[:, head]
        return mixed

    def _linear(self, name: str, rows: Array) -> Array:
        return rows @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]

    def _norm(self, name: str, rows: Array) -> Array:
        centred = rows - rows.mean(axis=1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + self.config["layer_norm_eps"])
        normal: Array = centred / spread * self.arrays[f"{name}.weight"] + self.arrays[f"{name}.bias"]
        return normal
