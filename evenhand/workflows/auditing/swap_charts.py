"""Pictures of a swap audit: effects with their intervals over the placebo band, pairs as slopes, bands of ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenhand.audit.swaps.comparison import Comparison
from evenhand.records.report import Chart
from evenhand.workflows.auditing.swap_record import SwapAudit
from evenhand.workflows.auditing.swap_wording import said

BLUE, RED, GREY = "#3b6ea8", "#b3452c", "#9aa0a6"
MOST_SLOPES = 60
MOST_BANDS = 20
WIDTH = 560


def effects_chart(audit: SwapAudit, judge: str) -> Chart:
    """A row for each group: the grey bar is what words of one group do, the line what this group does."""
    own = [each for each in audit.comparisons if each.judge == judge]
    rows = [_effect_row(audit, each) for each in own]
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


def _effect_row(audit: SwapAudit, each: Comparison) -> dict[str, Any]:
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


def slopes_chart(audit: SwapAudit, each: Comparison) -> Chart | None:
    """Every pair as a line from one word to the other; None for models, which have no ranks."""
    outcome = next(found for found in audit.trials.outcomes if found.judge == each.judge)
    family = next(at for at, found in enumerate(audit.trials.families) if found.name == each.family)
    if outcome.rank is None:
        return None
    groups = [group.name for group in audit.trials.families[family].groups]
    triples = audit.trials.triples(family)
    own = triples[audit.trials.group[triples[:, 2]] == groups.index(each.group)]
    ranks = outcome.rank[own[:, [0, 2]]]
    chosen = ranks[np.argsort(-np.abs(ranks[:, 1] - ranks[:, 0]), kind="stable")][:MOST_SLOPES]
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
    bands = audit.bands.get(judge, [])[:MOST_BANDS]
    if not bands:
        return None
    values = [
        {"who": f"{band.rank}.", "rank": band.rank, "best": band.best, "worst": band.worst} for band in bands
    ]
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
