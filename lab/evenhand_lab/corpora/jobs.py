"""Job ads whose demands are known: which skills, for how long, which degree, where; written as such ads are."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from evenhand.records.conversion import JsonRecord
from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import CareerPeriod, Month, year_of
from evenhand_lab.corpora.kinds import it, mixed
from evenhand_lab.corpora.kinds.kinds import AS_OF
from evenhand_lab.corpora.lexicon import Stream, chance, fill, some, streams, weighted
from evenhand_lab.corpora.manuscript import PlainWriter, TextMark, TextRun, Words
from evenhand_lab.corpora.occupations import (
    INDUSTRIES,
    Occupation,
    Role,
    existed,
    occupation,
    occupations,
    role,
    roles,
    sample_duties,
    sample_employer,
    sample_engagement,
    skill_words,
    skills,
    surfaces,
    words_at,
)
from evenhand_lab.corpora.people import CorpusCity, level_of, rank, sample_city

# What employers look for: a title, skills with months, experience and a degree; before anyone words it.


RUNG_YEARS = ((0, 1), (2, 4), (5, 7), (8, 12))
"""Years of experience that ads ask for at each rung of a ladder."""


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
    place: CorpusCity
    demands: tuple[VacancyDemand, ...]
    total_months: int | None  # of relevant experience
    degree: str | None  # the least level
    duties: tuple[str, ...]
    level: str | None = None  # of kind crc


def sample_it(stream: Stream, as_of: Month) -> Vacancy:
    of = role(stream("occupation").choice(roles()))
    rng = stream("vacancy")
    place = sample_city(rng, weighted(rng, it.COUNTRIES), rural=0.02)
    rung = 3 if of.name == "project_lead" else weighted(rng, {0: 1, 1: 4, 2: 4, 3: 2})
    years = rng.randint(*RUNG_YEARS[rung])
    return Vacancy(
        occupation=of.title,
        title=rng.choice(of.ladder[rung]),
        employer=sample_employer(rng, ["it_services", "it_services", "software", "bank", "insurance"], place),
        place=place,
        demands=_demands(rng, *_it_skills(rng, of, as_of), years=years, as_of=as_of),
        total_months=12 * years or None,
        degree="bachelor" if chance(rng, 0.7) else None,
        duties=_it_duties(rng, of, as_of),
    )


def _it_skills(rng: random.Random, of: Role, as_of: Month) -> tuple[list[str], list[str]]:
    """What the role cannot do without, and what would be welcome."""
    core = [name for name in of.core if existed(name, as_of)]
    central = [name for pick in of.picks[:2] for name in pick.names if existed(name, as_of) and pick.least]
    must = list(dict.fromkeys(core + some(rng, central, 1, 2)))
    others = [name for name in of.all_skills() if existed(name, as_of) and name not in must]
    return must[:4], some(rng, others, 2, 5)


def _it_duties(rng: random.Random, of: Role, as_of: Month) -> tuple[str, ...]:
    about = sample_engagement(rng, rng.choice(INDUSTRIES), ["$"])
    words = {**words_at(of.slots, as_of), **about.words, **skill_words(of.groups, as_of, known=of.core)}
    return sample_duties(rng, _timeless(of.duties), words, at=as_of, count=rng.randint(3, 6), avoid=set())


def sample_mixed(stream: Stream, as_of: Month) -> Vacancy:
    name = stream("occupation").choice(occupations())
    rng = stream("vacancy")
    place = sample_city(rng, weighted(rng, mixed.COUNTRIES))
    trade = occupation(name, place.country)
    shared = occupation(name, "Canada")  # no demand that only people from the United States can meet: see `people`
    rung = weighted(rng, {0: 2, 1: 5, 2: 3, 3: 2})
    years = rng.randint(*RUNG_YEARS[rung])
    tools = [name for name in shared.software if existed(name, as_of)]
    skilled = some(rng, [name for name in shared.skills if existed(name, as_of)], 2, 3)
    skilled += some(rng, [name for name in tools if name not in skilled], 0, 1)
    welcome = [name for name in (*tools, *shared.skills) if existed(name, as_of) and name not in skilled]
    return Vacancy(
        occupation=trade.title,
        title=trade.title_at(rng, rung, CareerPeriod(as_of, None), 24),
        employer=sample_employer(rng, trade.employers, place),
        place=place,
        demands=_demands(rng, skilled, some(rng, welcome, 2, 4), years=years, as_of=as_of),
        total_months=12 * years or None,
        degree=_least_degree(rng, trade),
        duties=_mixed_duties(rng, trade, rung, as_of),
    )


def _least_degree(rng: random.Random, trade: Occupation) -> str | None:
    """The degree most people of the trade hold; never above a bachelor's, for what follows differs by country."""
    usual = level_of(max(trade.degrees, key=lambda row: float(row[2]))[0])
    if not chance(rng, 0.75):
        return None
    return "bachelor" if rank(usual) > rank("bachelor") else usual


def _mixed_duties(rng: random.Random, trade: Occupation, rung: int, as_of: Month) -> tuple[str, ...]:
    words = {**words_at(trade.slots, as_of), **skill_words(trade.groups, as_of, known=())}
    patterns = trade.duties + (trade.grown if rung else ()) + (trade.lead if rung > 1 else ())
    return sample_duties(rng, _timeless(patterns), words, at=as_of, count=rng.randint(3, 6), avoid=set())


def _timeless(patterns: Sequence[str]) -> list[str]:
    """What an ad can ask for: not what someone once achieved ("turnover up by 20%", "passed 4 audits")."""
    achieved = ("%", " from {n", "money", "down by", "up by", "saved", "cut ", "raise", "in a row", "without")
    return [text for text in patterns if not any(sign in text for sign in achieved)] or list(patterns)


def sample_crc(stream: Stream, as_of: Month) -> Vacancy:
    levels = lexicon.table("job_ads.toml")["crc"]
    rng = stream("vacancy")
    level = stream("occupation").choice(sorted(levels))
    entry = levels[level]
    place = sample_city(rng, "United States")
    years = {"CRC1": 0, "CRC2": 2, "CRC3": 4, "CRC4": 6}[level]
    must = [VacancyDemand((name,), must=True) for name in entry["must"]]
    nice = [VacancyDemand((name,), must=False) for name in some(rng, entry["nice"], 2, 4)]
    return Vacancy(
        occupation="Clinical Research Coordinator",
        title=rng.choice(entry["titles"]),
        employer=sample_employer(rng, ["hospital", "university"], place),
        place=place,
        demands=(*must, *nice),
        total_months=12 * years or None,
        degree=entry["degree"],
        duties=tuple(rng.sample(entry["duties"], len(entry["duties"]))),
        level=level,
    )


def _demands(
    rng: random.Random, must: Sequence[str], nice: Sequence[str], *, years: int, as_of: Month
) -> tuple[VacancyDemand, ...]:
    """Months for some of the must-haves, never more than the skill is old; now and then one skill or another."""
    found: list[VacancyDemand] = []
    for name in must:
        choice = (name, *_alternative(rng, name, must, as_of)) if chance(rng, 0.25) else (name,)
        months = _months(rng, choice, years, as_of) if chance(rng, 0.65) else None
        most = months + 24 if months and months >= 24 and chance(rng, 0.2) else None
        found.append(VacancyDemand(choice, must=True, months=months, most_months=most))
    for name in nice:
        months = 12 if years and chance(rng, 0.12) else None
        found.append(VacancyDemand((name,), must=False, months=months))
    return tuple(found)


def _months(rng: random.Random, choice: Sequence[str], years: int, as_of: Month) -> int | None:
    """A part of the whole experience, in round numbers."""
    oldest = min(skills()[name].year for name in choice)
    most = min(years, (year_of(as_of) - oldest) * 2 // 3)
    if most < 1:
        return 6 if years else None
    return 12 * rng.randint(max(1, most // 2), most)


def _alternative(rng: random.Random, name: str, taken: Sequence[str], as_of: Month) -> list[str]:
    """A skill that employers take for this one."""
    sorts = lexicon.table("job_ads.toml")["choices"]["sorts"]
    same = [other for sort in sorts if name in sort for other in sort if other not in taken]
    there = [other for other in same if existed(other, as_of)]
    return [rng.choice(there)] if there else []


# The words of a job ad: several ways to say the same demands, each with its place in the text.

_SLOT = re.compile(r"(\{[^{}]+\})")
STYLES = {"lists": 6, "prose": 2, "terse": 3}


def write_ad(rng: random.Random, kind: str, vacancy: Vacancy) -> tuple[str, tuple[TextMark, ...]]:
    writer = AdWriter(rng, kind, vacancy)
    match weighted(rng, STYLES):
        case "lists":
            writer.lists()
        case "prose":
            writer.prose()
        case "terse":
            writer.terse()
    return writer.text()


class AdWriter:
    """Puts one vacancy into words; every fact is a labelled run."""

    def __init__(self, rng: random.Random, kind: str, vacancy: Vacancy) -> None:
        self.rng = rng
        self.kind = kind
        self.vacancy = vacancy
        self.words = lexicon.table("job_ads.toml")
        self.plain = PlainWriter()

    def text(self) -> tuple[str, tuple[TextMark, ...]]:
        return "".join(self.plain.parts), tuple(self.plain.marks)

    def lists(self) -> None:
        """Headings with bullet points, as portals show them."""
        texts, bullet = self.words["text"], self.rng.choice(["- ", "• ", "* "])
        self._line((TextRun(self.vacancy.title, "title"),))
        self._line(self._opening())
        self._about()
        self._list(self.rng.choice(texts["duties"]), bullet, [self._duty(duty) for duty in self.vacancy.duties])
        self._list(self.rng.choice(texts["musts"]), bullet, self._musts())
        self._list(self.rng.choice(texts["nices"]), bullet, self._nices())
        self._closing()

    def prose(self) -> None:
        """Sentences, as small firms write them."""
        self._line(self._opening())
        self._about()
        duties = [self._duty(duty) for duty in self.vacancy.duties]
        self._line((TextRun("You will "), *_joined([_lowered(duty) for duty in duties], ", "), TextRun(".")))
        self._line(_joined([*self._musts(), *self._nices()], ". ", end="."))
        self._closing()

    def terse(self) -> None:
        """A few lines with labels, as agencies send them round."""
        vacancy = self.vacancy
        self._line((TextRun("Position: "), TextRun(vacancy.title, "title")))
        self._line((TextRun("Company: "), TextRun(vacancy.employer, "employer")))
        self._line((TextRun("Location: "), TextRun(vacancy.place.name, "city", vacancy.place.name)))
        if vacancy.total_months is not None:
            self._line(self._total("total_short"))
        if vacancy.degree is not None:
            self._line((TextRun("Qualification: "), self._degree()))
        needed = [self._demand(demand, short=True) for demand in vacancy.demands if demand.must]
        wanted = [self._demand(demand, short=True) for demand in vacancy.demands if not demand.must]
        self._line((TextRun("Mandatory skills: "), *_joined(needed, ", ")))
        self._line((TextRun("Good to have: "), *_joined(wanted, ", ")))
        if vacancy.duties and chance(self.rng, 0.6):
            self._line((TextRun("Job description: "), *_joined([self._duty(duty) for duty in vacancy.duties], "; ")))
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
        texts = self.words["text"]
        patterns = texts["openings_client"] if chance(self.rng, 0.2) else texts["openings"]
        vacancy = self.vacancy
        runs = {
            "{employer}": (TextRun(vacancy.employer, "employer"),),
            "{title}": (TextRun(vacancy.title, "title"),),
            "{city}": (TextRun(vacancy.place.name, "city", vacancy.place.name),),
        }
        pattern = self.rng.choice(patterns)
        return _placed(pattern.replace(" a {title}", f" {_article(vacancy.title)} {{title}}"), runs)

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
        found = [self._demand(demand) for demand in self.vacancy.demands if demand.must]
        if self.vacancy.total_months is not None:
            found.insert(self.rng.choice([0, len(found)]), self._total("total"))
        if self.vacancy.degree is not None:
            pattern = self.rng.choice(self.words["demands"]["degree"])
            found.append(_placed(pattern, {"{degree}": (self._degree(),)}))
        return found

    def _nices(self) -> list[Words]:
        return [self._demand(demand) for demand in self.vacancy.demands if not demand.must]

    def _demand(self, demand: VacancyDemand, *, short: bool = False) -> Words:
        names = self._choice(demand)
        years = () if demand.months is None else (self._years(demand),)
        if short:
            return names if not years else (*names, TextRun(" ("), *years, TextRun(")"))
        key = "must" if demand.must else "nice"
        if demand.months is not None:
            key = "must_range" if demand.most_months else f"{key}_months"
        pattern = self.rng.choice(self.words["demands"][key])
        plus = () if demand.months is None else (self._years(demand, plus="+"),)
        return _raised(_placed(pattern, {"{skills}": names, "{years}": years, "{years_plus}": plus}))

    def _choice(self, demand: VacancyDemand) -> Words:
        runs = [(TextRun(self.rng.choice(surfaces(name)), "skill", name),) for name in demand.skills]
        return _joined(runs, " or ")

    def _years(self, demand: VacancyDemand, *, plus: str = "") -> TextRun:
        value = f"{demand.months}-{demand.most_months}" if demand.most_months else str(demand.months)
        return TextRun(self._span(demand.months or 0, demand.most_months, plus), "months", value)

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
        runs: dict[str, Words] = {}
        for slot in _SLOT.findall(duty):
            name = slot[1:-1]
            runs[slot] = (TextRun(self.rng.choice(surfaces(name)), "skill", name),)
        return _placed(duty[0].upper() + duty[1:] if duty[0] != "{" else duty, runs)


def _placed(pattern: str, runs: Mapping[str, Words]) -> Words:
    """The pattern with runs in the places of its slots."""
    found: list[TextRun] = []
    for piece in _SLOT.split(pattern):
        if piece in runs:
            found.extend(runs[piece])
        elif piece:
            found.append(TextRun(piece))
    return tuple(found)


def _joined(parts: Sequence[Words], between: str, *, end: str = "") -> Words:
    found: list[TextRun] = []
    for index, part in enumerate(parts):
        found += [TextRun(between), *part] if index else list(part)
    return (*found, TextRun(end)) if end else tuple(found)


def _raised(words: Words) -> Words:
    """With a capital at the start, unless the first word has capitals of its own ("jQuery")."""
    first = words[0]
    word = first.text.split(" ", 1)[0]
    if word != word.lower():
        return words
    return (replace(first, text=first.text[0].upper() + first.text[1:]), *words[1:])


def _lowered(words: Words) -> Words:
    first = words[0]
    return (TextRun(first.text[0].lower() + first.text[1:]), *words[1:]) if first.label is None else words


def _article(word: str) -> str:
    return "an" if word[0] in "AEIOU" or word.startswith(("HR ", "RN")) else "a"


VACANCIES: dict[str, Callable[[Stream, Month], Vacancy]] = {"it": sample_it, "crc": sample_crc, "mixed": sample_mixed}


@dataclass(frozen=True, slots=True)
class JobAd(JsonRecord):
    number: int
    kind: str
    occupation: str
    title: str
    employer: str
    city: str
    country: str
    demands: tuple[VacancyDemand, ...]
    total_months: int | None  # of relevant experience
    degree: str | None  # the least level
    level: str | None  # competence level, of kind crc
    text: str
    marks: tuple[TextMark, ...]  # places in the text: title, employer, city, skill, months, total_months, degree


def sample_job(kind: str, *, seed: int, number: int, as_of: Month = AS_OF) -> JobAd:
    """The ad with that number; always the same for the same seed."""
    if kind not in VACANCIES:
        raise ValueError(f"there is no kind {kind!r}; there are {', '.join(VACANCIES)}")
    source = streams(seed, number)

    def stream(purpose: str) -> Random:
        return source(f"{kind} job/{purpose}")  # apart from the career that has the same number

    vacancy = VACANCIES[kind](stream, as_of)
    text, marks = write_ad(stream("text"), kind, vacancy)
    return JobAd(
        number=number,
        kind=kind,
        occupation=vacancy.occupation,
        title=vacancy.title,
        employer=vacancy.employer,
        city=vacancy.place.name,
        country=vacancy.place.country,
        demands=vacancy.demands,
        total_months=vacancy.total_months,
        degree=vacancy.degree,
        level=vacancy.level,
        text=text,
        marks=marks,
    )
