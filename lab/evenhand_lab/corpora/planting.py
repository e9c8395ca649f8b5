"""Cases planted on request: which resumes they become, and the truth about each of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career, Person
from evenhand_lab.corpora.files.looks import WAYS, Secret
from evenhand_lab.corpora.lexicon import stream
from evenhand_lab.corpora.manuscript import (
    Manuscript,
    ManuscriptLine,
    ManuscriptSection,
    TextRun,
    Words,
    cells_of,
    map_words,
)
from evenhand_lab.corpora.occupations import skills

CASES = {
    "duplicates": "the same career again, under another spelling of the name and with new contact data",
    "no-hire": "an employer of the no-hire list, spelt differently",
    "lookalikes": "an employer that only resembles one of the no-hire list",
    "non-accredited": "a university of the non-accredited list, spelt differently",
    "hidden": "words that a file holds and a reader does not see",
    "stuffing": "skills repeated in plain sight",
    "scans": "pages that are pictures",
}


@dataclass(frozen=True, slots=True)
class PlantedCase:
    """What is planted in the resume `number`; `original` is the resume that a duplicate repeats."""

    number: int
    kind: str
    original: int | None = None


@dataclass(frozen=True, slots=True)
class Planted:
    """The truth about a planted case."""

    number: int
    kind: str
    facts: tuple[tuple[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        return {"number": self.number, "kind": self.kind} | dict(self.facts)


def plan(counts: Mapping[str, int], *, n: int, seed: int) -> dict[int, PlantedCase]:
    """Cases by the number of their resume: no resume has two, and originals of duplicates have none."""
    unknown = [kind for kind in counts if kind not in CASES]
    if unknown:
        raise ValueError(f"there is no planted case {unknown[0]!r}; there are {', '.join(CASES)}")
    duplicates = counts.get("duplicates", 0)
    needed = sum(counts.values()) + duplicates
    if needed > n:
        raise ValueError(f"{needed} resumes are needed for the planted cases, and there are {n}")
    numbers = iter(stream(seed, 0, "planted").sample(range(n), needed))
    cases: dict[int, PlantedCase] = {}
    for kind in CASES:  # in the order of the table, whatever the order of the request
        for _ in range(counts.get(kind, 0)):
            number = next(numbers)
            cases[number] = PlantedCase(number, kind, next(numbers) if kind == "duplicates" else None)
    return cases


# Skills in plain sight or out of it, to please a machine that counts words.


def draw_skills(kind: str, count: int, rng: Random) -> list[str]:
    domains = lexicon.table("planted.toml")["keywords"][kind]
    names = [skill.name for skill in skills().values() if skill.domain in domains]
    return rng.sample(names, min(count, len(names)))


def draw_secret(kind: str, format: str, rng: Random) -> Secret:
    """Between fifteen and sixty skills, sometimes after a sentence meant for a machine."""
    words = " ".join(draw_skills(kind, rng.randint(15, 60), rng))
    openings: list[str] = lexicon.table("planted.toml")["hidden"]["openings"]
    text = f"{rng.choice(openings)} {words}" if rng.random() < 0.5 else words
    return Secret(text, rng.choice(WAYS[format]))


def stuff(manuscript: Manuscript, kind: str, rng: Random) -> tuple[Manuscript, str]:
    """A last section of skills that the career has nothing to do with, each once or over and over."""
    if rng.random() < 0.5:
        few = draw_skills(kind, rng.randint(4, 8), rng)
        words = few * rng.randint(6, 12)
        rng.shuffle(words)
    else:
        words = draw_skills(kind, rng.randint(60, 140), rng)
    text = ", ".join(words)
    headings: list[str] = lexicon.table("planted.toml")["stuffing"]["headings"]
    section = ManuscriptSection("other", rng.choice(headings), (ManuscriptLine((TextRun(text),)),))
    return replace(manuscript, sections=(*manuscript.sections, section)), text


# Names of companies, universities and people under another spelling.


def respell_company(name: str, legal: str, others: tuple[str, ...], rng: Random) -> tuple[str, str]:
    """Another way to write a two-word company, and which: initials, another legal form, a slip..."""
    core = name.removesuffix(legal).strip()
    first, second, *rest = core.split()
    ways = {
        "initials": f"{' '.join([first[0] + second[0], *rest])} {rng.choice(others)}",
        "legal_form": f"{core} {rng.choice([form for form in others if form != legal])}",
        "no_legal_form": core,
        "abbreviated": f"{abbreviate(core, rng)} {rng.choice(others)}",
        "joined": f"{core.replace(' ', '', 1)} {legal}",
        "ampersand": f"{core.replace(' ', ' & ', 1)} {legal}",
        "slip": f"{slip(core, rng)} {rng.choice(others)}",
        "capitals": f"{core.upper()} {rng.choice(others).upper()}",
    }
    way = rng.choice([way for way, text in ways.items() if text != name])
    return ways[way], way


def respell_school(name: str, rng: Random) -> tuple[str, str]:
    ways = {
        "abbreviated": abbreviate(name, rng),
        "acronym": "".join(word[0] for word in name.split() if word[0].isupper()),
        "slip": slip(name, rng),
        "capitals": name.upper(),
        "article": f"The {name}",
        "abbreviated_slip": slip(abbreviate(name, rng), rng),
    }
    way = rng.choice([way for way, text in ways.items() if text != name])
    return ways[way], way


def abbreviate(name: str, rng: Random) -> str:
    """One known word written shorter."""
    table: dict[str, list[str]] = lexicon.table("planted.toml")["abbreviations"]
    words = name.split()
    for place, word in enumerate(words):
        if word in table:
            words[place] = rng.choice(table[word])
            break
    return " ".join(words)


def slip(name: str, rng: Random) -> str:
    """Two letters inside a long word change places, or one is left out or doubled."""
    words = name.split()
    place = max(range(len(words)), key=lambda index: len(words[index]))
    word = words[place]
    at = rng.randrange(1, len(word) - 2)
    words[place] = rng.choice((
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
    ))  # fmt: skip
    return " ".join(words)


def respell_person(name: str, rng: Random) -> str:
    """The same person's name as it may stand in another resume."""
    first, *rest = name.split()
    last = " ".join(rest)
    plain = without_accents(name)
    ways = [
        f"{first} {rng.choice('ABDGJKLMNPRST')}. {last}",
        f"{first[0]}. {last}",
        plain,
        name.replace("-", " "),
        f"{first} {doubled(last)}",
        f"{doubled(first)} {last}",
        f"{last}, {first}",
    ]
    return rng.choice([way for way in ways if way != name and way.strip()])


def doubled(word: str) -> str:
    """A doubled letter made single, or a single l, n, t made double: Philip and Phillip."""
    for letter in "lntsr":
        if letter * 2 in word:
            return word.replace(letter * 2, letter, 1)
    at = next((word.index(letter, 1) for letter in "lntsr" if letter in word[1:]), None)
    return word if at is None else word[:at] + word[at] + word[at:]


def without_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


# The resume of an applicant who applies again: other contact data, a few words and items changed.

EDITED = 0.05  # of the words
SWAPPED = 0.25  # of the places where two list items follow each other
WORD = re.compile(r"\b([a-z]+) ")
DOMAINS = ("example.com", "example.org", "example.net")


def renew_person(person: Person, rng: Random) -> Person:
    name = respell_person(person.name, rng)
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", without_accents(name))]
    email = person.email
    while email == person.email:
        email = f"{rng.choice('._').join(words)}{rng.randrange(10, 99)}@{rng.choice(DOMAINS)}"
    return replace(person, name=name, email=email, phone=new_phone(person.phone, rng))


def new_phone(old: str, rng: Random) -> str:
    """The last two digits changed: the number stays in the range that is reserved for examples."""
    head, last = old[:-2], old[-2:]
    return head + rng.choice([f"{value:02d}" for value in range(100) if f"{value:02d}" != last])


def renew(manuscript: Manuscript, career: Career, person: Person, rng: Random) -> tuple[Manuscript, int]:
    """The manuscript of `career` as that of `person`, and how many of its words were changed."""
    renamed = [rename(section, career.person, person) for section in manuscript.sections]
    sections, edited = edit_words([renamed[0], *(swap_items(section, rng) for section in renamed[1:])], rng)
    return replace(manuscript, sections=tuple(sections)), edited


def rename(section: ManuscriptSection, old: Person, new: Person) -> ManuscriptSection:
    values = {"name": (old.name, new.name), "email": (old.email, new.email), "phone": (old.phone, new.phone)}

    def renamed(run: TextRun) -> TextRun:
        if run.label not in values:
            return run
        before, after = values[run.label]
        text = after.upper() if run.text.isupper() and run.label == "name" else after
        return replace(run, text=text, value=after if run.value == before else run.value)

    return map_words(section, lambda words: tuple(map(renamed, words)), asides=True)


def swap_items(section: ManuscriptSection, rng: Random) -> ManuscriptSection:
    """Neighbouring list items change places here and there."""
    blocks = list(section.blocks)
    is_item = [isinstance(block, ManuscriptLine) and block.bullet for block in blocks]
    place = 0
    while place + 1 < len(blocks):
        if is_item[place] and is_item[place + 1] and rng.random() < SWAPPED:
            blocks[place], blocks[place + 1] = blocks[place + 1], blocks[place]
            place += 1
        place += 1
    return replace(section, blocks=tuple(blocks))


def edit_words(sections: list[ManuscriptSection], rng: Random) -> tuple[list[ManuscriptSection], int]:
    """About one word in twenty replaced or left out; what is marked as a fact stays."""
    table = lexicon.table("planted.toml")
    # what may stand in the place of a word; an empty text where it may go
    options: dict[str, list[str]] = {word: [""] for word in table["dropped"]["words"]} | table["synonyms"]
    runs = [run for section in sections for words in cells_of(section) for run in words]
    total = sum(len(run.text.split()) for run in runs)
    known = sum(match[1] in options for run in runs if not run.label for match in WORD.finditer(run.text))
    share = min(1.0, EDITED * total / known) if known else 0.0
    edited = 0

    def other_word(match: re.Match[str]) -> str:
        nonlocal edited
        others = options.get(match[1])
        if not others or rng.random() >= share:
            return match[0]
        edited += 1
        word = rng.choice(others)
        return f"{word} " if word else ""

    def changed(words: Words) -> Words:
        return tuple(run if run.label else replace(run, text=WORD.sub(other_word, run.text)) for run in words)

    return [map_words(section, changed, asides=True) for section in sections], edited


# The no-hire and non-accredited lists of a corpus, and names that stand on them under another spelling.

UNUSED = 12  # names on each list that no planted resume has


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A name on a list, and how a resume writes it."""

    listed: str
    written: str
    way: str


def company_entry(seed: int, number: int, country: str) -> ListEntry:
    rng = stream(seed, number, "no-hire")
    name, legal, forms = company(rng, country)
    return ListEntry(name, *respell_company(name, legal, tuple(forms), rng))


def lookalike_entry(seed: int, number: int, country: str) -> ListEntry:
    """A company with one word in common with a listed one: another company."""
    rng = stream(seed, number, "lookalike")
    name, legal, _ = company(rng, country)
    words = name.removesuffix(legal).split()
    near: list[str] = lexicon.table("planted.toml")["companies"]["near"]  # no listed company has such a word
    other = " ".join([words[0], rng.choice(near), *words[2:], legal])
    return ListEntry(name, other, "another_company")


def company(rng: Random, country: str) -> tuple[str, str, list[str]]:
    """Its full name, and the legal forms of its country, of which the name has the first."""
    table = lexicon.table("planted.toml")["companies"]
    forms: list[str] = table["legal"].get(country, table["legal"]["other"])
    words = [rng.choice(table[part]) for part in ("first", "second", "trade")]
    return f"{' '.join(words)} {forms[0]}", forms[0], forms


def school_entry(seed: int, number: int) -> ListEntry:
    rng = stream(seed, number, "non-accredited")
    name = school(rng)
    return ListEntry(name, *respell_school(name, rng))


def school(rng: Random) -> str:
    table = lexicon.table("planted.toml")["schools"]
    pattern: str = rng.choice(table["pattern"])
    return pattern.format(rng.choice(table["first"]))


def unused_companies(seed: int) -> list[str]:
    rng = stream(seed, 0, "unused no-hire")
    return [company(rng, country)[0] for country in ("India", "United States", "United Kingdom") * (UNUSED // 3)]


def unused_schools(seed: int) -> list[str]:
    rng = stream(seed, 0, "unused non-accredited")
    return [school(rng) for _ in range(UNUSED)]
