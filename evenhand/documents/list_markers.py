"""List markers that were typed as characters at the beginning of a line."""

from __future__ import annotations

import re

_SIGNS = "-*+•●◦○▪▫■□◆◇❖❑❒➢➤➔►▶▸✓✔☑∙·‣⁃–—⬥⬧⧫\uf0b7\uf0a7\uf0d8\uf0fc\uf076"
# "o" is the bullet of typewriter lists only before a capital; "A." is more often an initial than a marker.
_MARKER = re.compile(rf"([{re.escape(_SIGNS)}](?=\s)|•|\d{{1,2}}[.)](?=\s)|[a-zA-Z]\)(?=\s)|o(?=\s+[A-Z]))\s*(?=\S)")


def typed_marker(text: str) -> str | None:
    """The bullet or number a line begins with; None when it begins with a word."""
    marker = _MARKER.match(text)
    return marker[1] if marker else None


# Numbers as list markers spell them.

_ROMAN = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L")),
    *((40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)


def roman(number: int) -> str:
    """4 is IV; beyond what the Romans wrote, plain digits."""
    if not 0 < number < 4000:
        return str(number)
    spelled = ""
    for value, sign in _ROMAN:
        spelled += sign * (number // value)
        number %= value
    return spelled


def letters(number: int) -> str:
    """1 is a, 26 is z, 27 is aa, as HTML counts."""
    if number <= 0:
        return str(number)
    spelled = ""
    while number:
        number, rest = divmod(number - 1, 26)
        spelled = chr(ord("a") + rest) + spelled
    return spelled


MAX_LETTERS = 780  # thirty times the alphabet, as far as Word goes


def office_letters(number: int) -> str:
    """a to z, then aa, bb to zz: the way word processors go on."""
    if not 0 < number <= MAX_LETTERS:
        return str(number)
    times, position = divmod(number - 1, 26)
    return chr(ord("a") + position) * (times + 1)
