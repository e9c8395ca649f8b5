"""What a search text says once it is understood: wishes that only rank, conditions that must hold."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Words:
    """Terms that stand together in this order; `positions` leave room for the stop words between them."""

    text: str  # as typed, without quotes
    terms: tuple[str, ...]
    positions: tuple[int, ...]
    prefix: bool = False  # `jav*`: any term that begins so
    where: str | None = None  # a field; None: anywhere in the resume
    place: tuple[int, int] = field(default=(0, 0), compare=False)  # in what was typed


@dataclass(frozen=True, slots=True)
class Months:
    """A skill, and how long it was used: with a bound, only dated months count. Both None: the skill at all."""

    skill: str
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Experience:
    """Months of experience in all (`total`) or in the field of the job held (`relevant`)."""

    kind: str
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Degree:
    """Any of these levels."""

    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Not:
    node: Node


@dataclass(frozen=True, slots=True)
class All:
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    nodes: tuple[Node, ...]


Node = Words | Months | Experience | Degree | Not | All | AnyOf


@dataclass(frozen=True, slots=True)
class SearchText:
    wishes: tuple[Words, ...] = ()
    conditions: tuple[Node, ...] = ()  # all of them
