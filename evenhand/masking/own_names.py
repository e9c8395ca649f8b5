"""What tells the applicant's name: the miner, the form, an address, the name of the file, the first line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evenhand.masking.folding import WORD, fold
from evenhand.masking.page import Page, Span
from evenhand.masking.vocabulary import COUNTRIES, HEADINGS, NO_NAMES, OCCUPATIONS, TITLES

SHORTEST = 3  # letters of a part that may stand alone
LONGEST_NAME = 6  # words; what is longer is a sentence that was taken for a name
_FORMALITIES = frozenset(("resume", "resumes", "cv", "curriculum", "vitae", "vita", "biodata", "name"))
_UNLIKELY = OCCUPATIONS | HEADINGS | NO_NAMES
_PROFILE_LINK = re.compile(r"(?:/in/|/pub/|^(?:https?://)?(?:www\.)?[\w-]+\.\w{2,7}/~?)([\w%.-]+)/?$")
"""The page of a person, as linkedin.com/in/name or github.com/name; not that of a project."""
_NOT_IN_NAMES = re.compile(r"[@:/\d+&,]")
_FIRST_LINES = re.compile(r"(?:^|(?<=\n))[ \t]*([^\n(|•,:\t]{3,40}?)[ \t]*(?=[\n(|•,\t]|$)")
_LOOKED_AT = 20  # occurrences of a word; a name stands near the top or is repeated
_AT = re.compile(r"\s?@.*\Z", re.DOTALL)
_NOT_LETTERS = re.compile(r"[^a-z]+")
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


def split_name(name: str) -> tuple[str, ...]:
    """The parts of a name, without Dr, PhD and the like; nothing of what cannot be a name."""
    parts = tuple(part for part in WORD.findall(name) if fold(part) not in _FORMALITIES)
    if len(parts) > LONGEST_NAME:
        return ()
    bare = tuple(part for part in parts if fold(part) not in TITLES)
    # Ma and Be are names too: what is dropped must leave a whole name.
    kept = bare if len(bare) > 1 else parts
    return kept if any(len(part) > 1 for part in kept) else ()


def written_names(page: Page, form: Form) -> Iterator[str]:
    profile = page.profile
    if profile and profile.name and profile.name.value.replace(" ", "_") not in COUNTRIES.split():
        yield profile.name.value
        yield profile.name.surface
        yield from _continued(page, profile.name.evidence.end)
    yield from form_names(form)
    head = page.text[: page.head_end]
    for match in _MAIDEN.finditer(page.text):
        yield match[1]
    if not (profile and profile.name):
        for match in _LABELLED.finditer(head):
            if not _OTHERS.search(head[max(0, match.start() - 20) : match.start()].lower()):
                yield match[1]


def _continued(page: Page, end: int) -> Iterator[str]:
    """Large names are set on two lines: the second one, where the first has one word and nothing else follows it."""
    text = page.text
    begin = text.rfind("\n", 0, end) + 1
    own, _, rest = text[begin:].partition("\n")
    following = rest.partition("\n")[0].strip()
    is_alone = begin + len(own.rstrip()) == end and len(own.split()) == 1
    known = {fold(part) for part in WORD.findall(following)} & (page.fact_words() | TITLES)
    if is_alone and not known and _is_name(following) and len(following.split()) <= 2:
        yield f"{own.strip()} {following}"


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


def handles_of(page: Page, form: Form) -> Iterator[str]:
    """Letters of e-mail addresses before the @, and of the last step of profile links."""
    profile = page.profile
    addresses = [fact.value for fact in profile.emails] if profile else []
    addresses += [value for value in form.values() if isinstance(value, str) and "@" in value]
    for address in addresses:
        yield _NOT_LETTERS.sub(" ", fold(_AT.sub("", address))).strip()
    for link in profile.links if profile else ():
        if own := _PROFILE_LINK.search(link.value):
            yield _NOT_LETTERS.sub(" ", fold(own[1])).strip()


def confirmed_names(
    page: Page, handles: Iterable[str], file: str | None, *, known: frozenset[str]
) -> list[tuple[str, ...]]:
    """Short lines that an e-mail address, a link or the file's name knows: a name, whatever the miner found."""
    told = [*handles, " ".join(map(fold, _file_words(file or "")))]
    keys = [key for key in page.numbers if key not in known and _is_told(key, told)]
    found = []
    for key in keys:
        for number in page.numbers[key][:_LOOKED_AT]:
            start, end = page.cell(page.words[number].start)
            cell = page.text[start:end]
            if _is_name(cell, told, fewest=1 if start < page.head_end else 2):
                found.append(split_name(cell))
    return [name for name in dict.fromkeys(found) if name]


def _is_told(key: str, told: Iterable[str]) -> bool:
    if len(key) < SHORTEST or key in _UNLIKELY:
        return False
    return any(key in each.split() if len(key) == SHORTEST else key in each for each in told)


def _is_name(cell: str, told: Iterable[str] = (), *, fewest: int = 1) -> bool:
    """A few capitalised words, none of which is a word of resumes, unless it is told: Anna Page has that name."""
    parts = WORD.findall(cell)
    if _NOT_IN_NAMES.search(cell) or not fewest <= len(parts) <= LONGEST_NAME:
        return False
    spoken = {word for each in told for word in each.split()}
    return all(part[0].isupper() and (fold(part) not in _UNLIKELY or fold(part) in spoken) for part in parts)


def _file_words(file: str) -> list[str]:
    """The words of a file's name, without its folder and its ending."""
    name = re.split(r"[/\\]", file)[-1]
    return WORD.findall(_CAPITAL_INSIDE.sub(" ", name.rpartition(".")[0] or name).replace("_", " "))


def guessed_names(page: Page, file: str | None) -> Iterator[tuple[str, ...]]:
    """What the file's name and the first line may say of the owner, where nothing else does."""
    unlikely = _UNLIKELY | TITLES | page.fact_words()
    parts = tuple(word for word in _file_words(file or "") if len(word) > 1 and fold(word) not in unlikely)
    if 0 < len(parts) <= LONGEST_NAME:
        yield parts
    if line := first_line(page):
        yield split_name(page.text[slice(*line)])


def first_line(page: Page) -> Span | None:
    """A line above the first section that may be a name, where nothing tells the name."""
    for match in _FIRST_LINES.finditer(page.text, 0, page.head_end):
        place = match.span(1)
        if _is_name(match[1]) and not page.fact_words() & {fold(part) for part in WORD.findall(match[1])}:
            return place
    return None
