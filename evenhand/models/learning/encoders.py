"""Encoders to train on: the one that ships, or any folder or hub name that transformers reads as BERT or RoBERTa."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from evenhand.errors import UsageError
from evenhand.models.competence.cutting import TokenRules, make_rules, read_rules
from evenhand.models.competence.designs import Design
from evenhand.models.encoder.weights import KINDS, SHIPPED_SHA256, EncoderSource, find_source, first_position
from evenhand.models.learning.layers import Encoder, EncoderShape

Method = Literal["frozen", "lora", "full"]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What of an encoder learns. `layers` counts from above; what is below is frozen and computed once per text."""

    method: Method = "lora"
    layers: int | None = 1  # None: all, and with "full" the embeddings too
    rank: int = 8
    # Attention between resume and job needs the last states of all tokens, so that a layer that learns below it is
    # computed for all of them at every step, which takes some thirty times as long. By default LoRA leaves the whole
    # encoder frozen there, and only what stands on it learns.
    below_attention: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Readable:
    """An encoder with its weights, its way to read text, and where both come from."""

    source: EncoderSource
    encoder: Encoder
    rules: TokenRules


def load_readable(name: str | Path | None = None) -> Readable:
    """The shipped encoder without a name, else a folder or a hub name; each call reads the weights anew."""
    config = None if name is None else Path(name, "config.json")
    if config is None or (config.is_file() and _read(config).get("model_type") == "bert"):
        return _directly(find_source(None if name is None else Path(name)))
    return _through_transformers(str(name))


def _directly(source: EncoderSource) -> Readable:
    """A BERT's files say all there is to know, and transformers takes seconds to import."""
    shape = shape_of(_read(source.folder / "config.json"))
    rules = read_rules(source.folder / "tokenizer.json", shape.tokens)
    return Readable(
        source, _filled(shape, load_file(source.folder / "model.safetensors"), source.name), rules
    )


def _read(config: Path) -> dict[str, Any]:
    found = json.loads(config.read_text(encoding="utf-8"))
    return found if isinstance(found, dict) else {}


def shape_of(config: Mapping[str, Any]) -> EncoderShape:
    """Of a config.json; UsageError for encoders of another build."""
    kind = config.get("model_type")
    if kind not in KINDS:
        raise UsageError(f"An encoder of type {kind!r} cannot be trained here; {', '.join(KINDS)} can.")
    for key, wanted in {"hidden_act": "gelu", "position_embedding_type": "absolute"}.items():
        if (found := config.get(key) or wanted) != wanted:
            raise UsageError(f"An encoder with {key} {found!r} cannot be trained here; only {wanted!r} can.")
    try:
        return EncoderShape(
            vocabulary=int(config.get("vocab_size", 0)),
            hidden=int(config["hidden_size"]),
            heads=int(config["num_attention_heads"]),
            layers=int(config["num_hidden_layers"]),
            inner=int(config["intermediate_size"]),
            positions=int(config["max_position_embeddings"]),
            types=int(config.get("type_vocab_size", 2)),
            epsilon=float(config.get("layer_norm_eps", 1e-12)),
            first_position=first_position(config),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"The encoder's config.json is incomplete: {error}.") from error


def _through_transformers(name: str) -> Readable:
    """Its weights as they are, whatever task head stands on them; pickled weights are refused, they can run code."""
    from transformers import AutoConfig, AutoModel, AutoTokenizer  # noqa: PLC0415 - takes seconds

    try:
        shape = shape_of(AutoConfig.from_pretrained(name).to_dict())
        model = AutoModel.from_pretrained(name, use_safetensors=True)
        tokenizer = AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise UsageError(f"The encoder {name} cannot be loaded: {str(error).splitlines()[0]}") from error
    rules = make_rules(_bare(tokenizer.backend_tokenizer), shape.tokens)
    source = _source(name)
    return Readable(source, _filled(shape, model.state_dict(), source.name), rules)


def _bare(tokenizer: Tokenizer) -> Tokenizer:
    """Its own rules but for padding and length, and a resume that says "[SEP]" has not ended its text."""
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    return tokenizer


def _source(name: str) -> EncoderSource:
    from transformers.utils.hub import cached_file  # noqa: PLC0415

    try:
        files = {file: Path(str(cached_file(name, file))) for file in SHIPPED_SHA256}
        sums = {file: hashlib.sha256(path.read_bytes()).hexdigest() for file, path in files.items()}
    except OSError as error:
        raise UsageError(f"The encoder {name} lacks a file: {str(error).splitlines()[0]}") from error
    folder = files["model.safetensors"].parent
    return EncoderSource(folder, Path(name).resolve().name if Path(name).is_dir() else name, sums)


def _filled(shape: EncoderShape, arrays: Mapping[str, Tensor], name: str) -> Encoder:
    floats = {key.removeprefix("bert."): array for key, array in arrays.items() if array.is_floating_point()}
    words = floats.get("embeddings.word_embeddings.weight")
    size = shape.vocabulary if words is None else len(words)
    encoder = Encoder(replace(shape, vocabulary=size, has_pooler="pooler.dense.weight" in floats))
    if missing := encoder.load(floats):
        raise UsageError(f"The weights of the encoder {name} lack {missing[0]}, or it has another size.")
    return encoder


def tune(encoder: Encoder, tuning: Tuning, design: Design | None = None) -> None:
    """Freezes, adapts or frees the encoder's layers in place; what LoRA begins with comes from torch's own seed."""
    has_attention = design is not None and design.job == "attention"
    count = len(encoder.layers)
    layers = count if tuning.layers is None else tuning.layers
    if not 0 <= layers <= count:
        raise UsageError(f"The encoder has {count} layers; {layers} of them cannot be trained.")
    if tuning.method == "frozen" or (
        tuning.method == "lora" and has_attention and not tuning.below_attention
    ):
        layers = 0
    encoder.requires_grad_(requires_grad=False)
    encoder.frozen = count - layers
    if tuning.method == "lora":
        for name, linear in encoder.named_linears():
            if int(name.split(".")[2]) >= encoder.frozen:
                linear.adapt(tuning.rank)
    if tuning.method == "full":
        trained = encoder if tuning.layers is None else encoder.layers[encoder.frozen :]
        trained.requires_grad_(requires_grad=True)
        if encoder.pooler is not None:
            encoder.pooler.requires_grad_(requires_grad=False)
