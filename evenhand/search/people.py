"""Candidates by name, e-mail address or phone: the keys that the index keeps of them, and what a search text asks for.

A name changes no score and no rank. Whoever is found by it is told apart from the list.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from evenhand.records.conversion import JsonRecord
from evenhand.search.query_language import SearchText, sought_words
from evenhand.text.folding import spellings, words

NAME, CONTACT = PERSON_KINDS = ("name", "contact")
"""What people are looked up by, under the names by which it is hidden from some viewers."""
MAX_PEOPLE = 10
MIN_NAME_LENGTH = 2
CONTACT_WEIGHT = 100.0  # of a contact beside a word of a name: an address is somebody's, a name may be many people's

_OUTSIDE = r"\s@<>()\[\]\"',;:"  # of e-mail addresses
_EMAIL = re.compile(rf"(?<![^{_OUTSIDE}])[^{_OUTSIDE}]{{1,64}}+@[^{_OUTSIDE}]{{1,200}}\.\w{{2,24}}")
_PHONE = re.compile(r"\+?\(?\d[\d\s().\-/]{5,22}\d")
_PHONE_ENDS = (9, 7)  # digits: with and without the code of country and area, however they are written


@dataclass(frozen=True, slots=True)
class PersonHit(JsonRecord):
    """Somebody who was found by what was typed."""

    application: str
    candidate: str | None
    found_by: str  # name, e-mail or phone
    status: str | None
    rank: int | None  # in the list asked for; None for who is not among those ordered


@dataclass(frozen=True, slots=True)
class PersonTerm:
    """One thing typed, and the keys of the index that answer it."""

    found_by: str
    keys: frozenset[str]

    @property
    def weight(self) -> float:
        return 1.0 if self.found_by == NAME else CONTACT_WEIGHT


def person_keys(names: Iterable[str], contacts: Iterable[str]) -> list[str]:
    """Under which the index finds somebody."""
    keys = {key for name in names for spelled in _name_keys(name) for key in spelled}
    for contact in contacts:
        keys |= {f"e:{email.lower()}" for email in _EMAIL.findall(contact)}
        keys |= {key for phone in _PHONE.findall(contact) for key in _phone_keys(phone)}
    return sorted(keys)


def person_terms(typed: str, text: SearchText, kinds: Collection[str]) -> list[PersonTerm]:
    """What of a search may be somebody's name or contact; only of the `kinds` that the viewer may see."""
    found: list[PersonTerm] = []
    if CONTACT in kinds:
        found += [PersonTerm("e-mail", frozenset({f"e:{email.lower()}"})) for email in _EMAIL.findall(typed)]
        # The longest end that was typed: nobody else's number is to answer for its last digits alone.
        phones = (_phone_keys(phone) for phone in _PHONE.findall(_EMAIL.sub(" ", typed)))
        found += [PersonTerm("phone", frozenset({keys[0]})) for keys in phones if keys]
    if NAME in kinds:
        asked = {word.text for word in sought_words(text) if word.where is None and not word.prefix}
        names = {keys for phrase in asked if "@" not in phrase for keys in _name_keys(phrase)}
        found += [PersonTerm(NAME, keys) for keys in sorted(names, key=sorted)]
    return found


def _name_keys(name: str) -> Iterator[frozenset[str]]:
    """Of each of its words, however it is spelled."""
    for word in words(name):
        spelled = spellings(name[word.start : word.end])
        if keys := frozenset(f"n:{key}" for key in spelled if len(key) >= MIN_NAME_LENGTH):
            yield keys


def _phone_keys(phone: str) -> list[str]:
    digits = "".join(filter(str.isdecimal, phone))
    return [f"t:{digits[-length:]}" for length in _PHONE_ENDS if len(digits) >= length]
