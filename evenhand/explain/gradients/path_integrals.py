"""Paths from a baseline to a resume, one for each sequence of tokens, in steps no finer than each of them needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from evenhand.errors import UsageError
from evenhand.explain.attribution import gate
from evenhand.explain.gradients.integrated import MAX_STEPS, StepDensity, make_rule
from evenhand.explain.gradients.networks import WORDS_LEVEL, OpenNetwork, advance, advance_first
from evenhand.models.inputs import ResumeInput
from evenhand.models.sequences import cut_job
from evenhand.models.training.layers import Packing, pack
from evenhand.models.training.network import CrossAttention

# A network's logit of one label as a sum: what each sequence of the resume adds, the mined numbers, and the rest.
#
# Every design adds up the vectors of its sequences, and the decoder is linear; so whatever one sequence says, the
# others add the same, and each sequence can be explained on its own.


@dataclass(frozen=True, slots=True, eq=False)
class JobStates:
    """e_b and E_b, which stay the same along every path: the job is not the resume."""

    vector: Tensor  # (1, H)
    states: Tensor
    packing: Packing


@dataclass(frozen=True, slots=True, eq=False)
class Output:
    """F for `target`, of a resume of `count` sequences beside a job, if the design has one."""

    opened: OpenNetwork
    target: int
    count: int
    job_text: str | None
    job: JobStates | None

    @property
    def hidden(self) -> int:
        return self.opened.network.encoder.shape.hidden

    def parts(self, rows: Tensor, packing: Packing, kinds: Tensor, start: int) -> Tensor:
        """(sequences): what each adds to F, from the rows of its tokens at level `start`."""
        weights = self.opened.network.decoder.weight[self.target, : self.hidden]
        return self.vectors(rows, packing, kinds, start) @ weights

    def vectors(self, rows: Tensor, packing: Packing, kinds: Tensor, start: int) -> Tensor:
        """(sequences, H): what each adds to the resume's vector."""
        network, architecture = self.opened.network, self.opened.architecture
        if self.job is not None and architecture.job == "attention":
            states = advance(network.encoder, rows, packing, start, len(network.encoder.layers))
            first = states[packing.starts]
            names = ("shared", "shared") if architecture.shared_attention else ("r2b", "b2r")
            to_job, to_resume = (cast(CrossAttention, network.attention[name]) for name in names)
            vectors = to_job.over_each(first, self.job.states, self.job.packing)[0]
            vectors = first + vectors if architecture.embeddings else vectors
            vectors = vectors + to_resume.first(self.job.vector, states, packing)[:, 0]
        else:
            vectors = advance_first(network.encoder, rows, packing, start)
        if network.sections is not None:
            vectors = vectors + network.sections(kinds)
            vectors = functional.gelu(vectors) if architecture.binding == "gelu" else vectors
        return vectors / self.count if architecture.pooling == "mean" else vectors

    def logits(self, vectors: Tensor, features: Tensor | None) -> Tensor:
        """(labels), of the vectors of all sequences and standardised features."""
        network = self.opened.network
        parts = [vectors.sum(0)]
        if network.joins_job and self.job is not None:
            parts.append(self.job.vector[0])
        if network.features is not None and features is not None:
            parts.append(torch.relu(self._before(features)))
        found: Tensor = network.decoder(torch.cat(parts))
        return found

    @torch.no_grad()
    def constant(self, features: Tensor | None) -> float:
        """F without what the sequences add."""
        nothing = torch.zeros(1, self.hidden).to(self.opened.network.decoder.weight)
        return float(self.logits(nothing, features)[self.target])

    def _before(self, features: Tensor) -> Tensor:
        """(U): of the hidden layer over features, before it bends."""
        joiner = self.opened.network.features
        if joiner is None:
            raise ValueError("the network has no features")
        job = [] if self.job is None else [self.job.vector[0]]
        found: Tensor = joiner.hidden(torch.cat([features, *job]))
        return found

    @torch.no_grad()
    def feature_scores(self, features: Tensor) -> Tensor:
        """What each adds on the straight way from the training mean, exactly.

        Each hidden unit bends once at most along the way, so that the integral of its gradient is the share of the way
        on which it is on: the multiplier of DeepLIFT, and the path integral.
        """
        joiner = self.opened.network.features
        if joiner is None:
            return torch.zeros(0)
        units = joiner.hidden.out_features
        weights = self.opened.network.decoder.weight[self.target, -units:]
        before, after = self._before(torch.zeros_like(features)), self._before(features)
        change = after - before
        is_on = torch.where(
            change == 0, (after > 0).to(change), (after.relu() - before.relu()) / torch.where(change == 0, 1, change)
        )
        return features * ((weights * is_on) @ joiner.hidden.weight[:, : len(features)])


def standardised(opened: OpenNetwork, resume: ResumeInput) -> Tensor | None:
    """A value that the resume lacks is the mean."""
    joiner = opened.network.features
    if joiner is None:
        return None
    values = torch.tensor([resume.features.get(name, float("nan")) for name in opened.features]).to(joiner.mean)
    return ((values - joiner.mean) / joiner.scale).nan_to_num()


@torch.no_grad()
def open_output(opened: OpenNetwork, target: int, *, count: int, job_text: str | None) -> Output:
    architecture = opened.architecture
    if architecture.needs_job and job_text is None:
        raise UsageError(f"The model {opened.manifest.name} compares a resume with a job and needs its text.")
    job = None
    if architecture.job in {"concat", "attention"} and job_text is not None:
        encoder = opened.network.encoder
        ids = torch.from_numpy(cut_job(job_text, architecture, opened.rules)).long()
        packing = pack([len(ids)])
        states = advance(encoder, encoder.words(ids), packing, WORDS_LEVEL, len(encoder.layers))
        job = JobStates(states[:1], states, packing)
    return Output(opened, target, count, job_text if architecture.needs_job else None, job)


BATCH_TOKENS = 1024  # of all points that are computed at once
FIRST_STEPS, FAST_STEPS = 16, 12
# Without hurry scores are refined until they miss this share of what the gate allows, about what fifty steps of Gauss
# miss; no finer than FINE_STEPS, unless the gate itself asks for it.
AIM, FINE_STEPS = 0.002, 64
KEPT = 64  # gradients at baselines that are remembered

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
"""Hears of points of paths: how many are done, of how many that are known to be needed so far."""


@dataclass(frozen=True, slots=True, eq=False)
class PathPoint:
    output: float
    scores: Floats  # (tokens): the gradient there times the whole change


@dataclass(slots=True, eq=False)
class PathSegment:
    """One sequence's way, and the points of it that were computed, by their share of the steps.

    `key` names the baseline, where many resumes begin alike.
    """

    baseline: Tensor  # (tokens, H)
    change: Tensor
    kind: int
    gathering: StepDensity
    key: tuple[object, ...] | None = None
    steps: int = 0
    points: dict[float, PathPoint] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.change)

    def missing(self, steps: int) -> list[float]:
        shares = [place / steps for place in range(steps + 1)]
        return [share for share in shares if share not in self.points]

    def at(self, share: float) -> float:
        """Along the path, the place of this share of the steps."""
        point = (1 - np.cos(np.pi * share)) / 2
        return float(self.gathering.place(np.array(point)))

    @property
    def scores(self) -> Floats:
        weights = self.gathering.weigh(make_rule("clenshaw-curtis", self.steps))
        known = np.stack([self.points[place / self.steps].scores for place in range(self.steps + 1)])
        return np.asarray(weights @ known)

    @property
    def difference(self) -> float:
        return self.points[1.0].output - self.points[0.0].output

    @property
    def delta(self) -> float:
        return float(self.scores.sum()) - self.difference


@dataclass(slots=True, eq=False)
class PathIntegral:
    """All segments of one resume from one baseline; `rest` is what else changes F, and exactly."""

    output: Output
    segments: Sequence[PathSegment]
    level: int
    rest: float = 0.0
    batch_tokens: int = BATCH_TOKENS
    progress: Progress | None = None
    done: int = 0
    expected: int = 0

    def go(self, *, first: int = FIRST_STEPS, aim: float | None = AIM) -> None:
        """`aim` is None for those in a hurry: as soon as the gate is passed they stop."""
        self._refine(self.segments, first)
        if aim is not None:
            while worst := self._worst(aim * self.gate, FINE_STEPS):
                self._refine(worst)
        while abs(self.delta) > self.gate and (worst := self._worst(self.gate, MAX_STEPS)):
            self._refine(worst)

    @property
    def delta(self) -> float:
        return sum(segment.delta for segment in self.segments)

    @property
    def gate(self) -> float:
        return gate(sum(segment.difference for segment in self.segments) + self.rest, 0.0)

    @property
    def steps(self) -> int:
        return max((segment.steps for segment in self.segments), default=0)

    def _worst(self, goal: float, most: int) -> list[PathSegment]:
        """Those to refine so that the others together miss no more than half the goal; none if all are fine enough."""
        misses = sorted(((abs(segment.delta), place) for place, segment in enumerate(self.segments)), reverse=True)
        left = sum(miss for miss, _ in misses)
        found: list[PathSegment] = []
        if left <= goal:
            return found
        for miss, place in misses:
            if left <= goal / 2:
                break
            if 2 * self.segments[place].steps <= most:
                found.append(self.segments[place])
            left -= miss
        return found

    def _refine(self, segments: Sequence[PathSegment], steps: int | None = None) -> None:
        wanted: list[tuple[PathSegment, float]] = []
        for segment in segments:
            segment.steps = steps or 2 * segment.steps
            wanted += [(segment, share) for share in segment.missing(segment.steps)]
        self.visit(wanted)

    def visit(self, wanted: Sequence[tuple[PathSegment, float]]) -> None:
        self.expected += len(wanted)
        starts: dict[tuple[object, ...], list[PathSegment]] = {}
        others = []
        for segment, share in wanted:
            if share == 0.0 and segment.key is not None:
                starts.setdefault(segment.key, []).append(segment)
            else:
                others.append((segment, share))
        remembered = self.output.opened.remembered
        unknown = [(segments[0], 0.0) for key, segments in starts.items() if key not in remembered]
        for batch in _batches([*unknown, *others], self.batch_tokens):
            self._compute(batch)
        for key, segments in starts.items():
            output, gradient = remembered[key]
            for segment in segments:
                segment.points[0.0] = PathPoint(output, _scores(gradient, segment.change))
            self._tell(len(segments))
        while len(remembered) > KEPT:
            remembered.pop(next(iter(remembered)))

    def _compute(self, batch: Sequence[tuple[PathSegment, float]]) -> None:
        packing = pack([len(segment) for segment, _ in batch])
        rows = torch.cat([segment.baseline + segment.at(share) * segment.change for segment, share in batch])
        kinds = torch.tensor([segment.kind for segment, _ in batch])
        rows.requires_grad_()
        with torch.enable_grad():
            outputs = self.output.parts(rows, packing, kinds, self.level)
            (gradients,) = torch.autograd.grad(outputs.sum(), rows)
        values = outputs.detach().double().tolist()
        for (segment, share), value, gradient in zip(
            batch, values, torch.split(gradients, list(packing.lengths)), strict=True
        ):
            if share == 0.0 and segment.key is not None:
                self.output.opened.remembered[segment.key] = (value, gradient.clone())
            else:
                segment.points[share] = PathPoint(value, _scores(gradient, segment.change))
                self._tell(1)

    def _tell(self, count: int) -> None:
        self.done += count
        if self.progress:
            self.progress(self.done, self.expected)


def _scores(gradient: Tensor, change: Tensor) -> Floats:
    found: Floats = (gradient * change).sum(1).double().numpy()
    return found


def _batches(
    wanted: Sequence[tuple[PathSegment, float]], batch_tokens: int
) -> Iterator[list[tuple[PathSegment, float]]]:
    """Longest first, so that like lengths are together."""
    batch: list[tuple[PathSegment, float]] = []
    tokens = 0
    for segment, share in sorted(wanted, key=lambda pair: -len(pair[0])):
        if batch and tokens + len(segment) > batch_tokens:
            yield batch
            batch, tokens = [], 0
        batch.append((segment, share))
        tokens += len(segment)
    if batch:
        yield batch
