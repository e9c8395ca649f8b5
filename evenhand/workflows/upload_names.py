"""Names of uploaded files. They are labels that people read; no file is ever written or looked up under them."""

from __future__ import annotations

import unicodedata

LENGTH = 200
NAMELESS = "without a name"
_ENDING = 20  # characters at the end that a shortened name keeps: its extension is there
_NOT_SHOWN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def plain_name(name: str) -> str:
    """The last parts of a path in printable characters: no way up, no control or bidirectional signs, no novel."""
    visible = "".join(
        " " if unicodedata.category(character) in _NOT_SHOWN else character
        for character in unicodedata.normalize("NFC", name).replace("\\", "/")
    )
    parts = [" ".join(part.split()) for part in visible.split("/")]
    kept = "/".join(part for part in parts if part not in ("", ".", ".."))
    if len(kept) > LENGTH:
        kept = f"{kept[: LENGTH - _ENDING - 1]}…{kept[-_ENDING:]}"
    return kept or NAMELESS
