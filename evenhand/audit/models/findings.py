"""What the figures of a model audit say, in plain words, each with how sure it is and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from evenhand.audit.methods import finding_in_words
from evenhand.audit.models.calibration import Slice
from evenhand.audit.models.gaps import GroupGaps
from evenhand.audit.models.leakage import PROBE_WORDS, Probe
from evenhand.audit.models.measures import ModelMeasures, VariableMeasures
from evenhand.audit.statistics import Estimate
from evenhand.records.report import WORST_FIRST, Figures, Finding, Severity
from evenhand.text.wording import count

SURE = 0.05  # corrected p below which a difference is told as one
GRAVE_GAP = 0.05  # a gap of five points in a hundred is more than a rounding matter
BLIND_GAP = 0.10  # where so large a gap cannot be ruled out, nothing is called clear
GRAVE_CONFIDENCE = 0.10
BLIND_LEAK = 0.10
UNKNOWN: Severity = "unknown"
CLEAR: Severity = "clear"
WORDS = {
    "age_band": "age",
    "school_type": "kind of school",
    "career_gap": "gap in the career",
    "place": "town or country",
}
CALIBRATED = "Confidence means much the same in all groups"
CALIBRATED_OPENING = (
    "How much surer the model is than it is right, a group against the others, is no more than chance gives where so "
    "many are compared. The largest of audited:"
)
UNREAD = "Groups were not read from what the model sees"
UNREAD_OPENING = "Balanced accuracy of the best reader, against what the true label or always the same answer gives:"


_AGES = re.compile(r"(?<!\d)(\d++)_(\d+)")


def word(name: str) -> str:
    """A variable or group as people say it."""
    return WORDS.get(name, _AGES.sub(r"\1 to \2", name)).replace("_", " ")


def whose(variable: str, group: str) -> str:
    """A group in a sentence; yes and no say nothing without the question."""
    return f"{word(group)} ({word(variable)})" if group in {"yes", "no"} else word(group)


def findings_of(measures: ModelMeasures) -> tuple[Finding, ...]:
    findings = [
        *(_gap_finding(variable, measures) for variable in measures.variables),
        *_joined(
            [_calibration_finding(variable, measures) for variable in measures.variables],
            "model.calibration",
            CALIBRATED,
            opening=CALIBRATED_OPENING,
        ),
        *_joined(
            [
                _leakage_finding(variable.variable, name, probes, measures)
                for variable in measures.variables
                for name, probes in variable.probes.items()
            ],
            "model.leakage",
            UNREAD,
            opening=UNREAD_OPENING,
        ),
        _slice_finding(measures),
    ]
    return tuple(sorted(findings, key=lambda finding: WORST_FIRST.index(finding.severity)))


def _joined(findings: Sequence[Finding], code: str, title: str, *, opening: str) -> Iterator[Finding]:
    """Those that somebody should look at one by one; the others as one, or nobody would read on."""
    yield from (finding for finding in findings if finding.severity in {"concern", "watch"})
    for severity, words in (("clear", title), ("unknown", f"{title}, as far as can be told")):
        some = [finding for finding in findings if finding.severity == severity]
        if some:
            sentences = " ".join(dict.fromkeys(finding.sentence for finding in some)).rstrip(";.") + "."
            action = next((finding.action for finding in some if finding.action), None)
            yield Finding(f"{code}.{severity}", some[0].severity, words, f"{opening} {sentences}", action)


def points(value: float | None) -> str:
    """In points of a hundred, with a sign."""
    return "-" if value is None else f"{100 * value:+.1f}"


def between(estimate: Estimate) -> str:
    return f"{points(estimate.value)} points (95% interval {points(estimate.low)} to {points(estimate.high)})"


def p_words(p: float | None) -> str:
    return "-" if p is None else "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _gap_finding(audited: VariableMeasures, measures: ModelMeasures) -> Finding:
    code = f"model.gap.{audited.variable}"
    enough = [gap for gap in audited.compared if gap.is_enough]
    if not enough:
        return _too_few(code, audited.variable, "Recognition")

    def p_of(kind: str, gap: GroupGaps) -> float:
        return measures.adjusted.get((kind, audited.variable, gap.group), 1.0)

    worst, by_label = (min(enough, key=partial(p_of, kind)) for kind in ("gap", "rms"))
    if p_of("gap", worst) < SURE:
        return _gap_found(code, audited.variable, worst, p_of("gap", worst))
    if p_of("rms", by_label) < SURE:
        return _uneven(code, audited.variable, by_label, p_of("rms", by_label))
    return _gap_not_found(code, audited.variable, enough, p_of("gap", worst))


def _figures(gap: GroupGaps, p: float) -> Figures:
    return {
        "group": gap.group,
        "gap": gap.like_for_like.value,
        "low": gap.like_for_like.low,
        "high": gap.like_for_like.high,
        "p_holm": p,
        "resumes": gap.resumes,
    }


def _gap_words(variable: str, gap: GroupGaps, p: float) -> dict[str, object]:
    return {
        "variable": word(variable),
        "group": whose(variable, gap.group),
        "gap": between(gap.like_for_like),
        "resumes": count(gap.resumes, "resume"),
        "others": gap.others,
        "p": p_words(p),
    }


def _gap_found(code: str, variable: str, gap: GroupGaps, p: float) -> Finding:
    value = gap.like_for_like.value or 0.0
    severity: Severity = "concern" if abs(value) >= GRAVE_GAP else "watch"
    words = {**_gap_words(variable, gap, p), "more": "more" if value > 0 else "less"}
    return finding_in_words("model.gap_found", code, severity, _figures(gap, p), **words)


def _uneven(code: str, variable: str, gap: GroupGaps, p: float) -> Finding:
    """Grave where the mean over labels points one way too, though it alone would not have stood the correction."""
    chance = gap.rms_by_chance.value or 0.0
    is_grave = gap.like_for_like.excludes_zero and abs(gap.like_for_like.value or 0.0) >= GRAVE_GAP
    words = {**_gap_words(variable, gap, p), "rms": 100 * (gap.rms or 0.0), "chance": 100 * chance}
    figures = {**_figures(gap, p), "rms": gap.rms, "rms_by_chance": chance}
    return finding_in_words("model.gap_uneven", code, "concern" if is_grave else "watch", figures, **words)


def _gap_not_found(code: str, variable: str, enough: list[GroupGaps], p: float) -> Finding:
    told = max(enough, key=lambda gap: _reach(gap.like_for_like))
    reach = _reach(told.like_for_like)
    doubtful = [gap for gap in enough if gap.like_for_like.excludes_zero]
    kind, severity = "model.gap_unknown", UNKNOWN
    if doubtful:
        told, kind = max(doubtful, key=lambda gap: abs(gap.like_for_like.value or 0.0)), "model.gap_doubtful"
    elif reach <= BLIND_GAP:
        kind, severity = "model.gap_clear", CLEAR
    figures = {**_figures(told, p), "largest_possible": reach}
    return finding_in_words(kind, code, severity, figures, **_gap_words(variable, told, p), reach=100 * reach)


def _reach(gap: Estimate) -> float:
    return max(abs(gap.low or 0.0), abs(gap.high or 0.0))


def _too_few(code: str, variable: str, what: str) -> Finding:
    return finding_in_words("model.too_few", code, "unknown", variable=word(variable), what=what)


def _calibration_finding(audited: VariableMeasures, measures: ModelMeasures) -> Finding:
    code = f"model.calibration.{audited.variable}"
    enough = [one for one in audited.calibration if one.is_enough]
    if not enough:
        return _too_few(code, audited.variable, "Confidence")
    worst = min(enough, key=lambda one: measures.adjusted.get(("calibration", audited.variable, one.group), 1.0))
    p = measures.adjusted.get(("calibration", audited.variable, worst.group), 1.0)
    gap = worst.over_gap.value or 0.0
    figures: Figures = {"group": worst.group, "gap": gap, "p_holm": p}
    words = {"variable": word(audited.variable), "group": whose(audited.variable, worst.group)}
    words |= {"gap": between(worst.over_gap), "p": p_words(p), "sure": "surer" if gap > 0 else "less sure"}
    if p < SURE:
        severity: Severity = "concern" if abs(gap) >= GRAVE_CONFIDENCE else "watch"
        return finding_in_words("model.not_calibrated", code, severity, figures, **words)
    is_clear = all(_reach(one.over_gap) <= BLIND_GAP and not one.over_gap.excludes_zero for one in enough)
    return finding_in_words("model.calibrated", code, "clear" if is_clear else "unknown", figures, **words)


def _leakage_finding(variable: str, name: str, probes: Sequence[Probe], measures: ModelMeasures) -> Finding:
    code = f"model.leakage.{variable}.{name.replace(' ', '_')}"
    if not probes:
        return _too_few(code, variable, f"Leakage from the {name}")
    best = max(probes, key=lambda probe: probe.balanced.value or 0.0)
    p = measures.adjusted["leakage", variable, name, best.reader]
    floor = max(best.chance, best.label_floor)
    figures: Figures = {"reader": best.reader, "balanced_accuracy": best.balanced.value, "floor": floor, "p_holm": p}
    low, high = best.beyond_floor.low or 0.0, best.balanced.high or 1.0
    words = {"name": name, "variable": word(variable), "balanced": _per_cent(best.balanced)}
    if p < SURE and low > 0:
        return finding_in_words(
            "model.leak",
            code,
            "watch",
            figures,
            **words,
            probe=PROBE_WORDS[best.reader],
            groups=len(best.groups),
            chance=best.chance,
            label=best.label_floor,
            shuffled=best.shuffled,
            p=p_words(p),
        )
    severity = CLEAR if high < floor + BLIND_LEAK else UNKNOWN
    return finding_in_words("model.no_leak", code, severity, figures, **words, floor=floor)


def _per_cent(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.value:.0%} ({estimate.low:.0%} to {estimate.high:.0%})"


def _slice_finding(measures: ModelMeasures) -> Finding:
    slices = measures.slices
    sure = [group_slice for group_slice in slices.worst if group_slice.p < SURE]
    figures: Figures = {"searched": slices.searched, "found": len(sure)}
    if not slices.worst:
        return finding_in_words("model.no_slices", "model.slices", "unknown", figures)
    if not sure:
        return finding_in_words("model.slices_clear", "model.slices", "clear", figures, searched=slices.searched)
    worst = sure[0]
    return finding_in_words(
        "model.slice_found",
        "model.slices",
        "watch",
        figures,
        slice=slice_words(worst),
        wrong=worst.errors.part,
        whole=worst.errors.whole,
        others_wrong=worst.others.part,
        others_whole=worst.others.whole,
        p=p_words(worst.p),
        searched=slices.searched,
    )


def slice_words(group_slice: Slice) -> str:
    return ", ".join(f"{word(name)}: {word(value)}" for name, value in group_slice.conditions)
