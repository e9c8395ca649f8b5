"""Finds the names of the schools and universities someone went to. Employers that are universities stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evenhand.masking.folding import fold, words
from evenhand.masking.identity import Identity
from evenhand.masking.masks import Mask
from evenhand.masking.page import Page, Span

_CAPITAL = r"(?:[^\W\d_a-z][\w'’]{0,2}\.|[^\W\d_a-z][\w'’&-]*)"
_JOIN = r"(?:of|for|and|&|the|at|in|de|der|del|di|da|do|für|und|la)"
_KIND = (
    r"(?:University|College|Institute|School|Academy|Polytechnic|Universit(?:y|ies|é|ät|à|at)|Universi(?:dad|dade|teit)|Uniwersytet"
    r"|Hochschule|Fachhochschule|Berufsschule|Gymnasium|Vidyalaya|Vidyapeeth|Conservatory|Seminary|Lyc[ée]e|Ecole|École|Escuela|Politecnico"
    r"|UNIVERSITY|COLLEGE|INSTITUTE|SCHOOL|ACADEMY|POLYTECHNIC|VIDYALAYA)"
)
_NAME = re.compile(
    rf"(?:{_CAPITAL}[ ](?:{_JOIN}[ ]){{0,2}}){{0,6}}{_KIND}"
    rf"(?:,?[ ](?:{_JOIN}[ ]){{1,2}}{_CAPITAL}(?:[ ]{_CAPITAL}){{0,3}}|(?<![yYeElL])(?:[ ]{_CAPITAL}){{1,3}})?"
)
"""Behind University stands "of ..."; behind Universität and Berufsschule the name itself."""
_KEYS = tuple(
    [
        "university",
        "college",
        "institute",
        "school",
        "academy",
        "polytechnic",
        "universite",
        "universitat",
        "universita",
        "universidad",
        "universidade",
        "universiteit",
        "uniwersytet",
        "hochschule",
        "fachhochschule",
        "gymnasium",
        "vidyalaya",
        "vidyapeeth",
        "conservatory",
        "seminary",
        "lycee",
        "ecole",
        "escuela",
        "politecnico",
    ]
)
_GENERIC = frozenset(
    (
        *_KEYS,
        "high",
        "secondary",
        "senior",
        "middle",
        "elementary",
        "primary",
        "graduate",
        "business",
        "law",
        "medical",
        "the",
    )
)
_LONGEST = 90  # characters before the word University
_SMALL = 3  # letters of an acronym


def find_schools(page: Page, identity: Identity) -> Iterator[Mask]:
    for study in page.profile.education if page.profile else ():
        if study.university:
            yield Mask(study.university.evidence.start, study.university.evidence.end, "school")
    seen = list(_by_looks(page, identity))
    named = [page.text[start:end] for start, end in seen]
    for start, end in (*seen, *_recurring(page, [*identity.schools, *named])):
        yield Mask(start, end, "school")


def _recurring(page: Page, schools: Iterable[str]) -> Iterator[Span]:
    """The names wherever they are written again, in whatever case; their initials too."""
    sought: dict[str, set[tuple[str, ...]]] = {}
    for school in schools:
        keys = tuple(word.key for word in words(school))
        if keys and (len(keys) > 1 or len(keys[0]) >= _SMALL):
            sought.setdefault(keys[0], set()).add(keys)
    for first, names in sought.items():
        for number in page.numbers.get(first, ()):
            for keys in names:
                same = page.words[number : number + len(keys)]
                if tuple(each.key for each in same) == keys and page.text[same[0].start].isupper():
                    yield same[0].start, same[-1].end
    acronyms = {acronym for school in schools if (acronym := _acronym(school))}
    for word in page.occurrences(map(fold, acronyms)):
        if page.text[word.start : word.end] in acronyms and not page.is_skill(word.start, word.end):
            yield word.start, word.end


def _acronym(school: str) -> str | None:
    letters = "".join(part[0] for part in school.replace("-", " ").split() if part[:1].isupper())
    return letters if len(letters) >= _SMALL else None


def _by_looks(page: Page, identity: Identity) -> Iterator[Span]:
    """Names with University, College and the like, in the parts that tell of studies."""
    text = page.text
    for word in page.occurrences(_KEYS):
        if not text[word.start].isupper() or not page.is_study(word.start):
            continue
        begin = max(page.line(word.start)[0], word.start - _LONGEST)
        for match in _NAME.finditer(text, begin, min(len(text), word.end + _LONGEST)):
            if match.start() <= word.start < match.end():
                if _is_own(page, match.span(), identity):
                    yield match.span()
                break


def _is_own(page: Page, place: Span, identity: Identity) -> bool:
    """More than "High School", and not where someone worked, unless it stands among studies."""
    name = page.text[slice(*place)]
    if all(word.key in _GENERIC for word in words(name)):
        return False
    return fold(name) not in identity.employers or page.section_type(place[0]) == "education"
