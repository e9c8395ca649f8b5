"""Which of their forms a pronoun takes: her book is their book, and who saw her saw them.

The word's part of speech is decided by what stands around it, with a few rules instead of a tagger: after a
determiner's place comes a noun phrase, and after an object almost anything else.
"""

from __future__ import annotations

import re


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


ALWAYS = {
    "he": "they",
    "she": "they",
    "him": "them",
    "hers": "theirs",
    "himself": "themselves",
    "herself": "themselves",
}
PRONOUNS = frozenset(ALWAYS) | {"her", "his"}

# After one of these forms no noun phrase begins, so that what stands before it was an object, or stood alone.
_NO_NOUN_AFTER = _words(
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
_PHRASE_OPENERS = _words("now then once over never always often also past outside inside further every")
_DEGREES = _words(
    "more most very less least much all quite rather too so well ever even only just still almost every"
)
_MOVING = re.compile(
    r"(?:t[oa]k|took|br[io]ng|brought|dr[io]v|drov|sen[dt]|call|walk|fl[ey]w?|led|lead|welcom)(?:e|es|s|ed|ing)?"
)
_GIVING = re.compile(
    r"(?:earn|win|won|garner|gain|bring|brought|giv|gave|afford|award|grant|offer|land|allow|teach|taught|cost|lent"
    r"|buy|bought|sen[dt]|paid|pay|made|mak|call|nam|consider|deem|render|found)(?:e|es|s|ed|en|ing)?"
)
_GIVEN = _words(
    "several many numerous some few two three four five six seven ten one multiple various countless recognition"
    " fame praise acclaim accolades notoriety widespread worldwide international national nationwide global critical"
    " insight access plenty enough opportunities nominations respect"
)
_LETTING = re.compile(r"(?:help|let|mak|made|see|saw|watch|hear|heard|ha[dsv])(?:e|es|s|ed|t|d|ing)?")
_DOING = _words(
    "become be get grow develop build find understand see achieve reach gain make win take keep overcome realize"
    " realise learn create hone move stay transition connect communicate feel stand succeed excel do go come perform"
    " recover heal play write sing secure earn discover navigate bring give explore maintain manage obtain"
)
_NUMBERS = _words("two three four five ten twelve fifteen twenty thirty forty")
_NO_ADVERBS = _words("family early daily weekly monthly only lovely friendly scholarly assembly reply ally")
_NAMED_NEXT = re.compile(r"\s+(?:[\"“‘]\w|[A-Z]{2})")  # her "why", her DO degree
_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_AND_PRONOUN = re.compile(r"(?:\s*/\s*|\s+(?:or|and)\s+)(?:his|her|hers|their)\b", re.IGNORECASE)
_PARTICIPLE = re.compile(
    r"(?:been|got|had|become|written|won|made|done|taken|given|held|led|\w+ed)\b", re.IGNORECASE
)
_GAP = re.compile(r"\s*[\"“‘'(]?")
_LAST_WORD = re.compile(r"([^\W_][\w'’-]*)\s+\Z")


def neutral_pronoun(text: str, start: int, end: int) -> str:
    """For the pronoun at text[start:end], in lower case."""
    word = text[start:end].lower()
    if word in ALWAYS:
        return ALWAYS[word]
    owns = is_determiner(text, start, end)
    if word == "her":
        return "their" if owns else "them"
    return "their" if owns else "theirs"


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
    word = _WORD.match(text, at)
    if word is None or (gap is not None and gap[0].strip() == "("):
        return None, at
    return word[0].lower(), word.end()


def contraction(text: str, end: int) -> str:
    """What 's becomes behind they: he's written is they've written, and he's a nurse they're a nurse."""
    return "ve" if _PARTICIPLE.match(text[end:].lstrip()) else "re"
