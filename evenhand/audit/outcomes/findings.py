"""What the figures mean for somebody who has to act: findings in plain words, and how sure they are.

A ratio is always of the less to the more favoured group, so at most 1. Below four fifths, where chance would rarely
give it, it is a concern, unless two people more or less would undo it; that a group is small is said beside the value.
Groups that are too small to tell are unknown, never clear; clear is what a wide enough sample has shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from evenhand.audit.outcomes.counting import MINIMUM
from evenhand.audit.outcomes.measuring import BandComparison, Drift, Outcomes, PooledRatio
from evenhand.audit.outcomes.rates import (
    FOUR_FIFTHS,
    GroupRate,
    RateTable,
    against_enough,
    decimal,
    measure_words,
    p_words,
    percent,
    span,
    variable_words,
)
from evenhand.audit.statistics import holm
from evenhand.records.report import WORST_FIRST, Figures, Finding, Severity, worst_of
from evenhand.text.wording import capitalised, count, join_and

LEVEL = 0.05
LIKELY = 0.2  # what chance gives as often as this is nothing to watch, and nothing to be calm about
MUCH_UNKNOWN = 0.2  # of the people

LOOK = (
    "Look at what separates the two groups on the way there: the requirements of the job, the filters in use, and the "
    "audit of swaps for the ranker. Let somebody who knows the law of your country read this before the next selection."
)
ALIKE = "What the bands are about does not explain the gap. Look for the cause in the steps of the selection itself."
MORE = "Repeat this when there are more people, or over several jobs of the same kind together."
KEEP = "Keep it in view: repeat this audit with the next selection, and look for the cause if it stays."


def find(outcomes: Outcomes, *, chosen: str) -> tuple[Finding, ...]:
    words = {
        "selection": chosen,
        "scoring": "scored above the median",
        "shortlist": f"are among the {outcomes.shortlist or 0:,} ranked highest",
    }
    return (
        *(impact_finding(table, words[table.measure]) for table in outcomes.tables),
        *(band_finding(banded) for banded in outcomes.banded if banded.pooled),
        *(finding for drift in outcomes.drifts for finding in drift_findings(drift)),
        *unknown_findings(outcomes),
    )


def severity_of(rate: GroupRate, reference: GroupRate) -> Severity:
    """Of one group that is compared."""
    is_small = rate.is_small or reference.is_small
    is_sure = rate.p_corrected is not None and rate.p_corrected < LEVEL
    if rate.is_below_four_fifths and is_sure:
        return "watch" if rate.hangs_on_few else "concern"
    if is_small or (rate.is_below_four_fifths and (rate.hangs_on_few or (rate.p_corrected or 0.0) >= LIKELY)):
        return "unknown"
    if rate.is_below_four_fifths or is_sure:
        return "watch"
    low = rate.ratio_interval.low if rate.ratio_interval else 0.0
    return "clear" if low >= FOUR_FIFTHS else "unknown"


def impact_finding(table: RateTable, chosen: str) -> Finding:
    code = f"impact.{code_of(table.variable)}.{table.measure}"
    title = f"{capitalised(variable_words(table.variable))}: {measure_words(table.measure)}"
    if table.reference is None or not table.compared:
        if table.known == 0:
            why = f"Nobody's group is known, so nothing can be compared ({people(table.unknown)})."
        elif table.reference is None:
            why = f"There is nobody yet among those who {chosen} whose group is known: there is no ratio to work out."
        else:
            why = f"All whose group is known are in one group, {table.reference}: there is nobody to compare them with."
        return Finding(code, "unknown", title, why, MORE, _unknowns(table))
    severity, sure, same = _worst(table)
    reference = sure.of(sure.reference or "")
    few = [rate.group for rate in table.rates if 0 < rate.n < MINIMUM and rate.group != reference.group]
    sentence = " ".join(_sentences(severity, same, few, reference, chosen))
    if sure.reference != table.reference:
        highest = table.of(table.reference)
        sentence += (
            f" (The highest rate, {percent(highest.rate)}, has the group {highest.group}, but of only "
            f"{people(highest.n)}: the comparison is with the highest of the larger groups.)"
        )
    return Finding(code, severity, title, sentence, _action(severity), _figures(table, same[0], reference))


def _worst(table: RateTable) -> tuple[Severity, RateTable, list[GroupRate]]:
    """The gravest that can be said, of which table, and of which groups: with the highest of the larger groups as the
    reference, or with the highest of all where that is graver. Who fares better than the reference is no one's loss."""
    verdicts = []
    for one in dict.fromkeys((against_enough(table), table)):
        reference = one.of(one.reference or "")
        severities = [(severity_of(rate, reference), rate) for rate in one.compared if (rate.ratio or 0.0) <= 1]
        if severities:
            severity = worst_of(own for own, _ in severities)
            same = sorted((rate for own, rate in severities if own == severity), key=lambda rate: rate.is_small)
            verdicts.append((severity, one, same))
    return min(verdicts, key=lambda verdict: WORST_FIRST.index(verdict[0]))


def people(number: int) -> str:
    return count(number, "person", "people")


def _sentences(
    severity: Severity, same: list[GroupRate], few: list[str], reference: GroupRate, chosen: str
) -> Iterator[str]:
    worst = same[0]
    yield (
        f"Of {people(worst.n)} in the group {worst.group}, {worst.selected:,} {chosen} ({percent(worst.rate)}); "
        f"of {reference.n:,} in the group {reference.group}, {reference.selected:,} ({percent(reference.rate)})."
    )
    corrected = ""
    if worst.p_corrected is not None and worst.p is not None and worst.p_corrected > worst.p:
        corrected = f", {p_words(worst.p_corrected)} corrected for the number of groups"
    few_people = [f"only {people(rate.n)} in the group {rate.group}; " for rate in (worst, reference) if rate.is_small]
    yield (
        f"The impact ratio is {decimal(worst.ratio)} ({''.join(few_people)}95% interval {span(worst.ratio_interval)}; "
        f"Fisher's exact test {p_words(worst.p)}{corrected})."
    )
    reading = _reading(severity, worst, reference)
    yield reading
    alike = [rate for rate in same[1:] if _reading(severity, rate, reference) == reading]
    rest = [f"{rate.group} ({decimal(rate.ratio)})" for rate in alike if not rate.is_small]
    if rest:
        yield f"The same is to be said of {join_and(rest)}."
    others = [group for group in few if group != worst.group]
    if others:
        yield f"Fewer than {MINIMUM} people are in {join_and(others)}: of them little can be told."


def _reading(severity: Severity, worst: GroupRate, reference: GroupRate) -> str:
    if severity == "concern":
        said = "That is below four fifths, and chance alone would rarely do it"
        if not (worst.is_small or reference.is_small):
            return f"{said}."
        return f"{said}; with so few people the true ratio may lie anywhere in the interval."
    if severity == "clear":
        return "That is not below four fifths, and the whole interval is above."
    if worst.is_small or reference.is_small:
        few = min((worst, reference), key=lambda rate: rate.n)
        said = "It is striking all the same." if severity == "watch" else "That says nothing yet."
        are = "is" if few.n == 1 else "are"
        return f"There {are} only {people(few.n)} in the group {few.group}, fewer than {MINIMUM}. {said}"
    if severity == "unknown" and not worst.is_below_four_fifths:
        return "That is not below four fifths, but the interval reaches below: a real gap could be missed here."
    if severity == "unknown" and (worst.p_corrected or 0.0) >= LIKELY:
        return "That is below four fifths, but chance would often give as much."
    if worst.hangs_on_few:
        changed = "one outcome" if worst.changes == 1 else "two outcomes"
        return f"That is below four fifths, but {changed} more or less would undo it."
    if worst.is_below_four_fifths:
        return "That is below four fifths, but it may be chance."
    return "That is not below four fifths, but the difference is more than chance."


def _action(severity: Severity) -> str | None:
    return {"concern": LOOK, "watch": KEEP, "unknown": MORE, "clear": None}[severity]


def _figures(table: RateTable, worst: GroupRate, reference: GroupRate) -> Figures:
    interval = worst.ratio_interval
    return {
        "group": worst.group,
        "reference": reference.group,
        "rate": worst.rate,
        "reference_rate": reference.rate,
        "ratio": worst.ratio,
        "ratio_to_highest": table.of(worst.group).ratio,
        "ratio_low": interval.low if interval else None,
        "ratio_high": interval.high if interval else None,
        "p": worst.p,
        "p_corrected": worst.p_corrected,
        "changes_to_four_fifths": worst.changes,
        **_unknowns(table),
    }


def _unknowns(table: RateTable) -> Figures:
    return {"people": table.known, "unknown": table.unknown}


def band_finding(banded: BandComparison) -> Finding:
    """Whether a gap stays among people who are alike in what the bands are about."""
    severities = [(_pooled_severity(pooled, banded), pooled) for pooled in banded.pooled]
    severity = worst_of(own for own, _ in severities)
    same = [pooled for own, pooled in severities if own == severity]
    worst = min(same, key=lambda pooled: (pooled.ratio is None, pooled.ratio or 0.0))
    title = f"{capitalised(variable_words(banded.variable))}: within bands"
    sizes = {name: _people_in(banded, name) for name in (worst.group, worst.reference)}
    few = "".join(f"only {people(n)} in the group {name}; " for name, n in sizes.items() if n < MINIMUM)
    sentence = (
        f"Compared only within {count(len(banded.bands), 'band')}, the impact ratio of {worst.group} to "
        f"{worst.reference} is {decimal(worst.ratio)} ({few}95% interval {span(worst.ratio_interval)}; "
        f"{p_words(worst.p)})."
    )
    said = {
        "concern": "So people who are alike in this still fare differently.",
        "watch": "So people who are alike in this may still fare differently.",
        "unknown": "That is too little to tell whether people who are alike in this fare alike.",
        "clear": "So people who are alike in this fare alike.",
    }[severity]
    figures: Figures = {
        "group": worst.group,
        "reference": worst.reference,
        "ratio": worst.ratio,
        "ratio_low": worst.ratio_interval.low if worst.ratio_interval else None,
        "ratio_high": worst.ratio_interval.high if worst.ratio_interval else None,
        "p": worst.p,
    }
    code = f"within.{code_of(banded.variable)}.selection"
    action = ALIKE if severity == "concern" else _action(severity)
    return Finding(code, severity, title, f"{sentence} {said}", action, figures)


def _people_in(banded: BandComparison, group: str) -> int:
    return sum(table.of(group).n for table in banded.tables)


def _pooled_severity(pooled: PooledRatio, banded: BandComparison) -> Severity:
    """Where nobody of a group was selected there is no interval, but a ratio and a test."""
    fewest = min(_people_in(banded, name) for name in (pooled.group, pooled.reference))
    p = min(1.0, pooled.p * len(banded.pooled)) if pooled.p is not None else None
    is_sure = p is not None and p < LEVEL
    if pooled.ratio is None:
        return "unknown"
    if is_sure and pooled.ratio < FOUR_FIFTHS:
        return "concern"
    if fewest < MINIMUM:
        return "unknown"
    if is_sure or pooled.ratio < FOUR_FIFTHS:
        return "watch"
    interval = pooled.ratio_interval
    return "clear" if interval and interval.low >= FOUR_FIFTHS else "unknown"


def drift_findings(drift: Drift) -> Iterator[Finding]:
    """Only what moves: that nothing was seen to move is in the table."""
    tested = [trend for trend in drift.trends if trend.p is not None]
    for trend, p in zip(tested, holm([trend.p or 0.0 for trend in tested]), strict=True):
        if p >= LEVEL or trend.factor is None:
            continue
        way = "falls" if trend.factor < 1 else "rises"
        sentence = (
            f"The impact ratio of {trend.group} to {trend.reference} {way} from {drift.step} to {drift.step}: it is "
            f"multiplied by {decimal(trend.factor)} each time ({p_words(trend.p)}, {trend.periods} {drift.step}s)."
        )
        title = f"{capitalised(variable_words(drift.variable))}: the ratio {way} over time"
        # Groups keep their capitals: two that differ in these alone are two.
        code = f"drift.{code_of(drift.variable)}.{'_'.join(trend.group.split())}.selection"
        yield Finding(code, "watch", title, sentence, KEEP, asdict(trend))


def unknown_findings(outcomes: Outcomes) -> Iterator[Finding]:
    tables: dict[str, RateTable] = {}
    for table in outcomes.tables:
        tables.setdefault(table.variable, table)
    for table in tables.values():
        everyone = table.known + table.unknown
        if everyone and table.unknown > MUCH_UNKNOWN * everyone:
            yield Finding(
                f"groups.{code_of(table.variable)}.unknown",
                "unknown",
                f"{capitalised(variable_words(table.variable))}: many did not say",
                f"Of {everyone:,} people, {table.unknown:,} ({percent(table.unknown / everyone)}) gave no group. They "
                "are in no rate; if those who did not say fare otherwise than those who did, every ratio here is off.",
                "Ask again, say what it is for, and never guess a group from a name.",
                {"people": everyone, "unknown": table.unknown},
            )


def code_of(variable: str) -> str:
    return "_".join(variable.lower().replace(" x ", " by ").split())
