"""Signs that live in a font and not in Unicode: bullets, ticks and Greek of Symbol and Wingdings, icons."""

from __future__ import annotations

import re

# Word shows these with Symbol, Wingdings or Webdings, at U+F000 plus the byte.
_SHAPES = {
    0xB7: "•", 0x6C: "●", 0x9F: "•", 0x9E: "·", 0x6E: "■", 0xA7: "▪", 0xA8: "◻", 0x71: "❑", 0x72: "❒",
    0x6F: "□", 0x77: "⬥", 0x75: "◆", 0x76: "❖", 0x73: "⬧", 0x74: "⧫", 0xD8: "➢", 0xE0: "→", 0xDF: "←",
    0xE8: "➔", 0xF0: "⇨", 0xFC: "✓", 0xFE: "☑", 0xFB: "✗", 0xFD: "☒", 0xAB: "★", 0xB6: "✰", 0x46: "☞",
    0x2A: "✉", 0x28: "☎", 0x29: "✆", 0x2B: "✉", 0x4A: "☺", 0xA4: "◉", 0xA1: "○", 0xA2: "○", 0xB2: "✧",
}  # fmt: skip
_GREEK: dict[int, str] = dict(
    zip((*range(0x41, 0x5B), *range(0x61, 0x7B)), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)
)
_SYMBOL = {
    **_GREEK,
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼",
    0xA0: "€", 0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xA7: "♣", 0xA8: "♦", 0xA9: "♥", 0xAA: "♠", 0xAB: "↔",
    0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×",
    0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBB: "≈", 0xBC: "…", 0xBE: "—", 0xD2: "®", 0xD3: "©", 0xD4: "™",
    0xD6: "√", 0xDE: "⇒", 0xE2: "®", 0xE3: "©", 0xE4: "™",
}  # fmt: skip
_PICTURE_FONTS = ("wingdings", "webdings", "zapfdingbats", "zapf dingbats", "marlett")


def is_sign_font(font: str | None) -> bool:
    """Whether letters in this font are drawn as other signs."""
    return font is not None and (font.lower() == "symbol" or font.lower().startswith(_PICTURE_FONTS))


def sign(code: int, font: str | None) -> str:
    """What a byte (or U+F000 plus the byte) draws in a sign font; nothing when it is a mere ornament."""
    byte = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    if byte in (0x20, 0x09, 0xA0) and byte == code:
        return chr(code)
    if (font or "symbol").lower() == "symbol":
        return _SYMBOL.get(byte, chr(byte) if 0x20 <= byte < 0x7F else "")
    return _SHAPES.get(byte, "")


def private_use_signs() -> dict[int, str | None]:
    """For `str.translate`: bullets and ticks of the Symbol range as characters, all other glyphs dropped.

    An icon font uses the same numbers for telephones and envelopes, so only shapes that Word documents
    use in running text are used; a wrong guess costs a bullet, never a letter.
    """
    table: dict[int, str | None] = dict.fromkeys(range(0xE000, 0xF900))
    used = (0xB7, 0xA7, 0xA8, 0x76, 0x71, 0x72, 0x6E, 0x6C, 0x9F, 0x77, 0x75, 0x73, 0xD8, 0xFC, 0xFE, 0xE8)
    table.update({0xF000 + byte: _SHAPES[byte] for byte in used})
    table[0xF020] = " "
    table[0xF8FF] = None  # the apple of Macintosh fonts
    return table


BULLETS = frozenset("•●◦○▪▫■□◆◇◻◼❑❒❖➢➤➔→⇨✓✔✗☑☒★✰·∙‣⁃-–—*⬥⬧⧫►▶▸»>✦✧◉⚫⚪⦁⮚❯›+~o")


# What the Symbol and Wingdings fonts draw for a character code, in Unicode.

PRIVATE_USE = 0xF000  # Office stores symbol font codes 0x20-0xFF at this offset

_SYMBOLS_SYMBOL = {
    **_GREEK,
    0x2D: "-", 0xA0: "€", 0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xA7: "♣", 0xA8: "♦", 0xA9: "♥", 0xAA: "♠",
    0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥",
    0xB4: "×", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBB: "≈", 0xBC: "…", 0xBE: "—", 0xD2: "®", 0xD3: "©",
    0xD4: "™", 0xD7: "·", 0xDE: "⇒", 0xE0: "◊",
}  # fmt: skip
_WINGDINGS = {
    0x28: "☎", 0x29: "✆", 0x2A: "✉", 0x38: "⌨", 0x3A: "💻", 0x46: "☞", 0x4A: "☺", 0x6C: "●", 0x6D: "❍",
    0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥",
    0x78: "☒", 0x9E: "·", 0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA2: "○", 0xA4: "◉", 0xA5: "◎", 0xA7: "▪",
    0xA8: "◻", 0xAA: "✦", 0xAB: "★", 0xAC: "✶", 0xAE: "✹", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE8: "➔",
    0xEF: "⇦", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {
    0x50: "✓", 0x4F: "✗", 0x52: "☑", 0x54: "☒", 0x96: "•", 0x97: "●", 0x98: "●", 0xA2: "▪", 0xA3: "□",
    0xAE: "◆", 0xDF: "✶",
}  # fmt: skip
_WINGDINGS_3 = {0x22: "→", 0x7D: "▶", 0x84: "▶", 0xC6: "▶", 0x75: "▶"}
_FONTS = {"symbol": _SYMBOLS_SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2, "wingdings 3": _WINGDINGS_3}
BULLET = "•"


def drawn(text: str, font: str | None) -> str:
    """`text` as the named font draws it; other fonts and unknown codes leave it as it is."""
    table = _FONTS.get((font or "").lower())
    if table is None:
        return text
    # Word stores genuine symbols in the private area; plain letters in Wingdings are drawn as symbols too.
    codes = ((ord(c) - PRIVATE_USE if PRIVATE_USE < ord(c) <= PRIVATE_USE + 0xFF else ord(c), c) for c in text)
    return "".join(table.get(code, character) for code, character in codes)


def drawn_bullet(text: str, font: str | None) -> str:
    """A list bullet as drawn; what no table knows is still a bullet to the reader."""
    bullet = drawn(text, font).strip()
    if bullet == "o":  # set in Courier New it is the hollow circle of second-level lists
        return "◦"
    unknown = any(0xE000 <= ord(character) <= 0xF8FF for character in bullet)
    if unknown or ((font or "").lower() in _FONTS and bullet.isalnum() and bullet == text.strip()):
        return BULLET
    return bullet


LETTERS = re.compile("[A-Za-z]{4}")


def as_shown(text: str, font: str | None) -> tuple[str, str | None]:
    """`text` as drawn; words in a sign font stay as they are, with the reason why nobody reads them."""
    if is_sign_font(font) and LETTERS.search(text):
        return text, "replaced"
    return drawn(text, font), None
