"""A BERT of two layers from random numbers, whose words are named in a test; and resumes made of such words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from tokenizers.processors import TemplateProcessing

from evenhand.models.inputs import KINDS, ResumeInput, SectionText

HIDDEN, INNER, LAYERS, POSITIONS = 32, 64, 2, 64
WORDS = tuple("abcdefghijklmnopqrst")


def write_small_bert(folder: Path, *, words: Sequence[str] = WORDS, seed: int = 0) -> Path:
    vocabulary = {word: place for place, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words])}
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": HIDDEN,
        "intermediate_size": INNER,
        "num_attention_heads": 4,
        "num_hidden_layers": LAYERS,
        "max_position_embeddings": POSITIONS,
        "vocab_size": len(vocabulary),
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    save_file(_arrays(np.random.default_rng(seed), len(vocabulary)), folder / "model.safetensors")
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def _arrays(rng: np.random.Generator, vocabulary: int) -> dict[str, np.ndarray]:
    sizes = {
        "embeddings.word_embeddings": (vocabulary, HIDDEN),
        "embeddings.position_embeddings": (POSITIONS, HIDDEN),
        "embeddings.token_type_embeddings": (2, HIDDEN),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            sizes[f"{name}.attention.{part}"] = (HIDDEN, HIDDEN)
        sizes |= {f"{name}.intermediate.dense": (INNER, HIDDEN), f"{name}.output.dense": (HIDDEN, INNER)}
        norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
    arrays = {f"{name}.weight": rng.normal(0, 0.25, size) for name, size in sizes.items()}
    arrays |= {f"{name}.bias": rng.normal(0, 0.1, size[0]) for name, size in sizes.items() if "encoder" in name}
    arrays |= {f"{name}.weight": rng.normal(1, 0.1, HIDDEN) for name in norms}
    arrays |= {f"{name}.bias": rng.normal(0, 0.1, HIDDEN) for name in norms}
    return {name: array.astype(np.float32) for name, array in arrays.items()}


def resume(*sections: tuple[int, str], **features: float) -> ResumeInput:
    """Sections by the place of their kind."""
    return ResumeInput(tuple(SectionText(KINDS[kind], text) for kind, text in sections), features=features)


def chance_words(rng: np.random.Generator, count: int, words: Sequence[str]) -> str:
    return " ".join(rng.choice(words, size=count))
