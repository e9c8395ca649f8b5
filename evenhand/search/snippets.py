"""Fragments of a resume that show why it was found: plain text, with highlights as offsets and never as markup."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from evenhand.records.ranking import Snippet
from evenhand.search.analysis import spans, terms
from evenhand.search.rankers.base import Query
from evenhand.search.statistics import Statistics

# What a reader of the result looks for in a resume: the job's demands and terms and the words typed, weighed.


MAX_TERMS = 40
_DEMAND_WEIGHT = 3.0
_TYPED_WEIGHT = 1_000.0  # what somebody typed is shown before anything else that is found
_COMMON_WEIGHT = 0.1
_COMMON_SHARE = 1 / 3
_COMMON_FROM = 30  # resumes; in a smaller pool a share says little


@dataclass(frozen=True, slots=True)
class SnippetTerm:
    """Terms that have to stand together. What shares a `key` is one wish: any of it fulfils it."""

    key: str
    terms: tuple[str, ...]
    weight: float
    common: bool = False  # found in so many resumes that showing it helps little
    typed: bool = False  # by whoever searches


@dataclass(frozen=True, slots=True)
class SnippetQuery:
    """`skills` names the wish that a canonical skill fulfils; `by_first` finds what is sought by its first term.

    `terms` are all of them, and `starts` how they begin: a word that begins otherwise need not be analyzed. `known`
    remembers what was found in a chunk of text, over all resumes of a page.
    """

    by_first: Mapping[str, tuple[SnippetTerm, ...]]
    skills: Mapping[str, SnippetTerm]
    terms: frozenset[str]
    starts: frozenset[str]
    known: dict[str, tuple[tuple[str, int, int], ...]] = field(default_factory=dict, compare=False, repr=False)


def start_of(word: str) -> str:
    """The letters that stemming keeps; it may turn a y into an i ("lying": "lie")."""
    return word[:2].replace("y", "i")


def make_snippet_query(
    query: Query,
    statistics: Statistics,
    *,
    typed: Iterable[tuple[str, tuple[str, ...]]] = (),
    skills: Iterable[str] = (),
) -> SnippetQuery:
    """Made once per search, for all its results. `typed` are further words, with the terms that stand for them, and
    `skills` those that the search insists on."""
    sought: dict[tuple[str, ...], SnippetTerm] = {}
    for words, phrase in (*((wish.text, wish.terms) for wish in query.search_terms), *typed):
        sought[phrase] = SnippetTerm(words, phrase, _TYPED_WEIGHT * _idf(phrase, statistics), typed=True)
    by_skill: dict[str, SnippetTerm] = {}
    for name in skills:
        named = tuple(terms(name))
        by_skill[name] = SnippetTerm(f"skill {name}", named, _TYPED_WEIGHT * _idf(named, statistics), typed=True)
        if named:
            sought.setdefault(named, by_skill[name])
    for number, demand in enumerate(query.job.demands):
        for name in demand.skills:
            named = tuple(terms(name))
            demanded = SnippetTerm(f"demand {number}", named, _DEMAND_WEIGHT * _idf(named, statistics))
            by_skill.setdefault(name, demanded)
            if named:
                sought.setdefault(named, demanded)
    for plain in _plain(query, statistics):
        sought.setdefault(plain.terms, plain)
    named_terms = frozenset(term for phrase in sought for term in phrase)
    by_first: dict[str, tuple[SnippetTerm, ...]] = {}
    for phrase, term in sought.items():
        by_first[phrase[0]] = (*by_first.get(phrase[0], ()), term)
    return SnippetQuery(by_first, by_skill, named_terms, frozenset(map(start_of, named_terms)))


def _plain(query: Query, statistics: Statistics) -> list[SnippetTerm]:
    """The strongest of the job's own terms, of those that any resume mentions."""
    plain = []
    for term in (term.term for term in query.terms):
        if frequency := statistics.document_frequency(term):
            common = statistics.number >= _COMMON_FROM and frequency > statistics.number * _COMMON_SHARE
            weight = _idf((term,), statistics) * (_COMMON_WEIGHT if common else 1.0)
            plain.append(SnippetTerm(term, (term,), weight, common))
    return sorted(plain, key=lambda sought: -sought.weight)[:MAX_TERMS]


def _idf(wanted: tuple[str, ...], statistics: Statistics) -> float:
    """Of the rarest term: a phrase is at least as rare as any of its words."""
    frequency = min((statistics.document_frequency(term) for term in wanted), default=0)
    return math.log1p(statistics.number / (frequency + 1))


# Finds in a resume's text what is wanted, with its place.

_CHUNK = re.compile(r"""[^\s(),;:!?"/|<>\[\]{}&@*=~%$^\\`•–—-]+""")
"""What no term reaches beyond: each chunk can be analyzed by itself."""
_MAX_CHUNK_LENGTH = 64  # longer ones are rarely met twice and would fill the cache


class SnippetMatch(NamedTuple):
    """A tuple, since hundreds are made for every resume shown."""

    start: int
    end: int
    sought: SnippetTerm


def find(
    text: str, wanted: SnippetQuery, places: Mapping[str, Iterable[tuple[int, int]]] | None = None
) -> list[SnippetMatch]:
    """In the order of the text. `places` are those of the canonical skills that mining found."""
    words = _words(text, wanted)
    found: list[SnippetMatch] = []
    by_first = wanted.by_first
    for at, (term, start, end) in enumerate(words):
        for sought in by_first.get(term, ()):
            if len(sought.terms) == 1:
                found.append(SnippetMatch(start, end, sought))
            elif last := _end_of(sought.terms, text, words, at):
                found.append(SnippetMatch(start, last, sought))
    for skill, spots in (places or {}).items():
        if demanded := wanted.skills.get(skill):
            found += [SnippetMatch(start, end, demanded) for start, end in spots if 0 <= start < end <= len(text)]
    return sorted(found, key=lambda match: (match.start, match.end, match.sought.key))


def _end_of(phrase: tuple[str, ...], text: str, words: Sequence[tuple[str, int, int]], at: int) -> int | None:
    """Where the phrase ends that begins at this word, if it does. Stop words in between are passed over."""
    following = words[at : at + len(phrase)]
    if tuple(word[0] for word in following) != phrase:
        return None
    start, end = following[0][1], following[-1][2]
    return end if tuple(terms(text[start:end])) == phrase else None


def _words(text: str, wanted: SnippetQuery) -> list[tuple[str, int, int]]:
    """The terms of `analysis.spans` that are wanted, many times as fast: each chunk is looked at once a page."""
    words: list[tuple[str, int, int]] = []
    known = wanted.known
    for match in _CHUNK.finditer(text):
        chunk = match[0]
        found = known.get(chunk)
        if found is None:
            found = known[chunk] = _wanted_terms(chunk, wanted)
        if found:
            start = match.start()
            for term, first, last in found:
                words.append((term, start + first, start + last))
    return words


def _wanted_terms(chunk: str, wanted: SnippetQuery) -> tuple[tuple[str, int, int], ...]:
    """Few words begin as one that is wanted, and those that do are analyzed once ever."""
    word = chunk.rstrip(".")
    if word.isalnum() and word.isascii() and start_of(word.lower()) not in wanted.starts:
        return ()
    analyzed = (_remembered if len(word) <= _MAX_CHUNK_LENGTH else _analyzed)(word)
    return tuple(found for found in analyzed if found[0] in wanted.terms)


def _analyzed(chunk: str) -> tuple[tuple[str, int, int], ...]:
    return tuple((span.term, span.start, span.end) for span in spans(chunk))


_remembered = lru_cache(maxsize=1 << 16)(_analyzed)


# Cuts the few fragments of a text that show the most of what was found, at the ends of sentences, lines or words.

MAX_FRAGMENTS = 3
MAX_FRAGMENT_LENGTH = 200
_BREAK = re.compile(r"\n+\s*|(?<=[.!?;:])\s+|(?:(?<!\s)\s++)?[•▪●■◦‣·|]\s*+")
_LEADING = " \t\r\n•▪●■◦‣·|-–—*,;:.)"


def cut(text: str, found: Sequence[SnippetMatch]) -> tuple[Snippet, ...]:
    """The best fragment first; each next one for what the earlier ones do not show yet."""
    usable = [match for match in found if match.end - match.start <= MAX_FRAGMENT_LENGTH]
    seen: set[str] = set()
    taken: list[tuple[int, int]] = []
    snippets: list[Snippet] = []
    while len(snippets) < MAX_FRAGMENTS and (window := _best(usable, seen, taken)):
        # How far the window may grow before it meets another fragment.
        lowest = max((end for _, end in taken if end <= window[0]), default=0)
        highest = min((start for start, _ in taken if start >= window[1]), default=len(text))
        start, end = _round(text, *window, lowest, highest)
        inside = [match for match in usable if start <= match.start and match.end <= end]
        seen |= {match.sought.key for match in inside}
        taken.append((start, end))
        snippets.append(Snippet(text[start:end], _highlights(inside, start), start))
    return tuple(snippets)


def _best(found: Sequence[SnippetMatch], seen: set[str], taken: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The window whose distinct new wishes weigh most; a later one only if it is better."""
    fresh = [match for match in found if match.sought.key not in seen]
    if taken:
        fresh = [match for match in fresh if not _crosses(match.start, match.end, taken)]
    best, best_weight = None, 0.0
    inside: dict[str, int] = {}
    weight, first = 0.0, 0
    for last, match in enumerate(fresh):
        end, key = match.end, match.sought.key
        inside[key] = inside.get(key, 0) + 1
        weight += match.sought.weight if inside[key] == 1 else 0.0
        while end - fresh[first].start > MAX_FRAGMENT_LENGTH or (taken and _crosses(fresh[first].start, end, taken)):
            leaving = fresh[first].sought
            inside[leaving.key] -= 1
            weight -= leaving.weight if not inside[leaving.key] else 0.0
            first += 1
        if weight > best_weight * (1 + 1e-9):
            furthest = max(inner.end for inner in fresh[first : last + 1])
            if furthest - fresh[first].start <= MAX_FRAGMENT_LENGTH:
                best, best_weight = (fresh[first].start, furthest), weight
    return best


def _crosses(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    for other_start, other_end in taken:  # noqa: SIM110 - asked thousands of times, and `any` takes three times as long
        if start < other_end and other_start < end:
            return True
    return False


def _round(text: str, first: int, last: int, lowest: int, highest: int) -> tuple[int, int]:
    """Back to where the sentence or line begins, if that leaves room, then on to where one ends."""
    start = _start(text, first, max(lowest, last - MAX_FRAGMENT_LENGTH))
    end = _end(text, last, min(highest, start + MAX_FRAGMENT_LENGTH))
    while start < first and text[start] in _LEADING:
        start += 1
    while end > last and text[end - 1].isspace():
        end -= 1
    return start, end


def _start(text: str, first: int, earliest: int) -> int:
    breaks = [match.end() for match in _BREAK.finditer(text, earliest, first)]
    if breaks:
        return breaks[-1]
    if earliest == 0:
        return 0
    # No sentence begins near: half of the room goes before the window, up to the next whole word.
    middle = earliest + (first - earliest) // 2
    return next((at + 1 for at in range(middle, first) if text[at].isspace()), first)


def _end(text: str, last: int, latest: int) -> int:
    if latest == len(text):
        return latest
    breaks = [match.start() for match in _BREAK.finditer(text, last, latest)]
    if breaks:
        return breaks[-1]
    return next((at for at in range(latest, last, -1) if text[at : at + 1].isspace()), last)


def _highlights(inside: Sequence[SnippetMatch], start: int) -> tuple[tuple[int, int], ...]:
    """What was typed alone where it is there, and common terms only where nothing better is: a fragment full of marks
    shows nothing."""
    typed = [match for match in inside if match.sought.typed]
    telling = typed or [match for match in inside if not match.sought.common] or list(inside)
    merged: list[tuple[int, int]] = []
    for match in telling:
        first, last = match.start - start, match.end - start
        if merged and first < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return tuple(merged)


def make_snippets(
    text: str,
    wanted: SnippetQuery,
    *,
    places: Mapping[str, Iterable[tuple[int, int]]] | None = None,
    masked: Sequence[tuple[int, int]] = (),
) -> tuple[Snippet, ...]:
    """Up to three, none where nothing matches. `places` are those of the skills that mining found in the text.

    What touches a `masked` stretch is not found: which fragments are cut would tell that a word is there.
    """
    found = find(text, wanted, places)
    if masked:
        begins = [start for start, _ in masked]
        last = [bisect_left(begins, match.end) - 1 for match in found]  # the masked stretch that begins before its end
        found = [match for match, at in zip(found, last, strict=True) if at < 0 or masked[at][1] <= match.start]
    return cut(text, found)
