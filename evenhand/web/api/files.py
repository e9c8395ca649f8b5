"""Answers that are files, as the API's description tells of them."""

from __future__ import annotations

from typing import Any

Responses = dict[int | str, dict[str, Any]]


def _file(description: str, media_type: str) -> Responses:
    content = {media_type: {"schema": {"type": "string", "format": "binary"}}}
    return {200: {"description": f"{description}, as an attachment.", "content": content}}


ANY = _file("The file", "application/octet-stream")
TEXT = _file("Plain text", "text/plain")
ZIP = _file("An archive", "application/zip")
CSV = _file("A table", "text/csv")
XLSX = _file("A spreadsheet", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
