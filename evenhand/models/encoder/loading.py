"""From a folder of weights to an encoder that runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from evenhand.extras import missing_modules, require
from evenhand.models.encoder.graph import build_graph
from evenhand.models.encoder.weights import (
    SPECIAL_TOKENS,
    Array,
    BertShape,
    EncoderSource,
    batches,
    find_source,
    how_to_install,
    padded,
    read_shape,
    read_tokenizer,
    read_weights,
    shipped_folder,
    token_ids,
    windows,
)
from evenhand.models.registry import write_whole
from evenhand.settings import Settings

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

# Sentences on which a compact encoder is compared with the full one: many trades, many lengths, no person.
SENTENCES = tuple(Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8").splitlines())


# Texts to unit vectors: the encoder that ranks and, later, the ground on which classifiers stand.

BATCH_TOKENS = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Encoder:
    """A sentence encoder ready to run; `version` changes with anything that changes its vectors."""

    name: str
    version: str
    dimension: int
    tokens: int
    precision: str
    note: str  # why the precision is not the one asked for; empty when it is
    tokenizer: Tokenizer
    session: InferenceSession

    def encode(self, texts: Sequence[str], *, batch_tokens: int = BATCH_TOKENS) -> Array:
        """One row of length 1 per text, in order; a text without words gets zeros. Only `tokens` tokens are read.

        A text's row does not depend on the texts beside it beyond rounding (1e-5): who wants the same bytes
        again, as a digest does, encodes the same texts together again.
        """
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        rows = token_ids(self.tokenizer, texts, self.tokens)
        spoken = [place for place, row in enumerate(rows) if len(row) > SPECIAL_TOKENS]
        for batch in batches([len(rows[place]) for place in spoken], batch_tokens):
            places = [spoken[position] for position in batch]
            ids, mask = padded([rows[place] for place in places])
            vectors[places] = self.session.run(["vectors"], {"ids": ids, "mask": mask})[0]
        return vectors

    def windows(self, text: str, tokens: int = 0) -> list[tuple[int, int]]:
        """Character spans of a long text to encode one by one; by default as long as the encoder can read."""
        longest = self.tokens - SPECIAL_TOKENS
        return windows(self.tokenizer, text, min(tokens, longest) if tokens else longest)


def open_session(model: bytes, threads: int) -> InferenceSession:
    """Shapes change from batch to batch, so plans of memory for one shape would only pile up."""
    require("encoder")
    from onnxruntime import ExecutionMode, GraphOptimizationLevel, InferenceSession, SessionOptions  # noqa: PLC0415 - only networks need it

    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = ExecutionMode.ORT_SEQUENTIAL
    options.enable_mem_pattern = False
    # The graph names the operators it wants; fusing sums with norms, as more optimising does, makes them slower.
    options.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return InferenceSession(model, options, providers=["CPUExecutionProvider"])


# The encoder in small integers: made once, compared with the full one before it is trusted, and kept.

MIN_COSINE = 0.98
MIN_CORRELATION = 0.98


@dataclass(frozen=True, slots=True)
class VectorAgreement:
    """How near the compact vectors are to the full ones, and whether they order pairs of sentences alike."""

    cosine: float
    correlation: float

    @property
    def objection(self) -> str:
        """Empty when the compact encoder may be used."""
        if self.cosine >= MIN_COSINE and self.correlation >= MIN_CORRELATION:
            return ""
        return (
            f"int8 was not used: its vectors have cosine {self.cosine:.3f} (at least {MIN_COSINE}) and rank "
            f"correlation {self.correlation:.3f} (at least {MIN_CORRELATION}) with those of fp32."
        )


def measure_agreement(full: Encoder, compact: Encoder, sentences: Sequence[str] = SENTENCES) -> VectorAgreement:
    """Mean cosine, and Spearman's correlation of the similarities of all pairs."""
    expected, vectors = full.encode(sentences), compact.encode(sentences)
    cosine = float((expected * vectors).sum(axis=1).mean())
    ranks = np.corrcoef(_pair_ranks(expected), _pair_ranks(vectors))
    return VectorAgreement(round(cosine, 6), round(float(ranks[0, 1]), 6))


def _pair_ranks(vectors: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    pairs = np.triu_indices(len(vectors), 1)
    similarities = (vectors @ vectors.T)[pairs]
    return similarities.argsort(kind="stable").argsort(kind="stable")


COMPUTATION = "2"  # raise it when the graph or the reading of texts changes what comes out
Precision = Literal["fp32", "int8"]


def load_encoder(
    folder: Path | None = None, *, precision: Precision = "fp32", cache: Path | None = None, threads: int = 1
) -> Encoder:
    """The encoder in `folder`, or the one that ships; UsageError when there is none or it does not fit.

    int8 is made at first use and kept in `cache`; where it strays too far from fp32, fp32 is given with a note.
    """
    source = find_source(folder)
    shape = read_shape(source.folder)
    tokenizer = read_tokenizer(source.folder / "tokenizer.json")

    def ready(precision: Precision, model: bytes, note: str = "") -> Encoder:
        version = encoder_version(source, shape, precision)
        session = open_session(model, threads)
        return Encoder(source.name, version, shape.hidden, shape.tokens, precision, note, tokenizer, session)

    stored = cache / f"{encoder_version(source, shape, 'int8')}.onnx" if cache else None
    if precision == "int8" and stored and (compared := _read_compact(stored)):
        model, agreement = compared
        if not agreement.objection:
            return ready("int8", model)
        return ready("fp32", build_graph(read_weights(source.folder, shape)), agreement.objection)
    weights = read_weights(source.folder, shape)
    full = ready("fp32", build_graph(weights))
    if precision == "fp32":
        return full
    model = build_graph(weights, compact=True)
    compact = ready("int8", model)
    agreement = measure_agreement(full, compact)
    if stored:
        note = json.dumps({"sha256": hashlib.sha256(model).hexdigest(), **asdict(agreement)}, indent=1)
        with suppress(OSError):  # a folder that cannot be written costs the making at the next start, nothing else
            stored.parent.mkdir(parents=True, exist_ok=True)
            write_whole(stored, model)
            write_whole(stored.with_suffix(".json"), note.encode())  # last: it says that the model is whole
    return replace(full, note=agreement.objection) if agreement.objection else compact


def _read_compact(path: Path) -> tuple[bytes, VectorAgreement] | None:
    """None when there is none, or when it is not as its note, beside it, says."""
    try:
        note = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        model = path.read_bytes()
        agreement = VectorAgreement(float(note["cosine"]), float(note["correlation"]))
        return (model, agreement) if note["sha256"] == hashlib.sha256(model).hexdigest() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def encoder_version(source: EncoderSource, shape: BertShape, precision: Precision) -> str:
    """A sum over the files and every number that decides the vectors."""
    parts = [COMPUTATION, precision, *(str(value) for value in astuple(shape))]
    parts += [f"{name}={source.sha256[name]}" for name in sorted(source.sha256)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


# The sentence encoder that the settings name, opened once per process.


def encoder_for(settings: Settings, precision: Precision = "int8") -> Encoder | None:
    """None when no folder is named and none is installed (`why_no_encoder` says so); UsageError when it is unfit."""
    if why_no_encoder(settings):
        return None
    folder = Path(settings.encoder).expanduser().absolute() if settings.encoder else None
    return _open(folder, settings.data_path.absolute() / "encoder", precision)


def why_no_encoder(settings: Settings) -> str:
    """Empty when there is an encoder to open."""
    if settings.encoder or (shipped_folder() and not missing_modules("encoder")):
        return ""
    return f"The sentence encoder is not installed, so meaning is not compared: {how_to_install()} adds it."


@lru_cache(maxsize=1)
def _open(folder: Path | None, cache: Path, precision: Precision) -> Encoder:
    return load_encoder(folder, precision=precision, cache=cache)
