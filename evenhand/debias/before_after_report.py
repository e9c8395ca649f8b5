"""Before and after removal on one page: what rows tell of a group, what a swap of words does, and how groups fare."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from evenhand.audit.methods import method_texts
from evenhand.audit.swaps.comparison import SwapComparison
from evenhand.audit.swaps.wording import number
from evenhand.debias.before_after import ERASED, BeforeAfter, GroupOutcome
from evenhand.debias.probes import floor_accuracy
from evenhand.debias.report import findings_of
from evenhand.records.report import Chart, Finding, Report, ReportSection, ReportTable, Severity
from evenhand.rendering.charts import coloured, interval, layer, layered, nominal, quantitative
from evenhand.text.wording import count
from evenhand.version import __version__

BLUE, GREY = "#3b6ea8", "#9aa0a6"


def before_after_report(result: BeforeAfter, *, subject: str) -> Report:
    test, pairs = result.fitted.divided.test, pairs_of(result.comparisons)
    floors = {variable.name: floor_accuracy(test.task, variable) for variable in test.sensitive}
    scorers = dict.fromkeys(before.scorer for before, _ in pairs)
    fares = tuple(
        (outcome.scorer, outcome.figure, _figure(outcome.before), _figure(outcome.after)) for outcome in result.outcomes
    )
    outcomes = ReportTable("Outcomes by group", ("judge", "figure", "before", "after"), fares, frozenset({2, 3}))
    return Report(
        kind="debias",
        title=f"Without {result.sensitive}: before and after",
        subject=subject,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        findings=(
            *findings_of(*result.scores, floors=floors, choice=result.fitted.choice),
            *(_swap_finding(scorer, [pair for pair in pairs if pair[0].scorer == scorer]) for scorer in scorers),
            *map(_outcome_finding, result.outcomes),
        ),
        sections=(
            ReportSection("What the rows tell", (_leak_grid(result),)),
            ReportSection("What a swap of words does", (_swap_chart(pairs), _swap_grid(pairs))),
            ReportSection("How groups fare", (outcomes,)),
        ),
        method=method_texts("before_after", "method"),
        limits=method_texts("before_after", "limits"),
        facts=(
            ("Resumes", f"{result.resumes:,}"),
            ("Resumes edited", f"{result.edited:,}"),
            ("Removal", result.fitted.removal.recipe.name),
            ("Evenhand", __version__),
        ),
        data={
            "scores": [score.to_json() for score in result.scores],
            "comparisons": [comparison.to_json() for comparison in result.comparisons],
            "outcomes": [outcome.to_json() for outcome in result.outcomes],
            "recipe": result.fitted.removal.recipe.to_json(),
            "resumes": result.resumes,
            "edited": result.edited,
        },
    )


Pair = tuple[SwapComparison, SwapComparison]


def pairs_of(comparisons: Sequence[SwapComparison]) -> list[Pair]:
    """The same judge, family and group before and after."""
    after = {(comparison.scorer, comparison.family, comparison.group): comparison for comparison in comparisons}
    return [
        (comparison, after[key])
        for comparison in comparisons
        if (key := (f"{comparison.scorer} {ERASED}", comparison.family, comparison.group)) in after
    ]


def _swap_finding(scorer: str, pairs: Sequence[Pair]) -> Finding:
    worst = max(pairs, key=lambda pair: max(abs(comparison.score.in_units) for comparison in pair))
    moved = [sum(pair[side].is_moved for pair in pairs) for side in (0, 1)]
    severity: Severity = "watch" if moved[1] else "clear"
    if not moved[1] and any(pair[1].severity == "unknown" for pair in pairs):
        severity = "unknown"
    return Finding(
        f"debias.swap.{scorer.replace(' ', '.')}",
        severity,
        f"What words of another group do to the {scorer}",
        f"Of {count(len(pairs), 'comparison')}, {moved[0]} moved the score before removal and {moved[1]} after. The "
        f"largest effect ({worst[0].family.replace('_', ' ')}, {worst[0].group.replace('_', ' ')}) went from "
        f"{number(worst[0].score.in_units)} to {number(worst[1].score.in_units)} of what scores differ by.",
        "Look at the pairs with evenhand audit swaps." if moved[1] else None,
        {"moved_before": moved[0], "moved_after": moved[1]},
    )


def _outcome_finding(outcome: GroupOutcome) -> Finding:
    severity: Severity = "unknown"  # a figure without an interval clears nobody
    if outcome.after is not None:
        is_fine = outcome.after >= 0.8 if "ratio" in outcome.figure else outcome.after <= 0.1
        severity = "unknown" if is_fine else "watch"
    return Finding(
        f"debias.outcome.{outcome.scorer.replace(' ', '.')}",
        severity,
        f"How groups fare under the {outcome.scorer}",
        f"The {outcome.figure} was {_figure(outcome.before)} before removal and is {_figure(outcome.after)} after.",
        None,
        {"before": outcome.before, "after": outcome.after},
    )


def _figure(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"


def _leak_grid(result: BeforeAfter) -> ReportTable:
    test = result.fitted.divided.test
    rows = []
    for place, variable in enumerate(test.sensitive):
        floor = floor_accuracy(test.task, variable)
        for name, score in zip(("before", "after"), result.scores, strict=True):
            leak, gap = score.leaks[place], score.gap(place)
            shares = (score.accuracy, sum(leak.linear) / len(leak.linear), leak.worse, floor)
            cells = (f"{share:.1%}" for share in shares)
            rows.append((f"{variable.name}, {name}", *cells, "-" if gap is None else f"{gap:.3f}"))
    columns = ("", "occupation right", "linear leak", "worse of MLP and RBF", "floor", "gap by group")
    return ReportTable("Leak and price, on test rows", columns, tuple(rows), frozenset(range(1, 6)))


def _swap_grid(pairs: Sequence[Pair]) -> ReportTable:
    rows = tuple(
        (
            pair[0].scorer,
            f"{pair[0].family.replace('_', ' ')}: {pair[0].group.replace('_', ' ')}",
            str(pair[0].score.effect.number),
            *(number(comparison.score.in_units) for comparison in pair),
            *(f"{comparison.flips.rate:.1%}" for comparison in pair),
            ", ".join(
                "yes" if comparison.is_moved else "cannot tell" if comparison.severity == "unknown" else "no"
                for comparison in pair
            ),
        )
        for pair in pairs
    )
    columns = ("judge", "put in", "pairs", "before", "after", "flips before", "after", "moved")
    return ReportTable("Swaps before and after", columns, rows, frozenset(range(2, 7)))


def _swap_chart(pairs: Sequence[Pair]) -> Chart:
    values = [
        {
            "what": f"{pair[0].scorer}, {pair[0].group.replace('_', ' ')} ({pair[0].family.replace('_', ' ')})",
            "when": when,
            "effect": comparison.score.in_units,
            "low": comparison.score.effect.interval.low / (comparison.score.unit or 1.0),
            "high": comparison.score.effect.interval.high / (comparison.score.unit or 1.0),
        }
        for pair in pairs
        for when, comparison in zip(("before", "after"), pair, strict=True)
    ]
    y = nominal("what", title=None, sort=None, axis={"labelLimit": 330})
    title = "change of the score, in standard deviations"
    rows = {"y": y, "yOffset": {"field": "when", "sort": ["before", "after"]}}
    colour = coloured("when", {"before": GREY, "after": BLUE}, title=None)
    layers = [
        layer("rule", {**rows, **interval(title=title), "color": colour}, strokeWidth=2),
        layer("point", {**rows, "x": quantitative("effect", title=title), "color": colour}, filled=True, size=50),
    ]
    spec = layered(values, layers, width=420, height={"step": 16})
    words = "; ".join(
        f"{before.scorer}, {before.group}: {number(before.score.in_units)} before, {number(after.score.in_units)} after"
        for before, after in pairs
    )
    return Chart("Swaps before and after", spec, words)
