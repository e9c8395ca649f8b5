"""Colours of text and of what lies behind it: when a person can no longer tell them apart."""

from __future__ import annotations

RGB = tuple[int, int, int]

BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)
# White on #e8e8e8 is the last step a careful eye still finds on a screen.
_STEPS = 24


def too_close(text: RGB, background: RGB) -> bool:
    """Whether text of this colour disappears in the background."""
    return all(abs(a - b) <= _STEPS for a, b in zip(text, background, strict=True))


def to_hex(color: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)


def blend(over: RGB, under: RGB, alpha: float) -> RGB:
    """The colour seen where a translucent one lies over another."""
    red, green, blue = (round(a * alpha + b * (1 - alpha)) for a, b in zip(over, under, strict=True))
    return red, green, blue
