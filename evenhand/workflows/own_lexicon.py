"""A user's own lexicon entries: added, listed, removed, and handed to the miner."""

from __future__ import annotations

from pathlib import Path

from evenhand.errors import UsageError
from evenhand.mining.lexicon.extra import KINDS, ExtraEntry, add_entry, load_extra
from evenhand.mining.lexicon.phrases import key_of
from evenhand.settings import Settings

__all__ = ["KINDS", "ExtraEntry", "add", "entries", "remove", "usable_lexicon"]


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
