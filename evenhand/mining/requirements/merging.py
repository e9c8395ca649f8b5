"""One demand for each skill: the strongest of those an ad makes, with all places where it makes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from evenhand.records.job import Demand, Place


def merge(demands: Iterable[Demand]) -> tuple[Demand, ...]:
    """In the order in which the text first names them."""
    kept: list[Demand] = []
    places: list[set[Place]] = []
    home: dict[str, int] = {}
    for demand in sorted(demands, key=_weakness):
        homes = {home[name] for name in demand.skills if name in home}
        for at in homes:
            places[at].update(demand.places)
        free = tuple(name for name in dict.fromkeys(demand.skills) if name not in home)
        if free:
            home |= dict.fromkeys(free, len(kept))
            # Who has the skill that is asked for elsewhere has met the choice: the others are welcome, no more.
            kept.append(replace(demand, skills=free, must=demand.must and not homes))
            places.append(set(demand.places))
    merged = [replace(demand, places=_in_order(where)) for demand, where in zip(kept, places, strict=True)]
    return tuple(sorted(merged, key=lambda demand: (demand.places[0].start, demand.skills)))


def _weakness(demand: Demand) -> tuple[bool, bool, int, int, int]:
    months = demand.months or 0
    return (not demand.must, demand.months is None, -months, len(demand.skills), demand.places[0].start)


def _in_order(places: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(sorted(places, key=lambda place: (place.start, place.end)))
