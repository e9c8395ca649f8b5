"""What is audited: rankers and models, each asked for a score and a label of any reading of a resume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.swaps.effects import Floats, Integers
from evenhand.audit.swaps.trials import Outcome
from evenhand.explain.asking import Asked
from evenhand.explain.places import PlacedResume
from evenhand.records.profile import Profile
from evenhand.search.digest import Digest, make_digest
from evenhand.search.rankers import Query, Ranker
from evenhand.search.statistics import Statistics
from evenhand.workflows.placed_inputs import placed_text
from evenhand.workflows.section_vectors import SectionEncoder, section_vectors


@dataclass
class Reading:
    """A resume, or one with something changed, as it was read: what judges need of it is made once for all of them."""

    text: str
    profile: Profile
    encoder: SectionEncoder | None = None

    @cached_property
    def digest(self) -> Digest:
        vectors = section_vectors(self.text, self.profile, self.encoder) if self.encoder else None
        return make_digest(self.text, self.profile, vectors=vectors)

    @cached_property
    def placed(self) -> PlacedResume:
        return placed_text(self.text, self.profile)


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A row per reading; `label` is 0 for rankers until ranks are known."""

    score: Floats
    label: Integers


class SwapJudge(Protocol):
    @property
    def name(self) -> str: ...

    def judge(self, base: Reading, readings: Sequence[Reading]) -> Judged:
        """Readings of one resume, of which `base` is the resume as it is."""

    def outcome(self, judged: Judged, base: Judged, resumes: Integers) -> Outcome:
        """All rows together; `resumes` are the places of their resumes among those in `base`."""


@dataclass(frozen=True, slots=True, eq=False)
class RankerJudge:
    """A ranker on one job. `everyone` are the scores of all who are ranked; only the edited resume changes."""

    ranker: Ranker
    query: Query
    statistics: Statistics
    everyone: Floats  # in ascending order
    shortlist: int

    @property
    def name(self) -> str:
        return f"ranker {self.ranker.name}"

    def judge(self, base: Reading, readings: Sequence[Reading]) -> Judged:
        scores = score_digests(self.ranker, self.query, self.statistics, [each.digest for each in readings])
        return Judged(scores, np.zeros(len(readings), np.int64))

    def outcome(self, judged: Judged, base: Judged, resumes: Integers) -> Outcome:
        own = base.score[resumes]
        rank, base_rank = self._ranks(judged.score, own), self._ranks(base.score, base.score)
        on_list, base_on_list = self._listed(rank), self._listed(base_rank)
        return Outcome(self.name, judged.score, on_list, base.score, base_on_list, rank, base_rank)

    def _ranks(self, scores: Floats, own: Floats) -> Integers:
        """1 and how many others are better; equals share a rank. Who is not read at all stands last."""
        better = len(self.everyone) - np.searchsorted(self.everyone, scores, side="right")
        found: Integers = (1 + better - (own > scores)).astype(np.int64)
        return np.where(np.isfinite(scores), found, len(self.everyone))

    def _listed(self, ranks: Integers) -> Integers:
        return (ranks <= self.shortlist).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class ModelJudge:
    """A model: the score is the logit of the label that it gives the resume as it is."""

    title: str
    asked: Asked

    @property
    def name(self) -> str:
        return f"model {self.title}"

    def judge(self, base: Reading, readings: Sequence[Reading]) -> Judged:
        asked = self.asked.remembering(base.placed.resume)
        target = int(asked.logits([base.placed])[0].argmax())
        logits = asked.logits([each.placed for each in readings])
        return Judged(logits[:, target], logits.argmax(axis=1))

    def outcome(self, judged: Judged, base: Judged, resumes: Integers) -> Outcome:
        labels = tuple(self.asked.manifest.labels)
        return Outcome(self.name, judged.score, judged.label, base.score, base.label, labels=labels)


def score_digests(ranker: Ranker, query: Query, statistics: Statistics, digests: Sequence[Digest]) -> Floats:
    return np.array(ranker.contributions(query, digests, statistics).totals(), np.float64)


@dataclass(eq=False)
class RememberingSections:
    """An encoder that reads no section twice: most edits leave most sections alone. A section that stays the same also
    keeps the very same vector; read beside other texts, its last bits could differ and pass for an effect."""

    inner: SectionEncoder
    known: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        new = list(dict.fromkeys(text for text in texts if text not in self.known))
        if new:
            self.known.update(zip(new, self.inner.encode(new), strict=True))
        return np.array([self.known[text] for text in texts], np.float32)

    def windows(self, text: str, /) -> list[tuple[int, int]]:
        return self.inner.windows(text)
