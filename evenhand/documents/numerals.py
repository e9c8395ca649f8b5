"""Numbers as list markers spell them."""

from __future__ import annotations

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
