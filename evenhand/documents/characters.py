"""Characters as a reader would type them: ligatures, odd spaces, invisible marks, disguised letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from evenhand.documents.symbols import private_use_signs
from evenhand.records.document import Warning

# Letters of other scripts that pass for Latin ones, and when a word is built of them to deceive.


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
    if "cyrillic" in genuine:
        latin = [c for c in word if script_of(c) != "cyrillic"]
        if 0 < len(latin) < len(word) and all(c in _RUSSIAN for c in latin):  # typed with the Latin keys by a slip
            return "".join(_RUSSIAN.get(c, c) for c in word), False
    if _is_disguised(word, genuine):
        return "".join(TWINS.get(c, c) for c in word), True
    return word, False


def _is_disguised(word: str, genuine: frozenset[str]) -> bool:
    foreign = [c for c in word if _FOREIGN.match(c)]
    if len(word) < 2 or not foreign or not all(c in TWINS for c in foreign):
        return False
    signs = [i for i, c in enumerate(word) if c in _GREEK_SIGNS]
    inside = (word[i - 1].isascii() and word[i + 1].isascii() for i in signs if 0 < i < len(word) - 1)
    if signs and not any(inside):
        return False
    if len(foreign) < len(word):
        return all(c in TWINS or script_of(c) == "latin" for c in word)
    # Wholly of twins: a word of the language if the document is written in it.
    return len(word) > 1 and not (genuine & set(map(script_of, word)))


_SPACES = (0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
_LINE_CONTROLS = (0x0A, 0x0B, 0x0C, 0x0D, 0x85)
_INVISIBLE = (
    *(0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180E, 0x200B),
    *(0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164, 0xFEFF, 0xFFA0),
    *range(0xFFF9, 0xFFFE),
    *range(0xE0000, 0xE0080),
    *range(0xE0100, 0xE01F0),
)
_SMALL_CAPITALS = dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))
# Written for their letters, not for their shape: ligatures, mathematical, full-width, circled, Roman.
_FOLDED = (
    *range(0xFB00, 0xFB07),
    *range(0x1D400, 0x1D800),
    *range(0xFF10, 0xFF1A),
    *range(0xFF21, 0xFF3B),
    *range(0xFF41, 0xFF5B),
    *range(0x24B6, 0x24EA),
    *range(0x1F130, 0x1F14A),
    *range(0x2160, 0x2180),
)


_TABLE: dict[int, str | None] = {
    **{c: None for c in (*range(0x20), *range(0x7F, 0xA0)) if c != 0x09},
    **private_use_signs(),
    **dict.fromkeys((*_SPACES, *_LINE_CONTROLS), " "),
    **dict.fromkeys(_INVISIBLE),
    **{c: unicodedata.normalize("NFKC", chr(c)) for c in _FOLDED},
    **{ord(c): plain for c, plain in _SMALL_CAPITALS.items()},
    0x2010: "-",
    0x2011: "-",
}
_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_FAR_PRIVATE_USE = re.compile("[\U000f0000-\U0010ffff\ud800-\udfff]")
# Joiners shape Arabic, Syriac, Mongolian and Indic words, and join emoji; selectors choose emoji pictures.
_JOINED = "\u0600-\u08ff\u0900-\u0dff\u0e00-\u0eff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefe"
_EMOJI = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_STRAY_JOINER = re.compile(f"(?<![{_JOINED}{_EMOJI}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?!\\w|[{_JOINED}{_EMOJI}])")
_STRAY_SELECTOR = re.compile(f"(?<![{_EMOJI}#*0-9])[\ufe00-\ufe0f]")
_JOINERS = re.compile("[\u200c\u200d\ufe00-\ufe0f]")


def normalise(raw: str) -> str:
    """One line as a reader would type it; printable ASCII comes back as it is."""
    if raw.isascii():
        return raw if not _ASCII_CONTROL.search(raw) else raw.translate(_TABLE).strip()
    text = raw.translate(_TABLE)
    if text.isascii():
        return text.strip()
    if _JOINERS.search(text):
        text = _STRAY_SELECTOR.sub("", _STRAY_JOINER.sub("", text))
    text = _FAR_PRIVATE_USE.sub("", text)
    return unicodedata.normalize("NFC", text).strip()


_HIDING = "\u200b\u200c\u200d\u2060-\u2064\ufeff\u180e\u034f\u3164\ufe00-\ufe0f\u202a-\u202e\u2066-\u2069"
_LATIN = "A-Za-z\u00c0-\u024f"
_SPLIT_WORD = re.compile(f"(?<=[{_LATIN}])[{_HIDING}]+(?=[{_LATIN}])")
_OVERRIDE = re.compile("[\u202d\u202e]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_LETTER = re.compile(f"[{_LATIN}]")
_RIDDLED_WORD = re.compile(f"[{_LATIN}](?:[{_HIDING}]+[{_LATIN}]+){{2}}")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007f]+")
_SMUGGLED = re.compile("[\U000e0020-\U000e007e]{2}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4}")
_TAGS = 0xE0000
_TAGGED = re.compile("[\U000e0020-\U000e007e]{2,}")
_SUSPICIOUS = re.compile(f"[{_HIDING}\U000e0000-\U000e01ef]")
# A web editor leaves one zero-width space here and there; three inside words are no accident.
_ACCIDENTS = 2


def smuggled(raw: str) -> str:
    """What a line says in tag characters, an invisible copy of ASCII; flags of regions are spelled with them too."""
    if raw.isascii():
        return ""
    parts = _TAGGED.findall(_FLAG.sub("", raw))
    return " ".join("".join(chr(ord(letter) - _TAGS) for letter in part) for part in parts)


def find_invisible(raw: str) -> int:
    """How often invisible characters stand where they change what a search finds or a person reads."""
    if raw.isascii() or not _SUSPICIOUS.search(raw):
        return 0
    count = len(_SPLIT_WORD.findall(raw))
    if _OVERRIDE.search(raw) and _LETTER.search(raw) and not _RIGHT_TO_LEFT.search(raw):
        count += _ACCIDENTS + 1
    if _RIDDLED_WORD.search(raw) or _SMUGGLED.search(_FLAG.sub("", raw)):
        count += _ACCIDENTS + 1
    return count


class Cleaner:
    """Normalises the lines of one document; whether a word is disguised depends on the whole of it."""

    def __init__(self, lines: Iterable[str]) -> None:
        unusual = [line for line in lines if not line.isascii()]
        self._invisible = sum(map(find_invisible, unusual))
        self._clean = {line: normalise(line) for line in unusual}
        self._disguised: list[str] = []
        foreign = {raw: line for raw, line in self._clean.items() if _FOREIGN.search(line)}
        # Scripts the document really writes in: whole words of them that no Latin letters could imitate.
        words = (word for line in foreign.values() for word in _WORD.findall(line) if len(word) > 2)
        scripts = (set(map(script_of, word)) for word in words if not all(c in TWINS for c in word))
        self._genuine = frozenset(script for of_word in scripts if len(of_word) == 1 for script in of_word)
        for raw, line in foreign.items():
            self._clean[raw], disguised = fold(line, self._genuine)
            self._disguised.extend(disguised)

    def clean(self, raw: str) -> str:
        text = self._clean.get(raw)
        if text is None:
            text = normalise(raw)
            text = fold(text, self._genuine)[0] if _FOREIGN.search(text) else text
        return text

    def warnings(self) -> list[Warning]:
        warnings = []
        if self._invisible > _ACCIDENTS:
            warnings.append(Warning("invisible_characters", "Invisible characters inside words were removed."))
        # Whoever types two alphabets slips now and then: "Сisco" with a Russian С.
        if len(set(self._disguised)) > (_ACCIDENTS if self._genuine else 0):
            words = len(self._disguised)
            message = f"{words} words mix letters of look-alike alphabets; they were read as Latin."
            warnings.append(Warning("mixed_script", message))
        return warnings
