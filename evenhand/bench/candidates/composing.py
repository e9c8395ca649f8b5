"""Puts one candidate together: a person of some occupation, each part of the resume drawn from its own colleague."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from evenhand.bench.candidates.base import Base, Group
from evenhand.bench.candidates.blocks import Block, Head, Resume
from evenhand.bench.candidates.cutting import ENTRIES
from evenhand.bench.candidates.tail import make_tail
from evenhand.corpora.rng import stream

MAIL = ("gmail.example", "mail.example", "yahoo.example", "outlook.example", "post.example")


@dataclass(frozen=True, slots=True)
class Identity:
    """What no other candidate has."""

    name: str
    email: str
    phone: str
    link: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A block, the type of its section and where it stands in the text."""

    type: str
    start: int
    block: Block


@dataclass(frozen=True, slots=True)
class Candidate:
    number: int
    identity: Identity
    identity_places: tuple[tuple[str, int, int], ...]  # label, half-open place in the text
    head: Head
    as_of: str
    text: str
    placed: tuple[Placed, ...]  # without the head
    sections: tuple[tuple[str, int, int], ...]  # type, half-open place

    def entries(self, type: str) -> list[Placed]:
        """Jobs ("experience") or projects, in the order of the text."""
        return [each for each in self.placed if each.type == type and each.block.work]


def compose(base: Base, number: int, *, seed: int, group: Group | None = None) -> Candidate:
    """The candidate of this number, the same whatever was made before; of `group`, or of any occupation."""
    rng = stream(seed, number, "candidate")
    plan = rng.choice(base.members.get(group) or base.resumes if group else base.resumes)
    colleagues = base.members[plan.group]
    owner = rng.choice(colleagues)
    identity = _identity(rng, base.resumes, owner, number)
    text, places = _fill(owner.head, identity)
    placed: list[Placed] = []
    sections: list[tuple[str, int, int]] = []
    for type, blocks in _parts(rng, base, plan):
        text += "\n"
        start = len(text)
        for block in blocks:
            placed.append(Placed(type, len(text), block))
            text += block.text
        sections.append((type, start, len(text)))
    return Candidate(number, identity, places, owner.head, plan.as_of, text, tuple(placed), tuple(sections))


def _parts(rng: Random, base: Base, plan: Resume) -> Iterator[tuple[str, list[Block]]]:
    """The plan's sections in its order, with as many entries; what they say is drawn. Rare words come last."""
    for part in plan.parts:
        if part.type not in ENTRIES:
            yield part.type, list(rng.choice(base.sections[plan.group, part.type]).blocks)
            continue
        drawn = [rng.choice(base.entries[plan.group, part.type, place]) for place in range(len(part.blocks))]
        yield part.type, [*([part.heading] if part.heading else []), *drawn]
    yield "other", [make_tail(rng)]


def _identity(rng: Random, people: Sequence[Resume], owner: Resume, number: int) -> Identity:
    first, last = owner.name.split()[0], rng.choice(people).name.split()[-1]
    handle = f"{first}.{last}".lower()
    digits = f"{rng.randrange(10**9):09d}"
    return Identity(
        name=f"{first} {last}",
        email=f"{handle}{number % 10_000}@{rng.choice(MAIL)}",
        phone=f"{owner.phone.split()[0]} {digits[:4]} {digits[4:]}",
        link=f"linkedin.example/in/{handle.replace('.', '-')}-{number:x}",
    )


def _fill(head: Head, identity: Identity) -> tuple[str, tuple[tuple[str, int, int], ...]]:
    text = head.before
    places = []
    for label, after in head.gaps:
        start = len(text)
        text += str(getattr(identity, label))
        places.append((label, start, len(text)))
        text += after
    return text, tuple(places)
