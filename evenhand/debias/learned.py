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
from safetensors import SafetensorError
from safetensors.numpy import load

from evenhand.debias.decomposition import Decomposition
from evenhand.debias.linear_map import LinearMap
from evenhand.debias.ranking import Concept
from evenhand.debias.recipes import Recipe
from evenhand.debias.samples import Floats
from evenhand.errors import ModelAltered, ModelIncomplete, ModelMalformed, ModelNotFound, ModelUnknownKind
from evenhand.models.artefact import MANIFEST, WEIGHTS, to_safetensors

FORMAT = 1
KIND = "removal"


@dataclass(frozen=True, slots=True, eq=False)
class Removal:
    """`source` names what made the rows, such as an encoder and its version: other rows are not for this map."""

    change: LinearMap
    found: Decomposition
    concepts: tuple[Concept, ...]  # in the order of removal; the first `recipe.k` are gone
    recipe: Recipe
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


def save_removal(folder: Path, removal: Removal) -> str:
    """Returns the content hash: the same fit gives the same bytes."""
    weights = to_safetensors(_tensors(removal))
    found, change = removal.found, removal.change
    manifest = {
        "format": FORMAT,
        "kind": KIND,
        "dimension": removal.dimension,
        "keeps": change.keeps,
        "decomposition": found.method,
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


def load_removal(folder: Path) -> Removal:
    """ModelError of the fitting kind for a folder that holds no removal, or not the one that was saved."""
    manifest = _manifest(folder)
    try:
        weights = (folder / WEIGHTS).read_bytes()
    except OSError as error:
        raise ModelIncomplete(f"The removal {folder} lacks {WEIGHTS}.") from error
    try:
        if _sum(weights) != manifest["files"][WEIGHTS]:
            raise ModelAltered(f"{WEIGHTS} of the removal {folder} is not the file that was saved.")
        return _removal(manifest, load(weights))
    except (KeyError, TypeError, ValueError, SafetensorError) as error:
        raise ModelMalformed(f"The removal {folder} cannot be used: {error}.") from error


def _tensors(removal: Removal) -> dict[str, Floats]:
    change, found = removal.change, removal.found
    return {
        "change.left": change.left,
        "change.right": change.right,
        "change.shift": change.shift,
        "concepts.basis": found.basis,
        "concepts.unmixing": found.unmixing,
        "concepts.mean": found.mean,
        "concepts.strengths": found.strengths,
    }


def _removal(manifest: Mapping[str, Any], arrays: Mapping[str, Any]) -> Removal:
    recipe = {key: value for key, value in manifest["recipe"].items() if key != "name"}
    change = LinearMap(
        bool(manifest["keeps"]), arrays["change.left"], arrays["change.right"], arrays["change.shift"]
    )
    if change.left.shape[0] != change.dimension or change.right.shape != change.left.shape[::-1]:
        raise ValueError("the factors of its map do not fit each other")
    return Removal(
        change=change,
        found=Decomposition(
            manifest["decomposition"],
            arrays["concepts.basis"],
            arrays["concepts.unmixing"],
            arrays["concepts.mean"],
            arrays["concepts.strengths"],
        ),
        concepts=tuple(Concept(**each) for each in manifest["concepts"]),
        recipe=Recipe(**recipe),
        task=str(manifest["task"]),
        sensitive=tuple(manifest["sensitive"]),
        source=str(manifest["source"]),
        reason=str(manifest["reason"]),
        facts=dict(manifest["facts"]),
    )


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelNotFound(f"There is no removal in {folder}: it has no {MANIFEST}.") from error
    except ValueError as error:
        raise ModelMalformed(f"The manifest of the removal {folder} is not JSON: {error}.") from error
    if not isinstance(content, dict) or content.get("kind") != KIND or content.get("format") != FORMAT:
        raise ModelUnknownKind(f"{folder} holds no removal that this version of Evenhand reads.")
    return content


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
