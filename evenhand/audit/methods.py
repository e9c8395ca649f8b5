"""How each audit measures and what it cannot tell: the prose of `methods.toml`, for the end of its report."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from evenhand.rendering.html import resource


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(resource(__package__, "methods.toml"))


def method_texts(audit: str, part: str, **values: object) -> tuple[str, ...]:
    """The paragraphs of one part of an audit, such as its limits; `values` stand where a paragraph names them."""
    return tuple(text.format(**values) for text in _texts()[audit][part])
