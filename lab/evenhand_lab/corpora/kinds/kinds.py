"""The kinds of careers there are; each kind is one module with a `sample`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from evenhand_lab.corpora.career import Career, Month, month
from evenhand_lab.corpora.groups import Groups
from evenhand_lab.corpora.lexicon import Stream, streams

AS_OF = month(2026, 10)

Sample = Callable[[Stream, int, Month], tuple[Career, Groups]]
"""`sample(stream, number, as_of)`: `stream(purpose)` gives the random numbers for one purpose."""

KINDS = {
    "it": "evenhand_lab.corpora.kinds.it",
    "crc": "evenhand_lab.corpora.kinds.crc",
    "mixed": "evenhand_lab.corpora.kinds.mixed",
}


def sample_career(kind: str, *, seed: int, number: int, as_of: Month = AS_OF) -> tuple[Career, Groups]:
    """The career with that number, and apart from it the groups of its person; always the same for the same seed."""
    source = streams(seed, number)
    return sampler(kind)(lambda purpose: source(f"{kind}/{purpose}"), number, as_of)


def drawn_occupation(kind: str, *, seed: int, number: int) -> str:
    """In which lexicon the career with that number will be found, without making it; of the kinds it and mixed."""
    source = streams(seed, number)
    draw: Callable[[Stream], str] = import_module(KINDS[kind]).draw_occupation
    return draw(lambda purpose: source(f"{kind}/{purpose}"))


def sampler(kind: str) -> Sample:
    if kind not in KINDS:
        raise ValueError(f"there is no kind {kind!r}; there are {', '.join(KINDS)}")
    sample: Sample = import_module(KINDS[kind]).sample
    return sample
