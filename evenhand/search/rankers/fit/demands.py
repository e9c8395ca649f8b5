"""Which of the skills that a job asks for a resume has, in its jobs and projects, how lately and how long."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.records.job import Demand
from evenhand.search.digest import IN_POSITION, IN_PROJECT, Digest, DigestTable
from evenhand.search.rankers.fit.background import Background
from evenhand.search.rankers.fit.feature import Assumptions, Feature
from evenhand.search.rankers.frequencies import skill_table

_SHOWN = 8


def measure_demands(
    demands: Sequence[Demand],
    digests: Sequence[Digest],
    *,
    background: Background,
    assumptions: Assumptions,
) -> Feature | None:
    """The weighted mean of what each demand is met by; rare skills weigh more. Of alternatives the best one counts."""
    if not demands:
        return None
    names = list(dict.fromkeys(name for demand in demands for name in demand.skills))
    table = skill_table(names, digests)
    worth = _worth(table, digests, assumptions)
    column = {name: at for at, name in enumerate(names)}
    met = np.empty((len(digests), len(demands)))
    for at, demand in enumerate(demands):
        columns = [column[name] for name in demand.skills]
        months = table["months"][:, columns]
        met[:, at] = _met(worth[:, columns], months, demand.months, assumptions).max(axis=1)
    weights = [max(background.skill_weight(name) for name in demand.skills) for demand in demands]
    total = sum(weights)
    shares = (met * (np.array(weights) / total)).sum(axis=1) if total > 0 else met.mean(axis=1)

    def reason(row: int) -> str:
        having = [_has(demand, table[row], column) for demand in demands]
        return _reason(demands, having)

    return Feature(np.minimum(shares, 1.0), reason)


def _worth(
    table: NDArray[np.void], digests: Sequence[Digest], assumptions: Assumptions
) -> NDArray[np.float64]:
    """Resumes x skills: 0 where lacking, else by where and how lately it was used."""
    last = DigestTable.of(digests).last_months[:, None]
    last_used = table["last_used"].astype(np.float64)
    years = np.where(last_used > 0, (last - last_used) / 12, assumptions.undated_years)
    is_used = (table["places"] & (IN_POSITION | IN_PROJECT)) != 0
    worth = np.where(is_used, assumptions.use(years), assumptions.mentioned)
    return np.where(table["id"] != 0, worth, 0.0)


def measure_skilled_months(
    demands: Sequence[Demand], digests: Sequence[Digest], *, needed: int, background: Background
) -> NDArray[np.float64]:
    """The weighted mean of the months each demanded skill was used, of those needed; 0 where nothing is demanded."""
    shares, total = np.zeros(len(digests)), 0.0
    for demand in demands:
        table = skill_table(list(demand.skills), digests)
        weight = max(background.skill_weight(name) for name in demand.skills)
        shares += weight * np.minimum(np.maximum(table["months"], 0).max(axis=1) / needed, 1.0)
        total += weight
    return shares / total if total > 0 else shares


def _met(
    worth: NDArray[np.float64], months: NDArray[np.int16], asked: int | None, assumptions: Assumptions
) -> NDArray[np.float64]:
    """Where a time is asked for, most of it is for that time."""
    if not asked:
        return worth
    enough = np.minimum(np.maximum(months, 0) / asked, 1.0)
    return worth * (1.0 - assumptions.time + assumptions.time * enough)


def _has(demand: Demand, row: NDArray[np.void], column: dict[str, int]) -> str | None:
    """The skill held longest, with its years if they are known."""
    held = [(int(row[column[name]]["months"]), name) for name in demand.skills if row[column[name]]["id"]]
    if not held:
        return None
    months, name = max(held, key=lambda each: each[0])
    return f"{name} {months / 12:.1f} y" if months > 0 else name


def _reason(demands: Sequence[Demand], having: Sequence[str | None]) -> str:
    found = [has for has in having if has]
    missing = [" or ".join(demand.skills) for demand, has in zip(demands, having, strict=True) if not has]
    text = f"{len(found)} of {len(demands)}"
    if found:
        text += f": {_some(found)}"
    return text + (f"; not mentioned: {_some(missing)}" if missing else "")


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
