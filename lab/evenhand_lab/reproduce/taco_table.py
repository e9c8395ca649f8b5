"""What `reproduce taco` found, as one table of methods beside the published series."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from rich.console import Group
from rich.table import Table

from evenhand.debias.probes import floor_accuracy
from evenhand.debias.samples import Samples
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.reproduce.biographies import Turned
from evenhand_lab.reproduce.results import Check

# What the authors of TaCo published for RoBERTa on Bias in Bios, as a measure for figures, ranking and
# sweeps.
#
# Jourdan and others, "TaCo: Targeted Concept Removal in Output Embeddings for NLP via Information Theory and
# Explainability" (2023), and the series behind its Figures 2, 3 and 7 in the example notebook of its public
# code. Accuracies and shares are in per cent; importances are total Sobol indices in the order of `svds`,
# smallest first.


GENDER_ACCURACY = (
    *(96.013, 82.282, 81.037, 79.907, 79.427, 78.750, 78.451, 78.098, 77.103, 76.041),
    *(74.942, 72.960, 72.172, 69.191, 67.156, 65.857, 64.053, 60.817, 58.525, 55.967),
)
"""After removing k = 0, 1, ..., 19 of 20 concepts. At k = 0 nothing is changed: the first baseline."""
OCCUPATION_ACCURACY = (
    *(86.390, 86.261, 86.268, 86.283, 86.260, 86.229, 86.218, 86.120, 85.987, 85.879),
    *(85.723, 85.530, 85.374, 84.453, 83.472, 81.296, 78.642, 70.720, 60.962, 45.309),
)
NEUTRAL_GENDER_ACCURACY, NEUTRAL_OCCUPATION_ACCURACY = 79.798, 86.08
"""The second baseline: trained on texts without gender words, no concept removed."""
GENDER_FLOOR = 62.679
"""Who knows the occupation only, and guesses its more frequent gender, is right so often."""

GENDER_IMPORTANCE = (
    *(0.0244, 0.0758, 0.0110, 0.0172, 0.0405, 0.0163, 0.0167, 0.0636, 0.0093, 0.0194),
    *(0.0409, 0.0452, 0.0592, 0.0465, 0.0453, 0.3217, 0.0878, 0.0684, 0.1595, 0.1180),
)
OCCUPATION_IMPORTANCE = (
    *(0.0093, 0.0157, 0.0117, 0.0165, 0.0160, 0.0152, 0.0254, 0.0199, 0.0377, 0.0254),
    *(0.0495, 0.0294, 0.0447, 0.0479, 0.0436, 0.0511, 0.0750, 0.1012, 0.1231, 0.3326),
)
REMOVAL_ORDER = (15, 1, 7, 0, 4, 11, 12, 18, 16, 5, 14, 3, 13, 2, 10, 9, 17, 6, 19, 8)

SHARE_OF_WOMEN = {
    "surgeon": 15.1,
    "pastor": 23.2,
    "photographer": 35.7,
    "professor": 45.1,
    "chiropractor": 26.8,
    "software_engineer": 16.2,
    "teacher": 60.2,
    "poet": 49.1,
    "dj": 15.1,
    "rapper": 9.8,
    "paralegal": 85.6,
    "physician": 49.2,
    "journalist": 49.7,
    "architect": 24.3,
    "attorney": 38.1,
    "yoga_teacher": 85.0,
    "nurse": 90.8,
    "painter": 45.1,
    "model": 83.0,
    "composer": 16.1,
    "personal_trainer": 46.1,
    "filmmaker": 32.9,
    "comedian": 21.5,
    "accountant": 36.7,
    "interior_designer": 80.9,
    "dentist": 35.6,
    "psychologist": 61.9,
    "dietitian": 92.8,
}


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

    def table(self) -> Group:
        methods = _methods_table(f"Biographies, splits, floor: {self._sizes()}")
        for each in self.methods:
            methods.add_row(each.name, *_cells(each))
        methods.caption = "; ".join(f"{each.claim}: {'yes' if each.holds else 'no'}" for each in self.checks)
        series = Table("k", title="Removed concepts, accuracy in per cent: RoBERTa as published, and here")
        for name in ("gender, published", "gender, here", "occupation, published", "occupation, here"):
            series.add_column(name, justify="right")
        for k, gender, task in self.sweep:
            theirs = GENDER_ACCURACY[k], OCCUPATION_ACCURACY[k]
            series.add_row(str(k), f"{theirs[0]:.1f}", f"{100 * gender:.1f}", f"{theirs[1]:.1f}", f"{100 * task:.1f}")
        made = _methods_table("Generated resumes: gender and origin suggested by the name, removed together")
        for each in self.generated:
            made.add_row(each.name, *_cells(each))
        turned = Table("Told of a woman and of a man", "What it does to the occupation model")
        for turning in self.turned:
            turned.add_row(*turning.row())
        return Group(methods, turned, series, *([made] if self.generated else []), *self.chosen)


def _methods_table(title: str) -> Table:
    table = Table("Method", title=title)
    for name in ("occupation", "lost", "linear", "MLP", "RBF", "worse", "TPR gap"):
        table.add_column(name, justify="right")
    return table


def _said(each: MethodRow) -> str:
    spread = each.spread
    return (
        f"occupation {each.occupation:.3f} ± {spread['occupation']:.3f} ({-100 * each.lost:+.1f} points); linear "
        f"{each.linear:.3f}, MLP {each.mlp:.3f} ± {spread['mlp']:.3f}, RBF {each.rbf:.3f} ± {spread['rbf']:.3f}, worse "
        f"{each.worse:.3f}; TPR gap {each.gap:.3f}"
    )


def _cells(each: MethodRow) -> Iterator[str]:
    yield f"{each.occupation:.3f} ± {each.spread['occupation']:.3f}"
    yield f"{100 * each.lost:+.1f}"
    yield f"{each.linear:.3f}"
    yield f"{each.mlp:.3f} ± {each.spread['mlp']:.3f}"
    yield f"{each.rbf:.3f} ± {each.spread['rbf']:.3f}"
    yield f"{each.worse:.3f}"
    yield f"{each.gap:.3f}"


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
