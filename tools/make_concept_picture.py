"""Makes the picture of docs/concepts/concept-removal.md: a real fit on invented rows. Run as:
python tools/make_concept_picture.py
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from evenhand.debias.fitting import FittedRemoval, FittingPlan, fit_removal
from evenhand.debias.report import charts_of
from evenhand.debias.samples import Samples, make_samples, variable
from evenhand.debias.scoring import RecipeGrid
from evenhand.records.report import Chart
from evenhand.rendering.charts import chart_png

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "concept-removal.png"
TRADES = {"nurse": 0.8, "teacher": 0.6, "editor": 0.55, "accountant": 0.45, "surgeon": 0.4, "welder": 0.2}
"""With the share of women."""
SPREADS = (3.0, 0.8, 0.8, 0.8, 0.8, 0.8, 1.6, 1.3, 1.0, 0.8)
CLUES = {0: 4.0, 6: 1.5, 7: 1.1, 8: 0.8}
SKILLS = {1: 7.0, 2: 6.0, 3: 5.0, 4: 4.0, 5: 3.2, 6: 1.5}
"""How far rows scatter in the first directions; in which, and how far, genders and trades lie apart."""


def invent_rows(rows: int = 2400, dimension: int = 48, *, seed: int = 5) -> Samples:
    """Clues to the gender in four directions, the trade in six, one of them among the four."""
    rng = np.random.default_rng(seed)
    trade = rng.integers(0, len(TRADES), rows)
    is_woman = rng.random(rows) < np.array(list(TRADES.values()))[trade]
    rest = np.linspace(0.5, 0.05, dimension - len(SPREADS))
    loads = rng.normal(size=(rows, dimension)) * np.concatenate([SPREADS, rest])
    for place, size in CLUES.items():
        loads[:, place] += size * np.where(is_woman, 1, -1)
    corners = np.linalg.qr(np.random.default_rng(9).normal(size=(6, 6)))[0]
    for corner, (place, size) in zip((corners - corners.mean(axis=0)).T, SKILLS.items(), strict=True):
        loads[:, place] += size * corner[trade]
    turn = np.linalg.qr(rng.normal(size=(dimension, dimension)))[0]
    names = list(TRADES)
    return make_samples(
        loads @ turn,
        variable("occupation", [names[at] for at in trade]),
        [variable("gender", ["female" if woman else "male" for woman in is_woman])],
    )


def fit() -> FittedRemoval:
    return fit_removal(invent_rows(), FittingPlan(grid=RecipeGrid(ranks=(14,), joined=(False,))))


def picture(fitted: FittedRemoval) -> Chart:
    """What concepts weigh on the left, what removing them does on the right."""
    weights, accuracies, _ = charts_of(fitted)
    parts = [{**chart.spec} for chart in (weights, accuracies)]
    spec = {
        "$schema": parts[0]["$schema"],
        "hconcat": parts,
        "spacing": 48,
        "resolve": {"scale": {"color": "independent"}},
    }
    return Chart("Concept removal", spec, accuracies.words)


def main() -> None:
    fitted = fit()
    drawn = Image.open(BytesIO(chart_png(picture(fitted), "light", scale=1.5)))
    drawn.convert("RGB").quantize(64).save(PICTURE, optimize=True)
    print(fitted.choice.reason)


if __name__ == "__main__":
    main()
