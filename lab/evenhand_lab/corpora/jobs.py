"""Job ads whose demands are known: which skills, for how long, which degree, where; written as such ads are."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from evenhand_lab.corpora import lexicon, occupations
from evenhand_lab.corpora.career import CareerPeriod, Month, year_of
from evenhand_lab.corpora.kinds.kinds import AS_OF
from evenhand_lab.corpora.lexicon import Stream, chance, fill, some, streams, weighted
from evenhand_lab.corpora.manuscript import PlainWriter, TextMark, TextRun, Words, fact, join
from evenhand_lab.corpora.occupations import INDUSTRIES
from evenhand_lab.corpora.people import level_of, rank, sample_city

# What employers look for: a title, skills with months, experience and a degree; before anyone words it.


RUNG_YEARS = ((0, 1), (2, 4), (5, 7), (8, 12))
"""Years of experience that ads ask for at each rung of a ladder."""
COUNTRIES: dict[str, dict[str, int]] = lexicon.table("places.toml")["residents"]


@dataclass(frozen=True, slots=True)
class VacancyDemand:
    """A skill, or one of several, and for how many months; `most_months` where an ad gives a range."""

    skills: tuple[str, ...]
    must: bool
    months: int | None = None
    most_months: int | None = None


@dataclass(frozen=True, slots=True)
class Vacancy:
    occupation: str
    title: str
    employer: str
    city: str
    country: str
    demands: tuple[VacancyDemand, ...]
    total_months: int | None  # of relevant experience
    degree: str | None  # the least level
    level: str | None  # competence level, of kind crc


@dataclass(frozen=True, slots=True)
class JobAd(Vacancy):
    number: int
    kind: str
    text: str
    marks: tuple[TextMark, ...]  # places in the text: title, employer, city, skill, months, total_months, degree

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


Sampled = tuple[Vacancy, tuple[str, ...]]
"""A vacancy and its duties."""


def sample_it(stream: Stream, as_of: Month) -> Sampled:
    of = occupations.role(stream("occupation").choice(occupations.roles()))
    rng = stream("vacancy")
    place = sample_city(rng, weighted(rng, COUNTRIES["it"]), rural=0.02)
    rung = 3 if of.name == "project_lead" else weighted(rng, {0: 1, 1: 4, 2: 4, 3: 2})
    years = rng.randint(*RUNG_YEARS[rung])
    title = rng.choice(of.ladder[rung])
    employer = occupations.sample_employer(rng, ["it_services", "it_services", "software", "bank", "insurance"], place)
    core = [name for name in of.core if occupations.existed(name, as_of)]
    central = [name for pick in of.picks[:2] for name in pick.names if occupations.existed(name, as_of) and pick.least]
    must = list(dict.fromkeys(core + some(rng, central, 1, 2)))
    others = [name for name in of.all_skills() if occupations.existed(name, as_of) and name not in must]
    demands = _demands(rng, must[:4], some(rng, others, 2, 5), years=years, as_of=as_of)
    degree = "bachelor" if chance(rng, 0.7) else None
    about = occupations.sample_engagement(rng, rng.choice(INDUSTRIES), ["$"])
    words = {
        **occupations.words_at(of.slots, as_of),
        **about.words,
        **occupations.skill_words(of.groups, as_of, known=of.core),
    }
    duties = _sample_duties(rng, of.duties, words, as_of)
    return Vacancy(
        of.title, title, employer, place.name, place.country, demands, 12 * years or None, degree, None
    ), duties


def sample_mixed(stream: Stream, as_of: Month) -> Sampled:
    name = stream("occupation").choice(occupations.occupations())
    rng = stream("vacancy")
    place = sample_city(rng, weighted(rng, COUNTRIES["mixed"]))
    trade = occupations.occupation(name, place.country)
    # no demand that only people from the United States can meet: see `people`
    shared = occupations.occupation(name, "Canada")
    rung = weighted(rng, {0: 2, 1: 5, 2: 3, 3: 2})
    years = rng.randint(*RUNG_YEARS[rung])
    tools = [name for name in shared.software if occupations.existed(name, as_of)]
    skilled = some(rng, [name for name in shared.skills if occupations.existed(name, as_of)], 2, 3)
    skilled += some(rng, [name for name in tools if name not in skilled], 0, 1)
    welcome = [name for name in (*tools, *shared.skills) if occupations.existed(name, as_of) and name not in skilled]
    title = trade.title_at(rng, rung, CareerPeriod(as_of, None), 24)
    employer = occupations.sample_employer(rng, trade.employers, place)
    demands = _demands(rng, skilled, some(rng, welcome, 2, 4), years=years, as_of=as_of)
    # The degree most people of the trade hold; never above a bachelor's, for what follows differs by country.
    usual = level_of(max(trade.degrees, key=lambda row: float(row[2]))[0])
    degree = min(usual, "bachelor", key=rank) if chance(rng, 0.75) else None
    words = {**occupations.words_at(trade.slots, as_of), **occupations.skill_words(trade.groups, as_of, known=())}
    patterns = trade.duties + (trade.grown if rung else ()) + (trade.lead if rung > 1 else ())
    duties = _sample_duties(rng, patterns, words, as_of)
    total = 12 * years or None
    return Vacancy(trade.title, title, employer, place.name, place.country, demands, total, degree, None), duties


def _sample_duties(
    rng: random.Random, patterns: Sequence[str], words: Mapping[str, Sequence[str]], as_of: Month
) -> tuple[str, ...]:
    """What an ad can ask for: not what someone once achieved ("turnover up by 20%", "passed 4 audits")."""
    achieved = ("%", " from {n", "money", "down by", "up by", "saved", "cut ", "raise", "in a row", "without")
    timeless = [text for text in patterns if not any(sign in text for sign in achieved)] or patterns
    return occupations.sample_duties(rng, timeless, words, at=as_of, count=rng.randint(3, 6), avoid=set())


def sample_crc(stream: Stream, as_of: Month) -> Sampled:
    levels = lexicon.table("job_ads.toml")["crc"]
    rng = stream("vacancy")
    level = stream("occupation").choice(sorted(levels))
    entry = levels[level]
    place = sample_city(rng, "United States")
    total = {"CRC1": None, "CRC2": 24, "CRC3": 48, "CRC4": 72}[level]
    must = [VacancyDemand((name,), must=True) for name in entry["must"]]
    nice = [VacancyDemand((name,), must=False) for name in some(rng, entry["nice"], 2, 4)]
    title = rng.choice(entry["titles"])
    employer = occupations.sample_employer(rng, ["hospital", "university"], place)
    duties = tuple(rng.sample(entry["duties"], len(entry["duties"])))
    name = "Clinical Research Coordinator"
    vacancy = Vacancy(name, title, employer, place.name, place.country, (*must, *nice), total, entry["degree"], level)
    return vacancy, duties


def _demands(
    rng: random.Random, must: Sequence[str], nice: Sequence[str], *, years: int, as_of: Month
) -> tuple[VacancyDemand, ...]:
    """Months for some of the must-haves, never more than the skill is old; now and then one skill or another."""
    sorts = lexicon.table("job_ads.toml")["choices"]["sorts"]
    demands: list[VacancyDemand] = []
    for name in must:
        choice: tuple[str, ...] = (name,)
        if chance(rng, 0.25):  # a skill that employers take for this one
            same = [other for sort in sorts if name in sort for other in sort if other not in must]
            there = [other for other in same if occupations.existed(other, as_of)]
            choice += (rng.choice(there),) if there else ()
        months = None
        if chance(rng, 0.65):  # a part of the whole experience, in round numbers
            oldest = min(occupations.skills()[name].year for name in choice)
            possible = min(years, (year_of(as_of) - oldest) * 2 // 3)
            months = 12 * rng.randint(max(1, possible // 2), possible) if possible >= 1 else 6 if years else None
        most = months + 24 if months and months >= 24 and chance(rng, 0.2) else None
        demands.append(VacancyDemand(choice, must=True, months=months, most_months=most))
    for name in nice:
        months = 12 if years and chance(rng, 0.12) else None
        demands.append(VacancyDemand((name,), must=False, months=months))
    return tuple(demands)


# The words of a job ad: several ways to say the same demands, each with its place in the text.

_SLOT = re.compile(r"(\{[^{}]+\})")
STYLES = {"lists": 6, "prose": 2, "terse": 3}


def write_ad(
    rng: random.Random, kind: str, vacancy: Vacancy, duties: Sequence[str]
) -> tuple[str, tuple[TextMark, ...]]:
    writer = AdWriter(rng, kind, vacancy, duties)
    match weighted(rng, STYLES):
        case "lists":
            writer.lists()
        case "prose":
            writer.prose()
        case "terse":
            writer.terse()
    return "".join(writer.plain.parts), tuple(writer.plain.marks)


class AdWriter:
    """Puts one vacancy into words; every fact is a labelled run."""

    def __init__(self, rng: random.Random, kind: str, vacancy: Vacancy, duties: Sequence[str]) -> None:
        self.rng = rng
        self.kind = kind
        self.vacancy = vacancy
        self.duties = duties
        self.words = lexicon.table("job_ads.toml")
        self.plain = PlainWriter()

    def lists(self) -> None:
        """Headings with bullet points, as portals show them."""
        texts, bullet = self.words["text"], self.rng.choice(["- ", "• ", "* "])
        self._line((TextRun(self.vacancy.title, "title"),))
        self._line(self._opening())
        self._about()
        self._list(self.rng.choice(texts["duties"]), bullet, [self._duty(duty) for duty in self.duties])
        self._list(self.rng.choice(texts["musts"]), bullet, self._musts())
        self._list(self.rng.choice(texts["nices"]), bullet, self._demands(must=False))
        self._closing()

    def prose(self) -> None:
        """Sentences, as small firms write them."""
        self._line(self._opening())
        self._about()
        duties: list[Words] = []
        for first, *rest in map(self._duty, self.duties):
            lowered = TextRun(first.text[0].lower() + first.text[1:]) if first.label is None else first
            duties.append((lowered, *rest))
        self._line((TextRun("You will "), *join(duties, ", "), TextRun(".")))
        self._line((*join([*self._musts(), *self._demands(must=False)], ". "), TextRun(".")))
        self._closing()

    def terse(self) -> None:
        """A few lines with labels, as agencies send them round."""
        vacancy = self.vacancy
        self._line((TextRun("Position: "), TextRun(vacancy.title, "title")))
        self._line((TextRun("Company: "), TextRun(vacancy.employer, "employer")))
        self._line((TextRun("Location: "), fact(vacancy.city, "city")))
        if vacancy.total_months is not None:
            self._line(self._total("total_short"))
        if vacancy.degree is not None:
            self._line((TextRun("Qualification: "), self._degree()))
        needed, wanted = self._demands(must=True, short=True), self._demands(must=False, short=True)
        self._line((TextRun("Mandatory skills: "), *join(needed, ", ")))
        self._line((TextRun("Good to have: "), *join(wanted, ", ")))
        if self.duties and chance(self.rng, 0.6):
            self._line((TextRun("Job description: "), *join(map(self._duty, self.duties), "; ")))
        self._closing()

    def _line(self, words: Words) -> None:
        self.plain.add_words(words)
        self.plain.add("\n")

    def _list(self, heading: str, bullet: str, items: list[Words]) -> None:
        if items:
            self._line((TextRun("\n" + heading),))
        for item in items:
            self._line((TextRun(bullet), *item))

    def _opening(self) -> Words:
        texts, vacancy = self.words["text"], self.vacancy
        runs: dict[str, Words] = {
            "{employer}": (TextRun(vacancy.employer, "employer"),),
            "{title}": (TextRun(vacancy.title, "title"),),
            "{city}": (fact(vacancy.city, "city"),),
        }
        pattern = self.rng.choice(texts["openings_client"] if chance(self.rng, 0.2) else texts["openings"])
        article = "an" if vacancy.title[0] in "AEIOU" or vacancy.title.startswith(("HR ", "RN")) else "a"
        return _placed(pattern.replace(" a {title}", f" {article} {{title}}"), runs)

    def _about(self) -> None:
        words = {"year": [str(self.rng.randint(1952, 2018))]}
        about = fill(self.rng, self.rng.choice(self.words["text"]["about"]), words)
        if about:
            self._line((TextRun(about),))

    def _closing(self) -> None:
        words = {"ref": [f"{self.rng.choice('ABCHJKMR')}{self.rng.randint(1000, 99999)}"]}
        closing = fill(self.rng, self.rng.choice(self.words["text"]["closings"]), words)
        if closing:
            self._line((TextRun(closing),))

    def _musts(self) -> list[Words]:
        musts = self._demands(must=True)
        if self.vacancy.total_months is not None:
            musts.insert(self.rng.choice([0, len(musts)]), self._total("total"))
        if self.vacancy.degree is not None:
            pattern = self.rng.choice(self.words["demands"]["degree"])
            musts.append(_placed(pattern, {"{degree}": (self._degree(),)}))
        return musts

    def _demands(self, *, must: bool, short: bool = False) -> list[Words]:
        return [self._demand(demand, short=short) for demand in self.vacancy.demands if demand.must == must]

    def _demand(self, demand: VacancyDemand, *, short: bool) -> Words:
        names = join([(self._skill(name),) for name in demand.skills], " or ")
        value = f"{demand.months}-{demand.most_months}" if demand.most_months else str(demand.months)

        def years(plus: str = "") -> Words:
            if demand.months is None:
                return ()
            return (TextRun(self._span(demand.months, demand.most_months, plus), "months", value),)

        exact = years()
        if short:
            return (*names, TextRun(" ("), *exact, TextRun(")")) if exact else names
        key = "must" if demand.must else "nice"
        if demand.months is not None:
            key = "must_range" if demand.most_months else f"{key}_months"
        pattern = self.rng.choice(self.words["demands"][key])
        first, *rest = _placed(pattern, {"{skills}": names, "{years}": exact, "{years_plus}": years("+")})
        word = first.text.split(" ", 1)[0]
        # With a capital at the start, unless the first word has capitals of its own ("jQuery").
        return (replace(first, text=first.text[0].upper() + first.text[1:]) if word == word.lower() else first, *rest)

    def _skill(self, name: str) -> TextRun:
        return TextRun(self.rng.choice(occupations.surfaces(name)), "skill", name)

    def _total(self, key: str) -> Words:
        months = self.vacancy.total_months or 0
        years = TextRun(self._span(months, None), "total_months", str(months))
        return _placed(self.rng.choice(self.words["demands"][key]), {"{years}": (years,)})

    def _span(self, months: int, most: int | None, plus: str = "") -> str:
        if months % 12:
            return f"{months}{plus} months"
        unit = self.rng.choice(["years", "years", "yrs"])
        if most is not None:
            return f"{months // 12}-{most // 12} {unit}"
        if months == 12 and not plus:
            return self.rng.choice(["1 year", "one year", "12 months", "1 yr"])
        return f"{months // 12}{plus} {unit}"

    def _degree(self) -> TextRun:
        level = self.vacancy.degree or ""
        key = "bachelor_it" if level == "bachelor" and self.kind == "it" else level
        return TextRun(self.rng.choice(self.words["degrees"][key]), "degree", level)

    def _duty(self, duty: str) -> Words:
        runs: dict[str, Words] = {slot: (self._skill(slot[1:-1]),) for slot in _SLOT.findall(duty)}
        return _placed(duty[0].upper() + duty[1:] if duty[0] != "{" else duty, runs)


def _placed(pattern: str, runs: Mapping[str, Words]) -> Words:
    """The pattern with runs in the places of its slots."""
    pieces = [piece for piece in _SLOT.split(pattern) if piece]
    return tuple(run for piece in pieces for run in runs.get(piece, (TextRun(piece),)))


VACANCIES: dict[str, Callable[[Stream, Month], Sampled]] = {"it": sample_it, "crc": sample_crc, "mixed": sample_mixed}


def sample_job(kind: str, *, seed: int, number: int, as_of: Month = AS_OF) -> JobAd:
    """The ad with that number; always the same for the same seed."""
    if kind not in VACANCIES:
        raise ValueError(f"there is no kind {kind!r}; there are {', '.join(VACANCIES)}")
    source = streams(seed, number)

    def stream(purpose: str) -> random.Random:
        return source(f"{kind} job/{purpose}")  # apart from the career that has the same number

    vacancy, duties = VACANCIES[kind](stream, as_of)
    text, marks = write_ad(stream("text"), kind, vacancy, duties)
    facts = {field.name: getattr(vacancy, field.name) for field in fields(vacancy)}
    return JobAd(**facts, number=number, kind=kind, text=text, marks=marks)
