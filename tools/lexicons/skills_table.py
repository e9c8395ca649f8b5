"""skills.tsv: own entries first, then the skills of generated resumes, then what ESCO knows besides."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from evenhand.mining.lexicon.phrases import key_of
from lexicons.esco import knowledge
from lexicons.own import SOURCES, Entry, entries

GENERATED = Path(__file__).resolve().parents[2] / "evenhand" / "corpora" / "lexicons" / "skills.csv"
KINDS_OF_GENERATED = {"skill": "domain", "method": "method"}
# Forms that generated resumes use and that mean something else in most real ones.
LEFT_OUT = frozenset({"reporting", "retail", "proposals", "framing", "picking", "differentiation"})


class Table:
    """Entries by name; a form belongs to the first entry that claims it."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.owners: dict[str, str] = {}
        self.conflicts: list[str] = []

    def add(self, entry: Entry, *, joins: bool = False) -> None:
        """Where `joins`, an entry of which a form is known lends its other forms to the known one."""
        known = self.owners.get(key_of(entry.name))
        if known is None and joins:
            known = next((self.owners[key] for key in map(_key, entry.aliases) if key in self.owners), None)
            if known is not None:
                entry.aliases.insert(0, entry.name)
        if known is None:
            self.entries[entry.name] = Entry(entry.name, entry.kind, entry.ambiguous)
            self.owners[key_of(entry.name)] = known = entry.name
        owner = self.entries[known]
        owner.ambiguous = owner.ambiguous or (entry.ambiguous and known == entry.name)
        for alias in entry.aliases:
            self._claim(owner, alias)

    def _claim(self, owner: Entry, alias: str) -> None:
        key = _key(alias)
        holder = self.owners.setdefault(key, owner.name)
        if holder != owner.name:
            self.conflicts.append(f"{alias!r}: {holder} holds it, {owner.name} wants it")
        elif key != key_of(owner.name) and all(_key(other) != key for other in owner.aliases):
            owner.aliases.append(alias)

    def rows(self) -> Iterable[str]:
        generic = _generic()
        for name in sorted(self.entries):
            entry = self.entries[name]
            flags = "ambiguous" if entry.ambiguous or name in generic else ""
            aliases = [f"?{alias}" if alias in generic else alias for alias in entry.aliases]
            yield "\t".join((name, entry.kind, flags, "|".join(aliases)))


def _generic() -> frozenset[str]:
    text = (SOURCES / "generic.txt").read_text(encoding="utf-8")
    return frozenset(text.split("\n", 1)[1].strip().split("; "))


def _key(alias: str) -> str:
    return key_of(alias.removeprefix("?"))


def generated() -> Iterable[Entry]:
    with GENERATED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            surfaces = [form.lower() for form in row["surfaces"].split("|") if form]
            kind = KINDS_OF_GENERATED.get(row["group"], "technology")
            yield Entry(row["name"].lower(), kind, aliases=[form for form in surfaces if form not in LEFT_OUT])


def skills(esco: Path) -> tuple[list[str], list[str]]:
    """The rows of the file, and what claims the same form twice."""
    table = Table()
    for entry in entries("skills"):
        table.add(entry)
    for entry in generated():
        table.add(entry, joins=True)
    conflicts = list(table.conflicts)
    for entry in knowledge(esco):
        table.add(entry)
    return list(table.rows()), conflicts
