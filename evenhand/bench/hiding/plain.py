"""What plain text can hide: characters that no screen shows."""

from __future__ import annotations

from evenhand.bench.hiding.resumes import Build, Kind, Resume

ZERO_WIDTH = ("\u200b", "\u2060", "\ufeff", "\u200b\u2060")
TAGS = 0xE0000  # where Unicode keeps an invisible copy of ASCII


def document(resume: Resume, special: str) -> bytes:
    lines = []
    for place, part in enumerate(resume.parts):
        if place == resume.place:
            lines.append(special)
        lines.append(f"- {part.text}" if part.role == "bullet" else part.text)
    return "\n".join(lines).encode()


def tagged(resume: Resume) -> bytes:
    """The words in invisible letters at the end of a visible line."""
    unseen = "".join(chr(TAGS + ord(letter)) for letter in resume.secret)
    return document(resume, f"Punctual and reliable{unseen}")


def parted(resume: Resume) -> bytes:
    """Words a person reads and a search would miss: something without width stands between their letters."""
    return document(resume, " ".join(resume.pick(*ZERO_WIDTH).join(word) for word in resume.words))


KINDS: dict[str, Kind] = {"invisible letters": Kind(("invisible",), tagged)}

CONTROLS: dict[str, Build] = {
    "plain": lambda resume: document(resume, resume.secret),
    "parted by zero width": parted,
}
