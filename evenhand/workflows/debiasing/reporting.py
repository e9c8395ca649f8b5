"""One page on concept removal: findings, one table of all methods before and after, the concepts, the curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import numpy as np

from evenhand.debias.fairness import floor_accuracy
from evenhand.debias.fitting import Fitted
from evenhand.debias.learned import Removal
from evenhand.debias.pictures.fitted import charts_of, standing
from evenhand.debias.ranking import MUCH, Concept
from evenhand.debias.samples import Samples
from evenhand.debias.scoring import Score
from evenhand.debias.selection import Choice
from evenhand.debias.sweep import Point
from evenhand.records.report import Block, Grid, Paragraph, Report, Section
from evenhand.version import __version__
from evenhand.workflows.debiasing.findings import findings_of

TEST = 1  # place of the test rows among the scores of a point
PROBES = (
    "Probes: logistic regression (linear), an MLP with 128 hidden units whose learning rate validation chose, and a "
    "support vector machine with an RBF kernel. The worse of the last two is the leak."
)
METHOD = (
    "The rows are cut into training, validation and test rows, each kind of person in equal shares. Concepts, heads "
    "and maps are fitted on training rows, the recipe is chosen on validation rows, and every figure here is of test "
    "rows, by heads and probes that were trained afresh on what each method leaves.",
    PROBES,
    f"Concepts go in the order of the angle between what they tell of the task and of the sensitive variables; no "
    f"concept with a hand in more than {MUCH:.0%} of what moves the task's head is ever recommended for removal.",
)
METHOD_AGAIN = (
    "The removal was fitted and chosen before and is applied as it is. The rows given now are cut into training, "
    "validation and test rows, each kind of person in equal shares; the other methods, heads and probes learn from "
    "training rows, validation rows say when to stop, and every figure here is of test rows.",
    PROBES,
    "If rows given now are among those that the removal was fitted on, its figures are better than on new ones. The "
    "other methods were fitted on rows of now, which is an advantage where rows have changed since.",
)
LIMITS = (
    "A leak is what these probes find. Another, or one with more texts to learn from, may find more.",
    "Rows that tell nothing of a group can still lead to different outcomes for groups, and the other way round.",
    "The map fits rows of the encoder or model it was fitted on, and no others.",
)


def report_fit(
    fitted: Fitted, scores: Sequence[Score], *, subject: str, made: datetime | None = None
) -> Report:
    """`scores` as `compare` gives them: the original first, the chosen recipe among them."""
    before, after = scores[0], next(each for each in scores if each.name == fitted.choice.recipe.name)
    test = fitted.divided.test
    charts = [
        chart
        for place in range(len(test.sensitive))
        for chart in charts_of(
            fitted, variable=place, rivals=[standing(each, each.name, variable=place) for each in scores[2:]]
        )[bool(place) :]  # the weights of concepts are those of all variables together
    ]
    sections = (
        Section("Before and after", (methods_grid(scores, test),)),
        Section("Concepts", (concepts_grid(fitted), *charts)),
        Section("Step by step", (sweep_grid(fitted.points),)),
    )
    return _report(
        subject, before, after, test, sections, made, fitted.removal, fitted.choice, scores, fitted.points
    )


def report_removal(
    removal: Removal, scores: Sequence[Score], test: Samples, *, subject: str, made: datetime | None = None
) -> Report:
    """Of a removal that was fitted before, on rows of now: the original first, the removal last."""
    blocks: tuple[Block, ...] = (methods_grid(scores, test), Paragraph(removal.reason))
    sections = (Section("Before and after", blocks),)
    return _report(subject, scores[0], scores[-1], test, sections, made, removal, None, scores, ())


def _report(
    subject: str,
    before: Score,
    after: Score,
    test: Samples,
    sections: tuple[Section, ...],
    made: datetime | None,
    removal: Removal,
    choice: Choice | None,
    scores: Sequence[Score],
    points: Sequence[Point],
) -> Report:
    floors = floors_of(test)
    names = " and ".join(removal.sensitive)
    return Report(
        kind="debias",
        title=f"Removal of {names} from what a model makes of texts",
        subject=subject,
        made=(made or datetime.now(UTC)).isoformat(timespec="seconds"),
        findings=findings_of(before, after, floors=floors, choice=choice),
        sections=sections,
        method=METHOD_AGAIN if choice is None else METHOD,
        limits=LIMITS,
        facts=_facts(removal, test),
        data={
            "recipe": removal.recipe.to_json(),
            "choice": choice.to_json() if choice else None,
            "floors": floors,
            "methods": [score.to_json() for score in scores],
            "concepts": [asdict(concept) for concept in removal.concepts],
            "sweep": [_point_json(point) for point in points],
            "fit": dict(removal.facts),
        },
    )


def floors_of(test: Samples) -> dict[str, float]:
    return {each.name: floor_accuracy(test.task, each) for each in test.sensitive}


def methods_grid(scores: Sequence[Score], test: Samples) -> Grid:
    """Means, and the standard deviation over seeds behind them."""
    columns = ["method", test.task.name]
    for each in test.sensitive:
        columns += [f"{each.name}: {probe}" for probe in ("linear", "MLP", "RBF", "worse", "TPR gap")]
    rows = []
    for score in scores:
        row = [score.name, _said(score.task)]
        for leak, gap in zip(score.leaks, score.gaps, strict=True):
            row += [_said(leak.linear), _said(leak.mlp), _said(leak.rbf), f"{leak.worse:.3f}", _said(gap)]
        rows.append(tuple(row))
    floors = "; ".join(f"{name} {floor:.3f}" for name, floor in floors_of(test).items())
    return Grid(
        "All methods on test rows",
        tuple(columns),
        tuple(rows),
        numeric=frozenset(range(1, len(columns))),
        note=f"Accuracies. What the task's label alone tells: {floors}. A is the rows as they are; rank-r UW the same "
        "cut to r concepts with none removed: what is lost between the two is the price of cutting, not of removal.",
    )


def concepts_grid(fitted: Fitted) -> Grid:
    chosen = fitted.choice.recipe
    rows = tuple(_concept_row(each, gone=each.order <= chosen.k) for each in fitted.weighed.concepts)
    return Grid(
        "Concepts in the order of removal",
        ("turn", "concept", "sensitive", fitted.removal.task, "angle", "what becomes of it"),
        rows,
        numeric=frozenset({0, 1, 2, 3, 4}),
        note="Total Sobol indices of the margin of each head, averaged over texts; the angle in degrees.",
    )


def _concept_row(each: Concept, *, gone: bool) -> tuple[str, ...]:
    fate = "removed" if gone else "carries much of the task" if each.carries else "stays"
    return (
        str(each.order),
        str(each.index + 1),
        f"{each.sensitive:.3f}",
        f"{each.task:.3f}",
        f"{each.angle:.1f}",
        fate,
    )


def sweep_grid(points: Sequence[Point]) -> Grid:
    rows = tuple(
        (
            point.name,
            f"{point.scores[TEST].accuracy:.3f}",
            *(f"{leak.worse:.3f}" for leak in point.scores[TEST].leaks),
            "" if point.allowed else "past the limit",
        )
        for point in points
    )
    names = tuple(f"{leak.variable}: worse probe" for leak in points[0].scores[TEST].leaks)
    return Grid(
        "Every step, one seed each",
        ("recipe", "task", *names, "note"),
        rows,
        numeric=frozenset(range(1, len(names) + 2)),
    )


def _facts(removal: Removal, test: Samples) -> tuple[tuple[str, str], ...]:
    sizes: Mapping[str, Any] = removal.facts.get("rows", {})
    return (
        ("Evenhand", __version__),
        ("rows of", removal.source),
        ("map", f"{removal.recipe.name}; {removal.dimension} numbers, rank {removal.change.rank}"),
        ("fitted on", ", ".join(f"{name} {count:,}" for name, count in sizes.items())),
        ("measured on", f"{len(test.rows):,} rows"),
        ("seed", str(removal.facts.get("seed", ""))),
    )


def _point_json(point: Point) -> dict[str, Any]:
    validation, test = (score.to_json() for score in point.scores)
    recipe = point.recipe.to_json() if point.recipe else None
    return {
        "name": point.name,
        "recipe": recipe,
        "allowed": point.allowed,
        "validation": validation,
        "test": test,
    }


def _said(values: Sequence[float]) -> str:
    """A dash where nothing could be measured."""
    if not values:
        return "-"
    if len(set(values)) < 2:
        return f"{np.mean(values):.3f}"
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"
