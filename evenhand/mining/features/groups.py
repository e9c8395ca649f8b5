"""Entries of one resume are written alike: what stands at the same place of the other entries tells of this one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from evenhand.mining.crf.memory import Piece
from evenhand.mining.features.facts import LineFacts
from evenhand.mining.features.words import Flags

OPENING = frozenset(("entry", "project"))
GOING_ON = frozenset(("head", "about"))
TOLD = ("title", "degree", "field", "university", "company", "school", "firm", "place", "date", "skill")
DEEPEST = 5  # lines of a head that are compared


@dataclass(frozen=True, slots=True)
class Groups:
    """`heads` are the lines of each entry's head; `cells` count what stands in line i, segment j of all entries."""

    places: dict[
        int, tuple[str, int, int]
    ]  # line to the kind of entry, its number in the head and the head's length
    others: dict[int, tuple[str, ...]]  # line to what the other lines of its head hold
    cells: dict[tuple[str, int, int], Counter[str]]
    totals: Counter[tuple[str, int, int]]
    flags: list[list[Flags]]

    def of_line(self, place: int) -> list[Piece]:
        found = self.places.get(place)
        if found is None:
            return []
        kind, number, length = found
        return [_head(kind, min(number, DEEPEST), min(length, DEEPEST), self.others[place])]

    def of_cell(self, place: int, segment: int) -> list[Piece]:
        """How often the same cell of the other entries holds a title, a place, a date..."""
        found = self.places.get(place)
        if found is None:
            return []
        key = (found[0], found[1], segment)
        others = self.totals[key] - 1
        if others < 1:
            return [("cell alone",)]
        own = self.flags[place][segment]
        cell = self.cells[key]
        names = []
        for flag in TOLD:
            share = (cell.get(flag, 0) - (flag in own)) / others
            if share >= 0.2:
                names.append(f"cell {flag} {'most' if share >= 0.6 else 'some'}")
        return [tuple(names) or ("cell nothing",)]


@lru_cache(maxsize=20_000)
def _head(kind: str, number: int, length: int, others: tuple[str, ...]) -> Piece:
    return (
        f"head={kind}#{number}",
        f"head={kind}#{number}/{length}",
        *(f"elsewhere{held}" for held in others),
        f"elsewhere={','.join(others)}",
    )


def find_groups(facts: list[LineFacts], labels: list[str], flags: list[list[Flags]]) -> Groups:
    heads: list[tuple[str, list[int]]] = []
    current: tuple[str, list[int]] | None = None
    for place, label in enumerate(labels):
        type_, _, role = label.partition(".")
        if role in OPENING:
            current = (f"{type_}.{role}", [place])
            heads.append(current)
        elif role in GOING_ON and current and place - current[1][-1] <= 2:
            current[1].append(place)
        elif role not in GOING_ON:
            current = None
    return _counted(heads, facts, flags)


def _counted(heads: list[tuple[str, list[int]]], facts: list[LineFacts], flags: list[list[Flags]]) -> Groups:
    places: dict[int, tuple[str, int, int]] = {}
    others: dict[int, tuple[str, ...]] = {}
    cells: dict[tuple[str, int, int], Counter[str]] = {}
    totals: Counter[tuple[str, int, int]] = Counter()
    for kind, lines in heads:
        for number, line in enumerate(lines):
            places[line] = (kind, number, len(lines))
            held = {hold for other in lines if other != line for hold in facts[other].holds}
            dated = {"+date"} if any(facts[other].date for other in lines if other != line) else set()
            others[line] = tuple(sorted(held | dated))
            for segment, found in enumerate(flags[line]):
                key = (kind, number, segment)
                totals[key] += 1
                cells.setdefault(key, Counter()).update(found)
    return Groups(places, others, cells, totals, flags)
