"""A network's logit of one label as a sum: what each sequence of the resume adds, the mined numbers, and the rest.

Every design adds up the vectors of its sequences, and the decoder is linear; so whatever one sequence says, the others
add the same, and each sequence can be explained on its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from evenhand.errors import UsageError
from evenhand.explain.gradients.layers import WORDS_LEVEL, advance, advance_first
from evenhand.explain.gradients.networks import OpenNetwork
from evenhand.models.competence.cutting import cut_job
from evenhand.models.inputs import ResumeInput
from evenhand.models.learning.packing import Packing, pack
from evenhand.models.learning.parts import CrossAttention


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
        network, design = self.opened.network, self.opened.design
        if self.job is not None and design.job == "attention":
            found = self._attended(advance(network.encoder, rows, packing, start, self._last), packing)
        else:
            found = advance_first(network.encoder, rows, packing, start)
        if network.sections is not None:
            found = found + network.sections(kinds)
            found = functional.gelu(found) if design.binding == "gelu" else found
        return found / self.count if design.pooling == "mean" else found

    @property
    def _last(self) -> int:
        return len(self.opened.network.encoder.layers)

    def _attended(self, states: Tensor, packing: Packing) -> Tensor:
        if self.job is None:
            raise ValueError("attention needs a job")
        first = states[packing.starts]
        to_job = self._block("r2b").over_each(first, self.job.states, self.job.packing)[0]
        to_resume = self._block("b2r").first(self.job.vector, states, packing)[:, 0]
        return first + to_job + to_resume if self.opened.design.embeddings else to_job + to_resume

    def _block(self, direction: str) -> CrossAttention:
        block = self.opened.network.attention["shared" if self.opened.design.shared_attention else direction]
        if not isinstance(block, CrossAttention):  # ModuleDict does not know what it holds
            raise TypeError(type(block))
        return block

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
            change == 0,
            (after > 0).to(change),
            (after.relu() - before.relu()) / torch.where(change == 0, 1, change),
        )
        return features * ((weights * is_on) @ joiner.hidden.weight[:, : len(features)])


def standardised(opened: OpenNetwork, resume: ResumeInput) -> Tensor | None:
    """A value that the resume lacks is the mean."""
    joiner = opened.network.features
    if joiner is None:
        return None
    values = torch.tensor([resume.features.get(name, float("nan")) for name in opened.features]).to(
        joiner.mean
    )
    return ((values - joiner.mean) / joiner.scale).nan_to_num()


@torch.no_grad()
def open_output(opened: OpenNetwork, target: int, *, count: int, job_text: str | None) -> Output:
    design = opened.design
    if design.needs_job and job_text is None:
        raise UsageError(f"The model {opened.manifest.name} compares a resume with a job and needs its text.")
    job = _job(opened, job_text) if design.job in {"concat", "attention"} and job_text is not None else None
    return Output(opened, target, count, job_text if design.needs_job else None, job)


def _job(opened: OpenNetwork, job_text: str) -> JobStates:
    encoder = opened.network.encoder
    ids = torch.from_numpy(cut_job(job_text, opened.design, opened.rules)).long()
    packing = pack([len(ids)])
    states = advance(encoder, encoder.words(ids), packing, WORDS_LEVEL, len(encoder.layers))
    return JobStates(states[:1], states, packing)
