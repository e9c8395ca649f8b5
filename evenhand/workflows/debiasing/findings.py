"""What concept removal did, in sentences that somebody can act on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from evenhand.debias.fairness import LEAST_ROWS
from evenhand.debias.probes import Leak
from evenhand.debias.scoring import Score
from evenhand.debias.selection import MOST_LOST, Choice
from evenhand.records.report import Finding, Severity

CLEAR_ABOVE, WATCH_ABOVE = 0.05, 0.15  # over the floor: nearly nothing; something; much
GAP_CLEAR = 0.05


def findings_of(
    before: Score, after: Score, *, floors: Mapping[str, float], choice: Choice | None = None
) -> tuple[Finding, ...]:
    """The leak of each variable, the price, the gap by group, and why this was recommended."""
    return tuple(_all(before, after, floors, choice))


def _all(
    before: Score, after: Score, floors: Mapping[str, float], choice: Choice | None
) -> Iterator[Finding]:
    for place, leak in enumerate(after.leaks):
        yield _leak(before.leaks[place], leak, floors[leak.variable])
    yield _price(before, after)
    for place, leak in enumerate(after.leaks):
        yield _gap(leak.variable, before.gap(place), after.gap(place))
    if choice is not None:
        yield _choice(choice)


def _leak(before: Leak, after: Leak, floor: float) -> Finding:
    first, last = before.worse, after.worse
    over = last - floor
    severity: Severity = "clear" if over <= CLEAR_ABOVE else "watch" if over <= WATCH_ABOVE else "concern"
    return Finding(
        f"debias.leak.{after.variable}",
        severity,
        f"How much the rows tell of {after.variable}",
        f"From the rows a trained reader told {after.variable} right for {first:.1%} of people before and for "
        f"{last:.1%} after; who knows the task's label alone is right for {floor:.1%}. A linear reader went from "
        f"{_mean(before.linear):.1%} to {_mean(after.linear):.1%}.",
        None
        if severity == "clear"
        else "Fit again with more labelled rows, with other decompositions and ranks (--thorough), or allow a higher "
        "price (--most-lost).",
        {"before": first, "after": last, "floor": floor, "linear_after": _mean(after.linear)},
    )


def _price(before: Score, after: Score) -> Finding:
    lost = before.accuracy - after.accuracy
    severity: Severity = "clear" if lost <= MOST_LOST else "watch" if lost <= 2.5 * MOST_LOST else "concern"
    return Finding(
        "debias.price",
        severity,
        "What removal costs",
        f"The task is told right for {before.accuracy:.1%} of people before and for {after.accuracy:.1%} after: "
        f"{abs(lost) * 100:.1f} points {'less' if lost >= 0 else 'more'}.",
        None if severity == "clear" else "Weigh the price against the leak; a smaller k costs less.",
        {"before": before.accuracy, "after": after.accuracy, "lost": lost},
    )


def _gap(variable: str, before: float | None, after: float | None) -> Finding:
    if before is None or after is None:
        return _no_gap(variable)
    severity: Severity = "clear" if after <= GAP_CLEAR else "watch"
    return Finding(
        f"debias.gap.{variable}",
        severity,
        f"Outcomes by {variable}",
        f"Between groups of {variable} the rate of right answers differs by {before * 100:.1f} points before and by "
        f"{after * 100:.1f} after (root mean square over the task's classes). Less leak is not a fair outcome: "
        "look at both.",
        None
        if severity == "clear"
        else "Audit what the model does with people: evenhand audit model, audit swaps.",
        {"before": before, "after": after},
    )


def _no_gap(variable: str) -> Finding:
    return Finding(
        f"debias.gap.{variable}",
        "unknown",
        f"Outcomes by {variable}",
        f"Whether outcomes differ between groups of {variable} is not known: no class of the task has {LEAST_ROWS} "
        "test rows in each of two groups, and fewer say nothing.",
        "Bring more labelled rows of the smaller groups.",
        {"before": None, "after": None},
    )


def _choice(choice: Choice) -> Finding:
    return Finding(
        "debias.choice",
        "clear" if choice.meets else "watch",
        "What is recommended, and why",
        choice.reason,
        None if choice.meets else "Nothing tried is cheap enough; decide whether the price is worth it.",
        {"leak_validation": choice.leak, "lost_validation": choice.lost, "k": choice.recipe.k},
    )


def _mean(values: tuple[float, ...]) -> float:
    return float(np.mean(values))
