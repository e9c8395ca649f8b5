"""Names of companies, universities and people under another spelling."""

from __future__ import annotations

import unicodedata
from random import Random

from evenhand.corpora import lexicon


def respell_company(name: str, legal: str, others: tuple[str, ...], rng: Random) -> tuple[str, str]:
    """Another way to write a two-word company, and which: initials, another legal form, a slip..."""
    core = name.removesuffix(legal).strip()
    ways = {
        "initials": f"{initials(core)} {rng.choice(others)}",
        "legal_form": f"{core} {rng.choice([form for form in others if form != legal])}",
        "no_legal_form": core,
        "abbreviated": f"{abbreviate(core, rng)} {rng.choice(others)}",
        "joined": f"{joined(core)} {legal}",
        "ampersand": f"{core.replace(' ', ' & ', 1)} {legal}",
        "slip": f"{slip(core, rng)} {rng.choice(others)}",
        "capitals": f"{core.upper()} {rng.choice(others).upper()}",
    }
    return chosen(ways, name, rng)


def respell_school(name: str, rng: Random) -> tuple[str, str]:
    ways = {
        "abbreviated": abbreviate(name, rng),
        "acronym": "".join(word[0] for word in name.split() if word[0].isupper()),
        "slip": slip(name, rng),
        "capitals": name.upper(),
        "article": f"The {name}",
        "abbreviated_slip": slip(abbreviate(name, rng), rng),
    }
    return chosen(ways, name, rng)


def chosen(ways: dict[str, str], name: str, rng: Random) -> tuple[str, str]:
    different = [way for way, text in ways.items() if text != name]
    way = rng.choice(different)
    return ways[way], way


def initials(core: str) -> str:
    """ "Hartwell Pascoe Technologies" as "HP Technologies"."""
    first, second, *rest = core.split()
    return " ".join([first[0] + second[0], *rest])


def joined(core: str) -> str:
    return core.replace(" ", "", 1)


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
    for letter in "lntsr":
        if letter in word[1:]:
            at = word.index(letter, 1)
            return word[:at] + letter + word[at:]
    return word


def without_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
