"""The look of characters in a Word file, with the reason when nobody can see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evenhand.documents.colors import RGB, WHITE, to_hex, too_close
from evenhand.documents.doc.formats import Characters, Paragraph
from evenhand.documents.flow import Look

_TINY_HALF_POINTS = 8
_FAR_TWIPS = 14_400
_SQUEEZED_TWIPS = 4.5  # for each half point of size: characters printed on top of each other
_FLAT_TWIPS = 60


class Place(NamedTuple):
    """What surrounds a paragraph: the cell or box it stands in."""

    fill: RGB | None = None
    see_through: bool = False
    hidden: str | None = None


NOWHERE = Place()
"""On the page itself."""


class Looks:
    def __init__(self, fonts: Sequence[str]) -> None:
        self.fonts = fonts
        self._made: dict[tuple[object, ...], Look] = {}

    def font_name(self, number: int | None) -> str | None:
        return self.fonts[number] if number is not None and number < len(self.fonts) else None

    def look(self, characters: Characters, paragraph: Paragraph, place: Place) -> Look:
        key = (characters, paragraph.shade, paragraph.left, paragraph.frame_x, paragraph.line, place)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = Look(
                font=self.font_name(characters.font),
                size=characters.size / 2,
                bold=characters.bold,
                italic=characters.italic,
                color=to_hex(characters.color) if characters.color else None,
                hidden=_hidden(characters, paragraph, place),
            )
        return made


def _hidden(characters: Characters, paragraph: Paragraph, place: Place) -> str | None:
    if characters.vanish:
        return "hidden_style"
    if place.hidden:
        return place.hidden
    if abs(paragraph.left) > _FAR_TWIPS or abs(paragraph.frame_x) > 2 * _FAR_TWIPS:
        return "off_page"
    if -_FLAT_TWIPS < paragraph.line < 0:  # below zero is an exact height
        return "clipped"
    if 0 < characters.size < _TINY_HALF_POINTS or characters.scale < 20:
        return "tiny"
    if characters.spacing < -_SQUEEZED_TWIPS * characters.size:
        return "clipped"
    background = characters.shade or paragraph.shade or place.fill
    if background is None and not place.see_through:
        background = WHITE
    if characters.color and background and too_close(characters.color, background):
        return "background_color"
    return None
