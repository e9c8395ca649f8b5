"""Letters of other scripts that pass for Latin ones, and when a word is built of them to deceive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache


def _pairs(text: str) -> dict[str, str]:
    """'аa еe' to {'а': 'a', 'е': 'e'}: the foreign letter, then the Latin one it passes for."""
    return {pair[0]: pair[1:] for pair in text.split()}


_CYRILLIC = _pairs(
    "аa еe оo рp сc уy хx іi јj ѕs ԁd һh ԛq ԝw ѵv ӏl ԍG ԚQ ԜW ѴV "
    "АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ԌG ҮY үy ӀI ԀD кk"
)
_GREEK = _pairs("οo ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX νv ιi κk ϲc ϳj ϹC")
# Also signs of science, which end or begin a word ("TNFα"): only between Latin letters are they a disguise.
_GREEK_SIGNS = _pairs("αa ρp υu γy σo τt χx ωw ηn")
_OTHER = _pairs(
    "օo ս\u0075 հh ոn ցg զq ՕO ՍU ԼL ՏS "  # Armenian
    "ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᎥI ᎫJ ᏦK ᏞL ᎷM ᏢP ᎡR ᏚS ᎢT ᏙV ᎳW ᎩY ᏃZ "  # Cherokee
    "ꓐB ꓑP ꓓD ꓔT ꓖG ꓗK ꓙJ ꓚC ꓜZ ꓝF ꓟM ꓠN ꓡL ꓢS ꓣR ꓦV ꓧH ꓪW ꓫX ꓬY ꓮA ꓰE ꓲI ꓳO ꓴU "  # Lisu
    "ⲟo ⲞO ⲣp ⲢP ⲥc ⲤC ⲧT ⲎH ⲔK ⲘM ⲚN ⲬX ⲀA ⲂB ⲈE ⲒI "  # Coptic
    "ɑa ɡg ᴏo"
)
# A Russian text typed in a hurry holds Latin letters in Russian words: those are read as Russian.
_RUSSIAN = {latin: russian for russian, latin in _CYRILLIC.items() if russian in "аеорсухкАВЕКМНОРСТУХ"}
TWINS = {**_CYRILLIC, **_GREEK, **_GREEK_SIGNS, **_OTHER}

_SCRIPTS = (
    ("cyrillic", 0x0400, 0x052F),
    ("greek", 0x0370, 0x03FF),
    ("greek", 0x1F00, 0x1FFF),
    ("armenian", 0x0530, 0x058F),
    ("cherokee", 0x13A0, 0x13FF),
    ("lisu", 0xA4D0, 0xA4FF),
    ("coptic", 0x2C80, 0x2CFF),
)
_FOREIGN = re.compile("[\u0370-\u058f\u13a0-\u13ff\u1f00-\u1fff\u2c80-\u2cff\ua4d0-\ua4ff\u0251\u0261\u1d0f]")
_WORD = re.compile(r"[^\W\d_]+")
_C_LANGUAGE = re.compile(r"(?<!\w)С(?=\+\+|#)")  # "С++" and "С#" typed with the Russian key


def has_foreign(text: str) -> bool:
    """Whether any letter comes from a script that has twins of Latin letters."""
    return _FOREIGN.search(text) is not None


def genuine_scripts(lines: Iterable[str]) -> frozenset[str]:
    """Scripts the document really writes in: whole words of them that no Latin letters could imitate."""
    return frozenset(script for line in lines for script in _genuine(line))


def _genuine(line: str) -> Iterator[str]:
    for word in _WORD.findall(line):
        scripts = set(map(script_of, word))
        if len(scripts) == 1 and len(word) > 2 and not all(c in TWINS for c in word):
            yield scripts.pop()


def script_of(letter: str) -> str:
    code = ord(letter)
    for name, first, last in _SCRIPTS:
        if first <= code <= last:
            return name
    return "latin" if code < 0x250 or 0x1E00 <= code < 0x1F00 else "other"


def fold(text: str, genuine: frozenset[str]) -> tuple[str, list[str]]:
    """The text with disguised words in Latin letters, and those words as they were written."""
    disguised: list[str] = []

    def undisguise(match: re.Match[str]) -> str:
        word, is_disguise = _fold_word(match[0], genuine)
        if is_disguise:
            disguised.append(match[0])
        return word

    folded = _WORD.sub(undisguise, text)
    return _C_LANGUAGE.sub("C", folded), disguised


@lru_cache(maxsize=10_000)
def _fold_word(word: str, genuine: frozenset[str]) -> tuple[str, bool]:
    if word.isascii():
        return word, False
    if "cyrillic" in genuine and _is_slip(word):
        return "".join(_RUSSIAN.get(c, c) for c in word), False
    if _is_disguised(word, genuine):
        return "".join(TWINS.get(c, c) for c in word), True
    return word, False


def _is_slip(word: str) -> bool:
    """A Russian word in which some letters were typed with the Latin keys."""
    cyrillic = sum(script_of(c) == "cyrillic" for c in word)
    return 0 < cyrillic < len(word) and all(c in _RUSSIAN or script_of(c) == "cyrillic" for c in word)


def _is_disguised(word: str, genuine: frozenset[str]) -> bool:
    foreign = [c for c in word if _FOREIGN.match(c)]
    if len(word) < 2 or not foreign or not all(c in TWINS for c in foreign):
        return False
    if any(c in _GREEK_SIGNS for c in foreign) and not _sign_inside(word):
        return False
    if len(foreign) < len(word):
        return all(c in TWINS or script_of(c) == "latin" for c in word)
    # Wholly of twins: a word of the language if the document is written in it.
    return len(word) > 1 and not (genuine & set(map(script_of, word)))


def _sign_inside(word: str) -> bool:
    return any(
        c in _GREEK_SIGNS and word[i - 1].isascii() and word[i + 1].isascii()
        for i, c in enumerate(word[1:-1], start=1)
    )
