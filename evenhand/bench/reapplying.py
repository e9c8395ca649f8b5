"""A pile of resumes in which some people apply twice: new name, mail and phone, 5 to 15 of 100 words edited."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from random import Random

from evenhand.corpora.kinds import KINDS
from evenhand.corpora.making import Order, draft_plain
from evenhand.corpora.manuscript import to_plain
from evenhand.corpora.planting.duplicates import rename, renew_person, swap_items
from evenhand.corpora.rng import stream
from evenhand.workflows.watching import Watch, unwatched, watched

LEAST_EDITED, MOST_EDITED = 0.05, 0.15  # of the words
REPLACED, LEFT_OUT = 0.6, 0.2  # of the edits; the others put a word in
BATCH = 100


@dataclass(frozen=True, slots=True)
class Pile:
    """Texts by number. Planted pairs are an original and the number under which it is sent again."""

    texts: dict[int, str]
    planted: frozenset[tuple[int, int]]

    def first(self, n: int) -> Pile:
        """The first resumes, originals and copies in the same proportion."""
        originals = len(self.texts) - len(self.planted)
        copies = round(len(self.planted) * n / len(self.texts))
        wanted = {*range(n - copies), *range(originals, originals + copies)}
        return Pile(
            {number: text for number, text in self.texts.items() if number in wanted},
            frozenset(pair for pair in self.planted if wanted.issuperset(pair)),
        )


def make_pile(n: int, planted: int, *, seed: int, watch: Watch = unwatched) -> Pile:
    """`n` resumes of all kinds in turn, the last `planted` of them the first ones sent again."""
    originals = n - planted
    tasks = [(seed, originals, range(start, min(start + BATCH, n))) for start in range(0, n, BATCH)]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        batches = watched(pool.map(_make_batch, tasks), watch, "generating resumes", len(tasks))
        texts = dict(enumerate(text for batch in batches for text in batch))
    return Pile(texts, frozenset((number, originals + number) for number in range(planted)))


def _make_batch(task: tuple[int, int, range]) -> list[str]:
    seed, originals, numbers = task
    return [
        _original(seed, number) if number < originals else _sent_again(seed, number - originals)
        for number in numbers
    ]


def _order(seed: int, number: int) -> Order:
    kinds = sorted(KINDS)
    return Order(seed, kinds[number % len(kinds)], ("txt",))


def _original(seed: int, number: int) -> str:
    return to_plain(draft_plain(_order(seed, number), number).manuscript).text


def _sent_again(seed: int, number: int) -> str:
    """The person becomes another one; list items change places and words are edited all over the text."""
    rng = stream(seed, number, "sent again")
    order = _order(seed, number)
    draft, other = draft_plain(order, number), draft_plain(order, number + 1_000_000)
    person = renew_person(other.career.person, rng)
    first, *others = (rename(section, draft.career.person, person) for section in draft.manuscript.sections)
    sections = (first, *(swap_items(section, rng) for section in others))
    text = to_plain(replace(draft.manuscript, sections=sections)).text
    return edit(text, to_plain(other.manuscript).text.split(), rng.uniform(LEAST_EDITED, MOST_EDITED), rng)


def edit(text: str, strange: Sequence[str], share: float, rng: Random) -> str:
    """Exactly this share of the words replaced by a strange one, left out, or followed by one."""
    lines = [line.split(" ") for line in text.split("\n")]
    places = [(row, at) for row, words in enumerate(lines) for at, word in enumerate(words) if word]
    for row, at in rng.sample(places, round(share * len(places))):
        chance = rng.random()
        if chance < REPLACED:
            lines[row][at] = rng.choice(strange)
        elif chance < REPLACED + LEFT_OUT:
            lines[row][at] = ""
        else:
            lines[row][at] += f" {rng.choice(strange)}"
    return "\n".join(" ".join(words) for words in lines)
