"""Cuts the few fragments of a text that show the most of what was found, at the ends of sentences, lines or words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evenhand.records.ranking import Snippet
from evenhand.search.snippets.matching import Found

MOST_FRAGMENTS = 3
LONGEST = 200
_BREAK = re.compile(r"\n+\s*|(?<=[.!?;:])\s+|\s*[•▪●■◦‣·|]\s*")
_LEADING = " \t\r\n•▪●■◦‣·|-–—*,;:.)"


def cut(text: str, found: Sequence[Found]) -> tuple[Snippet, ...]:
    """The best fragment first; each next one for what the earlier ones do not show yet."""
    usable = [match for match in found if match.end - match.start <= LONGEST]
    seen: set[str] = set()
    taken: list[tuple[int, int]] = []
    snippets: list[Snippet] = []
    while len(snippets) < MOST_FRAGMENTS and (window := _best(usable, seen, taken)):
        start, end = _round(text, *window, *_free(text, window, taken))
        inside = [match for match in usable if start <= match.start and match.end <= end]
        seen |= {match.sought.key for match in inside}
        taken.append((start, end))
        snippets.append(Snippet(text[start:end], _highlights(inside, start), start))
    return tuple(snippets)


def _best(found: Sequence[Found], seen: set[str], taken: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
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
        while end - fresh[first].start > LONGEST or (taken and _crosses(fresh[first].start, end, taken)):
            leaving = fresh[first].sought
            inside[leaving.key] -= 1
            weight -= leaving.weight if not inside[leaving.key] else 0.0
            first += 1
        if weight > best_weight * (1 + 1e-9):
            furthest = max(each.end for each in fresh[first : last + 1])
            if furthest - fresh[first].start <= LONGEST:
                best, best_weight = (fresh[first].start, furthest), weight
    return best


def _crosses(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    for other_start, other_end in taken:  # noqa: SIM110 - asked thousands of times, and `any` takes three times as long
        if start < other_end and other_start < end:
            return True
    return False


def _free(text: str, window: tuple[int, int], taken: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """How far the window may grow before it meets another fragment."""
    lowest = max((end for _, end in taken if end <= window[0]), default=0)
    highest = min((start for start, _ in taken if start >= window[1]), default=len(text))
    return lowest, highest


def _round(text: str, first: int, last: int, lowest: int, highest: int) -> tuple[int, int]:
    """Back to where the sentence or line begins, if that leaves room, then on to where one ends."""
    start = _start(text, first, max(lowest, last - LONGEST))
    end = _end(text, last, min(highest, start + LONGEST))
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


def _highlights(inside: Sequence[Found], start: int) -> tuple[tuple[int, int], ...]:
    """Common terms are marked only where nothing better is: a fragment full of marks shows nothing."""
    telling = [match for match in inside if not match.sought.common] or list(inside)
    merged: list[tuple[int, int]] = []
    for match in telling:
        first, last = match.start - start, match.end - start
        if merged and first < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return tuple(merged)
