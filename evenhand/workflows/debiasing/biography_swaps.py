"""Biographies told of a woman and of a man: how far that moves an occupation model, before and after removal.

Only pronouns, salutations and family words are turned; what else tells of a person stays. The placebo are phrases said
otherwise in the same texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evenhand.audit.swaps.effects import Floats, measure_effect
from evenhand.audit.swaps.persons import turn_gender
from evenhand.audit.swaps.rewording import reword
from evenhand.debias.fairness import tpr_gap
from evenhand.debias.fitting import Fitted
from evenhand.debias.heads import Head
from evenhand.models.concept_removal import LinearMap, identity
from evenhand.workflows.debiasing.learning_again import learn_again

Embed = Callable[[Sequence[str]], Floats]


@dataclass(frozen=True, slots=True)
class Turned:
    """One model. `effect` is of the logit of the label it gives the text as it is, a woman's text less a man's."""

    name: str
    texts: int
    effect: float
    low: float
    high: float
    spread: float  # what that logit differs by from text to text
    size: float  # mean size of the change, whatever its sign
    placebo_size: float
    flips: float  # share of texts whose label changes
    placebo_flips: float
    gap: float | None  # in true positive rates by gender, on the texts as they are; None: nothing to compare

    def row(self) -> tuple[str, str]:
        return (
            f"  {self.name}",
            f"woman less man {self.effect:+.3f} logits ({self.low:+.3f} to {self.high:+.3f}; logits differ by "
            f"{self.spread:.2f}), size of the change {self.size:.3f} (phrases said otherwise "
            f"{self.placebo_size:.3f}), label changes {self.flips:.1%} ({self.placebo_flips:.1%}), gap by "
            f"gender {'-' if self.gap is None else f'{self.gap:.3f}'}",
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def turn_biographies(
    texts: Sequence[str], fitted: Fitted, embed: Embed, *, seed: int = 0
) -> tuple[Turned, Turned]:
    """`texts` are in the order of the rows; those of test rows are turned. As it is, then without the concept."""
    chosen = [texts[place] for place in fitted.parts.test.tolist()]
    woman, man, other = (
        embed([turn(text) for text in chosen])
        for turn in (
            lambda text: turn_gender(text, female=True),
            lambda text: turn_gender(text, female=False),
            reword,
        )
    )
    rows = (fitted.divided.test.rows, woman, man, other)
    change = fitted.removal.change
    return (
        _turned("as it is", fitted.heads.task, identity(change.dimension), rows, fitted),
        _turned(
            f"without gender ({fitted.removal.recipe.name})",
            learn_again(fitted, seed=seed),
            change,
            rows,
            fitted,
        ),
    )


def _turned(name: str, head: Head, change: LinearMap, rows: Sequence[Floats], fitted: Fitted) -> Turned:
    base, woman, man, other = (_centred(head, change.apply(each)) for each in rows)
    target = base.argmax(axis=1)
    places = np.arange(len(target))
    own, as_woman, as_man, reworded = (each[places, target] for each in (base, woman, man, other))
    effect = measure_effect(as_woman - as_man, reworded - own, unit=float(own.std()))
    test = fitted.divided.test
    return Turned(
        name,
        len(target),
        effect.effect.mean,
        effect.effect.interval.low,
        effect.effect.interval.high,
        effect.unit,
        float(np.abs(as_woman - as_man).mean()),
        float(np.abs(reworded - own).mean()),
        float((woman.argmax(axis=1) != man.argmax(axis=1)).mean()),
        float((other.argmax(axis=1) != target).mean()),
        tpr_gap(target, test.task, test.sensitive[0]),
    )


def _centred(head: Head, rows: Floats) -> Floats:
    logits: Floats = np.asarray(head.logits(rows), np.float64)
    found: Floats = logits - logits.mean(axis=1, keepdims=True)
    return found
