"""Mining in this process: the miner that the settings ask for, and one Document to one Profile that never raises."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.errors import UsageError
from evenhand.mining.lexicon.user_entries import load_entries
from evenhand.records.document import Document, Failure, Warning
from evenhand.records.profile import Profile, Source
from evenhand.settings import Settings
from evenhand.version import __version__

if TYPE_CHECKING:
    from evenhand.mining.miner import Miner


def mine_document(miner: Miner, document: Document, *, as_of: str) -> Profile:
    """Never raises because of what the text contains: a fault becomes a warning of the Profile."""
    try:
        return miner.mine(document, as_of)
    except (Exception, RecursionError) as error:
        message = f"Mining stopped at a fault ({type(error).__name__}); there are no facts."
        return failed_profile(document, as_of, message)


def failed_profile(document: Document, as_of: str, message: str) -> Profile:
    """A Profile without facts whose warning says why there are none."""
    return Profile(Source.of(document), as_of, warnings=(Warning("mining_failed", message),))


def failure_of(profile: Profile) -> Failure | None:
    """Why mining found no facts; None where it did not fail."""
    failures = (warning for warning in profile.warnings if warning.code == "mining_failed")
    return next((Failure(warning.code, warning.message) for warning in failures), None)


def is_failed(profile: Profile) -> bool:
    return failure_of(profile) is not None


def shortened(document: Document, characters: int) -> tuple[Document, tuple[Warning, ...]]:
    """The Document up to the last line that ends within so many characters, and a warning if that is not all."""
    if len(document.text) <= characters:
        return document, ()
    lines = tuple(line for line in document.lines if line.end <= characters)
    end = lines[-1].end if lines else 0
    message = f"Only the first {end:,} of {len(document.text):,} characters were mined."
    return replace(document, text=document.text[:end], lines=lines), (Warning("mined_in_part", message),)


def miner_for(settings: Settings) -> Miner:
    """The miner with a user's own lexicon and models; loaded once, and again when the lexicon has changed."""
    lexicon = user_lexicon(settings)
    return _load_miner(lexicon, lexicon.stat().st_mtime_ns if lexicon else None, user_models(settings))


@lru_cache(maxsize=2)
def _load_miner(lexicon: Path | None, changed: int | None, models: Path | None) -> Miner:
    from evenhand.mining.miner import load_miner  # noqa: PLC0415 - models and lexicons are for those who mine

    return load_miner(lexicon, models=models) if models else load_miner(lexicon)


def user_lexicon(settings: Settings) -> Path | None:
    """The user's file, if there is one; UsageError when it is damaged, before any resume is read."""
    path = settings.lexicon_path.absolute()
    if not path.exists():
        return None
    load_entries(path)
    return path


def user_models(settings: Settings) -> Path | None:
    """The folder a user names instead of the models that ship."""
    models = settings.miner_models_path
    if models and not models.is_dir():
        raise UsageError(f"Setting miner_models: there is no folder {models}.")
    return models.absolute() if models else None


@cache
def miner_stamp() -> str:
    """A hash of the version and the models that ship: profiles of different stamps are not comparable."""
    from evenhand.mining.miner import MODELS  # noqa: PLC0415 - as above

    digest = hashlib.sha256(__version__.encode())
    for path in sorted(MODELS.iterdir()):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
