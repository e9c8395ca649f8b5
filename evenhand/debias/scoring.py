"""What a representation is worth after removal: the task, the leak of each sensitive variable, and the gap by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evenhand.debias.fairness import floor_accuracy, tpr_gap
from evenhand.debias.probes import Leak, Probing, make_lesson, measure_leaks
from evenhand.debias.samples import Codes, Divided, Floats, Samples, Variable
from evenhand.debias.training import train_heads
from evenhand.models.concept_removal import LinearMap

STOPPING = 0.15  # of the training rows, to stop by, where validation is what is judged on


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """A value per seed each; `gaps`, `leaks` and `floors` in the order of the sensitive variables.

    Gaps are empty where no class has two groups to compare. A floor is what the task's label alone tells.
    """

    name: str
    task: tuple[float, ...]
    gaps: tuple[tuple[float, ...], ...]
    leaks: tuple[Leak, ...]
    floors: tuple[float, ...]

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.task))

    @property
    def worst_leak(self) -> float:
        """The highest accuracy of any variable's worse probe: to show, not to choose by (see `excesses`)."""
        return max(each.worse for each in self.leaks)

    @property
    def excesses(self) -> tuple[float, ...]:
        """What each variable leaks over its floor. Plain accuracies of two variables cannot be compared: of a group
        that eight in ten belong to, who knows nothing is right more often than a good reader of another."""
        return tuple(leak.worse - floor for leak, floor in zip(self.leaks, self.floors, strict=True))

    def gap(self, variable: int) -> float | None:
        """The mean over seeds; None where nothing could be compared."""
        return float(np.mean(self.gaps[variable])) if self.gaps[variable] else None

    def to_json(self) -> dict[str, Any]:
        leaks = {
            leak.variable: {
                "linear": list(leak.linear),
                "mlp": list(leak.mlp),
                "rbf": list(leak.rbf),
                "worse": leak.worse,
                "tpr_gap": list(gap),
            }
            for leak, gap in zip(self.leaks, self.gaps, strict=True)
        }
        return {"name": self.name, "task": list(self.task), "sensitive": leaks}


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """Rows to learn from, to choose by, and sets of rows to be judged on, which are never among the others."""

    learned: Samples
    chosen: Samples
    judged: tuple[Samples, ...]


def final_bench(divided: Divided) -> Bench:
    """Nothing is left to choose but when to stop: validation says it, the test rows judge."""
    return Bench(divided.train, divided.validation, (divided.test,))


def choosing_bench(divided: Divided, *, seed: int = 0) -> Bench:
    """Judged on validation, to choose by, and on test, to show: part of the training rows says when to stop."""
    order = np.random.default_rng((seed, 5)).permutation(len(divided.train.rows))
    stop = int(STOPPING * len(order))
    learned, chosen = np.sort(order[stop:]), np.sort(order[:stop])
    return Bench(divided.train.take(learned), divided.train.take(chosen), (divided.validation, divided.test))


def measure(name: str, change: LinearMap, bench: Bench, probing: Probing) -> tuple[Score, ...]:
    """Fresh heads and probes on what `change` leaves; a score for each set of rows that is judged on."""
    sets = (bench.learned, bench.chosen, *bench.judged)
    return measure_rows(name, [change.coordinates(each.rows) for each in sets], bench, probing)


def measure_rows(name: str, rows: Sequence[Floats], bench: Bench, probing: Probing) -> tuple[Score, ...]:
    """The same for rows that no map gives, such as those of other texts: learned, chosen, then those judged."""
    lesson = make_lesson(rows, [each.task for each in (bench.learned, bench.chosen)])
    (heads,) = train_heads(lesson, probing.seeds, probing.protocol)
    leaks = [
        measure_leaks(
            make_lesson(rows, [each.sensitive[place] for each in (bench.learned, bench.chosen)]),
            [(given, each.sensitive[place]) for given, each in zip(rows[2:], bench.judged, strict=True)],
            probing,
        )
        for place in range(len(bench.learned.sensitive))
    ]
    found = []
    for place, (given, judged) in enumerate(zip(rows[2:], bench.judged, strict=True)):
        guesses = [head.predict(given) for head in heads]
        gaps = tuple(_gaps(guesses, judged.task, each) for each in judged.sensitive)
        floors = tuple(floor_accuracy(judged.task, each) for each in judged.sensitive)
        task = tuple(float((each == judged.task.codes).mean()) for each in guesses)
        found.append(Score(name, task, gaps, tuple(leak[place] for leak in leaks), floors))
    return tuple(found)


def _gaps(guesses: Sequence[Codes], task: Variable, sensitive: Variable) -> tuple[float, ...]:
    """Whether there is anything to compare hangs on the labels, not on the guesses: all seeds have a gap, or none."""
    found = (tpr_gap(each, task, sensitive) for each in guesses)
    return tuple(gap for gap in found if gap is not None)
