"""A network of competence levels or fit, as it was exported (`training.export` says what each array means)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import UsageError
from evenhand.models.architectures import Architecture
from evenhand.models.calibration import Floats, to_probabilities
from evenhand.models.encoder.graph import build_graph
from evenhand.models.encoder.loading import open_session
from evenhand.models.encoder.weights import Array, BertWeights, Ids, padded
from evenhand.models.inputs import ResumeInput
from evenhand.models.manifest import Manifest
from evenhand.models.registry import Artefact
from evenhand.models.sequences import CutResume, PruningWords, TokenRules, cut_job, cut_resume

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

# Attention of one query over the rows of a text, in numpy: keys and values of all rows are never made.
#
# query . (K x) is (K^T query) . x, and a mixture of (V x) is V of the mixture of x, so the query is brought
# to the rows. The key's bias adds the same to all scores of a query and drops out.


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """Weights parted by head: (heads, width, hidden), but for the output's."""

    query: Array
    query_bias: Array
    key: Array
    value: Array
    value_bias: Array
    output: Array
    output_bias: Array

    def attend(self, queries: Array, states: Array, mask: NDArray[np.int32] | None = None) -> Array:
        """(n, hidden): queries (n or 1, hidden) over states (n or 1, rows, hidden), whose padding has mask 0."""
        heads, width, hidden = self.query.shape
        vectors = queries @ self.query.reshape(hidden, hidden).T + self.query_bias
        brought = np.einsum("nhd,hdi->nhi", vectors.reshape(-1, heads, width), self.key) / np.sqrt(np.float32(width))
        scores = brought @ states.transpose(0, 2, 1)
        if mask is not None:
            scores = np.where(mask[:, None, :] > 0, scores, -np.inf)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (powers / powers.sum(axis=-1, keepdims=True)) @ states
        values = np.einsum("nhi,hdi->nhd", mixed, self.value).reshape(-1, hidden) + self.value_bias
        found: Array = values @ self.output.T + self.output_bias
        return found


def read_attention(artefact: Artefact, block: str, heads: int) -> Attention:
    def part(name: str) -> tuple[Array, Array]:
        at = f"attention.{block}.{name}"
        weight = artefact.tensor(f"{at}.weight").astype(np.float32)
        if f"{at}.scale" in artefact.tensors:  # the weight is in small integers
            weight *= artefact.tensor(f"{at}.scale").astype(np.float32)[:, None]
        return weight, artefact.tensor(f"{at}.bias").astype(np.float32)

    def by_head(weight: Array) -> Array:
        return weight.reshape(heads, -1, weight.shape[1])

    (query, query_bias), (key, _), (value, value_bias), (output, output_bias) = map(
        part, ("query", "key", "value", "output")
    )
    return Attention(by_head(query), query_bias, by_head(key), by_head(value), value_bias, output, output_bias)


# Token sequences through an encoder, those of like length together; none is changed by those beside it.

BATCH_TOKENS = 256  # more would leave the caches of a core
STEP = 4  # lengths are padded up to a multiple of it
States = Literal["first", "states"]


@dataclass(frozen=True, slots=True, eq=False)
class EncodedSequences:
    """`places` of sequences that ran together; `values` (n, hidden), or (n, width, hidden) with `mask` (n, width)."""

    places: list[int]
    values: Array
    mask: NDArray[np.int32]


class SequenceModel(Protocol):
    """The encoder below, or another to compare it with."""

    @property
    def output(self) -> States: ...
    @property
    def hidden(self) -> int: ...

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[EncodedSequences]: ...


@dataclass(frozen=True, slots=True, eq=False)
class SequenceEncoder:
    output: States
    longest: int
    hidden: int
    session: InferenceSession

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[EncodedSequences]:
        """The width that a sequence is padded to is its own, not that of its batch: small integers round alike
        however many are computed at once."""
        by_width: dict[int, list[int]] = defaultdict(list)
        for place, sequence in enumerate(sequences):
            by_width[min(-(-len(sequence) // STEP) * STEP, self.longest)].append(place)
        for width in sorted(by_width, reverse=True):
            size = max(batch_tokens // width, 1)
            for start in range(0, len(by_width[width]), size):
                places = by_width[width][start : start + size]
                ids, mask = padded([sequences[place] for place in places], width)
                values = self.session.run([self.output], {"ids": ids, "mask": mask})[0]
                yield EncodedSequences(places, values, mask)


def open_sequences(
    weights: BertWeights, output: States, *, compact: bool, limits: Mapping[str, float] | None = None, threads: int = 1
) -> SequenceEncoder:
    session = open_session(build_graph(weights, compact=compact, output=output, limits=limits), threads)
    return SequenceEncoder(output, weights.shape.positions, weights.shape.hidden, session)


@dataclass(frozen=True, slots=True, eq=False)
class JobEncoding:
    """e_b and E_b: the vector of the job's first token, and those of all."""

    first: Array
    states: Array


@dataclass(frozen=True, slots=True, eq=False)
class NetworkClassifier:
    artefact: Artefact
    architecture: Architecture
    rules: TokenRules
    words: PruningWords | None
    encoder: SequenceModel
    attentions: tuple[Attention, Attention] | None  # resume to job, job to resume
    precision: str
    note: str = ""

    @property
    def manifest(self) -> Manifest:
        return self.artefact.manifest

    def predict(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        logits = self.logits(resumes, job_text=job_text)
        several = self.manifest.outcome == "several"
        return to_probabilities(logits, temperature=self.manifest.temperature, several=several)

    def logits(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Array:
        """Before the temperature."""
        if not resumes:
            return np.zeros((0, len(self.manifest.labels)), np.float32)
        representation = self.represent(resumes, job_text=job_text)
        return representation @ self._array("decoder.weight").T + self._array("decoder.bias")

    def represent(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Array:
        """What the last layer is given of one resume at least: a row each."""
        if self.architecture.needs_job and job_text is None:
            raise UsageError(f"The model {self.manifest.name} compares a resume with a job and needs its text.")
        job = self._encode_job(job_text) if self.architecture.job in {"concat", "attention"} else None
        cuts = [self.cut(resume, job_text) for resume in resumes]
        parts = [self._sum(cuts, job)]
        if job is not None and (self.architecture.job == "concat" or self.architecture.concat_job):
            parts.append(np.tile(job.first, (len(resumes), 1)))
        if "features.mean" in self.artefact.tensors:
            parts.append(self._features(resumes, job))
        return np.concatenate(parts, axis=1)

    def cut(self, resume: ResumeInput, job_text: str | None = None) -> CutResume:
        return cut_resume(resume, self.architecture, self.rules, words=self.words, job_text=job_text)

    def _encode_job(self, job_text: str | None) -> JobEncoding:
        sequence = cut_job(job_text or "", self.architecture, self.rules)
        (encoded,) = self.encoder.run([sequence])
        if self.encoder.output == "first":
            return JobEncoding(encoded.values, encoded.values)
        states = encoded.values[:, : len(sequence)]
        return JobEncoding(states[:, 0], states)

    def _sum(self, cuts: Sequence[CutResume], job: JobEncoding | None) -> Array:
        """(resumes, hidden)"""
        sequences = [sequence for cut in cuts for sequence in cut.sequences]
        kinds = np.array([kind for cut in cuts for kind in cut.kinds])
        vectors = np.zeros((len(sequences), self.encoder.hidden), np.float32)
        for encoded in self.encoder.run(sequences):
            vectors[encoded.places] = self._say(encoded, job)
        if self.architecture.sections:
            vectors += self._array("sections")[kinds]
            vectors = _gelu(vectors) if self.architecture.binding == "gelu" else vectors
        counts = np.array([len(cut.sequences) for cut in cuts])
        starts = np.cumsum(counts) - counts
        summed: Array = np.add.reduceat(vectors, starts, axis=0)
        return (summed / counts[:, None]).astype(np.float32) if self.architecture.pooling == "mean" else summed

    def _say(self, encoded: EncodedSequences, job: JobEncoding | None) -> Array:
        """What each sequence adds, but for its kind of section."""
        if self.attentions is None or job is None:
            return encoded.values
        first = encoded.values[:, 0]
        to_job, from_job = self.attentions
        attended = to_job.attend(first, job.states) + from_job.attend(job.first, encoded.values, encoded.mask)
        return first + attended if self.architecture.embeddings else attended

    def _features(self, resumes: Sequence[ResumeInput], job: JobEncoding | None) -> Array:
        names = self.manifest.settings["features"]
        mean, scale = self._array("features.mean"), self._array("features.scale")
        missing = float("nan")
        values = np.array([[resume.features.get(name, missing) for name in names] for resume in resumes])
        inputs = np.nan_to_num((values - mean) / scale).astype(np.float32)
        if job is not None:
            inputs = np.concatenate([inputs, np.tile(job.first, (len(resumes), 1))], axis=1)
        hidden = inputs @ self._array("features.hidden.weight").T + self._array("features.hidden.bias")
        found: Array = np.maximum(hidden, np.float32(0))
        return found

    def _array(self, name: str) -> Array:
        found: Array = self.artefact.tensor(name).astype(np.float32, copy=False)
        return found


def _gelu(values: Array) -> Array:
    scaled = values / np.sqrt(np.float32(2))
    errors = np.fromiter(map(math.erf, scaled.ravel().tolist()), np.float32, scaled.size).reshape(scaled.shape)
    result: Array = values * (0.5 * (1 + errors)).astype(np.float32)
    return result
