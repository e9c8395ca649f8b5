"""A joined model ready to judge, with the encoder it learned with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.errors import ModelMalformed
from evenhand.models.artefact import Artefact
from evenhand.models.calibration import Floats, to_probabilities
from evenhand.models.encoder import Encoder, Precision, load_encoder
from evenhand.models.inputs import ResumeInput
from evenhand.models.joined.model import Joined
from evenhand.models.joined.storing import from_artefact
from evenhand.models.manifest import Manifest


@dataclass(frozen=True, eq=False)
class JoinedJudge:
    manifest: Manifest
    model: Joined
    encoder: Encoder | None

    @property
    def note(self) -> str:
        return self.encoder.note if self.encoder else ""

    def logits(self, resumes: Sequence[ResumeInput]) -> Floats:
        return self.model.logits(resumes, self.encoder)

    def predict(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        """Each resume is judged by itself, so nothing depends on the others; a job's text has no say."""
        several = self.manifest.outcome == "several"
        return to_probabilities(self.logits(resumes), temperature=self.manifest.temperature, several=several)


def load_joined(
    artefact: Artefact,
    *,
    encoder: Path | None = None,
    precision: Precision = "fp32",
    cache: Path | None = None,
    threads: int = 1,
) -> JoinedJudge:
    """`encoder` is the folder of the one that the manifest names, None for the one that ships."""
    model = from_artefact(artefact)
    if not model.vectors:
        return JoinedJudge(artefact.manifest, model, None)
    found = load_encoder(encoder, precision=precision, cache=cache, threads=threads)
    for part in model.vectors:
        if len(part.mean) != found.dimension:
            raise ModelMalformed(
                f"The part {part.reading.name} expects vectors of {len(part.mean)} numbers; "
                f"the encoder gives {found.dimension}."
            )
    return JoinedJudge(artefact.manifest, model, found)
