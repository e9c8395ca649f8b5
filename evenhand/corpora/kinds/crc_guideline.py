"""The written guideline for competence levels of clinical research coordinators: facts of a career to one level.

The levels, ascending: NQ (not qualified), CRC1 (administrative and data support), CRC2 (runs study documents,
consent and eligibility), CRC3 (runs trials on their own, trains staff), CRC4 (leads a team).

1. Only completed degrees count, the highest one. A field is scientific (life sciences, health, psychology,
   statistics, chemistry...) or not; below a bachelor's degree too.
2. Experience is counted in full-time months: 35 hours a week and more are full time, a month at 20 hours is half
   a month, and a month with two jobs is at most one. Unpaid work (volunteers, rotations, observerships) counts nothing.
3. *Clinical research* is paid work on studies with human participants. As a student's assistantship it counts
   only when the job came to more than 1,000 hours.
4. *Clinical experience* is paid work with patients, or at the desk of a place that treats them. It lets people
   in (CRC1). Below a bachelor's degree half of its months count for CRC2; no further.
5. *Laboratory work* (the bench, a doctorate's thesis paid as a job) lets people in, and a third of its months
   count for CRC2: bench researchers need three years where others need one. No further. Rules 4 and 5 together
   give at most half of what CRC2 asks for: the other half is clinical research.
6. A doctor trained abroad and a PhD have a doctorate; training years and projects are no clinical research, so
   without any they stay at CRC1.
7. CRC4 asks for a certification in clinical research (CCRC, CCRP, CCRA, ACRP-CP) and a year of supervising
   staff. Training certificates (CITI, GCP courses, CPR, BLS, phlebotomy, IATA) are no certification.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.corpora.career import Career, Job, Study

LEVELS = ("NQ", "CRC1", "CRC2", "CRC3", "CRC4")
CERTIFICATIONS = ("CCRC", "CCRP", "CCRA", "ACRP-CP")  # as they stand at the end of a certificate's name
ACADEMIC_HOURS = 1000
WEEKS_PER_MONTH = 4.345
FULL_TIME = 40
NEARLY_FULL_TIME = 35  # shifts of a nurse
SUPERVISING_MONTHS = 12

DEGREES = ("none", "associate", "bachelor", "master", "doctorate")
_DEGREE_OF = {"associate": 1, "diploma": 1, "bachelor": 2, "master": 3, "doctorate": 4}


@dataclass(frozen=True, slots=True)
class Facts:
    """What the guideline looks at. Months are full-time months."""

    degree: str  # one of DEGREES
    is_scientific: bool
    is_foreign_doctor: bool
    research_months: float
    clinical_months: float
    laboratory_months: float
    supervising_months: float
    is_certified: bool


@dataclass(frozen=True, slots=True)
class Required:
    """Months that each level asks for; None where the degree does not lead there."""

    crc1: int  # of any counted experience
    crc2: int  # of clinical research, with what rules 4 and 5 add
    crc3: int | None  # of clinical research
    crc4: int | None


REQUIRED = {  # degree, field is scientific
    ("none", False): Required(36, 72, None, None),
    ("none", True): Required(36, 72, None, None),
    ("associate", False): Required(24, 48, 96, None),
    ("associate", True): Required(12, 36, 84, None),
    ("bachelor", False): Required(12, 36, 60, 96),
    ("bachelor", True): Required(6, 24, 42, 72),
    ("master", False): Required(6, 24, 42, 72),
    ("master", True): Required(3, 12, 30, 60),
    ("doctorate", False): Required(3, 18, 36, 60),
    ("doctorate", True): Required(0, 12, 24, 48),
}


def true_level(career: Career) -> str:
    return level_of(facts_of(career))


def level_of(facts: Facts) -> str:
    """The highest level whose requirements are met, each level asking for those below it too."""
    need = REQUIRED[facts.degree, facts.is_scientific]
    if facts.research_months + facts.clinical_months + facts.laboratory_months < need.crc1:
        return "NQ"
    if months_for_crc2(facts) < need.crc2:
        return "CRC1"
    if need.crc3 is None or facts.research_months < need.crc3:
        return "CRC2"
    leads = facts.is_certified and facts.supervising_months >= SUPERVISING_MONTHS
    if need.crc4 is None or facts.research_months < need.crc4 or not leads:
        return "CRC3"
    return "CRC4"


def months_for_crc2(facts: Facts) -> float:
    """Clinical research, and what the clinic and the laboratory add to it by rules 4 and 5."""
    has_low_education = facts.degree in ("none", "associate")
    added = facts.laboratory_months / 3 + (facts.clinical_months / 2 if has_low_education else 0.0)
    most = REQUIRED[facts.degree, facts.is_scientific].crc2 / 2
    return facts.research_months + min(most, added)


def facts_of(career: Career) -> Facts:
    degree, is_scientific = highest_degree(career.studies, career.as_of)
    research = [job for job in career.jobs if counts_as_research(job, career.as_of)]
    laboratory = [job for job in career.jobs if job.is_paid and "laboratory" in job.tags]
    clinical = [job for job in career.jobs if job.is_paid and "clinical" in job.tags]
    supervising = [job for job in career.jobs if job.is_paid and "supervising" in job.tags]
    return Facts(
        degree,
        is_scientific,
        any({"foreign", "medical"} <= study.tags for study in career.studies),
        full_time_months(research, career.as_of),
        full_time_months(clinical, career.as_of),
        full_time_months(laboratory, career.as_of),
        full_time_months(supervising, career.as_of),
        any(is_certification(certificate.name) for certificate in career.certificates),
    )


def highest_degree(studies: tuple[Study, ...], as_of: int) -> tuple[str, bool]:
    """Of completed studies; between two of the same level a scientific one counts."""
    completed = [
        (
            DEGREES.index("doctorate") if "medical" in study.tags else _DEGREE_OF.get(study.level, 0),
            "scientific" in study.tags,
        )
        for study in studies
        if study.period.end is not None and study.period.end <= as_of
    ]
    place, is_scientific = max(completed, default=(0, False))
    return DEGREES[place], is_scientific


def counts_as_research(job: Job, as_of: int) -> bool:
    if not job.is_paid or "research" not in job.tags:
        return False
    return "academic" not in job.tags or hours_of(job, as_of) > ACADEMIC_HOURS


def hours_of(job: Job, as_of: int) -> float:
    return job.period.months(as_of) * WEEKS_PER_MONTH * job.hours_per_week


def full_time_months(jobs: list[Job], as_of: int) -> float:
    """Calendar months, each by the hours worked in it and never more than one."""
    hours: dict[int, int] = {}
    for job in jobs:
        for month in range(job.period.start, job.period.last(as_of) + 1):
            hours[month] = hours.get(month, 0) + job.hours_per_week
    return sum(1.0 if worked >= NEARLY_FULL_TIME else worked / FULL_TIME for worked in hours.values())


def is_certification(name: str) -> bool:
    return any(short in name for short in CERTIFICATIONS)
