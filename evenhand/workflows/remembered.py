"""A model that remembers what it said of which content, in memory alone: what is erased leaves nothing here to find.

Kept are sums of what was judged and the probabilities, never the text.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from evenhand.models.calibration import Floats
from evenhand.models.inputs import ResumeInput
from evenhand.models.judging import Judge
from evenhand.models.manifest import Manifest
from evenhand.records import content_hash

MOST = 5_000  # resumes; a row of probabilities is small


@dataclass(frozen=True, slots=True, eq=False)
class RememberedJudge:
    """For pages, which ask for the same resume again and again."""

    judge: Judge
    kept: OrderedDict[str, Floats] = field(default_factory=OrderedDict, repr=False)
    lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def manifest(self) -> Manifest:
        return self.judge.manifest

    @property
    def note(self) -> str:
        return self.judge.note

    def predict(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        keys = [sum_of(resume, job_text) for resume in resumes]
        with self.lock:
            known = {key: self.kept[key] for key in keys if key in self.kept}
        new = {key: resume for key, resume in zip(keys, resumes, strict=True) if key not in known}
        if new:
            # Outside the lock: whoever asks for what is known need not wait for what is not.
            rows = self.judge.predict(list(new.values()), job_text=job_text)
            known |= dict(zip(new, rows, strict=True))
        self._keep(known)
        if not keys:
            return np.zeros((0, len(self.manifest.labels)))
        return np.stack([known[key] for key in keys])

    def _keep(self, rows: dict[str, Floats]) -> None:
        with self.lock:
            for key, row in rows.items():
                self.kept[key] = row
                self.kept.move_to_end(key)
            while len(self.kept) > MOST:
                self.kept.popitem(last=False)


def sum_of(resume: ResumeInput, job_text: str | None) -> str:
    """Of everything that a model is given."""
    sections = [[section.kind, section.text] for section in resume.sections]
    features = {name: float(value) for name, value in resume.features.items()}
    return content_hash([sections, list(resume.titles), features, job_text])
