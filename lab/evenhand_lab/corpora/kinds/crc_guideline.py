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

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career, CareerJob, CareerPeriod, CareerStudy, Certificate, Month, month, year_of
from evenhand_lab.corpora.lexicon import chance, some, weighted

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
class GuidelineFacts:
    """What the guideline looks at. Months are full-time months."""

    degree: str  # one of DEGREES
    is_scientific: bool
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


def level_of(facts: GuidelineFacts) -> str:
    """The highest level whose requirements are met, each level asking for those below it too."""
    need = REQUIRED[facts.degree, facts.is_scientific]
    if facts.research_months + facts.clinical_months + facts.laboratory_months < need.crc1:
        return "NQ"
    # What the clinic and the laboratory add to clinical research by rules 4 and 5.
    has_low_education = facts.degree in ("none", "associate")
    added = facts.laboratory_months / 3 + (facts.clinical_months / 2 if has_low_education else 0.0)
    if facts.research_months + min(need.crc2 / 2, added) < need.crc2:
        return "CRC1"
    if need.crc3 is None or facts.research_months < need.crc3:
        return "CRC2"
    leads = facts.is_certified and facts.supervising_months >= SUPERVISING_MONTHS
    if need.crc4 is None or facts.research_months < need.crc4 or not leads:
        return "CRC3"
    return "CRC4"


def facts_of(career: Career) -> GuidelineFacts:
    paid = [job for job in career.jobs if job.is_paid]
    research = [job for job in paid if counts_as_research(job, career.as_of)]
    months = {"research_months": full_time_months(research, career.as_of)}
    for tag in ("clinical", "laboratory", "supervising"):
        months[f"{tag}_months"] = full_time_months([job for job in paid if tag in job.tags], career.as_of)
    degree, is_scientific = highest_degree(career.studies, career.as_of)
    is_certified = any(is_certification(certificate.name) for certificate in career.certificates)
    return GuidelineFacts(degree, is_scientific, **months, is_certified=is_certified)


def highest_degree(studies: tuple[CareerStudy, ...], as_of: int) -> tuple[str, bool]:
    """Of completed studies; between two of the same level a scientific one counts."""
    completed = [study for study in studies if study.period.end is not None and study.period.end <= as_of]
    ranked = [
        (4 if "medical" in study.tags else _DEGREE_OF.get(study.level, 0), "scientific" in study.tags)
        for study in completed
    ]
    place, is_scientific = max(ranked, default=(0, False))
    return DEGREES[place], is_scientific


def counts_as_research(job: CareerJob, as_of: int) -> bool:
    if not job.is_paid or "research" not in job.tags:
        return False
    return "academic" not in job.tags or hours_of(job, as_of) > ACADEMIC_HOURS


def hours_of(job: CareerJob, as_of: int) -> float:
    return job.period.months(as_of) * WEEKS_PER_MONTH * job.hours_per_week


def full_time_months(jobs: list[CareerJob], as_of: int) -> float:
    """Calendar months, each by the hours worked in it and never more than one."""
    hours: dict[int, int] = {}
    for job in jobs:
        for at in range(job.period.start, job.period.last(as_of) + 1):
            hours[at] = hours.get(at, 0) + job.hours_per_week
    return sum(1.0 if worked >= NEARLY_FULL_TIME else worked / FULL_TIME for worked in hours.values())


def is_certification(name: str) -> bool:
    return any(short in name for short in CERTIFICATIONS)


# The bones of a coordinator's career: degrees, dated jobs, certificates; employers and words come later.

MIN_STAY_MONTHS = 3  # months; shorter stays are not written down
NURSING = frozenset({"registered_nurse", "research_nurse"})
SENIOR = {"senior_coordinator": 18, "lead": 36}  # months of clinical research before it


@dataclass(frozen=True, slots=True)
class Outline:
    profile: str
    jobs: tuple[tuple[str, CareerJob], ...]  # role and job, oldest first; employers, cities and duties are still empty
    studies: tuple[tuple[str, CareerStudy], ...]  # kind of study and study, oldest first
    certificates: tuple[Certificate, ...]


def sample_outline(rng: random.Random, as_of: Month) -> Outline:
    profiles = lexicon.table("crc/profiles.toml")
    name = weighted(rng, {key: float(profile["weight"]) for key, profile in profiles.items()})
    profile = profiles[name]
    low, high = profile["months"]
    since = round(rng.triangular(low, high, low + (high - low) * 0.25))
    studies = _studies(rng, weighted(rng, profile["paths"]).split("+"), as_of - since, as_of)
    jobs = sorted(
        [*_student_jobs(rng, profile, studies, as_of), *_later_jobs(rng, profile, studies, as_of)],
        key=lambda entry: (entry[1].period.start, entry[1].period.last(as_of)),
    )
    certificates = _certificates(rng, profile, jobs, studies, as_of)
    return Outline(name, tuple(jobs), tuple(studies), certificates)


def _studies(rng: random.Random, kinds: list[str], first_end: Month, as_of: Month) -> list[tuple[str, CareerStudy]]:
    """One after another, the first one ending about `first_end`; what would end after the month of writing is open."""
    studies = []
    end = month(year_of(first_end), 5)
    for place, kind in enumerate(kinds):
        entry = lexicon.table("crc/studies.toml")[kind]
        if place:
            pause = 0 if entry["level"] == "doctorate" else rng.choice([0, 0, 12, 12, 24, 36, 60])
            end = end + pause + 12 * entry["years"]
        start = end - 12 * entry["years"] + 4
        if start >= as_of:
            break
        field = rng.choice(entry["fields"]) if entry["fields"] else None
        tags = set(entry.get("tags", ())) | ({"doubtful"} if field in entry.get("doubtful", ()) else set())
        finished = end + rng.choice([-5, 0, 0, 0, 0, 3]) if place or kind != "highschool" else end
        period = CareerPeriod(start, finished if finished <= as_of else None)
        degree = rng.choice(entry["degrees"])
        studies.append((kind, CareerStudy("", "", degree, entry["level"], field, period, None, frozenset(tags))))
    return studies


def _student_jobs(
    rng: random.Random, profile: Mapping[str, Any], studies: list[tuple[str, CareerStudy]], as_of: Month
) -> list[tuple[str, CareerJob]]:
    """Work during studies; a doctorate at the bench is one long assistantship."""
    jobs = []
    for kind, study in studies:
        if kind in ("highschool", "md_abroad"):
            continue
        start, end = study.period.start, study.period.last(as_of)
        if kind == "phd":
            if study.period.months(as_of) >= MIN_STAY_MONTHS:
                jobs.append(("laboratory_student", _job("laboratory_student", study.period, 20)))
            continue
        for _ in range(rng.choices([0, 1, 2, 3], [30, 40, 22, 8])[0]):
            role = weighted(rng, profile["student"])
            length = _stay(rng, role)
            begin = rng.randint(start, max(start, end - MIN_STAY_MONTHS))
            last: Month | None = min(begin + length, end + rng.choice([0, 0, 2]), as_of)
            if last == as_of and chance(rng, 0.7):
                last = None
            period = CareerPeriod(begin, last)
            if period.months(as_of) >= MIN_STAY_MONTHS:
                jobs.append((role, _job(role, period, _hours(rng, role, part_time=True))))
    return jobs


def _later_jobs(
    rng: random.Random, profile: Mapping[str, Any], studies: list[tuple[str, CareerStudy]], as_of: Month
) -> list[tuple[str, CareerJob]]:
    """From the first degree on, pausing for a doctorate and often for a further degree."""
    ends = [study.period.end for _, study in studies]
    if not ends or ends[0] is None:
        return []
    start = ends[0] + 1 + rng.choice([0, 0, 1, 1, 2, 3, 5])
    busy = [
        (study.period.start, study.period.last(as_of))
        for kind, study in studies[1:]
        if kind == "phd" or chance(rng, 0.5)
    ]
    last = as_of if chance(rng, 0.72) else as_of - rng.randint(1, 10)
    jobs: list[tuple[str, CareerJob]] = []
    begin = start
    while begin <= last - MIN_STAY_MONTHS:
        begin = next((end + 1 for first, end in busy if first <= begin <= end), begin)
        limit = min((first - 1 for first, _ in busy if first > begin), default=last)
        if limit - begin < MIN_STAY_MONTHS:
            begin = limit + 1
            continue
        is_late = begin > start + 0.55 * (last - start)
        role = _role(rng, profile["late"] if is_late else profile["early"], studies, jobs, begin)
        end = begin + _stay(rng, role) - 1
        if end >= last - 4:
            role = _role(rng, profile["now"], studies, jobs, begin)
        end = limit if end >= limit - 2 else end
        period = CareerPeriod(begin, None if end == as_of else end)
        jobs.append((role, _job(role, period, _hours(rng, role, part_time=False))))
        begin = end + 1 + (rng.randint(6, 18) if chance(rng, 0.1) else rng.choice([0, 0, 0, 1, 1, 2, 3]))
    return jobs


def _role(
    rng: random.Random,
    weights: Mapping[str, float],
    studies: list[tuple[str, CareerStudy]],
    before: list[tuple[str, CareerJob]],
    at: Month,
) -> str:
    """What fits the person: nobody nurses without a degree in it, leads in the first year, or goes back abroad."""
    role = weighted(rng, weights)
    if role in NURSING and not any(study.field == "Nursing" for _, study in studies):
        role = "medical_assistant"
    if role == "physician_abroad" and any(known != role for known, _ in before):
        role = "observer"
    months = full_time_months([job for _, job in before if counts_as_research(job, at)], at)
    if role in SENIOR and months < SENIOR[role]:
        role = "coordinator"
    return role


def _stay(rng: random.Random, role: str) -> int:
    low, high = lexicon.table("crc/roles.toml")[role]["stay"]
    return round(rng.triangular(low, high, low + 0.35 * (high - low)))


def _hours(rng: random.Random, role: str, *, part_time: bool) -> int:
    hours = lexicon.table("crc/roles.toml")[role].get("hours")
    if hours is None:
        return rng.choice([20, 20, 15, 24]) if part_time else rng.choices([40, 20, 24, 30], [90, 4, 2, 4])[0]
    chosen = int(weighted(rng, hours))
    return min(chosen, 24) if part_time else chosen


def _job(role: str, period: CareerPeriod, hours: int) -> CareerJob:
    entry = lexicon.table("crc/roles.toml")[role]
    tags = frozenset(entry["tags"])
    is_relevant = bool(tags & {"research", "clinical", "laboratory"})
    is_paid = not entry.get("unpaid", False)
    return CareerJob("", "", "", period, (), (), (), hours, is_relevant, is_paid, tags)


def _certificates(
    rng: random.Random,
    profile: Mapping[str, Any],
    jobs: list[tuple[str, CareerJob]],
    studies: list[tuple[str, CareerStudy]],
    as_of: Month,
) -> tuple[Certificate, ...]:
    """Certifications ask for two years of clinical research; courses and life support are for everybody."""
    table = lexicon.table("crc/certificates.toml")
    roles = {role for role, _ in jobs}
    research = [job for _, job in jobs if counts_as_research(job, as_of)]
    chosen: list[dict[str, str]] = []
    if full_time_months(research, as_of) >= 24 and chance(rng, profile["certified"]):
        chosen.append(rng.choice(table["certification"]))
    if any("research" in job.tags for _, job in jobs):
        chosen += some(rng, table["training"], 0, 2)
    if any("clinical" in job.tags for _, job in jobs):
        fitting = [entry for entry in table["care"] if roles.intersection(entry.get("roles", roles))]
        chosen += some(rng, fitting, 0, 2)
    if any(study.field == "Nursing" and study.period.end is not None for _, study in studies):
        chosen += some(rng, table["nursing"], 1, 3)
    if any(kind == "md_abroad" for kind, _ in studies):
        chosen += some(rng, table["doctor"], 0, 2)
    if chance(rng, 0.1):
        chosen.append(rng.choice(table["training"]))
    unique = {entry["name"]: entry for entry in chosen}
    return tuple(
        Certificate(name, year_of(as_of) - rng.randint(0, 5) if chance(rng, 0.7) else None, entry.get("issuer"))
        for name, entry in unique.items()
    )
