"""The tables at the head of an RTF document: fonts and colours."""

from __future__ import annotations

from evenhand.documents.charsets import FONT_CHARSETS, code_page
from evenhand.documents.colors import RGB
from evenhand.documents.rtf.state import Font


class FontTable:
    """Font table under construction; a name ends with a semicolon or with its group."""

    def __init__(self, fonts: dict[int, Font]) -> None:
        self._fonts = fonts
        self._font = Font()
        self._name = bytearray()

    def word(self, word: bytes, number: int | None) -> None:
        if word == b"f":
            self.end_name()
            self._font = self._fonts.setdefault(number or 0, Font())
        elif word == b"fcharset":
            self._font.charset = number or 0
        elif word == b"cpg" and number:
            self._font.codec = code_page(number)

    def text(self, data: bytes) -> None:
        name, semicolon, _ = data.partition(b";")
        self._name += name
        if semicolon:
            self.end_name()

    def end_name(self) -> None:
        name = bytes(self._name).strip().decode(FONT_CHARSETS.get(self._font.charset, "cp1252"), "replace")
        if name and not self._font.name:
            self._font.name = name
        self._name.clear()


class ColorTable:
    """Colour table under construction; an entry without numbers is the automatic colour."""

    def __init__(self, colors: list[RGB | None]) -> None:
        self._colors = colors
        self._parts: dict[bytes, int] = {}

    def word(self, word: bytes, number: int | None) -> None:
        if word in (b"red", b"green", b"blue"):
            self._parts[word] = max(0, min(255, number or 0))

    def text(self, data: bytes) -> None:
        for _ in range(data.count(b";")):
            parts = self._parts
            color = (parts.get(b"red", 0), parts.get(b"green", 0), parts.get(b"blue", 0))
            self._colors.append(color if parts else None)
            self._parts = {}
