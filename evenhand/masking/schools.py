"""Finds the names of the schools and universities someone went to. Employers that are universities stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evenhand.masking.folding import Word, fold, words
from evenhand.masking.identity import Identity
from evenhand.masking.masks import Mask
from evenhand.masking.page import Page, Span
from evenhand.masking.vocabulary import MONTHS

_NAME_BEFORE = (
    *("university", "college", "institute", "school", "academy", "polytechnic", "vidyalaya", "vidyapeeth"),
    *("conservatory", "seminary", "collage", "insitute", "hochschule", "fachhochschule"),
)
_NAME_BEHIND = (
    *(
        "universite",
        "universitat",
        "universita",
        "universidad",
        "universidade",
        "universiteit",
        "uniwersytet",
    ),
    *(
        "berufsschule",
        "gymnasium",
        "lycee",
        "ecole",
        "escuela",
        "politecnico",
        "hochschule",
        "fachhochschule",
    ),
)
_KEYS = frozenset((*_NAME_BEFORE, *_NAME_BEHIND))
_ENDINGS = ("universitat", "hochschule", "berufsschule", "gymnasium")
_JOINING = frozenset(
    ("of", "for", "and", "the", "at", "in", "de", "der", "del", "di", "da", "do", "fur", "und", "la")
)
_LEADING_ON = frozenset(("of", "for", "at", "de", "der", "del", "di", "da", "do", "in"))
_ENDS = MONTHS | frozenset((
    *("degree", "diploma", "certificate", "certification", "attended", "bachelor", "bachelors", "master", "masters"),
    *("member", "present", "gpa", "ged", "cgpa", "associate", "associates", "graduate", "graduated", "from", "with"),
    *("my", "to", "ba", "bs", "mba", "phd", "some", "completed", "studied", "tech", "during", "this", "our", "usa"),
    *("student", "hsc", "ssc", "sslc", "course", "courses", "after", "middle", "year", "final", "project", "us"),
    *("candidate", "select", "one"),
))  # fmt: skip
_ENDS_BEHIND = _ENDS | {"city", "state"}
_GENERIC = frozenset((
    *_NAME_BEFORE,
    *_NAME_BEHIND,
    *_JOINING,
    *("a", "summer", "high", "higher", "secondary", "senior", "middle", "elementary", "primary", "intermediate"),
    *("business", "law", "medical", "public", "state", "inc", "ltd", "board", "course", "community", "technical"),
))  # fmt: skip
_DEGREE = re.compile(
    r"\b(?:diploma|dip\.|bachelor(?:['’]?s)?|master(?:['’]?s)|ph\.?d|c?gpa|abitur|ged"
    r"|[bm]\.?[ ]?(?:sc|tech|com|eng|a|s|ed|ca|ba)\.)(?!\w)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r'\b(?:University|College|School) "([^"\n]{1,120})"(?:[^"\n]{0,30} matches "([^"\n]{1,120})")?'
)
"""As a message about a school names it, and the entry of a list that it resembles."""
_GAPS = frozenset((" ", "-", " & ", "&", "'s ", "’s ", "' ", "’ "))
_LONGEST = 8  # words before University
_MOST_BEHIND = 4
_SMALL = 3  # letters of an acronym
_SEEN_IN = ("education", "certifications", "profile", "personal", "skills")


def find_schools(page: Page, identity: Identity) -> Iterator[Mask]:
    for study in page.profile.education if page.profile else ():
        if study.university:
            yield Mask(study.university.evidence.start, study.university.evidence.end, "school")
    for quoted in _QUOTED.finditer(page.text) if not page.is_resume else ():
        for group in (1, 2):
            if quoted[group]:
                yield Mask(*quoted.span(group), "school")
    seen = list(_by_looks(page, identity))
    named = [page.text[start:end] for start, end in seen]
    for start, end in (*seen, *_recurring(page, [*identity.schools, *named])):
        yield Mask(start, end, "school")


def _recurring(page: Page, schools: Iterable[str]) -> Iterator[Span]:
    """The names wherever they are written again, in whatever case; their initials too."""
    sought: dict[str, set[tuple[str, ...]]] = {}
    for school in schools:
        keys = tuple(word.key for word in words(school))
        if any(key not in _GENERIC and len(key) > _SMALL for key in keys) or (keys and school.isupper()):
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
    keys = [key for key in page.numbers if key in _KEYS or key.endswith(_ENDINGS)]
    for key in keys:
        for number in page.numbers[key]:
            at = page.words[number].start
            is_study = _is_study(page, at)
            if is_study or page.section_type(at) in _SEEN_IN or not page.has_sections:
                place = _extent(page, number, is_study=is_study)
                if place and _is_own(page, place, identity):
                    yield place


def _is_study(page: Page, at: int) -> bool:
    """In a section of studies, or in a line with a degree, whatever its section was taken for."""
    return page.section_type(at) == "education" or _DEGREE.search(page.text, *page.line(at)) is not None


def _extent(page: Page, number: int, *, is_study: bool) -> Span | None:
    """The whole name around its telling word; in small letters only among studies."""
    text, found = page.text, page.words
    small = not text[found[number].start].isupper()
    if small and not is_study:
        return None
    first = last = number
    for at in range(number - 1, max(-1, number - 1 - _LONGEST), -1):
        word = found[at]
        if (
            not _adjoins(text, word, found[at + 1])
            or word.key in _ENDS
            or page.is_subject(word.start, word.end)
        ):
            break
        if word.key in _JOINING:
            if small or word.key in ("at", "in"):  # "habits of students in a university"
                break
        elif text[word.start].isupper() or small:
            first = at
        else:
            break
    for at in range(number + 1, number + 1 if small else min(len(found), number + 2 + _MOST_BEHIND)):
        word = found[at]
        is_joined = text[found[at - 1].end : word.start] == " " and word.key not in _ENDS_BEHIND
        leads_on = (
            at > number + 1
            or word.key in _LEADING_ON
            or found[number].key.endswith((*_NAME_BEHIND, *_ENDINGS))
        )
        if not is_joined or not leads_on or page.is_subject(word.start, word.end):
            break
        if text[word.start].isupper():
            last = at
        elif word.key not in _JOINING:
            break
    return found[first].start, found[last].end


def _adjoins(text: str, one: Word, other: Word) -> bool:
    gap = text[one.end : other.start]
    return gap in _GAPS or (gap in (".", ". ") and len(one.key) <= _SMALL)  # St. Mary, B.N.N.


def _is_own(page: Page, place: Span, identity: Identity) -> bool:
    """More than "High School", and not where someone worked, unless it stands among studies."""
    name = page.text[slice(*place)]
    if all(word.key in _GENERIC for word in words(name)):
        return False
    return fold(name) not in identity.employers or _is_study(page, place[0])
