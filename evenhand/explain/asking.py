"""What a model says of a resume from which something was taken away, many such resumes at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.explain.attribution import centred
from evenhand.explain.places import PlacedResume
from evenhand.models.calibration import Floats, to_probabilities
from evenhand.models.encoder.tokens import Ids
from evenhand.models.inputs import ResumeInput
from evenhand.models.joined import JoinedJudge
from evenhand.models.judging.network import NetworkJudge
from evenhand.models.judging.sequences import BATCH_TOKENS, Encoded, ReadsSequences, States
from evenhand.models.manifest import Manifest

AT_ONCE = 16  # resumes judged together
COPIES = 16  # of a remembered sequence given back together: with all its states it is large
AnyJudge = JoinedJudge | NetworkJudge


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A model and, for those that compare, the text of a job, which stays the same."""

    judge: AnyJudge
    job_text: str | None = None

    @property
    def manifest(self) -> Manifest:
        return self.judge.manifest

    def logits(self, resumes: Sequence[PlacedResume]) -> Floats:
        """A row per resume, before the temperature; of networks whose labels exclude each other centred."""
        parts = [self._some(resumes[start : start + AT_ONCE]) for start in range(0, len(resumes), AT_ONCE)]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.manifest.labels)))

    def probabilities(self, logits: Floats) -> Floats:
        several = self.manifest.outcome == "several"
        return to_probabilities(logits, temperature=self.manifest.temperature, several=several)

    def _some(self, resumes: Sequence[PlacedResume]) -> Floats:
        inputs = [each.resume for each in resumes]
        if isinstance(self.judge, JoinedJudge):
            return self.judge.logits(inputs)
        found = self.judge.logits(inputs, job_text=self.job_text).astype(np.float64)
        return found if self.manifest.outcome == "several" else centred(found)

    def remembering(self, resume: ResumeInput) -> Asked:
        """The same, which reads anew only those parts of a resume that are not parts of this one as well."""
        if not isinstance(self.judge, NetworkJudge):
            return self
        sequences = self.judge.cut(resume, self.job_text).sequences
        encoder = RememberingEncoder.of(self.judge.encoder, sequences)
        return replace(self, judge=replace(self.judge, encoder=encoder))


@dataclass(frozen=True, slots=True, eq=False)
class RememberingEncoder:
    """An encoder that has read some sequences before. A sequence is never changed by those that run beside it."""

    inner: ReadsSequences
    known: dict[bytes, Encoded]

    @classmethod
    def of(cls, inner: ReadsSequences, sequences: Sequence[Ids]) -> RememberingEncoder:
        known = {}
        for encoded in inner.run(sequences):
            for row, place in enumerate(encoded.places):
                one = slice(row, row + 1)
                known[sequences[place].tobytes()] = Encoded([], encoded.values[one], encoded.mask[one])
        return cls(inner, known)

    @property
    def output(self) -> States:
        return self.inner.output

    @property
    def hidden(self) -> int:
        return self.inner.hidden

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[Encoded]:
        places: dict[bytes, list[int]] = defaultdict(list)
        for place, sequence in enumerate(sequences):
            places[sequence.tobytes()].append(place)
        new = [key for key in places if key not in self.known]
        firsts = [sequences[places[key][0]] for key in new]
        for encoded in self.inner.run(firsts, batch_tokens=batch_tokens):
            for row, place in enumerate(encoded.places):
                one = slice(row, row + 1)
                yield from _copies(places[new[place]], Encoded([], encoded.values[one], encoded.mask[one]))
        for key in places.keys() & self.known.keys():
            yield from _copies(places[key], self.known[key])


def _copies(places: Sequence[int], one: Encoded) -> Iterator[Encoded]:
    for start in range(0, len(places), COPIES):
        some = list(places[start : start + COPIES])
        yield Encoded(some, np.repeat(one.values, len(some), axis=0), np.repeat(one.mask, len(some), axis=0))
