"""Who applies for which job of the demo, how, and with what in the resume: one plan, the same everywhere."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

from evenhand.corpora.career import iso
from evenhand.corpora.kinds import AS_OF, drawn_occupation
from evenhand.corpora.making import Order, draft_plain
from evenhand.corpora.manuscript import to_plain
from evenhand.corpora.occupations import occupations
from evenhand.corpora.planted import Case
from evenhand.corpora.rng import stream, weighted
from evenhand.errors import UsageError
from evenhand.workflows.demo_openings import DOUBLES, OPENINGS, PORTAL, SIZES, Opening, Trade

SEED = 20261
MONTH = iso(AS_OF)  # what "present" means in all of its resumes
FORMATS = ("pdf",) * 11 + ("docx",) * 5 + ("odt", "rtf", "html", "txt")  # about as often as people send them
TRIED = 12  # people among whom the one with the shortest resume is sought

Person = tuple[Trade, int, Case | None]
"""A trade, the number of a career in it, and what is planted in the resume."""


@dataclass(frozen=True, slots=True)
class Resume:
    """One file to be made. `person` is the number of the career within its kind."""

    number: int
    opening: int  # for which it came first
    source: str
    trade: Trade
    person: int
    case: Case | None = None

    @property
    def order(self) -> Order:
        return order_of(self.trade)


@dataclass(frozen=True, slots=True)
class Broken:
    """A file that cannot be read, and in which way."""

    what: str
    opening: int


@dataclass(frozen=True, slots=True)
class Plan:
    openings: tuple[Opening, ...]
    resumes: tuple[Resume, ...]
    doubles: tuple[tuple[int, int], ...]  # a resume, and the other opening for which it comes too
    broken: tuple[Broken, ...]

    def arrivals(self, opening: int) -> list[tuple[int, str]]:
        """Resumes and their sources, in the order in which they come in."""
        first = [(each.number, each.source) for each in self.resumes if each.opening == opening]
        return [*first, *((number, PORTAL) for number, other in self.doubles if other == opening)]


def make_plan(size: str) -> Plan:
    if size not in SIZES:
        raise UsageError(f"There is no demo of the size {size!r}; there are {', '.join(SIZES)}.")
    wanted = SIZES[size]
    openings = OPENINGS[: len(wanted.planted)]
    crowd = Crowd()
    resumes: list[Resume] = []
    for opening, of in enumerate(openings):
        people: list[Person] = [
            *_insiders(crowd, of.trade, wanted.trade, wanted.planted[opening]),
            *((trade, crowd.take(trade), None) for trade in islice(cycle(of.near), wanted.near)),
            *((trade, crowd.take(trade), None) for trade in _other_trades(opening, of, wanted.others)),
        ]
        stream(SEED, opening, "demo arrivals").shuffle(people)
        resumes += [
            Resume(number, opening, _source(of, number), *person)
            for number, person in enumerate(people, len(resumes))
        ]
    doubles = _doubles(openings, resumes, wanted.doubles)
    # On the portal both times: the same file with the same form comes from the same candidate.
    resumes = [replace(each, source=PORTAL) if each.number in doubles else each for each in resumes]
    broken = tuple(Broken(what, opening) for opening, ways in enumerate(wanted.broken) for what in ways)
    return Plan(openings, tuple(resumes), tuple(doubles.items()), broken)


def order_of(trade: Trade) -> Order:
    return Order(SEED, trade[0], FORMATS, as_of=AS_OF)


class Crowd:
    """People by their trade; nobody is taken twice."""

    def __init__(self) -> None:
        self._met: dict[str, int] = defaultdict(int)
        self._waiting: dict[Trade, deque[int]] = defaultdict(deque)

    def take(self, trade: Trade) -> int:
        kind, _ = trade
        while not self._waiting[trade]:
            number = self._met[kind]
            self._met[kind] += 1
            self._waiting[kind, drawn_occupation(kind, seed=SEED, number=number)].append(number)
        return self._waiting[trade].popleft()


def _insiders(crowd: Crowd, trade: Trade, count: int, planted: tuple[str, ...]) -> Iterator[Person]:
    """People of the trade. The last ones are those whose resumes come again under another name."""
    people = [crowd.take(trade) for _ in range(count)]
    if "scans" in planted:  # letters are recognised page by page: a short resume takes a moment only
        shortest = min(people[:TRIED], key=lambda person: _words(trade, person))
        people.remove(shortest)
        people.insert(planted.index("scans"), shortest)
    originals = reversed(people)
    for person, kind in zip(people, planted, strict=False):
        yield trade, person, Case(person, kind, next(originals) if kind == "duplicates" else None)
    yield from ((trade, person, None) for person in people[len(planted) :])


def _words(trade: Trade, person: int) -> int:
    return len(to_plain(draft_plain(order_of(trade), person).manuscript).text.split())


def _other_trades(opening: int, of: Opening, count: int) -> Iterator[Trade]:
    names = [name for name in occupations() if ("mixed", name) not in (of.trade, *of.near)]
    rng = stream(SEED, opening, "demo strangers")
    yield from (("mixed", rng.choice(names)) for _ in range(count))


def _source(of: Opening, number: int) -> str:
    return weighted(stream(SEED, number, "demo source"), of.sources)


def _doubles(openings: Sequence[Opening], resumes: Sequence[Resume], most: int) -> dict[int, int]:
    """By resume, the other opening its sender applies for."""
    place = {of.ad: number for number, of in enumerate(openings)}
    found: dict[int, int] = {}
    for double in DOUBLES:
        if double.first in place and double.other in place:
            fitting = (
                resume.number
                for resume in resumes
                if resume.opening == place[double.first]
                and resume.trade == double.trade
                and resume.case is None
            )
            found |= dict.fromkeys(islice(fitting, most), place[double.other])
    return found
