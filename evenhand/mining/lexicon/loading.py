"""What the miner knows by heart: lexicons, loaded once when first asked for.

    from evenhand.mining import lexicon

    lexicon.skills()          SkillLexicon: find(lower, words) -> [Match(first, last, name, ambiguous)]
                              get(surface) -> canonical name | None; kind(name); is_ambiguous(surface)
    lexicon.titles()          Phrases: find(lower) -> [Found(first, last, name)]; get(phrase); `in`
    lexicon.fields()          Named (Phrases that know which of them are ambiguous): is_ambiguous(phrase)
    lexicon.universities()    Named
    lexicon.companies()       Named
    lexicon.certifications()  Named
    lexicon.degrees()         DegreeLexicon: find(lower) -> [DegreeMatch]; as written: resolver.degrees.find
    lexicon.section_type(heading) -> "education" | ... | None; lexicon.section_titles() -> {title: type}
    lexicon.words(kind)       frozenset of single words; kinds: "stop", "month", "institution", "legal",
                              "organisation", "title head", "title modifier", "certification",
                              "education word", "personal word", "project word"

A user's own entries, in a file of their own:
    lexicon.add_entry(path, kind, name, aliases), lexicon.load_extra(path); kinds in lexicon.extra.KINDS
    lexicon.load_lexicon(path) -> Lexicon(skills, titles, fields, universities, companies, certifications,
                              degrees, section_titles): the same look-ups with those entries taken in

Places (lexicon.places): places() Phrases -> "city" | "state" | "country"; cities_named(name) -> [City]

`lower` are the words of tokens.tokenise in lower case; spans are half-open in words. Look up line by line, or
phrases will reach over the ends of lines. Hyphens make no difference; versions and vendors of products need no
entries ("Oracle 11g" is found as oracle, "Apache Kafka" as kafka).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evenhand.errors import UsageError
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
from evenhand.records.profile import DEGREE_LEVELS, SECTION_TYPES

# Section titles of resumes and the type of section each opens.


_EDGES = re.compile(r"^[\W\d_]+|[\W_]+$")
_NUMBERED = re.compile(r"^(?:[ivx]{1,4}|[a-h])[.)]\s+")
_JOINERS = re.compile(r"\s*(?:&|/|\+|,| and | or )\s*")
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
    return known.get(title) or _trimmed(title, known) or _first_part(title, known)


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


def _first_part(title: str, known: dict[str, str]) -> str | None:
    """ "Education and something": the first title decides, where all the others are titles too."""
    if " and " not in title:
        return None
    kinds = [known.get(part) for part in title.split(" and ")]
    return kinds[0] if all(kinds) else None


# A user's own entries: a TSV file of kind, name and other forms, which every lexicon can take in.
#
# skill<TAB>kafka streams<TAB>kstreams|kafka-streams company<TAB>Acme Robotics<TAB>acme|acme robots


KINDS = ("skill", "language", "title", "degree", "field", "university", "company", "certification", "section")
_OF = {"degree": DEGREE_LEVELS, "section": SECTION_TYPES}  # kinds whose name is followed by ":" and one of these


@dataclass(frozen=True, slots=True)
class ExtraEntry:
    kind: str
    name: str
    aliases: tuple[str, ...] = ()
    type: str | None = None  # level of a degree, type of a section

    def to_line(self) -> str:
        kind = f"{self.kind}:{self.type}" if self.type else self.kind
        return "\t".join((kind, self.name, "|".join(self.aliases)))


def make_entry(kind: str, name: str, aliases: Iterable[str] = ()) -> ExtraEntry:
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
    return ExtraEntry(base, forms[0], tuple(dict.fromkeys(forms[1:])), detail or None)


def add_entry(path: Path, kind: str, name: str, aliases: Iterable[str] = ()) -> ExtraEntry:
    """Writes an entry into the user's file; one of the same kind and name takes in the new forms."""
    new = make_entry(kind, name, aliases)
    entries = load_extra(path) if path.exists() else []
    for at, entry in enumerate(entries):
        if (entry.kind, key_of(entry.name)) == (new.kind, key_of(new.name)):
            forms = tuple(dict.fromkeys((*entry.aliases, *new.aliases)))
            entries[at] = new = ExtraEntry(entry.kind, entry.name, forms, new.type or entry.type)
            break
    else:
        entries.append(new)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{entry.to_line()}\n" for entry in entries), encoding="utf-8")
    return new


def load_extra(path: Path) -> list[ExtraEntry]:
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


# All lexicons in one object, with a user's own entries taken in. Without any it is the same as the functions.


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
        | {normal_title(form): e.type for e in own.get("section", []) for form in (e.name, *e.aliases) if e.type},
    )


def _keys(entries: Iterable[ExtraEntry]) -> dict[str, str]:
    return {key_of(form): entry.name.lower() for entry in entries for form in (entry.name, *entry.aliases)}


def _named(known: AmbiguousPhrases, entries: list[ExtraEntry]) -> AmbiguousPhrases:
    if not entries:
        return known
    new = _keys(entries)
    return AmbiguousPhrases(known.table | new, known.ambiguous - new.keys())


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
