"""The no-hire and non-accredited lists of a corpus, and names that stand on them under another spelling."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from evenhand.corpora import lexicon
from evenhand.corpora.planting.spellings import respell_company, respell_school
from evenhand.corpora.rng import stream

UNUSED = 12  # names on each list that no planted resume has


@dataclass(frozen=True, slots=True)
class Entry:
    """A name on a list, and how a resume writes it."""

    listed: str
    written: str
    way: str


def company_entry(seed: int, number: int, country: str) -> Entry:
    rng = stream(seed, number, "no-hire")
    name, legal, forms = company(rng, country)
    written, way = respell_company(name, legal, tuple(forms), rng)
    return Entry(name, written, way)


def lookalike_entry(seed: int, number: int, country: str) -> Entry:
    """A company with one word in common with a listed one: another company."""
    rng = stream(seed, number, "lookalike")
    name, legal, _ = company(rng, country)
    words = name.removesuffix(legal).split()
    near: list[str] = lexicon.table("planted.toml")["companies"]["near"]  # no listed company has such a word
    other = " ".join([words[0], rng.choice(near), *words[2:], legal])
    return Entry(name, other, "another_company")


def company(rng: Random, country: str) -> tuple[str, str, list[str]]:
    """Its full name, and the legal forms of its country, of which the name has the first."""
    table = lexicon.table("planted.toml")["companies"]
    forms: list[str] = table["legal"].get(country, table["legal"]["other"])
    words = [rng.choice(table[part]) for part in ("first", "second", "trade")]
    return f"{' '.join(words)} {forms[0]}", forms[0], forms


def school_entry(seed: int, number: int) -> Entry:
    rng = stream(seed, number, "non-accredited")
    name = school(rng)
    written, way = respell_school(name, rng)
    return Entry(name, written, way)


def school(rng: Random) -> str:
    table = lexicon.table("planted.toml")["schools"]
    pattern: str = rng.choice(table["pattern"])
    return pattern.format(rng.choice(table["first"]))


def unused_companies(seed: int) -> list[str]:
    rng = stream(seed, 0, "unused no-hire")
    return [
        company(rng, country)[0] for country in ("India", "United States", "United Kingdom") * (UNUSED // 3)
    ]


def unused_schools(seed: int) -> list[str]:
    rng = stream(seed, 0, "unused non-accredited")
    return [school(rng) for _ in range(UNUSED)]
