"""The models that ship, and those in a folder of a user's own, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from evenhand.errors import ModelError
from evenhand.models.artefact import MANIFEST, load_manifest
from evenhand.models.manifest import Manifest

SHIPPED = Path(__file__).parent / "artefacts"


def models_in(folder: Path) -> Mapping[str, Path]:
    """Folders with a manifest, by their names; a folder that is not there holds none."""
    try:
        return {path.name: path for path in sorted(folder.iterdir()) if (path / MANIFEST).is_file()}
    except OSError:
        return {}


def described(folder: Path) -> list[Manifest]:
    """What is written about each; one that cannot be read is left out here, and refused where somebody asks for it."""
    found = []
    for path in models_in(folder).values():
        try:
            found.append(load_manifest(path))
        except ModelError:
            continue
    return found
