"""What is left of a fit: the map, the concepts it was made from, and why it was chosen; a folder on disk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.decomposition import Decomposition
from evenhand.debias.erasers import RemovalRecipe
from evenhand.debias.samples import Floats
from evenhand.debias.weighing import Concept
from evenhand.models.concept_removal import FORMAT, KIND, LinearMap, read_removal, unusable
from evenhand.models.registry import MANIFEST, WEIGHTS, to_safetensors

CONCEPT_TENSORS = ("basis", "unmixing", "mean", "strengths")


@dataclass(frozen=True, slots=True, eq=False)
class ConceptRemoval:
    """`source` names what made the rows, such as an encoder and its version: other rows are not for this map."""

    change: LinearMap
    decomposition: Decomposition
    concepts: tuple[Concept, ...]  # in the order of removal; the first `recipe.k` are gone
    recipe: RemovalRecipe
    task: str
    sensitive: tuple[str, ...]
    source: str
    reason: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def apply(self, rows: NDArray[np.floating]) -> Floats:
        return self.change.apply(rows)

    @property
    def dimension(self) -> int:
        return self.change.dimension


def save_removal(folder: Path, removal: ConceptRemoval) -> str:
    """Returns the content hash: the same fit gives the same bytes."""
    decomposition, change = removal.decomposition, removal.change
    weights = to_safetensors(
        {f"change.{name}": getattr(change, name) for name in ("left", "right", "shift")}
        | {f"concepts.{name}": getattr(decomposition, name) for name in CONCEPT_TENSORS}
    )
    manifest = {
        "format": FORMAT,
        "kind": KIND,
        "dimension": removal.dimension,
        "keeps": change.keeps,
        "decomposition": decomposition.method,
        "recipe": removal.recipe.to_json(),
        "concepts": [asdict(concept) for concept in removal.concepts],
        "task": removal.task,
        "sensitive": list(removal.sensitive),
        "source": removal.source,
        "reason": removal.reason,
        "facts": dict(removal.facts),
        "files": {WEIGHTS: hashlib.sha256(weights).hexdigest()},
    }
    text = json.dumps(manifest, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS).write_bytes(weights)
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    return hashlib.sha256(text.encode()).hexdigest()


def load_removal(folder: Path) -> ConceptRemoval:
    """ModelError of the fitting kind for a folder that holds no removal, or not the one that was saved."""
    saved = read_removal(folder)
    manifest = saved.manifest
    try:
        recipe = {key: value for key, value in manifest["recipe"].items() if key != "name"}
        tensors = [saved.tensors[f"concepts.{name}"] for name in CONCEPT_TENSORS]
        return ConceptRemoval(
            change=saved.change,
            decomposition=Decomposition(manifest["decomposition"], *tensors),
            concepts=tuple(Concept(**concept) for concept in manifest["concepts"]),
            recipe=RemovalRecipe(**recipe),
            task=str(manifest["task"]),
            sensitive=tuple(manifest["sensitive"]),
            source=saved.source,
            reason=str(manifest["reason"]),
            facts=dict(manifest["facts"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise unusable(folder, error) from error
