"""A text without gender words: pronouns, titles, kinship and jobs by a dictionary, first names by Sam.

Only such words change, one by one and with their case; verbs stay as they are ("They is a nurse"), because the text
is for a model that must not learn a gender from it, and any other change would be one more difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from evenhand.text.folding import word_set
from evenhand.text.gender_words import LOWER_ONLY, NEUTRAL_PRONOUNS, PRONOUNS, SAM, TITLE, TITLES, WORDS

# Which of their forms a pronoun takes: her book is their book, and who saw her saw them.
#
# The word's part of speech is decided by what stands around it, with a few rules instead of a tagger: after a
# determiner's place comes a noun phrase, and after an object almost anything else.


# After one of these forms no noun phrase begins, so that what stands before it was an object, or stood alone.
_NO_NOUN_AFTER = word_set(
    "a an the this these those my your his her hers its our their theirs he she it they we you i him them me us"
    " and or but nor yet so if because although though while when where whereas until unless than as that which who"
    " whom whose what how why whether to of in on at by for from with without into onto upon about across after"
    " against along among around before behind below beneath beside besides between beyond despite down during"
    " except inside near off out outside over past since through throughout toward towards under up via within"
    " is are was were be been being am has have had having do does did will would shall should can could may might"
    " must not never always often again too also alone away back here there today tomorrow yesterday tonight"
    " now then soon later once instead together apart anyway everywhere abroad further forward directly"
    " each both either neither another any something anything everything nothing someone"
)
# ... unless these follow: her now famous book, her over 20 years, her then husband.
_PHRASE_OPENERS = word_set("now then once over never always often also past outside inside further every")
_DEGREES = word_set(
    "more most very less least much all quite rather too so well ever even only just still almost every"
)
_MOVING = re.compile(
    r"(?:t[oa]k|took|br[io]ng|brought|dr[io]v|drov|sen[dt]|call|walk|fl[ey]w?|led|lead|welcom)(?:e|es|s|ed|ing)?"
)
_GIVING = re.compile(
    r"(?:earn|win|won|garner|gain|bring|brought|giv|gave|afford|award|grant|offer|land|allow|teach|taught|cost|lent"
    r"|buy|bought|sen[dt]|paid|pay|made|mak|call|nam|consider|deem|render|found)(?:e|es|s|ed|en|ing)?"
)
_GIVEN = word_set(
    "several many numerous some few two three four five six seven ten one multiple various countless recognition"
    " fame praise acclaim accolades notoriety widespread worldwide international national nationwide global critical"
    " insight access plenty enough opportunities nominations respect"
)
_LETTING = re.compile(r"(?:help|let|mak|made|see|saw|watch|hear|heard|ha[dsv])(?:e|es|s|ed|t|d|ing)?")
_DOING = word_set(
    "become be get grow develop build find understand see achieve reach gain make win take keep overcome realize"
    " realise learn create hone move stay transition connect communicate feel stand succeed excel do go come perform"
    " recover heal play write sing secure earn discover navigate bring give explore maintain manage obtain"
)
_NUMBERS = word_set("two three four five ten twelve fifteen twenty thirty forty")
_NO_ADVERBS = word_set("family early daily weekly monthly only lovely friendly scholarly assembly reply ally")
_NAMED_NEXT = re.compile(r"\s+(?:[\"“‘]\w|[A-Z]{2})")  # her "why", her DO degree
_PRONOUNS_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_AND_PRONOUN = re.compile(r"(?:\s*/\s*|\s+(?:or|and)\s+)(?:his|her|hers|their)\b", re.IGNORECASE)
_PARTICIPLE = re.compile(r"(?:been|got|had|become|written|won|made|done|taken|given|held|led|\w+ed)\b", re.IGNORECASE)
_GAP = re.compile(r"\s*[\"“‘'(]?")
_LAST_WORD = re.compile(r"([^\W_][\w'’-]{0,60})\s++\Z")


def is_determiner(text: str, start: int, end: int) -> bool:
    """Whether a noun phrase that belongs to the pronoun begins behind it."""
    if pair := _AND_PRONOUN.match(text, end):  # his or her work
        return is_determiner(text, start, pair.end())
    first, after_first = _next_word(text, end)
    if first is None:
        return False
    if first == "own" or (_NAMED_NEXT.match(text, end) and not text[start:end].isupper()):
        return True
    second, _ = _next_word(text, after_first)
    before = _LAST_WORD.search(text, max(0, start - 40), start)
    if before and _takes_object(before[1].lower(), first, second):
        return False
    if first in _DEGREES:
        return second is not None and second not in _NO_NOUN_AFTER - {"than"}
    if first in _NO_NOUN_AFTER:
        return first in _PHRASE_OPENERS and _continues_phrase(first, second)
    if first.endswith("ly") and first not in _NO_ADVERBS:
        return second is not None and second not in _NO_NOUN_AFTER
    return True


def _takes_object(verb: str, first: str, second: str | None) -> bool:
    """Earned her several awards, helped her become: the pronoun is whom, not whose."""
    if _GIVING.fullmatch(verb) and first in _GIVEN:
        return first != "one" or second == "of"
    if first == "home":
        return _MOVING.fullmatch(verb) is not None
    return _LETTING.fullmatch(verb) is not None and first in _DOING


def _continues_phrase(first: str, second: str | None) -> bool:
    """Her over 20 years, her now famous book; not: saw her in 2019, asked her now whether."""
    if second is None or second in _NO_NOUN_AFTER:
        return False
    if first == "over":
        return second[0].isdigit() or second in _NUMBERS
    return not second[0].isdigit()


def _next_word(text: str, place: int) -> tuple[str | None, int]:
    """The next word in lower case, unless a stop comes before it; a quotation mark is none."""
    gap = _GAP.match(text, place)
    at = gap.end() if gap else place
    word = _PRONOUNS_WORD.match(text, at)
    if word is None or (gap is not None and gap[0].strip() == "("):
        return None, at
    return word[0].lower(), word.end()


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
_STOP_BEFORE = re.compile(r"(?:(?:\A|[.!?:;•\"“(])\s*+|\n[^\S\n]*+)\Z")
_CAPITAL_AFTER = re.compile(r"\s[A-Z]")
_CAPITAL_BEFORE = re.compile(r"(?:[A-Z][^\W\d_]{1,60}|[A-Z]\.|\b(?:Dr|Prof|Mr|Mrs|Ms|Mx)\.?)\s\Z")
_SURNAME_AFTER = re.compile(r"\s*(?:[,.;)]|\Z|et al)")
_FIRM_BEFORE = re.compile(r"(?:&|\band)\s\Z", re.IGNORECASE)
_PLACE_BEFORE = re.compile(r"\b(?:in|at|from|near|since|until|the)\s\Z", re.IGNORECASE)
_DATE_AFTER = re.compile(r"\s(?:\d|of\s\d)")


@dataclass(frozen=True, slots=True)
class NeutralEdit:
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

    def changes(self, text: str) -> list[NeutralEdit]:
        """What is replaced, in order and without overlaps; for who shows both texts side by side."""
        both = []
        for match in _HE_OR_SHE.finditer(text):
            letters = "".join(filter(str.isalpha, match[0]))
            neutral = _cased(_ONE_FOR_BOTH[match.lastgroup or "sub"], letters)
            both.append(NeutralEdit(match.start(), match.end(), neutral))
        taken = [(change.start, change.end) for change in both]
        single = (
            change
            for word in _words_of(text)
            if text[slice(*word)].lower() in self._known
            and not any(start <= word[0] < end for start, end in taken)
            and (change := self._change(text, *word)) is not None
        )
        return sorted([*both, *single], key=lambda change: change.start)

    def _change(self, text: str, start: int, end: int) -> NeutralEdit | None:
        word = text[start:end]
        if word.isupper() and len(word) > 1 and not _is_shouted(text, start, end):
            return None  # HIS is a hospital's system, HE higher education, MOM the minutes of a meeting
        lower = word.lower()
        if lower in PRONOUNS:
            return _pronoun_change(text, start, end)
        if lower in TITLES and _is_title(text, start, end):
            return NeutralEdit(start, end, _cased(TITLE, word))
        if self._is_name(text, start, end):
            return NeutralEdit(start, end, _cased(SAM, word)) if lower != SAM else None
        return _word_change(text, start, end)

    def _is_name(self, text: str, start: int, end: int) -> bool:
        word = text[start:end]
        if not word[0].isupper() or word.lower() not in self.names:
            return False
        if word.lower() not in self.doubtful:
            return True
        if _DATE_AFTER.match(text, end) or _PLACE_BEFORE.search(text, max(0, start - 8), start):
            return False  # May 2019, in Charlotte
        return _CAPITAL_AFTER.match(text, end) is not None or not _STOP_BEFORE.search(text, max(0, start - 4), start)


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(part.lower() for name in names for part in _WORD.findall(name) if len(part) > 1)


def _words_of(text: str) -> Iterator[tuple[int, int]]:
    """Whole where the dictionary knows the compound, else its parts: half-sister, and Anne-Marie."""
    for match in _WORD.finditer(text):
        if "-" not in match[0] or match[0].lower() in WORDS:
            yield match.span()
            continue
        at = match.start()
        for part in match[0].split("-"):
            yield at, at + len(part)
            at += len(part) + 1


def _pronoun_change(text: str, start: int, end: int) -> NeutralEdit | None:
    word = text[start:end]
    if word == "He" and _CAPITAL_BEFORE.search(text, max(0, start - 24), start) and _SURNAME_AFTER.match(text, end):
        return None  # Dr. Lan He, and not a sentence that follows one without a stop
    neutral = NEUTRAL_PRONOUNS.get(word.lower())
    if neutral is None:
        otherwise = "them" if word.lower() == "her" else "theirs"
        neutral = "their" if is_determiner(text, start, end) else otherwise
    neutral = _cased(neutral, word)
    short = _IS.match(text, end) if word.lower() in ("he", "she") else None
    if short is None:
        return NeutralEdit(start, end, neutral)
    # He's written is they've written, and he's a nurse they're a nurse.
    tail = "ve" if _PARTICIPLE.match(text[short.end() :].lstrip()) else "re"
    return NeutralEdit(start, short.end(), neutral + short[1] + (tail.upper() if short[0].isupper() else tail))


def _is_title(text: str, start: int, end: int) -> bool:
    """Before a name: not to miss something, an MS in Physics, Notre Dame, nor Our Lady of Lourdes."""
    word = text[start:end]
    if word.lower() in ("mr", "mrs") and not word.isupper():
        return True
    if not word[0].isupper() or _NOT_A_TITLE_BEFORE.search(text, max(0, start - 6), start):
        return False
    is_degree = word.isupper() and text[end : end + 1] != "."
    return not is_degree and _NAME_AFTER.match(text, end) is not None


def _word_change(text: str, start: int, end: int) -> NeutralEdit | None:
    word = text[start:end]
    lower = word.lower()
    if lower in LOWER_ONLY:
        return NeutralEdit(start, end, LOWER_ONLY[lower]) if word.islower() else None
    if lower not in WORDS:
        return None
    if word == "Lady" and _NOT_A_TITLE_BEFORE.search(text, max(0, start - 6), start):
        return None
    if word in ("Sons", "Brothers", "Sisters") and _FIRM_BEFORE.search(text, max(0, start - 5), start):
        return None  # Smith & Sons
    return NeutralEdit(start, end, _cased(WORDS[lower], word))


def _is_shouted(text: str, start: int, end: int) -> bool:
    """Whether the words around it, in its sentence, are in capitals too."""
    before = re.split(r"[.!?\n]\s", text[max(0, start - 30) : start])[-1]
    after = re.split(r"(?<!\bMR)(?<!\bMS)(?<!MRS)[.!?\n](?:\s|\Z)", text[start : end + 30])[0][end - start :]
    near = [*re.findall(r"[^\W\d_]{3,}", before)[-2:], *re.findall(r"[^\W\d_]{3,}", after)[:2]]
    return len(near) > 1 and all(neighbour.isupper() for neighbour in near)


def _cased(neutral: str, word: str) -> str:
    if len(word) > 1 and word.isupper():
        return neutral.upper()
    return neutral[0].upper() + neutral[1:] if word[0].isupper() else neutral
