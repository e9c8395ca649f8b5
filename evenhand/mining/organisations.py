"""Whether two names mean the same organisation: legal forms, acronyms, aliases and small differences in spelling.

"HP India Pvt. Ltd." is "Hewlett Packard India Pvt. Ltd." by its alias; "Harper India Ltd" is another. Names are
compared by their cores: the same words, initials, or SoftTFIDF with Jaro-Winkler (Bilenko et al., 2003).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from heapq import nlargest
from math import log, sqrt

from rapidfuzz.distance import OSA, JaroWinkler

from evenhand.mining.lexicon.phrases import blocks, companies, key_of, universities, words
from evenhand.mining.lexicon.places import countries, places, regions, short_names

# What is left of an organisation's name without legal form, address and small words, with its aliases resolved.

SMALL = frozenset({"the", "of", "and", "&", "for", "at", "in", "de", "la", "del", "du", "y", "e", "a", "an"})
_OF = frozenset({"of", "de", "for", "at", "del", "du"})
_WORD = re.compile(r"\w+(?:[&'’]\w+)*")
_INITIAL = re.compile(r"(?<=\b\w)\.(?=\w\b)|(?<=\b\w)\.")
_NOTE = re.compile(r"\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Core:
    words: tuple[str, ...]  # what tells organisations apart, aliases resolved
    plain: tuple[str, ...]  # the same as it was written
    places: tuple[str, ...]  # where, when the name says so

    @property
    def initials(self) -> str:
        return "".join(word[0] for word in self.plain)


@lru_cache(maxsize=50_000)
def core_of(name: str) -> Core:
    """ "Universidad Carlos III Madrid, Spain": universidad carlos iii, in Madrid and Spain."""
    head, *address = _NOTE.sub(" ", name).replace("’", "'").split(",")
    written = _without_legal(words_in(head))
    where: list[str] = []
    for piece in address:
        piece_words = _without_legal(words_in(piece))
        phrase = " ".join(piece_words)
        if piece.strip(" .") in short_names() or phrase in places().table or phrase in regions():
            where += piece_words
        elif not words("legal").issuperset(piece_words):
            written += piece_words
    core_words, tail = _split_place(written)
    known = _canonical([*written, *where]) or _canonical(written) or _canonical(core_words)
    full = known or _resolved(core_words)
    core, inner = _split_place(_without_legal(full))
    return Core(_telling(core), _telling(core_words), tuple(dict.fromkeys([*inner, *tail, *where])))


def words_in(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(_INITIAL.sub("", text))]  # "H.P." is "HP"


def _telling(name: Sequence[str]) -> tuple[str, ...]:
    telling = [word for word in name if word not in SMALL] or list(name)
    return tuple(stem(word) for word in telling)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Abbreviations in full, plurals as singular: "Univ", "Labs", "Services"."""
    full = _abbreviations().get(word, word)
    return full[:-1] if len(full) > 4 and full[-1] == "s" and full[-2] not in "sui'" else full


@cache
def _abbreviations() -> dict[str, str]:
    return {forms[0]: forms[1] for kind, forms in blocks("words.txt") if kind == "abbreviation"}


def _without_legal(name: list[str]) -> list[str]:
    result = list(name)
    while len(result) > 1 and result[-1] in words("legal"):
        result.pop()
    return result


def _split_place(name: list[str]) -> tuple[list[str], list[str]]:
    """A country or city at the end is where, not who: unless it is all there is, or "of" stands before it."""
    rest, where = list(name), list[str]()
    for size in (3, 2, 1, 1):
        tail = " ".join(rest[-size:])
        enough = len(rest) - size >= (1 if tail in countries() or tail in {"usa", "uk", "uae"} else 2)
        if enough and rest[-size - 1] not in _OF and (tail in places().table or tail in {"usa", "uk", "uae"}):
            where = rest[-size:] + where
            rest = _without_legal(rest[:-size])
    return rest, where


def _canonical(name_words: Sequence[str]) -> list[str] | None:
    """The name of a well-known organisation in full, when these words are one of its names."""
    phrase = " ".join(name_words)
    for known in (companies(), universities()):
        name = known.table.get(phrase)
        if name and name != phrase:
            return key_of(name.replace(",", " ")).split()
        if name:
            return list(name_words)
    return None


def _resolved(name_words: list[str]) -> list[str]:
    """A beginning that is a well-known name: "IIT Patna", "HP Labs"."""
    for size in range(len(name_words) - 1, 0, -1):
        beginning = name_words[:size]
        name = _canonical(beginning)
        if name and (size > 1 or len(beginning[0]) < 6) and name != beginning:
            return name + name_words[size:]
    return name_words


SAME = 0.88  # SoftTFIDF from which two names are taken for the same
ALIKE = 0.92  # Jaro-Winkler from which two words are taken for the same
COMPARED = 30  # entries that share most with a name


@dataclass(frozen=True, slots=True)
class NameMatch:
    """The entry of the list that matched, the name as given, how alike they are, and why they are the same."""

    entry: str
    surface: str
    similarity: float
    why: str  # equal, alias, acronym, similar


class NameList:
    """Entries prepared once. A look-up compares only those that share most words, beginnings or initials with it."""

    def __init__(self, entries: Iterable[str]) -> None:
        self.entries = list(dict.fromkeys(entries))
        self._cores = [core_of(entry) for entry in self.entries]
        self._blocks: dict[str, list[int]] = defaultdict(list)
        self._counts: Counter[str] = Counter()
        for at, core in enumerate(self._cores):
            self._counts.update(set(core.words))
            for key in _keys(core):
                self._blocks[key].append(at)

    def best(self, name: str) -> NameMatch | None:
        """The entry most alike, where that is enough."""
        core = core_of(name)
        matches = [
            (match.similarity, len({*core.places} & {*self._cores[at].places}), -at, match)
            for at in self._near(core)
            if (match := self._compare(name, core, at))
        ]
        return max(matches)[3] if matches else None  # among equals the one in the same place

    def _near(self, core: Core) -> list[int]:
        shared: dict[int, float] = defaultdict(float)
        for key in _keys(core):
            block = self._blocks.get(key, ())
            for at in block:
                shared[at] += 1 / len(block)
        return nlargest(COMPARED, shared, key=shared.__getitem__)

    def _compare(self, name: str, core: Core, at: int) -> NameMatch | None:
        entry, other = self.entries[at], self._cores[at]
        if core.places and other.places and not set(core.places) & set(other.places):
            return None  # campuses and daughters of one name: "IIT Delhi", "IIT Bombay"
        if core.plain == other.plain:
            return NameMatch(entry, name, 1.0, "equal")
        if core.words == other.words:
            return NameMatch(entry, name, 0.99, "alias")
        if _is_acronym(core, other) or _is_acronym(other, core):
            return NameMatch(entry, name, 0.95, "acronym")
        similarity = self._soft_tfidf(core.words, other.words)
        return NameMatch(entry, name, round(similarity, 3), "similar") if similarity >= SAME else None

    def _weight(self, word: str) -> float:
        """Rare words tell names apart; words that many organisations have ("bank", "technology") hardly."""
        rarity = log(1 + (len(self.entries) + 1) / (self._counts[word] + 1))
        return rarity * (0.6 if word in _common() else 1.5)

    def _soft_tfidf(self, a: Sequence[str], b: Sequence[str]) -> float:
        """Cosine over words, where a word meets the nearest of the other name; another order costs a little."""
        weights_b = {word: self._weight(word) for word in b}
        weights_a = {}
        total = 0.0
        for word in a:
            nearest, similarity = max(((other, _alike(word, other)) for other in weights_b), key=lambda pair: pair[1])
            is_same = similarity >= ALIKE
            weights_a[word] = weights_b[nearest] if is_same else self._weight(word)
            total += weights_a[word] * weights_b[nearest] * similarity if is_same else 0.0
        norm = sqrt(sum(w * w for w in weights_a.values()) * sum(w * w for w in weights_b.values()))
        return min(total / norm, 0.9 if sorted(a) == sorted(b) else 1.0) if norm else 0.0


@cache
def _common() -> frozenset[str]:
    return frozenset(stem(word) for word in words("organisation") | words("institution"))


@lru_cache(maxsize=100_000)
def _alike(a: str, b: str) -> float:
    """Short words and numbers must be equal: one letter makes another name of them."""
    if a == b:
        return 1.0
    shorter = min(len(a), len(b))
    if shorter < 5 or not a.isalpha() or not b.isalpha():
        return 0.0
    if OSA.distance(a, b, score_cutoff=2) > (1 if shorter < 9 else 2):
        return 0.0
    return JaroWinkler.similarity(a, b)


def _keys(core: Core) -> set[str]:
    """Words of weight, their beginnings (a typing error rarely comes first) and the initials."""
    chosen = [word for word in core.words if word not in _common()] or list(core.words)
    keys = {*chosen, *(f"{word[:4]}~" for word in chosen if len(word) > 4)}
    keys |= {f"={word}" for word in core.plain[:1] if 2 < len(word) <= 6}
    keys |= {f"={core.initials[:size]}" for size in range(3, min(len(core.plain), 6) + 1)}
    return keys


def _is_acronym(short: Core, long: Core) -> bool:
    """ "TCS" of "Tata Consultancy Services": the first word spells the initials, what follows is the same."""
    letters, rest = short.plain[0], short.plain[1:]
    size = len(letters)
    if not 3 <= size <= len(long.plain):
        return False
    return long.initials[:size] == letters and long.plain[size:] == rest
