"""Explanations written to files: a page for reading, bars for slides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from evenhand.errors import UsageError
from evenhand.explain.pictures.bars import bars_png, bars_svg
from evenhand.explain.pictures.page import Shown, page_html
from evenhand.workflows.explaining import Explained

_PLAIN = re.compile(r"[^A-Za-z0-9_-]+")


def write_page(found: Sequence[Explained], file: Path) -> None:
    """All labels on one page."""
    _write(file, page_html([shown(each) for each in found]).encode("utf-8", "backslashreplace"))


def shown(explained: Explained) -> Shown:
    return Shown(
        explained.explanation, explained.prediction, explained.probability, explained.is_said, explained.text
    )


def write_bars(found: Sequence[Explained], file: Path) -> list[Path]:
    """PNG or SVG by the ending. Of several labels one picture each, with the label in its name."""
    is_svg = file.suffix.lower() == ".svg"
    files = [file]
    if len(found) > 1:
        labels = [_PLAIN.sub("-", each.explanation.target) for each in found]
        files = [file.with_name(f"{file.stem}-{label}{file.suffix}") for label in labels]
    for each, name in zip(found, files, strict=True):
        content = bars_svg(each.explanation).encode() if is_svg else bars_png(each.explanation)
        _write(name, content)
    return files


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from error
