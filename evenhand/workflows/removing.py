"""What the settings want removed from representations, put into the encoder or the model that it was fitted on."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.models.artefact import MANIFEST
from evenhand.models.encoder import Encoder
from evenhand.models.judging import Judge
from evenhand.settings import Settings
from evenhand.workflows.section_vectors import SectionEncoder

if TYPE_CHECKING:
    from evenhand.debias.learned import Removal

OF_MODELS = "model "  # begins the source of a removal from a model's rows


def removal_of(settings: Settings) -> Removal | None:
    """ModelError for a folder that holds none. Loaded once, and again when it has been replaced."""
    if not settings.removal:
        return None
    folder = Path(settings.removal).expanduser().absolute()
    manifest = folder / MANIFEST
    return _loaded(folder, manifest.stat().st_mtime_ns if manifest.exists() else 0)


@lru_cache(maxsize=2)
def _loaded(folder: Path, changed: int) -> Removal:
    from evenhand.debias.learned import load_removal  # noqa: PLC0415 - few have one

    return load_removal(folder)


def without_concepts(encoder: Encoder, settings: Settings) -> SectionEncoder:
    """The encoder itself where nothing is to be removed from it; ModelUnfit for a removal from another encoder."""
    removal = removal_of(settings)
    if removal is None or removal.source.startswith(OF_MODELS):
        return encoder
    from evenhand.debias.inference import erase_encoder  # noqa: PLC0415

    return erase_encoder(encoder, removal)


def judging_without_concepts(judge: Judge, settings: Settings) -> Judge:
    """The model itself where nothing is to be removed from it; ModelUnfit for a removal from another version of it."""
    removal = removal_of(settings)
    if removal is None or removal.source.rpartition(" ")[0] != f"{OF_MODELS}{judge.manifest.name}":
        return judge
    from evenhand.debias.inference import erase_judge  # noqa: PLC0415

    return erase_judge(judge, removal)
