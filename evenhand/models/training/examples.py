"""Resumes with their labels, cut for an architecture and put together into batches of packed sequences."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from evenhand.errors import UsageError
from evenhand.models.architectures import Architecture
from evenhand.models.inputs import ResumeInput
from evenhand.models.sequences import CutResume, Ids, PruningWords, TokenRules, cut_job, cut_resume
from evenhand.models.training.encoders import StateCache, token_tensors
from evenhand.models.training.layers import Packing, pack


@dataclass(frozen=True, slots=True, eq=False)
class TrainingExample:
    """`label` and `job` are places in the lists of labels and of job texts that a network is trained with."""

    resume: ResumeInput
    label: int
    job: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PreparedExample:
    cut: CutResume
    job: int
    features: Tensor  # NaN where the resume lacks one
    label: int


@dataclass(frozen=True, slots=True, eq=False)
class Preparation:
    """All that decides how an example becomes numbers, fixed before training."""

    architecture: Architecture
    rules: TokenRules
    words: PruningWords | None = None
    jobs: tuple[str, ...] = ()
    features: tuple[str, ...] = ()

    def prepare(self, examples: Sequence[TrainingExample]) -> list[PreparedExample]:
        """A resume that applies for several jobs is cut once, unless the job is cut with it."""
        cuts: dict[tuple[int, int | None], CutResume] = {}
        prepared = []
        for example in examples:
            if self.architecture.needs_job and (example.job is None or not 0 <= example.job < len(self.jobs)):
                raise UsageError(f"The network {self.architecture.name} needs a job with every resume.")
            text = self.jobs[example.job] if self.architecture.job == "joined" and example.job is not None else None
            key = (id(example.resume), None if text is None else example.job)
            if key not in cuts:
                cuts[key] = cut_resume(example.resume, self.architecture, self.rules, words=self.words, job_text=text)
            values = [example.resume.features.get(name, float("nan")) for name in self.features]
            prepared.append(PreparedExample(cuts[key], example.job or 0, torch.tensor(values), example.label))
        return prepared

    def job_sequences(self) -> list[Ids]:
        return [cut_job(text, self.architecture, self.rules) for text in self.jobs]


@dataclass(frozen=True, slots=True, eq=False)
class Sequences:
    """Packed tokens; `states` are what the frozen layers gave for them, if that is kept."""

    packing: Packing
    ids: Tensor
    places: Tensor
    states: Tensor | None


@dataclass(frozen=True, slots=True, eq=False)
class TrainingBatch:
    """Each different sequence is there once; `sequence`, `owner` and `kind` say for every use which, whose and what."""

    resumes: Sequences
    sequence: Tensor
    owner: Tensor
    kind: Tensor
    job: Tensor  # of each resume, a place in `jobs`
    jobs: Sequences | None
    features: Tensor
    labels: Tensor


def make_batch(rows: Sequence[PreparedExample], jobs: Sequence[Ids], states: StateCache | None) -> TrainingBatch:
    uses = [
        (owner, ids, kind)
        for owner, row in enumerate(rows)
        for ids, kind in zip(row.cut.sequences, row.cut.kinds, strict=True)
    ]
    different, sequence = _different([ids for _, ids, _ in uses])
    own_jobs, job = _different([jobs[row.job] for row in rows]) if jobs else ([], [0] * len(rows))
    return TrainingBatch(
        resumes=_sequences(different, states),
        sequence=torch.tensor(sequence),
        owner=torch.tensor([owner for owner, _, _ in uses]),
        kind=torch.tensor([kind for _, _, kind in uses]),
        job=torch.tensor(job),
        jobs=_sequences(own_jobs, states) if own_jobs else None,
        features=torch.stack([row.features for row in rows]),
        labels=torch.tensor([row.label for row in rows]),
    )


def _different(sequences: Sequence[Ids]) -> tuple[list[Ids], list[int]]:
    """Each once, longest first, and the place of each given one among them."""
    keys = [ids.tobytes() for ids in sequences]
    first = dict(zip(keys, sequences, strict=True))
    ordered = sorted(first, key=lambda key: (-len(key), key))
    places = {key: place for place, key in enumerate(ordered)}
    return [first[key] for key in ordered], [places[key] for key in keys]


def _sequences(sequences: Sequence[Ids], states: StateCache | None) -> Sequences:
    packing = pack([len(ids) for ids in sequences])
    ids, places = token_tensors(sequences)
    return Sequences(packing, ids, places, states.rows(sequences) if states else None)


def all_sequences(rows: Sequence[PreparedExample], jobs: Sequence[Ids]) -> list[Ids]:
    """What frozen layers will be asked for."""
    return [ids for row in rows for ids in row.cut.sequences] + list(jobs)


def fingerprint_of(rows: Sequence[PreparedExample], jobs: Sequence[Ids]) -> bytes:
    """Changes with anything that training would see."""
    parts = [ids.tobytes() for ids in jobs]
    for row in rows:
        parts += [ids.tobytes() for ids in row.cut.sequences]
        parts += [repr((row.cut.kinds, row.job, row.label)).encode(), row.features.numpy().tobytes()]
    return b"\0".join(parts)


def mixed_batches(count: int, *, size: int, seed: int) -> list[list[int]]:
    """Resumes in chance order, however many sequences they have: sums by resume need no equal counts."""
    positions = list(range(count))
    random.Random(seed).shuffle(positions)  # noqa: S311
    return [positions[start : start + size] for start in range(0, count, size)]
