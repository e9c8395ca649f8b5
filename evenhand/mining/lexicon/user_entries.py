"""A user's own lexicon entries: a TSV file of kind, name and other forms, which every lexicon takes in.

skill<TAB>kafka streams<TAB>kstreams|kafka-streams
company<TAB>Acme Robotics<TAB>acme|acme robots
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evenhand.errors import UsageError
from evenhand.mining.lexicon.phrases import key_of
from evenhand.records.profile import DEGREE_LEVELS, SECTION_TYPES

KINDS = ("skill", "language", "title", "degree", "field", "university", "company", "certification", "section")
_OF = {"degree": DEGREE_LEVELS, "section": SECTION_TYPES}  # kinds whose name is followed by ":" and one of these


@dataclass(frozen=True, slots=True)
class UserEntry:
    kind: str
    name: str
    aliases: tuple[str, ...] = ()
    type: str | None = None  # level of a degree, type of a section

    def to_line(self) -> str:
        kind = f"{self.kind}:{self.type}" if self.type else self.kind
        return "\t".join((kind, self.name, "|".join(self.aliases)))


def make_entry(kind: str, name: str, aliases: Iterable[str] = ()) -> UserEntry:
    """Checks an entry; `kind` is one of KINDS, a degree or section with its level or type: "degree:master"."""
    base, _, detail = kind.partition(":")
    if base not in KINDS:
        raise UsageError(f"There is no lexicon of {base!r}; there are: {', '.join(KINDS)}.")
    if base in _OF and detail not in _OF[base]:
        raise UsageError(f"A {base} needs what it is, as in {base}:{_OF[base][-1]}; one of {', '.join(_OF[base])}.")
    if base not in _OF and detail:
        raise UsageError(f"A {base} takes no {detail!r} behind it.")
    forms = [" ".join(form.split()) for form in (name, *aliases)]
    for form in forms:
        if not key_of(form):
            raise UsageError("A name and its other forms must not be empty.")
        if "|" in form or len(form) > 100:
            raise UsageError(f"{form[:40]!r} cannot be a form: it has a bar in it or more than 100 characters.")
    return UserEntry(base, forms[0], tuple(dict.fromkeys(forms[1:])), detail or None)


def add_entry(path: Path, kind: str, name: str, aliases: Iterable[str] = ()) -> UserEntry:
    """Writes an entry into the user's file; one of the same kind and name takes in the new forms."""
    new = make_entry(kind, name, aliases)
    entries = _saved(path)
    for at, entry in enumerate(entries):
        if (entry.kind, key_of(entry.name)) == (new.kind, key_of(new.name)):
            forms = tuple(dict.fromkeys((*entry.aliases, *new.aliases)))
            entries[at] = new = UserEntry(entry.kind, entry.name, forms, new.type or entry.type)
            break
    else:
        entries.append(new)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{entry.to_line()}\n" for entry in entries), encoding="utf-8")
    return new


def load_entries(path: Path) -> list[UserEntry]:
    """The entries of a user's file; a line that is none is named with its number."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The lexicon {path} cannot be read: {error}.") from error
    entries = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if not 2 <= len(cells) <= 3:
            raise UsageError(f"Line {number} of {path} is not kind, name and other forms parted by tabs.")
        aliases = [form for form in (cells[2].split("|") if len(cells) == 3 else []) if form.strip()]
        try:
            entries.append(make_entry(cells[0].strip(), cells[1], aliases))
        except UsageError as error:
            raise UsageError(f"Line {number} of {path}: {error}") from error
    return entries


def list_entries(path: Path, kind: str | None = None) -> list[UserEntry]:
    """The user's entries, of one kind or all, by kind and name."""
    if kind is not None and kind not in KINDS:
        raise UsageError(f"There is no lexicon of {kind!r}; there are: {', '.join(KINDS)}.")
    entries = [entry for entry in _saved(path) if kind in (None, entry.kind)]
    return sorted(entries, key=lambda entry: (KINDS.index(entry.kind), key_of(entry.name)))


def remove_entry(path: Path, kind: str, name: str) -> UserEntry:
    """UsageError when the user has no such entry; what ships with Evenhand cannot be removed."""
    base = kind.partition(":")[0]
    entries = _saved(path)
    removed = [entry for entry in entries if (entry.kind, key_of(entry.name)) == (base, key_of(name))]
    if not removed:
        raise UsageError(f"Your lexicon has no {base} {name!r}; evenhand lexicon list shows what it has.")
    rest = "".join(f"{entry.to_line()}\n" for entry in entries if entry not in removed)
    # Written beside and then moved: whoever mines at this moment sees the old file or the new one.
    beside = path.with_name(f"{path.name}.new")
    beside.write_text(rest, encoding="utf-8")
    beside.replace(path)
    return removed[0]


def _saved(path: Path) -> list[UserEntry]:
    return load_entries(path) if path.exists() else []
