"""The title of a job: labelled, on the first line, or "is seeking a ..."; without city, contract and advertising."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.mining.lexicon import words as words_of_kind
from evenhand.mining.requirements.clauses import Clause
from evenhand.mining.tokens import tokenise
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.job import Place

LONGEST = 100  # characters
MOST_WORDS = 12
EARLY = 25  # clauses
_LABEL = re.compile(
    r"\b(?:position|job title|job|title|role|designation|vacancy|post)(?: title"
    r"| name)?\s?[:–]\s*(?P<title>[^\n:;|]{3,90})",
    re.IGNORECASE,
)
_SOUGHT = re.compile(
    r"\b(?:seek(?:s|ing)|looking (?:for|to (?:hire|add|fill))|hiring|needs?|recruiting|searching for"
    r"|opening for|opportunity for"
    r"|(?:position|role|opportunity|opening) (?:of|as|for)|wanted:?|requirement:|join \S[^.]{0,50}? as"
    r"|in need of|search for|to become|for the)"
    r"\s(?:an?\s|our next\s|the\s|\d+\s|several\s|multiple\s)?(?P<rest>(?:[^\n.;:!?]|\.(?=[A-Z])){3,140})",
    re.IGNORECASE,
)
_WANTED = re.compile(r"^(?P<title>[^\n.;:!?,]{3,80}?)\s(?:wanted|needed|required)\b", re.IGNORECASE)
_TAIL = re.compile(
    r"\s*(?:[-–—|:]+\s*(?:perm(?:anent)?|contract(?: to hire)?|full[- ]?time|part[- ]?time|temp\w*"
    r"|remote|hybrid|urgent|immediate|direct hire|days?|nights?|\$).*"
    r"|\bjobs? in\b.*|\((?:m/f|f/m|m/w|all gender|remote|contract|perm|full|part|temp|h/f|w/m)[^)]*\)?.*"
    r"|[-–—|]\s*(?:[A-Z][\w.]+ ?){1,3},\s?[A-Z]{2}\b.*"
    r"|\s(?:needed|wanted|opening|opportunity)s?\b\W*$|\(?\s?#?\d{4,}.*)$",
    re.IGNORECASE,
)
_EDGES = " \t\xa0*-–—|:,.#!_~•\"'"
_SENTENCE = re.compile(r"\b(?:is|are|we|our|you|your|has|will|join|us|this|that|if)\b", re.IGNORECASE)
_PLACE_TAIL = re.compile(r"\s*[-–—|,(]\s*(?:[A-Z][\w.]+ ?){1,3},?\s?[A-Z]{2}\b\W*$")
_END = re.compile(
    r"\s(?:for|to|in|at|with|who|on|that|within|based|located|from|as|near|responsible|of our|of the)\s"
    r"|\s?[,(]|\s[-–—]\s"
)


@dataclass(frozen=True, slots=True)
class Title:
    written: str
    place: Place


def find_title(text: str, clauses: Sequence[Clause], vocabulary: Vocabulary) -> Title | None:
    early = clauses[:EARLY]
    return (
        _first_line(text, early, vocabulary)
        or _labelled(early, vocabulary)
        or _sought(early, vocabulary)
        or _leading(early, vocabulary)
        or _unknown_first(text, early)
    )


def _leading(clauses: Sequence[Clause], vocabulary: Vocabulary) -> Title | None:
    """ "Senior Test Engineer, New Delhi, for ...": a title up to the first comma."""
    for clause in clauses[:4]:
        head = clause.written.split(",", 1)[0]
        if head[:1].isupper() and len(head.split()) <= 6 and has_title(head, vocabulary):
            return _trimmed(clause.text, clause.start, clause.start + len(head))
    return None


def _first_line(text: str, clauses: Sequence[Clause], vocabulary: Vocabulary) -> Title | None:
    """The first clause where it has a title in it and is no sentence."""
    for clause in clauses[:1]:
        if _WANTED.match(clause.written):
            return None
        title = _trimmed(text, clause.start, clause.end)
        if title and not _SENTENCE.search(title.written) and not _LABEL.match(title.written):
            return title if has_title(title.written, vocabulary) else None
    return None


def _unknown_first(text: str, clauses: Sequence[Clause]) -> Title | None:
    """A short first line of its own is a title though nobody knows it."""
    if not clauses or clauses[0].heading or "\n" not in text[clauses[0].end : clauses[0].end + 3]:
        return None
    title = _trimmed(text, clauses[0].start, clauses[0].end)
    is_name = title is not None and not _SENTENCE.search(title.written) and ":" not in title.written
    return title if is_name and title and len(title.written.split()) <= 8 else None


def _labelled(clauses: Sequence[Clause], vocabulary: Vocabulary) -> Title | None:
    for clause in clauses:
        found = _LABEL.search(clause.written)
        if found:
            start = clause.start + found.start("title")
            title = _trimmed(clause.text, start, clause.start + found.end("title"))
            if title and (found.start() == 0 or has_title(title.written, vocabulary)):
                return title
    return None


def _sought(clauses: Sequence[Clause], vocabulary: Vocabulary) -> Title | None:
    for clause in clauses:
        wanted = _WANTED.match(clause.written)
        if wanted and has_title(wanted["title"], vocabulary):
            return _trimmed(clause.text, clause.start, clause.start + wanted.end("title"))
        for found in _SOUGHT.finditer(clause.written[:400]):
            title = _title_in(clause, found.start("rest"), found.end("rest"), vocabulary)
            if title:
                return title
    return None


def _title_in(clause: Clause, start: int, end: int, vocabulary: Vocabulary) -> Title | None:
    """From "looking for an energetic Leasing Consultant to join": capitals, or else the known title."""
    rest = clause.written[start:end]
    stop = _END.search(rest)
    head = rest[: stop.start()] if stop else rest
    tokens = tokenise(head)
    lower = [word.lower() for word in tokens.words]
    known = vocabulary.known.titles.find(lower)
    heads = words_of_kind("title head")
    last = max(
        [found.last for found in known] + [at + 1 for at, word in enumerate(lower) if word in heads],
        default=0,
    )
    if not last:
        return None
    first = min((found.first for found in known), default=last - 1)
    first = min(first, last - 1)
    while first and tokens.words[first - 1][0].isupper():
        first -= 1
    while last < len(tokens) and (tokens.words[last] in {"I", "II", "III", "IV"}):
        last += 1
    if lower[first] in {"experienced", "talented", "motivated", "qualified"} and last - first > 1:
        first += 1
    base = clause.start + start
    return _trimmed(clause.text, base + tokens.starts[first], base + tokens.ends[last - 1])


def has_title(written: str, vocabulary: Vocabulary) -> bool:
    lower = [word.lower() for word in tokenise(written).words]
    heads = words_of_kind("title head")
    return bool(vocabulary.known.titles.find(lower)) or any(
        word.rstrip("s") in heads or word in heads for word in lower
    )


def _trimmed(text: str, start: int, end: int) -> Title | None:
    if end - start > 2 * LONGEST:
        return None
    written = text[start:end]
    written = _PLACE_TAIL.sub("", _TAIL.sub("", written))
    bare = written.lstrip(_EDGES.replace(".", "")).rstrip(_EDGES)
    if not bare or len(bare) > LONGEST or len(bare.split()) > MOST_WORDS or not any(map(str.isalpha, bare)):
        return None
    begin = start + written.index(bare)
    return Title(bare, Place(begin, begin + len(bare)))
