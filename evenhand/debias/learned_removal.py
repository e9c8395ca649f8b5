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
from evenhand.models.concept_removal import FORMAT, KIND, LinearMap, SavedRemoval, read_removal, unusable
from evenhand.models.registry import MANIFEST, WEIGHTS, to_safetensors


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
    weights = to_safetensors(_tensors(removal))
    decomposition, change = removal.decomposition, removal.change
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
        "files": {WEIGHTS: _sum(weights)},
    }
    text = json.dumps(manifest, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS).write_bytes(weights)
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    return _sum(text.encode())


def load_removal(folder: Path) -> ConceptRemoval:
    """ModelError of the fitting kind for a folder that holds no removal, or not the one that was saved."""
    saved = read_removal(folder)
    try:
        return _removal(saved)
    except (KeyError, TypeError, ValueError) as error:
        raise unusable(folder, error) from error


def _tensors(removal: ConceptRemoval) -> dict[str, Floats]:
    change, decomposition = removal.change, removal.decomposition
    return {
        "change.left": change.left,
        "change.right": change.right,
        "change.shift": change.shift,
        "concepts.basis": decomposition.basis,
        "concepts.unmixing": decomposition.unmixing,
        "concepts.mean": decomposition.mean,
        "concepts.strengths": decomposition.strengths,
    }


def _removal(saved: SavedRemoval) -> ConceptRemoval:
    manifest, tensors = saved.manifest, saved.tensors
    recipe = {key: value for key, value in manifest["recipe"].items() if key != "name"}
    return ConceptRemoval(
        change=saved.change,
        decomposition=Decomposition(
            manifest["decomposition"],
            tensors["concepts.basis"],
            tensors["concepts.unmixing"],
            tensors["concepts.mean"],
            tensors["concepts.strengths"],
        ),
        concepts=tuple(Concept(**each) for each in manifest["concepts"]),
        recipe=RemovalRecipe(**recipe),
        task=str(manifest["task"]),
        sensitive=tuple(manifest["sensitive"]),
        source=saved.source,
        reason=str(manifest["reason"]),
        facts=dict(manifest["facts"]),
    )


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
