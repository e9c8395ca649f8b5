"""What the figures of a model audit say, in plain words, each with how sure it is and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

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


def _gap_found(code: str, variable: str, gap: GroupGaps, p: float) -> Finding:
    value = gap.like_for_like.value or 0.0
    severity: Severity = "concern" if abs(value) >= GRAVE_GAP else "watch"
    more = "more" if value > 0 else "less"
    return Finding(
        code,
        severity,
        f"Not recognised equally well by {word(variable)}",
        f"Among resumes with the same true label, those of the group {whose(variable, gap.group)} get it {more} "
        f"often than the others: {between(gap.like_for_like)}, {count(gap.resumes, 'resume')} against {gap.others:,}, "
        f"{p_words(p)} after correction.",
        "Give this model no weight until you know why: look at the table by label and at the worst slices, and train "
        "again with more resumes of that group or with the words removed that stand for it.",
        _figures(gap, p),
    )


def _uneven(code: str, variable: str, gap: GroupGaps, p: float) -> Finding:
    """Grave where the mean over labels points one way too, though it alone would not have stood the correction."""
    chance = gap.rms_by_chance.value or 0.0
    is_grave = gap.like_for_like.excludes_zero and abs(gap.like_for_like.value or 0.0) >= GRAVE_GAP
    return Finding(
        code,
        "concern" if is_grave else "watch",
        f"Some labels are recognised unequally by {word(variable)}",
        f"For the group {whose(variable, gap.group)} single labels differ by {100 * (gap.rms or 0.0):.1f} points from "
        f"the others (root mean square), where chance alone gives {100 * chance:.1f}; {p_words(p)} after correction. "
        f"Over all labels the group has {between(gap.like_for_like)}, {count(gap.resumes, 'resume')} against "
        f"{gap.others:,}.",
        "Look at the table by label, and repeat the audit with more resumes of this group before the model gets a "
        "weight.",
        {**_figures(gap, p), "rms": gap.rms, "rms_by_chance": chance},
    )


def _gap_not_found(code: str, variable: str, enough: list[GroupGaps], p: float) -> Finding:
    widest = max(enough, key=lambda gap: _reach(gap.like_for_like))
    reach = _reach(widest.like_for_like)
    figures = {**_figures(widest, p), "largest_possible": reach}
    doubtful = [gap for gap in enough if gap.like_for_like.excludes_zero]
    if doubtful:
        largest = max(doubtful, key=lambda gap: abs(gap.like_for_like.value or 0.0))
        return Finding(
            code,
            "unknown",
            f"Whether {word(variable)} matters cannot be told",
            f"For the group {whose(variable, largest.group)} ({count(largest.resumes, 'resume')}) the interval lies on "
            f"one side of zero, {between(largest.like_for_like)}, but where so many groups are compared that may be "
            f"chance ({p_words(p)} after correction).",
            "Repeat the audit with more resumes of this group.",
            {**_figures(largest, p), "largest_possible": reach},
        )
    if reach <= BLIND_GAP:
        return Finding(
            code,
            "clear",
            f"No difference by {word(variable)} was found",
            f"Among resumes with the same true label, no group gets it more or less often than chance allows; a gap of "
            f"more than {100 * reach:.0f} points would not fit what was seen.",
            None,
            figures,
        )
    return Finding(
        code,
        "unknown",
        f"Whether {word(variable)} matters cannot be told",
        f"No difference was found, but for the group {whose(variable, widest.group)} "
        f"({count(widest.resumes, 'resume')}) the test could not have ruled out one of {100 * reach:.0f} points: "
        f"{between(widest.like_for_like)}.",
        "Repeat the audit with more resumes of this group.",
        figures,
    )


def _reach(gap: Estimate) -> float:
    return max(abs(gap.low or 0.0), abs(gap.high or 0.0))


def _too_few(code: str, variable: str, what: str) -> Finding:
    return Finding(
        code,
        "unknown",
        f"Too few to tell by {word(variable)}",
        f"{what} cannot be compared by {word(variable)}: no group and its others have enough resumes.",
        "Repeat the audit with more resumes.",
    )


def _calibration_finding(audited: VariableMeasures, measures: ModelMeasures) -> Finding:
    code = f"model.calibration.{audited.variable}"
    enough = [one for one in audited.calibration if one.is_enough]
    if not enough:
        return _too_few(code, audited.variable, "Confidence")
    worst = min(enough, key=lambda one: measures.adjusted.get(("calibration", audited.variable, one.group), 1.0))
    p = measures.adjusted.get(("calibration", audited.variable, worst.group), 1.0)
    gap = worst.over_gap.value or 0.0
    figures: Figures = {"group": worst.group, "gap": gap, "p_holm": p}
    if p >= SURE:
        return Finding(
            code,
            "clear"
            if all(_reach(one.over_gap) <= BLIND_GAP and not one.over_gap.excludes_zero for one in enough)
            else "unknown",
            f"Confidence means much the same by {word(audited.variable)}",
            f"{word(audited.variable)}, {whose(audited.variable, worst.group)}: {between(worst.over_gap)};",
            None,
            figures,
        )
    sure = "surer" if gap > 0 else "less sure"
    return Finding(
        code,
        "concern" if abs(gap) >= GRAVE_CONFIDENCE else "watch",
        f"Confidence does not mean the same by {word(audited.variable)}",
        f"For the group {whose(audited.variable, worst.group)} the model is {sure}, compared with how often it is "
        f"right, than for the others: {between(worst.over_gap)}, {p_words(p)} after correction.",
        "Do not use one threshold of confidence for all until the model has been calibrated again.",
        figures,
    )


def _leakage_finding(variable: str, name: str, probes: Sequence[Probe], measures: ModelMeasures) -> Finding:
    code = f"model.leakage.{variable}.{name.replace(' ', '_')}"
    if not probes:
        return _too_few(code, variable, f"Leakage from the {name}")
    best = max(probes, key=lambda probe: probe.balanced.value or 0.0)
    p = measures.adjusted["leakage", variable, name, best.reader]
    floor = max(best.chance, best.label_floor)
    seen = (
        f"From the {name}, a {PROBE_WORDS[best.reader]} reader tells {len(best.groups)} groups apart with a balanced "
        f"accuracy of {_per_cent(best.balanced)}; always the same answer gives {best.chance:.0%}, the true label alone "
        f"{best.label_floor:.0%}, the same reader on shuffled groups {best.shuffled:.0%}"
    )
    figures: Figures = {"reader": best.reader, "balanced_accuracy": best.balanced.value, "floor": floor, "p_holm": p}
    low, high = best.beyond_floor.low or 0.0, best.balanced.high or 1.0
    if p < SURE and low > 0:
        return Finding(
            code,
            "watch",
            f"The {name} tells the {word(variable)}",
            f"{seen} ({p_words(p)} after correction). What can be read need not be used: the gaps above say whether it "
            "is.",
            "If that group may not matter, remove its concept from the representation and audit again.",
            figures,
        )
    is_clear = high < floor + BLIND_LEAK
    return Finding(
        code,
        "clear" if is_clear else "unknown",
        f"The {name} was not seen to tell the {word(variable)}",
        f"{word(variable)} from the {name} {_per_cent(best.balanced)} against {floor:.0%};",
        None if is_clear else "Repeat the audit with more resumes.",
        figures,
    )


def _per_cent(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.value:.0%} ({estimate.low:.0%} to {estimate.high:.0%})"


def _slice_finding(measures: ModelMeasures) -> Finding:
    slices = measures.slices
    sure = [group_slice for group_slice in slices.worst if group_slice.p < SURE]
    figures: Figures = {"searched": slices.searched, "found": len(sure)}
    if not slices.worst:
        title = "No slice is large enough"
        return Finding("model.slices", "unknown", title, "No slice has enough resumes.", None, figures)
    if not sure:
        return Finding(
            "model.slices",
            "clear",
            "No slice of a group stands out",
            f"Of {slices.searched:,} slices (a group, with label, length of the resume or experience) none has more "
            "errors than chance gives the worst of so many.",
            None,
            figures,
        )
    worst = sure[0]
    return Finding(
        "model.slices",
        "watch",
        "Errors gather in a slice",
        f"{slice_words(worst)}: {worst.errors.part} of {worst.errors.whole} are wrong, of those who differ in the "
        f"group alone {worst.others.part} of {worst.others.whole}; {p_words(worst.p)} after correction for "
        f"{slices.searched:,} slices.",
        "Read some of these resumes, and see the table of the worst slices.",
        figures,
    )


def slice_words(group_slice: Slice) -> str:
    return ", ".join(f"{word(name)}: {word(value)}" for name, value in group_slice.conditions)
