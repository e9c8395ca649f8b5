"""What a screener wants to see of a candidate beside the score: latest job, experience, must-haves that are met."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from evenhand.mining.experience import skill_experience
from evenhand.mining.lexicon.degrees import level_of
from evenhand.mining.lexicon.places import cities_named
from evenhand.mining.organisations import NameList, NameMatch
from evenhand.mining.recounting import experience_entries
from evenhand.records.job import Job
from evenhand.records.profile import DEGREE_LEVELS, PRESENT, Fact, Position, Profile, Skill
from evenhand.records.ranking import Flag, Match, Ranking, is_enough
from evenhand.search.evidence import marked_places


@dataclass(frozen=True, slots=True)
class CandidateFacts:
    title: str | None  # of the latest job
    employer: str | None
    is_current: bool  # the latest job goes on
    total_months: int | None
    relevant_months: int | None  # of dated work whose text mentions a skill of the job
    musts_met: int
    musts_asked: int
    degree: str | None = None
    city: str | None = None
    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    musts_undated: int = 0  # mentioned, but nobody can tell whether for the months asked for
    stated: tuple[
        str, ...
    ] = ()  # of degree, city and total_months: those from the form, about which the resume is silent


@dataclass(frozen=True, slots=True)
class RankingWithFacts:
    """A ranking, beside it the facts of each of its results in the same order."""

    ranking: Ranking
    facts: tuple[CandidateFacts, ...]
    as_of: str | None  # the month that "present" means; None where each resume has its own


class StatedFacts(NamedTuple):
    """What an applicant typed into a form, as far as it can be understood."""

    degree: str | None = None
    city: str | None = None
    total_months: int | None = None


def facts_of(profile: Profile, job: Job, matched: Sequence[Match], stated: StatedFacts | None = None) -> CandidateFacts:
    """What is `stated` in a form counts where the resume says nothing, and never against it."""
    latest = latest_position(profile.positions)
    musts = count_musts(job, matched)
    city = profile.city.value if profile.city else None
    mined = StatedFacts(profile.highest_degree, city, profile.total_months)
    silent = {name: value for name, value in (stated or StatedFacts())._asdict().items() if value is not None}
    silent = {name: value for name, value in silent.items() if getattr(mined, name) is None}
    known = mined._replace(**silent)
    return CandidateFacts(
        title=latest.title.value if latest and latest.title else None,
        employer=latest.employer.value if latest and latest.employer else None,
        is_current=latest is not None and latest.period.end == PRESENT,
        total_months=known.total_months,
        relevant_months=relevant_months(profile, {match.skill for match in matched}),
        musts_met=musts.met,
        musts_asked=musts.asked,
        degree=known.degree,
        city=known.city,
        emails=tuple(fact.value for fact in profile.emails),
        phones=tuple(fact.value for fact in profile.phones),
        musts_undated=musts.undated,
        stated=tuple(silent),
    )


def is_met(match: Match) -> bool:
    return is_enough(match.months, match.required_months)


@dataclass(frozen=True, slots=True)
class MustCount:
    """How many must-haves the job has, how many the resume meets, and how many it mentions without telling how long."""

    met: int
    asked: int
    undated: int


def count_musts(job: Job, matched: Sequence[Match]) -> MustCount:
    musts = [match for match in matched if match.must]
    undated = sum(match.months is None and not is_met(match) for match in musts)
    return MustCount(sum(map(is_met, musts)), sum(demand.must for demand in job.demands), undated)


def latest_position(positions: Sequence[Position]) -> Position | None:
    """The one that goes on or ended last; resumes without dates name the latest first."""

    def recency(position: Position) -> tuple[str, str]:
        end = position.period.end or ""
        return ("9999" if end == PRESENT else end, position.period.start or "")

    return max(positions, key=recency, default=None)


def relevant_months(profile: Profile, skills: set[str]) -> int | None:
    """Overlapping jobs and projects count once, by the rule of a skill's months.

    0 when there are dated ones and none mentions a skill; None when those that do have no dates.
    """
    ids = [
        *(f"job {at}" for at, job in enumerate(profile.positions) if skills & set(job.skills)),
        *(f"project {at}" for at, project in enumerate(profile.projects) if skills & set(project.skills)),
    ]
    entries = list(experience_entries(profile))
    if not ids and any(entry.months is not None for entry in entries):
        return 0
    return skill_experience(entries, {"any": ids})["any"].months


# What a job demands, held against one Profile: what the resume has of it, for how long, and what it lacks.


@dataclass(frozen=True, slots=True)
class Matching:
    matched: tuple[Match, ...]
    missing: tuple[str, ...]  # must-haves the resume does not mention, each by the name of its demand


def match_job(job: Job, profile: Profile) -> Matching:
    asked = {name for demand in job.demands for name in demand.skills}
    held = (skill for skill in profile.skills if skill.name in asked)
    return match_skills(job, [replace(skill, evidence=marked_places(profile, skill.evidence)) for skill in held])


def match_skills(job: Job, held: Iterable[Skill]) -> Matching:
    """In the order of the job's demands."""
    skills = {skill.name: skill for skill in held}
    matched, missing = [], []
    for demand in job.demands:
        # Of "Java or .NET" the one with the longest experience; the first one named where that does not tell.
        having = [skills[name] for name in demand.skills if name in skills]
        if having:
            skill = max(having, key=lambda skill: -1 if skill.months is None else skill.months)
            matched.append(Match(skill.name, skill.months, demand.months, demand.must, skill.evidence))
        elif demand.must:
            missing.append(demand.skills[0])
    return Matching(tuple(matched), tuple(missing))


# What a screener should know about a resume's file before trusting its rank: plain sentences, never a
# verdict.

BADLY_READ = "badly_read"
CODES = {
    "hidden_text": "hidden_text",
    "invisible_characters": "invisible_characters",
    "mixed_script": "mixed_script",
    "active_content": "active_content",
    "truncated": BADLY_READ,
    "low_text": BADLY_READ,
    "damaged": BADLY_READ,
    "recognised_text": "recognised_text",
    "mined_in_part": "mined_in_part",
    "mining_failed": "mining_failed",
    "correction_lost": "correction_lost",
}
"""From a warning's code to a flag's, in the order in which they are shown."""


MISSING_LICENCE = "missing_licence"


def licence_flags(job: Job, matching: Matching) -> tuple[Flag, ...]:
    """One for each licence the job requires and the resume does not name. Whoever has it may not have written so."""
    missing = set(matching.missing)
    return tuple(
        Flag(MISSING_LICENCE, f"The resume does not name this required licence: {' or '.join(demand.skills)}.")
        for demand in job.demands
        if demand.kind == "licence" and demand.must and demand.skills[0] in missing
    )


def resume_flags(profile: Profile) -> tuple[Flag, ...]:
    """From the warnings about the file and about the facts; doubts about single dates stay with the facts."""
    source = profile.document
    warnings = [warning for warning in (*source.warnings, *profile.warnings) if warning.code in CODES]
    order = list(CODES)
    warnings.sort(key=lambda warning: order.index(warning.code))
    flags = [Flag(CODES[warning.code], warning.message) for warning in warnings]
    if source.error:
        flags.insert(0, Flag(BADLY_READ, source.error.message))
    elif source.status == "partial" and not any(flag.code == BADLY_READ for flag in flags):
        flags.append(Flag(BADLY_READ, "Only part of the file could be read."))
    return tuple(dict.fromkeys(flags))


# Watch lists: who worked for a no-hire company or studied at a university that is not accredited is
# highlighted.
#
# A flag names the entry of the list, the name as the applicant wrote it and how alike they are. It never
# rejects anyone.


NO_HIRE = "no_hire"
NOT_ACCREDITED = "not_accredited"
CACHE_SIZE = 200_000  # names looked up before, about 200 bytes each
REASONS = {"equal": "the same name", "alias": "another name of it", "acronym": "its initials", "similar": "similar"}
EMPLOYER_WORDS = ("employer", "company", "organisation", "organization")
UNIVERSITY_WORDS = ("university", "universities", "college", "institut", "school")
Named = tuple[str, str]  # a name, and where it was read


class Watchlists:
    """Lists prepared once for many profiles; the names of employers and universities repeat and are remembered.

    Against 5,000 entries a new name costs 0.04 ms if nothing looks like it and 0.6 ms if much does: a million profiles
    with 500,000 different names between them take from 20 seconds to 5 minutes on one core.
    """

    def __init__(self, no_hire: Iterable[str] = (), not_accredited: Iterable[str] = ()) -> None:
        self._no_hire = _remembering(NameList(no_hire))
        self._not_accredited = _remembering(NameList(not_accredited))

    def flags(self, profile: Profile, form: Mapping[str, Any] | None = None) -> tuple[Flag, ...]:
        """One for each name that is on a list; those of the resume before those of the form data."""
        return self.flags_of(
            written(entry.employer for entry in profile.positions),
            written(entry.university for entry in profile.education),
            form,
        )

    def flags_of(
        self, employers: Iterable[str], universities: Iterable[str], form: Mapping[str, Any] | None = None
    ) -> tuple[Flag, ...]:
        """As `flags`, for names as the resume spells them."""
        given = form or {}
        worked = [*((name, "") for name in employers), *_typed(given, EMPLOYER_WORDS)]
        studied = [*((name, "") for name in universities), *_typed(given, UNIVERSITY_WORDS)]
        flags = []
        for code, kind, title, look_up, names in (
            (NO_HIRE, "Employer", "no-hire list", self._no_hire, worked),
            (NOT_ACCREDITED, "University", "list of those not accredited", self._not_accredited, studied),
        ):
            for name, where in names:
                if match := look_up(name):
                    why = f"{REASONS[match.why]}, similarity {match.similarity:.2f}"
                    message = f'{kind} "{match.surface}"{where} matches "{match.entry}" on the {title} ({why}).'
                    flags.append(Flag(code, message))
        return tuple(dict.fromkeys(flags))


def _remembering(names: NameList) -> Callable[[str], NameMatch | None]:
    """Its look-up with a memory of its own, which goes when the lists go."""
    if not names.entries:
        return lambda name: None
    return lru_cache(CACHE_SIZE)(names.best)


def written(facts: Iterable[Fact | None]) -> Iterator[str]:
    """As the resume spells them, or a person who put them right: line ends inside a name are spaces."""
    for fact in facts:
        if fact:
            spelled = fact.value if fact.evidence.method == "person" else fact.surface
            if name := " ".join((spelled or fact.value).split()):
                yield name


def _typed(value: Any, words: tuple[str, ...], *, wanted: bool = False) -> Iterator[Named]:
    """Names in form data, whose fields nobody prescribed: all texts under a key that speaks of what is wanted."""
    if isinstance(value, str):
        if wanted and (name := " ".join(value.split())):
            yield name, " (form data)"
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _typed(inner, words, wanted=wanted or any(word in str(key).lower() for word in words))
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _typed(inner, words, wanted=wanted)


# Form data as the applicant typed it: nobody prescribes its fields, so whatever is there becomes rows to
# read.

MAX_ROWS = 200
MAX_LETTERS = 4_000  # of one value


def form_rows(form: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """(label, value): what lies inside other fields has their names before its own."""
    rows = tuple(islice(_rows("", form), MAX_ROWS + 1))
    more = ("…", "There is more of it in the export of the application.")
    return rows if len(rows) <= MAX_ROWS else (*rows[:MAX_ROWS], more)


# Fields of forms that facets can be counted by when the resume is silent. Nothing of them is ever scored.

_DEGREE_FIELDS = frozenset(("degree", "education", "education level", "highest degree", "highest education"))
_CITY_FIELDS = frozenset(("city", "current city", "current location", "location", "place", "town"))
_YEAR_FIELDS = frozenset(
    ("experience", "experience years", "total experience", "work experience", "years", "years of experience")
)
_MONTH_FIELDS = frozenset(("experience months", "months", "months of experience", "total months"))
# Of words with single blanks between them, and bounded, so that no text takes long.
_YEARS = re.compile(
    r"(?P<years>[0-9]{1,2}(?:[.,][0-9])?) ?\+? ?(?:years?|yrs?|y)?(?:,? ?(?P<rest>[0-9]{1,2}) ?m[a-z]{0,6})?"
)
_MONTHS = re.compile(r"(?P<months>[0-9]{1,3}) ?m[a-z]{0,6}")
MAX_CITY_LENGTH = 100
MAX_STATED_MONTHS = 720


def stated_facts(form: Mapping[str, Any], *, with_city: bool = True) -> StatedFacts:
    """What is not understood is left out: a form is often incomplete and wrong."""
    degree = city = None
    months: int | None = None
    for key, value in form.items():
        name, words = " ".join(re.split(r"[\W_]+", str(key).lower())).strip(), " ".join(str(value).split())
        if not words or isinstance(value, bool | Mapping | list):
            continue
        if name in _DEGREE_FIELDS:
            degree = degree or (words.lower() if words.lower() in DEGREE_LEVELS else level_of(words))
        elif name in _CITY_FIELDS and with_city:
            typed = words.partition(",")[0].strip()[:MAX_CITY_LENGTH]
            known = cities_named(typed)
            city = city or (known[0].name if known else typed)
        elif name in _YEAR_FIELDS or name in _MONTH_FIELDS:
            months = _stated_months(words, in_months=name in _MONTH_FIELDS) if months is None else months
    return StatedFacts(degree, city, months)


def _stated_months(words: str, *, in_months: bool) -> int | None:
    if in_months and words.isdecimal():
        months = int(words)
    elif match := _MONTHS.fullmatch(words.lower()):
        months = int(match["months"])
    elif match := _YEARS.fullmatch(words.lower()):
        months = round(float(match["years"].replace(",", ".")) * 12) + int(match["rest"] or 0)
    else:
        return None
    return months if months <= MAX_STATED_MONTHS else None


def _rows(label: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            name = str(key).replace("_", " ").strip()
            yield from _rows(f"{label} › {name}" if label else name, inner)
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in value):
        for number, inner in enumerate(value, start=1):
            yield from _rows(f"{label} › {number}" if label else str(number), inner)
    else:
        yield label, _words(value)


def _words(value: Any) -> str:
    if isinstance(value, list | tuple):
        text = ", ".join(map(_words, value))
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = "" if value is None else str(value)
    return text if len(text) <= MAX_LETTERS else text[:MAX_LETTERS] + " …"
