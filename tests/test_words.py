"""Names of our own concepts are words of the field: the private dialect that was given up stays away."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
GIVEN_UP = {
    *("bearer", "desk", "happenings", "judging", "keeper", "lens", "noting", "nursery", "reapplying", "shelf"),
    *("superseding", "unwatched", "walked", "watched", "watching"),
}
"""Never part of a name. Words that are also ordinary English (told, shown, found) are judged by eye."""
GIVEN_UP_NAMES = {"Watch", "watch", "each", "take_in", "tell_apart", "give_job"}
PREFIXES = ("MOST_", "LEAST_", "FEWEST_")


def names_of(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def is_given_up(name: str) -> bool:
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
    return bool(words & GIVEN_UP) or name in GIVEN_UP_NAMES or name.lstrip("_").startswith(PREFIXES)


def test_names_are_words_of_the_field() -> None:
    paths = [path for folder in ("evenhand", "lab") for path in (ROOT / folder).rglob("*.py")]
    assert len(paths) > 300
    bad = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in paths
        if "migrations" not in path.parts
        for name in (path.stem, *names_of(ast.parse(path.read_text("utf-8"))))
        if is_given_up(name)
    }
    assert bad == set()


def test_the_check_knows_them() -> None:
    assert all(map(is_given_up, ("Watch", "MOST_FILES", "_LEAST_N", "lens_for", "JobDesk", "take_in")))
    assert not any(map(is_given_up, ("Watchlist", "MAX_FILES", "visibility", "almost", "compute")))
