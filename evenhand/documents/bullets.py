"""List markers that were typed as characters at the beginning of a line."""

from __future__ import annotations

import re

_SIGNS = "-*+•●◦○▪▫■□◆◇❖❑❒➢➤➔►▶▸✓✔☑∙·‣⁃–—⬥⬧⧫\uf0b7\uf0a7\uf0d8\uf0fc\uf076"
# "o" is the bullet of typewriter lists only before a capital; "A." is more often an initial than a marker.
_MARKER = re.compile(
    rf"([{re.escape(_SIGNS)}](?=\s)|•|\d{{1,2}}[.)](?=\s)|[a-zA-Z]\)(?=\s)|o(?=\s+[A-Z]))\s*(?=\S)"
)


def typed_marker(text: str) -> str | None:
    """The bullet or number a line begins with; None when it begins with a word."""
    found = _MARKER.match(text)
    return found[1] if found else None
