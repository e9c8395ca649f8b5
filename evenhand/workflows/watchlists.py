"""Watch lists: who worked for a no-hire company or studied at a university that is not accredited is highlighted.

A flag names the entry of the list, the name as the applicant wrote it and how alike they are. It never rejects anyone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from evenhand.mining.resolver.names import NameList, NameMatch
from evenhand.records.profile import Fact, Profile
from evenhand.records.ranking import Flag

NO_HIRE = "no_hire"
NOT_ACCREDITED = "not_accredited"
REMEMBERED = 200_000  # names looked up before, about 200 bytes each
REASONS = {
    "equal": "the same name",
    "alias": "another name of it",
    "acronym": "its initials",
    "similar": "similar",
}
EMPLOYER_WORDS = ("employer", "company", "organisation", "organization")
UNIVERSITY_WORDS = ("university", "universities", "college", "institut", "school")
Named = tuple[str, str]  # a name, and where it was read


class WatchLists:
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
        found = [
            Flag(code, _message(kind, match, where, title))
            for code, kind, title, look_up, names in (
                (NO_HIRE, "Employer", "no-hire list", self._no_hire, worked),
                (NOT_ACCREDITED, "University", "list of those not accredited", self._not_accredited, studied),
            )
            for name, where in names
            if (match := look_up(name))
        ]
        return tuple(dict.fromkeys(found))


def _remembering(names: NameList) -> Callable[[str], NameMatch | None]:
    """Its look-up with a memory of its own, which goes when the lists go."""
    if not names.entries:
        return lambda name: None
    return lru_cache(REMEMBERED)(names.best)


def written(facts: Iterable[Fact | None]) -> Iterator[str]:
    """As the resume spells them, or a person who put them right: line ends inside a name are spaces."""
    for fact in facts:
        if fact and (name := " ".join((_spelled(fact) or fact.value).split())):
            yield name


def _spelled(fact: Fact) -> str:
    return fact.value if fact.evidence.method == "person" else fact.surface


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


def _message(kind: str, match: NameMatch, where: str, title: str) -> str:
    why = f"{REASONS[match.why]}, similarity {match.similarity:.2f}"
    return f'{kind} "{match.surface}"{where} matches "{match.entry}" on the {title} ({why}).'
