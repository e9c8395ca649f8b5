"""The resume of an applicant who applies again: other contact data, a few words and items changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from evenhand.corpora import lexicon
from evenhand.corpora.career import Career, Person
from evenhand.corpora.manuscript import Block, Line, Manuscript, Run, Section, Table
from evenhand.corpora.planting.spellings import respell_person, without_accents

EDITED = 0.05  # of the words
SWAPPED = 0.25  # of the places where two list items follow each other
WORD = re.compile(r"\b([a-z]+) ")
DOMAINS = ("example.com", "example.org", "example.net")
RunChange = Callable[[Run], Run]


def renew_person(person: Person, rng: Random) -> Person:
    name = respell_person(person.name, rng)
    return replace(
        person, name=name, email=new_email(name, person.email, rng), phone=new_phone(person.phone, rng)
    )


def new_email(name: str, old: str, rng: Random) -> str:
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", without_accents(name))]
    while True:
        found = f"{rng.choice('._').join(words)}{rng.randrange(10, 99)}@{rng.choice(DOMAINS)}"
        if found != old:
            return found


def new_phone(old: str, rng: Random) -> str:
    """The last two digits changed: the number stays in the range that is reserved for examples."""
    head, last = old[:-2], old[-2:]
    return head + rng.choice([f"{value:02d}" for value in range(100) if f"{value:02d}" != last])


def renew(manuscript: Manuscript, career: Career, person: Person, rng: Random) -> tuple[Manuscript, int]:
    """The manuscript of `career` as that of `person`, and how many of its words were changed."""
    renamed = [rename(section, career.person, person) for section in manuscript.sections]
    sections, edited = edit_words([renamed[0], *(swap_items(section, rng) for section in renamed[1:])], rng)
    return replace(manuscript, sections=tuple(sections)), edited


def rename(section: Section, old: Person, new: Person) -> Section:
    values = {"name": (old.name, new.name), "email": (old.email, new.email), "phone": (old.phone, new.phone)}

    def renamed(run: Run) -> Run:
        if run.label not in values:
            return run
        before, after = values[run.label]
        text = after.upper() if run.text.isupper() and run.label == "name" else after
        return replace(run, text=text, value=after if run.value == before else run.value)

    return map_runs(section, renamed)


def map_runs(section: Section, change: RunChange) -> Section:
    return replace(section, blocks=tuple(map_block(block, change) for block in section.blocks))


def map_block(block: Block, change: RunChange) -> Block:
    if isinstance(block, Table):
        return replace(
            block, rows=tuple(tuple(tuple(map(change, cell)) for cell in row) for row in block.rows)
        )
    return replace(block, words=tuple(map(change, block.words)), aside=tuple(map(change, block.aside)))


def swap_items(section: Section, rng: Random) -> Section:
    """Neighbouring list items change places here and there."""
    blocks = list(section.blocks)
    place = 0
    while place + 1 < len(blocks):
        if is_item(blocks[place]) and is_item(blocks[place + 1]) and rng.random() < SWAPPED:
            blocks[place], blocks[place + 1] = blocks[place + 1], blocks[place]
            place += 1
        place += 1
    return replace(section, blocks=tuple(blocks))


def is_item(block: Block) -> bool:
    return isinstance(block, Line) and block.bullet


def edit_words(sections: list[Section], rng: Random) -> tuple[list[Section], int]:
    """About one word in twenty replaced or left out; what is marked as a fact stays."""
    options = edits()
    runs = [run for section in sections for run in runs_of(section)]
    total = sum(len(run.text.split()) for run in runs)
    known = sum(m.group(1) in options for run in runs if not run.label for m in WORD.finditer(run.text))
    share = min(1.0, EDITED * total / known) if known else 0.0
    edited = 0

    def other_word(found: re.Match[str]) -> str:
        nonlocal edited
        others = options.get(found.group(1))
        if not others or rng.random() >= share:
            return found.group()
        edited += 1
        word = rng.choice(others)
        return f"{word} " if word else ""

    def changed(run: Run) -> Run:
        return run if run.label else replace(run, text=WORD.sub(other_word, run.text))

    return [map_runs(section, changed) for section in sections], edited


def edits() -> dict[str, list[str]]:
    """What may stand in the place of a word; an empty text where it may go."""
    table = lexicon.table("planted.toml")
    synonyms: dict[str, list[str]] = table["synonyms"]
    return {word: [""] for word in table["dropped"]["words"]} | synonyms


def runs_of(section: Section) -> list[Run]:
    found: list[Run] = []

    def note(run: Run) -> Run:
        found.append(run)
        return run

    map_runs(section, note)
    return found
