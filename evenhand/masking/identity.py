"""Who the applicant is, gathered from all that says so: the resume, the form, the name of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evenhand.masking.folding import fold, spellings
from evenhand.masking.own_names import (
    SHORTEST,
    Form,
    confirmed_names,
    guessed_names,
    handles_of,
    split_name,
    written_names,
)
from evenhand.masking.page import Page
from evenhand.masking.vocabulary import COMMON, OCCUPATIONS, PARTICLES

PHONE_DIGITS = 7
_SIGNS = frozenset("@./_-~0123456789")  # of addresses and user names, which are no sentences
_DIGITS = re.compile(r"\D+")


@dataclass(frozen=True, slots=True)
class Identity:
    """All as it is compared: names folded, phones as digits."""

    names: tuple[tuple[str, ...], ...] = ()  # each the parts of a whole name, in order
    parts: frozenset[str] = frozenset()  # of all of them, in every spelling
    common: frozenset[str] = frozenset()  # parts that are also words of this resume's trade or of English
    guessed: bool = False  # nothing tells the name: it is only what may be one
    small: bool = False  # the resume writes the name in small letters
    phones: frozenset[str] = frozenset()
    places: tuple[str, ...] = ()  # city and country of residence, as written
    schools: tuple[str, ...] = ()
    employers: frozenset[str] = frozenset()  # that are not among the schools

    @property
    def joined(self) -> frozenset[str]:
        """First and last name without a space, either way round."""
        pairs = ((name[0], name[-1]) for name in self.names if len(name) > 1)
        both = {joined for first, last in pairs for joined in (first + last, last + first)}
        return frozenset(each for each in both if len(each) >= 2 * SHORTEST)

    @property
    def short_handles(self) -> frozenset[str]:
        """Initial and last name, as in user names."""
        pairs = ((name[0], name[-1]) for name in self.names if len(name) > 1)
        return frozenset(
            each
            for first, last in pairs
            if len(last) >= SHORTEST
            for each in (first[0] + last, last + first[0])
        )


def identify(page: Page, form: Form | None = None, file: str | None = None) -> Identity:
    form = form or {}
    names = [name for each in written_names(page, form) if (name := split_name(each))]
    known = frozenset(fold(part) for name in names for part in name)
    names += confirmed_names(page, handles_of(page, form), file, known=known)
    guessed = [] if names else list(guessed_names(page, file))
    names += guessed
    parts = frozenset(spelling for name in names for part in name for spelling in spellings(part))
    schools = tuple(_schools(page))
    return Identity(
        names=tuple(dict.fromkeys(tuple(map(fold, name)) for name in names)),
        parts=parts,
        common=_common(page, parts) | frozenset(fold(part) for name in guessed for part in name),
        guessed=bool(guessed) or not names,
        small=_is_small(page),
        phones=frozenset(_phones(page, form)),
        places=tuple(_places(page, form)),
        schools=schools,
        employers=frozenset(map(fold, _employers(page))) - frozenset(map(fold, schools)),
    )


def _common(page: Page, parts: frozenset[str]) -> frozenset[str]:
    """Those that English, this resume's facts or its sentences use as a word."""
    found = parts & (COMMON | PARTICLES | OCCUPATIONS | page.fact_words(parts))
    if _is_small(page):
        return found
    return found | {
        key for key in parts - found if any(_is_sentence(page, parts, at) for at in page.numbers.get(key, ()))
    }


def _is_small(page: Page) -> bool:
    name = page.profile.name if page.profile else None
    return name is not None and name.surface == name.surface.lower() != name.surface.upper()


def _is_sentence(page: Page, parts: frozenset[str], number: int) -> bool:
    """Whether this word of the text is written small and is no part of an address or a whole name."""
    text, word = page.text, page.words[number]
    if not text[word.start].islower():
        return False
    near = page.words[max(0, number - 1) : number + 2]
    is_address = text[word.start - 1 : word.start] in _SIGNS or text[word.end : word.end + 1] in _SIGNS
    return not is_address and sum(each.key in parts for each in near) == 1


def _phones(page: Page, form: Form) -> Iterator[str]:
    values = [fact.value for fact in page.profile.phones] if page.profile else []
    values += [
        str(value)
        for key, value in form.items()
        if any(word in str(key).lower() for word in ("phone", "mobile", "cell", "tel"))
    ]
    for value in values:
        digits = _DIGITS.sub("", value)
        if len(digits) >= PHONE_DIGITS:
            yield digits


def _places(page: Page, form: Form) -> Iterator[str]:
    profile = page.profile
    if profile and profile.city:
        yield from (profile.city.value, profile.city.surface)
    if profile and profile.country:
        yield profile.country
    for key, value in form.items():
        is_place = any(word in str(key).lower() for word in ("city", "country", "town"))
        if is_place and isinstance(value, str) and value:
            yield value


def _schools(page: Page) -> Iterator[str]:
    for study in page.profile.education if page.profile else ():
        if study.university:
            yield from (study.university.value, study.university.surface)


def _employers(page: Page) -> Iterator[str]:
    for job in page.profile.positions if page.profile else ():
        if job.employer:
            yield from (job.employer.value, job.employer.surface)
