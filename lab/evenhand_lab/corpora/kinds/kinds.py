"""The kinds of careers there are."""

from __future__ import annotations

from collections.abc import Callable

from evenhand_lab.corpora.career import Career, Month, month
from evenhand_lab.corpora.groups import Groups
from evenhand_lab.corpora.kinds import crc, it, mixed
from evenhand_lab.corpora.lexicon import Stream, streams

AS_OF = month(2026, 10)

Sample = Callable[[Stream, int, Month], tuple[Career, Groups]]
"""`sample(stream, number, as_of)`: `stream(purpose)` gives the random numbers for one purpose."""

KINDS: dict[str, Sample] = {"it": it.sample, "crc": crc.sample, "mixed": mixed.sample}


def sample_career(kind: str, *, seed: int, number: int, as_of: Month = AS_OF) -> tuple[Career, Groups]:
    """The career with that number, and apart from it the groups of its person; always the same for the same seed."""
    if kind not in KINDS:
        raise ValueError(f"there is no kind {kind!r}; there are {', '.join(KINDS)}")
    source = streams(seed, number)
    return KINDS[kind](lambda purpose: source(f"{kind}/{purpose}"), number, as_of)


def drawn_occupation(kind: str, *, seed: int, number: int) -> str:
    """In which lexicon the career with that number will be found, without making it; of the kinds it and mixed."""
    source = streams(seed, number)
    draw = {"it": it.draw_occupation, "mixed": mixed.draw_occupation}[kind]
    return draw(lambda purpose: source(f"{kind}/{purpose}"))
