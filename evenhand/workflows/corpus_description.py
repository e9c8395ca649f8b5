"""What a corpus is like, by itself and beside other resumes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evenhand.corpora.comparing import compare, read_texts
from evenhand.corpora.describe import describe
from evenhand.errors import UsageError
from evenhand.workflows import corpus_folder as folder
from evenhand.workflows.corpus_checks import about


def describe_corpus(out: Path, others: Path | None = None) -> dict[str, Any]:
    """What the corpus is like, and how it compares with other resumes."""
    about(out)
    found = describe(out).to_json()
    if others is None:
        return found
    if not others.is_file():
        raise UsageError(f"{others} is no file.")
    generated = (line["text"] for line in folder.read_lines(out / "truth.jsonl"))
    return found | {"comparison": compare(generated, read_texts(others)).to_json()}
