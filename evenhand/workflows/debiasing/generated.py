"""Generated resumes with group truth: texts, occupations, and groups to remove from what an encoder makes of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from evenhand.corpora.making import Order, draft_plain
from evenhand.corpora.manuscript import to_plain
from evenhand.debias.samples import Floats, Samples, make_samples, variable
from evenhand.workflows.watching import Watch, unwatched

TASK = "occupation"
GROUPS = ("gender", "origin")
LEAST_OF_GROUP = 0.04  # of all; a smaller group is too few to learn, and counts as not known


@dataclass(frozen=True, slots=True)
class GeneratedResumes:
    """In one order; `groups` by variable, None where the group is too small."""

    texts: tuple[str, ...]
    occupations: tuple[str, ...]
    groups: dict[str, tuple[str | None, ...]]

    def samples(self, rows: Floats) -> Samples:
        sensitive = [variable(name, values) for name, values in self.groups.items()]
        return make_samples(rows, variable(TASK, self.occupations), sensitive)


def generate(
    n: int, *, seed: int = 0, variables: tuple[str, ...] = GROUPS, watch: Watch = unwatched
) -> GeneratedResumes:
    """Whole resumes, names and all: what tells of groups is what a screener would send."""
    order = Order(seed, "mixed", ("txt",))
    drafts = []
    with watch("writing resumes", n) as bar:
        for number in range(n):
            drafts.append(draft_plain(order, number))
            bar.advance()
    return GeneratedResumes(
        tuple(to_plain(draft.manuscript).text for draft in drafts),
        tuple(draft.career.occupation for draft in drafts),
        {name: _large([str(getattr(draft.groups, name)) for draft in drafts]) for name in variables},
    )


def _large(values: list[str]) -> tuple[str | None, ...]:
    counts = Counter(values)
    least = LEAST_OF_GROUP * len(values)
    return tuple(value if counts[value] >= least else None for value in values)
