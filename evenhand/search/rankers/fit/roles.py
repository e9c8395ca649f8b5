"""What people did before, by the titles of their positions: how alike to the job's title, how long, how lately."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evenhand.search.analysis import term_id
from evenhand.search.digest import Digest, DigestTable, Held
from evenhand.search.rankers.fit.background import Background
from evenhand.search.rankers.fit.feature import Assumptions, Feature
from evenhand.search.titles import title_terms

_SHOWN = 3
_ALIKE = 0.2  # titles less alike are not named as a reason


@dataclass(frozen=True, eq=False)
class Roles:
    """All positions of all resumes end to end. Likeness is Dice's: the weight both titles share over that of both."""

    digests: Sequence[Digest]
    likeness: NDArray[np.float64]  # per position, 0 to 1
    resumes: NDArray[np.intp]  # the row each position belongs to
    months: NDArray[np.float64]
    years: NDArray[np.float64]  # from its end to the end of the resume's last position

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """Where each resume's positions begin."""
        return np.searchsorted(self.resumes, np.arange(len(self.digests) + 1))

    def titled(self, row: int, values: NDArray[np.float64]) -> list[tuple[float, Held, float]]:
        """A resume's positions with the values and likenesses given, the largest value first."""
        first, last = self.starts[row], self.starts[row + 1]
        held = self.digests[row].facts.positions[: last - first]
        found = zip(values[first:last].tolist(), held, self.likeness[first:last].tolist(), strict=True)
        return sorted(found, key=lambda each: -each[0])


def compare_roles(
    title: str, digests: Sequence[Digest], *, background: Background, assumptions: Assumptions
) -> Roles:
    table = DigestTable.of(digests)
    held, resumes = table.roles, table.rows("roles")
    ends = held["end"].astype(np.float64)
    last = np.zeros(len(digests))
    np.maximum.at(last, resumes, ends)
    years = np.where(ends > 0, (last[resumes] - ends) / 12, assumptions.undated_years)
    months = np.where(held["months"] >= 0, held["months"], assumptions.undated_months).astype(np.float64)
    likeness = _likeness(title, table, background)
    return Roles(table, likeness, resumes, months, years)


def _likeness(title: str, table: DigestTable, background: Background) -> NDArray[np.float64]:
    words, numbers = table.title_terms, table.numbers("roles")
    positions = words["entry"] + (np.cumsum(numbers) - numbers)[table.rows("title_terms")]
    weights = background.title_weights(words["id"])
    asked = {term_id(term): background.title_weight(term) for term in title_terms(title)}
    shared = np.where(np.isin(words["id"], np.array(list(asked), np.uint32)), weights, 0.0)
    total = len(table.roles)
    common = np.bincount(positions, shared, total)
    both = np.bincount(positions, weights, total) + sum(asked.values())
    likeness: NDArray[np.float64] = np.divide(2 * common, both, out=np.zeros(total), where=both > 0)
    return likeness


def measure_title(roles: Roles, *, title: str, assumptions: Assumptions) -> Feature:
    """The position most like the job, less for every year since."""
    values = roles.likeness * assumptions.recency(roles.years)
    shares = np.zeros(len(roles.digests))
    np.maximum.at(shares, roles.resumes, values)

    def reason(row: int) -> str:
        for value, held, likeness in roles.titled(row, values)[:1]:
            if value > 0:
                until = f" until {held.end // 12}" if held.end else ""
                return f"{held.title}{until}: {likeness:.0%} like {title}"
        return f"no title like {title}"

    return Feature(shares, reason)


def measure_experience(
    roles: Roles, *, asked: int | None, skilled: NDArray[np.float64], assumptions: Assumptions
) -> Feature:
    """Months in positions, each as far as its title is like the job's, of those asked for.

    Titles differ from house to house, so that `skilled`, the share of the time with the must-haves, counts as well
    where it is more, though less.
    """
    needed = asked if asked else assumptions.months
    values = roles.likeness * roles.months
    related = np.bincount(roles.resumes, values, len(roles.digests))
    by_title, by_skill = np.minimum(related / needed, 1.0), assumptions.skilled * skilled

    def reason(row: int) -> str:
        if by_skill[row] > by_title[row]:
            return f"{skilled[row]:.0%} of {_years(needed)} years with the must-haves, under other titles"
        alike = [held for _, held, likeness in roles.titled(row, values) if likeness >= _ALIKE]
        names = list(dict.fromkeys(held.title for held in alike if held.title))[:_SHOWN]
        found = f"{related[row] / 12:.1f} years of related work" + (f" ({', '.join(names)})" if names else "")
        return found + (f", asked for {_years(needed)}" if asked else f"; {_years(needed)} count in full")

    return Feature(np.maximum(by_title, by_skill), reason)


def measure_total(digests: Sequence[Digest], asked: int) -> Feature:
    """For a job without a title: all months of experience of those asked for."""
    months = np.maximum(DigestTable.of(digests).headers["total"], 0)

    def reason(row: int) -> str:
        return f"{months[row] / 12:.1f} years of work, asked for {_years(asked)}"

    return Feature(np.minimum(months / asked, 1.0), reason)


def _years(months: int) -> str:
    return f"{months / 12:g}" if months % 12 == 0 else f"{months / 12:.1f}"
