"""A joined model: what each part says, and the sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import ModelUnfit
from evenhand.models.inputs import ResumeInput
from evenhand.models.joined.blocks import Array, Counted, Counts, TermPart, TextEncoder, VectorPart

Floats = NDArray[np.float64]
BIAS = "bias"


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a term of a resume, or with term None a whole part, adds to the logit of one label."""

    part: str
    term: str | None
    value: float


@dataclass(frozen=True, eq=False)
class Joined:
    labels: tuple[str, ...]
    bias: Array
    terms: tuple[TermPart, ...]
    vectors: tuple[VectorPart, ...] = ()

    def logits(self, resumes: Sequence[ResumeInput], encoder: TextEncoder | None = None) -> Floats:
        """A row per resume; ModelUnfit without an encoder where a part needs one."""
        rows = [self.bias + sum(self.parts(resume, encoder).values()) for resume in resumes]
        return np.array(rows, np.float64).reshape(len(resumes), len(self.labels))

    def parts(self, resume: ResumeInput, encoder: TextEncoder | None = None) -> dict[str, Floats]:
        """By name; with the bias they sum to the logits exactly."""
        counts = self._counts(resume)
        found = {part.reading.name: part.logits(counts[part.reading.counted]) for part in self.terms}
        for part in self.vectors:
            if encoder is None:
                raise ModelUnfit(f"The part {part.reading.name} of this model needs its encoder.")
            found[part.reading.name] = part.logits(part.reading.vector(resume, encoder))
        return found

    def contributions(
        self, resume: ResumeInput, label: str, encoder: TextEncoder | None = None
    ) -> tuple[Contribution, ...]:
        """Every term that the resume has, every neural part as a whole, and the bias: they sum to the label's logit."""
        column = self.labels.index(label)
        found = [Contribution(BIAS, None, float(self.bias[column]))]
        counts = self._counts(resume)
        for part in self.terms:
            places, values = part.row(counts[part.reading.counted])
            added = values.astype(np.float64) * part.coefficients[places, column]
            found += [
                Contribution(part.reading.name, part.terms[place], float(value))
                for place, value in zip(places, added, strict=True)
            ]
        parts = self.parts(resume, encoder) if self.vectors else {}
        names = [part.reading.name for part in self.vectors]
        return (*found, *(Contribution(name, None, float(parts[name][column])) for name in names))

    def _counts(self, resume: ResumeInput) -> dict[Counted, Counts]:
        """Once for all parts that count the same."""
        readings = {part.reading.counted: part.reading for part in self.terms}
        return {counted: reading.count(resume) for counted, reading in readings.items()}
