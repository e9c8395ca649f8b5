"""Licences, registrations and certificates that a clause asks for: known ones, and others by how they are worded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from evenhand.mining.lexicon.licences import licences
from evenhand.mining.lexicon.places import home_of
from evenhand.mining.requirements.clauses import ALTERNATIVE, Clause, find_cues, strength
from evenhand.mining.requirements.clauses import words as general_words
from evenhand.records.job import Demand, Place
from evenhand.text.tokens import words_of

MAX_LINK = 24  # characters between alternatives: "RN or licensed LPN"
SHORT = 12  # words of a clause that hardly says anything but what it names
_WORD = r"[A-Z][\w&/+#’'-]*"
_NAME = rf"{_WORD}(?: (?:of |in |and )?{_WORD}){{0,4}}"
_KIND = r"(?i:licen[cs]e|licensure|certificate|certification|registration|credential|permit|card)s?"
_STATED = r"(?=\s+(?:is |are )?(?i:required|preferred|a plus|a must|desired|or|and)\b|\s*[.;,)]|\s*$)"
_UNKNOWN = re.compile(
    rf"\b(?:(?i:valid|current|active|unrestricted|state|an?|hold|possess|maintain)\s+)(?P<named>{_NAME}\s+{_KIND})\b"
    rf"|(?<![\w-])(?P<listed>{_NAME}\s+{_KIND}){_STATED}"
    rf"|\b(?P<state>(?i:licensed|certified|registered)(?: as an?| in)? (?:{_NAME}))\b"
    r"|\b(?:(?:valid|current|active|unrestricted|appropriate|applicable)\s+)(?P<plain>(?:[a-z-]+\s+){1,3}?"
    r"(?:licen[cs]e|licensure|certification|certificate|credential|permit))\b"
)
_NO_DEMAND = re.compile(
    r"\b(?:reimburse\w*|assist\w* with (?:obtaining|licens)|(?:paid|free|unlimited) (?:training|certif|continuing)"
    r"|sponsorship|tuition|licens(?:es|ing) (?:fees?|agreements?|compliance)|we (?:offer|provide|pay)"
    r"|we are (?:an? )?(?:licensed|certified)|company is|supervis\w+|oversee\w*|direct care"
    r"|under the (?:direct )?(?:supervision|direction)|reports? to|assists? (?:the )?(?:RN|nurse|physician)"
    r"|opportunit)",
    re.IGNORECASE,
)
_BAR = re.compile(
    r"\bmember(?:ship)?(?: in good standing)?(?: of| in| with)?(?: the)?(?: [A-Z][\w.]*){0,3}(?: state)? bar\b"
    r"|\b(?:admi(?:tted|ssion)|eligible for admission)\b[^.;]{0,40}?\bbar\b"
    r"|\b[A-Z]\w+(?: [A-Z]\w+)? (?:state )?bar (?:member\w*|admi\w+|licen\w+)"
    r"|\b(?:licensed|admitted|eligible) to practice(?: law)?\b(?! (?:medicine|nursing|as))",
    re.IGNORECASE,
)
_SERIES = re.compile(r"(?:\s?(?:,|and|&|or|/)\s?(?:series\s)?(\d{1,2})\b){1,4}", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,2}")
_OWN = re.compile(
    r"^\W*(?:(?:an?|must (?:have|be|hold|possess)|holds?|possess(?:ion)?(?: of)?|requires?|obtain|maintain|valid"
    r"|current(?:ly)?|active|clean|unrestricted|full|state|\w+ state|licen[cs]ed|certified|registered|licensure"
    r"|certifications?|member|membership|proof of|you (?:have|hold|are))\b)",
    re.IGNORECASE,
)
"""What a clause begins with that asks for a licence wherever it stands."""
_SOUGHT = re.compile(r"\b(?:seek(?:s|ing)|looking for|searching for|hiring|in need of|needs)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LicenceMention:
    name: str
    start: int  # in the clause
    end: int


def find_licences(clause: Clause, kind: str, *, is_title: bool = False) -> tuple[Demand, ...]:
    """`kind` is the type of the clause's passage; outside requirements it has to be asked for in so many words."""
    mentions = _mentions(clause, kind)
    if not mentions:
        return ()
    if is_title:
        return tuple(_demand(clause, [mention], must=True) for mention in mentions)
    if _NO_DEMAND.search(clause.written):
        return ()
    cues = find_cues(clause.written)
    demands = []
    for group in _groups(clause.written, mentions):
        must = strength(cues, group[0].start, group[-1].end)
        if must is None and kind in ("requirements", "wishes"):
            must = kind == "requirements"
        if must is None and (kind == "other" or _OWN.match(clause.written)):
            must = (_OWN.match(clause.written) or _SOUGHT.search(clause.written)) is not None or len(
                clause.tokens
            ) <= SHORT
        if must is not None:
            demands.append(_demand(clause, group, must=must))
    return tuple(demands)


def _demand(clause: Clause, group: Sequence[LicenceMention], *, must: bool) -> Demand:
    return Demand(
        skills=tuple(dict.fromkeys(mention.name for mention in group)),
        must=must,
        places=tuple(Place(clause.start + mention.start, clause.start + mention.end) for mention in group),
        kind="licence",
    )


def _mentions(clause: Clause, kind: str) -> list[LicenceMention]:
    tokens, written = clause.tokens, clause.written
    known = [
        LicenceMention(name, tokens.starts[first] - clause.start, tokens.ends[last - 1] - clause.start)
        for first, last, name in licences().find(tokens)
    ]
    bars = [LicenceMention("bar admission", *match.span()) for match in _BAR.finditer(written)]
    known = [mention for mention in known if not _overlaps(mention, bars)]
    mentions: list[LicenceMention] = []
    for mention in sorted([*bars, *known], key=lambda mention: mention.start):
        # "Certified Medical Assistant (CMA)": the same once more, though CMA has other meanings
        before = mentions[-1] if mentions else None
        is_note = before and written[before.end : mention.start].strip() == "(" and written[mention.end :][:1] == ")"
        mentions.append(replace(mention, name=before.name) if before and is_note else mention)
        mentions += _series(written, mention)
    is_asked = kind in ("requirements", "wishes") or _OWN.match(written)
    for mention in _unknown(written) if is_asked else ():
        if not _overlaps(mention, mentions):
            mentions.append(mention)
    return sorted(mentions, key=lambda mention: mention.start)


def _series(written: str, mention: LicenceMention) -> Iterator[LicenceMention]:
    """The others of "Series 7, 63 and 66"."""
    more = _SERIES.match(written, mention.end) if mention.name.startswith("series ") else None
    for number in _NUMBER.finditer(written, mention.end, more.end()) if more else ():
        if name := licences().get(f"series {number[0]}"):
            yield LicenceMention(name, *number.span())


def _overlaps(mention: LicenceMention, others: Sequence[LicenceMention]) -> bool:
    return any(other.start < mention.end and mention.start < other.end for other in others)


def _unknown(written: str) -> Iterator[LicenceMention]:
    """ "Certified Arborist", "valid harbor pilot license": by the words around a name that nobody listed."""
    for match in _UNKNOWN.finditer(written):
        group = next(name for name in ("named", "listed", "state", "plain") if match[name])
        words = match[group]
        if group == "state" and match.start() and not _OWN.match(match[0]):
            continue
        plain = words_of(words)
        general = general_words("general_licence_words")
        if not all(len(word) < 2 or word in general or home_of(word) is not None for word in plain):
            yield LicenceMention(" ".join(words.lower().split()), *match.span(group))


def _groups(written: str, mentions: Sequence[LicenceMention]) -> Iterator[list[LicenceMention]]:
    """Alternatives together: "RN or LPN", "Registered Nurse or Social Worker"; one named twice in a row once."""
    group = [mentions[0]]
    for before, mention in pairwise(mentions):
        link = written[before.end : mention.start]
        is_same = mention.name == before.name and len(link) < MAX_LINK
        if is_same or (len(link) < MAX_LINK and ALTERNATIVE.search(link)):
            group.append(mention)
        else:
            yield group
            group = [mention]
    yield group
