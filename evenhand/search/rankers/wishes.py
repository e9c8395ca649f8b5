"""What screeners wish of a ranking beyond words: skills used in projects, lately, and at good institutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.search.digest import IN_POSITION, IN_PROJECT, Digest, DigestTable
from evenhand.search.rankers.contributions import Contributions, join
from evenhand.search.rankers.frequencies import skill_table
from evenhand.search.rankers.ranker import idf
from evenhand.search.statistics import Statistics

Quality = Callable[[Digest], float]
"""How good a resume's institutions and companies are; it has to pass a bias audit before it gets a weight."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """weight * sum over skills of (sum over places of w_place * decay(age)) * idf + quality_weight * quality.

    A mention in a job or project adds to that of being mentioned at all, so moving a mention into a project raises the
    score however old the project is.
    """

    weight: float = 1.0
    mention_weight: float = 0.25  # anywhere; it has no age
    use_weight: float = 1.0  # in a job or project
    half_life_years: float = 3.0
    unknown_years: float = 6.0  # the age of a job or project without dates
    quality_weight: float = 0.0

    def contributions(
        self,
        wanted: Sequence[Sequence[str]],
        digests: Sequence[Digest],
        statistics: Statistics,
        *,
        quality: Quality | None = None,
    ) -> Contributions:
        """`wanted`: canonical names; of alternatives ("Java or .NET") the one that adds most counts."""
        skills = self._skills(wanted, digests, statistics)
        if not self.quality_weight or quality is None:
            return skills
        values = np.array([[self.quality_weight * quality(digest)] for digest in digests]).reshape(-1, 1)
        standing = Contributions(("institutions",), values, lambda *_: "quality of schools and companies")
        return join((skills, standing))

    def _skills(
        self, wanted: Sequence[Sequence[str]], digests: Sequence[Digest], statistics: Statistics
    ) -> Contributions:
        wanted = list(dict.fromkeys(tuple(any_of) for any_of in wanted))
        names = list(dict.fromkeys(name for any_of in wanted for name in any_of))
        rarity = [idf(statistics.skill_frequency(name), statistics.number) for name in names]
        table = skill_table(names, digests)
        years = self._years(table, digests)
        worth = self.weight * self._worth(table, years) * np.array(rarity)
        columns = [[names.index(name) for name in any_of] for any_of in wanted]
        best = [np.array(column)[np.argmax(worth[:, column], axis=1)] for column in columns]
        values = np.zeros((len(digests), len(wanted)))
        for at, chosen in enumerate(best):
            values[:, at] = worth[np.arange(len(digests)), chosen]

        def reason(row: int, column: int) -> str:
            at = int(best[column][row])
            return _reason(names[at], bool(_used(table[row, at])), float(years[row, at]), rarity[at])

        return Contributions(
            tuple(f"skill in use: {' or '.join(any_of)}" for any_of in wanted), values, reason
        )

    def _years(self, table: NDArray[np.void], digests: Sequence[Digest]) -> NDArray[np.float64]:
        """Since each skill was last used."""
        now = DigestTable.of(digests).headers["as_of"].astype(np.float64)[:, None]
        last = table["last_used"].astype(np.float64)
        return np.where(last > 0, np.maximum(now - last, 0.0) / 12, self.unknown_years)

    def _worth(self, table: NDArray[np.void], years: NDArray[np.float64]) -> NDArray[np.float64]:
        mentioned = self.mention_weight * np.asarray(table["id"] != 0, np.float64)
        decay: NDArray[np.float64] = np.exp2(-years / self.half_life_years)
        return mentioned + self.use_weight * _used(table) * decay


def _used(table: NDArray[np.void]) -> NDArray[np.bool_]:
    return np.asarray((table["places"] & (IN_POSITION | IN_PROJECT)) != 0)


def _reason(name: str, used: bool, years: float, rarity: float) -> str:
    where = (
        f"used in a job or project, {years:.1f} years ago" if used else "mentioned, but in no job or project"
    )
    return f"{name} is {where}; idf {rarity:.3f}"
