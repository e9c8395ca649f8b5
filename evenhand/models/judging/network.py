"""A network of competence levels or fit, as it was exported (`learning.export` says what each array means)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import erf  # type: ignore[import-untyped]

from evenhand.errors import UsageError
from evenhand.models.artefact import Artefact
from evenhand.models.calibration import Floats, to_probabilities
from evenhand.models.competence.cutting import CutResume, TokenRules, cut_job, cut_resume
from evenhand.models.competence.designs import Design
from evenhand.models.competence.pruning import PruningWords
from evenhand.models.encoder.weights import Array
from evenhand.models.inputs import ResumeInput
from evenhand.models.judging.attention import Attention
from evenhand.models.judging.sequences import BATCH_TOKENS, Encoded, ReadsSequences
from evenhand.models.manifest import Manifest


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """e_b and E_b: the vector of the job's first token, and those of all."""

    first: Array
    states: Array


@dataclass(frozen=True, slots=True, eq=False)
class NetworkJudge:
    artefact: Artefact
    design: Design
    rules: TokenRules
    words: PruningWords | None
    encoder: ReadsSequences
    attentions: tuple[Attention, Attention] | None  # resume to job, job to resume
    precision: str
    note: str = ""

    @property
    def manifest(self) -> Manifest:
        return self.artefact.manifest

    def predict(
        self,
        resumes: Sequence[ResumeInput],
        *,
        job_text: str | None = None,
        batch_tokens: int = BATCH_TOKENS,
    ) -> Floats:
        logits = self.logits(resumes, job_text=job_text, batch_tokens=batch_tokens)
        several = self.manifest.outcome == "several"
        return to_probabilities(logits, temperature=self.manifest.temperature, several=several)

    def logits(
        self,
        resumes: Sequence[ResumeInput],
        *,
        job_text: str | None = None,
        batch_tokens: int = BATCH_TOKENS,
    ) -> Array:
        """Before the temperature."""
        if not resumes:
            return np.zeros((0, len(self.manifest.labels)), np.float32)
        representation = self.represent(resumes, job_text=job_text, batch_tokens=batch_tokens)
        return representation @ self._array("decoder.weight").T + self._array("decoder.bias")

    def represent(
        self,
        resumes: Sequence[ResumeInput],
        *,
        job_text: str | None = None,
        batch_tokens: int = BATCH_TOKENS,
    ) -> Array:
        """What the last layer is given of one resume at least: a row each."""
        if self.design.needs_job and job_text is None:
            raise UsageError(
                f"The model {self.manifest.name} compares a resume with a job and needs its text."
            )
        job = self._encode_job(job_text) if self.design.job in {"concat", "attention"} else None
        cuts = [self.cut(resume, job_text) for resume in resumes]
        parts = [self._sum(cuts, job, batch_tokens)]
        if job is not None and (self.design.job == "concat" or self.design.concat_job):
            parts.append(np.tile(job.first, (len(resumes), 1)))
        if "features.mean" in self.artefact.tensors:
            parts.append(self._features(resumes, job))
        return np.concatenate(parts, axis=1)

    def cut(self, resume: ResumeInput, job_text: str | None = None) -> CutResume:
        return cut_resume(resume, self.design, self.rules, words=self.words, job_text=job_text)

    def _encode_job(self, job_text: str | None) -> Job:
        sequence = cut_job(job_text or "", self.design, self.rules)
        (encoded,) = self.encoder.run([sequence])
        if self.encoder.output == "first":
            return Job(encoded.values, encoded.values)
        states = encoded.values[:, : len(sequence)]
        return Job(states[:, 0], states)

    def _sum(self, cuts: Sequence[CutResume], job: Job | None, batch_tokens: int) -> Array:
        """(resumes, hidden)"""
        sequences = [sequence for cut in cuts for sequence in cut.sequences]
        kinds = np.array([kind for cut in cuts for kind in cut.kinds])
        vectors = np.zeros((len(sequences), self.encoder.hidden), np.float32)
        for encoded in self.encoder.run(sequences, batch_tokens=batch_tokens):
            vectors[encoded.places] = self._say(encoded, job)
        if self.design.sections:
            vectors += self._array("sections")[kinds]
            vectors = _gelu(vectors) if self.design.binding == "gelu" else vectors
        counts = np.array([len(cut.sequences) for cut in cuts])
        starts = np.cumsum(counts) - counts
        summed: Array = np.add.reduceat(vectors, starts, axis=0)
        return (summed / counts[:, None]).astype(np.float32) if self.design.pooling == "mean" else summed

    def _say(self, encoded: Encoded, job: Job | None) -> Array:
        """What each sequence adds, but for its kind of section."""
        if self.attentions is None or job is None:
            return encoded.values
        first = encoded.values[:, 0]
        to_job, from_job = self.attentions
        attended = to_job.attend(first, job.states) + from_job.attend(job.first, encoded.values, encoded.mask)
        return first + attended if self.design.embeddings else attended

    def _features(self, resumes: Sequence[ResumeInput], job: Job | None) -> Array:
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
    found: Array = values * (0.5 * (1 + erf(values / np.sqrt(np.float32(2))))).astype(np.float32)
    return found
