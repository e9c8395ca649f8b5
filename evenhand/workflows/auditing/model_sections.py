"""The tables and charts of a model audit, one section for each question."""

from __future__ import annotations

from collections.abc import Iterator

from evenhand.audit.models.gaps import LEAST_CELL, LEAST_GROUP, GroupGaps, LabelGap, Measure
from evenhand.audit.models.intervals import Estimate, Rate
from evenhand.audit.models.leakage import READER_WORDS
from evenhand.records.report import Block, Grid, Paragraph, Section
from evenhand.workflows.auditing.model_charts import gap_chart, leakage_chart, reliability_chart
from evenhand.workflows.auditing.model_findings import points, slice_words, word
from evenhand.workflows.auditing.model_measures import ModelMeasures, VariableMeasures

FEW = "too few"
MEASURE_WORDS: dict[Measure, str] = {
    "tpr": "true label said (TPR)",
    "fpr": "said though not true (FPR)",
    "precision": "true when said (precision)",
    "selection": "said at all (selection rate)",
}
SHOWN_LABELS = 6  # the labels with the smallest p of each group; all are in the JSON


def sections_of(measures: ModelMeasures) -> tuple[Section, ...]:
    return (
        Section("How well each group is recognised", tuple(_recognition(measures))),
        Section("Label by label", tuple(_labels(measures))),
        Section("Whether confidence means the same", tuple(_confidence(measures))),
        Section("Whether groups can be read from what the model sees", tuple(_leakage(measures))),
        Section("Where the errors are", tuple(_slices(measures))),
    )


def share(found: Rate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "-"
    return f"{100 * found.value:.1f}% ({100 * found.low:.0f}-{100 * found.high:.0f})"


def gap_words(found: Estimate) -> str:
    if found.value is None:
        return "-"
    return f"{points(found.value)} ({points(found.low)} to {points(found.high)})"


def p_cell(p: float | None) -> str:
    return "-" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _recognition(measures: ModelMeasures) -> Iterator[Block]:
    chart = gap_chart(measures)
    if chart:
        yield chart
    for each in measures.variables:
        yield _recognition_grid(each, measures)
    rows = tuple(
        (
            word(each.variable),
            one.measure,
            word(one.best),
            word(one.worst),
            points(one.difference),
            f"{one.ratio:.2f}",
        )
        for each in measures.variables
        for one in each.spread
    )
    if rows:
        columns = ("variable", "measure", "best", "worst", "difference, points", "worst / best")
        note = f"Over groups with at least {LEAST_GROUP} resumes; not like for like, and without intervals."
        yield Grid("The best and the worst served group", columns, rows, frozenset({4, 5}), note)


def _recognition_grid(each: VariableMeasures, measures: ModelMeasures) -> Grid:
    columns = (
        "group",
        "resumes",
        "accuracy",
        "gap to others",
        "like for like",
        "p (Holm)",
        "RMS of TPR gaps",
        "by chance",
    )
    rows = tuple(_recognition_row(gap, each.variable, measures) for gap in each.gaps)
    note = (
        "Gaps in points, with 95% intervals. Like for like: the mean of the gaps in TPR within each true label. RMS: "
        "root mean square of these gaps, beside what shuffled groups give."
    )
    return Grid(f"By {word(each.variable)}", columns, rows, frozenset(range(1, len(columns))), note)


def _recognition_row(gap: GroupGaps, variable: str, measures: ModelMeasures) -> tuple[str, ...]:
    start = (word(gap.group), f"{gap.resumes:,}", share(gap.accuracy))
    if not gap.is_enough:
        return (*start, FEW, FEW, "-", "-", "-")
    rms = "-" if gap.rms is None else f"{100 * gap.rms:.1f}"
    chance = "-" if gap.rms_by_chance.value is None else f"{100 * gap.rms_by_chance.value:.1f}"
    p = measures.adjusted.get(("gap", variable, gap.group))
    return (*start, gap_words(gap.accuracy_gap), gap_words(gap.like_for_like), p_cell(p), rms, chance)


def _labels(measures: ModelMeasures) -> Iterator[Block]:
    yield Paragraph(
        f"The {SHOWN_LABELS} labels and measures of each variable that differ most, by Fisher's exact test without "
        f"correction: with so many, some are small by chance. Cells with fewer than {LEAST_CELL} resumes are left out. "
        "All labels stand in the JSON of this report."
    )
    columns = ("group", "label", "measure", "group", "others", "gap, points", "p (raw)")
    for each in measures.variables:
        found = [(gap, one) for gap in each.compared for one in gap.labels if one.p is not None]
        found.sort(key=lambda pair: pair[1].p if pair[1].p is not None else 1.0)
        rows = tuple(_label_row(gap.group, one) for gap, one in found[:SHOWN_LABELS])
        if rows:
            yield Grid(f"By {word(each.variable)}", columns, rows, frozenset({3, 4, 5, 6}))


def _label_row(group: str, one: LabelGap) -> tuple[str, ...]:
    counts = (f"{one.group.part} of {one.group.whole}", f"{one.others.part} of {one.others.whole}")
    return (word(group), one.label, MEASURE_WORDS[one.measure], *counts, gap_words(one.gap), p_cell(one.p))


def _confidence(measures: ModelMeasures) -> Iterator[Block]:
    columns = ("group", "resumes", "ECE", "surer than right", "gap to others", "p (Holm)")
    for each in measures.variables:
        chart = reliability_chart(each)
        if chart:
            yield chart
        rows = tuple(
            (
                word(one.group),
                f"{one.resumes:,}",
                _plain(one.ece),
                gap_words(one.over),
                gap_words(one.over_gap) if one.is_enough else FEW,
                p_cell(measures.adjusted.get(("calibration", each.variable, one.group))),
            )
            for one in each.calibration
        )
        note = "In points. ECE of a small group is larger by chance alone; the difference of means beside it is not."
        yield Grid(f"By {word(each.variable)}", columns, rows, frozenset(range(1, 6)), note)


def _plain(found: Estimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "-"
    return f"{100 * found.value:.1f} ({100 * found.low:.1f}-{100 * found.high:.1f})"


def _leakage(measures: ModelMeasures) -> Iterator[Block]:
    chart = leakage_chart(measures)
    if chart:
        yield chart
    columns = (
        "variable",
        "from",
        "reader",
        "balanced accuracy",
        "constant",
        "label alone",
        "shuffled",
        "p (Holm)",
    )
    rows = tuple(
        (
            f"{word(each.variable)} ({len(probe.groups)} groups)",
            name,
            READER_WORDS[probe.reader],
            _plain(probe.balanced),
            f"{100 * probe.chance:.0f}",
            f"{100 * probe.label_floor:.0f}",
            f"{100 * probe.shuffled:.0f}",
            p_cell(measures.adjusted.get(("leakage", each.variable, name, probe.reader))),
        )
        for each in measures.variables
        for name, probes in each.probes.items()
        for probe in probes
    )
    note = (
        "In per cent, on resumes the reader did not learn from. p is against what the true label alone tells."
    )
    yield Grid("Every reader", columns, rows, frozenset(range(3, 8)), note)


def _slices(measures: ModelMeasures) -> Iterator[Block]:
    columns = ("slice", "wrong", "differing in the group alone", "gap, points", "p (raw)", "p (Holm)")
    rows = tuple(
        (
            slice_words(each),
            f"{each.errors.part} of {each.errors.whole}",
            f"{each.others.part} of {each.others.whole}",
            gap_words(each.gap),
            p_cell(each.raw_p),
            p_cell(each.p),
        )
        for each in measures.slices.worst
    )
    note = f"The worst of {measures.slices.searched:,} slices of up to three conditions, corrected for all of them."
    yield Grid("The worst slices", columns, rows, frozenset(range(1, 6)), note)
