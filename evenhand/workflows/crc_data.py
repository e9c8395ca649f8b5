"""Both tasks of competence from generated applicants for clinical research posts.

As in the study: applications are made unique within a level, and for the first task across levels too, where the
highest application of a resume stays. The second asks of every resume and applied level whether both are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.corpora.dedup import Application, Stages, dedup
from evenhand.corpora.kinds.crc_applications import APPLIED, level_text
from evenhand.workflows.competence_corpus import MinedApplicant, mined_applicants
from evenhand.workflows.competence_data import CompetenceData, Example, fit_data, fit_label, level_data
from evenhand.workflows.model_inputs import input_of_text
from evenhand.workflows.watching import Watch, unwatched


@dataclass(frozen=True, slots=True)
class CrcData:
    """Both tasks of one generated corpus, and how many applications were left at each stage."""

    level: CompetenceData
    fit: CompetenceData
    stages: Stages
    left_out: int  # not clearly structured


def crc_data(n: int, seed: int, *, cache: Path | None = None, watch: Watch = unwatched) -> CrcData:
    """From `n` generated applicants, read from their files and mined."""
    return crc_data_of(mined_applicants(n, seed, cache=cache, watch=watch), seed=seed)


def crc_data_of(applicants: Sequence[MinedApplicant], *, seed: int) -> CrcData:
    selected = {str(each.number): each for each in applicants if each.is_selected}
    stages = dedup(Application(number, level) for number, each in selected.items() for level in each.applied)
    inputs = {number: input_of_text(each.text, each.profile) for number, each in selected.items()}
    origin = f"{len(selected)} generated applicants for clinical research posts (seed {seed})"
    return CrcData(
        level_data(
            [
                Example(kept.resume, inputs[kept.resume], selected[kept.resume].level)
                for kept in stages.across_levels
            ],
            description=f"{origin}, with the levels that a generated annotator gives them",
            seed=seed,
            is_generated=True,
        ),
        fit_data(
            [
                Example(
                    kept.resume,
                    inputs[kept.resume],
                    fit_label(kept.level, selected[kept.resume].level),
                    kept.level,
                )
                for kept in stages.within_level
            ],
            {level: level_text(level) for level in APPLIED},
            description=f"{len(stages.within_level)} applications of {origin}",
            seed=seed,
            is_generated=True,
        ),
        stages,
        len(applicants) - len(selected),
    )
