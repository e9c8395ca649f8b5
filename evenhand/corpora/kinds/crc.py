"""Applicants for jobs as clinical research coordinators, with the level that an annotator gives them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from evenhand.corpora.career import Career, Month, Person
from evenhand.corpora.groups import Groups
from evenhand.corpora.kinds.crc_annotators import LAST_ROUND, annotate_with, slips
from evenhand.corpora.kinds.crc_dress import dress_jobs, dress_studies, occupation_of, sample_extras
from evenhand.corpora.kinds.crc_guideline import true_level
from evenhand.corpora.kinds.crc_outline import Outline, sample_outline
from evenhand.corpora.people import groups_of, sample_birth, sample_identity
from evenhand.corpora.rng import Stream, weighted

# How often annotators gave each level in the study the guideline comes from.
LEVEL_SHARES = {"NQ": 0.1387, "CRC1": 0.5880, "CRC2": 0.1115, "CRC3": 0.1530, "CRC4": 0.0088}
MAX_OUTLINES = 2000  # the rarest level is found within a few hundred
_NOBODY = Person("", "", "", "", None, "")


def sample(stream: Stream, number: int, as_of: Month) -> tuple[Career, Groups]:
    return sample_with(stream, number, as_of, LEVEL_SHARES)


def sample_with(
    stream: Stream, number: int, as_of: Month, level_shares: Mapping[str, float]
) -> tuple[Career, Groups]:
    """An applicant whose annotated level is drawn by the shares; everything else is as applicants are."""
    wanted = weighted(stream("level"), level_shares)
    outline, bare = sample_at_level(stream("outline"), number, as_of, wanted)
    identity = sample_identity(stream, {"United States": 1.0})
    schoolings = dress_studies(stream("schools"), outline, identity)
    jobs = dress_jobs(stream("employers"), outline, identity, schoolings, as_of)
    languages, activities, extra_skills = sample_extras(stream("extras"), identity, jobs)
    career = replace(
        bare,
        person=identity.person,
        occupation=occupation_of(jobs),
        jobs=tuple(reversed(jobs)),
        studies=tuple(schooling.study for schooling in reversed(schoolings)),
        languages=languages,
        activities=activities,
        extra_skills=extra_skills,
    )
    first_job = min((job.period.start for job in jobs), default=as_of)
    birth = sample_birth(stream("birth"), schoolings, first_job)
    return career, groups_of(identity, schoolings, career, birth=birth)


def sample_at_level(rng: random.Random, number: int, as_of: Month, wanted: str) -> tuple[Outline, Career]:
    """Outlines of one population of applicants, until an annotator calls one by the level that is wanted."""
    slip = slips(annotator=0, round=LAST_ROUND)
    for _ in range(MAX_OUTLINES):
        outline = sample_outline(rng, as_of)
        career = _bare(outline, number, as_of)
        if career.jobs and annotate_with(rng, career, slip) == wanted:
            return outline, replace(career, level=wanted, true_level=true_level(career))
    raise ValueError(f"no applicant of level {wanted!r} in {MAX_OUTLINES} outlines")


def _bare(outline: Outline, number: int, as_of: Month) -> Career:
    return Career(
        number=number,
        kind="crc",
        as_of=as_of,
        person=_NOBODY,
        occupation="",
        jobs=tuple(job for _, job in reversed(outline.jobs)),
        studies=tuple(study for _, study in reversed(outline.studies)),
        certificates=outline.certificates,
    )
