"""A text without gender words: pronouns, titles, kinship and jobs by a dictionary, first names by Sam.

Only such words change, one by one and with their case; verbs stay as they are ("They is a nurse"), because the text
is for a model that must not learn a gender from it, and any other change would be one more difference.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from evenhand.debias.texts.gender_words import LOWER_ONLY, SAM, TITLE, TITLES, WORDS
from evenhand.debias.texts.pronouns import PRONOUNS, contraction, neutral_pronoun

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HE_OR_SHE = re.compile(
    r"\b(?:(?P<sub>s/he|\(s\)he|he(?:/|\s+or\s+)she|she(?:/|\s+or\s+)he)|(?P<obj>him(?:/|\s+or\s+)her)"
    r"|(?P<own>his(?:/|\s+or\s+)her|her(?:/|\s+or\s+)his)|(?P<self>(?:him|her)self(?:/|\s+or\s+)(?:him|her)self))\b"
    r"|(?<!\w)(?P<bracket>\(s\)he)\b",
    re.IGNORECASE,
)
_ONE_FOR_BOTH = {"sub": "they", "obj": "them", "own": "their", "self": "themselves", "bracket": "they"}
_IS = re.compile(r"(['’])s\b", re.IGNORECASE)
_NAME_AFTER = re.compile(r"\.?\s{1,2}[A-ZÀ-ÖØ-Þ]")
_NOT_A_TITLE_BEFORE = re.compile(r"\b(?:Notre|Our)\s\Z")
_STOP_BEFORE = re.compile(r"(?:\A|[.!?:;\n•\"“(])\s*\Z")
_CAPITAL_AFTER = re.compile(r"\s[A-Z]")
_CAPITAL_BEFORE = re.compile(r"(?:[A-Z][^\W\d_]+|[A-Z]\.|\b(?:Dr|Prof|Mr|Mrs|Ms)\.?)\s\Z")
_SURNAME_AFTER = re.compile(r"\s*(?:[,.;)]|\Z|et al)")
_FIRM_BEFORE = re.compile(r"(?:&|\band)\s\Z", re.IGNORECASE)
_PLACE_BEFORE = re.compile(r"\b(?:in|at|from|near|since|until|the)\s\Z", re.IGNORECASE)
_DATE_AFTER = re.compile(r"\s(?:\d|of\s\d)")


@dataclass(frozen=True, slots=True)
class Change:
    """Half-open code point offsets into the original text."""

    start: int
    end: int
    neutral: str


@dataclass(frozen=True)
class Neutraliser:
    """`names` are first names; of these, `doubtful` are common words too and count only where a name must stand."""

    names: frozenset[str] = frozenset()
    doubtful: frozenset[str] = frozenset()

    @staticmethod
    def of(names: Iterable[str], *, doubtful: Iterable[str] = ()) -> Neutraliser:
        """In any case, compound names part by part."""
        return Neutraliser(_folded(names), _folded(doubtful))

    @cached_property
    def _known(self) -> frozenset[str]:
        """All that may be replaced; most words are none of them."""
        return PRONOUNS | TITLES | self.names | WORDS.keys() | LOWER_ONLY.keys()

    def __call__(self, text: str) -> str:
        """Calling it again on what it gives changes nothing."""
        parts: list[str] = []
        at = 0
        for change in self.changes(text):
            parts += [text[at : change.start], change.neutral]
            at = change.end
        return "".join([*parts, text[at:]])

    def changes(self, text: str) -> list[Change]:
        """What is replaced, in order and without overlaps; for who shows both texts side by side."""
        both = [
            Change(
                found.start(),
                found.end(),
                _cased(_ONE_FOR_BOTH[found.lastgroup or "sub"], _letters(found[0])),
            )
            for found in _HE_OR_SHE.finditer(text)
        ]
        taken = [(change.start, change.end) for change in both]
        single = (
            change
            for word in _words_of(text)
            if text[slice(*word)].lower() in self._known
            and not any(start <= word[0] < end for start, end in taken)
            and (change := self._change(text, *word)) is not None
        )
        return sorted([*both, *single], key=lambda change: change.start)

    def _change(self, text: str, start: int, end: int) -> Change | None:
        word = text[start:end]
        if word.isupper() and len(word) > 1 and not _is_shouted(text, start, end):
            return None  # HIS is a hospital's system, HE higher education, MOM the minutes of a meeting
        lower = word.lower()
        if lower in PRONOUNS:
            return _pronoun_change(text, start, end)
        if lower in TITLES and _is_title(text, start, end):
            return Change(start, end, _cased(TITLE, word))
        if self._is_name(text, start, end):
            return Change(start, end, _cased(SAM, word)) if lower != SAM else None
        return _word_change(text, start, end)

    def _is_name(self, text: str, start: int, end: int) -> bool:
        word = text[start:end]
        if not word[0].isupper() or word.lower() not in self.names:
            return False
        if word.lower() not in self.doubtful:
            return True
        if _DATE_AFTER.match(text, end) or _PLACE_BEFORE.search(text, max(0, start - 8), start):
            return False  # May 2019, in Charlotte
        return _CAPITAL_AFTER.match(text, end) is not None or not _STOP_BEFORE.search(
            text, max(0, start - 4), start
        )


def neutralise(text: str, names: Collection[str] = (), *, doubtful: Collection[str] = ()) -> str:
    """One text; for many, make a Neutraliser once."""
    return Neutraliser.of(names, doubtful=doubtful)(text)


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(part.lower() for name in names for part in _WORD.findall(name) if len(part) > 1)


def _words_of(text: str) -> Iterator[tuple[int, int]]:
    """Whole where the dictionary knows the compound, else its parts: half-sister, and Anne-Marie."""
    for found in _WORD.finditer(text):
        if "-" not in found[0] or found[0].lower() in WORDS:
            yield found.start(), found.end()
            continue
        at = found.start()
        for part in found[0].split("-"):
            yield at, at + len(part)
            at += len(part) + 1


def _pronoun_change(text: str, start: int, end: int) -> Change | None:
    word = text[start:end]
    if word == "He" and _is_surname(text, start, end):
        return None
    neutral = _cased(neutral_pronoun(text, start, end), word)
    short = _IS.match(text, end) if word.lower() in ("he", "she") else None
    if short is None:
        return Change(start, end, neutral)
    tail = contraction(text, short.end())
    return Change(start, short.end(), neutral + short[1] + (tail.upper() if short[0].isupper() else tail))


def _is_surname(text: str, start: int, end: int) -> bool:
    """Dr. Lan He, and not a sentence that follows one without a stop."""
    return (
        _CAPITAL_BEFORE.search(text, max(0, start - 24), start) is not None
        and _SURNAME_AFTER.match(text, end) is not None
    )


def _is_title(text: str, start: int, end: int) -> bool:
    """Before a name: not to miss something, an MS in Physics, Notre Dame, nor Our Lady of Lourdes."""
    word = text[start:end]
    if word.lower() in ("mr", "mrs") and not word.isupper():
        return True
    if not word[0].isupper() or _NOT_A_TITLE_BEFORE.search(text, max(0, start - 6), start):
        return False
    is_degree = word.isupper() and text[end : end + 1] != "."
    return not is_degree and _NAME_AFTER.match(text, end) is not None


def _word_change(text: str, start: int, end: int) -> Change | None:
    word = text[start:end]
    lower = word.lower()
    if lower in LOWER_ONLY:
        return Change(start, end, LOWER_ONLY[lower]) if word.islower() else None
    if lower not in WORDS:
        return None
    if word == "Lady" and _NOT_A_TITLE_BEFORE.search(text, max(0, start - 6), start):
        return None
    if word in ("Sons", "Brothers", "Sisters") and _FIRM_BEFORE.search(text, max(0, start - 5), start):
        return None  # Smith & Sons
    return Change(start, end, _cased(WORDS[lower], word))


def _is_shouted(text: str, start: int, end: int) -> bool:
    """Whether the words around it, in its sentence, are in capitals too."""
    before = re.split(r"[.!?\n]\s", text[max(0, start - 30) : start])[-1]
    after = re.split(r"(?<!\bMR)(?<!\bMS)(?<!MRS)[.!?\n](?:\s|\Z)", text[start : end + 30])[0][end - start :]
    near = [*re.findall(r"[^\W\d_]{3,}", before)[-2:], *re.findall(r"[^\W\d_]{3,}", after)[:2]]
    return len(near) > 1 and all(each.isupper() for each in near)


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalpha())


def _cased(neutral: str, word: str) -> str:
    if len(word) > 1 and word.isupper():
        return neutral.upper()
    return neutral[0].upper() + neutral[1:] if word[0].isupper() else neutral
