"""Bytes to characters when nobody says which charset, and the charsets that RTF, DOC and HTML name."""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

# utf-32 first: its little-endian mark begins with that of utf-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES = 65_536
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_LETTERS = re.compile(rb"[A-Za-z]")

# One language at a time: a wrong charset turns Czech into a mixture of Danish and Italian letters.
_LANGUAGES = (
    "éèàêçâîôûùëïœ",
    "äöüßé",
    "áéíóúñü¿¡",
    "ãõçáéíóúâêôà",
    "àèéìòù",
    "åäöæøé",
    "ąćęłńóśźż",
    "áčďéěíňóřšťúůýžäľĺŕô",
    "áéíóöőúüű",
    "ăâîșțşţ",
    "čćđšž",
    "çğıöşüİâ",
)
_LANGUAGE_LETTERS = tuple(frozenset(letters + letters.upper()) for letters in _LANGUAGES)
_TYPED_SIGNS = frozenset("“”„‘’‚–—•…·«»€£©®™°§²³½¼\u00a0\u00ad›‹×▪●✓")
_WESTERN = ("cp1252", "cp1250", "cp1254", "mac_roman", "cp850")

# Windows charset numbers as in \fcharset and in Word's font table.
_FONT_CHARSETS = """
    0 cp1252, 77 mac_roman, 78 shift_jis, 79 euc_kr, 80 gb18030, 81 big5, 83 mac_latin2, 84 mac_cyrillic,
    85 mac_greek, 86 mac_turkish, 128 cp932, 129 cp949, 130 johab, 134 gb18030, 136 big5, 161 cp1253, 162 cp1254,
    163 cp1258, 177 cp1255, 178 cp1256, 186 cp1257, 204 cp1251, 222 cp874, 238 cp1250, 255 cp437
"""
FONT_CHARSETS = {int(number): codec for number, codec in (row.split() for row in _FONT_CHARSETS.split(","))}
SYMBOL_CHARSET = 2

_CODE_PAGES = {0: "cp1252", 936: "gb18030", 950: "big5hkscs", 10000: "mac_roman", 65001: "utf-8"}
_HTML_CODECS = {
    "cp1252": "iso-8859-1 latin1 latin-1 us-ascii ascii",
    "gb18030": "gb2312 gbk",
    "cp932": "shift_jis shift-jis x-sjis",
    "cp949": "ks_c_5601-1987 euc-kr",
    "cp1254": "iso-8859-9",
    "cp874": "tis-620",
    "mac_roman": "macintosh",
    "mac_cyrillic": "x-mac-cyrillic",
    "utf-8": "utf-16 utf-16le utf-16be utf-32",  # cannot be true where a meta tag can be read as ASCII
}
_HTML_NAMES = {name: codec for codec, names in _HTML_CODECS.items() for name in names.split()}


def code_page(number: int) -> str:
    """The codec of a Windows or Macintosh code page; cp1252 when there is none."""
    return known_codec(_CODE_PAGES.get(number, f"cp{number}")) or "cp1252"


def known_codec(name: str) -> str | None:
    """The codec a web page means by this name; None for what is no text codec."""
    wanted = _HTML_NAMES.get(name.strip().lower(), name.strip().lower())
    try:
        "a".encode(wanted)  # rejects codecs that are not from text to bytes, such as rot13
        return codecs.lookup(wanted).name
    except (LookupError, ValueError, TypeError, AttributeError):
        return None


def decode(data: bytes, declared: str | None = None) -> str:
    """All characters of `data`: byte order mark, UTF-8, the declared charset, then a guess."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace")
    if b"\0" in data[:_SAMPLE_BYTES]:
        wide = _wide_codec(data)
        if wide:
            return data.decode(wide, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # One broken byte in a long UTF-8 text is damage, not another charset.
        text = data[:_SAMPLE_BYTES].decode("utf-8", "replace")
        broken = text.count("\ufffd")
        multibyte = sum(1 for c in text if c > "\x7f") - broken
        if multibyte > 4 * broken or (error.start >= _SAMPLE_BYTES and not broken):
            return data.decode("utf-8", "replace")
    if declared and declared != "utf-8":
        return data.decode(declared, "replace")
    return data.decode(guess(data), "replace")


def guess(data: bytes) -> str:
    """The likeliest charset of text that is not UTF-8."""
    sample = data[:_SAMPLE_BYTES].replace(b"\0", b"")
    high = _HIGH_RUN.findall(sample)
    count = sum(map(len, high))
    in_words = sum(len(run) for run in high if len(run) > 2)
    if not count or (count < 0.3 * len(_LETTERS.findall(sample)) and in_words <= 0.3 * count):
        return _western(sample)
    best = from_bytes(sample).best()
    if best is None:
        return _western(sample)
    if best.encoding not in ("iso8859_7", "cp1253"):
        return best.encoding
    # The two Greek charsets differ in capital alpha with accent and in quotes alone.
    is_windows = any(0x80 <= byte < 0xA0 for byte in sample) or b"\xa2" in sample or b"\xb6" not in sample
    return "cp1253" if is_windows else "iso8859_7"


def _wide_codec(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark; the right byte order is the one with spaces and digits in it."""
    sample = data[:4096]
    best, best_score = None, 0.2
    for codec, width in (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2)):
        try:
            text = sample[: len(sample) // width * width].decode(codec, "strict")
        except UnicodeDecodeError:
            continue
        if not text or any(ord(c) < 32 and c not in "\t\n\r\f\v" for c in text):
            continue
        score = sum(c.isspace() or c.isdigit() or (c.isalpha() and ord(c) < 0x700) for c in text) / len(text)
        score += 0.3 * ("\n" in text or " " in text)
        if score > best_score:
            best, best_score = codec, score
    return best


def _western(sample: bytes) -> str:
    """The first of the western charsets that fits best."""
    return max(_WESTERN, key=lambda codec: _fit(sample, codec))


def _fit(sample: bytes, codec: str) -> float:
    """How much the characters above ASCII look like one European language, its quotes and its bullets."""
    text = sample.decode(codec, "replace")
    high = [(i, c) for i, c in enumerate(text) if c > "\x7f"]
    letters = [c for _, c in high if c.isalpha()]
    covered = max(sum(c in language for c in letters) for language in _LANGUAGE_LETTERS)
    signs = sum(c in _TYPED_SIGNS for _, c in high)
    odd = sum(c == "\ufffd" or c < "\xa0" for _, c in high)
    shouting = sum(i > 0 and c.isupper() and text[i - 1].islower() for i, c in high)
    return covered + signs - odd - 2.0 * shouting
