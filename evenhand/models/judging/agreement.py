"""A network in small integers is compared with the full one before it judges anybody, and the outcome is kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from evenhand.models.artefact import Artefact
from evenhand.models.encoder.sentences import SENTENCES
from evenhand.models.encoder.weights import EncoderSource
from evenhand.models.inputs import KINDS, ResumeInput, SectionText
from evenhand.models.judging.network import NetworkJudge

COMPUTATION = "2"  # raise it when the graph or the comparison changes
LEAST_LABELS = 0.95
MOST_DIFFERENCE = 0.02
TIE = 0.03  # labels whose probabilities are so near each other are equally right
RESUMES = 16


@dataclass(frozen=True, slots=True)
class Agreement:
    """Share of made-up resumes that get the same label, or one as likely, and by how much probabilities differ in
    the mean."""

    labels: float
    difference: float

    @property
    def objection(self) -> str:
        """Empty when small integers may be used."""
        if self.labels >= LEAST_LABELS and self.difference <= MOST_DIFFERENCE:
            return ""
        return (
            f"int8 was not used: it agrees with fp32 on {self.labels:.0%} of labels (at least {LEAST_LABELS:.0%}), "
            f"and probabilities differ by {self.difference:.3f} (at most {MOST_DIFFERENCE})."
        )


def measure_judges(
    full: NetworkJudge, compact: NetworkJudge, resumes: Sequence[ResumeInput] | None = None
) -> Agreement:
    checked = made_up_resumes() if resumes is None else resumes
    job_text = SENTENCES[-1] if full.design.needs_job else None
    expected, found = (judge.predict(checked, job_text=job_text) for judge in (full, compact))
    lost = expected.max(axis=1) - expected[np.arange(len(expected)), found.argmax(axis=1)]
    same = (lost <= TIE).mean()
    return Agreement(round(float(same), 6), round(float(np.abs(expected - found).mean()), 6))


def made_up_resumes() -> list[ResumeInput]:
    """Sentences of many trades in two to six sections, some of them longer than a chunk; no features."""
    rng = np.random.default_rng(0)
    return [
        ResumeInput(
            tuple(
                SectionText(kind, " ".join(rng.choice(SENTENCES, size=rng.integers(1, 10))))
                for kind in KINDS[: 2 + number % 5]
            )
        )
        for number in range(RESUMES)
    ]


@dataclass(frozen=True, slots=True)
class AgreementNotes:
    """One small file per model and encoder, with the limits of its numbers (none where each row has a scale of its
    own); without a place to keep it, the comparison is made anew."""

    path: Path | None

    @classmethod
    def of(cls, artefact: Artefact, source: EncoderSource, cache: Path | None) -> AgreementNotes:
        sums = {**artefact.manifest.files, **source.sha256}
        parts = [COMPUTATION, artefact.manifest.to_text(), *(f"{name}={sums[name]}" for name in sorted(sums))]
        key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        return cls(cache / f"{key}.json" if cache else None)

    def read(self) -> tuple[Agreement, dict[str, float]] | None:
        if self.path is None:
            return None
        try:
            note = json.loads(self.path.read_text(encoding="utf-8"))
            limits = {str(name): float(limit) for name, limit in note["limits"].items()}
            return Agreement(float(note["labels"]), float(note["difference"])), limits
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def write(self, agreement: Agreement, limits: Mapping[str, float]) -> None:
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            note = {**asdict(agreement), "limits": dict(limits)}
            self.path.write_text(json.dumps(note, indent=1), encoding="utf-8")
        except OSError:
            return
