"""All lexicons in one object, with a user's own entries taken in, and the titles of sections."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evenhand.mining.lexicon.degrees import DegreeForm, DegreeLexicon, degrees
from evenhand.mining.lexicon.phrases import (
    AmbiguousPhrases,
    Phrases,
    blocks,
    certifications,
    companies,
    fields,
    key_of,
    titles,
    universities,
    words,
)
from evenhand.mining.lexicon.skills import SkillEntry, SkillLexicon, skills
from evenhand.mining.lexicon.user_entries import UserEntry, load_entries

_EDGES = re.compile(r"^[\W\d_]+|[\W_]+$")
_NUMBERED = re.compile(r"^(?:[ivx]{1,4}|[a-h])[.)]\s+")
_JOINERS = re.compile(r"(?:(?<!\s)\s++)?(?:[&/+,]|(?<= )(?:and|or) )\s*+")
_SPACED = re.compile(r"(?:\w ){3,}\w")


@cache
def section_titles() -> dict[str, str]:
    """Normalised title -> type of section."""
    return {normal_title(forms[0]): kind for kind, forms in blocks("section_titles.txt")}


def section_type(heading: str, titles: dict[str, str] | None = None) -> str | None:
    """The type of section a heading opens; None when it is no known title.

    Case, numbering, punctuation, "&" for "and", and letters set apart ("S K I L L S") make no difference.
    """
    known = section_titles() if titles is None else titles
    title = normal_title(heading)
    if not title or len(title) > 60:
        return None
    if kind := known.get(title) or _trimmed(title, known):
        return kind
    # "Education and something": the first title decides, where all the others are titles too.
    kinds = [known.get(part) for part in title.split(" and ")]
    return kinds[0] if all(kinds) else None


def normal_title(heading: str) -> str:
    title = " ".join(heading.lower().replace("’", "'").replace("-", " ").split())
    if _SPACED.fullmatch(title):
        title = title.replace(" ", "")
    title = _EDGES.sub("", _NUMBERED.sub("", title))
    return _JOINERS.sub(" and ", title).strip()


def _trimmed(title: str, known: dict[str, str]) -> str | None:
    """ "My key skills", "Education details (contd.)": without the words that change nothing."""
    rest = title.split()
    while len(rest) > 1 and rest[-1].strip("(.:'") in words("heading ending"):
        rest.pop()
        if kind := known.get(" ".join(rest)):
            return kind
    while len(rest) > 1 and rest[0] in words("heading opening"):
        rest.pop(0)
        if kind := known.get(" ".join(rest)):
            return kind
    return None


@dataclass(frozen=True)
class Lexicon:
    skills: SkillLexicon
    titles: Phrases
    fields: AmbiguousPhrases
    universities: AmbiguousPhrases
    companies: AmbiguousPhrases
    certifications: AmbiguousPhrases
    degrees: DegreeLexicon
    section_titles: dict[str, str]

    def section_type(self, heading: str) -> str | None:
        return section_type(heading, self.section_titles)


def load_lexicon(user_file: Path | None = None) -> Lexicon:
    """What ships with the package and, where a file is given, the user's entries, which come first."""
    own: dict[str, list[UserEntry]] = {}
    for entry in load_entries(user_file) if user_file else ():
        own.setdefault("skill" if entry.kind == "language" else entry.kind, []).append(entry)
    own_degrees = {
        key_of(form): DegreeForm(entry.name.lower(), entry.type or "other", False, False)
        for entry in own.get("degree", ())
        for form in (entry.name, *entry.aliases)
    }
    return Lexicon(
        skills=_skills(own.get("skill", [])),
        titles=Phrases(titles().table | _keys(own["title"])) if "title" in own else titles(),
        fields=_named(fields(), own.get("field", [])),
        universities=_named(universities(), own.get("university", [])),
        companies=_named(companies(), own.get("company", [])),
        certifications=_named(certifications(), own.get("certification", [])),
        degrees=DegreeLexicon(degrees().forms | own_degrees) if own_degrees else degrees(),
        section_titles=section_titles()
        | {normal_title(form): e.type for e in own.get("section", []) for form in (e.name, *e.aliases) if e.type},
    )


def _keys(entries: Iterable[UserEntry]) -> dict[str, str]:
    return {key_of(form): entry.name.lower() for entry in entries for form in (entry.name, *entry.aliases)}


def _named(known: AmbiguousPhrases, entries: list[UserEntry]) -> AmbiguousPhrases:
    if not entries:
        return known
    new = _keys(entries)
    return AmbiguousPhrases(known.table | new, known.ambiguous - new.keys())


def _skills(entries: list[UserEntry]) -> SkillLexicon:
    """A form the user names belongs to the user's entry, whatever it was before; a known name keeps its forms."""
    known = skills()
    if not entries:
        return known
    merged = dict(known.entries)
    taken = {key_of(alias) for entry in entries for alias in entry.aliases}
    for name, entry in known.entries.items():
        if any(key_of(alias.removeprefix("?")) in taken for alias in entry.aliases):
            rest = tuple(alias for alias in entry.aliases if key_of(alias.removeprefix("?")) not in taken)
            merged[name] = SkillEntry(entry.name, entry.kind, entry.ambiguous, rest)
    for own in entries:
        name = known.get(own.name) or own.name.lower()
        base = merged.get(name, SkillEntry(name, "language" if own.kind == "language" else "technology"))
        aliases = tuple(dict.fromkeys((*base.aliases, *(alias.lower() for alias in own.aliases))))
        merged[name] = SkillEntry(name, base.kind, base.ambiguous, aliases)
    for key in taken & merged.keys():  # an alias that was a skill of its own
        if all(key_of(own.name) != key for own in entries):
            del merged[key]
    return SkillLexicon(merged.values())
