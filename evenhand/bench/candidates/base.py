"""The few thousand generated resumes that a million candidates are put together from."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from evenhand.bench.candidates.blocks import Block, Part, Resume
from evenhand.bench.candidates.cutting import ENTRIES, cut
from evenhand.corpora.kinds import KINDS
from evenhand.corpora.making import Order, draft_plain
from evenhand.corpora.manuscript import to_plain
from evenhand.corpora.truth_building import build_truth
from evenhand.workflows.watching import Watch, unwatched, watched

RESUMES = 6_000
BATCH = 100
Group = tuple[str, str]


@dataclass(frozen=True)
class Base:
    """Parts by occupation. An entry goes by its place in its section: latest jobs stay latest jobs."""

    resumes: Sequence[Resume]
    members: dict[Group, list[Resume]] = field(default_factory=lambda: defaultdict(list))
    sections: dict[tuple[Group, str], list[Part]] = field(default_factory=lambda: defaultdict(list))
    entries: dict[tuple[Group, str, int], list[Block]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for resume in self.resumes:
            self.members[resume.group].append(resume)
            for part in resume.parts:
                self.sections[resume.group, part.type].append(part)
                if part.type in ENTRIES:
                    for place, block in enumerate(part.blocks):
                        self.entries[resume.group, part.type, place].append(block)


def make_base(n: int = RESUMES, *, seed: int, watch: Watch = unwatched) -> Base:
    """All kinds of generated resumes in turn."""
    tasks = [(seed, range(start, min(start + BATCH, n))) for start in range(0, n, BATCH)]
    if len(tasks) == 1:
        return Base(_make_batch(tasks[0]))
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        batches = watched(pool.map(_make_batch, tasks), watch, "generating resumes", len(tasks))
        return Base([resume for batch in batches for resume in batch])


def _make_batch(task: tuple[int, range]) -> list[Resume]:
    seed, numbers = task
    return [_make(seed, number) for number in numbers]


def _make(seed: int, number: int) -> Resume:
    kinds = sorted(KINDS)
    draft = draft_plain(Order(seed, kinds[number % len(kinds)], ("txt",)), number)
    return cut(draft.manuscript, build_truth(draft.career, draft.manuscript, to_plain(draft.manuscript)))
