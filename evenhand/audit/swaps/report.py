"""A swap audit as a report: findings, a table and pictures for each ranker or model, the worst pairs with texts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import numpy as np

from evenhand.audit.swaps.comparison import MIN_PAIRS, SwapComparison, WorstPair
from evenhand.audit.swaps.editing import EditedDocument, apply_edits
from evenhand.audit.swaps.effects import EffectInterval
from evenhand.audit.swaps.scoring import SwapAudit
from evenhand.audit.swaps.wording import findings_of, number, said
from evenhand.records.report import Block, Chart, MarkedText, Report, ReportSection, ReportTable, TextPair
from evenhand.version import __version__

# Pictures of a swap audit: effects with their intervals over the placebo band, pairs as slopes, bands of
# ranks.


BLUE, RED, GREY = "#3b6ea8", "#b3452c", "#9aa0a6"
MAX_SLOPES = 60
MAX_BANDS = 20
WIDTH = 560


def effects_chart(audit: SwapAudit, judge: str) -> Chart:
    """A row for each group: the grey bar is what words of one group do, the line what this group does."""
    own = [each for each in audit.comparisons if each.judge == judge]
    rows = [_swap_charts_effect_row(audit, each) for each in own]
    order = [row["what"] for row in rows]
    y = {"field": "what", "type": "nominal", "sort": order, "title": None, "axis": {"labelLimit": 330}}
    x = {"type": "quantitative", "title": "change of the score, in parts of what scores differ by"}
    colour = {
        "field": "found",
        "type": "nominal",
        "scale": {"domain": ["moved", "not moved"], "range": [RED, BLUE]},
        "title": None,
    }
    spec = {
        "width": WIDTH - 120,
        "height": {"step": 20},
        "data": {"values": rows},
        "layer": [
            {
                "mark": {"type": "bar", "color": GREY, "opacity": 0.45, "height": 14},
                "encoding": {"y": y, "x": {**x, "field": "band_low"}, "x2": {"field": "band_high"}},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {
                    "y": y,
                    "x": {**x, "field": "low"},
                    "x2": {"field": "high"},
                    "color": colour,
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 50},
                "encoding": {"y": y, "x": {**x, "field": "effect"}, "color": colour},
            },
            {
                "mark": {"type": "rule", "color": "#555", "strokeDash": [3, 3]},
                "encoding": {"x": {"datum": 0}},
            },
        ],
    }
    moved = [row["what"] for row in rows if row["found"] == "moved"]
    words = f"Moved: {', '.join(moved)}." if moved else "No group moved the score beyond the placebo band."
    return Chart(f"What moves the {judge}", spec, words)


def _swap_charts_effect_row(audit: SwapAudit, each: SwapComparison) -> dict[str, Any]:
    unit = each.score.unit or 1.0
    group, _ = said(audit, each)
    limits = each.score.effect.interval
    return {
        "what": group,
        "effect": each.score.effect.mean / unit,
        "low": _bounded(limits.low / unit),
        "high": _bounded(limits.high / unit),
        "band_low": _bounded(each.score.band.low / unit),
        "band_high": _bounded(each.score.band.high / unit),
        "found": "moved" if each.is_moved else "not moved",
    }


def _bounded(value: float) -> float:
    """An interval without an end cannot be drawn."""
    return float(np.clip(value, -3.0, 3.0))


def slopes_chart(audit: SwapAudit, each: SwapComparison) -> Chart | None:
    """Every pair as a line from one word to the other; None for models, which have no ranks."""
    outcome = next(found for found in audit.trials.outcomes if found.judge == each.judge)
    family = next(at for at, found in enumerate(audit.trials.families) if found.name == each.family)
    if outcome.rank is None:
        return None
    groups = [group.name for group in audit.trials.families[family].groups]
    triples = audit.trials.triples(family)
    own = triples[audit.trials.group[triples[:, 2]] == groups.index(each.group)]
    ranks = outcome.rank[own[:, [0, 2]]]
    chosen = ranks[np.argsort(-np.abs(ranks[:, 1] - ranks[:, 0]), kind="stable")][:MAX_SLOPES]
    group, reference = said(audit, each)
    values = [
        {"pair": number, "side": side, "rank": int(rank), "way": _way(before, after)}
        for number, (before, after) in enumerate(chosen.tolist())
        for side, rank in ((reference, before), (group, after))
    ]
    spec = {
        "width": 300,
        "height": 260,
        "data": {"values": values},
        "mark": {"type": "line", "point": True, "opacity": 0.6},
        "encoding": {
            "x": {
                "field": "side",
                "type": "nominal",
                "sort": [reference, group],
                "title": None,
                "axis": {"labelAngle": 0, "labelLimit": 150},
                "scale": {"padding": 0.3},
            },
            "y": {"field": "rank", "type": "quantitative", "scale": {"reverse": True}, "title": "rank"},
            "detail": {"field": "pair"},
            "color": {
                "field": "way",
                "type": "nominal",
                "scale": {"domain": ["down", "up", "same"], "range": [RED, BLUE, GREY]},
                "title": None,
            },
        },
    }
    down, up = (sum(_way(*pair) == way for pair in ranks.tolist()) for way in ("down", "up"))
    words = f"Of {len(ranks)} pairs, {down} go down and {up} go up with {group}."
    return Chart(f"Pairs: {reference} and {group}, {each.judge}", spec, words)


def _way(before: int, after: int) -> str:
    return "same" if before == after else "down" if after > before else "up"


def bands_chart(audit: SwapAudit, judge: str) -> Chart | None:
    """How firmly the first ranks stand under edits that mean nothing."""
    bands = audit.bands.get(judge, [])[:MAX_BANDS]
    if not bands:
        return None
    values = [{"who": f"{band.rank}.", "rank": band.rank, "best": band.best, "worst": band.worst} for band in bands]
    y = {
        "field": "who",
        "type": "ordinal",
        "sort": [value["who"] for value in values],
        "title": "rank in the list",
    }
    x = {"type": "quantitative", "title": "rank after harmless edits", "scale": {"zero": False}}
    spec = {
        "width": WIDTH - 120,
        "height": {"step": 16},
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "bar", "color": BLUE, "opacity": 0.35, "height": 9},
                "encoding": {"y": y, "x": {**x, "field": "best"}, "x2": {"field": "worst"}},
            },
            {
                "mark": {"type": "point", "filled": True, "color": BLUE, "size": 45},
                "encoding": {"y": y, "x": {**x, "field": "rank"}},
            },
        ],
    }
    widest = max(bands, key=lambda band: band.worst - band.best)
    words = (
        f"The widest of the first {len(bands)}: rank {widest.rank}, between {widest.best} and {widest.worst} "
        f"under {widest.edits} harmless edits."
    )
    return Chart(f"How firmly ranks stand, {judge}", spec, words)


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
    "Facts that somebody corrected by hand are read from the text again in an edited resume, on both sides of a pair.",
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


def _sections(audit: SwapAudit) -> Iterator[ReportSection]:
    for judge in dict.fromkeys(each.judge for each in audit.comparisons):
        yield ReportSection(f"{judge[:1].upper()}{judge[1:]}", tuple(_blocks(audit, judge)))


def _blocks(audit: SwapAudit, judge: str) -> Iterator[Block]:
    own = [each for each in audit.comparisons if each.judge == judge]
    yield effects_chart(audit, judge)
    yield ReportTable(
        "How far scores move",
        EFFECTS,
        tuple(_effect_row(audit, each) for each in own),
        frozenset(range(1, 6)),
        f"In parts of what scores differ by among all: their standard deviation. Under {MIN_PAIRS} pairs tell nothing.",
    )
    yield ReportTable(
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


def _effect_row(audit: SwapAudit, each: SwapComparison) -> tuple[str, ...]:
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


def _place_row(audit: SwapAudit, each: SwapComparison) -> tuple[str, ...]:
    return (
        said(audit, each)[0],
        number(each.rank.effect.mean, 1) if each.rank else "",
        f"{each.flips.rate:.1%}",
        f"{each.flips.placebo_rate:.1%}",
        f"{each.share.attribution:.1%}" if each.share else "",
        f"{each.share.tokens:.1%}" if each.share else "",
    )


def _range(interval: EffectInterval, unit: float) -> str:
    low, high = number(interval.low / unit), number(interval.high / unit)
    return low if low == high else f"{low} to {high}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _worst(own: list[SwapComparison]) -> list[tuple[SwapComparison, WorstPair]]:
    """Of what moved if anything did, else of everything: people want to see the worst, whatever it is."""
    moved = [each for each in own if each.is_moved] or own
    found = [(each, pair) for each in moved for pair in each.worst]
    return sorted(found, key=lambda both: -_distance(*both))[:SHOWN_PAIRS]


def _distance(each: SwapComparison, pair: WorstPair) -> float:
    if pair.reference_rank is not None and pair.other_rank is not None:
        return float(abs(pair.reference_rank - pair.other_rank))
    return abs(pair.difference) / (each.score.unit or 1.0)


def _pair(audit: SwapAudit, each: SwapComparison, pair: WorstPair) -> TextPair:
    group, reference = said(audit, each)
    rows = dict(_rows(audit, pair.resume))
    document = audit.planned[pair.resume].subject.document
    before, after = (apply_edits(document, rows[row].edits) for row in (pair.reference_row, pair.other_row))
    key = audit.planned[pair.resume].subject.key
    return TextPair(
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


def stretch_of(edited: EditedDocument) -> MarkedText:
    """The text around what was put in."""
    text, places = edited.document.text, edited.places or ((0, 0),)
    start, end = max(0, places[0][0] - AROUND), min(len(text), places[0][1] + AROUND)
    marks = tuple(
        (max(low, start) - start, min(high, end) - start) for low, high in places if low < end and start < high
    )
    return MarkedText(text[start:end], marks if edited.places else ())


def _outcome(rank: int | None, label: str | None) -> str:
    return f"rank {rank}" if rank is not None else f"label {label}"


def _band_table(audit: SwapAudit, judge: str) -> ReportTable:
    rows = tuple(
        (
            str(band.rank),
            audit.planned[band.resume].subject.key,
            "stays" if band.best == band.worst else f"{band.best} to {band.worst}",
            str(band.edits),
        )
        for band in audit.bands[judge][:SHOWN_BANDS]
    )
    return ReportTable(
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
