"""`evenhand reproduce taco`: gender taken out of biographies' rows by every method, beside the published series."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from rich.console import Group
from rich.table import Table

from evenhand.debias import published
from evenhand.debias.comparison import ERASERS
from evenhand.debias.fairness import floor_accuracy
from evenhand.debias.fitting import Fitted, Plan, fit_removal
from evenhand.debias.importance import Weighing
from evenhand.debias.linear_map import LinearMap, identity
from evenhand.debias.probes import Probing
from evenhand.debias.recipes import Recipe, cook
from evenhand.debias.samples import Floats, Samples
from evenhand.debias.scoring import Score, final_bench, measure, measure_rows
from evenhand.debias.sweep import Grid
from evenhand.debias.training import Protocol
from evenhand.debias.weighing import Weighed, weigh
from evenhand.errors import UsageError
from evenhand.workflows.debiasing.biographies import read_all
from evenhand.workflows.debiasing.text_rows import encode_texts, open_encoder
from evenhand.workflows.reproduction.results import Check
from evenhand.workflows.watching import Watch, unwatched

SEEDS = 3
NEUTRAL = "neutral texts"
CHOSEN = "chosen on validation"
GOAL_LEAK, GOAL_LOST = 0.72, 0.02
GRID = Grid(("svd", "pca", "ica"), (20, 40), (False,), (False, True), most=3)
FIXED = (  # the variants that people ask about, whatever validation says
    Recipe("svd", 20, 0),
    Recipe("svd", 20, 0, joined=True),
    Recipe("svd", 20, 1),
    Recipe("svd", 20, 2),
    Recipe("svd", 20, 4),
    Recipe("svd", 20, 3, residual=True),
    Recipe("pca", 20, 0, joined=True),
    Recipe("pca", 20, 2),
    Recipe("ica", 20, 1),
    Recipe("ica", 20, 1, joined=True),
    Recipe("ica", 20, 1, residual=True),
)


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
class Removals:
    title: ClassVar[str] = "gender taken out of biographies' rows: leak, price and gap of every method"
    texts: int
    splits: int
    floor: float
    methods: list[MethodRow]
    chosen: list[str]  # the recipe of each split, with its reason
    sweep: list[tuple[int, float, float]]  # k, gender (worse probe), occupation, of plain SVD with r = 20
    checks: list[Check]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("biographies, splits, gender told by the occupation alone", self._sizes()),
            *((each.name, _said(each)) for each in self.methods),
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
        methods = Table(title=f"Biographies, splits, floor: {self._sizes()}")
        methods.add_column("Method")
        for name in ("occupation", "lost", "linear", "MLP", "RBF", "worse", "TPR gap"):
            methods.add_column(name, justify="right")
        for each in self.methods:
            methods.add_row(each.name, *_cells(each))
        methods.caption = "; ".join(f"{each.claim}: {'yes' if each.holds else 'no'}" for each in self.checks)
        series = Table("k", title="Removed concepts, accuracy in per cent: RoBERTa as published, and here")
        for name in ("gender, published", "gender, here", "occupation, published", "occupation, here"):
            series.add_column(name, justify="right")
        for k, gender, task in self.sweep:
            theirs = published.GENDER_ACCURACY[k], published.OCCUPATION_ACCURACY[k]
            series.add_row(
                str(k), f"{theirs[0]:.1f}", f"{100 * gender:.1f}", f"{theirs[1]:.1f}", f"{100 * task:.1f}"
            )
        return Group(methods, series, *self.chosen)


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
    return (
        f"{published.GENDER_ACCURACY[k]:.1f}, {published.OCCUPATION_ACCURACY[k]:.1f}; "
        f"{100 * gender:.1f}, {100 * task:.1f}"
    )


def run(
    data: Path | None = None,
    *,
    n: int | None = None,
    seed: int = 0,
    seeds: int = SEEDS,
    small: bool = False,
    work: Path | None = None,
    watch: Watch = unwatched,
) -> Removals:
    """`seeds` splits, each fitted, chosen and measured by itself; `work` keeps encoded texts and finished splits."""
    if data is None:
        raise UsageError("This experiment needs biographies: --data DIR, a folder with biasbios-samples.")
    started = time.perf_counter()
    found = read_all(data, n=n or (600 if small else None))
    encoder = open_encoder()
    rows = encode_texts(found.texts, encoder, cache=work, watch=watch)
    neutral = encode_texts(found.neutralised(), encoder, cache=work, watch=watch)
    samples = found.samples(rows)
    plan = _plan(small=small)
    numbers = range(seed, seed + (1 if small else seeds))
    splits = []
    with watch("splits", len(numbers)) as bar:
        for number in numbers:
            splits.append(_split(samples, neutral, replace(plan, seed=number), work))
            bar.advance()
    return summarise(splits, samples, time.perf_counter() - started)


def _plan(*, small: bool) -> Plan:
    if small:
        quick = Probing(seeds=(0,), protocol=Protocol(rates=(1e-2,), epochs=5), rbf_rows=200)
        return Plan(Grid(("svd", "ica"), (20,), most=1), Weighing(points=32, texts=20), quick, turns=1)
    return Plan(GRID, Weighing(texts=400), Probing(), turns=4)


def _split(samples: Samples, neutral: Floats, plan: Plan, work: Path | None) -> dict[str, Any]:
    """What one split measured, from `work` where it was measured before."""
    kept = None if work is None else work / f"taco-{len(samples.rows)}-{plan.seed}.json"
    if kept is not None and kept.is_file():
        found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        return found
    fitted = fit_removal(samples, plan)
    scores = [*_scores(fitted, neutral, plan)]
    measured = {
        "reason": fitted.choice.reason,
        "scores": [score.to_json() for score in scores],
        "sweep": _sweep(fitted, plan),
    }
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(measured), encoding="utf-8")
    return measured


def _scores(fitted: Fitted, neutral: Floats, plan: Plan) -> Iterator[Score]:
    """Every method on the test rows, by fresh probes."""
    bench, train, probing = final_bench(fitted.divided), fitted.divided.train, plan.probing
    yield from measure("original", identity(fitted.removal.dimension), bench, probing)
    parts = fitted.parts
    rows = [neutral[each] for each in (parts.train, parts.validation, parts.test)]
    yield from measure_rows(NEUTRAL, rows, bench, probing)
    for name, fit in ERASERS.items():
        yield from measure(name, fit(train), bench, probing)
    for recipe, change in _fixed(fitted, plan):
        yield from measure(recipe.name, change, bench, probing)
    yield from measure(CHOSEN, fitted.removal.change, bench, probing)


def _fixed(fitted: Fitted, plan: Plan) -> Iterator[tuple[Recipe, LinearMap]]:
    train = fitted.divided.train
    for recipe in FIXED:
        weighed = _weighed(fitted, plan, recipe)
        yield recipe, cook(recipe, weighed, train)


def _weighed(fitted: Fitted, plan: Plan, recipe: Recipe) -> Weighed:
    own = fitted.weighed
    if (own.found.method, own.found.rank) == (recipe.method, recipe.rank):
        return own
    return weigh(
        fitted.divided.train, fitted.heads, rank=recipe.rank, method=recipe.method, weighing=plan.weighing
    )


def _sweep(fitted: Fitted, plan: Plan) -> list[tuple[int, float, float]]:
    """Plain removal, SVD with r = 20, k = 0 to 19, as published."""
    weighed = _weighed(fitted, plan, Recipe("svd", 20, 0))
    bench, train = final_bench(fitted.divided), fitted.divided.train
    found = []
    for k in range(weighed.found.rank):
        (score,) = measure("", cook(Recipe("svd", 20, k), weighed, train), bench, plan.probing.quick())
        found.append((k, score.worst_leak, score.accuracy))
    return found


def summarise(splits: Sequence[Mapping[str, Any]], samples: Samples, seconds: float) -> Removals:
    names = [score["name"] for score in splits[0]["scores"]]
    start = float(np.mean([_figures(split, 0)["occupation"] for split in splits]))
    methods = [
        _row(name, [_figures(split, place) for split in splits], start) for place, name in enumerate(names)
    ]
    sweeps = np.mean([split["sweep"] for split in splits], axis=0)
    return Removals(
        texts=len(samples.rows),
        splits=len(splits),
        floor=floor_accuracy(samples.task, samples.sensitive[0]),
        methods=methods,
        chosen=[split["reason"] for split in splits],
        sweep=[(int(k), float(gender), float(task)) for k, gender, task in sweeps],
        checks=_check(methods),
        seconds=seconds,
    )


def _figures(split: Mapping[str, Any], place: int) -> dict[str, float]:
    score = split["scores"][place]
    leak = score["sensitive"]["gender"]
    figures = {"occupation": score["task"], "gap": leak["tpr_gap"]}
    figures |= {probe: leak[probe] for probe in ("linear", "mlp", "rbf")}
    return {name: float(np.mean(values)) for name, values in figures.items()}


def _row(name: str, figures: Sequence[Mapping[str, float]], start: float) -> MethodRow:
    means = {key: float(np.mean([each[key] for each in figures])) for key in figures[0]}
    spread = {
        key: float(np.std([each[key] for each in figures], ddof=1)) if len(figures) > 1 else 0.0
        for key in figures[0]
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
