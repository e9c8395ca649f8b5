"""How each audit measures, what it cannot tell and what it finds: the prose of `methods.toml` and `findings.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from evenhand.records.report import Figures, Finding, Severity
from evenhand.rendering.html import resource


@cache
def _texts(file: str) -> dict[str, Any]:
    return tomllib.loads(resource(__package__, file))


def method_texts(audit: str, part: str, **values: object) -> tuple[str, ...]:
    """The paragraphs of one part of an audit, such as its limits; `values` stand where a paragraph names them."""
    return tuple(text.format(**values) for text in _texts("methods.toml")[audit][part])


def finding_in_words(
    kind: str, code: str, severity: Severity, figures: Figures | None = None, **values: object
) -> Finding:
    """A finding of a kind such as "model.leak"; `values` stand where its words name them. Clear asks for no action."""
    audit, name = kind.split(".")
    words = {part: text.format(**values) for part, text in _texts("findings.toml")[audit][name].items()}
    return Finding(
        code,
        severity,
        words["title"],
        words["sentence"],
        words.get("action") if severity != "clear" else None,
        figures or {},
    )
