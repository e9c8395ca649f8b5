"""A model of this project seen as two halves: what it makes of a resume, and what it decides from that.

The rows are what concepts are removed from; the second half, put behind them, says what the model says.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.samples import Floats
from evenhand.errors import ModelUnfit
from evenhand.models.inputs import ResumeInput
from evenhand.models.joined import Joined, JoinedJudge
from evenhand.models.judging.judge import Judge
from evenhand.models.judging.network import NetworkJudge


def represent(judge: Judge, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
    """h: a row per resume. Of a joined model its terms and vectors as it weighs them, of a network what it decodes."""
    if isinstance(judge, NetworkJudge):
        return np.asarray(judge.represent(resumes, job_text=job_text), np.float64)
    if isinstance(judge, JoinedJudge):
        rows = [_joined_row(judge, resume) for resume in resumes]
        return np.array(rows, np.float64).reshape(len(resumes), -1)
    raise ModelUnfit(f"The model {judge.manifest.name} is of a kind whose rows are not known.")


def decide(judge: Judge, rows: NDArray[np.floating]) -> Floats:
    """c: logits from rows, before the temperature; c(h(x)) is what the model says of x."""
    if isinstance(judge, NetworkJudge):
        weights, bias = (judge.artefact.tensor(name) for name in ("decoder.weight", "decoder.bias"))
        return np.asarray(rows @ weights.T.astype(np.float64) + bias, np.float64)
    if isinstance(judge, JoinedJudge):
        return np.asarray(rows @ _joined_weights(judge.model) + judge.model.bias, np.float64)
    raise ModelUnfit(f"The model {judge.manifest.name} is of a kind whose decision is not known.")


def _joined_row(judge: JoinedJudge, resume: ResumeInput) -> Floats:
    parts = []
    for part in judge.model.terms:
        places, values = part.row(part.reading.count(resume))
        row = np.zeros(len(part.terms))
        row[places] = values
        parts.append(row)
    for vector_part in judge.model.vectors:
        if judge.encoder is None:
            raise ModelUnfit(f"The part {vector_part.reading.name} of this model needs its encoder.")
        vector = vector_part.reading.vector(resume, judge.encoder).astype(np.float64)
        parts.append(vector_part.reading.weight * (vector - vector_part.mean))
    return np.concatenate(parts)


def _joined_weights(model: Joined) -> Floats:
    terms = [part.coefficients for part in model.terms]
    vectors = [part.coefficients for part in model.vectors]
    return np.vstack([*terms, *vectors]).astype(np.float64)
