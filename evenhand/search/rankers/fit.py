"""How much a resume speaks of what the job speaks of: its telling words, those used in jobs and lately above all."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evenhand.records.job import Demand, Job
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.records.ranking import is_enough
from evenhand.search.analysis import spans, term_id, terms, title_terms
from evenhand.search.features import (
    IN_POSITION,
    IN_PROJECT,
    NOT_IN_USE,
    UNDATED_USE,
    UNKNOWN,
    FeatureTable,
    HeldPosition,
    ResumeFeatures,
)
from evenhand.search.rankers.background import Background
from evenhand.search.rankers.base import Contributions, Query, lengths, mentions, skill_table
from evenhand.search.rankers.roles import RoleVectors, stored, unit
from evenhand.text.wording import degree_words, duration

# What every feature of a fit has in common.

Shares = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What is taken for granted where neither the job nor the resume says it."""

    half_life_years: float = 10.0
    """Time after which what was done last counts half as much more than what is only mentioned."""
    mentioned: float = 0.5
    """What a mention outside jobs and projects counts, one in the latest job counting 1."""
    time: float = 0.7
    """How much of a demand for months of a skill is about the months; the rest is for having it at all."""
    skilled: float = 0.5
    """What months with the requirements count as related experience, those under a title like the job's counting 1."""
    unknown: float = 0.5
    """What a word counts that hardly any resume or ad has: mostly a name, unless a demand of the job has it."""
    undated_years: float = 5.0  # since a job or project without dates
    undated_months: int = 6  # that a job without dates lasted
    months: int = 36  # of experience, where a job does not say how much it asks for
    mentions: float = 4.0
    """More mentions of a word than these count like these: repeating it gains nothing."""

    def recency(self, years: NDArray[np.float64]) -> NDArray[np.float64]:
        """1 for what is done at last, a half one half-life before."""
        recency: Shares = np.exp2(-np.maximum(years, 0.0) / self.half_life_years)
        return recency

    def use(self, years: NDArray[np.float64]) -> NDArray[np.float64]:
        """What use in a job or project counts; never less than a bare mention, however long ago."""
        return self.mentioned + (1.0 - self.mentioned) * self.recency(years)


FIRST_ASSUMPTIONS = Assumptions(mentions=math.inf)
"""Of the ranker of version 0.1."""


@dataclass(frozen=True, slots=True, eq=False)
class FitFeature:
    """One number per resume. None in place of a feature means that the job asks for nothing of the kind."""

    shares: Shares  # 0 to 1
    reason: Callable[[int], str]  # of a resume, by its row


_DECIMALS = 6  # sums differ in their last bits with the number of resumes; a score must not


def rounded(features: Mapping[str, FitFeature | None]) -> dict[str, FitFeature]:
    """Those that the job asks for."""
    return {
        name: FitFeature(np.round(feature.shares, _DECIMALS), feature.reason)
        for name, feature in features.items()
        if feature is not None
    }


def add_up(
    weights: Mapping[str, float], names: Mapping[str, str], features: Mapping[str, FitFeature], resumes: int
) -> Contributions:
    """100 * weight * share / the weights of all that the job asks for."""
    total = sum(weights[name] for name in features)
    counted = [name for name in features if weights[name]]
    shares = [100 * weights[name] / total * features[name].shares for name in counted]
    values = np.column_stack(shares) if shares else np.zeros((resumes, 0))

    def reason(row: int, column: int) -> str:
        return features[counted[column]].reason(row)

    return Contributions(tuple(names[name] for name in counted), values, reason, len(counted))


FULL = 0.64
"""The sum below that counts as a full fit; resumes written for a job like this one reach two thirds of it."""

_WORD = re.compile(r"\S+")
_SEAM = re.compile(r"(?<=[a-z0-9)])(?=[A-Z])|(?<=[.!?:;,])(?=[A-Z])")
"""Ads that lost their line breaks: "5 years of experienceMonth end close"."""
_ADDRESS = re.compile(r"@|://|^www\.", re.IGNORECASE)  # says where to apply
_LETTER = re.compile(r"[^\W\d_]")  # a number of years or ports is no word of the trade
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term of the job, how it is written there, and what it weighs."""

    term: str
    written: str
    count: int
    weight: float  # of one mention

    @property
    def asked(self) -> float:
        """More for what the job repeats, but less than in proportion."""
        return (1.0 + math.log(self.count)) * self.weight


def telling_words(
    text: str, background: Background, assumptions: Assumptions, skills: AbstractSet[str] = frozenset()
) -> tuple[WeightedTerm, ...]:
    """`skills` are terms of the job's demands: unknown words among them are new techniques, others are names."""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for match in _WORD.finditer(text):
        if _ADDRESS.search(match[0]):
            continue
        # Words run together, if nobody knows the whole; "JavaScript" is known and stays.
        is_known = all(map(background.knows, terms(match[0])))
        word = match[0] if is_known else _SEAM.sub(" ", match[0])
        for span in spans(word):
            if _LETTER.search(span.term):
                counts[span.term] += 1
                written.setdefault(span.term, word[span.start : span.end].lower())
    words = []
    for term, count in counts.items():
        trust = 1.0 if background.knows(term) or term in skills else assumptions.unknown
        words.append(WeightedTerm(term, written[term], count, background.word_weight(term) * trust))
    return tuple(word for word in words if word.weight > 0)


def measure_words(
    query: Query, pool: Sequence[ResumeFeatures], *, background: Background, assumptions: Assumptions
) -> FitFeature | None:
    """sum over terms of asked * weight * ln(1 + mentions) / (|asked| * sqrt(length)), a mention counting by its use.

    The length is that of the resume, as in Lucene's classic similarity: a long one has more of every word.
    """
    skills = {term for demand in query.job.demands for name in demand.skills for term in terms(name)}
    words = telling_words(query.text, background, assumptions, skills)
    if not words:
        return None
    found = mentions([word.term for word in words], pool)
    # What a use is worth, by the codes of `ResumeFeatures.uses`.
    years = np.arange(256, dtype=np.float64)
    years[UNDATED_USE] = assumptions.undated_years
    worth = assumptions.use(years)
    worth[NOT_IN_USE] = assumptions.mentioned
    used = worth[found.uses]
    asked = np.array([word.asked for word in words])
    weights = asked * np.array([word.weight for word in words]) / (FULL * float(np.linalg.norm(asked)))
    values = (
        weights
        * np.log1p(np.minimum(found.counts, assumptions.mentions) * used)
        / np.sqrt(np.maximum(lengths(pool), 1.0))[:, None]
    )

    def reason(row: int) -> str:
        mentioned = np.flatnonzero(values[row]).tolist()
        best = sorted(mentioned, key=lambda at: (-values[row, at], words[at].term))[:_SHOWN]
        most = ", ".join(words[at].written for at in best)
        return f"{len(mentioned)} of {len(words)} keywords from the ad" + (f". Top matches: {most}" if most else "")

    return FitFeature(np.minimum(values.sum(axis=1), 1.0), reason)


# How near what people did before comes to what the job is about, by title and text of each position.

_NEAR = 5.0
"""Standard deviations above a usual position or resume at which a role matches in full."""
_YEAR = 0.05
"""By so many standard deviations a position is farther for every year since."""
_UNKNOWN_POSITION = 0.5
"""By so many a resume without a position that was recognised is taken to be farther than as a whole."""


def measure_role(
    query: Query, pool: Sequence[ResumeFeatures], *, roles: RoleVectors, assumptions: Assumptions
) -> FitFeature | None:
    """The mean of the nearest position and of the resume as a whole, each against what is usual at large."""
    title, text = roles.encode_terms(title_terms(query.job.title or "")), roles.encode_terms(terms(query.text))
    asked = stored(unit(title + text))
    if not asked.any():
        return None
    table = FeatureTable.of(pool)
    held, resumes = table.roles, table.rows("roles")
    whole = roles.resumes.standardise(table.headers["meaning"], asked)
    near = roles.positions.standardise(held["meaning"], asked)
    ends = held["end"].astype(np.float64)
    years = np.where(ends > 0, (table.last_months[resumes] - ends) / 12, assumptions.undated_years)
    values = near - _YEAR * np.maximum(years, 0.0)
    nearest = np.full(len(table), -np.inf)
    np.maximum.at(nearest, resumes, values)
    best = np.where(np.isfinite(nearest), nearest, whole - _UNKNOWN_POSITION)
    shares = np.clip((whole + best) / 2 / _NEAR, 0.0, 1.0)
    starts = np.searchsorted(resumes, np.arange(len(table) + 1))

    def reason(row: int) -> str:
        first, last = starts[row], starts[row + 1]
        positions = table[row].facts.positions[: last - first]
        overall = f"the whole resume is closer to this job than {_percentile(whole[row])} of resumes"
        if not positions:
            return overall
        at = int(np.argmax(values[first:last]))
        end = positions[at].end
        until = f" until {end // 12}" if end and end < table[row].as_of else ""
        name = positions[at].title or "A position without a title"
        return f"{name}{until} is closer to this job than {_percentile(near[first + at])} of positions; {overall}"

    return FitFeature(shares, reason)


def _percentile(deviations: float) -> str:
    """What a normal distribution has below; the first and last percent are not told apart."""
    return f"{min(max(round(50 * (1 + math.erf(deviations / math.sqrt(2)))), 1), 99)}%"


# What people did before, by the titles of their positions: how alike to the job's title, how long, how lately.

_ROLES_SHOWN = 3
_ALIKE = 0.2  # titles less alike are not named as a reason


@dataclass(frozen=True, eq=False)
class RoleTable:
    """All positions of all resumes end to end. Likeness is Dice's: the weight both titles share over that of both."""

    pool: Sequence[ResumeFeatures]
    likeness: NDArray[np.float64]  # per position, 0 to 1
    resumes: NDArray[np.intp]  # the row each position belongs to
    months: NDArray[np.float64]
    years: NDArray[np.float64]  # from its end to the end of the resume's last position

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """Where each resume's positions begin."""
        return np.searchsorted(self.resumes, np.arange(len(self.pool) + 1))

    def titled(self, row: int, values: NDArray[np.float64]) -> list[tuple[float, HeldPosition, float]]:
        """A resume's positions with the values and likenesses given, the largest value first."""
        first, last = self.starts[row], self.starts[row + 1]
        held = self.pool[row].facts.positions[: last - first]
        found = zip(values[first:last].tolist(), held, self.likeness[first:last].tolist(), strict=True)
        return sorted(found, key=lambda item: -item[0])


def compare_titles(
    title: str, pool: Sequence[ResumeFeatures], *, background: Background, assumptions: Assumptions
) -> RoleTable:
    table = FeatureTable.of(pool)
    held, resumes = table.roles, table.rows("roles")
    ends = held["end"].astype(np.float64)
    last = np.zeros(len(pool))
    np.maximum.at(last, resumes, ends)
    years = np.where(ends > 0, (last[resumes] - ends) / 12, assumptions.undated_years)
    months = np.where(held["months"] >= 0, held["months"], assumptions.undated_months).astype(np.float64)
    words, numbers = table.title_terms, table.numbers("roles")
    positions = words["entry"] + (np.cumsum(numbers) - numbers)[table.rows("title_terms")]
    weights = background.title_weights(words["id"])
    asked = {term_id(term): background.title_weight(term) for term in title_terms(title)}
    shared = np.where(np.isin(words["id"], np.array(list(asked), np.uint32)), weights, 0.0)
    total = len(held)
    common = np.bincount(positions, shared, total)
    both = np.bincount(positions, weights, total) + sum(asked.values())
    likeness = np.divide(2 * common, both, out=np.zeros(total), where=both > 0)
    return RoleTable(table, likeness, resumes, months, years)


def measure_experience(
    roles: RoleTable, *, asked: int | None, skilled: NDArray[np.float64], assumptions: Assumptions
) -> FitFeature:
    """Months in positions, each as far as its title is like the job's, of those asked for.

    Titles differ from house to house, so that `skilled`, the share of the time with the requirements, counts as well
    where it is more, though less.
    """
    needed = asked if asked else assumptions.months
    values = roles.likeness * roles.months
    related = np.bincount(roles.resumes, values, len(roles.pool))
    by_title, by_skill = np.minimum(related / needed, 1.0), assumptions.skilled * skilled

    def reason(row: int) -> str:
        if by_skill[row] > by_title[row]:
            return f"{skilled[row]:.0%} of {duration(needed)} with the requirements, under other titles"
        alike = [held for _, held, likeness in roles.titled(row, values) if likeness >= _ALIKE]
        names = list(dict.fromkeys(held.title for held in alike if held.title))[:_ROLES_SHOWN]
        found = f"{duration(round(related[row]))} under similar titles, each counted by its similarity"
        found += f" ({', '.join(names)})" if names else ""
        return found + (f"; required: {duration(needed)}" if asked else f"; {duration(needed)} count in full")

    return FitFeature(np.maximum(by_title, by_skill), reason)


def measure_total(pool: Sequence[ResumeFeatures], asked: int) -> FitFeature:
    """For a job without a title: all months of experience of those asked for."""
    months = np.maximum(FeatureTable.of(pool).headers["total"], 0)

    def reason(row: int) -> str:
        return f"{duration(int(months[row]))} total experience; required: {duration(asked)}"

    return FitFeature(np.minimum(months / asked, 1.0), reason)


# Which of the skills that a job asks for a resume has, in its jobs and projects, how lately and how long.

_DEMANDS_SHOWN = 8


def measure_demands(
    demands: Sequence[Demand], pool: Sequence[ResumeFeatures], *, background: Background, assumptions: Assumptions
) -> FitFeature | None:
    """The weighted mean of what each demand is met by; rare skills weigh more. Of alternatives the best one counts."""
    if not demands:
        return None
    names = list(dict.fromkeys(name for demand in demands for name in demand.skills))
    table = skill_table(names, pool)
    # What each skill is worth: 0 where lacking, else by where and how lately it was used.
    last_used = table["last_used"].astype(np.float64)
    since = (FeatureTable.of(pool).last_months[:, None] - last_used) / 12
    used = assumptions.use(np.where(last_used > 0, since, assumptions.undated_years))
    is_used = (table["places"] & (IN_POSITION | IN_PROJECT)) != 0
    worth = np.where(table["id"] != 0, np.where(is_used, used, assumptions.mentioned), 0.0)
    column = {name: at for at, name in enumerate(names)}
    met = np.empty((len(pool), len(demands)))
    for at, demand in enumerate(demands):
        columns = [column[name] for name in demand.skills]
        values = worth[:, columns]
        if demand.months:  # most of what a demand for a time counts is for that time
            enough = np.minimum(np.maximum(table["months"][:, columns], 0) / demand.months, 1.0)
            values = values * (1.0 - assumptions.time + assumptions.time * enough)
        met[:, at] = values.max(axis=1)
    weights = [max(background.skill_weight(name) for name in demand.skills) for demand in demands]
    total = sum(weights)
    shares = (met * (np.array(weights) / total)).sum(axis=1) if total > 0 else met.mean(axis=1)

    def reason(row: int) -> str:
        named: dict[str, list[str]] = {"met": [], "too short": [], "duration unknown": [], "not mentioned": []}
        for demand in demands:
            state, words = _state(demand, table[row], column)
            named[state].append(words)
        met = f"{len(named['met'])} of {len(demands)} met" + (f": {_some(named['met'])}" if named["met"] else "")
        return "; ".join([met, *(f"{state}: {_some(names)}" for state, names in [*named.items()][1:] if names)])

    return FitFeature(np.minimum(shares, 1.0), reason)


def measure_skilled_months(
    demands: Sequence[Demand], pool: Sequence[ResumeFeatures], *, needed: int, background: Background
) -> NDArray[np.float64]:
    """The weighted mean of the months each demanded skill was used, of those needed; 0 where nothing is demanded."""
    shares, total = np.zeros(len(pool)), 0.0
    for demand in demands:
        table = skill_table(list(demand.skills), pool)
        weight = max(background.skill_weight(name) for name in demand.skills)
        shares += weight * np.minimum(np.maximum(table["months"], 0).max(axis=1) / needed, 1.0)
        total += weight
    return shares / total if total > 0 else shares


def _state(demand: Demand, row: NDArray[np.void], column: dict[str, int]) -> tuple[str, str]:
    """How a demand is met, by the skill held longest, with its time."""
    held = [(int(row[column[name]]["months"]), name) for name in demand.skills if row[column[name]]["id"]]
    if not held:
        return "not mentioned", " or ".join(demand.skills)
    months, name = max(held, key=lambda item: item[0])
    words = f"{name} {duration(months)}" if months > 0 else name
    words += f" (required: {duration(demand.months)})" if demand.months else ""
    if is_enough(None if months == UNKNOWN else months, demand.months):
        return "met", words
    return ("duration unknown" if months == UNKNOWN else "too short"), words


def _some(names: Sequence[str]) -> str:
    more = len(names) - _DEMANDS_SHOWN
    return ", ".join(names[:_DEMANDS_SHOWN]) + (f" and {more} more" if more > 0 else "")


# Whether a resume has the degree a job asks for, and in a field it names.

LEVEL = 0.6
"""Of the whole, where a job asks for a level and for a field; the rest is the field's."""
_STEPS = 3  # levels below the one asked for at which nothing is left
_UNSTATED = DEGREE_LEVELS.index("highschool")


def measure_education(job: Job, pool: Sequence[ResumeFeatures], *, background: Background) -> FitFeature | None:
    levels = _levels(job.degree, pool) if job.degree else None
    fields = _fields(job.fields, pool, background) if job.fields else None
    if levels is not None and fields is not None:
        shares = LEVEL * levels + (1 - LEVEL) * fields
    elif (one := levels if levels is not None else fields) is not None:
        shares = one
    else:
        return None

    def reason(row: int) -> str:
        resume = pool[row]
        has = [degree_words(resume.degree) or "no degree stated", *resume.facts.fields[:2]]
        asked = [degree_words(job.degree) or "any degree", " or ".join(job.fields)]
        return f"{', '.join(has)}; required: {', '.join(filter(None, asked))}"

    return FitFeature(shares, reason)


def _levels(asked: str, pool: Sequence[ResumeFeatures]) -> NDArray[np.float64]:
    """Full for the level asked for or a higher one, a third less for every level below."""
    stated = FeatureTable.of(pool).headers["degree"]
    below = DEGREE_LEVELS.index(asked) - np.where(stated == UNKNOWN, _UNSTATED, stated).astype(np.float64)
    levels: Shares = np.clip(1 - below / _STEPS, 0.0, 1.0)
    return levels


def _fields(asked: Sequence[str], pool: Sequence[ResumeFeatures], background: Background) -> NDArray[np.float64]:
    """The study whose words are most of all words of the fields asked for."""
    table = FeatureTable.of(pool)
    words = table.field_terms
    studies = words["entry"] + 256 * table.rows("field_terms")
    weights = background.word_weights(words["id"])
    wanted = np.array(sorted({term_id(term) for field in asked for term in terms(field)}), np.uint32)
    distinct, at = np.unique(studies, return_inverse=True)
    own = np.bincount(at, weights, len(distinct))
    shared = np.bincount(at, np.where(np.isin(words["id"], wanted), weights, 0.0), len(distinct))
    shares = np.zeros(len(pool))
    likeness = np.divide(shared, own, out=np.zeros(len(distinct)), where=own > 0)
    np.maximum.at(shares, distinct // 256, likeness)
    return shares
