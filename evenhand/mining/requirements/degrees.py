"""The least degree an ad asks for, and the fields of study it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.mining.lexicon import DegreeMatch
from evenhand.mining.lexicon.phrases import HYPHENS
from evenhand.mining.requirements.clauses import Clause
from evenhand.mining.requirements.cues import find_cues, strength
from evenhand.mining.requirements.wording import words as words_of
from evenhand.mining.resolver.degrees import is_degree
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.job import Place
from evenhand.records.profile import DEGREE_LEVELS

REACH = 14  # words behind a degree in which its fields are looked for
_CONTEXT = re.compile(
    r"\b(?:degree|diploma|education|qualifications?|equivalent|graduates?|required|university|college"
    r"|ged|in [A-Z])\b|/",
    re.IGNORECASE,
)
_STOPPING = (
    "required preferred with plus years year experience and/or must is from minimum desired ; . : highly"
)
_JOINING = ", or and / & ( ) in of a an the related similar field area discipline major such as - – either"
_STOP, _JOINS = frozenset(_STOPPING.split()), frozenset(_JOINING.split())
_STAFF = re.compile(r"associates?(?: in)?$")
_ANY_DEGREE = re.compile(
    r"\b(?:degree(?: (?:in|required|or (?:equivalent|relevant|higher)))|degreed|(?:2"
    r"|two)(?: \(2\))?[- ]year (?:college )?degree|(?:4|four)[- ]year (?:college |university )?degree"
    r"|graduate degree \(any|engineering graduate|graduate in any|any graduate)\b",
    re.IGNORECASE,
)
_FIGURATIVE = re.compile(r"\b(?:high|higher|large|certain|greater|some|great|any) degree of\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Study:
    """A degree that a clause names. `place` covers it and its fields: they are no skills there."""

    level: str
    must: bool
    fields: tuple[str, ...]
    place: Place


def find_studies(clause: Clause, kind: str, vocabulary: Vocabulary) -> list[Study]:
    tokens = clause.tokens
    lower = [word.lower() for word in tokens.words]
    matches = [
        match
        for match in vocabulary.known.degrees.find(lower)
        if match.level != "other" and _is_meant(match, clause, lower, vocabulary)
    ]
    spans = [(match.first, match.last, match.level) for match in matches] + _any_degrees(clause, matches)
    cues = find_cues(clause.written)
    found = []
    for first, last, level in sorted(spans):
        fields, start, end = _fields(lower, first, last, vocabulary)
        place = Place(tokens.starts[start], tokens.ends[end - 1])
        said = strength(cues, tokens.starts[first] - clause.start, tokens.ends[last - 1] - clause.start)
        found.append(Study(level, kind != "wishes" if said is None else said, fields, place))
    return found


def _is_meant(match: DegreeMatch, clause: Clause, lower: Sequence[str], vocabulary: Vocabulary) -> bool:
    words = clause.tokens.words
    written = " ".join(lower[match.first : match.last])
    behind = [word for word in lower[match.last : match.last + 2] if word not in HYPHENS]
    if vocabulary.skills.get(" ".join([written, *behind[:1]])):
        return False  # "MS-Office"
    if match.abbreviated:
        return is_degree(match, words) or _in_pair(match, words)
    near = " ".join(words[max(0, match.first - 2) : match.first] + words[match.last : match.last + 4])
    if _STAFF.match(written) and "degree" not in near.lower():
        return False
    if written in words_of("not_alone_degrees") or match.ambiguous:
        return _CONTEXT.search(near) is not None
    return not (match.last < len(lower) and lower[match.last] in {"student", "students", "program"})


def _in_pair(match: DegreeMatch, words: Sequence[str]) -> bool:
    """ "BS/BA", "MS or MBA degree": initials in capitals beside others."""
    beside = {*words[max(0, match.first - 1) : match.first], *words[match.last : match.last + 1]}
    beside = {word.lower() for word in beside}
    is_either = beside & {"or", "and", "&", ","} and "degree" in map(str.lower, words)
    return bool("/" in beside or is_either) and words[match.first].isupper() and len(words[match.first]) <= 4


def _any_degrees(clause: Clause, matches: Sequence[DegreeMatch]) -> list[tuple[int, int, str]]:
    """ "Degree in accounting", "degreed engineer": a first degree is meant."""
    found = _ANY_DEGREE.search(clause.written)
    if not found or _FIGURATIVE.search(clause.written):
        return []
    tokens, at = clause.tokens, clause.start + found.start()
    first = next((n for n, start in enumerate(tokens.starts) if start >= at), None)
    if first is None or (matches and "(any" not in found[0].lower()):
        return []
    return [(first, first + 1, "associate" if found[0][0] in "2tT" else "bachelor")]


def _fields(
    lower: Sequence[str], first: int, last: int, vocabulary: Vocabulary
) -> tuple[tuple[str, ...], int, int]:
    """Fields behind the degree ("in accounting or finance") or right before it ("accounting degree")."""
    known = vocabulary.known.fields
    names: list[str] = []
    start, end = first, last
    window = list(lower[last : last + REACH])
    stop = next((at for at, word in enumerate(window) if word in _STOP or word.isdigit()), len(window))
    at = 0
    for found in known.find(window[:stop]):
        if names and not all(word in _JOINS for word in window[at : found.first]):
            break
        if not names and not all(word in _JOINS or word == "degree" for word in window[: found.first]):
            break
        names.append(found.name)
        at, end = found.last, last + found.last
    if not names:
        head = list(lower[max(0, first - 3) : first])
        for found in known.find(head):
            if found.last == len(head):
                names.append(found.name)
                start = first - (len(head) - found.first)
    return tuple(dict.fromkeys(names)), start, end


def least_degree(studies: Sequence[Study]) -> tuple[str | None, tuple[str, ...]]:
    """The lowest level asked for; what is only wished for is no demand."""
    asked = [study for study in studies if study.must]
    if not asked:
        return None, ()
    level = min((study.level for study in asked), key=DEGREE_LEVELS.index)
    return level, tuple(dict.fromkeys(name for study in asked for name in study.fields))
