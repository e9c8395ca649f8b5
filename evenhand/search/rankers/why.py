"""Why one resume stands above another: the difference of two scores, part by part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.records.ranking import Part, Score


@dataclass(frozen=True, slots=True)
class Difference:
    """What one part of the scores has to do with it; None where a score lacks the part."""

    name: str
    above: Part | None
    below: Part | None

    @property
    def value(self) -> float:
        return (self.above.value if self.above else 0.0) - (self.below.value if self.below else 0.0)

    def to_part(self) -> Part:
        """With what each side's part came from."""
        sides = (("above", self.above), ("below", self.below))
        reasons = (f"{side}: {part.reason or part.value if part else 'nothing'}" for side, part in sides)
        return Part(self.name, self.value, "; ".join(reasons))


@dataclass(frozen=True, slots=True)
class Comparison:
    differences: tuple[Difference, ...]  # the largest first, whichever side they favour

    @property
    def value(self) -> float:
        """The first score less the second, rounded once."""
        sides = [(each.above, each.below) for each in self.differences]
        return math.fsum(
            [above.value for above, _ in sides if above] + [-below.value for _, below in sides if below]
        )


def compare(above: Score, below: Score) -> Comparison:
    """Swapping the scores swaps the sides and turns every sign, nothing else. Equal parts are left out."""
    first, second = _by_name(above.parts), _by_name(below.parts)
    names = sorted(first.keys() | second.keys())
    found = [Difference(name, first.get(name), second.get(name)) for name in names]
    telling = [difference for difference in found if difference.value]
    return Comparison(tuple(sorted(telling, key=lambda each: (-abs(each.value), each.name))))


def _by_name(parts: Sequence[Part]) -> dict[str, Part]:
    found: dict[str, Part] = {}
    for part in parts:
        if part.name in found:
            raise ValueError(f"two parts of a score are called {part.name!r}")
        found[part.name] = part
    return found
