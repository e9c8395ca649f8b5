"""What can be done to a representation: removal of concepts in its variants, alone or joined with LEACE."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from evenhand.debias.decomposition import Method
from evenhand.debias.erasers.leace import fit_leace
from evenhand.debias.removal import remove
from evenhand.debias.samples import Samples
from evenhand.debias.weighing import Weighed
from evenhand.models.concept_removal import LinearMap


@dataclass(frozen=True, slots=True)
class Recipe:
    """`joined`: LEACE after the removal. `residual`: what no concept explains stays."""

    method: Method
    rank: int
    k: int
    residual: bool = False
    joined: bool = False

    @property
    def is_leace(self) -> bool:
        """Nothing cut off and no concept removed: LEACE is all there is."""
        return self.residual and self.joined and self.k == 0

    @property
    def name(self) -> str:
        if self.is_leace:
            return "LEACE alone"
        parts = [f"{self.method.upper()} r={self.rank}", f"k={self.k}"]
        parts += ["residual kept"] if self.residual else []
        return ", ".join(parts) + (" + LEACE" if self.joined else "")

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"name": self.name}


def cook(recipe: Recipe, weighed: Weighed, train: Samples) -> LinearMap:
    """From training rows alone."""
    change = remove(weighed.found, weighed.first(recipe.k), residual=recipe.residual)
    if recipe.joined:
        return change.then(fit_leace(change.apply(train.rows), train.sensitive))
    return change
