"""The words of a job ad: several ways to say the same demands, each with its place in the text."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evenhand.corpora import lexicon
from evenhand.corpora.manuscript import Mark, PlainWriter, Run, Words
from evenhand.corpora.rng import chance, weighted
from evenhand.corpora.skills import surfaces
from evenhand.corpora.slots import fill
from evenhand.corpora.vacancies import Demand, Vacancy

_SLOT = re.compile(r"(\{[^{}]+\})")
STYLES = {"lists": 6, "prose": 2, "terse": 3}


def write_ad(rng: random.Random, kind: str, vacancy: Vacancy) -> tuple[str, tuple[Mark, ...]]:
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

    def text(self) -> tuple[str, tuple[Mark, ...]]:
        return "".join(self.plain.parts), tuple(self.plain.marks)

    def lists(self) -> None:
        """Headings with bullet points, as portals show them."""
        texts, bullet = self.words["text"], self.rng.choice(["- ", "• ", "* "])
        self._line((Run(self.vacancy.title, "title"),))
        self._line(self._opening())
        self._about()
        self._list(
            self.rng.choice(texts["duties"]), bullet, [self._duty(duty) for duty in self.vacancy.duties]
        )
        self._list(self.rng.choice(texts["musts"]), bullet, self._musts())
        self._list(self.rng.choice(texts["nices"]), bullet, self._nices())
        self._closing()

    def prose(self) -> None:
        """Sentences, as small firms write them."""
        self._line(self._opening())
        self._about()
        duties = [self._duty(duty) for duty in self.vacancy.duties]
        self._line((Run("You will "), *_joined([_lowered(duty) for duty in duties], ", "), Run(".")))
        self._line(_joined([*self._musts(), *self._nices()], ". ", end="."))
        self._closing()

    def terse(self) -> None:
        """A few lines with labels, as agencies send them round."""
        vacancy = self.vacancy
        self._line((Run("Position: "), Run(vacancy.title, "title")))
        self._line((Run("Company: "), Run(vacancy.employer, "employer")))
        self._line((Run("Location: "), Run(vacancy.place.name, "city", vacancy.place.name)))
        if vacancy.total_months is not None:
            self._line(self._total("total_short"))
        if vacancy.degree is not None:
            self._line((Run("Qualification: "), self._degree()))
        needed = [self._demand(demand, short=True) for demand in vacancy.demands if demand.must]
        wanted = [self._demand(demand, short=True) for demand in vacancy.demands if not demand.must]
        self._line((Run("Mandatory skills: "), *_joined(needed, ", ")))
        self._line((Run("Good to have: "), *_joined(wanted, ", ")))
        if vacancy.duties and chance(self.rng, 0.6):
            self._line(
                (Run("Job description: "), *_joined([self._duty(duty) for duty in vacancy.duties], "; "))
            )
        self._closing()

    def _line(self, words: Words) -> None:
        self.plain.add_words(words)
        self.plain.add("\n")

    def _list(self, heading: str, bullet: str, items: list[Words]) -> None:
        if items:
            self._line((Run("\n" + heading),))
        for item in items:
            self._line((Run(bullet), *item))

    def _opening(self) -> Words:
        texts = self.words["text"]
        patterns = texts["openings_client"] if chance(self.rng, 0.2) else texts["openings"]
        vacancy = self.vacancy
        runs = {
            "{employer}": (Run(vacancy.employer, "employer"),),
            "{title}": (Run(vacancy.title, "title"),),
            "{city}": (Run(vacancy.place.name, "city", vacancy.place.name),),
        }
        pattern = self.rng.choice(patterns)
        return _placed(pattern.replace(" a {title}", f" {_article(vacancy.title)} {{title}}"), runs)

    def _about(self) -> None:
        words = {"year": [str(self.rng.randint(1952, 2018))]}
        about = fill(self.rng, self.rng.choice(self.words["text"]["about"]), words)
        if about:
            self._line((Run(about),))

    def _closing(self) -> None:
        words = {"ref": [f"{self.rng.choice('ABCHJKMR')}{self.rng.randint(1000, 99999)}"]}
        closing = fill(self.rng, self.rng.choice(self.words["text"]["closings"]), words)
        if closing:
            self._line((Run(closing),))

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

    def _demand(self, demand: Demand, *, short: bool = False) -> Words:
        names = self._choice(demand)
        years = () if demand.months is None else (self._years(demand),)
        if short:
            return names if not years else (*names, Run(" ("), *years, Run(")"))
        key = "must" if demand.must else "nice"
        if demand.months is not None:
            key = "must_range" if demand.most_months else f"{key}_months"
        pattern = self.rng.choice(self.words["demands"][key])
        plus = () if demand.months is None else (self._years(demand, plus="+"),)
        return _raised(_placed(pattern, {"{skills}": names, "{years}": years, "{years_plus}": plus}))

    def _choice(self, demand: Demand) -> Words:
        runs = [(Run(self.rng.choice(surfaces(name)), "skill", name),) for name in demand.skills]
        return _joined(runs, " or ")

    def _years(self, demand: Demand, *, plus: str = "") -> Run:
        value = f"{demand.months}-{demand.most_months}" if demand.most_months else str(demand.months)
        return Run(self._span(demand.months or 0, demand.most_months, plus), "months", value)

    def _total(self, key: str) -> Words:
        months = self.vacancy.total_months or 0
        years = Run(self._span(months, None), "total_months", str(months))
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

    def _degree(self) -> Run:
        level = self.vacancy.degree or ""
        key = "bachelor_it" if level == "bachelor" and self.kind == "it" else level
        return Run(self.rng.choice(self.words["degrees"][key]), "degree", level)

    def _duty(self, duty: str) -> Words:
        runs: dict[str, Words] = {}
        for slot in _SLOT.findall(duty):
            name = slot[1:-1]
            runs[slot] = (Run(self.rng.choice(surfaces(name)), "skill", name),)
        return _placed(duty[0].upper() + duty[1:] if duty[0] != "{" else duty, runs)


def _placed(pattern: str, runs: Mapping[str, Words]) -> Words:
    """The pattern with runs in the places of its slots."""
    found: list[Run] = []
    for piece in _SLOT.split(pattern):
        if piece in runs:
            found.extend(runs[piece])
        elif piece:
            found.append(Run(piece))
    return tuple(found)


def _joined(parts: Sequence[Words], between: str, *, end: str = "") -> Words:
    found: list[Run] = []
    for index, part in enumerate(parts):
        found += [Run(between), *part] if index else list(part)
    return (*found, Run(end)) if end else tuple(found)


def _raised(words: Words) -> Words:
    """With a capital at the start, unless the first word has capitals of its own ("jQuery")."""
    first = words[0]
    word = first.text.split(" ", 1)[0]
    if word != word.lower():
        return words
    return (replace(first, text=first.text[0].upper() + first.text[1:]), *words[1:])


def _lowered(words: Words) -> Words:
    first = words[0]
    return (Run(first.text[0].lower() + first.text[1:]), *words[1:]) if first.label is None else words


def _article(word: str) -> str:
    return "an" if word[0] in "AEIOU" or word.startswith(("HR ", "RN")) else "a"
