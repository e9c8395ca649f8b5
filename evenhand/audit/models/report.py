"""The tables and charts of a model audit, one section for each question."""

from __future__ import annotations

from collections.abc import Iterator

from evenhand.audit.models.findings import points, slice_words, word
from evenhand.audit.models.gaps import MIN_CELL_SIZE, MIN_GROUP_SIZE, Measure
from evenhand.audit.models.leakage import PROBE_WORDS
from evenhand.audit.models.measures import ModelMeasures, VariableMeasures
from evenhand.audit.statistics import Estimate, Rate
from evenhand.records.report import Block, Chart, ReportParagraph, ReportSection, ReportTable
from evenhand.rendering.charts import COLOURS, GREY, Spec, coloured, interval, layer, layered, nominal, quantitative

MAX_CURVES = 4  # more cannot be told apart
WIDTH = 420
ROW_STEP = {"step": 20}


def gap_chart(measures: ModelMeasures) -> Chart | None:
    gaps = [(variable.variable, gap) for variable in measures.variables for gap in variable.gaps if gap.is_enough]
    if not gaps:
        return None
    rows = [
        {"group": f"{word(variable)}: {word(gap.group)}", **_percents("gap", gap.like_for_like)}
        for variable, gap in gaps
    ]
    title = "How much more or less often the true label is said, by group"
    y = nominal("group", sort=None, axis={"title": None})
    axis = {"title": "points of a hundred against all others with the same true label, 95% interval"}
    layers = [
        layer("rule", {"x": {"datum": 0, "type": "quantitative"}}, color=GREY, strokeDash=[4, 3]),
        layer("rule", {"y": y, **interval(axis=axis)}, color=COLOURS[0], strokeWidth=2),
        layer("point", {"y": y, "x": quantitative("gap")}, filled=True, size=60, color=COLOURS[0]),
    ]
    words = [f"{word(variable)} {word(gap.group)} {gap_words(gap.like_for_like)}" for variable, gap in gaps]
    spec = layered(rows, layers, width=WIDTH, height=ROW_STEP, title=title)
    return Chart(title, spec, "; ".join(words) + ".")


def reliability_chart(measures: VariableMeasures) -> Chart | None:
    """Of variables with few groups."""
    groups = [group for group in measures.calibration if group.is_enough]
    if not 2 <= len(groups) <= MAX_CURVES:
        return None
    rows = [
        {
            "group": word(group.group),
            "confidence": 100 * bin.confidence,
            **_percents("right", bin.accuracy),
            "resumes": bin.accuracy.whole,
        }
        for group in groups
        for bin in group.bins
    ]
    title = f"How often the model is right by how sure it is, by {word(measures.variable)}"
    words = [f"{word(group.group)}: surer than right by {points(group.over.value)} points" for group in groups]
    whole = {"domain": [0, 100]}
    x = quantitative("confidence", scale=whole, axis={"title": "how sure, %"})
    y = quantitative("right", scale=whole, axis={"title": "how often right, %"})
    names = dict.fromkeys(row["group"] for row in rows)
    colour = coloured("group", dict(zip(names, COLOURS, strict=False)), legend={"title": None, "orient": "bottom"})
    diagonal = [{"confidence": 0, "right": 0}, {"confidence": 100, "right": 100}]
    layers = [
        layer("line", {"x": x, "y": y}, rows=diagonal, color=GREY, strokeDash=[4, 3]),
        layer("rule", {"x": x, **interval(channel="y"), "color": colour}, rows=rows, opacity=0.5),
        layer("line", {"x": x, "y": y, "color": colour}, rows=rows, point=True),
    ]
    spec = {"title": title, "width": 320, "height": 280, "layer": layers}
    return Chart(title, spec, "; ".join(words) + ".")


def leakage_chart(measures: ModelMeasures) -> Chart | None:
    best = [
        (f"{word(variable.variable)}, {name}", max(probes, key=lambda probe: probe.balanced.value or 0.0))
        for variable in measures.variables
        for name, probes in variable.probes.items()
        if probes
    ]
    if not best:
        return None
    title = "How well groups can be read from what the model sees"
    rows = [
        {
            "what": name,
            **_percents("read", probe.balanced),
            "floor": 100 * max(probe.chance, probe.label_floor, probe.shuffled),
        }
        for name, probe in best
    ]
    y = nominal("what", sort=None, axis={"title": None})
    axis = {"title": "balanced accuracy of the best reader, %; the mark is the best floor"}
    layers = [
        layer("bar", {"y": y, "x": quantitative("read", axis=axis)}, height=11, color=COLOURS[0]),
        layer("rule", {"y": y, **interval()}),
        layer("tick", {"y": y, "x": quantitative("floor")}, color=COLOURS[1], thickness=3, size=16),
    ]
    words = [f"{row['what']}: {row['read']:.0f}% against a floor of {row['floor']:.0f}%" for row in rows]
    spec = layered(rows, layers, width=WIDTH, height=ROW_STEP, title=title)
    return Chart(title, spec, "; ".join(words) + ".")


def _percents(name: str, share: Estimate | Rate) -> Spec:
    """The value, under this name, and its interval."""
    return {name: 100 * (share.value or 0.0), "low": 100 * (share.low or 0.0), "high": 100 * (share.high or 0.0)}


TOO_FEW = "too few"
MEASURE_WORDS: dict[Measure, str] = {
    "tpr": "true label said (TPR)",
    "fpr": "said though not true (FPR)",
    "precision": "true when said (precision)",
    "selection": "said at all (selection rate)",
}
SHOWN_LABELS = 6  # the labels with the smallest p of each group; all are in the JSON


def sections_of(measures: ModelMeasures) -> tuple[ReportSection, ...]:
    return (
        ReportSection("How well each group is recognised", tuple(_recognition(measures))),
        ReportSection("Label by label", tuple(_labels(measures))),
        ReportSection("Whether confidence means the same", tuple(_confidence(measures))),
        ReportSection("Whether groups can be read from what the model sees", tuple(_leakage(measures))),
        ReportSection("Where the errors are", tuple(_slices(measures))),
    )


def share(rate: Rate) -> str:
    if rate.value is None or rate.low is None or rate.high is None:
        return "-"
    return f"{100 * rate.value:.1f}% ({100 * rate.low:.0f}-{100 * rate.high:.0f})"


def gap_words(estimate: Estimate) -> str:
    if estimate.value is None:
        return "-"
    return f"{points(estimate.value)} ({points(estimate.low)} to {points(estimate.high)})"


def p_cell(p: float | None) -> str:
    return "-" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _recognition(measures: ModelMeasures) -> Iterator[Block]:
    chart = gap_chart(measures)
    if chart:
        yield chart
    for variable in measures.variables:
        yield _recognition_grid(variable, measures)
    rows = tuple(
        (
            word(variable.variable),
            one.measure,
            word(one.best),
            word(one.worst),
            points(one.difference),
            f"{one.ratio:.2f}",
        )
        for variable in measures.variables
        for one in variable.spread
    )
    if rows:
        columns = ("variable", "measure", "best", "worst", "difference, points", "worst / best")
        note = f"Over groups with at least {MIN_GROUP_SIZE} resumes; not like for like, and without intervals."
        yield ReportTable("The best and the worst served group", columns, rows, frozenset({4, 5}), note)


def _recognition_grid(audited: VariableMeasures, measures: ModelMeasures) -> ReportTable:
    counted = ("group", "resumes", "accuracy", "gap to others")
    columns = (*counted, "like for like", "p (Holm)", "RMS of TPR gaps", "by chance")
    rows = []
    for gap in audited.gaps:
        row = [word(gap.group), f"{gap.resumes:,}", share(gap.accuracy)]
        if gap.is_enough:
            p = measures.adjusted.get(("gap", audited.variable, gap.group))
            row += [gap_words(gap.accuracy_gap), gap_words(gap.like_for_like), p_cell(p)]
            row += ["-" if rms is None else f"{100 * rms:.1f}" for rms in (gap.rms, gap.rms_by_chance.value)]
        else:
            row += [TOO_FEW, TOO_FEW, "-", "-", "-"]
        rows.append(tuple(row))
    note = (
        "Gaps in points, with 95% intervals. Like for like: the mean of the gaps in TPR within each true label. RMS: "
        "root mean square of these gaps, beside what shuffled groups give."
    )
    return ReportTable(f"By {word(audited.variable)}", columns, tuple(rows), frozenset(range(1, len(columns))), note)


def _labels(measures: ModelMeasures) -> Iterator[Block]:
    yield ReportParagraph(
        f"The {SHOWN_LABELS} labels and measures of each variable that differ most, by Fisher's exact test without "
        f"correction: with so many, some are small by chance. Cells with fewer than {MIN_CELL_SIZE} resumes are left "
        "out. All labels stand in the JSON of this report."
    )
    columns = ("group", "label", "measure", "group", "others", "gap, points", "p (raw)")
    for variable in measures.variables:
        gaps = [(gap, one) for gap in variable.compared for one in gap.labels if one.p is not None]
        gaps.sort(key=lambda pair: pair[1].p if pair[1].p is not None else 1.0)
        rows = []
        for gap, one in gaps[:SHOWN_LABELS]:
            counts = [f"{rate.part} of {rate.whole}" for rate in (one.group, one.others)]
            measure = MEASURE_WORDS[one.measure]
            rows.append((word(gap.group), one.label, measure, *counts, gap_words(one.gap), p_cell(one.p)))
        if rows:
            yield ReportTable(f"By {word(variable.variable)}", columns, tuple(rows), frozenset({3, 4, 5, 6}))


def _confidence(measures: ModelMeasures) -> Iterator[Block]:
    columns = ("group", "resumes", "ECE", "surer than right", "gap to others", "p (Holm)")
    for variable in measures.variables:
        chart = reliability_chart(variable)
        if chart:
            yield chart
        rows = tuple(
            (
                word(one.group),
                f"{one.resumes:,}",
                _plain(one.ece),
                gap_words(one.over),
                gap_words(one.over_gap) if one.is_enough else TOO_FEW,
                p_cell(measures.adjusted.get(("calibration", variable.variable, one.group))),
            )
            for one in variable.calibration
        )
        note = "In points. ECE of a small group is larger by chance alone; the difference of means beside it is not."
        yield ReportTable(f"By {word(variable.variable)}", columns, rows, frozenset(range(1, 6)), note)


def _plain(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "-"
    return f"{100 * estimate.value:.1f} ({100 * estimate.low:.1f}-{100 * estimate.high:.1f})"


def _leakage(measures: ModelMeasures) -> Iterator[Block]:
    chart = leakage_chart(measures)
    if chart:
        yield chart
    columns = ("variable", "from", "reader", "balanced accuracy", "constant", "label alone", "shuffled", "p (Holm)")
    rows = tuple(
        (
            f"{word(variable.variable)} ({len(probe.groups)} groups)",
            name,
            PROBE_WORDS[probe.reader],
            _plain(probe.balanced),
            f"{100 * probe.chance:.0f}",
            f"{100 * probe.label_floor:.0f}",
            f"{100 * probe.shuffled:.0f}",
            p_cell(measures.adjusted.get(("leakage", variable.variable, name, probe.reader))),
        )
        for variable in measures.variables
        for name, probes in variable.probes.items()
        for probe in probes
    )
    note = "In per cent, on resumes the reader did not learn from. p is against what the true label alone tells."
    yield ReportTable("Every reader", columns, rows, frozenset(range(3, 8)), note)


def _slices(measures: ModelMeasures) -> Iterator[Block]:
    columns = ("slice", "wrong", "differing in the group alone", "gap, points", "p (raw)", "p (Holm)")
    rows = tuple(
        (
            slice_words(slice_),
            f"{slice_.errors.part} of {slice_.errors.whole}",
            f"{slice_.others.part} of {slice_.others.whole}",
            gap_words(slice_.gap),
            p_cell(slice_.raw_p),
            p_cell(slice_.p),
        )
        for slice_ in measures.slices.worst
    )
    note = f"The worst of {measures.slices.searched:,} slices of up to three conditions, corrected for all of them."
    yield ReportTable("The worst slices", columns, rows, frozenset(range(1, 6)), note)
