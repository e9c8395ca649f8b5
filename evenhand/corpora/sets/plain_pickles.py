"""Pickles of plain data: lists, mappings, texts and numbers. Anything else in one is refused before it is made.

A pickle may name any function of Python and have it called. Data needs none, so none is found.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from evenhand.errors import UsageError

_HARMLESS = {
    ("builtins", "set"): set,
    ("builtins", "frozenset"): frozenset,
}  # data that pickles write by name


class PlainUnpickler(pickle.Unpickler):
    """Knows no name but those of two kinds of collections."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        found = _HARMLESS.get((module_name.replace("__builtin__", "builtins"), global_name))
        if found is None:
            raise UsageError(
                f"The pickle asks for {module_name}.{global_name}, which plain data does not need; it is not read."
            )
        return found


def load_plain(path: Path) -> Any:
    """Python 2 wrote its texts as bytes; they are read as UTF-8."""
    try:
        with path.open("rb") as file:
            return PlainUnpickler(file, encoding="utf-8", errors="replace").load()
    except UsageError as refused:
        raise UsageError(f"{path.name}: {refused}") from None
    # A damaged pickle fails in as many ways as it has opcodes.
    except (
        pickle.UnpicklingError,
        EOFError,
        ValueError,
        TypeError,
        IndexError,
        KeyError,
        AttributeError,
    ) as damage:
        raise UsageError(f"{path.name} is no pickle that can be read, or it is damaged: {damage}") from damage
