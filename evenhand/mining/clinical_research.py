"""Experience in clinical research as a hiring guideline counts it, and as features for a model."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from evenhand.mining.experience import MonthInterval, covered_months, union_months
from evenhand.mining.lexicon.phrases import FOLDER
from evenhand.mining.lexicon.places import cities_named, countries
from evenhand.records.profile import DEGREE_LEVELS, Education, Position, Profile

# Words by which readers of resumes tell clinical research from the bench, the ward and the desk.


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})", re.IGNORECASE)


_LEXICON = tomllib.loads((FOLDER / "clinical_research.toml").read_text(encoding="utf-8"))
RESEARCH_TITLE = _any_of(_LEXICON["research_title"])
OPEN_TITLE = _any_of(_LEXICON["open_title"])
LABORATORY_TITLE = _any_of(_LEXICON["laboratory_title"])
CLINICAL_TITLE = _any_of(_LEXICON["clinical_title"])
TREATING_PLACE = _any_of(_LEXICON["treating_place"])
_WHOLE = {name: re.compile(rf"\b(?:{'|'.join(words)})\b", re.I) for name, words in _LEXICON["whole_words"].items()}
UNPAID, STUDENT, STUDENT_TIMES = _WHOLE["unpaid"], _WHOLE["student"], _WHOLE["student_times"]
SUPERVISING, SCIENTIFIC, UNFINISHED = _WHOLE["supervising"], _WHOLE["scientific"], _WHOLE["unfinished"]
PEOPLE_TERMS, BENCH_TERMS = (
    tuple((name, _any_of([pattern])) for name, pattern in _LEXICON[terms].items())
    for terms in ("people_terms", "bench_terms")
)
EITHER_SORT = frozenset({"protocol", "procedures", "specimens"})
DECIDING_TERMS = tuple((name, pattern) for name, pattern in PEOPLE_TERMS if name not in EITHER_SORT)
VOLUNTEERING = re.compile(r"^[^\w\n]*+(?:Volunteer(?:s|ed)?|Unpaid|Shadow(?:s|ed))\b", re.MULTILINE)
"""Said of oneself, at the start of a sentence: who trains volunteers is paid."""


def count_terms(text: str, terms: tuple[tuple[str, re.Pattern[str]], ...]) -> int:
    """How many different ones of them the text has."""
    return sum(pattern.search(text) is not None for _, pattern in terms)


# Degrees as a guideline for clinical research looks at them: how high, in a science or not, a doctor's from abroad.

HOME = "United States"
FIRST_MEDICAL_DEGREE = re.compile(r"\bM\.?B\.?,? ?(?:B\.?S|Ch\.?B|B\.?Ch)\b|\bbachelor of medicine\b", re.IGNORECASE)
MEDICAL_DOCTOR = re.compile(r"\bdoctor of medicine\b|\bM\.?D\b\.?", re.IGNORECASE)
FOREIGN_GRADUATE = re.compile(r"\bECFMG\b|\b(?:foreign|international) medical graduate\b", re.IGNORECASE)
DIPLOMA = re.compile(r"\bdip(?:l|loma)?\b", re.IGNORECASE)
_CAPITALIZED = re.compile(r"[A-ZÀ-Þ][\w'’.-]+(?: (?:de |do |da |al |of )?[A-ZÀ-Þ][\w'’.-]+){0,2}")


def degree_of(profile: Profile, text: str) -> tuple[int, bool]:
    """The highest completed one as its place among DEGREE_LEVELS, and whether its field is a science.

    Between two of the same height a science counts. 0 where there is none.
    """
    completed = [(0, False)]
    for entry, head in _heads(profile, text):
        is_medical = _is_medical(head)
        level = "doctorate" if is_medical else entry.level or ("diploma" if DIPLOMA.search(head) else "other")
        if not UNFINISHED.search(head):
            completed.append((DEGREE_LEVELS.index(level), is_medical or SCIENTIFIC.search(head) is not None))
    return max(completed)


def is_foreign_doctor(profile: Profile, text: str) -> bool:
    """Trained as a doctor in another country than that of the address (the United States where there is none)."""
    home = profile.country or HOME
    for entry, head in _heads(profile, text):
        if FIRST_MEDICAL_DEGREE.search(head) and home == HOME:
            return True  # no school of the United States gives it
        is_doctor = _is_medical(head)
        if is_doctor and (FOREIGN_GRADUATE.search(text) or _is_abroad(_own_text(entry, text), home)):
            return True
    return False


def _heads(profile: Profile, text: str) -> list[tuple[Education, str]]:
    """Each study with the lines that say what it was, without the name of the school: "Medical College" is no field."""
    heads = []
    for entry in profile.education:
        head = _own_text(entry, text)
        if entry.university is not None:
            head = head.replace(entry.university.surface, " ")
        heads.append((entry, head))
    return heads


def _own_text(entry: Education, text: str) -> str:
    """From the start of the entry to the end of the line with the last of its facts; courses and theses are below."""
    facts = (entry.university, entry.degree, entry.field, entry.year)
    last = max((fact.evidence.end for fact in facts if fact is not None), default=entry.evidence.start)
    first = min((fact.evidence.start for fact in facts if fact is not None), default=entry.evidence.start)
    end = text.find("\n", last)
    return text[min(first, entry.evidence.start) : end if end >= 0 else len(text)]


def _is_medical(head: str) -> bool:
    return FIRST_MEDICAL_DEGREE.search(head) is not None or MEDICAL_DOCTOR.search(head) is not None


def _is_abroad(head: str, home: str) -> bool:
    """Whether a place is named that lies elsewhere, and none that may lie at home."""
    named = [lands for match in _CAPITALIZED.finditer(head) if (lands := _countries_of(match[0]))]
    return bool(named) and all(home not in lands for lands in named)


def _countries_of(name: str) -> set[str]:
    lands = [city.country for city in cities_named(name)]  # that of the largest city first
    return {name, *lands[:1]} if name.lower() in countries() else set(lands)


# How much somebody worked, as far as the entry of a job says so.

WEEKS_PER_MONTH = 4.345
FULL_TIME = 40.0
HALF_TIME = 20.0  # of "part-time" without a number, and of a student's assistantship
NEARLY_FULL_TIME = 35.0  # shifts of a nurse
_HOURS = r"(?:hours?|hrs?\.?|h)"
_A_WEEK = re.compile(
    rf"(\d{{1,2}}(?:\.\d)?)\s*+\+?[\s-]*+{_HOURS}\s*+(?:(?:/|per|a|each|every)\s*+(?:week|wk)\b|weekly)", re.IGNORECASE
)
_SAVED = re.compile(r"\b(?:sav|reduc|cut|free)\w*", re.IGNORECASE)  # "saved 9 hours a week" is not how long one worked
_IN_ALL = re.compile(
    rf"(\d{{1,3}}(?:,\d{{3}}){{1,3}}|\d{{2,5}})\s*+\+?\s*+{_HOURS}\b(?!\s*+(?:/|per|a |each|every|weekly))",
    re.IGNORECASE,
)
_MIN_IN_ALL = 60.0  # "within 24 hours" is no length of a job
_PART_TIME = re.compile(r"\bpart[\s-]?time\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedHours:
    """None where the entry does not say it."""

    per_week: float | None
    total: float | None


def stated_hours(entry: str) -> StatedHours:
    telling = "\n".join(line for line in entry.splitlines() if not _SAVED.search(line))
    week = _A_WEEK.search(telling)
    if week is not None:
        return StatedHours(float(week[1]), None)
    totals = (float(match[1].replace(",", "")) for match in _IN_ALL.finditer(telling))
    total = next((hours for hours in totals if hours >= _MIN_IN_ALL), None)
    return StatedHours(HALF_TIME if _PART_TIME.search(entry) else None, total)


# What sort of work a job was, and whether a guideline for clinical research counts it.

Sort = Literal["research", "laboratory", "clinical", "other"]
ACADEMIC_HOURS = 1000  # a student's assistantship counts above them


@dataclass(frozen=True, slots=True)
class ResearchJob:
    """A job as the guideline looks at it. `interval` is None where only the length is known."""

    sort: Sort
    interval: MonthInterval | None
    months: int  # 0 where the dates are unknown
    hours_per_week: float
    hours: float  # in all
    is_paid: bool
    is_academic: bool
    is_supervising: bool

    @property
    def counts(self) -> bool:
        """Only paid work does, and a student's research only above a thousand hours."""
        if not self.is_paid:
            return False
        return not (self.sort == "research" and self.is_academic) or self.hours > ACADEMIC_HOURS


def _work(position: Position, text: str, schools: Sequence[str], profile_month: str) -> ResearchJob:
    entry = text[position.evidence.start : position.evidence.end]
    title = position.title.surface if position.title is not None else ""
    employer = position.employer.value if position.employer is not None else ""
    sort = sort_of(title, employer, entry)
    stated = stated_hours(entry)
    at_own_school = any(school in employer for school in schools)
    academic = _is_academic(title, entry, sort, stated, at_own_school=at_own_school)
    interval = covered_months(position.period, profile_month)
    months = interval.months if interval is not None else position.period.months or 0
    per_week, total = _hours(stated, months, academic=academic)
    return ResearchJob(
        sort,
        interval,
        months,
        per_week,
        total,
        not (UNPAID.search(title) or VOLUNTEERING.search(entry)),
        academic,
        sort == "research" and SUPERVISING.search(entry) is not None,
    )


def sort_of(title: str, employer: str, entry: str) -> Sort:
    """The title decides where it can; one that both sorts of research have is settled by what was done."""
    if RESEARCH_TITLE.search(title):
        return "research"
    if LABORATORY_TITLE.search(title):
        return "laboratory"
    if OPEN_TITLE.search(title):
        bench = count_terms(entry, BENCH_TERMS)
        is_bench = bench and bench >= count_terms(entry, DECIDING_TERMS)
        return "laboratory" if is_bench else "research"
    if CLINICAL_TITLE.search(title) or TREATING_PLACE.search(employer):
        return "clinical"
    return "other"


def _is_academic(title: str, entry: str, sort: Sort, stated: StatedHours, *, at_own_school: bool) -> bool:
    """A student's job: so called, told beside a semester, or part of a week at the school of the applicant."""
    if sort not in ("research", "laboratory"):
        return False
    if STUDENT.search(title) or STUDENT_TIMES.search(entry):
        return True
    return at_own_school and (stated.total is not None or (stated.per_week or FULL_TIME) < NEARLY_FULL_TIME)


def _hours(stated: StatedHours, months: int, *, academic: bool) -> tuple[float, float]:
    """Hours of a week and in all; a student's job without a number is taken for half of a week.

    A sum of hours is believed of students only: "1,200 hours of recordings" are not how long somebody worked.
    """
    weeks = months * WEEKS_PER_MONTH
    if academic and stated.total is not None:
        return min(FULL_TIME, stated.total / weeks) if weeks else HALF_TIME, stated.total
    per_week = stated.per_week or (HALF_TIME if academic else FULL_TIME)
    return per_week, per_week * weeks


# Months of several jobs added up, a month with two of them once.


def calendar_months(works: Sequence[ResearchJob]) -> int:
    """Lengths without dates add up as separate time."""
    dated = [work.interval for work in works if work.interval is not None]
    return union_months(dated) + sum(work.months for work in works if work.interval is None)


def full_time_months(works: Sequence[ResearchJob]) -> float:
    """A month at twenty hours a week is half a month, and no month is more than one."""
    hours: dict[int, float] = {}
    for work in works:
        if work.interval is not None:
            for month in range(work.interval.first_index, work.interval.last_index + 1):
                hours[month] = hours.get(month, 0.0) + work.hours_per_week
    undated = sum(work.months * _share(work.hours_per_week) for work in works if work.interval is None)
    return sum(map(_share, hours.values())) + undated


def _share(hours_per_week: float) -> float:
    return 1.0 if hours_per_week >= NEARLY_FULL_TIME else hours_per_week / FULL_TIME


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
    schools = [entry.university.value for entry in profile.education if entry.university is not None]
    works = [_work(position, text, schools, profile.as_of) for position in profile.positions]
    research, clinical, laboratory = (
        [work for work in works if work.counts and work.sort == sort] for sort in ("research", "clinical", "laboratory")
    )
    level, is_scientific = degree_of(profile, text)
    return ResearchFacts(
        calendar_months(research),
        full_time_months(research),
        calendar_months(clinical),
        calendar_months(laboratory),
        calendar_months([work for work in research if work.is_supervising]),
        sum(work.sort == "research" and not work.counts for work in works),
        level,
        is_scientific,
        is_foreign_doctor(profile, text),
        CERTIFICATION.search(text) is not None,
        count_terms(text, PEOPLE_TERMS),
    )


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
