"""Entries of one resume are written alike: what stands at the same place of the other entries tells of this one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from evenhand.mining.features.facts import LineFacts

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
    flags: list[list[list[str]]]

    def of_line(self, place: int) -> list[str]:
        found = self.places.get(place)
        if found is None:
            return []
        kind, number, length = found
        return [
            f"head={kind}#{min(number, DEEPEST)}",
            f"head={kind}#{min(number, DEEPEST)}/{min(length, DEEPEST)}",
            *(f"elsewhere{held}" for held in self.others[place]),
            f"elsewhere={','.join(self.others[place])}",
        ]

    def of_cell(self, place: int, segment: int) -> list[str]:
        """How often the same cell of the other entries holds a title, a place, a date..."""
        found = self.places.get(place)
        if found is None:
            return []
        key = (found[0], found[1], segment)
        others = self.totals[key] - 1
        if others < 1:
            return ["cell alone"]
        own = self.flags[place][segment]
        names = []
        for flag in TOLD:
            share = (self.cells[key][flag] - (flag in own)) / others
            if share >= 0.2:
                names.append(f"cell {flag} {'most' if share >= 0.6 else 'some'}")
        return names or ["cell nothing"]


def find_groups(facts: list[LineFacts], labels: list[str], flags: list[list[list[str]]]) -> Groups:
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


def _counted(
    heads: list[tuple[str, list[int]]], facts: list[LineFacts], flags: list[list[list[str]]]
) -> Groups:
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
