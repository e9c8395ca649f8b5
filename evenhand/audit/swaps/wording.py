"""What a swap audit found, in sentences that a person from HR can act on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite

from evenhand.audit.swaps.comparison import SwapComparison
from evenhand.audit.swaps.scoring import SwapAudit
from evenhand.records.report import Finding, Severity
from evenhand.text.wording import capitalised, count, join_and

Tell = Callable[[SwapAudit, Sequence[Sequence[SwapComparison]]], Finding]


def findings_of(audit: SwapAudit) -> tuple[Finding, ...]:
    """One for each group that moved a result; what did not, or could not be told, is told together."""
    moved = [
        _moved(audit, comparison) for comparison in audit.comparisons if comparison.severity in ("concern", "watch")
    ]
    return (*moved, *_together(audit, "unknown", _unknown), *_together(audit, "clear", _clear))


def swap_words(audit: SwapAudit, comparison: SwapComparison) -> tuple[str, str]:
    """What was put in, and what it is compared with."""
    family = next(family for family in audit.trials.families if family.name == comparison.family)
    names = {group.name: group.words for group in family.groups}
    return names[comparison.group], names[comparison.reference]


def _moved(audit: SwapAudit, comparison: SwapComparison) -> Finding:
    group, reference = swap_words(audit, comparison)
    return Finding(
        comparison.code,
        comparison.severity,
        f"{capitalised(group)} moves what {_the(comparison.scorer)} says{' a little' if comparison.is_small else ''}",
        " ".join(_moved_sentences(audit, comparison, group, reference)),
        _action(comparison),
        {
            "pairs": comparison.score.effect.number,
            "effect": comparison.score.effect.mean,
            "effect_low": comparison.score.effect.interval.low,
            "effect_high": comparison.score.effect.interval.high,
            "effect_in_units": comparison.score.in_units,
            "p_corrected": comparison.corrected_p,
            "flip_rate": comparison.flips.rate,
        },
    )


def _moved_sentences(audit: SwapAudit, comparison: SwapComparison, group: str, reference: str) -> Iterator[str]:
    score, flips = comparison.score, comparison.flips
    swapped = f"With {group} instead of {reference} and nothing else changed"
    if comparison.rank is not None:
        places = comparison.rank.effect.mean
        way = "lower" if places > 0 else "higher"
        yield (
            f"{swapped}, a resume ranks {abs(places):.1f} places {way} on average in a list of "
            f"{audit.pool:,}; {flips.lost} of {flips.number} would lose their place on a shortlist of "
            f"{audit.shortlist}, {flips.gained} would gain one."
        )
    else:
        yield (
            f"{swapped}, the label changes in {flips.changed} of {flips.number} resumes "
            f"({flips.placebo_rate:.1%} between words of the same group)."
        )
    unit = score.unit or 1.0
    low, high, *band = (number(value / unit) for value in (*score.effect.interval, *score.band))
    yield (
        f"The score changes by {number(score.in_units)} standard deviations of all scores (95% interval {low} "
        f"to {high}); between two words of the same group by {band[0]} to {band[1]} on average."
    )
    if (
        comparison.severity == "watch"
        and comparison.share is not None
        and comparison.share.attribution <= comparison.share.tokens
    ):
        yield "The words weigh no more than their share of all words, so this is to be monitored."


def number(value: float, decimals: int = 3) -> str:
    """With its sign, and 0 for what rounds to nothing."""
    if not isfinite(value):
        return "unknown"
    return "0" if abs(value) < 0.5 * 10**-decimals else f"{value:+.{decimals}f}"


def _action(comparison: SwapComparison) -> str:
    if comparison.family in ("career_gap", "part_time", "career_path"):
        return (
            "Decide whether the job really needs this. If not, screen with another ranker or lower the "
            "weight of recency and months, and audit again; if it does, write down why."
        )
    if comparison.severity == "concern":
        return (
            "Do not rely on this order alone. Screen blind with this kind of fact masked, or with another "
            "ranker, and audit again before anyone is rejected."
        )
    return "Small, but there. Audit again with more resumes, and look at the pairs below."


def _together(audit: SwapAudit, severity: Severity, tell: Tell) -> Iterator[Finding]:
    """One finding for all rankers and models of which the same is to be said."""
    alike: dict[tuple[tuple[str, str], ...], list[list[SwapComparison]]] = {}
    for scorer in dict.fromkeys(comparison.scorer for comparison in audit.comparisons):
        own = [
            comparison
            for comparison in audit.comparisons
            if comparison.scorer == scorer and comparison.severity == severity
        ]
        if own:
            alike.setdefault(tuple((comparison.family, comparison.group) for comparison in own), []).append(own)
    for same in alike.values():
        yield tell(audit, same)


def _clear(audit: SwapAudit, alike: Sequence[Sequence[SwapComparison]]) -> Finding:
    every = [comparison for own in alike for comparison in own]
    exact = sum(comparison.score.effect.mean == 0 and comparison.score.effect.error == 0 for comparison in every)
    worst = max(comparison.score.detectable for comparison in every)
    rest = ""
    if exact < len(every):
        rest = (
            f"; in the others an effect of {max(worst, 0.01):.2f} standard deviations would have been found in "
            "four of five audits"
        )
    return Finding(
        f"swap.clear.{_code(alike)}",
        "clear",
        f"{count(len(alike[0]), 'kind')} of words {_verb(alike, 'does not', 'do not')} move {_scorer_words(alike)}",
        f"No effect was found for {_listed(audit, alike[0])}. In {exact} of {len(every)} comparisons not one "
        f"score changed at all{rest}.",
        None,
        {"compared": len(every), "without_any_change": exact, "detectable_in_units": worst},
    )


def _unknown(audit: SwapAudit, alike: Sequence[Sequence[SwapComparison]]) -> Finding:
    fewest = min(comparison.score.effect.number for own in alike for comparison in own)
    return Finding(
        f"swap.unknown.{_code(alike)}",
        "unknown",
        f"Too little to tell whether {count(len(alike[0]), 'kind')} of words {_verb(alike, 'moves', 'move')} "
        f"{_scorer_words(alike)}",
        " ".join(_unknown_sentences(audit, alike, fewest)),
        "Audit with more resumes, or over several jobs.",
        {"compared": sum(map(len, alike)), "fewest_pairs": fewest},
    )


def _unknown_sentences(audit: SwapAudit, alike: Sequence[Sequence[SwapComparison]], fewest: int) -> Iterator[str]:
    doubtful = [comparison for own in alike for comparison in own if comparison.is_doubtful]
    blind = [comparison for comparison in alike[0] if not comparison.is_doubtful]
    if blind:
        yield (
            f"For {_listed(audit, blind)} there {'was' if fewest == 1 else 'were'} as few as {count(fewest, 'pair')}, "
            "or scores vary too much: an effect that people would notice could have been missed."
        )
    for comparison in doubtful:
        low, high = (number(value / (comparison.score.unit or 1.0)) for value in comparison.score.effect.interval)
        yield (
            f"With {swap_words(audit, comparison)[0]}, {_the(comparison.scorer)} moved by {low} to {high} (95% "
            f"interval) standard deviations, over {count(comparison.score.effect.number, 'pair')}, but corrected "
            f"for the number of comparisons that may be chance (p = {comparison.corrected_p:.2f})."
        )


def _verb(alike: Sequence[Sequence[SwapComparison]], one: str, several: str) -> str:
    return one if len(alike[0]) == 1 else several


def _code(alike: Sequence[Sequence[SwapComparison]]) -> str:
    return "+".join(own[0].scorer.replace(" ", ".") for own in alike)


def _scorer_words(alike: Sequence[Sequence[SwapComparison]]) -> str:
    return join_and([_the(own[0].scorer) for own in alike])


def _listed(audit: SwapAudit, comparisons: Sequence[SwapComparison]) -> str:
    return join_and([swap_words(audit, comparison)[0] for comparison in comparisons])


def _the(scorer: str) -> str:
    kind, _, name = scorer.partition(" ")
    return f"the {kind} {name}"
