"""Where the work is: a labelled place, "our Lexington Park, MD office", "in Pune", in this order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evenhand.mining.lexicon import words as words_of_kind
from evenhand.mining.lexicon.places import City, cities_named
from evenhand.mining.lexicon.places import places as known_places
from evenhand.mining.requirements.clauses import Clause
from evenhand.mining.resolver.places import find_city, home_of
from evenhand.records.job import Place

_NAME = r"(?![A-Z][,.])[A-Z][\w.'’-]*(?: (?:of |de |la |del |upon )?[A-Z][\w.'’-]*){0,3}"
_LABEL = re.compile(
    r"\b(?:job |work )?(?:location|city|place of work|based in|job site)\s?(?::"
    r"|[-–]\s)\s*(?P<place>[^\n;|]{2,60})",
    re.IGNORECASE,
)
_TITLED = re.compile(rf"\bJobs? in (?P<place>{_NAME}(?:, [A-Z]{{2}})?)\s*$")
_STATE = re.compile(rf"(?P<place>{_NAME},\s?(?:[A-Z]{{2}}\b|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\b)")
_IN = re.compile(
    rf"\b(?:(?:located |based |work |out |position |opportunity |job |office |opening |team )?(?:in|at"
    rf"|of)(?: the| our| downtown)?"
    rf"|our|its|for)\s(?P<place>{_NAME}(?:,\s?[A-Z][\w.]+)?(?:\s?/\s?{_NAME})?)"
)
_OPEN = re.compile(rf"(?:\((?P<place>{_NAME}(?:, [A-Z]{{2}})?)\)|,\s(?P<bare>{_NAME})(?=\s*[.,]))")
_ELSEWHERE = re.compile(
    r"\b(?:headquarter|founded|offices in|oficinas en|escritórios em|standorte|degree|clients in"
    r"|branches|stores|resume to|p\.?o\.? box"
    r"|street|suite)",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"^\s?(?:area|office|location|facility|plant|branch|site|region|campus|headquarters|store|market)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\s?/\s?|\sand\s|\sor\s")
BIG = 500_000  # people
MOST_WORDS = 3
LONGEST_INITIALS = 4  # letters
EARLY = 12  # clauses in which an ad says where it is


@dataclass(frozen=True, slots=True)
class Found:
    rank: int
    city: City
    place: Place
    sure: bool  # a state or country stands beside it


def find_place(clauses: Sequence[Clause], types: Sequence[str]) -> Found | None:
    """The best place named, and among equals the first."""
    found = [
        each
        for number, (clause, kind) in enumerate(zip(clauses, types, strict=True))
        for each in _in_clause(clause, kind, early=number < EARLY)
    ]
    best = min(found, key=lambda each: (each.rank, each.place.start), default=None)
    if best is None:
        return None
    # "Job in Dublin ... Location: Corporate Office (Dublin, OH)": whoever names the state knows which.
    return next((each for each in found if each.city.name == best.city.name and each.sure), best)


def _in_clause(clause: Clause, kind: str, *, early: bool) -> Iterator[Found]:
    written = clause.written[:600]
    if _LABEL.search(written):
        yield from _resolved(clause, _LABEL.finditer(written), 0)
        return
    yield from _resolved(clause, _TITLED.finditer(written), 0)
    if kind in ("benefits", "legal") or _ELSEWHERE.search(written):
        return
    shift = 4 if kind == "employer" else 0
    for match in _STATE.finditer(written):
        if home_of(match["place"].rpartition(",")[2].strip()) is None:
            continue  # "Tableau, Mongo": an enumeration
        rank = 1 if _OFFICE.match(written[match.end() :]) or early else 3
        yield from _resolved(clause, [match], rank + shift)
    if early or kind in ("other", "requirements"):
        for match in _IN.finditer(written):
            rank = (
                2
                if _OFFICE.match(written[match.end() :])
                or re.search(r"\b(?:located|based|work out)", match[0])
                else 3
            )
            yield from _resolved(clause, [match], rank + shift, known_only=True)
    if early and kind != "duties":
        yield from _resolved(clause, _OPEN.finditer(written), 4, known_only=True)


def _resolved(
    clause: Clause,
    matches: Iterator[re.Match[str]] | list[re.Match[str]],
    rank: int,
    *,
    known_only: bool = False,
) -> Iterator[Found]:
    for match in matches:
        group = "place" if match["place"] is not None else "bare"
        written = match[group].rstrip(" .")
        for piece in _SEVERAL.split(written):
            city = find_city(piece) or (_labelled_city(piece) if rank == 0 else None)
            if city is None or _is_firm(city) or (known_only and not _is_known(piece)):
                continue
            start = clause.start + match.start(group)
            yield Found(rank, city, Place(start, start + len(written)), "," in piece)
            break


def _labelled_city(piece: str) -> City | None:
    """Behind "Location:" a town may be small, or have the name of a common word."""
    return next(iter(cities_named(piece.strip())), None)


def _is_firm(city: City) -> bool:
    """ "Beechmont Medical Center, New York": no town that nobody knows, but where a firm is."""
    names = words_of_kind("institution") | words_of_kind("organisation")
    is_initials = (
        city.name.isupper() and len(city.name) <= LONGEST_INITIALS
    )  # "WAPT, VA" are no town and state
    return not city.population and (is_initials or any(word.lower() in names for word in city.name.split()))


def _is_known(piece: str) -> bool:
    """A preposition proves little: the words must be nothing but a city of some size, or have a state behind."""
    city = find_city(piece)
    is_big = city is not None and city.population >= BIG and len(piece.split()) <= MOST_WORDS
    return "," in piece or is_big or known_places().get(piece.strip()) == "city"
