"""The bones of a coordinator's career: degrees, dated jobs, certificates; employers and words come later."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evenhand.corpora import lexicon
from evenhand.corpora.career import Certificate, Job, Month, Period, Study, month, year_of
from evenhand.corpora.kinds.crc_guideline import counts_as_research, full_time_months
from evenhand.corpora.rng import chance, some, weighted

SHORTEST = 3  # months; shorter stays are not written down
NURSING = frozenset({"registered_nurse", "research_nurse"})
SENIOR = {"senior_coordinator": 18, "lead": 36}  # months of clinical research before it


@dataclass(frozen=True, slots=True)
class Outline:
    profile: str
    jobs: tuple[
        tuple[str, Job], ...
    ]  # role and job, oldest first; employers, cities and duties are still empty
    studies: tuple[tuple[str, Study], ...]  # kind of study and study, oldest first
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


def _studies(rng: random.Random, kinds: list[str], first_end: Month, as_of: Month) -> list[tuple[str, Study]]:
    """One after another, the first one ending about `first_end`; what would end after the month of writing is open."""
    found = []
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
        period = Period(start, finished if finished <= as_of else None)
        degree = rng.choice(entry["degrees"])
        found.append((kind, Study("", "", degree, entry["level"], field, period, None, frozenset(tags))))
    return found


def _student_jobs(
    rng: random.Random, profile: Mapping[str, Any], studies: list[tuple[str, Study]], as_of: Month
) -> list[tuple[str, Job]]:
    """Work during studies; a doctorate at the bench is one long assistantship."""
    found = []
    for kind, study in studies:
        if kind in ("highschool", "md_abroad"):
            continue
        start, end = study.period.start, study.period.last(as_of)
        if kind == "phd":
            if study.period.months(as_of) >= SHORTEST:
                found.append(("laboratory_student", _job("laboratory_student", study.period, 20)))
            continue
        for _ in range(rng.choices([0, 1, 2, 3], [30, 40, 22, 8])[0]):
            role = weighted(rng, profile["student"])
            length = _stay(rng, role)
            begin = rng.randint(start, max(start, end - SHORTEST))
            last: Month | None = min(begin + length, end + rng.choice([0, 0, 2]), as_of)
            if last == as_of and chance(rng, 0.7):
                last = None
            period = Period(begin, last)
            if period.months(as_of) >= SHORTEST:
                found.append((role, _job(role, period, _hours(rng, role, part_time=True))))
    return found


def _later_jobs(
    rng: random.Random, profile: Mapping[str, Any], studies: list[tuple[str, Study]], as_of: Month
) -> list[tuple[str, Job]]:
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
    found: list[tuple[str, Job]] = []
    begin = start
    while begin <= last - SHORTEST:
        begin = next((end + 1 for first, end in busy if first <= begin <= end), begin)
        limit = min((first - 1 for first, _ in busy if first > begin), default=last)
        if limit - begin < SHORTEST:
            begin = limit + 1
            continue
        is_late = begin > start + 0.55 * (last - start)
        role = _role(rng, profile["late"] if is_late else profile["early"], studies, found, begin)
        end = begin + _stay(rng, role) - 1
        if end >= last - 4:
            role = _role(rng, profile["now"], studies, found, begin)
        end = limit if end >= limit - 2 else end
        period = Period(begin, None if end == as_of else end)
        found.append((role, _job(role, period, _hours(rng, role, part_time=False))))
        begin = end + 1 + (rng.randint(6, 18) if chance(rng, 0.1) else rng.choice([0, 0, 0, 1, 1, 2, 3]))
    return found


def _role(
    rng: random.Random,
    weights: Mapping[str, float],
    studies: list[tuple[str, Study]],
    before: list[tuple[str, Job]],
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


def _job(role: str, period: Period, hours: int) -> Job:
    entry = lexicon.table("crc/roles.toml")[role]
    tags = frozenset(entry["tags"])
    return Job(
        employer="",
        title="",
        city="",
        period=period,
        projects=(),
        uses=(),
        duties=(),
        hours_per_week=hours,
        is_relevant=bool(tags & {"research", "clinical", "laboratory"}),
        is_paid=not entry.get("unpaid", False),
        tags=tags,
    )


def _certificates(
    rng: random.Random,
    profile: Mapping[str, Any],
    jobs: list[tuple[str, Job]],
    studies: list[tuple[str, Study]],
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
        Certificate(
            name, year_of(as_of) - rng.randint(0, 5) if chance(rng, 0.7) else None, entry.get("issuer")
        )
        for name, entry in unique.items()
    )
