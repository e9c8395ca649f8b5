"""Who the applicant is, gathered from all that says so: the resume, the form, the name of the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evenhand.masking.folding import WORD, fold, spellings
from evenhand.masking.page import Page, Span
from evenhand.masking.vocabulary import COMMON, HEADINGS, NO_NAMES, OCCUPATIONS, PARTICLES, TITLES

SHORTEST = 3  # letters of a part that may stand alone
LONGEST_NAME = 6  # words; what is longer is a sentence that was taken for a name
PHONE_DIGITS = 7
_SIGNS = frozenset("@./_-~0123456789")  # of addresses and user names, which are no sentences
_PROFILE_LINK = re.compile(r"(?:/in/|/pub/|^(?:https?://)?(?:www\.)?[\w-]+\.\w{2,7}/~?)([\w%.-]+)/?$")
"""The page of a person, as linkedin.com/in/name or github.com/name; not that of a project."""
_NOT_IN_NAMES = re.compile(r"[@:/\d+&,]")
_FIRST_LINES = re.compile(r"(?:^|(?<=\n))[ \t]*([^\n(|•,:\t]{3,40}?)[ \t]*(?=[\n(|•,\t]|$)")
_LOOKED_AT = 20  # occurrences of a word; a name stands near the top or is repeated
_AT = re.compile(r"\s?@.*\Z", re.DOTALL)
_NOT_LETTERS = re.compile(r"[^a-z]+")
_DIGITS = re.compile(r"\D+")
_LABELLED = re.compile(
    r"(?<![\w'’])(?i:name)[ \t]{0,8}[:\t–-][ \t:–-]{0,8}((?:[^\W\d_][\w.'’-]*[ \t]{0,2}){1,5})"
)
_CAPITAL_INSIDE = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_MAIDEN = re.compile(
    r"(?:\bnée?\b|\(nee\b|\bmaiden[ \t]+name\b)[ \t:,–-]{0,4}([^\W\d_][\w'’-]+)", re.IGNORECASE
)
_OTHERS = re.compile(
    r"(?:father|mother|husband|wife|spouse|guardian|company|employer|school|college|university|project|client|user"
    r"|nick|file|event|product|team|brand|course|firm|organi[sz]ation|institut)\w*(?:['’]s)?[ _-]*\Z"
)

Form = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Identity:
    """All as it is compared: names folded, phones as digits."""

    names: tuple[tuple[str, ...], ...] = ()  # each the parts of a whole name, in order
    parts: frozenset[str] = frozenset()  # of all of them, in every spelling
    common: frozenset[str] = frozenset()  # parts that are also words of this resume's trade or of English
    guessed: bool = False  # nothing tells the name: it is only what may be one
    small: bool = False  # the resume writes the name in small letters
    phones: frozenset[str] = frozenset()
    handles: frozenset[str] = frozenset()  # what stands before the @ and at the end of profile links
    places: tuple[str, ...] = ()  # city and country of residence, as written
    schools: tuple[str, ...] = ()
    employers: frozenset[str] = frozenset()  # that are not among the schools

    @property
    def joined(self) -> frozenset[str]:
        """First and last name without a space, either way round."""
        pairs = ((name[0], name[-1]) for name in self.names if len(name) > 1)
        both = {joined for first, last in pairs for joined in (first + last, last + first)}
        return frozenset(each for each in both if len(each) >= 6)

    @property
    def short_handles(self) -> frozenset[str]:
        """Initial and last name, as in user names."""
        pairs = ((name[0], name[-1]) for name in self.names if len(name) > 1)
        return frozenset(
            each
            for first, last in pairs
            if len(last) > SHORTEST
            for each in (first[0] + last, last + first[0])
        )


def identify(page: Page, form: Form | None = None, file: str | None = None) -> Identity:
    form = form or {}
    written = list(_written_names(page, form))
    handles = frozenset(_handles(page, form))
    names = [name for each in written if (name := split_name(each))]
    names += _confirmed_names(
        page, handles, file, known=frozenset(fold(part) for name in names for part in name)
    )
    guessed = [] if names else [*_file_name(file or "", page), *_first_line(page)]
    names += guessed
    parts = frozenset(spelling for name in names for part in name for spelling in spellings(part))
    found = page.profile.name if page.profile else None
    schools = tuple(_schools(page))
    return Identity(
        names=tuple(dict.fromkeys(tuple(map(fold, name)) for name in names)),
        parts=parts,
        common=_common(page, parts) | frozenset(fold(part) for name in guessed for part in name),
        guessed=bool(guessed) or not names,
        small=found is not None and found.surface == found.surface.lower(),
        phones=frozenset(_phones(page, form)),
        handles=handles,
        places=tuple(_places(page, form)),
        schools=schools,
        employers=frozenset(map(fold, _employers(page))) - frozenset(map(fold, schools)),
    )


def _common(page: Page, parts: frozenset[str]) -> frozenset[str]:
    """Those that English, this resume's facts or its sentences use as a word."""
    found = set(parts & (COMMON | PARTICLES | OCCUPATIONS | page.fact_words))
    found |= {
        key for key in parts - found if any(_is_sentence(page, parts, at) for at in page.numbers.get(key, ()))
    }
    return frozenset(found)


def _is_sentence(page: Page, parts: frozenset[str], number: int) -> bool:
    """Whether this word of the text is written small and is no part of an address or a whole name."""
    text, word = page.text, page.words[number]
    if not text[word.start].islower():
        return False
    near = page.words[max(0, number - 1) : number + 2]
    is_address = text[word.start - 1 : word.start] in _SIGNS or text[word.end : word.end + 1] in _SIGNS
    return not is_address and sum(each.key in parts for each in near) == 1


def split_name(name: str) -> tuple[str, ...]:
    """The parts of a name, without Dr, PhD and the like; nothing of what cannot be a name."""
    parts = tuple(part for part in WORD.findall(name) if fold(part) not in NO_NAMES)
    if len(parts) > LONGEST_NAME:
        return ()
    bare = tuple(part for part in parts if fold(part) not in TITLES)
    # Ma and Be are names too: what is dropped must leave a whole name.
    kept = bare if len(bare) > 1 else parts
    return kept if any(len(part) > 1 for part in kept) else ()


def _written_names(page: Page, form: Form) -> Iterator[str]:
    profile = page.profile
    if profile and profile.name:
        yield profile.name.value
        yield profile.name.surface
    yield from form_names(form)
    head = page.text[: page.head_end]
    for match in _MAIDEN.finditer(page.text):
        yield match[1]
    if not (profile and profile.name):
        for match in _LABELLED.finditer(head):
            if not _OTHERS.search(head[max(0, match.start() - 20) : match.start()].lower()):
                yield match[1]


def form_names(form: Form) -> Iterator[str]:
    """All texts under keys that speak of a name; of names in several fields also the whole."""
    fields = [
        value
        for key, value in sorted(form.items())
        if isinstance(value, str)
        and "name" in str(key).lower()
        and not _OTHERS.search(_before_name(str(key)))
    ]
    yield from fields
    if len(fields) > 1:
        yield " ".join(fields)


def _before_name(key: str) -> str:
    return key.lower().partition("name")[0]


def _handles(page: Page, form: Form) -> Iterator[str]:
    """Letters of e-mail addresses before the @, and of the last step of profile links."""
    profile = page.profile
    addresses = [fact.value for fact in profile.emails] if profile else []
    addresses += [value for value in form.values() if isinstance(value, str) and "@" in value]
    for address in addresses:
        yield _NOT_LETTERS.sub(" ", fold(_AT.sub("", address))).strip()
    for link in profile.links if profile else ():
        if own := _PROFILE_LINK.search(link.value):
            yield _NOT_LETTERS.sub(" ", fold(own[1])).strip()


def _confirmed_names(
    page: Page, handles: Iterable[str], file: str | None, *, known: frozenset[str]
) -> list[tuple[str, ...]]:
    """Short lines that an e-mail address, a link or the file's name knows: a name, whatever the miner found."""
    told = [*handles, " ".join(map(fold, _file_words(file or "")))]
    keys = [key for key in page.numbers if key not in known and _is_told(key, told)]
    found = []
    for key in keys:
        for number in page.numbers[key][:_LOOKED_AT]:
            start, end = page.cell(page.words[number].start)
            if _is_name(page.text[start:end], start < page.head_end):
                found.append(split_name(page.text[start:end]))
    return [name for name in dict.fromkeys(found) if name]


def _is_told(key: str, told: Iterable[str]) -> bool:
    if key in OCCUPATIONS or key in HEADINGS or key in NO_NAMES or len(key) < SHORTEST:
        return False
    return any(key in each.split() if len(key) == SHORTEST else key in each for each in told)


def _is_name(cell: str, is_head: bool) -> bool:
    """A few capitalised words; outside the head a single one is none."""
    parts = WORD.findall(cell)
    if _NOT_IN_NAMES.search(cell) or not 2 - is_head <= len(parts) <= LONGEST_NAME:
        return False
    unlikely = OCCUPATIONS | HEADINGS | NO_NAMES
    return all(part[0].isupper() and fold(part) not in unlikely for part in parts)


def _file_words(file: str) -> list[str]:
    """The words of a file's name, without its folder and its ending."""
    name = re.split(r"[/\\]", file)[-1]
    return WORD.findall(_CAPITAL_INSIDE.sub(" ", name.rpartition(".")[0] or name).replace("_", " "))


def _file_name(file: str, page: Page) -> Iterator[tuple[str, ...]]:
    """What a file's name may say of its owner, where nothing else does."""
    unlikely = NO_NAMES | OCCUPATIONS | HEADINGS | TITLES | page.fact_words
    parts = tuple(word for word in _file_words(file) if len(word) > 1 and fold(word) not in unlikely)
    if 0 < len(parts) <= LONGEST_NAME:
        yield parts


def _first_line(page: Page) -> Iterator[tuple[str, ...]]:
    if line := first_line(page):
        yield split_name(page.text[slice(*line)])


def first_line(page: Page) -> Span | None:
    """A line above the first section that may be a name, where nothing tells the name."""
    for match in _FIRST_LINES.finditer(page.text, 0, page.head_end):
        place = match.span(1)
        if _is_name(match[1], True) and not page.fact_words & {fold(part) for part in WORD.findall(match[1])}:
            return place
    return None


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
        if (
            isinstance(value, str)
            and value
            and any(word in str(key).lower() for word in ("city", "country", "town"))
        ):
            yield value


def _schools(page: Page) -> Iterator[str]:
    for study in page.profile.education if page.profile else ():
        if study.university:
            yield from (study.university.value, study.university.surface)


def _employers(page: Page) -> Iterator[str]:
    for job in page.profile.positions if page.profile else ():
        if job.employer:
            yield from (job.employer.value, job.employer.surface)
