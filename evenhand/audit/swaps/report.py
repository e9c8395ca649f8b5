"""A swap audit as a report: findings, a table and pictures for each ranker or model, the worst pairs with texts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np

from evenhand.audit.methods import method_texts
from evenhand.audit.statistics import ConfidenceInterval
from evenhand.audit.swaps.comparison import MIN_PAIRS, SwapComparison, WorstPair
from evenhand.audit.swaps.editing import EditedDocument, apply_edits
from evenhand.audit.swaps.scoring import SwapAudit
from evenhand.audit.swaps.wording import findings_of, number, swap_words
from evenhand.masking.masker import Masker
from evenhand.records.report import Block, Chart, MarkedText, Report, ReportSection, ReportTable, TextPair
from evenhand.rendering.charts import Spec, coloured, interval, layer, layered, nominal, quantitative
from evenhand.text.wording import capitalised
from evenhand.version import __version__

BLUE, RED, GREY = "#3b6ea8", "#b3452c", "#9aa0a6"
MAX_SLOPES = 60
MAX_BANDS = 20
WIDTH = 440


def effects_chart(audit: SwapAudit, scorer: str) -> Chart:
    """A row for each group: the grey bar is what words of one group do, the line what this group does."""
    rows: list[Spec] = []
    for comparison in audit.comparisons:
        if comparison.scorer == scorer:
            score, unit = comparison.score, comparison.score.unit or 1.0
            ends = [score.effect.interval.low, score.effect.interval.high, score.band.low, score.band.high]
            # An interval without an end cannot be drawn.
            low, high, band_low, band_high = (float(np.clip(end / unit, -3.0, 3.0)) for end in ends)
            row = {"what": swap_words(audit, comparison)[0], "effect": score.effect.mean / unit, "low": low}
            row |= {"high": high, "band_low": band_low, "band_high": band_high}
            rows.append({**row, "found": "moved" if comparison.is_moved else "not moved"})
    y = nominal("what", sort=[row["what"] for row in rows], title=None, axis={"labelLimit": 330})
    title = "change of the score, in standard deviations"
    colour = coloured("found", {"moved": RED, "not moved": BLUE}, title=None)
    layers = [
        layer("bar", {"y": y, **interval("band_low", "band_high", title=title)}, color=GREY, opacity=0.45, height=14),
        layer("rule", {"y": y, **interval(title=title), "color": colour}, strokeWidth=2),
        layer("point", {"y": y, "x": quantitative("effect", title=title), "color": colour}, filled=True, size=50),
        layer("rule", {"x": {"datum": 0}}, color="#555", strokeDash=[3, 3]),
    ]
    moved = [row["what"] for row in rows if row["found"] == "moved"]
    words = f"Moved: {', '.join(moved)}." if moved else "No group moved the score beyond the placebo band."
    return Chart(f"What moves the {scorer}", layered(rows, layers, width=WIDTH, height={"step": 20}), words)


def slopes_chart(audit: SwapAudit, comparison: SwapComparison) -> Chart | None:
    """Every pair as a line from one word to the other; None for models, which have no ranks."""
    outcome = next(outcome for outcome in audit.trials.outcomes if outcome.scorer == comparison.scorer)
    at = next(at for at, family in enumerate(audit.trials.families) if family.name == comparison.family)
    if outcome.rank is None:
        return None
    groups = [group.name for group in audit.trials.families[at].groups]
    triples = audit.trials.triples(at)
    own = triples[audit.trials.group[triples[:, 2]] == groups.index(comparison.group)]
    ranks = outcome.rank[own[:, [0, 2]]]
    chosen = ranks[np.argsort(-np.abs(ranks[:, 1] - ranks[:, 0]), kind="stable")][:MAX_SLOPES]
    group, reference = swap_words(audit, comparison)
    rows = [
        {"pair": number, "side": side, "rank": int(rank), "way": _way(before, after)}
        for number, (before, after) in enumerate(chosen.tolist())
        for side, rank in ((reference, before), (group, after))
    ]
    axis = {"labelAngle": 0, "labelLimit": 150}
    places = {
        "x": nominal("side", sort=[reference, group], title=None, axis=axis, scale={"padding": 0.3}),
        "y": quantitative("rank", scale={"reverse": True}, title="rank"),
        "detail": {"field": "pair"},
        "color": coloured("way", {"down": RED, "up": BLUE, "same": GREY}, title=None),
    }
    spec = {"width": 300, "height": 260, **layer("line", places, rows=rows, point=True, opacity=0.6)}
    down, up = (sum(_way(*pair) == way for pair in ranks.tolist()) for way in ("down", "up"))
    words = f"Of {len(ranks)} pairs, {down} go down and {up} go up with {group}."
    return Chart(f"Pairs: {reference} and {group}, {comparison.scorer}", spec, words)


def _way(before: int, after: int) -> str:
    return "same" if before == after else "down" if after > before else "up"


def bands_chart(audit: SwapAudit, scorer: str) -> Chart | None:
    """How firmly the first ranks stand under edits that mean nothing."""
    bands = audit.bands.get(scorer, [])[:MAX_BANDS]
    if not bands:
        return None
    rows = [{"who": f"{band.rank}.", "rank": band.rank, "best": band.best, "worst": band.worst} for band in bands]
    y = {"field": "who", "type": "ordinal", "sort": [row["who"] for row in rows], "title": "rank in the list"}
    x: Spec = {"title": "rank after harmless edits", "scale": {"zero": False}}
    layers = [
        layer("bar", {"y": y, **interval("best", "worst", **x)}, color=BLUE, opacity=0.35, height=9),
        layer("point", {"y": y, "x": quantitative("rank", **x)}, filled=True, color=BLUE, size=45),
    ]
    widest = max(bands, key=lambda band: band.worst - band.best)
    words = (
        f"The widest of the first {len(bands)}: rank {widest.rank}, between {widest.best} and {widest.worst} "
        f"under {widest.edits} harmless edits."
    )
    spec = layered(rows, layers, width=WIDTH, height={"step": 16})
    return Chart(f"How firmly ranks stand, {scorer}", spec, words)


SHOWN_PAIRS = 3
SHOWN_BANDS = 20
AROUND = 90  # characters on either side of an edit
EFFECTS = ("put in", "pairs", "change of score", "95% interval", "placebo band", "p (Holm)", "result")
PLACES = ("put in", "places", "flips", "flips of placebo", "weight of words", "share of words")
RESULTS = {"concern": "moved", "watch": "moved a little", "clear": "not moved", "unknown": "cannot tell"}


def swap_report(audit: SwapAudit) -> Report:
    return Report(
        kind="swaps",
        title="Does a name, a place, a school or a gap move the result?",
        subject=audit.subject,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        findings=findings_of(audit),
        sections=tuple(
            ReportSection(capitalised(scorer), tuple(_blocks(audit, scorer)))
            for scorer in dict.fromkeys(comparison.scorer for comparison in audit.comparisons)
        ),
        method=method_texts("swaps", "method"),
        limits=method_texts("swaps", "limits"),
        facts=(
            ("Resumes in the pool", f"{audit.pool:,}"),
            ("Resumes edited", f"{len(audit.planned):,}"),
            ("Edited resumes ranked", f"{len(audit.trials.resume):,}"),
            ("Places on the shortlist", f"{audit.shortlist:,}"),
            ("Could not be read", f"{len(audit.errors):,}"),
            ("Random seed", str(audit.request.seed)),
            ("Seconds", f"{audit.seconds:.0f}"),
            ("Evenhand", __version__),
        ),
        data={
            "comparisons": [comparison.to_json() for comparison in audit.comparisons],
            "stability": {
                scorer: [{**band.to_json(), "key": audit.planned[band.resume].subject.key} for band in bands]
                for scorer, bands in audit.bands.items()
            },
            "pool": audit.pool,
            "edited": len(audit.planned),
            "variants": len(audit.trials.resume),
            "shortlist": audit.shortlist,
            "seed": audit.request.seed,
            "seconds": audit.seconds,
            "errors": [error.to_json() for error in audit.errors],
        },
    )


def _blocks(audit: SwapAudit, scorer: str) -> Iterator[Block]:
    own = [comparison for comparison in audit.comparisons if comparison.scorer == scorer]
    yield effects_chart(audit, scorer)
    effects, places = [], []
    for comparison in own:
        name, score, unit = swap_words(audit, comparison)[0], comparison.score, comparison.score.unit or 1.0
        p = "<0.001" if comparison.corrected_p < 0.001 else f"{comparison.corrected_p:.3f}"
        spans = (_range(score.effect.interval, unit), _range(score.band, unit))
        mean = number(score.effect.mean / unit)
        effects.append((name, str(score.effect.number), mean, *spans, p, RESULTS[comparison.severity]))
        moved = number(comparison.rank.effect.mean, 1) if comparison.rank else ""
        flips = (f"{comparison.flips.rate:.1%}", f"{comparison.flips.placebo_rate:.1%}")
        share = comparison.share
        shares = (f"{share.attribution:.1%}", f"{share.tokens:.1%}") if share else ("", "")
        places.append((name, moved, *flips, *shares))
    note = f"In standard deviations of the scores. Fewer than {MIN_PAIRS} pairs are inconclusive."
    yield ReportTable("How far scores move", EFFECTS, tuple(effects), frozenset(range(1, 6)), note)
    note = "Places: down is positive. A flip is a label, or a place on the shortlist, that comes out differently."
    yield ReportTable("What becomes of it", PLACES, tuple(places), frozenset(range(1, 6)), note)
    for comparison in own:
        if comparison.is_moved and (slopes := slopes_chart(audit, comparison)):
            yield slopes
    for comparison, pair in _worst(own):
        yield _pair(audit, comparison, pair)
    if bands := bands_chart(audit, scorer):
        yield bands
        yield _band_table(audit, scorer)


def _range(interval: ConfidenceInterval, unit: float) -> str:
    low, high = number(interval.low / unit), number(interval.high / unit)
    return low if low == high else f"{low} to {high}"


def _worst(own: list[SwapComparison]) -> list[tuple[SwapComparison, WorstPair]]:
    """Of what moved if anything did, else of everything: people want to see the worst, whatever it is."""

    def distance(comparison: SwapComparison, pair: WorstPair) -> float:
        if pair.reference_rank is not None and pair.other_rank is not None:
            return float(abs(pair.reference_rank - pair.other_rank))
        return abs(pair.difference) / (comparison.score.unit or 1.0)

    moved = [comparison for comparison in own if comparison.is_moved] or own
    pairs = [(comparison, pair) for comparison in moved for pair in comparison.worst]
    return sorted(pairs, key=lambda both: -distance(*both))[:SHOWN_PAIRS]


def _pair(audit: SwapAudit, comparison: SwapComparison, pair: WorstPair) -> TextPair:
    group, reference = swap_words(audit, comparison)
    plan = audit.planned[pair.resume]
    masker = Masker(plan.subject.text, plan.subject.profile, kinds={"contact"}, file=plan.subject.document.file)
    first = sum(len(earlier.variants) for earlier in audit.planned[: pair.resume])  # row of the trials
    texts = [
        stretch_of(apply_edits(plan.subject.document, plan.variants[row - first].edits), masker)
        for row in (pair.reference_row, pair.other_row)
    ]
    sides = ((pair.reference_rank, pair.reference_label), (pair.other_rank, pair.other_label))
    results = [f"rank {rank}" if rank is not None else f"label {label}" for rank, label in sides]
    return TextPair(f"{plan.subject.key}: {reference} and {group}", texts[0], texts[1], results[0], results[1])


def stretch_of(edited: EditedDocument, masker: Masker) -> MarkedText:
    """The text around what was put in; contact data is masked first, or the edges would cut a link that then stays."""
    masked = masker.mask_text(edited.document.text)
    text, places = masked.text, [masked.place(*place) for place in edited.places or ((0, 0),)]
    start, end = max(0, places[0][0] - AROUND), min(len(text), places[0][1] + AROUND)
    marks = tuple(
        (max(low, start) - start, min(high, end) - start) for low, high in places if low < end and start < high
    )
    return MarkedText(text[start:end], marks if edited.places else ())


def _band_table(audit: SwapAudit, scorer: str) -> ReportTable:
    rows = tuple(
        (
            str(band.rank),
            audit.planned[band.resume].subject.key,
            "stays" if band.best == band.worst else f"{band.best} to {band.worst}",
            str(band.edits),
        )
        for band in audit.bands[scorer][:SHOWN_BANDS]
    )
    columns = ("rank", "resume", "between", "edits tried")
    return ReportTable("Ranks under harmless edits", columns, rows, frozenset({0, 3}))
