"""Section titles of resumes and the type of section each opens."""

from __future__ import annotations

import re
from functools import cache

from evenhand.mining.lexicon.files import blocks
from evenhand.mining.lexicon.lists import words

_EDGES = re.compile(r"^[\W\d_]+|[\W_]+$")
_NUMBERED = re.compile(r"^(?:[ivx]{1,4}|[a-h])[.)]\s+")
_JOINERS = re.compile(r"\s*(?:&|/|\+|,| and | or )\s*")
_SPACED = re.compile(r"(?:\w ){3,}\w")


@cache
def section_titles() -> dict[str, str]:
    """Normalised title -> type of section."""
    return {normal_title(forms[0]): kind for kind, forms in blocks("section_titles.txt")}


def section_type(heading: str, titles: dict[str, str] | None = None) -> str | None:
    """The type of section a heading opens; None when it is no known title.

    Case, numbering, punctuation, "&" for "and", and letters set apart ("S K I L L S") make no difference.
    """
    known = section_titles() if titles is None else titles
    title = normal_title(heading)
    if not title or len(title) > 60:
        return None
    return known.get(title) or _trimmed(title, known) or _first_part(title, known)


def normal_title(heading: str) -> str:
    title = " ".join(heading.lower().replace("’", "'").replace("-", " ").split())
    if _SPACED.fullmatch(title):
        title = title.replace(" ", "")
    title = _EDGES.sub("", _NUMBERED.sub("", title))
    return _JOINERS.sub(" and ", title).strip()


def _trimmed(title: str, known: dict[str, str]) -> str | None:
    """ "My key skills", "Education details (contd.)": without the words that change nothing."""
    rest = title.split()
    while len(rest) > 1 and rest[-1].strip("(.:'") in words("heading ending"):
        rest.pop()
        if kind := known.get(" ".join(rest)):
            return kind
    while len(rest) > 1 and rest[0] in words("heading opening"):
        rest.pop(0)
        if kind := known.get(" ".join(rest)):
            return kind
    return None


def _first_part(title: str, known: dict[str, str]) -> str | None:
    """ "Education and something": the first title decides, where all the others are titles too."""
    if " and " not in title:
        return None
    kinds = [known.get(part) for part in title.split(" and ")]
    return kinds[0] if all(kinds) else None
