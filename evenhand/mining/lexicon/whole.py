"""All lexicons in one object, with a user's own entries taken in. Without any it is the same as the functions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evenhand.mining.lexicon.degrees import DegreeForm, DegreeLexicon, degrees
from evenhand.mining.lexicon.extra import ExtraEntry, load_extra
from evenhand.mining.lexicon.headings import normal_title, section_titles, section_type
from evenhand.mining.lexicon.lists import Named, certifications, companies, fields, titles, universities
from evenhand.mining.lexicon.phrases import Phrases, key_of
from evenhand.mining.lexicon.skills import SkillEntry, SkillLexicon, skills


@dataclass(frozen=True)
class Lexicon:
    skills: SkillLexicon
    titles: Phrases
    fields: Named
    universities: Named
    companies: Named
    certifications: Named
    degrees: DegreeLexicon
    section_titles: dict[str, str]

    def section_type(self, heading: str) -> str | None:
        return section_type(heading, self.section_titles)


def load_lexicon(extra: Path | None = None) -> Lexicon:
    """What ships with the package and, where a file is given, the user's entries, which come first."""
    return with_entries(load_extra(extra) if extra else [])


def with_entries(entries: Iterable[ExtraEntry]) -> Lexicon:
    own: dict[str, list[ExtraEntry]] = {}
    for entry in entries:
        own.setdefault("skill" if entry.kind == "language" else entry.kind, []).append(entry)
    return Lexicon(
        skills=_skills(own.get("skill", [])),
        titles=Phrases(titles().table | _keys(own["title"])) if "title" in own else titles(),
        fields=_named(fields(), own.get("field", [])),
        universities=_named(universities(), own.get("university", [])),
        companies=_named(companies(), own.get("company", [])),
        certifications=_named(certifications(), own.get("certification", [])),
        degrees=_degrees(own.get("degree", [])),
        section_titles=section_titles()
        | {
            normal_title(form): e.type
            for e in own.get("section", [])
            for form in (e.name, *e.aliases)
            if e.type
        },
    )


def _keys(entries: Iterable[ExtraEntry]) -> dict[str, str]:
    return {key_of(form): entry.name.lower() for entry in entries for form in (entry.name, *entry.aliases)}


def _named(known: Named, entries: list[ExtraEntry]) -> Named:
    if not entries:
        return known
    new = _keys(entries)
    return Named(known.table | new, known.ambiguous - new.keys())


def _degrees(entries: list[ExtraEntry]) -> DegreeLexicon:
    new = {
        key_of(form): DegreeForm(entry.name.lower(), entry.type or "other", False, False)
        for entry in entries
        for form in (entry.name, *entry.aliases)
    }
    return DegreeLexicon(degrees().forms | new) if new else degrees()


def _skills(entries: list[ExtraEntry]) -> SkillLexicon:
    """A form the user names belongs to the user's entry, whatever it was before; a known name keeps its forms."""
    known = skills()
    if not entries:
        return known
    merged = dict(known.entries)
    taken = {key_of(alias) for entry in entries for alias in entry.aliases}
    for name, entry in known.entries.items():
        if any(key_of(alias.removeprefix("?")) in taken for alias in entry.aliases):
            kept = tuple(alias for alias in entry.aliases if key_of(alias.removeprefix("?")) not in taken)
            merged[name] = SkillEntry(entry.name, entry.kind, entry.ambiguous, kept)
    for own in entries:
        name = known.get(own.name) or own.name.lower()
        base = merged.get(name, SkillEntry(name, "language" if own.kind == "language" else "technology"))
        aliases = tuple(dict.fromkeys((*base.aliases, *(alias.lower() for alias in own.aliases))))
        merged[name] = SkillEntry(name, base.kind, base.ambiguous, aliases)
    for key in taken & merged.keys():  # an alias that was a skill of its own
        if all(key_of(own.name) != key for own in entries):
            del merged[key]
    return SkillLexicon(merged.values())
