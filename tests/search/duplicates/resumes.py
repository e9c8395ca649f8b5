"""Generated resumes, some of them sent in again by the same person under another name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from evenhand.search.duplicates.sketch import METHOD, SketchParameters, Span, resemblance, shingle_set, without_contact
from evenhand_lab.corpora.generate import CorpusRequest, draft_duplicate, draft_plain
from evenhand_lab.corpora.kinds.kinds import KINDS
from evenhand_lab.corpora.manuscript import to_plain
from evenhand_lab.corpora.planting import PlantedCase

SENT_AGAIN = 20


@cache
def pile() -> dict[str, str]:
    """200 resumes of one job's applicants: 180 people, of whom 20 apply twice with 5 of 100 words edited."""
    order = CorpusRequest(seed=3, kind="it", formats=("txt",))
    originals = {f"{number}": to_plain(draft_plain(order, number).manuscript).text for number in range(180)}
    again = {
        f"{number} again": to_plain(
            draft_duplicate(order, PlantedCase(1000 + number, "duplicates", number)).manuscript
        ).text
        for number in range(SENT_AGAIN)
    }
    return originals | again


@cache
def one_of_each_kind() -> list[str]:
    return [
        to_plain(draft_plain(CorpusRequest(seed=5, kind=kind, formats=("txt",)), 1).manuscript).text
        for kind in sorted(KINDS)
    ]


def compare(
    a: str, b: str, *, spans_a: Sequence[Span] = (), spans_b: Sequence[Span] = (), method: SketchParameters = METHOD
) -> float:
    """The exact resemblance of two texts without their contact lines."""
    return resemblance(
        shingle_set(without_contact(a, spans_a), width=method.width),
        shingle_set(without_contact(b, spans_b), width=method.width),
    )
