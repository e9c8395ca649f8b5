"""What `reproduce taco` found, as one table of methods beside the published series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evenhand.debias.probes import floor_accuracy
from evenhand.debias.samples import Samples
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.reproduce.biographies import Turned
from evenhand_lab.reproduce.results import Check

# Published for RoBERTa on Bias in Bios, in per cent: Jourdan and others, "TaCo: Targeted Concept Removal in Output
# Embeddings for NLP via Information Theory and Explainability" (2023), Figures 2, 3 and 7.
GENDER_ACCURACY = (
    *(96.013, 82.282, 81.037, 79.907, 79.427, 78.750, 78.451, 78.098, 77.103, 76.041),
    *(74.942, 72.960, 72.172, 69.191, 67.156, 65.857, 64.053, 60.817, 58.525, 55.967),
)
"""After removing k = 0, 1, ..., 19 of 20 concepts. At k = 0 nothing is changed: the first baseline."""
OCCUPATION_ACCURACY = (
    *(86.390, 86.261, 86.268, 86.283, 86.260, 86.229, 86.218, 86.120, 85.987, 85.879),
    *(85.723, 85.530, 85.374, 84.453, 83.472, 81.296, 78.642, 70.720, 60.962, 45.309),
)
CHOSEN = "chosen on validation"
GOAL_LEAK, GOAL_LOST = 0.72, 0.02


@dataclass(frozen=True, slots=True)
class MethodRow:
    """Means over splits and seeds of probes; `spread` is the standard deviation over splits of the same figure."""

    name: str
    occupation: float
    lost: float  # in points of accuracy, against the rows as they are
    linear: float
    mlp: float
    rbf: float
    gap: float
    spread: dict[str, float]

    @property
    def worse(self) -> float:
        return max(self.mlp, self.rbf)


@dataclass(frozen=True, slots=True)
class Removals(Measurement):
    title: ClassVar[str] = "gender taken out of biographies' rows: leak, price and gap of every method"
    texts: int
    splits: int
    floor: float
    methods: list[MethodRow]
    chosen: list[str]  # the recipe of each split, with its reason
    sweep: list[tuple[int, float, float]]  # k, gender (worse probe), occupation, of plain SVD with r = 20
    checks: list[Check]
    turned: list[Turned]  # biographies told of a woman and of a man: before and after what validation chose
    generated: list[MethodRow]  # of generated resumes, a row for each method and group
    seconds: float

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("biographies, splits, gender told by the occupation alone", self._sizes()),
            *((each.name, _said(each)) for each in self.methods),
            ("told of a woman and of a man: what it does to the occupation model", "means over splits"),
            *(each.row() for each in self.turned),
            *((f"generated resumes, {each.name}", _said(each)) for each in self.generated),
            *(
                (f"k = {k}: published gender, occupation; here (SVD, r = 20)", _beside(k, g, o))
                for k, g, o in self.sweep
            ),
            *((f"split {place}", reason) for place, reason in enumerate(self.chosen, start=1)),
            *((check.claim, "holds" if check.holds else "does not hold") for check in self.checks),
            ("wall time", f"{self.seconds / 60:.1f} min"),
        ]

    def _sizes(self) -> str:
        return f"{self.texts:,}, {self.splits}, {self.floor:.3f}"


def _said(each: MethodRow) -> str:
    spread = each.spread
    return (
        f"occupation {each.occupation:.3f} ± {spread['occupation']:.3f} ({-100 * each.lost:+.1f} points); linear "
        f"{each.linear:.3f}, MLP {each.mlp:.3f} ± {spread['mlp']:.3f}, RBF {each.rbf:.3f} ± {spread['rbf']:.3f}, worse "
        f"{each.worse:.3f}; TPR gap {each.gap:.3f}"
    )


def _beside(k: int, gender: float, task: float) -> str:
    return f"{GENDER_ACCURACY[k]:.1f}, {OCCUPATION_ACCURACY[k]:.1f}; {100 * gender:.1f}, {100 * task:.1f}"


def summarise(splits: Sequence[Mapping[str, Any]], samples: Samples, seconds: float) -> Removals:
    names = [score["name"] for score in splits[0]["scores"]]
    start = float(np.mean([_figures(split, 0)["occupation"] for split in splits]))
    methods = [_row(name, [_figures(split, place) for split in splits], start) for place, name in enumerate(names)]
    sweeps = np.mean([split["sweep"] for split in splits], axis=0)
    return Removals(
        texts=len(samples.rows),
        splits=len(splits),
        floor=floor_accuracy(samples.task, samples.sensitive[0]),
        methods=methods,
        chosen=[split["reason"] for split in splits],
        sweep=[(int(k), float(gender), float(task)) for k, gender, task in sweeps],
        checks=_check(methods),
        turned=_mean_turned(splits),
        generated=[],
        seconds=seconds,
    )


def _mean_turned(splits: Sequence[Mapping[str, Any]]) -> list[Turned]:
    """Before and after, each figure averaged over the splits."""
    found = []
    for place, name in enumerate(("as it is", "without gender, as validation chose")):
        rows = [split["turned"][place] for split in splits]
        means = {key: float(np.mean([row[key] for row in rows])) for key in rows[0] if key not in ("name", "texts")}
        found.append(Turned(name, texts=int(np.mean([row["texts"] for row in rows])), **means))
    return found


def _figures(split: Mapping[str, Any], place: int) -> dict[str, float]:
    score = split["scores"][place]
    leak = score["sensitive"]["gender"]
    figures = {"occupation": score["task"], "gap": leak["tpr_gap"]}
    figures |= {probe: leak[probe] for probe in ("linear", "mlp", "rbf")}
    return {name: float(np.mean(values)) for name, values in figures.items()}


def _row(name: str, figures: Sequence[Mapping[str, float]], start: float) -> MethodRow:
    means = {key: float(np.mean([each[key] for each in figures])) for key in figures[0]}
    spread = {
        key: float(np.std([each[key] for each in figures], ddof=1)) if len(figures) > 1 else 0.0 for key in figures[0]
    }
    return MethodRow(name, lost=start - means["occupation"], spread=spread, **means)


def _check(methods: Sequence[MethodRow]) -> list[Check]:
    by_name = {each.name: each for each in methods}
    chosen, leace = by_name[CHOSEN], by_name["LEACE"]
    return [
        Check(
            f"what validation chose leaks at most {GOAL_LEAK:g} for at most {100 * GOAL_LOST:g} points",
            chosen.worse <= GOAL_LEAK and chosen.lost <= GOAL_LOST,
        ),
        Check("what validation chose leaks less than LEACE", chosen.worse < leace.worse),
        Check("LEACE leaves nothing to a linear probe, and much to others", leace.linear + 0.1 < leace.worse),
    ]


def generated_row(score: Mapping[str, Any], variable: str, start: float) -> MethodRow:
    """One method and one group of a single split: the spread is over seeds."""
    leak = score["sensitive"][variable]
    values = {"occupation": score["task"], "gap": leak["tpr_gap"]}
    values |= {probe: leak[probe] for probe in ("linear", "mlp", "rbf")}
    seeds = [dict(zip(values, each, strict=True)) for each in zip(*values.values(), strict=True)]
    return _row(f"{variable}: {score['name']}", seeds, start)
