"""Encoders to train on: the one that ships, or any folder or hub name that transformers reads as BERT or RoBERTa."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from evenhand.errors import UsageError
from evenhand.models.architectures import Architecture
from evenhand.models.encoder.weights import KINDS, SHIPPED_SHA256, EncoderSource, find_source, first_position
from evenhand.models.sequences import Ids, TokenRules, make_rules, read_rules
from evenhand.models.training.layers import EncoderShape, TrainableEncoder, pack

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
class LoadedEncoder:
    """An encoder with its weights, its way to read text, and where both come from."""

    source: EncoderSource
    encoder: TrainableEncoder
    rules: TokenRules


def load_pretrained(name: str | Path | None = None) -> LoadedEncoder:
    """The shipped encoder without a name, else a folder or a hub name; each call reads the weights anew."""
    config = None if name is None else Path(name, "config.json")
    if config is None or (config.is_file() and _read(config).get("model_type") == "bert"):
        # A BERT's files say all there is to know, and transformers takes seconds to import.
        source = find_source(None if name is None else Path(name))
        shape = shape_of(_read(source.folder / "config.json"))
        rules = read_rules(source.folder / "tokenizer.json", shape.tokens)
        weights = load_file(source.folder / "model.safetensors")
        return LoadedEncoder(source, _filled(shape, weights, source.name), rules)
    return _through_transformers(str(name))


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


def _through_transformers(name: str) -> LoadedEncoder:
    """Its weights as they are, whatever task head stands on them; pickled weights are refused, they can run code."""
    from transformers import AutoConfig, AutoModel, AutoTokenizer  # noqa: PLC0415 - takes seconds

    try:
        shape = shape_of(AutoConfig.from_pretrained(name).to_dict())
        model = AutoModel.from_pretrained(name, use_safetensors=True)
        tokenizer = AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise UsageError(f"The encoder {name} cannot be loaded: {str(error).splitlines()[0]}") from error
    # Its own rules but for padding and length, and a resume that says "[SEP]" has not ended its text.
    bare: Tokenizer = tokenizer.backend_tokenizer
    bare.no_padding()
    bare.no_truncation()
    bare.encode_special_tokens = True
    rules = make_rules(bare, shape.tokens)
    source = _source(name)
    return LoadedEncoder(source, _filled(shape, model.state_dict(), source.name), rules)


def _source(name: str) -> EncoderSource:
    from transformers.utils.hub import cached_file  # noqa: PLC0415

    try:
        files = {file: Path(str(cached_file(name, file))) for file in SHIPPED_SHA256}
        sums = {file: hashlib.sha256(path.read_bytes()).hexdigest() for file, path in files.items()}
    except OSError as error:
        raise UsageError(f"The encoder {name} lacks a file: {str(error).splitlines()[0]}") from error
    folder = files["model.safetensors"].parent
    return EncoderSource(folder, Path(name).resolve().name if Path(name).is_dir() else name, sums)


def _filled(shape: EncoderShape, arrays: Mapping[str, Tensor], name: str) -> TrainableEncoder:
    floats = {key.removeprefix("bert."): array for key, array in arrays.items() if array.is_floating_point()}
    words = floats.get("embeddings.word_embeddings.weight")
    size = shape.vocabulary if words is None else len(words)
    encoder = TrainableEncoder(replace(shape, vocabulary=size, has_pooler="pooler.dense.weight" in floats))
    if missing := encoder.load(floats):
        raise UsageError(f"The weights of the encoder {name} lack {missing[0]}, or it has another size.")
    return encoder


def tune(encoder: TrainableEncoder, tuning: Tuning, architecture: Architecture | None = None) -> None:
    """Freezes, adapts or frees the encoder's layers in place; what LoRA begins with comes from torch's own seed."""
    has_attention = architecture is not None and architecture.job == "attention"
    count = len(encoder.layers)
    layers = count if tuning.layers is None else tuning.layers
    if not 0 <= layers <= count:
        raise UsageError(f"The encoder has {count} layers; {layers} of them cannot be trained.")
    if tuning.method == "frozen" or (tuning.method == "lora" and has_attention and not tuning.below_attention):
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


# What the frozen layers give for a sequence, computed once and kept in half precision, in memory or in a folder.

COMPUTATION = "1"  # raise it when other states come out of the same sequence
BATCH_TOKENS = 1024
Half = NDArray[np.float16]


class StateCache:
    """Shared by all trainings on one encoder: neither seeds nor architectures change its frozen layers. Trainings that
    freeze another number of them get their own (`matching`).

    In a folder the states are one file, and a second one names the sequences in their order; the latter is written
    after the former, so that what a crash left behind is not taken for states.
    """

    def __init__(self, readable: LoadedEncoder, *, folder: Path | None = None) -> None:
        self.encoder = readable.encoder
        self._arrays: dict[str, Half] = {}
        self._folder = folder
        self._others: dict[str, StateCache] = {}
        self.version = _version(readable)
        self._file = None if folder is None else _StateFile(folder / self.version, readable.encoder.shape.hidden)
        if self._file is not None:
            self._arrays.update(self._file.read())

    def close(self) -> None:
        """Lets another process have the folder."""
        for other in self._others.values():
            other.close()
        if self._file is not None:
            self._file.lock.close()

    def matching(self, readable: LoadedEncoder) -> StateCache:
        """These, or those of as many frozen layers as the given encoder has, which are kept beside them."""
        version = _version(readable)
        if version == self.version:
            return self
        if version not in self._others:
            self._others[version] = StateCache(readable, folder=self._folder)
        return self._others[version]

    def fill(self, sequences: Sequence[Ids], done: Callable[[int, int], None] | None = None) -> None:
        """Computes what is not kept yet, sequences of like length together; `done` hears of tokens, some of all."""
        missing = {key: ids for ids in sequences if (key := _key(ids)) not in self._arrays}
        ordered = sorted(missing.items(), key=lambda item: (-len(item[1]), item[0]))
        total = sum(len(ids) for _, ids in ordered)
        ready = 0
        while ordered:
            batch = [ordered.pop(0)]
            tokens = len(batch[0][1])
            while ordered and tokens + len(ordered[0][1]) <= BATCH_TOKENS:
                batch.append(ordered.pop(0))
                tokens += len(batch[-1][1])
            self._keep(dict(batch))
            ready += tokens
            if done:
                done(ready, total)

    def rows(self, sequences: Sequence[Ids]) -> Tensor:
        """Packed in the given order, in full precision."""
        return torch.from_numpy(np.concatenate([self._arrays[_key(ids)] for ids in sequences])).float()

    def _keep(self, batch: dict[str, Ids]) -> None:
        states = compute_states(self.encoder, list(batch.values())).half().numpy()
        ends = np.cumsum([len(ids) for ids in batch.values()])
        arrays = dict(zip(batch, np.split(states, ends[:-1]), strict=True))
        self._arrays.update(self._file.append(arrays) if self._file else arrays)


@torch.inference_mode()
def compute_states(encoder: TrainableEncoder, sequences: Sequence[Ids]) -> Tensor:
    """Rows that the frozen layers give, sequences longest first."""
    ids, places = token_tensors(sequences)
    return encoder.lower(ids, places, pack([len(row) for row in sequences]))


def token_tensors(sequences: Sequence[Ids]) -> tuple[Tensor, Tensor]:
    """Ids of all tokens in a row, and each one's place in its sequence."""
    ids = torch.from_numpy(np.concatenate(sequences)).long()
    return ids, torch.from_numpy(np.concatenate([np.arange(len(row)) for row in sequences]))


def _version(readable: LoadedEncoder) -> str:
    sums = "\n".join(f"{name}={total}" for name, total in sorted(readable.source.sha256.items()))
    content = f"{COMPUTATION}\n{readable.encoder.frozen}\n{sums}"
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _key(ids: Ids) -> str:
    return hashlib.sha256(ids.tobytes()).hexdigest()[:32]


class _StateFile:
    """Written by one process at a time; another one reads what is there and keeps its own to itself."""

    def __init__(self, path: Path, hidden: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.hidden = hidden
        self.states = path.with_suffix(".f16")
        self.index = path.with_suffix(".index")
        self.lock = self.index.open("a+")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.is_ours = True
        except OSError:
            self.is_ours = False

    def read(self) -> dict[str, Half]:
        """A line that is being written, or was torn, has no line end."""
        text = self.index.read_text()
        whole = text[: text.rfind("\n") + 1]
        lines = [line.split() for line in whole.splitlines()]
        lengths = [int(length) for _, length in lines]
        if self.is_ours:
            self.index.write_text(whole)
            with self.states.open("ab") as file:
                file.truncate(sum(lengths) * self.hidden * 2)
        return self._mapped([name for name, _ in lines], lengths, 0)

    def append(self, arrays: dict[str, Half]) -> dict[str, Half]:
        if not self.is_ours:
            return arrays
        start = self.states.stat().st_size
        with self.states.open("ab") as file:
            for array in arrays.values():
                file.write(np.ascontiguousarray(array).tobytes())
        with self.index.open("a") as file:
            file.writelines(f"{name} {len(array)}\n" for name, array in arrays.items())
        return self._mapped(list(arrays), [len(array) for array in arrays.values()], start)

    def _mapped(self, names: Sequence[str], lengths: Sequence[int], start: int) -> dict[str, Half]:
        if not names:
            return {}
        shape = (sum(lengths), self.hidden)
        states: Half = np.memmap(self.states, np.float16, "r", offset=start, shape=shape)
        return dict(zip(names, np.split(states, np.cumsum(lengths)[:-1]), strict=True))
