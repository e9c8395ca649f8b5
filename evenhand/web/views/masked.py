"""What a lens hides, in words."""

from __future__ import annotations

from collections.abc import Collection

NAMES = {
    "name": "names",
    "contact": "contact data",
    "photo": "photos",
    "address": "places",
    "age": "age",
    "gender": "gender",
    "school": "schools",
}


def masked_words(kinds: Collection[str]) -> str:
    hidden = [words for kind, words in NAMES.items() if kind in kinds]
    if not hidden:
        return ""
    listed = " and ".join([", ".join(hidden[:-1]), hidden[-1]]) if len(hidden) > 1 else hidden[0]
    return f"Masked here: {listed}."
