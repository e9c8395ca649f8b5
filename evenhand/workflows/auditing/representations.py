"""What a probe reads: what the last layer of a model is given of each resume, and the sentence encoder's view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.models.inputs import ResumeInput
from evenhand.models.joined.blocks import VectorReading
from evenhand.models.joined.judge import JoinedJudge
from evenhand.models.judging import Judge
from evenhand.models.judging.network import NetworkJudge
from evenhand.settings import Settings
from evenhand.workflows.encoding import encoder_for
from evenhand.workflows.watching import Watch, watched

Table = NDArray[np.float32]
BODY = VectorReading("sentence encoder", "body", 1.0)
AT_ONCE = 16


@dataclass(frozen=True, slots=True, eq=False)
class Representation:
    name: str  # "last layer", "sentence encoder"
    words: str  # the same, for a person
    table: Table


def represent(
    judge: Judge,
    resumes: Sequence[ResumeInput],
    job_texts: Sequence[str | None],
    *,
    settings: Settings,
    watch: Watch,
) -> list[Representation]:
    """That of the model where its kind has one, and that of the encoder where one is installed."""
    found = []
    rows = list(watched(_own(judge, resumes, job_texts), watch, "Looking into the model", len(resumes)))
    if rows:
        found.append(Representation("last layer", "what the model's last layer is given", np.stack(rows)))
    encoder = encoder_for(settings)
    if encoder is not None:
        stream = watched(resumes, watch, "Encoding resumes", len(resumes))
        table = np.stack([BODY.vector(resume, encoder) for resume in stream])
        found.append(Representation("sentence encoder", "the sentence encoder's view of the resume", table))
    return found


def _own(judge: Judge, resumes: Sequence[ResumeInput], job_texts: Sequence[str | None]) -> Iterator[Table]:
    if isinstance(judge, NetworkJudge):
        for resume, job_text in zip(resumes, job_texts, strict=True):
            yield judge.represent([resume], job_text=job_text)[0]
    elif isinstance(judge, JoinedJudge):
        for resume in resumes:
            yield _joined_row(judge, resume)


def _joined_row(judge: JoinedJudge, resume: ResumeInput) -> Table:
    """The weighted terms of every part side by side, and the vectors of the neural ones."""
    parts: list[Table] = []
    for part in judge.model.terms:
        row = np.zeros(len(part.terms), np.float32)
        places, values = part.row(part.reading.count(resume))
        row[places] = values
        parts.append(row)
    if judge.encoder is not None:
        parts += [part.reading.vector(resume, judge.encoder) for part in judge.model.vectors]
    return np.concatenate(parts)
