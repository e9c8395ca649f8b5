"""How long sections are, in tokens, before and after pruning: the published Tables 10 and 11 for any resumes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from evenhand.models.inputs import KINDS, SectionKind

SectionLengths = Mapping[SectionKind, int]  # of one resume; a section that it lacks is absent


@dataclass(frozen=True, slots=True)
class Lengths:
    mean: float
    deviation: float  # of a sample; 0 for a single section
    longest: int
    within: float  # share of sections that are not longer than the limit


@dataclass(frozen=True, slots=True)
class LengthRow:
    kind: SectionKind
    count: int
    before: Lengths
    after: Lengths


def measure_lengths(
    before: Sequence[SectionLengths], after: Sequence[SectionLengths], *, limit: int
) -> list[LengthRow]:
    """One row per kind of section that any resume has, in the order of KINDS."""
    rows = []
    for kind in KINDS:
        old = [lengths[kind] for lengths in before if kind in lengths]
        new = [lengths[kind] for lengths in after if kind in lengths]
        if old:
            rows.append(LengthRow(kind, len(old), _summary(old, limit), _summary(new, limit)))
    return rows


def _summary(lengths: Sequence[int], limit: int) -> Lengths:
    spread = stdev(lengths) if len(lengths) > 1 else 0.0
    within = sum(length <= limit for length in lengths) / len(lengths)
    return Lengths(fmean(lengths), spread, max(lengths), within)
