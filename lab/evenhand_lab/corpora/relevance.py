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
Nice-to-haves, and last the city, order resumes of one grade and never change it. Groups are not asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenhand_lab.corpora.jobs import JobAd, VacancyDemand
from evenhand_lab.corpora.people import LEVELS
from evenhand_lab.corpora.truth import SkillTruth, Truth

DEGREES = tuple(level for level in LEVELS if level != "diploma")
COMPETENCE = ("NQ", "CRC1", "CRC2", "CRC3", "CRC4")


@dataclass(frozen=True, slots=True)
class RelevanceGrade:
    grade: int  # 0 to 3
    must_share: float
    nice_share: float
    is_same_city: bool
    reasons: tuple[str, ...]  # one sentence per demand, then experience and degree

    def order(self) -> tuple[int, float, float, bool]:
        """Sorts resumes for one job, best last."""
        return self.grade, self.must_share, self.nice_share, self.is_same_city


def grade(job: JobAd, truth: Truth) -> int:
    return judge(job, truth).grade


def judge(job: JobAd, truth: Truth) -> RelevanceGrade:
    musts = [demand for demand in job.demands if demand.must]
    nices = [demand for demand in job.demands if not demand.must]
    held = {skill.name: skill for skill in truth.skills}
    must_share = share(musts, held)
    reasons = [reason(demand, held) for demand in musts]
    if job.level is not None:
        found = grade_level(job.level, truth.level)
        reasons = [f"annotated {truth.level}, asked for {job.level}"]
    else:
        experience = relevant_months(job, truth)
        found = grade_facts(job, must_share, experience, truth.highest_degree)
        reasons.append(f"experience: {experience} months, asked for {job.total_months or 0}")
        reasons.append(f"degree: {truth.highest_degree or 'none'}, asked for {job.degree or 'none'}")
    is_same_city = (truth.city, truth.country) == (job.city, job.country)
    return RelevanceGrade(found, must_share, share(nices, held), is_same_city, tuple(reasons))


def grade_level(wanted: str, level: str | None) -> int:
    if level is None:
        return 0
    apart = abs(COMPETENCE.index(wanted) - COMPETENCE.index(level))
    return {0: 3, 1: 1}.get(apart, 0)


def grade_facts(job: JobAd, must_share: float, experience: int, degree: str | None) -> int:
    needed = job.total_months or 0
    below = DEGREES.index(_degree(job.degree)) - DEGREES.index(_degree(degree))
    if must_share == 1 and experience >= needed and below <= 0:
        return 3
    if must_share >= 0.75 and 4 * experience >= 3 * needed and below <= 1:
        return 2
    return 1 if must_share >= 0.4 else 0


def _degree(level: str | None) -> str:
    return "associate" if level == "diploma" else level or "other"


def relevant_months(job: JobAd, truth: Truth) -> int:
    is_same = job.occupation == truth.occupation or job.kind == truth.kind == "it"
    return truth.relevant_months if is_same else 0


def share(demands: list[VacancyDemand], held: dict[str, SkillTruth]) -> float:
    """The part of the demands that is met; nothing asked for is all met."""
    if not demands:
        return 1.0
    return sum(max(credit(demand, held.get(name)) for name in demand.skills) for demand in demands) / len(demands)


def credit(demand: VacancyDemand, skill: SkillTruth | None) -> float:
    if skill is None:
        return 0.0
    if demand.months is None:
        return 1.0
    if skill.months_union is None:
        return 0.5
    if skill.months_union >= demand.months:
        return 1.0
    return 0.5 if 2 * skill.months_union >= demand.months else 0.0


def reason(demand: VacancyDemand, held: dict[str, SkillTruth]) -> str:
    best = max(demand.skills, key=lambda name: credit(demand, held.get(name)))
    skill = held.get(best)
    wanted = " or ".join(demand.skills) + (f" for {demand.months} months" if demand.months else "")
    if skill is None:
        return f"{wanted}: not there"
    has = "undated" if skill.months_union is None else f"{skill.months_union} months"
    return f"{wanted}: {best}, {has} ({credit(demand, skill):g})"
