"""Each demand of the job beside what one resume has of it, as a row with a bar of months."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.cli.durations import short
from evenhand.cli.terminal import printable
from evenhand.records.job import Demand, Job
from evenhand.records.ranking import Match, Result
from evenhand.workflows.candidate_facts import is_met

LONGEST = 180  # months: longer ones fill the bar
SIGNS = {"met": "✓", "short": "↓", "not dated": "?", "missing": "✗", "not mentioned": "–"}


@dataclass(frozen=True, slots=True)
class DemandRow:
    name: str
    must: bool
    state: str  # one of SIGNS
    sign: str
    words: str
    width: str | None  # of the months, in percent
    mark: str | None  # where the months asked for lie

    @property
    def kind(self) -> str:
        """For the style: a class name."""
        return self.state.replace(" ", "-")


def longest_months(job: Job, results: Sequence[Result]) -> int:
    """What a full bar stands for, the same with every candidate."""
    months = [match.months or 0 for result in results for match in result.matched]
    months += [demand.months or 0 for demand in job.demands]
    return min(max([*months, 12]), LONGEST)


def demand_rows(job: Job, result: Result, longest: int) -> list[DemandRow]:
    """Must-haves first."""
    demands = sorted(job.demands, key=lambda demand: not demand.must)
    return [_row(demand, _match(demand, result), longest) for demand in demands]


def _match(demand: Demand, result: Result) -> Match | None:
    return next((match for match in result.matched if match.skill in demand.skills), None)


def _row(demand: Demand, match: Match | None, longest: int) -> DemandRow:
    state = _state(demand, match)
    return DemandRow(
        name=printable(match.skill if match else " or ".join(demand.skills)),
        must=demand.must,
        state=state,
        sign=SIGNS[state],
        words=_words(demand, match),
        width=_percent(match.months, longest) if match and match.months is not None else None,
        mark=_percent(min(demand.months, 0.99 * longest), longest) if demand.months else None,
    )


def _state(demand: Demand, match: Match | None) -> str:
    if match is None:
        return "missing" if demand.must else "not mentioned"
    if is_met(match):
        return "met"
    return "not dated" if match.months is None else "short"


def _words(demand: Demand, match: Match | None) -> str:
    asked = f", {short(demand.months)} asked" if demand.months else ""
    if match is None:
        return ("missing" if demand.must else "not mentioned") + asked
    return ("not dated" if match.months is None else short(match.months)) + asked


def _percent(months: float, longest: int) -> str:
    return f"{min(100 * months / longest, 100):.1f}%"
