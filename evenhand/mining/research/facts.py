"""The facts together, and as numbers for a model."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evenhand.mining.research.jobs import Work, works_of
from evenhand.mining.research.months import calendar_months, full_time_months
from evenhand.mining.research.studies import degree_of, is_foreign_doctor
from evenhand.mining.research.words import PEOPLE_TERMS, count_terms
from evenhand.records.profile import Profile

ENTRY_MONTHS = 6  # of clinical research: what the lowest level asks for
# In clinical research. A course (CITI, GCP) or life support (CPR, BLS) is none, whatever it calls itself.
CERTIFICATION = re.compile(
    r"\b(?:CCRC|CCRP|CCRA|ACRP-(?:CP|PM)|certified clinical research (?:coordinator|professional|associate)"
    r"|SOCRA[- ]certified|certified by (?:the )?SOCRA|SOCRA certification|ACRP certified professional)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ResearchFacts:
    """Months are those of jobs that count: paid, and of students above a thousand hours."""

    research_months: int
    research_full_time_months: float
    clinical_months: int
    laboratory_months: int
    supervising_months: int
    uncounted_jobs: int  # of research: unpaid, or a student's with too few hours
    degree_level: int  # place among DEGREE_LEVELS
    is_scientific: bool
    is_foreign_doctor: bool
    is_certified: bool
    key_terms: int  # different terms of clinical research in the whole text

    @property
    def has_entry_months(self) -> bool:
        return self.research_months >= ENTRY_MONTHS

    @property
    def is_laboratory_only(self) -> bool:
        return self.laboratory_months > 0 and self.research_months == 0


def research_facts(profile: Profile, text: str) -> ResearchFacts:
    works = works_of(profile, text)
    counted = [work for work in works if work.counts]
    research = _of(counted, "research")
    level, is_scientific = degree_of(profile, text)
    return ResearchFacts(
        calendar_months(research),
        full_time_months(research),
        calendar_months(_of(counted, "clinical")),
        calendar_months(_of(counted, "laboratory")),
        calendar_months([work for work in research if work.is_supervising]),
        sum(work.sort == "research" and not work.counts for work in works),
        level,
        is_scientific,
        is_foreign_doctor(profile, text),
        CERTIFICATION.search(text) is not None,
        count_terms(text, PEOPLE_TERMS),
    )


def _of(works: list[Work], sort: str) -> list[Work]:
    return [work for work in works if work.sort == sort]


def research_features(profile: Profile, text: str) -> dict[str, float]:
    facts = research_facts(profile, text)
    return {name: float(getattr(facts, attribute)) for name, attribute in _ATTRIBUTES.items()}


_ATTRIBUTES = {
    "research_months": "research_months",
    "research_full_time_months": "research_full_time_months",
    "research_six_months": "has_entry_months",
    "clinical_months": "clinical_months",
    "laboratory_months": "laboratory_months",
    "laboratory_only": "is_laboratory_only",
    "supervising_months": "supervising_months",
    "uncounted_research_jobs": "uncounted_jobs",
    "degree_level": "degree_level",
    "scientific_degree": "is_scientific",
    "foreign_doctor": "is_foreign_doctor",
    "certified": "is_certified",
    "key_terms": "key_terms",
}
FEATURES = tuple(_ATTRIBUTES)
