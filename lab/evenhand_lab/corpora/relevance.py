"""How well a resume fits a job ad, on four grades, by a rule that looks at the truth of the resume and nothing else.

1. A demand is *met* (1) when the resume names one of its skills and, where months are asked for, has used it so
   long by the union of its dated jobs and projects; *half met* (1/2) with at least half of the months, or where
   the skill is named without a date; else it counts nothing. More than asked for is never held against anyone.
2. *Experience* is the union of relevant jobs, when the resume is of the ad's occupation (in IT: of any IT role).
3. Grade 3: all must-haves, the experience and the degree. Grade 2: three quarters of the must-haves and of the
   experience, and a degree at most one level below. Grade 1: two fifths of the must-haves. Else 0. A diploma and
   an associate degree are one level: which of them someone has depends on the country.
4. Ads for clinical research coordinators ask for a competence level: the same level is a 3, a neighbouring one a
   1, whether above or below, for who is over-qualified is turned down too; else 0.
Nice-to-haves and the city never change a grade. Groups are not asked for.
"""

from __future__ import annotations

from evenhand_lab.corpora.career import LEVELS
from evenhand_lab.corpora.jobs import JobAd, VacancyDemand
from evenhand_lab.corpora.truth import SkillTruth, Truth

DEGREES = tuple(level for level in LEVELS if level != "diploma")
COMPETENCE = ("NQ", "CRC1", "CRC2", "CRC3", "CRC4")


def grade(job: JobAd, truth: Truth) -> int:
    if job.level is not None:
        apart = abs(COMPETENCE.index(job.level) - COMPETENCE.index(truth.level)) if truth.level else None
        return 3 if apart == 0 else 1 if apart == 1 else 0
    met = must_share(job, truth)
    is_same = job.occupation == truth.occupation or job.kind == truth.kind == "it"
    experience = truth.relevant_months if is_same else 0
    needed = job.total_months or 0
    below = DEGREES.index(_degree(job.degree)) - DEGREES.index(_degree(truth.highest_degree))
    if met == 1 and experience >= needed and below <= 0:
        return 3
    if met >= 0.75 and 4 * experience >= 3 * needed and below <= 1:
        return 2
    return 1 if met >= 0.4 else 0


def _degree(level: str | None) -> str:
    return "associate" if level == "diploma" else level or "other"


def must_share(job: JobAd, truth: Truth) -> float:
    """The part of the must-haves that is met; nothing asked for is all met."""
    held = {skill.name: skill for skill in truth.skills}
    musts = [demand for demand in job.demands if demand.must]
    met = sum(max(_credit(demand, held.get(name)) for name in demand.skills) for demand in musts)
    return met / len(musts) if musts else 1.0


def _credit(demand: VacancyDemand, skill: SkillTruth | None) -> float:
    if skill is None:
        return 0.0
    if demand.months is None:
        return 1.0
    if skill.months_union is None:
        return 0.5
    if skill.months_union >= demand.months:
        return 1.0
    return 0.5 if 2 * skill.months_union >= demand.months else 0.0
