"""One Document to one Profile in this process; whatever the text does to the miner becomes a warning."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.errors import UsageError
from evenhand.mining.lexicon.loading import KINDS, ExtraEntry, add_entry, load_extra
from evenhand.mining.lexicon.phrases import key_of
from evenhand.records.document import Document, Failure, Warning
from evenhand.records.profile import Profile, Source
from evenhand.settings import Settings
from evenhand.version import __version__

if TYPE_CHECKING:
    from evenhand.mining.miner import Miner


# A user's own lexicon entries: added, listed, removed, and handed to the miner.


def usable_lexicon(settings: Settings) -> Path | None:
    """The user's file, if there is one; UsageError when it is damaged, before any resume is read."""
    path = settings.lexicon_path.absolute()
    if not path.exists():
        return None
    load_extra(path)
    return path


def entries(settings: Settings, kind: str | None = None) -> list[ExtraEntry]:
    """The user's entries, of one kind or all, by kind and name."""
    if kind is not None and kind not in KINDS:
        raise UsageError(f"There is no lexicon of {kind!r}; there are: {', '.join(KINDS)}.")
    found = load_extra(settings.lexicon_path) if settings.lexicon_path.exists() else []
    kept = [entry for entry in found if kind in (None, entry.kind)]
    return sorted(kept, key=lambda entry: (KINDS.index(entry.kind), key_of(entry.name)))


def add(settings: Settings, kind: str, name: str, aliases: list[str]) -> ExtraEntry:
    """A known entry takes in the new forms."""
    return add_entry(settings.lexicon_path, kind, name, aliases)


def remove(settings: Settings, kind: str, name: str) -> ExtraEntry:
    """UsageError when the user has no such entry; what ships with Evenhand cannot be removed."""
    path = settings.lexicon_path
    base = kind.partition(":")[0]
    own = load_extra(path) if path.exists() else []
    found = [entry for entry in own if (entry.kind, key_of(entry.name)) == (base, key_of(name))]
    if not found:
        raise UsageError(f"Your lexicon has no {base} {name!r}; evenhand lexicon list shows what it has.")
    rest = "".join(f"{entry.to_line()}\n" for entry in own if entry not in found)
    # Written beside and then moved: whoever mines at this moment sees the old file or the new one.
    beside = path.with_name(f"{path.name}.new")
    beside.write_text(rest, encoding="utf-8")
    beside.replace(path)
    return found[0]


FAILED = "mining_failed"


def miner_for(settings: Settings) -> Miner:
    """The miner with a user's own lexicon and models; loaded once, and again when the lexicon has changed."""
    lexicon = usable_lexicon(settings)
    return _loaded(lexicon, lexicon.stat().st_mtime_ns if lexicon else None, own_models(settings))


def own_models(settings: Settings) -> Path | None:
    """The folder a user names instead of the models that ship."""
    models = settings.miner_models_path
    if models and not models.is_dir():
        raise UsageError(f"Setting miner_models: there is no folder {models}.")
    return models.absolute() if models else None


@lru_cache(maxsize=2)
def _loaded(lexicon: Path | None, changed: int | None, models: Path | None) -> Miner:
    from evenhand.mining.miner import load_miner  # noqa: PLC0415 - models and lexicons are for those who mine

    return load_miner(lexicon, models=models) if models else load_miner(lexicon)


@cache
def miner_stamp() -> str:
    """Of the version and the miner's models: what they found is not what others would find."""
    from evenhand.mining.miner import MODELS  # noqa: PLC0415 - as above

    digest = hashlib.sha256(__version__.encode())
    for path in sorted(MODELS.iterdir()):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def mine_document(miner: Miner, document: Document, *, as_of: str) -> Profile:
    """Never raises because of what the text contains."""
    try:
        return miner.mine(document, as_of)
    except (Exception, RecursionError) as error:
        return failed(document, as_of, f"Mining stopped at a fault ({type(error).__name__}); there are no facts.")


def failed(document: Document, as_of: str, message: str) -> Profile:
    return Profile(Source.of(document), as_of, warnings=(Warning("mining_failed", message),))


def is_failed(profile: Profile) -> bool:
    return failure_of(profile) is not None


def failure_of(profile: Profile) -> Failure | None:
    return next((Failure(each.code, each.message) for each in profile.warnings if each.code == FAILED), None)


def shortened(document: Document, characters: int) -> tuple[Document, tuple[Warning, ...]]:
    """The Document up to the last line that ends within so many characters."""
    if len(document.text) <= characters:
        return document, ()
    lines = tuple(line for line in document.lines if line.end <= characters)
    end = lines[-1].end if lines else 0
    message = f"Only the first {end:,} of {len(document.text):,} characters were mined."
    return replace(document, text=document.text[:end], lines=lines), (Warning("mined_in_part", message),)
