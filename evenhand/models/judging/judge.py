"""From an artefact to something that judges, whatever its kind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from evenhand.errors import ModelUnknownKind
from evenhand.models.artefact import Artefact
from evenhand.models.calibration import Floats
from evenhand.models.encoder import Precision
from evenhand.models.inputs import ResumeInput
from evenhand.models.joined import load_joined
from evenhand.models.judging.encoders import find_fitting
from evenhand.models.judging.loading import load_network
from evenhand.models.manifest import Manifest


class Judge(Protocol):
    """A model ready to run. `note` says why it does not run as it was asked to; empty when it does."""

    @property
    def manifest(self) -> Manifest: ...
    @property
    def note(self) -> str: ...

    def predict(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        """A row of calibrated probabilities per resume, in the order of the labels; the same whatever the batch."""


def load_judge(
    artefact: Artefact,
    *,
    encoders: Sequence[Path | None] = (None,),
    precision: Precision = "fp32",
    cache: Path | None = None,
    threads: int = 1,
) -> Judge:
    """`encoders` are folders to look for the model's encoder in, None for the one that ships.

    int8 is compared with fp32 before it is trusted (once, where there is a `cache`); fp32 stands in for one that
    strays, with a note. ModelError or UsageError where something is lacking.
    """
    if artefact.manifest.kind == "network":
        return load_network(artefact, encoders=encoders, precision=precision, cache=cache, threads=threads)
    if artefact.manifest.kind == "joined":
        folder = find_fitting(artefact.manifest, encoders).folder if artefact.manifest.encoder else None
        return load_joined(artefact, encoder=folder, precision=precision, cache=cache, threads=threads)
    raise ModelUnknownKind(
        f"Models of kind {artefact.manifest.kind!r} are not judged by this version of Evenhand."
    )
