"""Numbers as list markers show them: 1, a, IV, 1st."""

from __future__ import annotations

ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
LARGEST_ROMAN = 3999
LARGEST_LETTERS = 780  # thirty times the alphabet, as far as Word goes


def roman(number: int) -> str:
    if not 0 < number <= LARGEST_ROMAN:
        return str(number)
    text = ""
    for value, letters in ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def letters(number: int) -> str:
    """a to z, then aa, bb to zz: the way word processors go on."""
    if not 0 < number <= LARGEST_LETTERS:
        return str(number)
    times, position = divmod(number - 1, 26)
    return chr(ord("a") + position) * (times + 1)


def ordinal(number: int) -> str:
    teens = 10 <= number % 100 <= 20
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def circled(number: int) -> str:
    return chr(0x2460 + number - 1) if 1 <= number <= 20 else str(number)
