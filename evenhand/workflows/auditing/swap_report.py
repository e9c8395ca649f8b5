"""A swap audit as a report: findings, a table and pictures for each ranker or model, the worst pairs with texts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from evenhand.audit.swaps.comparison import FEWEST, Comparison, WorstPair
from evenhand.audit.swaps.editing import Edited, apply_edits
from evenhand.audit.swaps.effects import Interval
from evenhand.records.report import Block, Grid, Pair, Report, Section, Stretch
from evenhand.version import __version__
from evenhand.workflows.auditing.swap_charts import bands_chart, effects_chart, slopes_chart
from evenhand.workflows.auditing.swap_record import SwapAudit
from evenhand.workflows.auditing.swap_wording import findings_of, number, said

SHOWN_PAIRS = 3
SHOWN_BANDS = 20
AROUND = 90  # characters on either side of an edit
EFFECTS = ("put in", "pairs", "change of score", "95% interval", "placebo band", "p (Holm)", "result")
PLACES = ("put in", "places", "flips", "flips of placebo", "weight of words", "share of words")
RESULTS = {"concern": "moved", "watch": "moved a little", "clear": "not moved", "unknown": "cannot tell"}
METHOD = (
    "Every resume is edited in one place at a time: two values of a reference group and one of another group "
    "are put there, the edited text is mined anew as if it had come that way, and it is ranked among all "
    "others as they are.",
    "The change between the two values of the same group is the placebo: what any change of words does. An "
    "effect counts only if Wilcoxon's signed-rank test finds it after Holm's correction over all groups, and "
    "if its 95% interval has no point in common with the interval of the placebo. Both intervals allow for "
    "words that recur in several resumes.",
    "Changes are told in parts of the standard deviation of scores in this pool. Weight of words: for a "
    "ranker how much of the score goes when they are blanked, for a model their share of an explanation by "
    "words; with their share of all words beside it. An effect that weighs no more than that is only to be "
    "watched.",
    "Rank bands come from edits that change nothing a fair reader would care about: some phrases said "
    "otherwise, a closing line, two skills in another order, months spelled out or not.",
)
LIMITS = (
    "A swap shows what words do to this ranker or model on these resumes. It does not show how people "
    "decide, nor whether groups fare differently for other reasons: outcomes by group do.",
    "Names, places and schools suggest a group; they do not say who anyone is. Nobody's group was inferred.",
    "Facts that somebody corrected by hand are read from the text again in an edited resume, on both sides "
    "of a pair.",
    "Not moved means that an effect as large as the finding says would probably have been seen, not that "
    "there is none.",
)


def swap_report(audit: SwapAudit) -> Report:
    return Report(
        kind="swaps",
        title="Does a name, a place, a school or a gap move the result?",
        subject=audit.subject,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        findings=findings_of(audit),
        sections=tuple(_sections(audit)),
        method=METHOD,
        limits=LIMITS,
        facts=tuple(_facts(audit)),
        data=_data(audit),
    )


def _sections(audit: SwapAudit) -> Iterator[Section]:
    for judge in dict.fromkeys(each.judge for each in audit.comparisons):
        yield Section(f"{judge[:1].upper()}{judge[1:]}", tuple(_blocks(audit, judge)))


def _blocks(audit: SwapAudit, judge: str) -> Iterator[Block]:
    own = [each for each in audit.comparisons if each.judge == judge]
    yield effects_chart(audit, judge)
    yield Grid(
        "How far scores move",
        EFFECTS,
        tuple(_effect_row(audit, each) for each in own),
        frozenset(range(1, 6)),
        f"In parts of what scores differ by among all: their standard deviation. Under {FEWEST} pairs tell nothing.",
    )
    yield Grid(
        "What becomes of it",
        PLACES,
        tuple(_place_row(audit, each) for each in own),
        frozenset(range(1, 6)),
        "Places: down is positive. A flip is a label, or a place on the shortlist, that comes out differently.",
    )
    for each in own:
        if each.is_moved and (slopes := slopes_chart(audit, each)):
            yield slopes
    for each, pair in _worst(own):
        yield _pair(audit, each, pair)
    if bands := bands_chart(audit, judge):
        yield bands
        yield _band_table(audit, judge)


def _effect_row(audit: SwapAudit, each: Comparison) -> tuple[str, ...]:
    unit, score = each.score.unit or 1.0, each.score
    return (
        said(audit, each)[0],
        str(score.effect.number),
        number(score.effect.mean / unit),
        _range(score.effect.interval, unit),
        _range(score.band, unit),
        _p(each.corrected_p),
        RESULTS[each.severity],
    )


def _place_row(audit: SwapAudit, each: Comparison) -> tuple[str, ...]:
    return (
        said(audit, each)[0],
        number(each.rank.effect.mean, 1) if each.rank else "",
        f"{each.flips.rate:.1%}",
        f"{each.flips.placebo_rate:.1%}",
        f"{each.share.attribution:.1%}" if each.share else "",
        f"{each.share.tokens:.1%}" if each.share else "",
    )


def _range(interval: Interval, unit: float) -> str:
    low, high = number(interval.low / unit), number(interval.high / unit)
    return low if low == high else f"{low} to {high}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _worst(own: list[Comparison]) -> list[tuple[Comparison, WorstPair]]:
    """Of what moved if anything did, else of everything: people want to see the worst, whatever it is."""
    moved = [each for each in own if each.is_moved] or own
    found = [(each, pair) for each in moved for pair in each.worst]
    return sorted(found, key=lambda both: -_distance(*both))[:SHOWN_PAIRS]


def _distance(each: Comparison, pair: WorstPair) -> float:
    if pair.reference_rank is not None and pair.other_rank is not None:
        return float(abs(pair.reference_rank - pair.other_rank))
    return abs(pair.difference) / (each.score.unit or 1.0)


def _pair(audit: SwapAudit, each: Comparison, pair: WorstPair) -> Pair:
    group, reference = said(audit, each)
    rows = dict(_rows(audit, pair.resume))
    document = audit.planned[pair.resume].subject.document
    before, after = (apply_edits(document, rows[row].edits) for row in (pair.reference_row, pair.other_row))
    key = audit.planned[pair.resume].subject.key
    return Pair(
        f"{key}: {reference} and {group}",
        stretch_of(before),
        stretch_of(after),
        _outcome(pair.reference_rank, pair.reference_label),
        _outcome(pair.other_rank, pair.other_label),
    )


def _rows(audit: SwapAudit, resume: int) -> Iterator[tuple[int, Any]]:
    """Rows of the trials of one resume, with what was tried."""
    first = sum(len(one.variants) for one in audit.planned[:resume])
    yield from enumerate(audit.planned[resume].variants, start=first)


def stretch_of(edited: Edited) -> Stretch:
    """The text around what was put in."""
    text, places = edited.document.text, edited.places or ((0, 0),)
    start, end = max(0, places[0][0] - AROUND), min(len(text), places[0][1] + AROUND)
    marks = tuple(
        (max(low, start) - start, min(high, end) - start)
        for low, high in places
        if low < end and start < high
    )
    return Stretch(text[start:end], marks if edited.places else ())


def _outcome(rank: int | None, label: str | None) -> str:
    return f"rank {rank}" if rank is not None else f"label {label}"


def _band_table(audit: SwapAudit, judge: str) -> Grid:
    rows = tuple(
        (
            str(band.rank),
            audit.planned[band.resume].subject.key,
            "stays" if band.best == band.worst else f"{band.best} to {band.worst}",
            str(band.edits),
        )
        for band in audit.bands[judge][:SHOWN_BANDS]
    )
    return Grid(
        "Ranks under harmless edits", ("rank", "resume", "between", "edits tried"), rows, frozenset({0, 3})
    )


def _facts(audit: SwapAudit) -> Iterator[tuple[str, str]]:
    request = audit.request
    yield "Resumes in the pool", f"{audit.pool:,}"
    yield "Resumes edited", f"{len(audit.planned):,}"
    yield "Edited resumes judged", f"{len(audit.trials.resume):,}"
    yield "Places on the shortlist", f"{audit.shortlist:,}"
    yield "Could not be read", f"{len(audit.errors):,}"
    yield "Seed", str(request.seed)
    yield "Seconds", f"{audit.seconds:.0f}"
    yield "Evenhand", __version__


def _data(audit: SwapAudit) -> dict[str, Any]:
    return {
        "comparisons": [each.to_json() for each in audit.comparisons],
        "stability": {
            judge: [{**band.to_json(), "key": audit.planned[band.resume].subject.key} for band in bands]
            for judge, bands in audit.bands.items()
        },
        "pool": audit.pool,
        "edited": len(audit.planned),
        "variants": len(audit.trials.resume),
        "shortlist": audit.shortlist,
        "seed": audit.request.seed,
        "seconds": audit.seconds,
        "errors": [error.to_json() for error in audit.errors],
    }
