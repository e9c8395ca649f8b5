"""Words that a file holds and a reader of the page does not see."""

from __future__ import annotations

from dataclasses import dataclass

WAYS: dict[str, tuple[str, ...]] = {
    "pdf": ("white", "tiny", "invisible", "off_page", "covered", "transparent"),
    "docx": ("white", "tiny", "hidden_style"),
    "odt": ("white", "tiny", "hidden_style"),
    "rtf": ("white", "tiny", "hidden_style"),
    "html": ("white", "tiny", "hidden_style", "off_page"),
    "doc": ("white", "tiny", "hidden_style"),
    "txt": (),
}
TINY_POINTS = 1.0


@dataclass(frozen=True, slots=True)
class Secret:
    text: str
    how: str  # one of WAYS[format]
