"""One page on concept removal: findings, one table of all methods before and after, the concepts, the curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import numpy as np

from evenhand.audit.methods import finding_in_words, method_texts
from evenhand.debias.fitting import MAX_ACCURACY_LOSS, Choice, FittedRemoval
from evenhand.debias.learned_removal import ConceptRemoval
from evenhand.debias.pictures.co_importance import co_importance
from evenhand.debias.pictures.sweeps import MethodAccuracy, SweepSeries, accuracies_over_k, trade_off
from evenhand.debias.probes import MIN_ROWS, Leakage, floor_accuracy
from evenhand.debias.samples import Samples
from evenhand.debias.scoring import RemovalScore, SweepPoint
from evenhand.debias.weighing import MUCH
from evenhand.records.report import (
    Block,
    Chart,
    Figures,
    Finding,
    Report,
    ReportParagraph,
    ReportSection,
    ReportTable,
    Severity,
)
from evenhand.version import __version__

# What concept removal did, in sentences that somebody can act on.

CLEAR_ABOVE, WATCH_ABOVE = 0.05, 0.15  # over the floor: nearly nothing; something; much
GAP_CLEAR = 0.05


def findings_of(
    before: RemovalScore,
    after: RemovalScore,
    *,
    floors: Mapping[str, float],
    choice: Choice | None = None,
    others: Sequence[RemovalScore] = (),
) -> tuple[Finding, ...]:
    """The leak of each variable, the price, the gap by group, and what is recommended; `others` are in its table."""
    places = range(len(after.leaks))
    findings = [_leak(before.leaks[at], after.leaks[at], floors[after.leaks[at].variable]) for at in places]
    findings.append(_price(before, after))
    findings += [_gap(after.leaks[at].variable, before.gap(at), after.gap(at)) for at in places]
    if choice is not None:
        findings.append(_recommendation(after, choice, [score for score in others if is_better(score, after)]))
    return tuple(findings)


def is_better(one: RemovalScore, other: RemovalScore) -> bool:
    """In nothing worse, of the task and of what is told of each variable, and in something better."""
    gains = [one.accuracy - other.accuracy]
    gains += [theirs.worse - own.worse for own, theirs in zip(one.leaks, other.leaks, strict=True)]
    return min(gains) >= 0 and max(gains) > 0


def _recommendation(after: RemovalScore, choice: Choice, better: Sequence[RemovalScore]) -> Finding:
    """The map that was fitted, chosen on validation rows, unless the table of test rows shows something better."""
    title = "What is recommended, and why"
    figures: Figures = {"leak_validation": choice.leak, "lost_validation": choice.lost, "k": choice.recipe.k}
    if not better:
        action = None if choice.meets else "Nothing tried is cheap enough; decide whether the price is worth it."
        severity: Severity = "clear" if choice.meets else "watch"
        return Finding("debias.choice", severity, title, choice.reason, action, {**figures, "recommended": after.name})
    best = min(better, key=lambda score: (max(score.excesses), -score.accuracy))
    leaks = "; ".join(
        f"{own.variable} for {own.worse:.1%} instead of {theirs.worse:.1%}"
        for own, theirs in zip(best.leaks, after.leaks, strict=True)
    )
    words = {"best": best.name, "best_right": best.accuracy, "fitted": after.name, "fitted_right": after.accuracy}
    figures |= {"recommended": best.name}
    return finding_in_words(
        "debias.choice_better", "debias.choice", "watch", figures, **words, leaks=leaks, reason=choice.reason
    )


def _leak(before: Leakage, after: Leakage, floor: float) -> Finding:
    variable, first, last = after.variable, before.worse, after.worse
    linear_first, linear_last = float(np.mean(before.linear)), float(np.mean(after.linear))
    over = last - floor
    severity: Severity = "clear" if over <= CLEAR_ABOVE else "watch" if over <= WATCH_ABOVE else "concern"
    figures: Figures = {"before": first, "after": last, "floor": floor, "linear_after": linear_last}
    words = {"first": first, "last": last, "floor": floor, "linear_first": linear_first, "linear_last": linear_last}
    return finding_in_words("debias.leak", f"debias.leak.{variable}", severity, figures, variable=variable, **words)


def _price(before: RemovalScore, after: RemovalScore) -> Finding:
    lost = before.accuracy - after.accuracy
    severity: Severity = (
        "clear" if lost <= MAX_ACCURACY_LOSS else "watch" if lost <= 2.5 * MAX_ACCURACY_LOSS else "concern"
    )
    figures: Figures = {"before": before.accuracy, "after": after.accuracy, "lost": lost}
    words = {"before": before.accuracy, "after": after.accuracy, "points": abs(lost) * 100}
    less = "less" if lost >= 0 else "more"
    return finding_in_words("debias.price", "debias.price", severity, figures, **words, less=less)


def _gap(variable: str, before: float | None, after: float | None) -> Finding:
    code, figures = f"debias.gap.{variable}", {"before": before, "after": after}
    if before is None or after is None:
        figures = dict.fromkeys(figures)
        return finding_in_words("debias.gap_unknown", code, "unknown", {**figures}, variable=variable, least=MIN_ROWS)
    severity: Severity = "clear" if after <= GAP_CLEAR else "watch"
    words = {"before": before * 100, "after": after * 100}
    return finding_in_words("debias.gap", code, severity, {**figures}, variable=variable, **words)


# The figures of one fit: what was measured at every k, brought into the form that charts take.

VALIDATION, FITTED_TEST = 0, 1
LABELLED = 5  # so many k at most have their number beside the curve


def charts_of(
    fitted: FittedRemoval, *, judged: int = FITTED_TEST, variable: int = 0, rivals: Sequence[MethodAccuracy] = ()
) -> tuple[Chart, ...]:
    """What concepts weigh, both accuracies over k, and the one against the other, of one sensitive variable."""
    sweep = sweep_of(fitted, judged=judged, variable=variable, rivals=rivals)
    steps = sorted({0, 1, sweep.recommended or 0, *sweep.ks[:: max(1, len(sweep.ks) // LABELLED)]})
    return (
        co_importance(fitted.weighed.concepts, sensitive_name=sweep.sensitive_name, task_name=sweep.task_name),
        accuracies_over_k(sweep),
        trade_off(sweep, labelled=steps),
    )


def sweep_of(
    fitted: FittedRemoval,
    *,
    judged: int = FITTED_TEST,
    variable: int = 0,
    reference: MethodAccuracy | None = None,
    rivals: Sequence[MethodAccuracy] = (),
) -> SweepSeries:
    """Plain removal by the chosen decomposition. The line is the worse of the two probes that are not linear."""
    points = _plain(fitted)
    scores = [point.scores[judged] for point in points]
    part = (fitted.divided.validation, fitted.divided.test)[judged]
    chosen = fitted.choice.recipe
    return SweepSeries(
        ks=tuple(point.recipe.k for point in points if point.recipe),
        sensitive=tuple(100 * score.leaks[variable].worse for score in scores),
        task=tuple(100 * score.accuracy for score in scores),
        floor=100 * floor_accuracy(part.task, part.sensitive[variable]),
        original=standing(fitted.points[0].scores[judged], "original", variable=variable),
        reference=reference,
        rivals=tuple(rivals),
        probe="worse of MLP and RBF",
        probes=(("linear", tuple(100 * float(np.mean(score.leaks[variable].linear)) for score in scores)),),
        recommended=None if chosen.joined or chosen.residual else chosen.k,
        sensitive_name=part.sensitive[variable].name,
        task_name=part.task.name,
    )


def standing(score: RemovalScore, name: str, *, variable: int = 0) -> MethodAccuracy:
    """Of any method that was scored on the same rows."""
    return MethodAccuracy(name, 100 * score.leaks[variable].worse, 100 * score.accuracy)


def _plain(fitted: FittedRemoval) -> list[SweepPoint]:
    chosen = fitted.choice.recipe
    plain = [
        point
        for point in fitted.points
        if point.recipe
        and (point.recipe.method, point.recipe.rank) == (chosen.method, chosen.rank)
        and not point.recipe.joined
        and not point.recipe.residual
    ]
    return sorted(plain, key=lambda point: point.recipe.k if point.recipe else -1)


def report_fit(
    fitted: FittedRemoval, scores: Sequence[RemovalScore], *, subject: str, made: datetime | None = None
) -> Report:
    """`scores` as `compare` gives them: the original first, the chosen recipe among them."""
    before, after = scores[0], next(score for score in scores if score.name == fitted.choice.recipe.name)
    test = fitted.divided.test
    charts = [
        chart
        for place in range(len(test.sensitive))
        for chart in charts_of(
            fitted, variable=place, rivals=[standing(score, score.name, variable=place) for score in scores[2:]]
        )[bool(place) :]  # the weights of concepts are those of all variables together
    ]
    sections = (
        ReportSection("Before and after", (methods_grid(scores, test),)),
        ReportSection("Concepts", (concepts_grid(fitted), *charts)),
        ReportSection("Step by step", (sweep_grid(fitted.points),)),
    )
    return _report(subject, before, after, test, sections, made, fitted.removal, fitted.choice, scores, fitted.points)


def report_removal(
    removal: ConceptRemoval,
    scores: Sequence[RemovalScore],
    test: Samples,
    *,
    subject: str,
    made: datetime | None = None,
) -> Report:
    """Of a removal that was fitted before, on rows of now: the original first, the removal last."""
    blocks: tuple[Block, ...] = (methods_grid(scores, test), ReportParagraph(removal.reason))
    sections = (ReportSection("Before and after", blocks),)
    return _report(subject, scores[0], scores[-1], test, sections, made, removal, None, scores, ())


def _report(
    subject: str,
    before: RemovalScore,
    after: RemovalScore,
    test: Samples,
    sections: tuple[ReportSection, ...],
    made: datetime | None,
    removal: ConceptRemoval,
    choice: Choice | None,
    scores: Sequence[RemovalScore],
    points: Sequence[SweepPoint],
) -> Report:
    floors = floors_of(test)
    names = " and ".join(removal.sensitive)
    return Report(
        kind="debias",
        title=f"Removal of {names} from what a model makes of texts",
        subject=subject,
        made=(made or datetime.now(UTC)).isoformat(timespec="seconds"),
        findings=findings_of(before, after, floors=floors, choice=choice, others=scores),
        sections=sections,
        method=method_texts("removal", "method_again" if choice is None else "method", much=f"{MUCH:.0%}"),
        limits=method_texts("removal", "limits"),
        facts=_facts(removal, test),
        data={
            "recipe": removal.recipe.to_json(),
            "choice": choice.to_json() if choice else None,
            "floors": floors,
            "methods": [score.to_json() for score in scores],
            "concepts": [asdict(concept) for concept in removal.concepts],
            "sweep": [
                {
                    "name": point.name,
                    "recipe": point.recipe.to_json() if point.recipe else None,
                    "allowed": point.allowed,
                    "validation": point.scores[VALIDATION].to_json(),
                    "test": point.scores[FITTED_TEST].to_json(),
                }
                for point in points
            ],
            "fit": dict(removal.facts),
        },
    )


def floors_of(test: Samples) -> dict[str, float]:
    return {variable.name: floor_accuracy(test.task, variable) for variable in test.sensitive}


def methods_grid(scores: Sequence[RemovalScore], test: Samples) -> ReportTable:
    """Means, and the standard deviation over seeds behind them."""
    columns = ["method", test.task.name]
    for variable in test.sensitive:
        columns += [f"{variable.name}: {probe}" for probe in ("linear", "MLP", "RBF", "worse", "TPR gap")]
    rows = []
    for score in scores:
        row = [score.name, _said(score.task)]
        for leak, gap in zip(score.leaks, score.gaps, strict=True):
            row += [_said(leak.linear), _said(leak.mlp), _said(leak.rbf), f"{leak.worse:.3f}", _said(gap)]
        rows.append(tuple(row))
    floors = "; ".join(f"{name} {floor:.3f}" for name, floor in floors_of(test).items())
    return ReportTable(
        "All methods on test rows",
        tuple(columns),
        tuple(rows),
        numeric=frozenset(range(1, len(columns))),
        note=f"Accuracies. What the task's label alone tells: {floors}. A is the rows as they are; rank-r UW the same "
        "cut to r concepts with none removed: what is lost between the two is the price of cutting, not of removal.",
    )


def concepts_grid(fitted: FittedRemoval) -> ReportTable:
    rows = []
    for concept in fitted.weighed.concepts:
        fate = "carries much of the task" if concept.carries else "stays"
        fate = "removed" if concept.order <= fitted.choice.recipe.k else fate
        weights = (f"{concept.sensitive:.3f}", f"{concept.task:.3f}", f"{concept.angle:.1f}")
        rows.append((str(concept.order), str(concept.index + 1), *weights, fate))
    return ReportTable(
        "Concepts in the order of removal",
        ("turn", "concept", "sensitive", fitted.removal.task, "angle", "what becomes of it"),
        tuple(rows),
        numeric=frozenset({0, 1, 2, 3, 4}),
        note="Total Sobol indices of the margin of each head, averaged over texts; the angle in degrees.",
    )


def sweep_grid(points: Sequence[SweepPoint]) -> ReportTable:
    rows = tuple(
        (
            point.name,
            f"{point.scores[FITTED_TEST].accuracy:.3f}",
            *(f"{leak.worse:.3f}" for leak in point.scores[FITTED_TEST].leaks),
            "" if point.allowed else "past the limit",
        )
        for point in points
    )
    names = tuple(f"{leak.variable}: worse probe" for leak in points[0].scores[FITTED_TEST].leaks)
    columns = ("recipe", "task", *names, "note")
    return ReportTable("Every step, one seed each", columns, rows, numeric=frozenset(range(1, len(names) + 2)))


def _facts(removal: ConceptRemoval, test: Samples) -> tuple[tuple[str, str], ...]:
    sizes: Mapping[str, Any] = removal.facts.get("rows", {})
    return (
        ("Evenhand", __version__),
        ("rows of", removal.source),
        ("map", f"{removal.recipe.name}; {removal.dimension} numbers, rank {removal.change.rank}"),
        ("fitted on", ", ".join(f"{name} {count:,}" for name, count in sizes.items())),
        ("measured on", f"{len(test.rows):,} rows"),
        ("seed", str(removal.facts.get("seed", ""))),
    )


def _said(values: Sequence[float]) -> str:
    """A dash where nothing could be measured."""
    if not values:
        return "-"
    if len(set(values)) < 2:
        return f"{np.mean(values):.3f}"
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"
